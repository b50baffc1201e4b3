#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Programs for arm64 on another machine: Debian's qemu-user, static, and a script that makes the kernel
# start it. The script runs in a user namespace of its own, which has a binfmt_misc of its own (Linux
# 6.7 or later); on the machine nothing is registered.
#
#   emulator.sh      make it, print its directory: qemu-aarch64, register. Status 77 and the reason where
#                    this machine cannot do that.

unset V9_HOST
[ -z "${V9_CACHE:-}" ] || export V9_CACHE=${V9_CACHE%/as-*}
. "$(dirname "$0")/lib.sh"

make_emulator() {
	local dl=$CACHE/debs/emulator tmp
	apt_only trixie "$dl" "qemu-user=$version"
	tmp=$(fresh "$DIR")
	dpkg-deb --fsys-tarfile "$dl"/qemu-user_*.deb | tar -x -C "$tmp" --strip-components=3 ./usr/bin/qemu-aarch64
	# A 64-bit little-endian ELF program for machine 183. F: the kernel keeps the emulator open, so it
	# need not be in the tree that is entered.
	cat >"$tmp/register" <<-'END'
	dir=$(dirname "$0")
	mkdir -p "$dir/binfmt"
	mount -t binfmt_misc none "$dir/binfmt"
	head='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
	mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
	printf '%s' ":v9trace:M::$head:$mask:$dir/qemu-aarch64:FPC" >"$dir/binfmt/register"
	END
	mkdir "$tmp/binfmt"
	publish "$DIR"
	rm -rf "$dl"
}

apt_refresh trixie
version=$(apt_version trixie qemu-user)
DIR=$CACHE/emulator-${version#*:}-$(hash_text "$(declare -f make_emulator)")
if [ ! -e "$DIR/register" ]; then
	lock emulator
	[ -e "$DIR/register" ] || step "qemu-user for programs of arm64" make_emulator
	unlock
fi
used "$DIR"
trap - ERR
if ! why=$(unshare -rm sh "$DIR/register" 2>&1); then
	info "programs for arm64 cannot run on this machine: ${why##*: } (it takes user namespaces and Linux 6.7)"
	exit 77
fi
printf '%s\n' "$DIR"
