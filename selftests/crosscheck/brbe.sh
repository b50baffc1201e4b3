#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Cross-checks for the Branch Record Buffer Extension: a driver drives the model, and stock perf
# prints what it recorded. The driver is that of the kernel itself, which Debian has from 6.17 on; on
# older ones it is v9_brbe.
#
#   KERNEL=7 brbe.sh SUITE    writes build/results/SUITE.tap
#   BOOTS=vhe brbe.sh SUITE   the first boot only; BOOTS=others: the rest
#
# Boots: the kernel at EL2 (a VHE host), at EL1 without EL2, at EL1 below its own hypervisor (v9_brbe
# needs EL2), and below an EL3, with different numbers of records; and one with each effect as late
# as the architecture permits. In each, a program is recorded with several filters: each branch stack must
# be the buffer as the model logged it when recording was paused. In one session the trace unit
# traces the same program: each stack must be found in the path that OpenCSD, in stock perf, makes
# of that trace, with the same number of instructions between two branches.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
case $KERNEL in
6.*)
	ours=1
	selftests/lab/modules.sh "$KERNEL" >&2 || exit 1
	load='insmod /v9/modules/v9_core.ko
		insmod /v9/modules/v9_brbe.ko max_age=60000000 $sbrbe
		insmod /v9/modules/v9_ete.ko'
	pmu=v9_brbe user=v9_brbe/cycles/u kernel=v9_brbe/cycles/k all='-e v9_brbe//'
	records=v9_brbe/records/u in_trace=v9_brbe/branch_type=any,period=200003/u
	two=:			# a CPU has one session at a time
	sessions="any all kernel call ret cond records trace"
	;;
*)
	ours=
	load='modprobe coresight-etm4x
		modprobe coresight-trbe'
	pmu='armv8_pmuv3*' user=cycles:u kernel=cycles:k all=
	records=r811f:u in_trace=cycles/branch_type=any,period=200003/u
	two='rec two -e cycles/branch_type=any_call,period=300007,name=calls/u \
		-e cycles/branch_type=cond,period=200003,name=conds/u'
	sessions="any all kernel call ret cond records trace"
	;;
esac
zstd=$(selftests/lab/workload.sh) || exit 1
begin

# One CPU, so that the samples of a session are in the order of the log. Without limits on the rate
# of samples, which depend on the speed of the machine.
guest="
	set -e
	$load
	cat /sys/bus/event_source/devices/$pmu/caps/branches >/out/records
	echo 1000000 >/proc/sys/kernel/perf_event_max_sample_rate
	echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
	head -c 12000 /usr/bin/perf >/tmp/data
	rec() {
		name=\$1
		shift
		taskset 2 perf record -q --sample-cpu --no-buildid-mmap -o /out/\$name.data \"\$@\" -- \
			/v9/demo/zstd -q -3 -f -o /tmp/data.zst /tmp/data
	}
	rec any -j any,u -e $user -c 200003
	rec all -b $all -c 1000003
	rec kernel -j any,k -e $kernel -c 1000003
	rec call -j any_call,u -e $user -c 200003
	rec ret -j any_ret,u -e $user -c 200003
	rec cond -j cond,u -e $user -c 200003
	$two
	rec records -j any,u -e $records -c 1009
	rec trace -m,8M -e cs_etm//u -e $in_trace
	cp -r /root/.debug /out/debug
"

script() {	# SESSION WORDS...
	selftests/lab/kernel.sh run "$KERNEL" perf --buildid-dir "$out/debug" script \
		-i "$out/$1.data" "${@:2}" 2>>"$out/script.err"
}

# Each freeze of the last session but one came exactly one period of records after the one before.
# v9_brbe lets user space go on until the interrupt, which comes some branches later.
periods() {
	how=freeze late=0
	[ -z "$ours" ] || { how=pause late=16; }
	awk -v why="\"why\":\"$how\"" -v late=$late '
	{ match($0, "\"captured\":[0-9]+"); now = substr($0, RSTART + 11, RLENGTH - 11) + 0 }
	index($0, why) && frozen { off = now - last - 1009; if (off <= late && off >= -late) n++ }
	/"k":"branches"/ { frozen = index($0, why); last = now }
	END { print n + 0 }' "$1"
}

crosscheck() {	# MODE RECORDS OPTIONS-OF-MODEL OPTIONS-OF-RUN...
	mode=$1 records=$2 options=$3
	shift 3
	out=$work/$mode
	mkdir -p "$out"
	selftests/lab/run.sh -o "$out" -t 900 -q \
		"v9-brbe=on,v9-brbe-records=$records,v9-ete=on$options,v9-log=$out/model.json" \
		"$@" -f "$zstd:/v9/demo/zstd" -- "$guest" >"$out/stdout" 2>"$out/stderr"
	status=$?
	check "guest_records_$mode" $status "the guest ended with status $status: $(tail -n 1 "$out/stderr")"
	[ $status -eq 0 ] || return
	[ "$(cat "$out/records")" = "$records" ]
	check "number_of_records_$mode" $? "caps/branches is $(cat "$out/records")"

	for session in $sessions; do
		script $session -F cpu,brstack >"$out/$session.txt"
	done
	events=
	[ -n "$ours" ] || {
		events='calls=CALL,IND_CALL conds=COND'
		script two -F cpu,event,brstack >"$out/two.txt"
		for event in calls conds; do
			sed -n "s/^\(.*\]\) *$event[^ ]*:/\1 /p" "$out/two.txt" >"$out/$event.txt"
		done
	}
	script trace --itrace=i1i -F ip >"$out/path.txt"

	( cd "$out" && python3 -B "$OLDPWD/selftests/crosscheck/stacks.py" log model.json any.txt all.txt \
		kernel.txt call.txt ret.txt cond.txt records.txt trace.txt >log.out 2>&1
	for event in $events; do
		python3 -B "$OLDPWD/selftests/crosscheck/stacks.py" log model.json \
			"${event%=*}.txt=${event#*=}" >>log.out 2>&1
	done )
	check_lines "$out/log.out" "equals_log_%s_$mode" $sessions ${events:+two_calls two_conds}
	result=$(python3 -B selftests/crosscheck/stacks.py path "$out/path.txt" "$out/trace.txt" 2>&1)
	check "stacks_are_in_the_trace_$mode" $? "$(echo "$result" | tail -n 1)"
	[ "$(periods "$out/model.json")" -gt 20 ]
	check "freeze_at_each_period_$mode" $? "$(periods "$out/model.json") of them"
	grep '"k":"violation"' "$out/model.json" >"$out/violations"
	[ ! -s "$out/violations" ]
	check "no_rule_broken_$mode" $? "$(head -n 1 "$out/violations")"
}

# The comparison itself: one bit of one branch makes it fail.
sees() {	# NAME FILE-TO-CHANGE WORDS...
	sed '0,\,/\(0x[0-9a-f]*\)[0-9a-f]/\([PM]\)/,s,,/\1f/\2/,' "$work/vhe/$2" >"$work/changed.txt"
	! cmp -s "$work/changed.txt" "$work/vhe/$2" &&
		! python3 -B selftests/crosscheck/stacks.py "$3" "$work/vhe/$4" "$work/changed.txt" \
			>"$work/changed.out" 2>&1
	check "comparison_sees_$1" $? "$(head -n 1 "$work/changed.out")"
}

if [ "${BOOTS:-vhe}" = vhe ]; then
	crosscheck vhe 32 ''
	sees log all.txt log model.json
	sees path trace.txt path path.txt
fi
[ "${BOOTS:-others}" = others ] || finish
if [ -n "$ours" ]; then
	crosscheck vhe8 8 ''
	crosscheck vhe64 64 ''
else
	crosscheck el1 8 '' -m virtualization=off
	crosscheck nvhe 64 '' -a kvm-arm.mode=nvhe
fi
guest="sbrbe=sbrbe=1
$guest"
crosscheck el3 16 '' -m secure=on
crosscheck late 64 ,v9-strict=log
finish
