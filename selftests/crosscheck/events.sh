#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Tracepoints of the kernel and of our drivers, recorded beside SPE and beside ETE: each is printed
# with the text of stock perf, and with its fields in JSON.
#
#   [KERNEL=6.1|6.12|7] events.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin

selftests/lab/modules.sh "$KERNEL" >&2 || exit 1
selftests/lab/root.sh run -- sh -c 'make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' >&2 || exit 1

guest='
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko && insmod /v9/modules/v9_ete.ko ||
		exit 1
	events="-e sched:sched_switch -e v9trace:v9_window -e v9trace:v9_data -e v9trace:v9_interrupt"
	work="sh -c \"head -c 300000 /usr/bin/perf | zstd -q -f -o /tmp/a.zst\""
	eval v9trace record -q -m ,16K -e arm_spe_0// -c 2048 $events -o /out/spe.data -- $work
	eval v9trace record -q -m ,64K -e cs_etm//u $events -o /out/ete.data -- $work
'
selftests/lab/run.sh -o "$work" -t 600 -q v9-spe=on,v9-ete=on \
	-f "$PWD/build/tools/arm64/v9trace:/usr/bin/v9trace" -- "$guest" >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"
if [ $status -eq 0 ]; then
	v9trace=$PWD/build/tools/host/v9trace
	for kind in spe ete; do
		data=$work/$kind.data
		"$v9trace" script "$data" 2>"$work/$kind.err" |
			sed -n 's/.* \(sched:sched_switch: .*\)/\1/p; s/.* \(v9trace:v9_[a-z]*: .*\)/\1/p' |
			sort >"$work/$kind.ours"
		selftests/lab/root.sh run -- perf script --no-itrace -F event,trace -i "$data" \
			2>/dev/null | sed 's/^ *//; s/ *$//' | sort >"$work/$kind.theirs"
		for event in sched:sched_switch v9trace:v9_window v9trace:v9_data v9trace:v9_interrupt; do
			grep "^$event: " "$work/$kind.ours" >"$work/one.ours"
			grep "^$event: " "$work/$kind.theirs" >"$work/one.theirs"
			[ -s "$work/one.ours" ] && cmp -s "$work/one.ours" "$work/one.theirs"
			check "${kind}_${event#*:}_as_perf" $? "$(wc -l <"$work/one.ours") and $(wc -l \
				<"$work/one.theirs") of perf: $(diff "$work/one.ours" "$work/one.theirs" | sed -n 2p)"
		done
		"$v9trace" script --json "$data" 2>/dev/null >"$work/$kind.json"
		[ "$(grep -c '"event":"v9trace:v9_data".*"fields":{"pmu":"[a-z_0-9]*","bytes":[0-9]*,"flags":[0-9]*}' \
			"$work/$kind.json")" = "$(grep -c '^v9trace:v9_data' "$work/$kind.ours")" ]
		check ${kind}_fields $? "$(grep -m1 v9_data "$work/$kind.json")"
		! grep -q 'damaged\|without a matching format' "$work/$kind.err"
		check ${kind}_no_complaint $? "$(head -n 1 "$work/$kind.err")"
	done
fi
finish
