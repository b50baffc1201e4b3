#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace stat with counters in files: sums, differences, CPUs, JSON, missing counters.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/host/suite.inc
top=$PWD
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'cd /; rm -rf "$dir"' EXIT

# set_counts PMU NAME VALUE-OF-CPU-0 VALUE-OF-CPU-5
set_counts() {
	mkdir -p "sys/$1/stats" "sys/$1/per_cpu"
	if [ "$2" = longest_ns ]; then
		[ "$3" -gt "$4" ] && echo "$3" || echo "$4"
	else
		echo $(($3 + $4))
	fi >"sys/$1/stats/$2"
	printf '0 %s\n5 %s\n' "$3" "$4" >"sys/$1/per_cpu/$2"
}
stat() { "$V9TRACE" stat --sysfs sys "$@"; }

# same NAME EXPECTED: compares the file out, with runs of blanks reduced to one
same() {
	tr -s ' ' <out >squeezed
	if printf '%s' "$2" | cmp -s - squeezed; then
		ok "$1"
	else
		not_ok "$1" "$(head -n 2 squeezed | tail -n 1)"
	fi
}

mkdir -p sys/armv9_pmu/format
set_counts arm_spe_0 bytes 1000 24
set_counts arm_spe_0 interrupts 3 0
set_counts arm_spe_0 dropped 0 7
set_counts arm_spe_0 longest_ns 700 900
set_counts cs_etm bytes 0 50
set_counts cs_etm early 0 2

stat -1 >out 2>err
same once 'pmu cpu interrupts bytes dropped early longest_ns
arm_spe_0 all 3 1024 7 - 900
cs_etm all - 50 - 2 -
'
stat -1 -C >out 2>err
same per_cpu 'pmu cpu interrupts bytes dropped early longest_ns
arm_spe_0 0 3 1000 0 - 700
arm_spe_0 5 0 24 7 - 900
cs_etm 5 - 50 - 2 -
'
stat -1 --json cs_etm 2>err | sed 's/"time_ns": *[0-9]*/"time_ns":1/' | tr -d ' ' >out
same json '{"time_ns":1,"pmu":"cs_etm","bytes":50,"early":2}
'
stat -1 -C --json arm_spe_0 2>err | sed 's/"time_ns": *[0-9]*/"time_ns":1/' | tr -d ' ' >out
same json_per_cpu '{"time_ns":1,"pmu":"arm_spe_0","cpu":0,"interrupts":3,"bytes":1000,"dropped":0,"longest_ns":700}
{"time_ns":1,"pmu":"arm_spe_0","cpu":5,"interrupts":0,"bytes":24,"dropped":7,"longest_ns":900}
'

# The increase of each counter in an interval; CPUs without an increase are not printed.
( sleep 1; set_counts arm_spe_0 bytes 1000 30; set_counts arm_spe_0 interrupts 3 1 ) &
stat -n 1 -I 3 --json -C 2>err | sed 's/"time_ns": *[0-9]*/"time_ns":1/' | tr -d ' ' >out
wait
same differences '{"time_ns":1,"pmu":"arm_spe_0","cpu":5,"interrupts":1,"bytes":6,"dropped":0,"longest_ns":900}
'
# The counters of a module that was reloaded start from 0.
( sleep 1; set_counts cs_etm bytes 0 7; set_counts cs_etm early 0 2 ) &
stat -n 1 -I 3 --json cs_etm 2>err | sed 's/"time_ns": *[0-9]*/"time_ns":1/' | tr -d ' ' >out
wait
same loaded_anew '{"time_ns":1,"pmu":"cs_etm","bytes":7,"early":0}
'

# stat shows each counter in the drivers' table of files in sysfs.
sed -n 's/^\t*\[V9_STAT_[A-Z_]*\] = "\([a-z_]*\)",$/\1/p' "$top/drivers/sysfs.c" >names
for name in $(cat names); do
	set_counts all_of_them "$name" 1 2
done
stat -1 --json all_of_them 2>err | grep -o '"[a-z_]*":' | tr -d '":' >out
sort names >wanted
if [ -s names ] && grep -vx -e time_ns -e pmu out | sort | cmp -s - wanted; then
	ok every_counter
else
	not_ok every_counter "$(grep -vx -e time_ns -e pmu out | sort | diff - wanted | head -n 2 | tail -n 1)"
fi
rm -r sys/all_of_them

# Counters of v9_brbe. NAME:VALUE-OF-CPU-0:VALUE-OF-CPU-5
for name in paused:40:2 frozen:0:0 empty:0:5 stale:3:0 run_on:1:0 saturated:0:9 missed:2:0 foreign:0:4 limited:6:0 switches:70:11; do
	rest=${name#*:}
	set_counts v9_brbe "${name%%:*}" "${rest%:*}" "${rest#*:}"
done
stat -1 v9_brbe >out 2>err
same branches 'pmu cpu paused frozen empty stale run_on saturated missed foreign limited switches
v9_brbe all 42 0 5 3 1 9 2 4 6 81
'
stat -1 -C --json v9_brbe 2>err | sed 's/"time_ns": *[0-9]*/"time_ns":1/' | tr -d ' ' | tail -n 1 >out
same branches_per_cpu '{"time_ns":1,"pmu":"v9_brbe","cpu":5,"paused":2,"frozen":0,"empty":5,"stale":0,"run_on":0,"saturated":9,"missed":0,"foreign":4,"limited":0,"switches":11}
'
( sleep 1; set_counts v9_brbe paused 41 2; set_counts v9_brbe switches 70 15 ) &
stat -n 1 -I 3 v9_brbe >out 2>err
wait
same branches_since 'pmu cpu paused frozen empty stale run_on saturated missed foreign limited switches
v9_brbe all 1 0 0 0 0 0 0 0 0 4
'
rm -r sys/v9_brbe

# refused NAME STATUS WORD OPTION...
refused() {
	name=$1 status=$2 word=$3
	shift 3
	stat "$@" >out 2>err
	got=$?
	if [ $got = "$status" ] && grep -q -- "$word" err; then
		ok "$name"
	else
		not_ok "$name" "status $got: $(head -n 1 err)"
	fi
}
refused without_counters 1 'no such PMU' armv9_pmu
refused unknown_pmu 1 'no such PMU' arm_spe_7
refused wrong_interval 2 interval -I 0
refused wrong_count 2 count -n x
refused wrong_option 2 "v9trace: unrecognized option '--nonsense'" --nonsense
# An unprivileged user may not read the counters.
nobody=$dir/v9trace
cp "$V9TRACE" "$nobody" && chmod 755 "$dir" "$nobody" && chmod -R a+rX sys
chmod 0 sys/cs_etm/stats/* sys/arm_spe_0/stats/*
for name in all one; do
	[ $name = all ] && one='' || one=cs_etm
	if setpriv --reuid 65534 --clear-groups "$nobody" stat --sysfs sys -1 $one >out 2>err; then
		not_ok "denied_$name" "taken"
	elif grep -q CAP_PERFMON err; then
		ok "denied_$name"
	else
		not_ok "denied_$name" "$(head -n 1 err)"
	fi
done
rm -r sys/arm_spe_0 sys/cs_etm
refused nothing_counts 1 'no PMU'
finish
