#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs suites of the host with a v9trace that reports uses of memory that is not there, and, when it ends, memory leaks
# (AddressSanitizer, LeakSanitizer).
#
#	leaks.sh NAME [SUITE...]	writes TAP to build/results/NAME.tap. With names of suites only those of
#					them that are in the list below are run.
#
# This build is linked dynamically, because the sanitizers do not support static programs. Suites that measure
# memory or time, or that look for what only the static program has, are left out. Memory of options may be
# left: it is in use until the program ends.
set -u
cd "$(dirname "$0")/.." || exit 2
top=$PWD
tap=$PWD/build/results/${1:?usage: leaks.sh NAME}.tap
suites='archive branches completion diff driver dwarf_circles export genuine html joint mem merge probes
	record report service stat terminal top trace twin types'
shift
[ $# -eq 0 ] || suites=$(printf '%s\n' $suites | grep -xF "$(printf '%s\n' "$@")") || exit 0
out=$top/build/leaks
mkdir -p "$out" "$(dirname "$tap")"
printf 'leak:^%s$\n' parse_options v9_options_take give v9_count >"$out/kept"
V9TRACE=$out/tools/v9trace
. selftests/host/suite.inc
exec >"$tap"
in_root() { selftests/lab/root.sh run -- "$@"; }

if ! in_root make -s -j"$(nproc)" -C tools OUT="$out/tools" CFLAGS="-O1 -g1 -fno-omit-frame-pointer -fsanitize=address" \
		>"$out/build.log" 2>&1; then
	not_ok build "$(tail -n 1 "$out/build.log")"
	finish
fi
for suite in $suites; do
	rm -f "$out/$suite".*
	in_root env V9TRACE="$V9TRACE" \
		LSAN_OPTIONS="suppressions=$out/kept:print_suppressions=0" \
		ASAN_OPTIONS="exitcode=99:handle_segv=0:log_path=$out/$suite.leak" \
		sh "selftests/host/$suite.sh" >"$out/$suite.tap" 2>"$out/$suite.err"
	where=$(cat "$out/$suite".leak.* 2>/dev/null | sed -n 's/^ *#[0-9] .* in \([a-z0-9_]*\) \([a-z].*\)/\1 \2/p' |
		grep -v '^v9_\(alloc\|realloc\|strdup\|format\) ' | head -n 1)
	# A test that limits the address space leaves no room for the check, which says so in the same place.
	if cat "$out/$suite".leak.* 2>/dev/null | grep -q 'detected memory leaks\|ERROR: AddressSanitizer: '; then
		not_ok "$suite" "$where: see $out/$suite.leak.*"
	else
		ok "$suite"
	fi
	# One that ends early has checked nothing.
	if grep -q '^1\.\.[1-9]' "$out/$suite.tap"; then
		ok "${suite}_runs"
	else
		not_ok "${suite}_runs" "no plan in $out/$suite.tap"
	fi
done
finish
