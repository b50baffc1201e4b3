#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The program that the demonstration profiles: Debian's zstd for arm64, built from Debian's source
# so that its symbols are kept (the archive's own binary is stripped), as far as compressing needs
# it. Prints the binary's path.
#
#   workload.sh [source]    source: prints the path of the source, an archive, in place of it

. "$(dirname "$0")/lib.sh"

find_version() {
	apt_refresh trixie
	VERSION=$(source_version trixie libzstd)
	[ -n "$VERSION" ] || die "Debian trixie no longer offers the source of libzstd."
	PLACE=$CACHE/zstd-$VERSION-$(hash_of "$LAB/workload.sh")
}

build() {
	local dl=$CACHE/debs/zstd tmp
	mkdir -p "$dl"
	( cd "$dl" && in_area trixie apt-get source --download-only --only-source "libzstd=$VERSION" )
	tmp=$(fresh "$PLACE")
	"$LAB/root.sh" run -- sh -eu -c '
		mkdir "$2/src"
		tar -xf "$1"/libzstd_*.orig.tar.?z -C "$2/src" --strip-components=1 --no-same-owner
		make -s -C "$2/src/programs" zstd-compress HAVE_THREAD=0 HAVE_ZLIB=0 \
			HAVE_LZMA=0 HAVE_LZ4=0 ZSTD_LEGACY_SUPPORT=0 \
			CC=aarch64-linux-gnu-gcc CFLAGS=-O2 LDFLAGS=-static
		cp "$2/src/programs/zstd-compress" "$2/zstd"
		rm -rf "$2/src"
		cp "$1"/libzstd_*.orig.tar.?z "$2/source"' sh "$dl" "$tmp"
	publish "$PLACE"
	rm -rf "$dl"
}

find_version
if [ ! -e "$PLACE/zstd" ]; then
	lock workload
	[ -e "$PLACE/zstd" ] || step "zstd $VERSION for arm64, with its symbols" build
fi
echo "$PLACE/${1:-zstd}"
