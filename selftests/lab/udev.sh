#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# udev of Debian stable for arm64, as a tree for chroot in the guest.
#
#   udev.sh path     make it, print the directory

. "$(dirname "$0")/lib.sh"

AREA=trixie PACKAGES=udev
apt_refresh $AREA >&2
make_tree() {
	local dl=$CACHE/debs/${DIR##*/} tmp
	apt_closure $AREA "$dl" -o APT::Architecture=arm64 -o Dir::Cache::pkgcache= \
		-o Dir::Cache::srcpkgcache= $PACKAGES
	tmp=$(fresh "$DIR")
	mkdir "$tmp/tree"
	usr_merge "$tmp/tree"
	unpack_debs "$dl" "$tmp/tree"
	# Hardware database, rules, translations and settings of other programs are not needed.
	rm -rf "$tmp"/tree/etc/* "$tmp"/tree/usr/share "$tmp"/tree/usr/lib/udev/hwdb* "$tmp"/tree/usr/lib/udev/rules.d/* \
		"$tmp"/tree/usr/lib/aarch64-linux-gnu/gconv "$tmp"/tree/usr/bin/perl* \
		"$tmp"/tree/usr/lib/aarch64-linux-gnu/perl* "$tmp"/tree/usr/lib/environment.d
	mkdir -p "$tmp/tree/proc" "$tmp/tree/sys" "$tmp/tree/dev" "$tmp/tree/run" "$tmp/tree/etc/udev/rules.d"
	echo 'root:x:0:0:root:/root:/bin/sh' >"$tmp/tree/etc/passwd"
	echo 'root:x:0:' >"$tmp/tree/etc/group"
	publish "$DIR"
	rm -rf "$dl"
}

DIR=$CACHE/udev-$(apt_version $AREA udev:arm64)-$(hash_text "$PACKAGES" "$(declare -f make_tree)")

[ "${1:-}" = path ] || die "usage: udev.sh path"
used "$DIR"
if [ ! -e "$DIR/tree" ]; then
	lock "${DIR##*/}"
	[ -e "$DIR/tree" ] || step "udev for the guest" make_tree
	unlock
fi
printf '%s\n' "$DIR"
