#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The host's tests of v9trace again, by one that checks for memory left behind when it ends:
# leaks.sh NAME, TAP in build/results/NAME.tap
#
# It is linked dynamically, without which that check has no library. Suites that measure memory or time,
# or that look for what only the static program has, are left out. What options hold stays until the end.
set -u
cd "$(dirname "$0")/.." || exit 2
top=$PWD
tap=$PWD/build/results/${1:?usage: leaks.sh NAME}.tap
suites='archive branches completion diff driver dwarf_circles export genuine html joint mem merge probes
	record report service stat terminal top trace twin types'
out=$top/build/leaks
mkdir -p "$out" "$(dirname "$tap")"
printf 'leak:^%s$\n' parse_options v9_options_take give v9_count >"$out/kept"
exec 3>"$tap"
n=0
result() {	# STATUS NAME WHY
	n=$((n + 1))
	[ "$1" -eq 0 ] && echo "ok $n - $2" >&3 || echo "not ok $n - $2 # $3" >&3
}
in_root() { selftests/lab/root.sh run -- "$@"; }

if ! in_root make -s -j"$(nproc)" -C tools OUT="$out/tools" CFLAGS="-O1 -g1 -fno-omit-frame-pointer -fsanitize=leak" \
		>"$out/build.log" 2>&1; then
	result 1 build "$(tail -n 1 "$out/build.log")"
	echo "1..$n" >&3
	exit 1
fi
for suite in $suites; do
	rm -f "$out/$suite".*
	in_root env V9TRACE="$out/tools/v9trace" \
		LSAN_OPTIONS="suppressions=$out/kept:print_suppressions=0:exitcode=99:handle_segv=0:log_path=$out/$suite.leak" \
		sh "selftests/host/$suite.sh" >"$out/$suite.tap" 2>"$out/$suite.err"
	where=$(cat "$out/$suite".leak.* 2>/dev/null | sed -n 's/^ *#[1-9] .* in \([a-z0-9_]*\) \([a-z].*\)/\1 \2/p' |
		grep -v '^v9_\(alloc\|realloc\|strdup\|format\) ' | head -n 1)
	# A test that limits the address space leaves no room for the check, which says so in the same place.
	! cat "$out/$suite".leak.* 2>/dev/null | grep -q 'detected memory leaks'
	result $? "$suite" "$where: see $out/$suite.leak.*"
	# One that ends early has checked nothing.
	grep -q '^1\.\.[1-9]' "$out/$suite.tap"
	result $? "${suite}_runs" "no plan in $out/$suite.tap"
done
echo "1..$n" >&3
! grep -q '^not ok' "$tap"
