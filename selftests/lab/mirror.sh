#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A directory from which apt installs Debian trixie with what our packages and their tests need, for
# this machine's architecture, and a small system made from it: mirror.sh path prints where mirror/
# and system.tar are.

. "$(dirname "$0")/lib.sh"

PACKAGES="?and(?architecture($HOST),?or(?essential,?priority(required))) apt libtraceevent1 libelf1t64 libdw1t64
libjson-c5 libsqlite3-0 libzstd1 libncursesw6 apt-utils gcc libc6-dev pkgconf bash-completion dpkg-dev"

make_mirror() {
	local tmp
	tmp=$(fresh "$DIR")
	set -f
	# shellcheck disable=SC2086
	apt_closure trixie "$tmp/mirror" $PACKAGES
	set +f
	rm -rf "$tmp/mirror/partial" "$tmp/mirror/lock"
	"$LAB/peers.sh" -t deb run -- sh -eu -c '
		cd "$1/mirror"
		dpkg-scanpackages -m . >Packages
		apt-ftparchive -o APT::FTPArchive::Release::Suite=trixie -o APT::FTPArchive::Release::Codename=trixie \
			release . >"$1/Release"
		mv "$1/Release" .
		mmdebstrap --mode=root --variant=apt --format=tar \
			trixie "$1/system.tar" "deb [trusted=yes] copy:$1/mirror ./"' sh "$tmp"
	publish "$DIR"
}

[ "${1:-}" = path ] || die "usage: mirror.sh path"
apt_refresh trixie
DIR=$CACHE/mirror-$(apt_version trixie libc6)-$(hash_text "$PACKAGES" "$(declare -f make_mirror)")
used "$DIR"
if [ ! -e "$DIR/system.tar" ]; then
	"$LAB/peers.sh" -t deb path >/dev/null
	lock "${DIR##*/}"
	[ -e "$DIR/system.tar" ] || step "mirror of what packages are tested with" make_mirror
	unlock
fi
printf '%s\n' "$DIR"
