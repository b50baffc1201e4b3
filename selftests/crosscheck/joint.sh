#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9trace script --joint against the model, which knows the place of each sample in the trace: nothing that
# is called exact is wrong. A task that moves between two CPUs and is preempted; both CPUs; with a clock of
# 1 GHz and one of 62.5 MHz. An instruction takes 1 ns (-icount): else time passes while the emulator works,
# and its two units stamp one instruction at very different times.
#
#   [KERNEL=6.1|6.12|7] joint.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin

# session NAME HZ LEAST RECORD-OPTIONS: boots a guest whose Generic Timer has HZ, records a program with both
# units, and compares the places with the log of the model. LEAST: number of exact samples, at least
session() {
	out=$work/$1
	mkdir -p "$out"
	selftests/lab/run.sh -o "$out" -t 900 -x '-icount shift=0' \
		-q "v9-spe=on,v9-ete=on,v9-log=$out/model.json,v9-pclog=$out/pcs,cntfrq=$2" -- '
		set -e
		for m in core spe ete; do insmod /v9/modules/v9_$m.ko; done
		head -c 30000 /usr/bin/perf >/tmp/in
		v9trace record -q -o /tmp/both.data -m ,16M -c 1024 '"$4"' -- \
			sh -c "for mask in 1 2; do taskset \$mask zstd -q -f /tmp/in -o /tmp/in.zst; done"
		v9trace script --joint --json -F cpu,time,pc,ts,el,op,lat /tmp/both.data >/out/places 2>/out/warnings
		v9trace report --joint /tmp/both.data >/out/report' \
		>"$out/stdout" 2>"$out/stderr"
	check "$1_records" $? "$(tail -n 1 "$out/stderr")"
	why=$(selftests/crosscheck/score.sh "$out/model.json")
	check "$1_counted" $? "$why"
	why=$(python3 -B selftests/crosscheck/joint.py "$out/model.json" "$out/places" "$3" 2>&1)
	check "$1_nothing_exact_is_wrong" $? "$(echo "$why" | tail -n 1)"
	echo "$why" | sed 's/^/# /' >>"$tap"
	grep -q 'clock of ETE less that of SPE  *-\{0,1\}[0-9]* ns' "$out/report"
	check "$1_clocks_are_measured" $? "$(grep clock "$out/report" | tail -n 1)"
	# The interval is 1025 in the mean, and nothing was lost.
	grep -q 'instructions for each sample  *10[0-9][0-9]\.' "$out/report"
	check "$1_each_sample_is_of_an_interval" $? "$(grep -E 'each sample|no estimate' "$out/report")"
	rm -f "$out"/pcs.*
}
session task 1000000000 100 '-e arm_spe_0/jitter/u -e cs_etm//u'
session all 62500000 100 '-a -e arm_spe_0/jitter/ -e cs_etm//u'
finish
