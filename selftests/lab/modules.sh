#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Our kernel modules for one of Debian's kernels: modules.sh [KERNEL] [MAKE-ARGUMENTS, W=1 C=2 ...]
# Output in build/modules/KERNEL/*.ko, and those that only tests use in selftest/ there; the tree
# is a farm of links, so that kernels do not collide and nothing is written beside the sources.
# V9_MODULES_IN names another place below build/: those that guests get are left alone there.

. "$(dirname "$0")/lib.sh"
. "$LAB/kernel-lib.sh"

short=${KERNEL:-6.12}
case ${1:-} in
*=*|'')	;;
*)	short=$1; shift ;;
esac
kernel_find "$short"
kernel_headers
out=$BUILD/${V9_MODULES_IN:-modules}/$SHORT
lock "${V9_MODULES_IN:-modules}-$SHORT"
mkdir -p "$out"
[ -e "$PROJ/Kbuild" ] || die "there is no Kbuild in $PROJ."
for d in Kbuild drivers include; do
	[ ! -e "$PROJ/$d" ] || cp -rsf "$PROJ/$d" "$out/"
done
mkdir -p "$out/selftest"
cp -rsf "$PROJ/selftests/target/module/." "$out/selftest"
find "$out" -xtype l -delete
[ "${V:-0}" = 1 ] || quiet=-s
# 6.1's headers come without the kernel's type information, so there is nothing to base ours on.
[ -e "$KDIR/headers/usr/src/linux-headers-$RELEASE/vmlinux" ] || set -- CONFIG_DEBUG_INFO_BTF_MODULES= "$@"
for m in "$out" "$out/selftest"; do
	kernel_run nice make ${quiet:-} -j"$(nproc)" -C "/usr/src/linux-headers-$RELEASE" M="$m" ARCH=arm64 \
		CROSS_COMPILE=aarch64-linux-gnu- "$@" modules
done
