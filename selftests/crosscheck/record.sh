#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# All modes of v9trace record, compared with the counters of the model: each byte that the unit
# wrote is in a file, or counted in the summary as not written.
#
#   [KERNEL=6.1|6.12|7] [CYCLES=N] record.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin
cycles=${CYCLES:-6}	# of a CPU that goes and comes back; a minute: 60

guest='
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko || exit 1
	e=arm_spe_0/jitter/
	head -c 200000 /usr/bin/perf >/tmp/in
	work="zstd -q -f /tmp/in -o /tmp/in.zst"
	rec() {
		name=$1
		shift
		v9trace record -q --json=/out/$name.json -o /out/$name.data "$@"
		echo $? >/out/$name.status
	}
	rec command -e $e -c 4096 -- $work
	rec user -e ${e}u -c 4096 -- $work
	rec beside -e $e -e sched:sched_switch -c 4096 -- $work
	rec all -a -e $e -c 20000 -- $work
	rec cpu -C 1 -e $e -c 4096 -- taskset 2 $work
	rec small -e $e -c 1024 -m ,8K -- $work
	# attach NAME OPTION: records a busy process until there is trace in the file; $end selects
	# how it ends
	attach() {
		yes >/dev/null &
		busy=$!
		v9trace record -q --json=/out/$1.json -o /out/$1.data -e $e -c 20000 -m ,64K $2 $busy &
		rec=$!
		for i in $(seq 300); do
			[ "$(stat -c %s /out/$1.data 2>/dev/null || echo 0)" -lt 150000 ] || break
			sleep 0.2
		done
		eval "$end"
		wait $rec
		echo $? >/out/$1.status
		kill $busy 2>/dev/null
	}
	end="kill \$busy" attach pid -p
	end="kill -INT \$rec" attach interrupt -t
	# asleep: the CPU enters and leaves a deep idle state repeatedly; its unit loses its registers
	insmod /v9/modules/selftest/v9_sleep.ko
	while [ ! -e /tmp/done ]; do
		echo "1 20 300" >/sys/module/v9_sleep/parameters/enter
	done &
	for i in 1 2 3 4 5; do
		cat /tmp/in
	done >/tmp/more
	# Waits for a hundred sleeps, however slow the host is.
	sleeps=/sys/module/v9_sleep/parameters/count
	rec asleep -C 1 -e $e -c 4096 -- taskset 2 sh -c "
		end=\$((\$(cat $sleeps) + 100))
		while [ \$(cat $sleeps) -lt \$end ]; do zstd -q -f /tmp/more -o /tmp/in.zst; done"
	touch /tmp/done
	wait
	cp $sleeps /out/sleeps

	# paused: the collector is stopped until the buffers of both CPUs are full, and continued
	taskset 1 yes >/dev/null &
	busy=$!
	taskset 2 yes >/dev/null &
	busy="$busy $!"
	v9trace record -q --json=/out/paused.json -o /out/paused.data -a -e $e -c 4096 -m ,64K &
	rec=$!
	grown() {	# BYTES: until the file has so many
		for i in $(seq 300); do
			[ "$(stat -c %s /out/paused.data 2>/dev/null || echo 0)" -lt $1 ] || break
			sleep 0.2
		done
	}
	grown 40000
	kill -STOP $rec
	stats=/sys/bus/event_source/devices/arm_spe_0/stats/truncated
	full=$(($(cat $stats) + 2))
	for i in $(seq 100); do
		[ $(cat $stats) -lt $full ] || break
		sleep 0.2
	done
	kill -CONT $rec
	grown 800000
	kill -INT $rec
	wait $rec
	echo $? >/out/paused.status
	kill $busy

	# until the recorder, with --control=$control, has enabled its events
	mkfifo /tmp/ctl /tmp/ack
	control=fifo:/tmp/ctl,/tmp/ack
	exec 3<>/tmp/ctl 4<>/tmp/ack
	enabled() {
		echo ping >&3
		read -r answer <&4
	}
	# cycled: CPU 1 goes offline and online, and is busy in between
	v9trace record -q --control=$control --json=/out/cycled.json -o /out/cycled.data -a -e $e -c 20000 2>/out/cycled.output &
	rec=$!
	enabled
	for i in $(seq $cycles); do
		echo 0 >/sys/devices/system/cpu/cpu1/online
		echo 1 >/sys/devices/system/cpu/cpu1/online
		sleep 0.2
		taskset 2 $work
	done
	kill -INT $rec
	wait $rec
	echo $? >/out/cycled.status

	# early: a message about CPU 1 that is older than the event, as if the CPU had been away
	# before the event was opened
	v9trace record -q --control=$control --json=/out/early.json -o /out/early.data -a -e $e -c 20000 2>/out/early.output &
	rec=$!
	enabled
	# busy: a second recorder meanwhile
	echo $rec >/out/busy.pid
	v9trace record -q -o /tmp/busy.data -a -e $e -- true 2>/out/busy.output
	echo offline >/sys/devices/system/cpu/cpu1/uevent
	echo online >/sys/devices/system/cpu/cpu1/uevent
	sleep 1
	for i in 1 2 3; do taskset 2 $work; done
	kill -INT $rec
	wait $rec
	echo $? >/out/early.status

	# twice: a recording that names its unit twice
	v9trace record -q -o /tmp/twice.data -e $e -e $e -- true 2>/out/twice.output

	mkdir /tmp/small
	mount -t tmpfs -o size=768K small /tmp/small
	v9trace record --json=/out/full.json -o /tmp/small/full.data -m ,128K -e $e -c 300 -- \
		sh -c "for i in $(seq -s " " 20); do $work; done" 2>/out/full.output
	echo $? >/out/full.status
	cp /tmp/small/full.data /out
'

selftests/lab/run.sh -o "$work" -t 900 -q "v9-spe=on,v9-log=$work/model.json" -- "cycles=$cycles;$guest" \
	>"$work/stdout" 2>"$work/stderr"
status=$?
check guest $status "it ended with status $status: $(tail -n 1 "$work/stderr")"
[ $status -eq 0 ] || finish

sum=0
for mode in command user beside all cpu small pid interrupt asleep paused cycled early full; do
	want=0
	[ $mode = full ] && want=1
	[ "$(cat "$work/$mode.status")" = $want ]
	check "${mode}_status" $? "exit status $(cat "$work/$mode.status"), not $want"
	bytes=$(number $mode trace_bytes)
	[ "$bytes" -ge 1024 ]
	check "${mode}_trace" $? "only $bytes bytes"
	sum=$((sum + bytes + $(number $mode unwritten_trace_bytes) + $(number $mode late_trace_bytes)))
	# Each record of this model has 64 bytes and ends with a Timestamp packet.
	selftests/lab/root.sh run -- perf report -D -i "$work/$mode.data" 2>/dev/null |
		grep -c '  TS [0-9]' >"$work/$mode.records"
	[ "$(($(cat "$work/$mode.records") * 64))" = "$bytes" ]
	check "${mode}_perf_reads_all" $? "$(cat "$work/$mode.records") records in $bytes bytes"
done
wrote=$(sed -n 's/.*"k":"score".*"written":[0-9]*,"bytes":\([0-9]*\).*/\1/p' "$work/model.json" |
	awk '{ s += $1 } END { print s }')
[ "$sum" = "$wrote" ]
check every_byte "$?" "the unit wrote $wrote bytes, the summaries account for $sum"

[ "$(number beside samples)" -gt 0 ]
check beside_samples $? "no sched_switch beside the trace"
[ "$(number small truncated)" -gt 0 ]
check small_reported $? "a full buffer is not in the summary"
[ "$(cat "$work/sleeps")" -ge 100 ]
check asleep_often $? "only $(cat "$work/sleeps") sleeps"
[ "$(number paused truncated)" -ge 2 ]
check paused_until_full $? "$(number paused truncated) buffers were full"
# A full buffer has 1024 records; if the event was not enabled again there are no more.
for cpu in 0 1; do
	build/tools/host/v9trace script --json "$work/paused.data" |
		grep -c "\"type\":\"spe\".*\"cpu\":$cpu," >"$work/paused.$cpu"
	[ "$(cat "$work/paused.$cpu")" -gt 2000 ]
	check paused_cpu_${cpu}_goes_on $? "$(cat "$work/paused.$cpu") records"
done
[ "$(number cycled cpu_away)" = "$cycles" ]
check cycled_counted $? "$(number cycled cpu_away) returns in the summary, not $cycles"
[ "$(number cycled cpu_away_ns)" -gt 0 ]
check cycled_for_how_long $? "no time"
build/tools/host/v9trace script --json "$work/cycled.data" 2>/dev/null |
	grep -c '"type":"spe".*"cpu":1,' >"$work/cycled.1"
[ "$(cat "$work/cycled.1")" -gt $((cycles * 50)) ]
check cycled_goes_on $? "$(cat "$work/cycled.1") records of CPU 1"
build/tools/host/v9trace script --json "$work/early.data" 2>/dev/null |
	grep -c '"type":"spe".*"cpu":1,' >"$work/early.1"
[ "$(cat "$work/early.1")" -gt 50 ]
check early_goes_on $? "$(cat "$work/early.1") records of CPU 1"
build/tools/host/v9trace report --json "$work/cycled.data" 2>/dev/null |
	grep -q "\"count\":$cycles,\"kind\":\"cpu_away\""
check cycled_reported $? "the report does not say it"
grep -q 'No space left' "$work/full.output" && [ "$(number full unwritten_trace_bytes)" -gt 0 ]
check full_reported $? "$(head -n 1 "$work/full.output")"
# The first recorder has an event with an AUX area for each of two CPUs, and side-band events.
grep -q "in use by another recording; perf events are open in v9trace (PID $(cat "$work/busy.pid"), [2-9] events)\$" \
	"$work/busy.output"
check busy_names_the_other $? "$(head -n 1 "$work/busy.output")"
grep -q 'in use by another event of this recording$' "$work/twice.output"
check twice_names_itself $? "$(head -n 1 "$work/twice.output")"
grep -q '"interrupted":true' "$work/interrupt.json"
check interrupt_in_summary $? "not in the summary"
finish
