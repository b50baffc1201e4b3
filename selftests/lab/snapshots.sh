#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Genuine ETE traces: Arm's validation traces, from Debian's source package of libopencsd. Fetches
# only its upstream archive (apt checks it), and unpacks only that folder; none of its code is
# built. Prints the path of the folder.
#	snapshots.sh		fetch if missing, print the folder
#	snapshots.sh cached	print the folder if it is in the cache, else fail; no network

. "$(dirname "$0")/lib.sh"

FOLDER=decoder/tests/snapshots-ete

newest() { find "$CACHE" -maxdepth 1 -name 'opencsd-*' ! -name '*.tmp' | sort -V | tail -n1; }

fetch() {
	local dl=$CACHE/debs/opencsd tmp
	mkdir -p "$dl"
	( cd "$dl" && in_area trixie apt-get source --download-only --tar-only --only-source \
		"libopencsd=$VERSION" )
	tmp=$(fresh "$PLACE")
	tar -xf "$dl"/libopencsd_*.orig.tar.?z -C "$tmp" --no-same-owner --wildcards \
		--strip-components=4 "*/$FOLDER/*"
	[ "$(find "$tmp" -name snapshot.ini | wc -l)" -gt 0 ]
	publish "$PLACE"
	rm -rf "$dl"
}

if [ "${1:-}" = cached ]; then
	PLACE=$(newest)
	[ -n "$PLACE" ] || exit 1
	used "$PLACE"
	echo "$PLACE"
	exit
fi
[ $# = 0 ] || die "usage: snapshots.sh [cached]"

apt_refresh trixie
VERSION=$(source_version trixie libopencsd)
[ -n "$VERSION" ] || die "Debian trixie no longer offers the source of libopencsd."
PLACE=$CACHE/opencsd-$VERSION
if [ ! -d "$PLACE" ]; then
	lock opencsd
	[ -d "$PLACE" ] || step "genuine ETE traces from libopencsd $VERSION" fetch
fi
used "$PLACE"
echo "$PLACE"
