#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Debian's stock arm64 kernels: image, the modules the guest needs, headers, and the compiler of
# their own suite.
#
#   kernel.sh [KERNEL]           make it; KERNEL is 6.1, 6.12 (default) or 7, or "debug" (debug.config),
#                                or 6.1-rt (PREEMPT_RT), 6.12-16k, 7-16k (pages of 16 KiB)
#   kernel.sh path [KERNEL]      make it, print the directory: image/{vmlinuz,config,release,modules}
#                                and headers/usr
#   kernel.sh headers [KERNEL]   the same, but headers and compiler only
#   kernel.sh run KERNEL CMD...  run CMD in the root with that compiler, headers mounted; also the
#                                perf that matches the guest's: kernel.sh run 7 perf report ...
#   kernel.sh root [KERNEL]      that root's directory

. "$(dirname "$0")/lib.sh"
. "$LAB/kernel-lib.sh"

cmd=make
case ${1:-} in
path|image|headers|root|run) cmd=$1; shift ;;
esac
kernel_find "${1:-${KERNEL:-6.12}}"
case $cmd in
make)		kernel_image; kernel_headers; info "kernel $RELEASE: $KDIR" ;;
image)		kernel_image; printf '%s\n' "$KDIR/image" ;;
path)		kernel_image; kernel_headers; printf '%s\n' "$KDIR" ;;
headers)	kernel_headers; printf '%s\n' "$KDIR/headers/usr/src/linux-headers-$RELEASE" ;;
root)		kernel_headers; printf '%s\n' "$KROOT" ;;
run)		shift; kernel_headers; kernel_run "$@" ;;
esac
