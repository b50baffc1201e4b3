#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Parts of Debian's linux-source that we build with or compare against. Prints where they are.
#
#   source.sh [6.12]      libperf and what it needs, kselftest, device trees, checkpatch, the
#                         kernel's sysreg tables
#   source.sh KERNEL      of another kernel (6.1, 7) its kselftest and device trees alone

. "$(dirname "$0")/lib.sh"

KSELFTEST="tools/testing/selftests/Makefile tools/testing/selftests/lib.mk
tools/testing/selftests/kselftest.h tools/testing/selftests/kselftest_harness.h
tools/testing/selftests/kselftest tools/testing/selftests/run_kselftest.sh
tools/testing/selftests/kselftest_deps.sh scripts/subarch.include
arch/arm64/boot/dts/arm include/dt-bindings/interrupt-controller"
PARTS="tools/lib tools/build tools/scripts tools/include tools/arch
$KSELFTEST tools/perf/Documentation tools/perf/util/arm-spe-decoder scripts/checkpatch.pl
scripts/spelling.txt scripts/const_structs.checkpatch scripts/spdxcheck.py
scripts/kernel-doc arch/arm64/tools include/uapi/linux/perf_event.h LICENSES COPYING"

case ${1:-6.12} in
6.12)	suite=trixie up=6.12 ;;
6.1)	suite=bookworm up=6.1 PARTS=$KSELFTEST ;;
7)	suite=sid up=7 PARTS=$KSELFTEST ;;
*)	die "no such kernel: '$1' (6.1, 6.12 and 7 are known)." ;;
esac

# The newest source of this version in the cache
cached() {
	ls -dt "$CACHE/linux-source-$up."*"-$(hash_text "$PARTS")" 2>/dev/null | head -n1
}

# There is no apt inside the build root: use what was fetched.
if [ -e /.v9trace-root ]; then
	DIR=$(cached)
	[ -n "$DIR" ] || die "run selftests/lab/source.sh ${1:-} outside of the build root first."
	printf '%s\n' "$DIR"
	exit
fi
apt_refresh $suite
# Package names of 7.x have the minor version: linux-source-7.2.
package=$(in_area $suite apt-cache pkgnames "linux-source-$up" | grep -E "^linux-source-$up(\.[0-9]+)?\$" |
	sort -rV | head -n1)
[ -n "$package" ] || die "Debian $suite no longer offers linux-source-$up."
version=$(apt_version $suite "$package")
DIR=$CACHE/linux-source-$version-$(hash_text "$PARTS")
if [ ! -e "$DIR" ] && [ -e "$CACHE/apt/$suite/offline" ]; then
	old=$(cached)
	[ -z "$old" ] || { info "using the cached ${old##*/}."; DIR=$old; }
fi

unpack() {
	local dl=$CACHE/debs/${DIR##*/} tmp
	apt_only $suite "$dl" "$package=$version"
	tmp=$(fresh "$DIR")
	mkdir "$tmp/deb"
	dpkg-deb -x "$dl/$package"_*.deb "$tmp/deb"
	# tar reports each missing part of --wildcards at the end, and unpacks those that exist.
	in_root "$("$LAB/root.sh" path)" sh -c '
		cd "$1"
		package=$2
		shift 2
		set -- $(printf "$package/%s " "$@")
		tar -x --no-same-owner --strip-components=1 -f "deb/usr/src/$package.tar.xz" "$@" 2>missing ||
			cat missing' sh "$tmp" "$package" $PARTS
	rm -rf "$tmp/deb"
	[ -e "$tmp/tools/testing/selftests/run_kselftest.sh" ]
	[ $up != 6.12 ] || { [ -e "$tmp/tools/lib/perf/Makefile" ] && [ -e "$tmp/scripts/checkpatch.pl" ]; }
	publish "$DIR"
	rm -rf "$dl"
}

if [ ! -e "$DIR" ]; then
	"$LAB/root.sh" path >/dev/null
	need_space "$CACHE" 1000
	lock "${DIR##*/}"
	[ -e "$DIR" ] || step "$package $version" unpack
	unlock
fi
used "$DIR"
printf '%s\n' "$DIR"
