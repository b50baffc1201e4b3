#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The build root: a Debian trixie tree below the cache, made once from .debs, in which everything is
# compiled and QEMU runs. It is amd64, with a compiler for arm64, or arm64, as the machine is. No
# maintainer script is executed, so root and an unprivileged user get the same tree.
#
#   root.sh           make it if it is missing
#   root.sh path      make it, print where it is
#   root.sh list      what is in it, one .deb per line
#   root.sh run -- CMD...   run CMD in it; the project, the cache and /tmp keep their names;
#                     V9_BIND="DIR:PLACE ..." mounts more, V9_ROOT=DIR takes another tree;
#                     MANUAL=DIR is mounted as /manual and MANUAL says so there

. "$(dirname "$0")/lib.sh"

PACKAGES="
$BASE_TOOLS mawk gawk mount procps patch bzip2 xz-utils zstd cpio rsync ca-certificates
gcc libc6-dev make libglib2.0-dev libfdt-dev zlib1g-dev ninja-build meson pkgconf
python3 python3-venv flex bison bc perl kmod sparse device-tree-compiler
linux-perf binutils libelf1t64 libssl3t64 pahole llvm
"
# What v9trace is linked with, for this machine and for arm64
LIBRARIES="libc6-dev libtraceevent-dev libelf-dev libdw-dev libiberty-dev zlib1g-dev libzstd-dev libjson-c-dev libsqlite3-dev
libncurses-dev"
PACKAGES="$PACKAGES $LIBRARIES"
[ "$HOST" = arm64 ] || PACKAGES="$PACKAGES gcc-aarch64-linux-gnu libc6-dev-arm64-cross
$(printf '%s:arm64 ' $LIBRARIES)"

ROOT=$CACHE/root-$(hash_text "$PACKAGES" "$(declare -f finish_root)")

make_root() {
	root_tree trixie "$ROOT" $PACKAGES
	: >"$ROOT/.v9trace-root"
}

ensure() {
	used "$ROOT"
	[ -e "$ROOT/.v9trace-root" ] && return
	need flock util-linux
	lock "${ROOT##*/}"
	if [ ! -e "$ROOT/.v9trace-root" ]; then
		need_unshare
		need_space "$CACHE" 3000
		apt_refresh trixie
		step "build root: Debian trixie for $HOST" make_root
	fi
	unlock
}

case ${1:-} in
'')	ensure; info "build root: $ROOT" ;;
path)	ensure; printf '%s\n' "$ROOT" ;;
list)	ensure; cat "$ROOT/.v9trace-packages" ;;
run)
	shift
	[ "${1:-}" = -- ] && shift
	[ $# -gt 0 ] || die "usage: root.sh run -- COMMAND..."
	# Already inside: a recipe that calls us again simply goes on.
	[ -e /.v9trace-root ] && exec "$@"
	if [ -n "${V9_ROOT:-}" ]; then ROOT=$V9_ROOT; else ensure; fi
	if [ -n "${MANUAL:-}" ]; then
		V9_BIND="${V9_BIND:-} $(cd "$MANUAL" && pwd):/manual" || die "MANUAL=$MANUAL is no folder"
		export V9_BIND MANUAL=/manual
	fi
	enter_root "$ROOT" "$@"
	;;
*)	die "usage: root.sh [path | list | run -- COMMAND...]" ;;
esac
