#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9trace record --flight: the recording ends so many bytes behind the trigger, has what was before,
# and each instruction in it is one that the model traced, in that order.
#
#   [KERNEL=6.12|7] flight.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#
# One boot with v9_ete. plane.c flies through storms, and the trigger is one of these, named in
# every way that there is: by function of a program at a fixed address and of one that is mapped
# anywhere, of the kernel, by address, by PMU event; the command's, a process's, of all CPUs.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin "$work/bin"

selftests/lab/root.sh run -- sh -c '
	cc="aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror"
	$cc -static -no-pie -o "$1/bin/plane" selftests/crosscheck/plane.c &&
	$cc -static-pie -fPIE -o "$1/bin/pie" selftests/crosscheck/plane.c &&
	aarch64-linux-gnu-nm "$1/bin/plane" >"$1/symbols" &&
	gcc -O2 -Wall -Wextra -Werror -o "$1/pcs" selftests/crosscheck/pcs.c &&
	make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$work" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1

# The paths of the programs in the guest, for the decoder
mkdir -p "$work/bin/fs/v9/demo"
cp "$work/bin/plane" "$work/bin/pie" "$work/bin/fs/v9/demo"
storm=0x$(sed -n 's/^0*\([0-9a-f]*\) T storm$/\1/p' "$work/symbols")

# SESSION OPTIONS: each on CPU 1, so that there is one list. Options that are refused must give a
# reason.
guest='
	fly() {
		name=$1
		shift
		taskset 2 v9trace record -q --json=/out/$name.json --flight -m ,64K \
			-o /out/$name.data "$@" || echo "$name: status $?" >>/out/failed
		echo $name >>/out/sessions
	}
	no() {
		name=$1
		shift
		v9trace record -q --flight -o /out/no.data "$@" /bin/true 2>/out/no.$name &&
			echo "no $name: accepted" >>/out/failed
	}
	plane=/v9/demo/plane
	echo 0 >/proc/sys/kernel/randomize_va_space
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_ete.ko || exit 1
	fly function -e cs_etm//u --trigger storm@$plane --after 8K -- $plane 3 50000
	cd /v9/demo
	fly anywhere -e cs_etm//u --trigger storm@pie#3 --after 8K -- /v9/demo/pie 5 50000
	fly address -e cs_etm//u --trigger "$storm#2" --after 16K -- $plane 3 50000
	fly probe -e cs_etm//u --trigger sdt:plane:storm@$plane --after 8K -- $plane 3 50000
	fly probe_anywhere -e cs_etm//u --trigger sdt:plane:storm@/v9/demo/pie#2 --after 8K -- /v9/demo/pie 5 50000
	fly nothing_after -e cs_etm//u --trigger storm@$plane --after 0 -- $plane 1 50000
	fly all_cpus -a -e cs_etm//u --trigger storm@$plane --after 8K -- $plane 2 50000
	fly kernel -e cs_etm//k --trigger __arm64_sys_getppid@kernel --after 2K -- $plane 100
	fly event -e cs_etm//u --trigger "event:0x11#60000" --after 8K -- $plane 3 50000
	taskset 2 $plane 3 50000 /tmp/off & pid=$!
	fly process -p $pid -e cs_etm//u --trigger storm@$plane --after 8K &
	# The event is enabled a short time after its buffer is mapped.
	for i in $(seq 1000); do
		! grep -qs perf_event /proc/$(pidof v9trace)/maps || break
		sleep 0.1
	done
	sleep 1
	touch /tmp/off
	wait
	fly no_trigger -e cs_etm//u -- $plane 2 50000
	fly never -e cs_etm//u --trigger nowhere@$plane -- $plane 2 50000 2>/out/never.output
	# Several in one recording; none in the first hour; a ping that is missed
	keep() {
		name=$1
		shift
		taskset 2 v9trace record -q --json=/out/$name.json --flight -m ,64K -o /out/$name.data \
			-e cs_etm//u "$@" 2>/out/$name.output || echo "$name: status $?" >>/out/failed
	}
	insmod /v9/modules/v9_spe.ko || exit 1
	slow() {
		name=$1
		shift
		taskset 1 v9trace record --json=/out/$name.json --flight -m ,${ring:-256K} -o /out/$name.data -C 1 \
			-e cs_etm//u,arm_spe_0//u -c 1024 "$@" 2>/out/$name.output ||
			echo "$name: status $?" >>/out/failed
	}
	ring=4M slow slow --trigger latency:100 --trigger-delay 200ms -- taskset 2 $plane 60 50000
	slow not_slow --trigger latency:4095 -- taskset 2 $plane 20 50000
	slow early_slow --trigger latency:1 --arm-after 1h -- taskset 2 $plane 20 50000
	keep several --trigger storm@$plane --after 8K --snapshots 2 -- $plane 60 50000
	keep early --trigger storm@$plane --after 8K --arm-after 1h -- sh -c "$plane 3 50000; sleep 1; $plane 0 50000"
	mkfifo /tmp/pings
	(sleep 2; echo ping >/tmp/pings; sleep 2; echo ping >/tmp/pings) &
	keep silence --trigger ping:3000 --control fifo:/tmp/pings -- sh -c "$plane 3 50000; sleep 14"
	# Snapshots from outside, each a file of its own
	taskset 2 v9trace record -q --json=/out/now.json --flight -m ,64K -o /out/now.data -e cs_etm//u -- \
		$plane 5000 50000 2>/out/now.output &
	rec=$!
	until [ -S /out/now.data.flight ]; do sleep 0.2; done
	for i in 1 2; do
		sleep 3
		v9trace flight --now /out/now.data >/out/now$i.name || echo "now$i: status $?" >>/out/failed
		mv "$(cat /out/now$i.name)" /out/now$i.data
		echo now$i >>/out/sessions
	done
	sleep 1
	kill -INT $rec
	wait $rec
	[ ! -e /out/now.data.flight ] || echo "now: its socket stays" >>/out/failed
	cp /out/now.data /out/now3.data
	echo now3 >>/out/sessions
	v9trace flight --now >/out/now.none 2>&1 && echo "now: without a recorder" >>/out/failed
	v9trace record -q -e cs_etm/ts_source=2/u -o /out/clock.data -- $plane 0 100
	no probe --trigger sdt:plane:stor@$plane
	no provider --trigger sdt:plan:storm@$plane
	no semaphore --trigger sdt:plane:gated@$plane
	no places --trigger sdt:plane:twice@$plane
	no probe_of_cpus -a --trigger sdt:plane:storm@/v9/demo/pie
	no function --trigger nosuch@$plane
	no file --trigger storm@/nosuch
	no anywhere -a --trigger storm@/v9/demo/pie
	no after -m ,128K --after 128K --trigger storm@$plane
	no address --trigger 0x2
	no kernel -e cs_etm//u --trigger __arm64_sys_getppid@kernel
	no count --trigger "storm@$plane#x"
	no spe -e cpu-clock --trigger 0x400000
	no counters --trigger latency:4096
	no unit -e cs_etm//u --trigger latency:500
	exit 0
'
selftests/lab/run.sh -o "$work" -t 900 \
	-q "v9-ete=on,v9-spe=on,v9-log=$work/model.json,v9-pclog=$work/pcs,v9-strict=log" \
	-f "$work/bin/plane:/v9/demo/plane" -f "$work/bin/pie:/v9/demo/pie" \
	-f "$PWD/build/tools/arm64/v9trace:/usr/bin/v9trace" \
	-- "storm=$storm; $guest" >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"
[ ! -s "$work/failed" ]
check sessions_end_well $? "$(head -n 1 "$work/failed" 2>/dev/null)"

# SESSION AFTER AT-LEAST-BEFORE: the file has AFTER bytes behind the first Event 0, plus those that
# the unit holds when the buffer stops. Before it there is more than one part of the program, if the
# program had executed more than one.
behind() {
	"$v9trace" dump "$work/$1.data" 2>/dev/null |
		sed -n 's/^\.  \([0-9a-f]*\):  [0-9a-f ]*  *\([A-Za-z].*\)/\1 \2/p' \
			>"$work/$1.packets"
	read -r first _ <"$work/$1.packets"
	event=$(sed -n 's/^\([0-9a-f]*\) Event events 0x1$/\1/p' "$work/$1.packets" | head -n 1)
	last=$(sed -n '$s/ .*//p' "$work/$1.packets")
	after=$((0x${last:-0} - 0x${event:-0})) before=$((0x${event:-0} - 0x${first:-0}))
	grep -q '"triggered":true' "$work/$1.json" && [ -n "$event" ] &&
		[ $after -ge $(($2 - 16)) ] && [ $after -le $(($2 + 1024)) ] && [ $before -ge $3 ]
	check "${1}_stops_behind_the_trigger" $? "$before bytes before it, $after behind"
	grep -q '"trigger":"fired"' "$work/$1.json" && grep -q '"truncated":0' "$work/$1.json" &&
		"$v9trace" report --json "$work/$1.data" 2>/dev/null | grep -q '"trigger":"fired"'
	check "${1}_fired_is_told" $? "$(cat "$work/$1.json")"
}

v9trace=$PWD/build/tools/host/v9trace
if [ $status -eq 0 ]; then
	behind function 8192 25000
	behind anywhere 8192 45000
	behind address 16384 40000
	behind probe 8192 25000
	behind probe_anywhere 8192 45000
	behind nothing_after 0 25000
	behind all_cpus 8192 25000
	behind kernel 2048 10000
	behind event 8192 500
	behind process 8192 10000
	number() { sed "s/.*\"$2\":\([0-9]*\).*/\1/" "$work/$1.json"; }
	events() { "$v9trace" dump "$work/$1.data" 2>/dev/null | grep -c 'Event events 0x1$'; }
	[ "$(number several snapshots)" = 2 ] && grep -q '"trigger":"fired"' "$work/several.json" &&
		[ "$(events several)" -ge 2 ]
	check several_snapshots $? "$(events several) events, $(cat "$work/several.json")"
	rows=$("$v9trace" report --json "$work/several.data" 2>/dev/null | selftests/lab/root.sh run -- python3 -c '
import json, sys
rows = [r for r in json.load(sys.stdin)["snapshots"] if r["cpu"] == 1 and r["history_ns"]]
print(len(rows), all(a["until_ns"] < b["until_ns"] - b["history_ns"] for a, b in zip(rows, rows[1:])))')
	[ "$rows" = "2 True" ]
	check several_have_a_history $? "$rows"
	[ "$(number early ignored_triggers)" -ge 1 ] && [ "$(number early snapshots)" = 0 ] &&
		grep -q '"trigger":"never"' "$work/early.json" && [ "$(number early trace_bytes)" -gt 1000 ]
	check early_is_ignored $? "$(cat "$work/early.json")"
	[ "$(number silence snapshots)" = 1 ] && grep -q '"trigger":"fired"' "$work/silence.json" &&
		[ "$(number silence trace_bytes)" -gt 1000 ]
	check silence_is_a_trigger $? "$(cat "$work/silence.json")"
	# A slow operation that the model has sampled: it is in the file, on the trace, and the trigger.
	cycles=$(number slow latency_cycles)
	[ "$(number slow snapshots)" = 1 ] && [ "$cycles" -ge 100 ] && grep -q '"trigger":"fired"' "$work/slow.json" &&
		grep -q '"rec","cpu":1,.*"lat":\['"$cycles," "$work/model.json"
	check slow_record_is_a_trigger $? "$cycles cycles; $(cat "$work/slow.json")"
	grep -q 'cycles of latency on CPU 1, seen [0-9.]* ms later; the trace of that CPU begins [0-9.]* ms before' \
		"$work/slow.output" && grep -q '"path":"reaches"' "$work/slow.json" && [ "$(number slow delay_ns)" -gt 0 ]
	check its_delay_is_told $? "$(head -n 1 "$work/slow.output")"
	# The snapshot of that CPU has trace from before and after the sampled operation.
	within=$("$v9trace" report --json "$work/slow.data" 2>/dev/null | selftests/lab/root.sh run -- python3 -c '
import json, sys
told = json.load(open(sys.argv[1]))["latency_triggers"][0]
rows = [r for r in json.load(sys.stdin)["ete_snapshots"] if r["cpu"] == 1 and r["history_ns"]]
print(len(rows) == 1 and rows[0]["history_ns"] >= told["path_before_ns"] > 0)' "$work/slow.json")
	[ "$within" = True ]
	check path_to_it_is_there $? "$within"
	[ "$(number slow windows_closed)" -ge 1 ]
	check windows_were_closed $? "$(cat "$work/slow.json")"
	grep -q '"trigger":"never"' "$work/not_slow.json" && [ "$(number not_slow snapshots)" = 0 ]
	check none_is_so_slow $? "$(cat "$work/not_slow.json")"
	grep -q '"trigger":"never"' "$work/early_slow.json" && [ "$(number early_slow ignored_triggers)" -ge 1 ]
	check early_slow_is_ignored $? "$(cat "$work/early_slow.json")"
	for i in 1 2; do
		grep -q '^/out/now\.data\.20[0-9]*$' "$work/now$i.name" &&
			[ "$(stat -c %a "$work/now$i.data")" = 600 ] &&
			"$v9trace" report --json "$work/now$i.data" 2>/dev/null | grep -q '"history_ns":[1-9]'
		check "now${i}_is_complete" $? "$(cat "$work/now$i.name")"
	done
	grep -q 'it is v9trace record --flight' "$work/now.none"
	check now_without_a_recorder $? "$(cat "$work/now.none")"
	for session in no_trigger never; do
		grep -q '"triggered":false' "$work/$session.json"
		check "${session}_goes_on_to_the_end" $? "$(cat "$work/$session.json")"
	done
	grep -q '"trigger":"never"' "$work/never.json"
	check never_is_in_json $? "$(cat "$work/never.json")"
	"$v9trace" script --symfs "$work/bin/fs" "$work/function.data" 2>/dev/null |
		grep -c 'trigger: event 0$' >"$work/triggers"
	[ "$(cat "$work/triggers")" -ge 1 ]
	check trigger_has_a_line $? "$(cat "$work/triggers") lines"
	grep -q 'ended before the trigger' "$work/never.output"
	check never_is_reported $? "$(head -c 150 "$work/never.output")"

	set --
	for session in $(cat "$work/sessions"); do
		[ "$session" != kernel ] || continue
		"$v9trace" script --insn --symfs "$work/bin/fs" "$work/$session.data" \
			2>"$work/$session.err" |
			awk -f selftests/crosscheck/pcs.awk >"$work/$session.txt"
		set -- "$@" part "$work/$session.txt"
	done
	"$work/pcs" "$work/pcs.1" "$@" >"$work/compare" 2>&1
	line=0
	for session in $(grep -v kernel "$work/sessions"); do
		line=$((line + 1))
		result=$(sed -n ${line}p "$work/compare")
		[ "${result#ok}" != "$result" ] && [ "$(wc -l <"$work/$session.txt")" -gt 50000 ]
		check "${session}_is_part_of_list" $? "$result"
	done

	# Readers must know which counter the timestamps are of.
	"$v9trace" dump "$work/clock.data" 2>/dev/null | grep -m 1 AUXTRACE_INFO >"$work/clock"
	grep -q ' 0x477[0-2]5a13 0x2 ' "$work/clock"		# any revision of ETE
	check other_clock_is_told $? "$(cat "$work/clock")"

	# name | what is said
	while IFS='|' read -r name words; do
		[ "$(wc -l <"$work/no.$name")" = 1 ] && grep -q -e "$words" "$work/no.$name"
		check "refused_$name" $? "$(head -c 150 "$work/no.$name")"
	done <<-'END'
		probe|no such probe
		provider|no such probe
		semaphore|until a tracer increments its semaphore
		places|at several places
		probe_of_cpus|the same address in each process
		function|no such function
		file|No such file
		anywhere|the same address in each process
		after|nothing from before
		address|no instruction
		kernel|does not trace the kernel
		count|a number is wanted
		spe|traces of instructions
		counters|the counters of arm_spe_0// end at 4095 cycles
		unit|SPE measures it: give its event, too
	END
	grep '"k":"violation"' "$work/model.json" >"$work/violations"
	[ ! -s "$work/violations" ]
	check no_rule_broken $? "$(wc -l <"$work/violations") violations: $(head -n 1 "$work/violations")"
fi
finish
