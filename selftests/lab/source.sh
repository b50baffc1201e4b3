#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Parts of Debian's linux-source-6.12 that we build with or compare against: libperf and what it
# needs, kselftest headers, checkpatch, the kernel's sysreg tables. Prints where they are.

. "$(dirname "$0")/lib.sh"

PARTS="tools/lib tools/build tools/scripts tools/include tools/arch
tools/testing/selftests/kselftest.h tools/testing/selftests/kselftest_harness.h
tools/testing/selftests/kselftest tools/testing/selftests/lib.mk
tools/testing/selftests/run_kselftest.sh tools/testing/selftests/kselftest_deps.sh
tools/perf/Documentation tools/perf/util/arm-spe-decoder scripts/checkpatch.pl
scripts/spelling.txt scripts/const_structs.checkpatch scripts/spdxcheck.py
scripts/kernel-doc arch/arm64/tools include/uapi/linux/perf_event.h LICENSES COPYING"

# Inside the build root there is no apt: what has been fetched serves.
if [ -e /.v9trace-root ]; then
	DIR=$(ls -dt "$CACHE"/linux-source-6.12*-"$(hash_text "$PARTS")" 2>/dev/null | head -n1)
	[ -n "$DIR" ] || die "run selftests/lab/source.sh outside of the build root first."
	printf '%s\n' "$DIR"
	exit
fi
apt_refresh trixie
version=$(apt_version trixie linux-source-6.12)
[ -n "$version" ] || die "Debian trixie no longer offers linux-source-6.12."
DIR=$CACHE/linux-source-$version-$(hash_text "$PARTS")
if [ ! -e "$DIR" ] && [ -e "$CACHE/apt/trixie/offline" ]; then
	old=$(ls -dt "$CACHE"/linux-source-6.12*-"$(hash_text "$PARTS")" 2>/dev/null | head -n1)
	[ -z "$old" ] || { say "using the cached ${old##*/}."; DIR=$old; }
fi

unpack() {
	local dl=$CACHE/debs/${DIR##*/} tmp
	apt_only trixie "$dl" "linux-source-6.12=$version"
	tmp=$(fresh "$DIR")
	mkdir "$tmp/deb"
	dpkg-deb -x "$dl"/linux-source-6.12_*.deb "$tmp/deb"
	# --wildcards and a missing part: tar says so at the end; all that exist are taken.
	in_root "$("$LAB/root.sh" path)" sh -c '
		cd "$1"
		shift
		set -- $(printf "linux-source-6.12/%s " "$@")
		tar -x --no-same-owner --strip-components=1 -f deb/usr/src/linux-source-6.12.tar.xz "$@" 2>missing ||
			cat missing' sh "$tmp" $PARTS
	rm -rf "$tmp/deb"
	[ -e "$tmp/tools/lib/perf/Makefile" ] && [ -e "$tmp/scripts/checkpatch.pl" ]
	publish "$DIR"
	rm -rf "$dl"
}

if [ ! -e "$DIR" ]; then
	"$LAB/root.sh" path >/dev/null
	need_space "$CACHE" 1000
	lock "${DIR##*/}"
	[ -e "$DIR" ] || step "linux-source-6.12 $version: libperf, kselftest, checkpatch" unpack
	unlock
fi
used "$DIR"
printf '%s\n' "$DIR"
