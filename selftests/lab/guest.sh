#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The guest's base, one per Debian suite, from arm64 .debs: busybox, kmod, stock perf of the
# kernel's own suite, compressors and sqlite3 as things to profile.
#
#   guest.sh [KERNEL]        make it
#   guest.sh path [KERNEL]   make it, print the directory: base.cpio, tree/ (perf's --symfs)

. "$(dirname "$0")/lib.sh"
. "$LAB/kernel-lib.sh"

PACKAGES="linux-perf bash-static busybox-static coreutils kmod zstd xz-utils sqlite3 libc-bin"

guest_find() {
	local key perf
	kernel_find "$1"
	perf=$(apt_version "$SUITE" linux-perf:arm64)
	key=$(hash_text "$PACKAGES" "$(declare -f make_base)" "$(cat "$LAB/init.sh")")
	GDIR=$CACHE/guest-$SUITE-$perf-$key
	if [ ! -e "$GDIR" ] && [ -e "$CACHE/apt/$SUITE/offline" ]; then
		local old
		old=$(ls -dt "$CACHE/guest-$SUITE-"*"-$key" 2>/dev/null | head -n1)
		[ -z "$old" ] || { info "using the cached ${old##*/}."; GDIR=$old; }
	fi
}

make_base() {
	local dl=$CACHE/debs/${GDIR##*/} tmp t
	apt_closure "$SUITE" "$dl" -o APT::Architecture=arm64 -o Dir::Cache::pkgcache= \
		-o Dir::Cache::srcpkgcache= $PACKAGES
	tmp=$(fresh "$GDIR")
	t=$tmp/tree
	mkdir "$t"
	usr_merge "$t"
	unpack_debs "$dl" "$t"
	deb_list "$dl" >"$tmp/packages"
	# perf is linked with libperl and libpython; their libraries of scripts are not needed.
	rm -rf "$t"/usr/share "$t"/usr/lib/python3* "$t"/usr/lib/aarch64-linux-gnu/perl* \
		"$t"/usr/lib/aarch64-linux-gnu/gconv "$t"/usr/lib/aarch64-linux-gnu/krb5 \
		"$t"/usr/lib/aarch64-linux-gnu/ossl-modules "$t"/usr/bin/python* "$t"/usr/bin/perl* \
		"$t"/usr/lib/systemd "$t"/usr/include "$t"/usr/libexec/perf-core/tests "$t"/var
	mkdir -p "$t/proc" "$t/sys" "$t/dev" "$t/tmp" "$t/run" "$t/root" "$t/out" "$t/v9/modules" \
		"$t/etc/modprobe.d" "$t/var/tmp" "$t/usr/share"
	echo 'root:x:0:0:root:/root:/bin/sh' >"$t/etc/passwd"
	echo 'root:x:0:' >"$t/etc/group"
	# No unit is bound unless a script loads its driver.
	echo 'blacklist arm_spe_pmu' >"$t/etc/modprobe.d/v9trace.conf"
	cp "$LAB/init.sh" "$t/init"
	chmod 755 "$t/init"
	ln -sf busybox "$t/usr/bin/sh"
	in_root "$("$LAB/root.sh" path)" sh -c 'cd "$1/tree" && find . | cpio --quiet -o -H newc >../base.cpio' \
		sh "$tmp"
	publish "$GDIR"
	rm -rf "$dl"
}

ensure_base() {
	used "$GDIR"
	[ -e "$GDIR/base.cpio" ] && return
	"$LAB/root.sh" path >/dev/null
	need_space "$CACHE" 1000
	lock "${GDIR##*/}"
	[ -e "$GDIR/base.cpio" ] || step "guest base of $SUITE with its perf" make_base
	unlock
}

cmd=make
[ "${1:-}" != path ] || { cmd=path; shift; }
guest_find "${1:-${KERNEL:-6.12}}"
kernel_image
ensure_base
[ $cmd = make ] || printf '%s\n' "$GDIR"
