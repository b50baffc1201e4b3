#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Debian packages of the working tree, for amd64 and arm64, in Debian trixie:
#   deb.sh [ARCHITECTURE...]     build/deb/*.deb, and the source package (this machine's, and arm64)
#   deb.sh lintian               trixie's lintian reads what is there
#   deb.sh rpm                   build/rpm/*.rpm for this machine, by Debian's rpmbuild
#   deb.sh layout DIR            the source package as a directory
# Nothing is fetched while a package is built. The layout, with debian/, is build/deb/v9trace.

. "$(dirname "$0")/../../selftests/lab/lib.sh"

DEB=$BUILD/deb
PACKAGING=$PROJ/tools/packaging

# What the source package has: what builds and documents the packages, not the tests.
layout() {	# DIR
	rm -rf "$1"
	mkdir -p "$1"
	( cd "$PROJ" && find Kbuild README LICENSES drivers include tools Documentation -type f \
		! -path 'include/v9trace/gen/*' ! -path 'tools/packaging/debian/*' ! -name '*.o' ! -name '*.o.d' \
		! -name '.*.cmd' ! -name '*.mod*' -print0 | xargs -0 cp --parents -t "$1" )
	cp -r "$PACKAGING/debian" "$1/debian"
}

build() {	# ARCHITECTURE WHAT
	# A network namespace of its own: there is no network while a package is built.
	"$LAB/peers.sh" -t deb run -- env -C "$DEB/v9trace" DEB_BUILD_OPTIONS="parallel=$(nproc)" \
		unshare -n dpkg-buildpackage -us -uc --host-arch "$1" --build="$2"
}

lintian() {
	"$LAB/peers.sh" -t deb run -- env -C "$DEB" sh -c \
		'exec lintian --fail-on error,warning --show-overrides --tag-display-limit 0 v9trace_*.changes'
}

# What the specification asks for has other names in Debian.
rpm() {
	local version
	version=$(sed -n 's/^Version: *//p' "$PACKAGING/v9trace.spec")
	rm -rf "$BUILD/rpm"
	mkdir -p "$BUILD/rpm/SOURCES"
	layout "$DEB/v9trace"
	tar -czf "$BUILD/rpm/SOURCES/v9trace-$version.tar.gz" -C "$DEB" --exclude=debian \
		--transform "s,^v9trace,v9trace-$version," v9trace
	"$LAB/peers.sh" -t deb run -- sh -eu -c '
		cp /usr/src/linux-source-*.tar.xz "$1/SOURCES"
		cd "$1"
		exec unshare -n rpmbuild -bb --nodeps --define "_topdir $1" --define "_rpmdir $1" \
			--define "linux_source $(ls SOURCES | grep linux-source)" "$2"' \
		sh "$BUILD/rpm" "$PACKAGING/v9trace.spec"
	rm -rf "$BUILD/rpm/BUILD" "$BUILD/rpm/SOURCES"
}

lock deb
case ${1:-} in
lintian)
	lintian
	;;
layout)
	[ $# = 2 ] || die "usage: deb.sh layout DIR"
	layout "$(realpath -m "$2")"
	;;
rpm)
	step "RPM packages" rpm
	ls "$BUILD"/rpm/*/*.rpm
	;;
*)
	"$LAB/peers.sh" -t deb path >/dev/null
	[ $# -gt 0 ] || set -- $ARCHITECTURES
	mkdir -p "$DEB"
	rm -f "$DEB"/*.deb "$DEB"/*.changes "$DEB"/*.dsc
	what=full
	for arch; do
		layout "$DEB/v9trace"
		step "Debian packages for $arch" build "$arch" $what
		what=any
	done
	ls "$DEB"/*.deb
	;;
esac
