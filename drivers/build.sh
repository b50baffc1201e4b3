#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The modules for one kernel, by its headers: build.sh [install] [KDIR] [ARGUMENTS of make]
# KDIR is /lib/modules/$(uname -r)/build unless it is given. Output in build/modules/RELEASE/, a tree of
# links, so that nothing is written beside the sources and kernels do not collide. "install" builds,
# installs below /lib/modules (INSTALL_MOD_PATH is heeded) and runs depmod.
# What is missing is said in one line before anything is done; the exit status is then 2.
set -u
cd "$(dirname "$0")/.." || exit 2
top=$PWD

die() { printf 'v9trace: %s\n' "$*" >&2; exit 2; }

install=
[ "${1:-}" != install ] || { install=1; shift; }
case ${1:-} in
'' | *=*) kdir= ;;
*)	kdir=$1; shift ;;
esac
if [ -z "$kdir" ]; then
	release=$(uname -r)
	kdir=/lib/modules/$release/build
	[ -e "$kdir/Makefile" ] ||
		die "no headers of the running kernel $release (apt install linux-headers-$release," \
			"dnf install kernel-devel-$release); KDIR=DIR names others. Nothing was built."
fi
[ -e "$kdir/Makefile" ] || die "$kdir has no kernel headers. Nothing was built."
kdir=$(cd "$kdir" && pwd)
config=$kdir/include/config/auto.conf
# Not kernel.release: that of Debian's 6.1 is another number than the modules' directory.
release=$(sed -n 's/.*UTS_RELEASE "\(.*\)".*/\1/p' "$kdir/include/generated/utsrelease.h" 2>/dev/null)
[ -e "$config" ] && [ -n "$release" ] ||
	die "$kdir is not prepared for modules (make modules_prepare). Nothing was built."
grep -q '^CONFIG_ARM64=y' "$config" ||
	die "$kdir is for another architecture: the modules are for arm64. Nothing was built."

# The compiler: as Debian's headers name it, else the one that the kernel was built with.
if [ "$(uname -m)" != aarch64 ]; then
	set -- ARCH=arm64 CROSS_COMPILE="${CROSS_COMPILE:-aarch64-linux-gnu-}" "$@"
	cross=${CROSS_COMPILE:-aarch64-linux-gnu-}
else
	cross=${CROSS_COMPILE:-}
fi
cc=$(sed -n 's/.*CROSS_COMPILE)\(gcc-[0-9]*\).*/\1/p' "$kdir/.kernelvariables" 2>/dev/null)
case " $* " in
*" CC="* | *" LLVM="*) ;;
*)	command -v "$cross${cc:-gcc}" >/dev/null 2>&1 ||
		die "no compiler '$cross${cc:-gcc}', which $release wants (apt install" \
			"${cc:-gcc}${cross:+-aarch64-linux-gnu}, dnf install gcc). Nothing was built."
	;;
esac
command -v make >/dev/null 2>&1 || die "no make (apt install make, dnf install make). Nothing was built."

out=$top/build/modules/$release
mkdir -p "$out" 2>/dev/null || die "$out cannot be made. Nothing was built."
free=$(df -Pm "$out" | awk 'NR == 2 { print $4 }')
if [ "${free:-0}" -lt 60 ]; then
	rmdir -p "$out" 2>/dev/null
	die "$top/build has $free MB free, 60 MB are needed. Nothing was built."
fi
for d in Kbuild drivers include tools/gen; do
	mkdir -p "$out/$(dirname $d)"
	cp -rsf "$top/$d" "$out/$(dirname $d)/"
done
find "$out" -xtype l -delete
rm -f "$out"/*.ko
[ -e "$kdir/vmlinux" ] || set -- CONFIG_DEBUG_INFO_BTF_MODULES= "$@"
make ${V:+V=$V} -s -j"$(nproc)" -C "$kdir" M="$out" "$@" modules || {
	status=$?
	rm -f "$out"/*.ko
	exit $status
}
for m in v9_core v9_spe v9_ete v9_brbe; do
	[ -e "$out/$m.ko" ] || die "$m.ko was not made."
done
if [ -n "$install" ]; then
	make -s -C "$kdir" M="$out" "$@" MODLIB="${INSTALL_MOD_PATH:-}/lib/modules/$release" \
		modules_install || exit
	depmod ${INSTALL_MOD_PATH:+-b "$INSTALL_MOD_PATH"} "$release" || exit
else
	printf '%s\n' "build/modules/$release/v9_core.ko v9_spe.ko v9_ete.ko v9_brbe.ko"
fi
