#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Two sessions that want one unit: v9trace record and stock perf, each first; v9trace pause and resume between them.
# Bytes of both together are those that the model counted.
#
#   [KERNEL=6.1|6.12|7] sharing.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin

guest='
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko && insmod /v9/modules/v9_ete.ko || exit 1
	e=arm_spe_0/jitter/
	# Something runs on each CPU, now and then: what is tested here has to run, too.
	for cpu in 1 2; do
		taskset $cpu sh -c "while :; do cat /usr/bin/perf; sleep 0.2; done" >/dev/null &
		busy="$busy $!"
	done
	tell() {	# NAME COMMAND...: its output and its exit status
		name=$1
		shift
		"$@" >/out/$name.output 2>&1
		echo $? >/out/$name.status
	}
	listens() {	# SOCKET
		for i in $(seq 150); do
			[ ! -S $1 ] || return 0
			sleep 0.2
		done
		return 1
	}
	theirs() { perf record -q -e arm_spe_0// -c 20000 "$@"; }
	hold() {	# NAME: perf has the units of all CPUs, until leave
		perf record -q -e arm_spe_0// -c 20000 -a -o /out/$1.perf -- sleep 1000 2>/out/$1.log &
		other=$!
		until ls -l /proc/$other/fd 2>/dev/null | grep -q perf_event; do sleep 0.2; done
		sleep 1
	}
	leave() {
		kill -INT $other
		wait $other
	}
	# What "disable" of --control does is not enough: the event is there.
	mkfifo /tmp/commands /tmp/acks
	v9trace record -q --json=/out/disabled.json -o /out/disabled.data -a -e $e -c 20000 \
		--control fifo:/tmp/commands,/tmp/acks 2>/out/disabled.log &
	rec=$!
	echo disable >/tmp/commands
	read -r ack </tmp/acks
	tell disabled theirs -a -o /tmp/no.data -- true
	# The words of v9trace pause and resume go through a pipe, too.
	echo pause >/tmp/commands
	read -r ack </tmp/acks
	tell by_pipe theirs -a -o /out/pipe.perf -- sleep 1
	echo enable >/tmp/commands
	read -r ack </tmp/acks
	echo resume >/tmp/commands
	read -r ack </tmp/acks
	sleep 1
	kill -INT $rec
	wait $rec

	# The unit is first.
	v9trace record -q --json=/out/unit.json -o /out/unit --aggregate=10s --shard -a -e $e -c 20000 --overhead 50 \
		2>/out/unit.log &
	rec=$!
	listens /out/unit.socket
	sleep 2
	tell refused theirs -a -o /tmp/no.data -- true
	tell refused_too v9trace record -q -a -e $e -o /tmp/no.data -- true
	tell records v9trace resume
	tell pause v9trace pause
	tell paused_again v9trace pause --json /out/unit
	tell shown v9trace top --attach --batch --json -d 0.2 -n 1
	tell whole theirs -a -o /out/whole.perf -- sleep 4
	tell task theirs -o /out/task.perf -- cat /usr/bin/perf
	tell stranger /usr/sbin/chroot --userspec=1000:1000 / v9trace resume /out/unit.socket
	# Resumed while perf records
	hold long
	tell busy v9trace resume $rec
	tell shown_busy v9trace top --attach=$rec --batch --json -d 0.2 -n 1
	sleep 3
	leave
	for i in $(seq 100); do
		! grep -q "records again" /out/unit.log || break
		sleep 0.2
	done
	tell shown_again v9trace top --attach --batch --json -d 2 -n 1
	# Cancelled by another pause
	v9trace pause >/dev/null
	hold second
	v9trace resume >/dev/null
	tell cancelled v9trace pause
	leave
	sleep 2
	tell still v9trace pause --json
	tell resume v9trace resume --json
	sleep 6
	kill -INT $rec
	wait $rec
	echo $? >/out/unit.status
	ls /out/unit.socket >/out/unit.left 2>/dev/null
	tell gone v9trace pause
	v9trace merge -o /out/unit.sum /out/unit.20*.shard

	# perf is first.
	hold first
	tell late v9trace record -q -o /tmp/late --aggregate --duration 5 -a -e $e -c 20000
	leave
	tell after v9trace record -q --json=/out/later.json -o /tmp/later --aggregate --duration 2 -a -e $e -c 20000

	# A file with a gap; CPU 1 is away at its end.
	v9trace record -q --json=/out/gap.json -o /out/gap.data -a -e $e -c 20000 --metadata=1 --control socket 2>/out/gap.log &
	rec=$!
	listens /out/gap.data.control
	sleep 2
	v9trace pause /out/gap.data >/dev/null
	echo 0 >/sys/devices/system/cpu/cpu1/online
	sleep 1
	tell one_cpu v9trace resume /out/gap.data
	sleep 1
	echo 1 >/sys/devices/system/cpu/cpu1/online
	taskset 2 sh -c "while :; do cat /usr/bin/perf; sleep 0.2; done" >/dev/null &
	busy="$busy $!"
	sleep 2
	# Twice: the events have been opened again before.
	v9trace pause /out/gap.data >/dev/null
	v9trace resume /out/gap.data >/dev/null
	sleep 1
	# The end comes while it is paused.
	v9trace pause /out/gap.data >/dev/null
	sleep 1
	kill -INT $rec
	wait $rec
	echo $? >/out/gap.status
	v9trace report --json /out/gap.data >/out/gap.report 2>/out/gap.why
	perf script -i /out/gap.data --itrace=i1i -F cpu,ip >/out/gap.script 2>/out/gap.err

	# Of a command whose child forks: processes of both times before and after are recorded, those between are not.
	v9trace record -q --json=/out/command.json -o /out/command.data -e ${e}u -c 20000 --control socket -- \
		sh -c "sh -c \"while [ ! -e /tmp/stop ]; do cat /usr/bin/perf; done\"; true" 2>/out/command.log >/dev/null &
	rec=$!
	listens /out/command.data.control
	sleep 2
	tell command v9trace pause
	tell command_free theirs -a -o /out/command_free.perf -- sleep 2
	tell command_resume v9trace resume
	sleep 5
	touch /tmp/stop
	wait $rec
	# Of a process, beside one that perf has when it is resumed
	sh -c "while :; do cat /usr/bin/perf; sleep 0.1; done" >/dev/null &
	process=$!
	v9trace record -q --json=/out/process.json -o /out/process.data -e $e -c 20000 --control socket -p $process \
		2>/out/process.log &
	rec=$!
	listens /out/process.data.control
	sleep 2
	v9trace pause >/dev/null
	hold process
	tell process_busy v9trace resume
	leave
	for i in $(seq 100); do
		! grep -q "records again" /out/process.log || break
		sleep 0.2
	done
	sleep 2
	kill $process
	wait $rec

	# record -t: during the pause one thread ends, another task gets its TID, and CPU 1 is offline.
	taskset 1 sh -c "while :; do :; done" &
	first=$!
	sh -c "while :; do :; done" &
	second=$!
	v9trace record -q --json=/out/threads.json -o /out/threads.data -e ${e}u -c 20000 --control socket -t $first,$second \
		2>/out/threads.log &
	rec=$!
	listens /out/threads.data.control
	sleep 2
	v9trace pause >/dev/null
	kill $first
	wait $first
	for i in $(seq 20); do
		echo $((first - 1)) >/proc/sys/kernel/ns_last_pid
		yes >/dev/null &
		[ $! != $first ] || break
		kill $!
	done
	echo $! $first $second >/out/again
	echo 0 >/sys/devices/system/cpu/cpu1/online
	tell threads v9trace resume
	sleep 1
	echo 1 >/sys/devices/system/cpu/cpu1/online
	taskset -p 2 $second >/dev/null
	sleep 3
	kill $second $first
	wait $rec
	v9trace script --json --cpu 1 /out/threads.data >/out/threads.cpu1 2>/dev/null

	# Two recorders; a flight recorder lets go of its unit, too.
	v9trace record -q --json=/out/two.json -o /out/two --aggregate=1h -a -e $e -c 20000 2>/out/two.log &
	rec=$!
	v9trace record -q --json=/out/flight.json -o /out/flight.data --flight -m ,64K -C 1 -e cs_etm//u 2>/out/flight.log &
	flight=$!
	listens /out/two.socket && listens /out/flight.data.flight
	sleep 2
	tell several v9trace pause
	tell of_flight perf record -q -e cs_etm// -C 1 -o /tmp/no.data -- true
	tell flight_pause v9trace pause $flight
	tell flight_free perf record -q -e cs_etm/ts_source=0/u -C 1 -m ,1M -o /tmp/cs.data -- sleep 1
	tell flight_resume v9trace resume $flight
	sleep 1
	for i in 1 2; do
		v9trace pause $flight >/dev/null
		v9trace resume $flight >/dev/null
		sleep 1
	done
	tell now v9trace flight --now
	tell now_again v9trace flight --now
	for f in now now_again; do
		perf report --header-only -i $(cat /out/$f.output) 2>/dev/null | grep "cs_etm" >/out/$f.header
	done
	tell attach v9trace top --attach --batch -d 0.2 -n 1
	# Sums, and the trace of the flight recorder at slow records
	kill -INT $rec
	wait $rec
	v9trace record -q --json=/out/slow.json -o /out/slow --aggregate=1h -a -e $e -c 20000 --trigger latency:1 \
		--trigger-delay 200ms --arm-after 2s --snapshots 2 --flight-of $flight 2>/out/slow.log &
	rec=$!
	sleep 12
	kill -INT $rec $flight
	wait $rec $flight
	kill $busy
	exit 0
'
selftests/lab/run.sh -o "$work" -t 1800 -q "v9-spe=on,v9-ete=on,v9-log=$work/model.json,v9-strict=log" -- "$guest" \
	>"$work/stdout" 2>"$work/stderr"
status=$?
check guest $status "it ended with status $status: $(tail -n 1 "$work/stderr")"
[ $status -eq 0 ] || finish

# told NAME STATUS TEXT: what a command said, and its exit status
told() {
	[ "$(cat "$work/$1.status")" = "$2" ] && { [ -z "$3" ] || grep -q -e "$3" "$work/$1.output"; }
	check "$1" $? "status $(cat "$work/$1.status"): $(head -c 300 "$work/$1.output" | tr '\n' '|')"
}
pid=$(sed -n 's/^{"pid":\([0-9]*\),.*/\1/p' "$work/paused_again.output")
grep -q busy "$work/disabled.output" && [ "$(cat "$work/disabled.status")" != 0 ]
check disable_is_not_enough $? "status $(cat "$work/disabled.status"): $(head -n 1 "$work/disabled.output")"
told by_pipe 0 ''
told refused 255 'busy'
told refused_too 1 "; 'v9trace pause' can free those of PID $pid$"
told records 0 "^PID $pid records$"
told pause 0 "^PID $pid is paused for [0-9]*[.][0-9] s: its units are free until 'v9trace resume $pid'$"
told paused_again 0 "^{\"pid\":$pid,\"state\":\"paused\",\"paused_ns\":[1-9][0-9]*}$"
told shown 0 '"target":"all CPUs","paused":true'
told whole 0 ''
told task 0 ''
told stranger 1 'only the user of the recorder and root may ask it'
told busy 3 "^PID $pid tries again each second: arm_spe_0/jitter/: in use by another recording; .*perf (PID"
told shown_busy 0 '"paused":true'
told shown_again 0 '"paused":false'
grep -q '"records_per_second":[1-9]' "$work/shown_again.output"
check resumed_by_itself $? "$(head -c 200 "$work/shown_again.output")"
grep -q 'records again, after [1-9][0-9]*\.[0-9]* s and [1-9][0-9]* attempts' "$work/unit.log"
check attempts_are_told $? "$(tr '\n' '|' <"$work/unit.log")"
told cancelled 0 "^PID $pid is paused"
told still 0 '"state":"paused"'
told resume 0 "^{\"pid\":$pid,\"state\":\"records\",\"paused_ns\":0}$"
told gone 1 'no recorder of this user was found'
[ "$(cat "$work/unit.status")" = 0 ] && [ ! -s "$work/unit.left" ]
check unit_ends_well $? "status $(cat "$work/unit.status"), $(cat "$work/unit.left")"
told late 1 'in use by another recording; .*perf (PID'
told after 0 ''
[ "$(number later spe_records)" -gt 16 ]
check recorder_behind_perf $? "$(cat "$work/later.json")"

# The shards say how long: together as long as the summary; more shards than pauses, as each has its own part.
build/tools/host/v9trace report --json "$work/unit.sum" >"$work/unit.report" 2>"$work/unit.why"
loss() {	# REPORT KIND
	selftests/lab/root.sh run -- python3 -c '
import json, sys
print(sum(r["count"] for r in json.load(open(sys.argv[1]))["lost"] if r["kind"] == sys.argv[2]))' "$work/$1" "$2" \
		2>>"$work/unit.why"
}
ms=$(loss unit.report paused_ms) all=$(($(number unit paused_ns) / 1000000))
[ "$ms" -gt 8000 ] && [ "$ms" -le "$all" ] && [ "$ms" -ge $((all - $(number unit paused))) ]
check shards_have_the_pause $? "$ms ms in shards, $all ms in $(number unit paused) parts"
[ "$(loss unit.report paused)" = "$(number unit paused)" ] && [ "$(number unit paused)" -gt 2 ]
check each_shard_has_its_part $? "$(loss unit.report paused) in shards, $(number unit paused) in the summary"
# Each record of this model has 64 bytes.
[ "$(number unit spe_records)" -gt 100 ] && [ $(($(number unit spe_records) * 64 +
	$(number unit undecoded_trace_bytes) + $(number unit skipped_trace_bytes))) = "$(number unit trace_bytes)" ]
check unit_every_byte $? "$(cat "$work/unit.json")"

[ "$(cat "$work/gap.status")" = 0 ] && [ "$(number gap paused)" = 3 ] && [ "$(number gap cpu_away)" = 1 ]
check gap_is_counted $? "$(cat "$work/gap.json")"
told one_cpu 0 'records$'
[ "$(loss gap.report paused)" = 3 ] && [ "$(loss gap.report paused_ms)" -ge 2000 ]
check gap_is_in_the_file $? "$(loss gap.report paused) times, $(loss gap.report paused_ms) ms"
# perf of 6.12 reads this version of the metadata. Its errors are our records of pauses and of the CPU that was away.
grep -v 'trace error' "$work/gap.script" | sed 's/^ *\(\[[0-9]*\]\).*/\1/' >"$work/gap.cpus"
sort "$work/gap.cpus" | uniq -c >"$work/gap.counts"
[ "$(wc -l <"$work/gap.counts")" = 2 ]
check gap_has_both_cpus $? "$(tr '\n' '|' <"$work/gap.counts")"
build/tools/host/v9trace script "$work/gap.data" 2>/dev/null | wc -l >"$work/gap.lines"
[ "$(cat "$work/gap.lines")" = "$(wc -l <"$work/gap.cpus")" ] && [ "$(cat "$work/gap.lines")" -gt 100 ] &&
	[ $(($(cat "$work/gap.lines") * 64)) = "$(number gap trace_bytes)" ]
check perf_reads_the_gap $? "$(head -n 1 "$work/gap.err") $(cat "$work/gap.lines") records here, $(wc -l <"$work/gap.cpus") of perf, $(number gap trace_bytes) bytes"
told command 0 'is paused'
told command_free 0 ''
told command_resume 0 'records$'
[ "$(number command paused)" = 1 ] && [ "$(number command trace_bytes)" -gt 20000 ]
check command_goes_on $? "$(cat "$work/command.json")"
# The longest time without a record is the pause. Behind it are processes that began in it or later.
build/tools/host/v9trace script --json -F time,pid "$work/command.data" 2>/dev/null | selftests/lab/root.sh run -- python3 -c '
import json, sys
records = [json.loads(line) for line in sys.stdin]
times = sorted(r["time"] for r in records)
gap, at = max((b - a, a) for a, b in zip(times, times[1:]))
before = {r["pid"] for r in records if r["time"] <= at}
print(len(before), len({r["pid"] for r in records} - before), gap)' >"$work/command.pids" 2>>"$work/bytes.why"
read -r before behind gap <"$work/command.pids"
[ "${before:-0}" -ge 2 ] && [ "${behind:-0}" -ge 2 ] && [ "${gap:-0}" -ge $(($(number command paused_ns) * 9 / 10)) ]
check children_behind_the_pause $? "$before processes before, $behind only behind; gap of $gap ns, pause of $(number command paused_ns)"
told process_busy 3 'in use by another recording'
[ "$(number process paused)" = 1 ] && grep -q 'records again' "$work/process.log"
check process_goes_on $? "$(cat "$work/process.json") $(tr '\n' '|' <"$work/process.log")"
told threads 0 'records$'
# The second thread always runs. The last gap between its records that is as long as the pause is the pause. CPUs are paused
# one after another, so records of the first thread can be in that gap.
read -r again first second <"$work/again"
paused=$(build/tools/host/v9trace dump "$work/threads.data" 2>/dev/null | sed -n 's/.*paused for \([0-9]*\) us$/\1/p')
build/tools/host/v9trace script --json -F time,tid "$work/threads.data" 2>/dev/null | selftests/lab/root.sh run -- python3 -c '
import json, sys
first, second, paused = map(int, sys.argv[1:])
records = [json.loads(line) for line in sys.stdin]
times = sorted(r["time"] for r in records if r["tid"] == second)
end = max(b for a, b in zip(times, times[1:]) if b - a >= paused * 1000)
of = [r["time"] >= end for r in records if r["tid"] == first]
print(of.count(False), of.count(True), sum(t >= end for t in times))' "$first" "$second" "$paused" >"$work/threads.of" 2>>"$work/bytes.why"
read -r before behind other <"$work/threads.of"
[ "$again" = "$first" ] && [ "${before:-0}" -gt 0 ] && [ "${behind:-1}" = 0 ] && [ "${other:-0}" -gt 0 ]
check number_of_another_task $? "$again has the number of $first: $before records before the pause, $behind behind it, $other of the other thread"
grep -q '"type":"spe"' "$work/threads.cpu1"
check cpu_that_was_offline_then $? "$(cat "$work/threads.json"), $(wc -l <"$work/threads.cpu1") records"
told several 1 'several recorders run: give one of the PIDs'
told of_flight 255 'busy'
told flight_pause 0 'is paused'
told flight_free 0 ''
told flight_resume 0 'records$'
told now 0 '^/out/flight.data.20[0-9]*$'
told now_again 0 '^/out/flight.data.20[0-9]*$'
# The first file has the events of before and behind each pause, the next one only that which is open.
ids() { sed -n 's/.*id = { \([^}]*\) }.*/\1/p' "$work/$1.header" | tr -d ' ' | tr ',' '\n' | grep -c .; }
[ "$(ids now)" = 4 ] && [ "$(ids now_again)" = 1 ]
check closed_events_are_forgotten $? "$(ids now) and $(ids now_again) IDs"
told attach 0 'records/s'

last=$(sed -n 's/.*"last_snapshot":"\([^"]*\)".*/\1/p' "$work/slow.json")
[ "$(number slow triggers)" -ge 1 ] && [ "$(number slow spe_records)" -gt 100 ] && [ "$(number slow ignored_triggers)" -ge 1 ] &&
	[ $(($(number slow snapshots) + $(number slow failed_snapshots) + $(number slow missed_triggers))) = \
	  "$(number slow triggers)" ] && [ "$(number slow snapshots)" -ge 1 ] && [ "$(number slow snapshots)" -le 2 ] &&
	[ "$(number slow failed_snapshots)" = "$(grep -c 'still being written' "$work/slow.log")" ] && [ -s "$work/${last#/out/}" ]
check slow_records_beside_sums $? "$(cat "$work/slow.json"), $(tr '\n' '|' <"$work/slow.log")"
build/tools/host/v9trace report --json "$work/${last#/out/}" 2>/dev/null | grep -q '"packets":[1-9]'
check snapshot_has_the_trace $? "$last: $(ls -l "$work/${last#/out/}")"

# The bytes that the model counted are those of both programs. perf's events do not wait for a reader at their end.
all=0
for name in disabled unit later gap command process threads two slow; do
	all=$((all + $(number $name trace_bytes) + $(number $name late_trace_bytes)))
done
for file in "$work"/*.perf; do
	bytes=$(build/tools/host/v9trace report --json "$file" 2>/dev/null | selftests/lab/root.sh run -- python3 -c '
import json, sys
print(json.load(sys.stdin)["summary"]["aux_bytes"])' 2>>"$work/bytes.why")
	all=$((all + ${bytes:-0}))
done
wrote=$(sed -n 's/.*"k":"score".*"written":[0-9]*,"bytes":\([0-9]*\).*/\1/p' "$work/model.json" |
	awk '{ s += $1 } END { print s }')
[ "$all" = "$wrote" ]
check every_byte_of_the_unit $? "the unit wrote $wrote bytes, the files account for $all: $(tail -n 1 "$work/bytes.why")"
grep '"k":"violation"' "$work/model.json" >"$work/violations"
[ ! -s "$work/violations" ]
check no_rule_broken $? "$(wc -l <"$work/violations") violations: $(head -n 1 "$work/violations")"
finish
