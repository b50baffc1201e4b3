#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace report --joint on captures of both units that mktrace.c makes. The output is that in
# golden/joint. Where samples are is also known from the clocks and addresses that mktrace.c chooses.
#	UPDATE=1 joint.sh	writes the golden files instead
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
golden=$top/selftests/golden/joint
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
makers host/mkcapture host/mktrace
captures ./mkcapture .
captures ./mktrace .
command="report --joint"

golden joint.txt --symfs symfs joint.data
golden joint.json --json --symfs symfs joint.data
golden joint.csv --csv --symfs symfs joint.data
golden joint-of-one.txt --tid 100 --limit 1 --symfs symfs joint.data
golden joint-1-ghz.txt --least-mhz 1000 --stamp-error 200 --symfs symfs joint.data
for c in few ops apart; do
	golden joint-$c.txt --symfs symfs joint-$c.data
done
golden both.txt --symfs symfs both.data
golden slow.txt --calls-of compress --symfs symfs joint-slow.data
golden slow.json --calls-of compress --limit 4 --json --symfs symfs joint-slow.data

# value CAPTURE MEMBER: MEMBER of what --json prints, with the options $with
with=
value() {
	"$V9TRACE" report --joint --json $with --symfs symfs "$1" 2>/dev/null | python3 -B -c '
import json, sys
t = json.load(sys.stdin)
print(eval(sys.argv[1], {"t": t, "c": {r["class"]: r["samples"] for r in t["joint_classes"]}, "by": lambda name, *keys: {
	r["symbol"]: [r[k] and round(r[k], 1) for k in keys] for r in t[name]}}))' "$2"
}
# is NAME CAPTURE MEMBER WANT
is() {
	got=$(value "$2" "$3")
	[ "$got" = "$4" ] && ok "$1" || not_ok "$1" "$got, want $4"
}
# The clock of SPE is 100 counts of 16 ns behind.
is offset_is_found joint.data 't["joint_clocks"][0]["offset_least_ns"] <= 1600 <= t["joint_clocks"][0]["offset_most_ns"]' True
is spread_is_small joint.data 't["joint_clocks"][0]["offset_most_ns"] - t["joint_clocks"][0]["offset_least_ns"] < 1200' True
is each_record_counts joint.data 'sum(c.values()) == t["joint_summary"]["records"]' True
is not_executed joint.data 'c["not_executed"]' 7
# Of 15 passes the four samples of the program have another context than all that was traced.
is other_contexts_are_nowhere joint-contexts.data 'c["not_executed"], c["in_gap"] + c["nowhere"]' '(7, 76)'
is kernel_is_in_a_gap joint.data 'c["in_gap"]' 15
is no_latency_no_time joint.data 'c["no_time"]' 7
is address_is_nowhere joint.data 'c["nowhere"]' 1
is few_are_not_exact joint-few.data 'c["exact"], c["path_exact"]' '(0, 0)'
is clocks_apart_are_not_exact joint-apart.data 'c["exact"], c["path_exact"]' '(0, 0)'
# The clock offsets that samples imply differ by 320 ns (20 counts of 16 ns), which is less than the 500 ns that count as
# a contradiction. The bounds of the offset are 320 ns apart, and 500 ns wider on each side.
is steps_are_a_spread joint-steps.data '[c["exact"] > 0, 320 + 1000 - 250 < t["joint_clocks"][0]["offset_most_ns"] - t["joint_clocks"][0]["offset_least_ns"] < 320 + 1000]' '[True, True]'
# Half of the samples of match are 400 ns behind the only time of the trace before its two calls. Counts of cycles say that
# the second call was at least 800 ns behind it, less 100 ns.
with="--least-mhz 1000 --stamp-error 100 --most-mhz 1000"
is cycles_make_exact joint-cycles.data 'c["exact"], t["joint_summary"]["most_mhz"]' '(208, 1000)'
with="--least-mhz 1000 --stamp-error 100"
is cycles_of_6_ghz_take_less_time joint-cycles.data 'c["exact"], t["joint_summary"]["most_mhz"]' '(176, 6000)'
with=
is no_cycles_no_frequency joint.data '"most_mhz" in t["joint_summary"]' False
is micro_operations_are_not_divided joint-ops.data '[r["per_1000_calls"] for r in t["joint_estimates"]]' '[None]'
is calls_are_exact joint.data '[r["calls"] for r in t["joint_functions"] if r["symbol"] == "match"]' '[120]'

# Makes captures in which only one of the two events includes the kernel. PMUs that are registered at run time have
# types from 6 on. In these captures the type of SPE is lower than that of ETE.
for unit in spe ete; do
python3 -B -c '
import struct, sys
data = bytearray(open("joint.data", "rb").read())
size, at, length = struct.unpack_from("<3Q", data, 16)
pmus = sorted((struct.unpack_from("<I", data, i)[0], i) for i in range(at, at + length, size)
	    if struct.unpack_from("<I", data, i)[0] > 5)
data[pmus[sys.argv[1] == "spe"][1] + 40] |= 1 << 5		# exclude_kernel, of the other unit
open(f"joint-kernel-in-{sys.argv[1]}.data", "wb").write(data)' $unit
done
compared='len([1 for r in t["joint_sampling"] if r["ratio_percent"]]), len(t["joint_sampling"])'
is levels_of_both_are_compared joint.data "$compared" '(3, 3)'
is more_levels_of_spe_are_compared joint-kernel-in-spe.data "$compared" '(3, 3)'
is more_levels_of_ete_are_not joint-kernel-in-ete.data "$compared" '(0, 3)'

# Wilson's intervals for shares of 238.67 samples: 119.5 and 59.67; 540 and 480 of 1140 instructions
is sampling_has_intervals joint.data 'by("joint_sampling", "samples_percent_least", "samples_percent_most")["match"]' '[19.9, 30.9]'
is sampling_beside_execution joint.data 'by("joint_sampling", "n", "ratio_percent", "ratio_percent_least", "ratio_percent_most")["compress"]' \
	'[119, 105.7, 92.4, 119.0]'
is sampling_of_few joint-few.data 'by("joint_sampling", "n", "instructions_percent", "samples_percent", "ratio_percent")["match"]' \
	'[5, 42.1, None, None]'
is sampling_of_micro_operations joint-ops.data 'by("joint_sampling", "samples_percent", "ratio_percent", "ratio_percent_most")["match"]' \
	'[25.0, None, None]'
# A pass takes 150 counts of 16 ns, a slow one 1150. compress has 17 of its 19 instructions: from the second on,
# 133 ns after the begin, to the one before the last, 160 ns before the end.
with="--calls-of compress"
is calls_have_times joint-slow.data '[list(r.values())[1:] for r in t["call_durations"] if r["measure"] == "ns"]' \
	'[[60, 174420, 2907.0, 2107, 2107, 2107, 17920, 18107]]'
is ten_calls_are_shown joint-slow.data '[r["call"] for r in t["longest_calls"]]' '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]'
is slow_calls_have_their_samples joint-slow.data \
	'[(r["symbol"], r["samples"], r["latency_total"], r["latency_most"], r["source"]) for r in t["joint_call_samples"] if r["call"] == 3]' \
	"[('match', 1, 200.0, 200, '0xe'), ('compress', 2, 11.0, 14, None)]"
# 3 slow calls of 10, and 50 others, each of which has an exact sample of match. The last one has one of compress.
is slow_calls_beside_others joint-slow.data \
	'[(r["symbol"], r["longest_per_1000_calls"], r["other_per_1000_calls"]) for r in t["joint_calls_beside"]]' \
	"[('match', 300.0, 0.0), ('compress', 2000.0, 1980.0), ('match', 600.0, 1000.0)]"
is calls_of_few_have_no_samples joint-few.data 't["joint_call_samples"], len(t["longest_calls"])' '([], 6)'
with="--calls-of compress --limit 3"
is calls_are_limited joint-slow.data 'len(t["longest_calls"]), {r["call"] for r in t["joint_call_samples"]}' '(3, {1, 2, 3})'
# The first instruction of match, and the one behind it
with="--calls-of match"
is calls_have_bounds joint-slow.data '[(r["symbol"], r["samples"], r["latency_total"]) for r in t["joint_call_samples"] if r["call"] <= 3]' \
	"[('match', 1, 200.0), ('match', 1, 200.0), ('match', 1, 200.0)]"
is calls_have_nothing_else joint-slow.data '{r["symbol"] for n in ("joint_call_samples", "joint_calls_beside") for r in t[n]}' \
	"{'match'}"
# The longest are both calls of the slow passes, and the second ones of passes 0 to 3. A sample of another pass can
# be in both of its calls: 53 are in others, of which there are 110, and those of passes 1 to 3 in neither.
is calls_that_differ joint-slow.data '[r["other_per_1000_calls"] for r in t["joint_calls_beside"] if r["source"] is None]' \
	'[481.818]'
with=

command="script --joint"
golden script.txt --symfs symfs joint.data
golden script.json --json -F time,pc,op --symfs symfs joint.data
golden script-few.txt --event l1d_refill --symfs symfs joint-few.data
refuses script_with_packets 2 "raw: not with --joint" -F +raw --symfs symfs joint.data
refuses script_without_trace 1 "both at once: v9trace record -e" --symfs symfs good.data
command="report --joint"

refuses no_trace 1 "no trace of instructions.*both at once: v9trace record -e" --symfs symfs good.data
refuses no_samples 1 "not SPE.*both at once: v9trace record -e" --symfs symfs trace.data
refuses buffers_of_threads 1 "record without --per-thread" --symfs symfs joint-threads.data
refuses calls_too 2 "joint: not with --calls:" --calls joint.data
partly calls_of_nobody 1 "nobody: joint.data has no call of it" --calls-of nobody --symfs symfs joint.data
refuses groups_too 2 "joint: not with --group-by" --group-by symbol joint.data
refuses of_a_function 2 "as a whole: not with" --symbol match joint.data
refuses of_no_frequency 2 "at least 1" --least-mhz 0 joint.data
refuses of_no_highest_frequency 2 "most-mhz 0: at least 1" --most-mhz 0 joint.data
refuses of_frequencies_that_cross 2 "least-mhz 300 is above --most-mhz 200" --most-mhz 200 joint.data
refuses of_no_error 2 "stamp-error 0: at least 1" --stamp-error 0 joint.data
refuses of_a_strange_error 2 "stamp-error" --stamp-error 1us joint.data

# Captures that end early, or have other bytes somewhere
size=$(wc -c <joint.data)
i=0 bad=
while [ $i -lt 40 ]; do
	i=$((i + 1)) at=$((size * i / 41))
	head -c $at joint.data >damaged.data
	[ $((i % 2)) = 0 ] || { printf '\377\001\200'; tail -c +$((at + 4)) joint.data; } >>damaged.data
	for command in report script; do
		timeout 20 "$V9TRACE" $command --joint --symfs symfs damaged.data >out 2>err
		[ $? -le 1 ] || bad="$bad $command:$at"
	done
done
[ -z "$bad" ] && ok damaged_captures || not_ok damaged_captures "$bad"
command=report
refuses error_alone 2 "stamp-error: only with --joint" --stamp-error 500 joint.data
refuses frequency_alone 2 "only with --joint" --least-mhz 500 joint.data
refuses highest_frequency_alone 2 "most-mhz: only with --joint" --most-mhz 500 joint.data
command=script
refuses highest_frequency_alone_in_script 2 "most-mhz: only with --joint" --most-mhz 500 joint.data
refuses frequencies_that_cross_in_script 2 "least-mhz 7000 is above" --joint --least-mhz 7000 joint.data
refuses frequency_alone_in_script 2 "only with --joint" --least-mhz 500 joint.data
refuses error_alone_in_script 2 "stamp-error: only with --joint" --stamp-error 500 joint.data
finish
