#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Records with random fields in random order (mkrecords.c), decoded by stock perf and by v9trace.
# Each field that either prints must be the one that was written. The two decoders share no code.
#	spe_differ.sh [SEED...]
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/host/suite.inc
export V9TRACE
mkdir -p build
dir=$(mktemp -d build/differ.XXXXXX) || exit 2
trap 'rm -rf "$dir"' EXIT
if ! ${CC:-cc} -std=gnu11 -Iinclude -o "$dir/make" selftests/host/mkrecords.c >&2; then
	not_ok records "mkrecords does not compile"
	finish
fi
for seed in ${*:-1 2 3}; do
	if ! "$dir/make" "$dir/log" "$dir/$seed.data" 1500 "$seed"; then
		not_ok "seed_$seed" "mkrecords failed"
		continue
	fi
	for who in v9trace perf; do
		if [ $who = perf ] && ! perf version >/dev/null 2>&1; then
			n=$((n + 1))
			echo "ok $n - perf_seed_$seed # SKIP no perf here"
			continue
		fi
		if selftests/crosscheck/compare.sh $who "$dir/log" "$dir/$seed.data" >"$dir/out" 2>&1; then
			ok "${who}_seed_$seed"
		else
			not_ok "${who}_seed_$seed" "$(tail -n 1 "$dir/out")"
		fi
	done
done
# A record without a timestamp has no time.
with=$("$V9TRACE" script --json "$dir/$seed.data" 2>/dev/null | grep -c '"time":')
want=$(grep -c '"ts":' "$dir/log")
if [ "$with" -eq "$want" ] && [ "$want" -gt 1000 ] && [ "$want" -lt 1500 ]; then ok times_of_those_with_a_timestamp
else not_ok times_of_those_with_a_timestamp "$with, want $want"; fi
# With one field of one record changed in the log the comparison must fail.
sed '1000s/"ev":"0x/"ev":"0x1/' "$dir/log" >"$dir/other"
for who in v9trace perf; do
	[ $who = perf ] && ! perf version >/dev/null 2>&1 && continue
	if selftests/crosscheck/compare.sh $who "$dir/other" "$dir/$seed.data" >"$dir/out" 2>&1; then
		not_ok "${who}_sees_a_difference" "accepted"
	else
		ok "${who}_sees_a_difference"
	fi
done
finish
