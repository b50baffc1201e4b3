#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace record --aggregate in all modes, compared with the counters of the model: each byte that the unit
# wrote is decoded or counted, each record is in one profile or shard, and code of programs has its object.
#
#   [KERNEL=6.1|6.12|7] aggregate.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin
sum() { sed -n "s/^$2 //p" "$work/$1.sums"; }

guest='
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko && insmod /v9/modules/v9_ete.ko || exit 1
	e=arm_spe_0/jitter/
	head -c 200000 /usr/bin/perf >/tmp/in
	work="zstd -q -f /tmp/in -o /tmp/in.zst"
	mkdir /tmp/p
	agg() {	# NAME TIME OPTION...
		name=$1 time=$2
		shift 2
		v9trace record -q --json=/out/$name.json -o /out/$name --aggregate=$time "$@" 2>/out/$name.output
		echo $? >/out/$name.status
	}
	agg command 1h -e $e -c 4096 -- $work
	agg user 1h -e ${e}u -c 2048 -- $work
	# Programs that start others, for several intervals
	agg forks 1s -e ${e}u -c 2048 -- sh -c "for i in $(seq -s " " 12); do $work; true | cat; done"
	agg all 1s -a -e $e -c 20000 -- sh -c "$work; $work; $work"
	agg cpu 1h -C 1 -e $e -c 4096 -- taskset 2 $work
	agg delay 1h -D 100 -e ${e}u -c 4096 -- sh -c "for i in 1 2 3 4; do $work; done"
	agg lines 1h --mem -e ${e}u -c 2048 -- $work
	agg newest 1s --switch-max-files 2 -e ${e}u -c 4096 -- sh -c "for i in 1 2 3 4 5 6; do $work; sleep 1; done"
	# The sources in a shard must be those of a capture with the same options.
	agg shards 1s --shard -a -e $e -c 20000 -- sh -c "for i in 1 2 3; do $work; sleep 1; done"
	agg shard 1h --shard -e ${e}u -c 2048 -- $work
	# With room for all the period falls from the longest to the shortest; with hardly any it stays.
	taskset 1 yes >/dev/null &
	busy=$!
	taskset 2 yes >/dev/null &
	busy="$busy $!"
	agg budget 4s --shard -a -e $e -c 8192 --overhead 100 --max-period 40000 --duration 16
	agg thrift 1h -a -e $e -c 8192 --overhead 0.01% --max-period 40000 --duration 4
	kill $busy
	v9trace record -o /out/below --aggregate -a -e $e --overhead 1 --max-period 100 2>/out/below.output
	echo $? >/out/below.status
	for name in shards shard budget; do
		v9trace merge -o /out/$name.sum /out/$name.20*.shard 2>/out/$name.why
		v9trace report --json --limit 0 /out/$name.sum >/out/$name.functions 2>>/out/$name.why
		stat -c %a /out/$name.20*.shard >/out/$name.modes
	done
	v9trace record -q --json=/out/capture.json -o /out/capture.data -e ${e}u -c 2048 -- $work 2>/out/capture.output
	echo $? >/out/capture.status
	v9trace merge -o /out/capture.sum /out/capture.data 2>/out/capture.why
	v9trace merge -o /out/both.sum /out/shard.sum /out/capture.sum 2>/out/both.why
	# What v9trace top prints at the end: of a program, and of all CPUs for a time
	v9trace top --batch --json --limit 0 -d 0.5 -e ${e}u -c 2048 -- $work >/out/top.lines 2>/out/top.output
	echo $? >/out/top.status
	yes >/dev/null &
	busy=$!
	v9trace top --batch --json --limit 0 -d 1 -a -e $e -c 20000 --duration 4 >/out/tops.lines 2>/out/tops.output
	echo $? >/out/tops.status
	kill $busy
	v9trace top --batch --json --limit 0 --by data -e ${e}u -c 2048 -- $work >/out/topd.lines 2>/out/topd.output
	echo $? >/out/topd.status
	# attached: while a recorder has the unit, top attaches to it. Then, while top has the unit, a recorder is refused.
	yes >/dev/null &
	busy=$!
	v9trace record -q --json=/out/attached.json -o /tmp/attached --aggregate=1h -a -e $e -c 20000 2>/out/attached.output &
	rec=$!
	for i in $(seq 100); do
		[ ! -S /tmp/attached.socket ] || break
		sleep 0.2
	done
	stat -c %a /tmp/attached.socket >/out/attached.mode
	# The socket is there before the events are enabled.
	for i in $(seq 100); do
		! v9trace top --batch --json --limit 0 -d 0.2 -n 1 2>/dev/null | grep -q "\"records\":0," || continue
		break
	done
	v9trace top --batch --json --limit 0 -d 1 -n 3 >/out/look.lines 2>/out/look.output
	echo $? >/out/look.status
	echo $rec >/out/look.pid
	/usr/sbin/chroot --userspec=1000:1000 / v9trace top --attach=/tmp/attached.socket --batch -n 1 >/out/stranger.output 2>&1
	echo $? >/out/stranger.status
	v9trace top --batch -n 1 -a -e $e >/out/second.output 2>&1
	echo $? >/out/second.status
	kill -INT $rec
	wait $rec
	echo $? >/out/attached.status
	cp /tmp/attached.20*.pb.gz /out/
	ls /tmp/attached.socket >/out/attached.left 2>/dev/null
	v9trace top --batch --json --limit 0 -d 100 -a -e $e -c 20000 >/out/topf.lines 2>/out/topf.output &
	top=$!
	sleep 3
	v9trace record -q -o /tmp/refused --aggregate -a -e $e 2>/out/late.output
	echo $? >/out/late.status
	kill -INT $top
	wait $top
	echo $? >/out/topf.status
	kill $busy
	for name in top tops topd topf look; do tail -n 1 /out/$name.lines >/out/$name.json; done
	# Attached to a process that runs already
	for how in "pid -p" "tid -t"; do
		yes >/dev/null &
		busy=$!
		agg ${how% *} 1h -e ${e}u -c 20000 -m ,64K --duration 2 ${how#* } $busy
		kill $busy
	done
	# stopped: the collector is stopped until the buffers of both CPUs are full, and continued
	taskset 1 yes >/dev/null &
	busy=$!
	taskset 2 yes >/dev/null &
	busy="$busy $!"
	v9trace record -q --json=/out/stopped.json -o /out/stopped --aggregate=1h -a -e $e -c 4096 -m ,64K \
		2>/out/stopped.output &
	rec=$!
	sleep 2
	kill -STOP $rec
	stats=/sys/bus/event_source/devices/arm_spe_0/stats/truncated
	full=$(($(cat $stats) + 2))
	for i in $(seq 100); do
		[ $(cat $stats) -lt $full ] || break
		sleep 0.2
	done
	kill -CONT $rec
	sleep 2
	kill -INT $rec
	wait $rec
	echo $? >/out/stopped.status
	kill $busy
	# full: there is no room for a profile
	mkdir /tmp/small
	mount -t tmpfs -o size=4K small /tmp/small
	v9trace record -q --json=/out/full.json -o /tmp/small/full --aggregate=1h -e $e -c 4096 -- $work \
		2>/out/full.output
	echo $? >/out/full.status
	ls -A /tmp/small >/out/full.left
	v9trace record -o /nosuch/place --aggregate -e $e -- true 2>/out/nowhere.output
	echo $? >/out/nowhere.status
	v9trace record -o /out/refused --aggregate -e cs_etm//u -- true 2>/out/refused.output
	echo $? >/out/refused.status
'

selftests/lab/run.sh -o "$work" -t 900 -q "v9-spe=on,v9-ete=on,v9-log=$work/model.json" -- "$guest" \
	>"$work/stdout" 2>"$work/stderr"
status=$?
check guest $status "it ended with status $status: $(tail -n 1 "$work/stderr")"
[ $status -eq 0 ] || finish

all=0
for mode in command user forks all cpu delay lines newest shards shard budget thrift pid tid attached stopped full; do
	want=0
	[ $mode = full ] && want=1
	[ "$(cat "$work/$mode.status")" = $want ]
	check "${mode}_status" $? "exit status $(cat "$work/$mode.status"), not $want: $(head -n 1 "$work/$mode.output")"
	bytes=$(number $mode trace_bytes)
	[ "$bytes" -ge 1024 ]
	check "${mode}_trace" $? "only $bytes bytes"
	all=$((all + bytes + $(number $mode late_trace_bytes)))
	# Each record of this model has 64 bytes.
	records=$(number $mode spe_records)
	[ $((records * 64 + $(number $mode undecoded_trace_bytes) + $(number $mode skipped_trace_bytes))) = "$bytes" ]
	check "${mode}_every_byte" $? "$records records in $bytes bytes"
	case $mode in
	full) continue ;;
	budget)
		# Samples by period, and those of functions, which are as many of the shortest period
		selftests/lab/root.sh run -- python3 -c '
import json, sys
tables = json.load(open(sys.argv[1]))
periods = sorted({r["period"] for r in tables["sources"]})
print("samples", sum(r["samples"] for r in tables["sources"]))
print("weighed", sum(r["samples"] * r["period"] // periods[0] for r in tables["sources"]))
print("functions", sum(r["samples"] for r in tables["functions"]))
print("periods", *periods)' "$work/$mode.functions" >"$work/$mode.sums" 2>>"$work/$mode.why"
		check budget_report $? "$(tail -n 1 "$work/$mode.why")"
		[ "$(sum $mode samples)" = "$records" ] && [ "$(sum $mode weighed)" = "$(sum $mode functions)" ] &&
			[ "$(sum $mode functions)" -gt "$records" ]
		check budget_every_record $? "$records records: $(tr '\n' ' ' <"$work/$mode.sums")"
		[ "$(sum $mode periods)" = "8192 16384 32768" ] && [ "$(number $mode shortest_period)" = 8192 ] &&
			[ "$(number $mode longest_period)" = 32768 ]
		check budget_falls $? "$(sum $mode periods)"
		[ "$(number $mode overhead_ppm)" -gt 0 ] && grep -q '"overhead_has_interrupts":true' "$work/$mode.json"
		check budget_is_measured $? "$(cat "$work/$mode.json")"
		continue ;;
	shards|shard)
		# Samples of all, of the kernel, of zstd, and of types that are not known
		selftests/lab/root.sh run -- python3 -c '
import json, sys
rows = json.load(open(sys.argv[1]))["functions"]
of = lambda wanted: sum(r["samples"] for r in rows if wanted(r))
print("samples", of(lambda r: True))
print("kernel", of(lambda r: r["dso"].startswith("[kernel")))
print("unmapped", of(lambda r: r["dso"] == "[unknown]"))
print("zstd", of(lambda r: r["dso"].split("/")[-1] == "zstd"))
print("unknown_types", of(lambda r: not r["cpu_type"]))' "$work/$mode.functions" >"$work/$mode.sums" 2>>"$work/$mode.why"
		check "${mode}_report" $? "$(tail -n 1 "$work/$mode.why")"
		[ "$(sum $mode samples)" = "$records" ]
		check "${mode}_every_record" $? "$(sum $mode samples) samples of $records records"
		[ "$(sum $mode zstd)" -gt 0 ] && [ "$(sum $mode unknown_types)" = 0 ]
		check "${mode}_types" $? "$(tr '\n' ' ' <"$work/$mode.sums")"
		[ "$(sort -u "$work/$mode.modes")" = 600 ]
		check "${mode}_is_private" $? "modes $(sort -u "$work/$mode.modes")"
		continue ;;
	esac
	selftests/lab/root.sh run -- python3 selftests/crosscheck/profiles.py "$work/$mode".20*.pb.gz \
		>"$work/$mode.sums" 2>"$work/$mode.why"
	check "${mode}_profiles" $? "$(tail -n 1 "$work/$mode.why")"
	[ $mode != newest ] || continue
	[ "$(sum $mode samples)" = "$records" ]
	check "${mode}_every_record" $? "$(sum $mode samples) samples of $records records"
done
for mode in top tops topd topf; do
	[ "$(cat "$work/$mode.status")" = 0 ]
	check "${mode}_status" $? "exit status $(cat "$work/$mode.status"): $(head -n 1 "$work/$mode.output")"
	all=$((all + $(number $mode trace_bytes)))
	selftests/lab/root.sh run -- python3 -c '
import json, sys
top = json.loads(open(sys.argv[1]).readline())
of = lambda wanted: sum(r["samples"] for r in top["rows"] if wanted(r))
lost = top["lost"]
print("samples", of(lambda r: True))
print("records", top["records"])
print("unaccounted", top["trace_bytes"] - 64 * top["records"] - lost["undecoded_trace_bytes"] - lost["skipped_trace_bytes"])
print("kernel", of(lambda r: r.get("object", "").startswith("[kernel")))
print("kernel_names", of(lambda r: r.get("object", "").startswith("[kernel") and r["name"][0] != "["))
print("unmapped", of(lambda r: r.get("object") == "[unknown]"))
print("zstd", of(lambda r: "zstd" in r.get("object", "")))' "$work/$mode.json" >"$work/$mode.sums" 2>"$work/$mode.why"
	check "${mode}_json" $? "$(tail -n 1 "$work/$mode.why")"
	[ $mode != topd ] || continue
	[ "$(sum $mode records)" -gt 16 ] && [ "$(sum $mode samples)" = "$(sum $mode records)" ] &&
		[ "$(sum $mode unaccounted)" = 0 ]
	check "${mode}_every_record" $? "$(tr '\n' ' ' <"$work/$mode.sums")"
done
[ "$(sum top zstd)" -gt 0 ] && [ "$(sum top kernel)" = 0 ] && [ "$(sum top unmapped)" = 0 ]
check top_of_the_program $? "$(tr '\n' ' ' <"$work/top.sums")"
[ "$(sum tops kernel)" -gt 0 ] && [ "$(sum tops kernel_names)" = "$(sum tops kernel)" ]
check tops_of_the_kernel $? "$(tr '\n' ' ' <"$work/tops.sums")"
# Not each record has a data address.
[ "$(sum topd samples)" -gt 0 ] && [ "$(sum topd samples)" -lt "$(sum topd records)" ]
check topd_of_loads_and_stores $? "$(tr '\n' ' ' <"$work/topd.sums")"
[ "$(wc -l <"$work/tops.lines")" -ge 2 ]
check tops_again_and_again $? "$(wc -l <"$work/tops.lines") times"
[ "$(cat "$work/attached.mode")" = 600 ] && [ ! -s "$work/attached.left" ]
check attached_is_private $? "mode $(cat "$work/attached.mode"), left: $(cat "$work/attached.left")"
[ "$(cat "$work/look.status")" = 0 ] && [ "$(wc -l <"$work/look.lines")" = 3 ] &&
	[ "$(number look attached_to)" = "$(cat "$work/look.pid")" ] && [ "$(number look period)" = 20000 ] &&
	[ "$(number look records)" -gt 16 ] && [ "$(number look records)" -le "$(number attached spe_records)" ]
check attached_top $? "status $(cat "$work/look.status"): $(head -c 300 "$work/look.json") $(head -n 1 "$work/look.output")"
[ "$(cat "$work/stranger.status")" = 1 ] && grep -q 'only the user of the recorder and root' "$work/stranger.output"
check attached_by_another_user $? "$(cat "$work/stranger.output")"
[ "$(cat "$work/second.status")" = 1 ] && grep -q 'in use by another recording; .*v9trace' "$work/second.output" &&
	grep -q "PID $(cat "$work/look.pid") adds up SPE records: 'v9trace top --attach'" "$work/second.output"
check second_recording_is_refused $? "$(cat "$work/second.output")"
[ "$(cat "$work/late.status")" != 0 ] && grep -q 'in use by another recording; .*v9trace' "$work/late.output"
check recorder_behind_top_is_refused $? "$(cat "$work/late.output")"
# The bytes of the capture are among those that the unit wrote.
all=$((all + $(number capture trace_bytes) + $(number capture late_trace_bytes)))
wrote=$(sed -n 's/.*"k":"score".*"written":[0-9]*,"bytes":\([0-9]*\).*/\1/p' "$work/model.json" |
	awk '{ s += $1 } END { print s }')
[ "$all" = "$wrote" ]
check every_byte_of_the_unit $? "the unit wrote $wrote bytes, the summaries account for $all"

# What runs in a process is mapped: no sample of a program is without an object.
for mode in user forks delay lines pid tid; do
	[ "$(sum $mode unmapped)" = 0 ]
	check "${mode}_has_objects" $? "$(sum $mode unmapped) of $(sum $mode samples) samples have none"
	[ "$(sum $mode kernel)" = 0 ]
	check "${mode}_is_user_space" $? "$(sum $mode kernel) samples of the kernel"
done
[ "$(cat "$work/capture.status")" = 0 ] && [ "$(grep -c '^source ' "$work/both.sum")" -eq 1 ] &&
	grep -q '^source spe .* 0x[0-9a-f]* 2048 2$' "$work/both.sum"
check shard_source $? "$(grep '^source ' "$work/both.sum" "$work/shard.sum" "$work/capture.sum" | tr '\n' ' ')"
[ "$(sum shard kernel)" = 0 ] && [ "$(sum shard unmapped)" = 0 ] && [ "$(sum shards kernel)" -gt 0 ]
check shard_of_kernel_and_programs $? "$(tr '\n' ' ' <"$work/shard.sums") $(tr '\n' ' ' <"$work/shards.sums")"
[ "$(grep -c '^capture ' "$work/shards.sum")" -ge 2 ] &&
	[ "$(grep -c '^capture ' "$work/shards.sum")" -eq "$(wc -l <"$work/shards.modes")" ]
check shards_of_intervals $? "$(grep -c '^capture ' "$work/shards.sum") in the sum of $(wc -l <"$work/shards.modes")"
grep -q '/zstd$' "$work/forks.sums" && grep -q '/cat$\|/coreutils$\|/busybox$' "$work/forks.sums"
check forks_of_both_programs $? "$(tr '\n' ' ' <"$work/forks.sums")"
[ "$(sum all kernel)" -gt 0 ] && grep -q '/zstd$' "$work/all.sums"
check all_of_kernel_and_program $? "$(tr '\n' ' ' <"$work/all.sums")"
grep -q '/yes$\|/coreutils$\|/busybox$' "$work/pid.sums"
check pid_of_the_process $? "$(tr '\n' ' ' <"$work/pid.sums")"
[ "$(sum forks files)" -ge 2 ]
check forks_in_intervals $? "$(sum forks files) profiles"
[ "$(sum lines lines)" -gt 0 ] && [ "$(sum lines lines)" -lt "$(sum lines samples)" ]
check lines_of_loads_and_stores $? "$(sum lines lines) of $(sum lines samples) samples have one"
[ "$(sum user lines)" = 0 ]
check no_lines_without_mem $? "$(sum user lines) samples have one"
set -- "$work"/newest.20*.pb.gz
[ $# -eq 2 ] && [ "$(number newest removed_files)" -ge 1 ]
check newest_two $? "$# profiles are left"
[ "$(number stopped truncated)" -ge 2 ]
check stopped_until_full $? "$(number stopped truncated) buffers were full"
for f in "$work"/stopped.20*; do gzip -dc "$f"; done | grep -aq 'aux_truncated'
check stopped_says_so $? "not in the comments"
grep -q 'No space left' "$work/full.output"
check full_says_so $? "$(head -n 1 "$work/full.output")"
[ ! -s "$work/full.left" ]
check full_leaves_nothing $? "$(cat "$work/full.left")"
[ "$(cat "$work/nowhere.status")" = 1 ] && grep -q 'no profile can be written there: No such' "$work/nowhere.output"
check nowhere_is_seen_at_once $? "$(cat "$work/nowhere.output")"
[ "$(number thrift shortest_period)" = 32768 ] && [ "$(number thrift seconds_over_budget)" -ge 1 ]
check thrift_stays $? "$(cat "$work/thrift.json")"
for f in "$work"/thrift.20*; do gzip -dc "$f"; done | grep -aq 'overhead: .* budget 0.01 %: own CPU time and the unit.s interrupts; not in it: memory traffic'
check thrift_says_so $? "not in the comments"
[ "$(cat "$work/below.status")" = 2 ] && grep -q 'max-period 100: arm_spe_0/.* has a shortest period of' "$work/below.output"
check longest_below_the_shortest $? "$(cat "$work/below.output")"
[ "$(cat "$work/refused.status")" = 2 ] && grep -q 'only SPE' "$work/refused.output"
check instructions_are_refused $? "$(cat "$work/refused.output")"
set -- $(find "$work" -name '*.??????' ! -name '*.output' ! -name '*.status')
[ $# -eq 0 ]
check no_unfinished_file $? "$*"
finish
