#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The collector compared with perf record: the same events of our drivers, the same programs, one
# boot. Counts instructions of the recorder, the program and the kernel, not those of the recorded
# program. bench-drivers.sh calls it after it has built modules and programs.
#
#	collect.sh DIRECTORY	writes the commands for the guest to DIRECTORY
#
# Rows: Documentation/performance-drivers.rst.
set -eu
cd "$(dirname "$0")/../.."
out=$1
export KERNEL=${KERNEL:-6.12}
selftests/lab/lab.sh tools >&2

# "bare": perf record without build IDs and their cache
guest='
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko && insmod /v9/modules/v9_ete.ko
	bench=/v9/selftests/bench_collect
	record() {
		who=$1 event=$2
		shift 2
		case $who in
		ours) set -- v9trace record -q -e $event -o /tmp/data -- $bench "$@" ;;
		peer) set -- perf record -q -e $event -o /tmp/data -- $bench "$@" ;;
		bare) set -- perf record -q -B -N -e $event -o /tmp/data -- $bench "$@" ;;
		esac
		rm -f /tmp/data*
		echo "record=$who event=${event%%/*} $($bench count "$@" 2>&1) $($bench aux /tmp/data)"
	}
	all() {
		for n in 0 4000000 12000000; do
			echo "busy=$n $(record $1 $2 busy 1 $n)"
		done
		tasks $1 $2
	# The difference between runs with two amounts of work, for each pair of runs
	}
	tasks() {
		for n in 1 401; do
			echo "tasks=$n $(record $1 $2 tasks 1 $n)"
		done
	}
	dd() {
		echo "busy=$1 record=$2 $($bench count busybox dd bs=1048576 count=$1 \
			if=/dev/zero of=$3 2>/dev/null) aux=$(($1 << 20))"
		rm -f /tmp/data
	}
	for n in 10 20; do
		dd $n write /tmp/data
		dd $n read /dev/null
	done
	for times in 1 2 3; do
		for who in ours peer; do
			all $who cs_etm//u
			all $who arm_spe_0/period=1024/u
		done
		tasks bare cs_etm//u
	done
'
selftests/lab/run.sh -o "$out" -t "${TIMEOUT:-3600}" -x "-icount shift=0,sleep=off" \
	-q "v9-spe=on,v9-ete=on" -- "$guest" >"$out/output.collect"
grep ' record=' "$out/output.collect" >"$out/records"
! grep -v 'status=0 user=.* kernel=.* peak=.* aux=' "$out/records" >&2 || exit 1

awk "$(cat selftests/bench/rows.awk)"'
{
	who = field("record") (field("event") ? "," field("event") : "")
	work = field("tasks") != "" ? "tasks" : "busy"
	n = ++times[who, work, field(work)]
	insns[who, work, field(work), n] = field("user") + field("kernel")
	aux[who, field(work), n] = field("aux")
	peaks[who] = peaks[who] " " (work == "busy" && field(work) + 0 > 4000000 ? field("peak") : "")
}
# From run to run what is between two amounts of work
function slope(who, work, from, to, unit,  i, text, more) {
	for (i = 1; i <= times[who, work, to]; i++) {
		more = unit ? (aux[who, to, i] - aux[who, from, i]) / unit : to - from
		text = text " " per(insns[who, work, to, i] - insns[who, work, from, i], more)
	}
	return spread(text)
}
function start(who,  i, text) {
	for (i = 1; i <= times[who, "busy", 0]; i++)
		text = text " " insns[who, "busy", 0, i]
	return spread(text)
}
END {
	mib = 1048576
	split("spe ete", unit, " ")
	event["spe"] = "arm_spe_0"; event["ete"] = "cs_etm"
	baseline = slope("write", "busy", 10, 20, mib) - slope("read", "busy", 10, 20, mib)
	printf "baseline write_insns_per_mib=%d\n", baseline
	for (u = 1; u <= 2; u++) {
		U = unit[u]; o = "ours," event[U]; p = "peer," event[U]
		row_of(U "_collect_insns_at_start", start(o), start(p), "<=0.5")
		row_of(U "_collect_insns_per_mib", slope(o, "busy", 4000000, 12000000, mib),
		       slope(p, "busy", 4000000, 12000000, mib), "<=0.5")
		row_of(U "_collect_insns_per_task", slope(o, "tasks", 1, 401), slope(p, "tasks", 1, 401),
		       "<=0.5")
		if (U == "ete")
			row_of(U "_collect_insns_per_task_bare", slope(o, "tasks", 1, 401),
			       slope("bare," event[U], "tasks", 1, 401), "<=1")
		row_of(U "_collect_peak_kib", spread(peaks[o]), spread(peaks[p]), "<=0.5")
	}
}' "$out/records"
