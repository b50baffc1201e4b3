#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace record on this machine, with events that each Linux has. Stock perf reads the captures.
# Each error is one line on stderr and leaves no file.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
n=0
failed=0

ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $1 # $2"; }
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }
# is NAME WHY CONDITION...
is() { name=$1 why=$2; shift 2; if "$@"; then ok "$name"; else not_ok "$name" "$why"; fi; }
finish() { echo "1..$n"; exit $failed; }

if ! make -s -C tools STATIC=1 >&2; then
	not_ok build "tools do not build"
	finish
fi
v9trace=$top/build/tools/host/v9trace
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'cd /; umount "$dir/small" 2>/dev/null; rm -rf "$dir"' EXIT

# The build root has no sysfs. It can be mounted in a mount namespace of its own.
[ -e /sys/bus ] || mount -t sysfs sysfs /sys 2>/dev/null
[ -e /sys/kernel/tracing/events ] || mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null

if ! "$v9trace" record -q -e cpu-clock:u -o probe.data -- true 2>err; then
	skip record "perf events are not available here: $(head -c 120 err)"
	finish
fi

# ------------------------------------------------------------------------------ bad input
# name | exit status | words of the message | arguments
while IFS='|' read -r name status words args; do
	[ -n "$name" ] || continue
	rm -f out.data* err
	eval "set -- $args"
	"$v9trace" "$@" >out 2>err </dev/null
	got=$?
	if [ $got != "$status" ]; then
		not_ok "bad_$name" "exit status $got, not $status"
	elif [ "$(wc -l <err)" != 1 ] || ! grep -q -e "$words" err; then
		not_ok "bad_$name" "output: $(head -c 150 err)"
	elif ls out.data* perf.data* >/dev/null 2>&1; then
		not_ok "bad_$name" "a file is left behind"
	else
		ok "bad_$name"
	fi
done <<'EOF'
event|1|unknown event 'nosuch'|record -e nosuch -o out.data true
pmu|1|no such PMU|record -e nosuch/a=1/ -o out.data true
no_spe|1|no SPE here|record -o out.data true
event_syntax|2|closing|record -e 'arm_spe_0/a' -o out.data true
event_empty|2|an event is missing|record -e '' -o out.data true
tracepoint|1|nosuch:nosuch|record -e nosuch:nosuch -o out.data true
option|2|no such option|record --nosuch true
option_argument|2|argument is missing|record -e
nothing|2|nothing to record|record -e cpu-clock:u -o out.data
branches_word|2|-j nosuch: a list of any, any_call|record -j nosuch -o out.data true
branches_type|2|which branches|record -j u,save_type -o out.data true
branches_none|1|no branch stacks of any,u,save_type here|record -e cpu-clock:u -j any,u -o out.data true
frequency_and_period|2|either a frequency|record -e cpu-clock:u -F 100 -c 5 -o out.data true
duration|2|wanted are seconds|record -e cpu-clock:u --duration x -o out.data true
delay|2|-D 0|record -e cpu-clock:u -D 0 -o out.data true
delay_for_ever|2|before .enable. comes|record -e cpu-clock:u -D -1 -o out.data true
control|2|what is it|record -e cpu-clock:u --control x -o out.data true
control_fifo|1|no pipe|record -e cpu-clock:u --control fifo:/dev/null -o out.data true
control_socket_of_stdout|2|--control socket: it has the name of the file|record -e cpu-clock:u --control socket -o - true
pause_pid|1|PID 4194305 is no recorder of this user|pause 4194305
pause_nothing|1|no recorder listens there: it is v9trace record --aggregate, --flight or --control socket,|pause out.data
pause_two|2|4: one recorder is wanted|pause 3 4
pause_option|2|--nosuch: no such option|pause --nosuch
resume_now|2|--now: no such option|resume --now
flight_when|2|Give --now|flight
flight_nothing|1|out.data.flight: no recorder listens there: it is v9trace record --flight,|flight --now out.data
pids|1|no such process: 4194305|record -e cpu-clock:u -o out.data -p 1,4194305
switch|2|wanted is signal, a size|record -e cpu-clock:u --switch-output=5x -o out.data true
switch_nothing|2|wanted is signal, a size|record -e cpu-clock:u --switch-output=0s -o out.data true
switch_too_long|2|wanted is signal, a size|record -e cpu-clock:u --switch-output=9000000000G -o out.data true
switch_negative|2|wanted is signal, a size|record -e cpu-clock:u --switch-output=-5s -o out.data true
switch_most_alone|2|Give --switch-output|record -e cpu-clock:u --switch-max-files 2 -o out.data true
switch_size_alone|2|--switch-max-size: of which files|record -e cpu-clock:u --switch-max-size 5M -o out.data true
switch_size|2|--switch-max-size 0: wanted is a size|record -e cpu-clock:u --switch-output --switch-max-size 0 -o out.data true
switch_most|2|--switch-max-files 0|record -e cpu-clock:u --switch-max-files 0 -o out.data true
aggregate_event|2|only SPE|record -e cpu-clock:u --aggregate -o out.data true
aggregate_time|2|wanted is a time|record --aggregate=5x -o out.data true
aggregate_size|2|wanted is a time|record --aggregate=5M -o out.data true
aggregate_nothing|2|wanted is a time|record --aggregate=0s -o out.data true
aggregate_switch|2|--switch-output: --aggregate=TIME|record --aggregate --switch-output=5s -o out.data true
aggregate_flight|2|--flight: the newest|record --aggregate --flight -o out.data true
aggregate_stdout|2|-o -: there are several|record --aggregate -o - true
aggregate_pack|2|-z: profiles|record --aggregate -z -o out.data true
aggregate_metadata|2|--metadata: it is|record --aggregate --metadata=1 -o out.data true
aggregate_branches|2|-j: only SPE|record --aggregate -b -o out.data true
aggregate_cgroups|2|--all-cgroups: profiles|record --aggregate --all-cgroups -o out.data true
aggregate_data|2|--data: --mem|record --aggregate --data -o out.data true
aggregate_memory|2|at least 4M|record --aggregate --memory 3M -o out.data true
aggregate_memory_text|2|at least 4M|record --aggregate --memory much -o out.data true
aggregate_memory_alone|2|--memory: give --aggregate|record -e cpu-clock:u --memory 8M -o out.data true
aggregate_mem_alone|2|--mem: give --aggregate|record -e cpu-clock:u --mem -o out.data true
aggregate_shard_alone|2|--shard: give --aggregate|record -e cpu-clock:u --shard -o out.data true
aggregate_shard_mem|2|--mem: a shard has no cache lines|record --aggregate --shard --mem -o out.data true
aggregate_shard_pack|2|-z: shards are text|record --aggregate --shard -z -o out.data true
overhead_alone|2|--overhead: give --aggregate|record -a --overhead 1 -o out.data
overhead_command|2|--overhead: only with -a or -C|record --aggregate --overhead 1% -o out.data true
overhead_process|2|--overhead: only with -a or -C|record --aggregate --overhead 1% -o out.data -p 1
overhead_text|2|--overhead x: wanted is a share|record --aggregate --overhead x -a -o out.data
overhead_behind|2|--overhead 1%%: wanted is a share|record --aggregate --overhead 1%% -a -o out.data
overhead_nothing|2|--overhead 0: wanted is a share|record --aggregate --overhead 0 -a -o out.data
overhead_too_little|2|--overhead 0.009: wanted is a share|record --aggregate --overhead 0.009 -a -o out.data
overhead_too_much|2|--overhead 100.1: wanted is a share|record --aggregate --overhead 100.1 -a -o out.data
overhead_negative|2|--overhead -1: wanted is a share|record --aggregate --overhead -1 -a -o out.data
overhead_nan|2|--overhead nan: wanted is a share|record --aggregate --overhead nan -a -o out.data
max_period_alone|2|--max-period: it is for --overhead|record --aggregate --max-period 4096 -a -o out.data
max_period|2|--max-period 4294967296: a number from 1 to 4294967040|record --aggregate --max-period 4294967296 -a -o out.data
arm_after_alone|2|--arm-after: of which trigger|record --flight --arm-after 5s -o out.data true
snapshots_alone|2|--snapshots: of which trigger|record --flight --snapshots 2 -o out.data true
arm_after_text|2|--arm-after 5x: wanted is a time|record --flight --trigger ping:5 --arm-after 5x -o out.data true
arm_after_nothing|2|--arm-after 0: wanted is a time|record --flight --trigger ping:5 --arm-after 0 -o out.data true
arm_after_too_long|2|--arm-after 9999999999h: wanted is a time|record --flight --trigger ping:5 --arm-after 9999999999h -o out.data true
snapshots|2|--snapshots 0|record --flight --trigger ping:5 --snapshots 0 -o out.data true
ping_without_control|2|--trigger ping:5: the pings come by --control|record --flight --trigger ping:5 -o out.data true
ping_leading_zero|2|--trigger ping:08: the pings come by --control|record --flight --trigger ping:08 -o out.data true
ping_hexadecimal|2|behind .ping:. a number of milliseconds|record --flight --trigger ping:0x5 -o out.data true
ping_text|2|behind .ping:. a number of milliseconds|record --flight --trigger ping: -o out.data true
ping_number|2|behind .ping:. a number of milliseconds|record --flight --trigger ping:5x -o out.data true
ping_nothing|2|behind .ping:. a number of milliseconds|record --flight --trigger ping:0 -o out.data true
ping_after|2|--after: the trace goes on|record --flight --trigger ping:5 --after 4K -o out.data true
latency_text|2|behind .latency:. a number of cycles from 1 to 65535|record --flight --trigger latency:x -o out.data true
latency_nothing|2|behind .latency:. a number of cycles|record --flight --trigger latency:0 -o out.data true
latency_too_much|2|behind .latency:. a number of cycles|record --flight --trigger latency:65536 -o out.data true
latency_unit|2|behind .latency:. a number of cycles|record --flight --trigger latency:5ms -o out.data true
latency_count|2|behind .#. a number|record --flight --trigger latency:5#x -o out.data true
latency_after|2|--after: such a record|record --flight --trigger latency:5 --after 4K -o out.data true
latency_without_flight|2|--trigger: only with --flight|record --trigger latency:5 -o out.data true
latency_of_profiles|2|--aggregate: --flight|record --aggregate --flight --trigger latency:5 -a -o out.data
latency_period|2|--max-period: it is for --overhead|record --flight --trigger latency:5 --overhead 1 --max-period 4096 -a -o out.data
trigger_delay_alone|2|--trigger-delay: it is for --trigger latency|record --flight --trigger ping:5 --trigger-delay 5ms -o out.data true
trigger_delay_text|2|--trigger-delay 5x: wanted is a time|record --flight --trigger latency:5 --trigger-delay 5x -o out.data true
trigger_delay_short|2|--trigger-delay 1ms: wanted is a time from 2ms to 1m|record --flight --trigger latency:5 --trigger-delay 1ms -o out.data true
trigger_delay_long|2|--trigger-delay 61s: wanted is a time from 2ms to 1m|record --flight --trigger latency:5 --trigger-delay 61s -o out.data true
other_trigger_beside_sums|2|beside --aggregate only latency:CYCLES|record --aggregate --trigger 0x400000 -a
trigger_behind_beside_sums|2|--after: only with --flight|record --aggregate --trigger latency:5 --after 4K -a
flight_of_nothing|2|--flight-of: it is for --trigger latency|record --flight-of 7 -a
flight_of_no_trigger|2|--flight-of: it is for --trigger latency|record --aggregate --flight-of 7 -a
ping_by_the_socket|2|fifo: or fd:; no command sends one by the socket|record --flight --trigger ping:5 --control socket -a
begin_by_the_socket|2|fifo: or fd:; no command sends it by the socket|record -e cpu-clock:u -D -1 --control socket -o out.data true
ping_without_flight|2|--trigger: only with --flight|record --trigger ping:5 -o out.data true
switch_stdout|2|-o - is one file|record -e cpu-clock:u --switch-output -o - true
pids_syntax|2|-p :|record -e cpu-clock:u -o out.data -p 1,
pack_level|2|-z 23|record -z23 -e cpu-clock:u -o out.data true
period|2|-c 0|record -e cpu-clock:u -c 0 -o out.data true
buffer|2|powers of two|record -e cpu-clock:u -m 3 -o out.data true
pid|1|no such process|record -e cpu-clock:u -o out.data -p 4194305
pid_syntax|2|-p x|record -e cpu-clock:u -o out.data -p x
tid|1|gone|record -e cpu-clock:u -o out.data -t 4194305
cpu|1|not online|record -e cpu-clock:u -o out.data -C 4000 true
cpu_syntax|2|not a list|record -e cpu-clock:u -o out.data -C a true
two_targets|2|only one of|record -e cpu-clock:u -o out.data -a -p 1
output_directory|1|Is a directory|record -e cpu-clock:u -o . true
output_missing|1|No such file|record -e cpu-clock:u -o nosuch/out.data true
output_device|1|not an ordinary file|record -e cpu-clock:u -o /dev/null true
output_empty|2|a file is needed|record -e cpu-clock:u -o '' true
output_json|2|needs a FILE|record -e cpu-clock:u --json -o - true
output_event|1|unknown event|record -e nosuch -o - true
command_missing|127|cannot run|record -e cpu-clock:u -o out.data ./nosuch
command_not_executable|126|cannot run|record -e cpu-clock:u -o out.data ./err
command|2|not a command|nosuch
list|1|contains|list nosuch
EOF

# The older file is restored after an error.
echo old >out.data
"$v9trace" record -q -e cpu-clock:u -o out.data ./nosuch 2>/dev/null
is old_kept "the old file is not what it was" test "$(cat out.data)" = old
rm -f out.data*

# ----------------------------------------------------------------------------- exit status
"$v9trace" record -q -e cpu-clock:u -o out.data -- sh -c 'exit 7'
is status_passed "exit status of the command is not passed on" test $? = 7
"$v9trace" record -q -e cpu-clock:u -o out.data -- sh -c 'kill -9 $$'
is status_signal "a signal is not 128 + N" test $? = 137
is old_renamed "no out.data.old" test -s out.data.old

# --------------------------------------------------------------------- what stock perf reads
"$v9trace" record -e cpu-clock:u -c 100000 --json=sum.json -o out.data -- \
	awk 'BEGIN { for (i = 0; i < 1000000; i++) x += i }' >/dev/null 2>err
is summary "output: $(head -c 150 err)" grep -q 'lost: nothing' err
samples=$(sed 's/.*"samples":\([0-9]*\).*/\1/' sum.json)
if command -v perf >/dev/null; then
	perf report -i out.data --header-only >header 2>perf.err
	for words in 'hostname' 'cmdline : .*v9trace record' 'event : name = cpu-clock:u' 'cpuid'; do
		is "header_$(echo "$words" | tr -cd 'a-z' | cut -c1-7)" "not in the header" \
			grep -q "$words" header
	done
	# The times in the header are the least and the greatest one of all records.
	"$v9trace" dump out.data | awk '$3 == "cpu" && $5 > 0 {
			t = $5 + 0; if (!lo || t < lo) lo = t; if (t > hi) hi = t }
		function s(t) { return sprintf("%d.%06d", int(t / 1e9), int(t % 1e9 / 1000)) }
		END { print s(lo), s(hi) }' >want
	sed -n 's/^# time of \(first\|last\) sample : *//p' header | paste -sd " " >got
	is header_times "$(cat got), not $(cat want)" cmp -s got want
	perf script -i out.data -F comm,pid,time,ip,sym,dso >script 2>perf.err
	is script_no_complaint "$(head -n1 perf.err)" test ! -s perf.err
	is script_count "$samples samples written, $(wc -l <script) read" test "$(wc -l <script)" = "$samples"
	is script_enough "only $samples samples" test "$samples" -gt 20
	is script_command "no sample of awk" grep -q awk script
	perf buildid-list -i out.data >ids 2>/dev/null
	is build_ids "no build-id of libc" grep -q '^[0-9a-f]\{40\} .*libc' ids
	perf report -D -i out.data >dump 2>/dev/null
	for type in MMAP2 COMM EXIT FINISHED_INIT FINISHED_ROUND ID_INDEX SWITCH; do
		is "has_$(echo "$type" | tr A-Z a-z)" "no such record" grep -q "PERF_RECORD_$type" dump
	done

	# What v9trace archive packs perf takes for its cache.
	"$v9trace" archive -q -o out.tar.zst out.data 2>err
	zstd -q -dc out.tar.zst >out.tar && tar xf out.tar --one-top-level=cache
	perf --buildid-dir "$PWD/cache" buildid-cache -l >cached 2>/dev/null
	is archive_for_perf "$(head -n 2 err cached | tr '\n' '|')" \
		test "$(grep -c 'libc\|awk' cached)" = "$(grep -c 'libc\|awk' ids)"
	is archive_of_all "nothing of awk" grep -q awk cached

	# With compression the samples are the same, and the file is smaller.
	"$v9trace" record -q -z -e cpu-clock:u -c 100000 --json=sum.json -o z.data -- \
		awk 'BEGIN { for (i = 0; i < 1000000; i++) x += i }' >/dev/null
	samples=$(sed 's/.*"samples":\([0-9]*\).*/\1/' sum.json)
	perf script -i z.data -F comm,pid,time,ip,sym,dso >script 2>perf.err
	is packed_no_complaint "$(head -n1 perf.err)" test ! -s perf.err
	is packed_count "$samples samples written, $(wc -l <script) read" test "$(wc -l <script)" = "$samples"
	is packed_enough "only $samples samples" test "$samples" -gt 20
	perf report --header-only -i z.data >header 2>/dev/null
	is packed_header "$(grep compressed header)" \
		grep -q 'compressed : Zstd, level = 1, ratio = [1-9]' header
	ours=$("$v9trace" dump z.data 2>err | grep -c ' SAMPLE:')
	is packed_by_ours "$ours of $samples: $(head -c 150 err)" test "$ours" = "$samples"

	if [ -e /sys/kernel/tracing/events/sched/sched_switch/id ]; then
		"$v9trace" record -q -e sched:sched_switch -e sched:sched_process_exec -o tp.data -- \
			sh -c 'sleep 0.01; sleep 0.01; true'
		perf script -i tp.data >script 2>perf.err
		is tracepoint_text "$(head -n1 perf.err)" grep -q 'prev_comm=.* next_comm=' script
		is tracepoint_second "no exec of sleep" grep -q 'sched_process_exec: filename=.*sleep' script
		"$v9trace" record -q -a -e sched:sched_switch -o all.data -- sleep 0.1
		perf script -i all.data >script 2>/dev/null
		is all_cpus "no switch of another task" grep -qv sleep script
	else
		skip tracepoint_text "no tracefs here"
	fi
else
	skip header_hostname "no stock perf here"
fi

# ------------------------------------------------------------------------ attached, Ctrl-C
busy() { exec awk 'BEGIN { for (;;) x++ }'; }
# recorded FILE: waits until the file exists and process $pid has run for 300 ms after that.
ran() { cut -d ' ' -f 14 /proc/$pid/stat; }
recorded() {	# FILE
	for i in $(seq 600); do
		[ ! -s "$1" ] || break
		sleep 0.1
	done
	until=$(($(ran) + 30))
	for i in $(seq 600); do
		[ "$(ran)" -lt $until ] || break
		sleep 0.1
	done
}
busy &
pid=$!
"$v9trace" record -q -e cpu-clock:u -o pid.data --json=pid.json -p $pid &
rec=$!
recorded pid.data
kill -INT $rec
wait $rec
is interrupt_status "exit status $?" test $? = 0
is interrupt_keeps "no samples" sh -c '! grep -q "\"samples\":0," pid.json && test -s pid.data'
is interrupt_in_summary "not in the summary" grep -q '"interrupted":true' pid.json
"$v9trace" record -q -e cpu-clock:u -o tid.data -t $pid &
rec=$!
recorded tid.data
kill $pid
wait $rec
is attached_ends "exit status $?" test $? = 0
"$v9trace" record -q -e cpu-clock:u -o term.data -- sleep 60 &
rec=$!
for i in $(seq 600); do
	[ ! -s term.data ] || break
	sleep 0.1
done
sleep 0.3
kill -TERM $rec
wait $rec
is interrupt_command "exit status $?" test $? = 143
is interrupt_command_keeps "no file" test -s term.data

# ------------------------------------------------------------ several processes, times, commands
# A process each; the samples of both are there, and nothing of a third.
busy & one=$!
busy & two=$!
busy & three=$!
"$v9trace" record -q -e cpu-clock:u -F 999 --duration 1.5 --json=two.json -o two.data -p $one,$two
is duration_status "exit status $?" test $? = 0
"$v9trace" script --json two.data | sed -n 's/.*"tid":\([0-9]*\),.*/\1/p' | sort -u | tr '\n' ' ' >tids
is pids_of_two "$(cat tids), not $one and $two" test "$(cat tids)" = "$(printf '%s\n' $one $two | sort | tr '\n' ' ')"
is duration_is_no_interrupt "interrupted" grep -q '"interrupted":false' two.json
# With a command the recording stops, and the command goes on.
"$v9trace" record -q -e cpu-clock:u --duration 0.2 -o short.data -- sh -c 'sleep 1; echo done' >said
is duration_of_a_command "$(cat said)" test "$(cat said)" = done
# Nothing is recorded before the delay is over: samples are later than the exec by it.
"$v9trace" record -q -e cpu-clock:u -D 600 -o late.data -- awk 'BEGIN { srand(); t = srand() + 3; while (srand() < t) for (i = 0; i < 1000; i++) x++ }'
"$v9trace" dump late.data | awk '/ COMM:.*: awk/ && $5 > 0 { exec = $5 } / SAMPLE:/ { for (i = 1; i < NF; i++) if ($i == "time") { if (!n++) first = $(i + 1) } }
	END { print n, (first - exec) / 1e6 }' >delay
is delay "samples, ms after exec: $(cat delay)" awk '{ exit !($1 > 0 && $2 >= 600) }' delay
# Its socket: only with an option, 0600, gone at the end; what has no unit is not paused
"$v9trace" record -q -e cpu-clock:u -F 99 --control socket -o asked.data -t $one &
rec=$!
for _ in $(seq 100); do [ ! -S asked.data.control ] || break; sleep 0.05; done
is socket_mode "mode $(stat -c %a asked.data.control)" test "$(stat -c %a asked.data.control)" = 600
"$v9trace" pause asked.data >out 2>err
is pause_without_a_unit "exit status $?, $(cat err)" grep -q "^v9trace: PID $rec: it has no unit that others could want" err
"$v9trace" resume --json $rec >out 2>err
is resume_what_records "exit status $?, $(cat out err)" grep -qx "{\"pid\":$rec,\"state\":\"records\",\"paused_ns\":0}" out
"$v9trace" flight --now asked.data >out 2>err
is flight_of_another_kind "exit status $?, $(cat err)" grep -q 'no recorder listens there: it is v9trace record --flight' err
kill -INT $rec
wait $rec
is socket_is_gone "$(ls asked.data.control)" test ! -e asked.data.control
# Commands: nothing before enable; ack; stop ends it
mkfifo ctl ack
"$v9trace" record -q -e cpu-clock:u -F 999 -D -1 --control fifo:ctl,ack --json=ctl.json -o ctl.data -p $one &
rec=$!
exec 8<>ack 9<>ctl
tell() { echo "$1" >&9; read -r answer <&8; [ "$answer" = ack ]; }
tell ping
is control_ping "no answer" test $? = 0
# Waits for CPU time of the process, of which each 1/999 s has a sample: bounds do not depend on load.
run_until() { while [ "$(ran)" -lt "$1" ]; do sleep 0.05; done; }	# TICKS of CPU time
pid=$one
tick=$(getconf CLK_TCK)
run_until $(($(ran) + tick / 4))
before=$(ran)
tell enable
run_until $((before + tick / 2))
tell disable
after=$(ran)
run_until $((after + tick))
tell stop
wait $rec
is control_status "exit status $?" test $? = 0
exec 8<&- 9<&-
samples=$("$v9trace" dump ctl.data | grep -c ' SAMPLE:')
# The process ran for half a second or longer while enabled, and for a second or longer while disabled.
is control_samples "$samples samples" test "$samples" -gt 250
is control_disable "$samples samples in $((after - before)) of $tick ticks a second" \
	test "$samples" -lt $(((after - before) * 999 / tick + 200))
kill $one $two $three
# Mappings of data are in the file only if asked for.
for data in "" --data; do
	"$v9trace" record -q $data -e cpu-clock:u -o maps.data -- awk 'BEGIN { }'
	"$v9trace" dump maps.data | grep -c 'MMAP2:.*prot [13] '
done | tr '\n' ' ' >maps
is data_mappings "$(cat maps)" awk '{ exit !($1 == 0 && $2 > 0) }' maps
"$v9trace" record -q -F 2000 -e cpu-clock:u,task-clock:u -o freq.data -- true
if command -v perf >/dev/null; then
	perf report -i freq.data --header-only 2>/dev/null | grep -c 'name = .*sample_freq } = 2000' >freq
	is frequency_of_events "$(cat freq) of 2 events" test "$(cat freq)" = 2
fi

# ------------------------------------------------------- over a pipe, as from another machine
mkdir tmp
export TMPDIR=$PWD/tmp
"$v9trace" record -q -e cpu-clock:u -c 100000 --json=pipe.json -o - -- \
	sh -c 'echo heard; awk "BEGIN { for (i = 0; i < 1000000; i++) x += i }"' 2>err |
	"$v9trace" script -i - >script 2>report.err
samples=$(sed 's/.*"samples":\([0-9]*\).*/\1/' pipe.json)
is pipe_of_samples "$samples recorded, $(wc -l <script) read, $(head -n 1 report.err)" \
	test "$(wc -l <script)" = "$samples" -a "$samples" -gt 20
is pipe_has_no_output_of_the_command "$(head -c 100 err)" grep -q heard err
"$v9trace" record -e cpu-clock:u -o - -- true >piped.data 2>err
is pipe_summary "$(cat err)" grep -q 'standard output: .* lost: nothing' err
is pipe_leaves_no_file "$(ls tmp)" test -z "$(ls tmp)"
! command -v perf >/dev/null || \
	is pipe_for_perf "perf does not read it" sh -c 'perf script -i piped.data >/dev/null 2>&1'
{ "$v9trace" record -q -e cpu-clock:u -o - -- sleep 0.5; echo $? >status; } 2>err | true
is pipe_without_reader "status $(cat status), $(cat err)" \
	sh -c 'test "$(cat status)" = 1 && grep -q "nobody reads" err && test -z "$(ls tmp)"'
"$v9trace" record -q -e cpu-clock:u -o - -- ./nosuch >piped.data 2>err
is pipe_of_nothing "status $?" test $? = 127 -a ! -s piped.data -a -z "$(ls tmp)"
TMPDIR=/nosuch "$v9trace" record -q -e cpu-clock:u -o - -- true >piped.data 2>err
is pipe_without_place "$(cat err)" sh -c 'test ! -s piped.data && grep -q "TMPDIR" err'
unset TMPDIR

# ------------------------------------------------------------------------------ full disk
# The number of samples depends on the machine: this work has several times as many as fill the
# disk.
fill='BEGIN { for (i = 0; i < 30000000; i++) x += i }'
mkdir small
if mount -t tmpfs -o size=1M small small 2>/dev/null; then
	"$v9trace" record -e cpu-clock:u -c 20000 --json=full.json -o small/full.data -- \
		awk "$fill" >/dev/null 2>err
	is full_status "exit status $?" test $? = 1
	is full_reported "output: $(head -c 150 err)" grep -q 'No space left.*is whole' err
	if command -v perf >/dev/null; then
		samples=$(sed 's/.*"samples":\([0-9]*\).*/\1/' full.json)
		perf script -i small/full.data -F ip >script 2>perf.err
		is full_readable "$(head -n1 perf.err)" test ! -s perf.err
		is full_most_kept "$(wc -l <script) of $samples" test "$(wc -l <script)" -gt 5000
		perf report -i small/full.data --header-only >header 2>/dev/null
		is full_header "the sections are missing" grep -q hostname header
	fi
else
	skip full_status "no permission to mount a small file system"
fi
# Without permission to mount: a limit on the size of files has the same effect.
(ulimit -f 512; exec "$v9trace" record -e cpu-clock:u -c 20000 --json=limit.json -o limit.data -- \
	awk "$fill") >/dev/null 2>err
is limit_status "exit status $?" test $? = 1
is limit_reported "output: $(head -c 150 err)" grep -q 'recording stopped there' err
# The summary has separate counts of records that were read and that were not written. Records that
# the recorder makes have time 0 and are not counted.
number() { sed "s/.*\"$1\":\([0-9]*\).*/\1/" limit.json; }
in_file=$(($(number records) - $(number unwritten_records)))
kept=$("$v9trace" dump limit.data 2>/dev/null |
	awk '/ SAMPLE:/ || ($3 == "cpu" && $5 > 0) { n++ } END { print n }')
is limit_counts "$in_file by the summary, $kept in the file" test "$in_file" = "$kept"
is limit_lost "nothing lost" test "$(number unwritten_records)" -gt 0

# -------------------------------------------------------------------------- several files
# The command of each recording waits until the recorder has made the files.
cat >switch.sh <<'END'
files() { ls "$1".20* 2>/dev/null | wc -l; }
until_files() { until [ "$(files $1)" -ge "$2" ]; do sleep 0.05; (:); done; }
case $1 in
signal)
	sleep 1000 &	# runs on when the next file begins
	echo $! >child
	until grep -qx sleep /proc/$!/comm; do sleep 0.05; done
	kill -USR2 $PPID
	until_files sig.data 1
	kill -USR2 $PPID
	until_files sig.data 2
	kill $!
	i=0	# then creates processes until it exits
	while [ $i -lt 50 ]; do (:); i=$((i + 1)); done
	;;
size) until_files size.data 3 ;;
time) until_files time.data 2 ;;
most)
	until_files most.data 2
	first=$(ls most.data.20* | head -n 1)
	while [ -e "$first" ]; do sleep 0.05; done
	;;
esac
END
# several NAME WANT ARGUMENT...: WANT files or more were written, each complete, none named NAME.data
several() {
	name=$1 want=$2
	shift 2
	"$v9trace" record -q -e cpu-clock:u -o "$name.data" "$@" >out 2>err
	got=$? bad=
	set -- "$name".data.20*
	[ "$got" -eq 0 ] || bad="exit status $got: $(head -c 150 err)"
	[ $# -ge "$want" ] || bad="$bad $# files"
	[ ! -e "$name.data" ] || bad="$bad $name.data is left"
	for f; do
		"$v9trace" dump "$f" >whole 2>&1 || bad="$f: $(tail -n 1 whole)"
		! grep -q 'truncated\|ends inside' whole || bad="$f: $(grep -m 1 'truncated\|inside' whole)"
	done
	is "switch_$name" "$bad" test -z "$bad"
}
several sig 3 --switch-output -- sh switch.sh signal
set -- sig.data.20*
is switch_signal_count "$# files" test $# = 3
"$v9trace" dump "$2" 2>/dev/null | grep -q "COMM: $(cat child)/.*: sleep" &&
	ok switch_describes_children ||
	not_ok switch_describes_children "$2 has no name of process $(cat child)"
several size 3 --switch-output=16K -- sh switch.sh size
several time 2 --switch-output=1s --json=time.json -- sh switch.sh time
grep -q '"files":[2-9]' time.json && ok switch_json || not_ok switch_json "$(head -c 200 time.json)"
bytes=$(cat time.data.20* | wc -c)
is switch_json_sums "$(head -c 200 time.json), the files have $bytes" grep -q "\"bytes\":$bytes," time.json
several most 1 --switch-output=16K --switch-max-files 2 -- sh switch.sh most
set -- most.data.20*
is switch_max_files "$# files" test $# -le 2

# ------------------------------------------------------------------------ mount namespaces
# A program that has this name in another mount namespace only: its own build-id, code and symbols.
program() {	# FILE FUNCTION
	cat >app.c <<-END
	static volatile long x;
	void __attribute__((noinline)) $2(long n) { for (long i = 0; i < n; i++) x += i; }
	int main(int argc, char **argv) { (void)argv; $2(argc > 1 ? 1L << 50 : 300000000); return 0; }
	END
	${CC:-cc} -O1 -Wl,--build-id=sha1 -o "$1" app.c
}
id_of() { readelf -n "$1" | sed -n 's/.*Build ID: *//p'; }
named() { "$v9trace" script "$@" 2>script.err | grep -c "$want+0x.*(app)"; }
# Below a chroot, as in the build root, unshare cannot make mounts private: there they are already.
unshare="unshare -m"
[ ! -e /.v9trace-root ] || unshare="unshare -m --propagation unchanged"
mkdir -p image
if ! program app in_this_file || ! program image/app in_the_container; then
	not_ok namespace "the program does not build"
elif ! $unshare true 2>err; then
	skip namespace "$(head -c 100 err)"
else
	inside='mount --bind image/app app && exec ./app'
	# until_seen FILE: ends the recording of "app" that runs in the background
	until_seen() {
		rec=$!
		pid=
		until [ -n "$pid" ]; do
			sleep 0.1
			for pid in $(cat /proc/$rec/task/*/children); do
				[ "$(cat /proc/$pid/comm)" != app ] || break 2
			done
			pid=
		done
		recorded "$1"
		kill -INT $rec
		wait $rec
	}
	inside='mount --bind image/app app && exec ./app forever'
	"$v9trace" record -q -e cpu-clock:u -o ns.data -- $unshare sh -c "$inside" 2>err &
	until_seen ns.data
	want=in_the_container
	is namespace "$(named ns.data) samples of it; $(head -c 150 err)" test "$(named ns.data)" -gt 10
	want=in_this_file
	is namespace_not_this "named by the file of this name here" test "$(named ns.data)" = 0
	"$v9trace" dump ns.data 2>/dev/null | grep -q "build-id $(id_of image/app)" &&
		ok namespace_build_id || not_ok namespace_build_id "not that of the mapped file"
	# Attached: what is mapped already is in no record of the kernel.
	$unshare sh -c "$inside" &
	pid=$!
	until [ "$(cat /proc/$pid/comm)" = app ]; do sleep 0.1; done
	"$v9trace" record -q -e cpu-clock:u -o nspid.data -p $pid &
	rec=$!
	recorded nspid.data
	kill -INT $rec
	wait $rec
	kill $pid
	wait $pid 2>/dev/null
	want=in_the_container
	is namespace_attached "$(named nspid.data) samples of it" test "$(named nspid.data)" -gt 5
	# A root directory of its own, on the same mounts
	mkdir -p jail
	for f in $(ldd image/app | grep -o '/[^ ]*'); do
		mkdir -p jail"${f%/*}" && cp "$f" jail"$f"
	done
	mkdir -p jail"$PWD" && cp image/app jail"$PWD"/app
	"$v9trace" record -q -e cpu-clock:u -o jail.data -- chroot jail "$PWD/app" forever &
	until_seen jail.data
	is namespace_root "$(named jail.data) samples of it" test "$(named jail.data)" -gt 10
	# Wherever the files are: they are in the capture.
	rm -rf app image jail
	for f in ns nspid jail; do
		is namespace_${f}_alone "$(named $f.data) samples of it" test "$(named $f.data)" -gt 5
	done
	program app in_this_file
	"$v9trace" record -q -e cpu-clock:u -o here.data -- $unshare ./app
	want=in_this_file
	is namespace_same_files "$(named here.data) samples" test "$(named here.data)" -gt 10
	"$v9trace" dump --code=saved here.data >/dev/null 2>&1
	is namespace_same_files_unsaved "a file that is here went into the capture" test ! -e saved/\[container\]
fi

finish
