#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# 64 CPUs in two sockets and two NUMA nodes, by device tree and by ACPI: scale.sh SUITE... writes
# TAP to build/results/SUITE.tap; a suite is named .../dt or .../acpi. Prints the costs of v9trace
# record and of perf record. KERNEL chooses the kernel.
set -u
cd "$(dirname "$0")/.." || exit 2
[ $# -gt 0 ] || { echo "usage: scale.sh SUITE... (.../dt, .../acpi)" >&2; exit 2; }
export KERNEL="${KERNEL:-6.12}"
cpus=64
numa="-object memory-backend-ram,id=m0,size=2G -object memory-backend-ram,id=m1,size=2G
	-numa node,nodeid=0,cpus=0-31,memdev=m0 -numa node,nodeid=1,cpus=32-63,memdev=m1"

# Runs in the guest. Prints lines "NAME VALUE", for both tools the cost of a session of all CPUs for
# a second without work: seconds until the command began, CPU time, file descriptors, memory in KiB.
facts='
	cpus=$(nproc)
	echo "cpus $cpus"
	echo "nodes $(cat /sys/devices/system/node/online)"
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko && insmod /v9/modules/v9_ete.ko
	echo "spe_cpus $(cat /sys/bus/event_source/devices/arm_spe_0/cpumask)"
	echo "ete_cpus $(ls -d /sys/bus/event_source/devices/cs_etm/cpu[0-9]* | wc -l)"
	cd /tmp
	cat >what <<-"END"
	#!/bin/sh
	read -r up rest </proc/uptime
	parent=$PPID
	echo "$up $(ls /proc/$parent/fd | wc -l) $(sed -n "s/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p" /proc/$parent/status)" >began
	sleep 1
	END
	chmod +x what
	cost() {	# NAME COMMAND...
		name=$1
		shift
		read -r from rest </proc/uptime
		/usr/bin/time -f "%U %S" -o spent "$@" -- ./what >/tmp/out 2>&1 || { echo "$name failed"; tail -n 3 /tmp/out; }
		read -r at fds memory <began
		read -r user sys <spent
		echo "cost $name $(echo "$from $at $fds $memory $user $sys" |
			awk "{ print \$2 - \$1, \$5 + \$6, \$3, \$4 }")"
	}
	for event in arm_spe_0 cs_etm; do
		cost v9trace_$event v9trace record -q -a -e $event//u -m ,64K -o x.data
		cost perf_$event perf record -q -a -e $event//u -m ,16 -o y.data
	done
	rm -f *.data
	for pmu in arm_spe_0 cs_etm; do
		stats=/sys/bus/event_source/devices/$pmu/stats
		before=$(cat $stats/bytes)
		# A task on each eighth CPU
		v9trace record -a -e $pmu//u -m ,4M -o $pmu.data --json=$pmu.json -- sh -c "
			for cpu in \$(seq 0 8 $((cpus - 1))); do
				taskset -c \$cpu dd if=/dev/zero of=/dev/null bs=64 count=2000 2>/dev/null &
			done
			wait" >/dev/null 2>&1
		echo "status_$pmu $?"
		echo "recorded_$pmu $(sed -n "s/.*\"trace_bytes\":\([0-9]*\).*/\1/p" $pmu.json)"
		echo "truncated_$pmu $(sed -n "s/.*\"truncated\":\([0-9]*\).*/\1/p" $pmu.json)"
		echo "counted_$pmu $(($(cat $stats/bytes) - before))"
		echo "dropped_$pmu $(cat $stats/dropped)"
		echo "busy_cpus_$pmu $(v9trace stat -1 -C $pmu | awk "NR > 1" | wc -l)"
		echo "report_$pmu $(v9trace report --json $pmu.data >report_$pmu.json; echo $?)"
	done
	# Sockets and nodes: our report of our capture and of perf'"'"'s, and what perf reads in ours
	perf record -q -a -e arm_spe_0//u -m ,16 -o perf.data -- dd if=/dev/zero of=/dev/null count=200 2>/dev/null
	for of in arm_spe_0 perf; do
		echo "places_$of $(v9trace report --csv $of.data | sed -n "/^table,socket/,\$s/^places,\([0-9]*,[0-9]*,[0-9]*\),.*/\1/p" | tr "\n" " ")"
	done
	echo "samples_in_places $(v9trace report --csv arm_spe_0.data |
		awk -F, "\$1 == \"places\" { sum += \$6 } END { print sum }")"
	echo "records $(sed -n "s/.*\"summary\":{\"records\":\([0-9]*\).*/\1/p" report_arm_spe_0.json)"
	perf report --header-only -I -i arm_spe_0.data 2>/dev/null | sed -n "s/^# \(sibling sockets\|node[0-9]* cpu list\) *: */perf_reads \1 /p"
	# The CPUs of a whole socket go offline and online during a session.
	v9trace record -q -a -e arm_spe_0//u -m ,64K -o hotplug.data -- sh -c "
		for cpu in \$(seq 48 63); do echo 0 >/sys/devices/system/cpu/cpu\$cpu/online; done
		for cpu in \$(seq 48 63); do echo 1 >/sys/devices/system/cpu/cpu\$cpu/online; done" >out 2>&1
	echo "hotplug $? $(cat /sys/bus/event_source/devices/arm_spe_0/cpumask)"
	# SPE fills the rest of a window with padding, which counts as bytes; padding before a
	# window of ETE does not.
	cd /sys/bus/event_source/devices
	echo "written_arm_spe_0 $(($(cat arm_spe_0/stats/bytes) + $(cat arm_spe_0/stats/dropped) - $(cat arm_spe_0/stats/padding)))"
	echo "written_cs_etm $(($(cat cs_etm/stats/bytes) + $(cat cs_etm/stats/dropped)))"
	cd /
	rmmod v9_ete && rmmod v9_spe && rmmod v9_core
	echo "unloaded $?"
	echo "log $(dmesg | grep -cE "WARNING|BUG|Call trace|rcu.*stall|soft lockup")"'

scale() {
	firmware=$1 out=build/scale/$KERNEL-$1 n=0 failed=0 options=
	[ "$firmware" != acpi ] || options=acpi
	mkdir -p build/scale
	rm -f "$out.log"
	selftests/lab/run.sh -o "$out" -t 900 -s $cpus,sockets=2,cores=$((cpus / 2)),threads=1 -r 4G \
		-q "v9-spe=on,v9-ete=on,v9-log=$PWD/$out.log" -x "-accel tcg,thread=single $(echo $numa)" ${options:+-A "spe=21 pptt=two"} -- "$facts" \
		>"$out.txt" 2>"$out.err"
	is cpus "$cpus"
	is nodes 0-1
	is spe_cpus "0-$((cpus - 1))"
	is ete_cpus "$cpus"
	for pmu in arm_spe_0 cs_etm; do
		is status_$pmu 0
		is truncated_$pmu 0
		is dropped_$pmu 0
		is report_$pmu 0
		result "${pmu}_recorded_what_the_units_wrote" "$(value recorded_$pmu)" "$(value counted_$pmu)"
		result "${pmu}_recorded_something" yes "$([ "$(value recorded_$pmu)" -gt 100000 ] && echo yes)"
		result "${pmu}_stat_has_the_busy_cpus" yes "$([ "$(value busy_cpus_$pmu)" -ge $((cpus / 8)) ] && echo yes)"
	done
	# With ACPI the number of a socket is the offset of its entry in the PPTT.
	for of in arm_spe_0 perf; do
		result "places_$of" "0,$((cpus / 2)) 1,$((cpus / 2))" \
			"$(value places_$of | tr ' ' '\n' | cut -d , -f 2- | paste -sd ' ' | sed 's/ *$//')"
		result "two_sockets_$of" 2 "$(value places_$of | tr ' ' '\n' | cut -d , -f 1 | sort -u | grep -c .)"
	done
	result all_samples_have_a_place "$(value records)" "$(value samples_in_places)"
	result perf_reads_sockets_and_nodes "node0 cpu list 0-31;node1 cpu list 32-63;sibling sockets 0-31;sibling sockets 32-63" \
		"$(value perf_reads | sort | paste -sd ';')"
	# The counters of the model, for all sessions of this boot
	result model_wrote_the_same_samples "$(model score bytes)" "$(value written_arm_spe_0)"
	result model_wrote_the_same_trace "$(model ete written)" "$(value written_cs_etm)"
	rm -f "$out.log"
	is hotplug "0 0-$((cpus - 1))"
	is unloaded 0
	is log 0
	echo "1..$n"
	echo "# $cpus CPUs by $firmware, Linux $KERNEL, nothing to do for a second: seconds until the command began,"
	echo "# CPU time, file descriptors per CPU, memory per CPU in KiB"
	awk -v cpus=$cpus '$1 == "cost" {
		printf "# %-20s %6.2f s %6.2f s %6.1f %8.1f KiB\n", $2, $3, $4, $5 / cpus, $6 / cpus }' "$out.txt"
}

# model ROW COUNTER: sum over CPUs
model() {
	sed -n "s/.*\"k\":\"$1\",.*\"$2\":\([0-9]*\).*/\1/p" "$out.log" | awk '{ sum += $1 } END { print sum + 0 }'
}
value() { sed -n "s/^$1 //p" "$out.txt"; }
is() { result "$1" "$2" "$(value "$1")"; }
result() {	# NAME EXPECTED GOT
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1 # expected '$2', is '$3'"
	fi
}

bad=0
for suite; do
	mkdir -p "$(dirname "build/results/$suite")"
	scale "${suite##*/}" >"build/results/$suite.tap"
	grep '^not ok' "build/results/$suite.tap"
	[ $failed = 0 ] || bad=1
done
exit $bad
