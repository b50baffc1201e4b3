#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The front of the lab. Each step is printed with its time, is made once, and can be interrupted:
# what is complete stays, the next call goes on from there.
#
#   lab.sh all                 everything for KERNEL (6.12): root, QEMU, kernel, guest, modules, tools
#   lab.sh prepare [GROUP...]  what the test groups host, modules, firmware, crosscheck, target, modes, exports, or
#                              demo, need
#   lab.sh root|qemu|kernel|guest|modules|tools|source    one part
#   lab.sh run ...             as run.sh
#   lab.sh shell               a shell in the guest, with SPE and ETE
#   lab.sh status              what the cache holds
#   lab.sh update              look for newer packages now (otherwise once a day)
#   lab.sh prune [DAYS]        remove trees not used for so long (7)
#   lab.sh clean               remove the whole cache

. "$(dirname "$0")/lib.sh"

KERNEL=${KERNEL:-6.12}
KERNELS=${KERNELS:-$KERNEL}
BACK=

stopped() {
	trap - INT TERM
	[ -z "$BACK" ] || kill -INT -- -"$BACK" 2>/dev/null || :
	printf '\n' >&2
	info "stopped. What is complete stays; the same command goes on from here."
	exit 130
}
trap stopped INT TERM

# beside COMMAND...: in a process group of its own, so that stopping reaches all of it
beside() {
	export V9_PARALLEL=1
	set -m
	"$@" &
	BACK=$!
	set +m
}
join() {
	local rc=0
	wait "$BACK" || rc=$?
	BACK=
	unset V9_PARALLEL
	return $rc
}

each_kernel() {	# SCRIPT ARGUMENT-BEFORE
	local k
	for k in $KERNELS; do
		"$LAB/$1" ${2:-} "$k" >/dev/null
	done
}

tools() {
	local src
	src=$("$LAB/source.sh")
	lock tools
	step "v9trace for $ARCHITECTURES" "$LAB/root.sh" run -- sh -ec '
		linux=$1
		shift
		for a; do nice make -j"$(nproc)" -C tools STATIC=1 ARCH=$a LINUX="$linux"; done' sh "$src" $ARCHITECTURES
	unlock
}
selftests() {
	step "kselftests for arm64" kselftests
}
kselftests() {
	local k
	for k in $KERNELS; do "$PROJ/selftests/target/tarball.sh" "$k"; done
	"$LAB/root.sh" run -- nice make -s -j"$(nproc)" -C selftests/target platform
}
modules() {
	step "modules for $1" "$LAB/modules.sh" "$1"
}

# Downloads and small builds go on beside QEMU's long one.
platform() {	# COMMAND...
	local rc=0
	beside "$LAB/qemu.sh" path >/dev/null
	( "$@" ) || rc=$?
	join || rc=$?
	return $rc
}
everything() {
	local k
	"$LAB/source.sh" >/dev/null
	each_kernel kernel.sh headers
	[ ! -e "$PROJ/Kbuild" ] || for k in $KERNELS; do modules "$k"; done
	[ ! -e "$PROJ/tools/Makefile" ] || tools
	[ ! -e "$PROJ/selftests/target/Makefile" ] || selftests
}

prepare() {
	local g qemu= headers= guest= acpi= exports=
	[ $# -gt 0 ] || set -- host modules firmware crosscheck target
	"$LAB/root.sh" path >/dev/null
	for g; do
		case $g in
		host|rules)	;;
		exports)	exports=1 ;;
		modules)	headers=${MODULES:-$KERNELS} ;;
		firmware)	qemu=1 ;;
		demo)		qemu=1 guest=1 KERNELS=$KERNEL ;;
		crosscheck)	qemu=1 guest=1 ;;
		target|modes)	qemu=1 guest=1 acpi=1 ;;
		*)	die "prepare: no such group: '$g' (host, modules, firmware, crosscheck, target, modes, exports, demo)." ;;
		esac
	done
	if [ -n "$qemu" ]; then platform parts; else parts; fi
}
# The rest of what prepare() was asked for
parts() {
	local k
	[ -z "$headers" ] || "$LAB/source.sh" >/dev/null || return
	for k in $headers; do "$LAB/kernel.sh" headers $k >/dev/null || return; done
	[ -z "$acpi" ] || "$LAB/peers.sh" -t acpi path >/dev/null || return
	[ -z "$exports" ] || ARCHITECTURES=$HOST tools || return
	[ -z "$guest" ] || { each_kernel guest.sh path && "$LAB/workload.sh" >/dev/null && everything; }
}

status() {
	local d
	echo "cache: $CACHE"
	for d in "$CACHE"/*/; do
		d=${d%/}
		case ${d##*/} in
		log|lock) ;;
		*) printf '  %6s  %s\n' "$(du -sh "$d" | cut -f1)" "${d##*/}" ;;
		esac
	done
	for d in "$CACHE"/apt/*/stamp; do
		[ ! -e "$d" ] || echo "package lists of $(basename "$(dirname "$d")"): $(date -r "$d" '+%F %R')"
	done
	for d in "$BUILD"/modules/*/*.ko "$BUILD"/tools/*/v9trace "$BUILD/qemu-system-aarch64"; do
		[ ! -e "$d" ] || echo "built: ${d#"$PROJ"/}, $(date -r "$d" '+%F %R')"
	done
}

prune() {	# DAYS
	local d
	for d in "$CACHE"/*/.used; do
		[ -e "$d" ] && [ -n "$(find "$d" -mmin +$(($1 * 1440)))" ] || continue
		d=${d%/.used}
		info "removing ${d##*/}"
		rm -rf "$d"
	done
}

cmd=${1:-}
[ $# = 0 ] || shift
case $cmd in
all)		KERNELS=$KERNEL; prepare host target ;;
prepare)	prepare "$@" ;;
root)		"$LAB/root.sh" ;;
qemu)		"$LAB/qemu.sh" ;;
kernel)		"$LAB/kernel.sh" "$KERNEL" ;;
guest)		"$LAB/guest.sh" "$KERNEL" ;;
source)		"$LAB/source.sh" ;;
modules)	"$LAB/modules.sh" "$KERNEL" "$@" ;;
tools)		tools ;;
selftests)	selftests ;;
run)		trap - INT TERM; exec "$LAB/run.sh" "$@" ;;
shell)
	prepare demo
	exec "$LAB/run.sh" -i -q v9-spe=on,v9-ete=on "$@"
	;;
status)		status ;;
update)
	REFRESH_HOURS=0
	for s in trixie bookworm sid; do
		rm -f "$CACHE/apt/$s/offline"
		apt_refresh "$s"
	done
	prepare
	;;
prune)		prune "${1:-7}" ;;
clean)		rm -rf "$CACHE" ;;
*)		sed -n '/^#   lab/s/^#   //p' "$0" >&2; exit 2 ;;
esac
