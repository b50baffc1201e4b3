#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Reports of captures with N and ten times N of one thing (../bench/grow.c, grow_ete.c): each record is there, with
# the right owner, and the number of threads (-j) changes nothing.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
makers bench/grow bench/grow_ete

# figure NAME: the number of that name, or the count of that loss, in the report
figure() {
	python3 -c '
import json, sys
report = json.load(open("report.json"))
lost = {row["kind"]: row["count"] for row in report["lost"]}
report["paths"] = report.get("calls")
rows = report.get(sys.argv[1])
print(lost.get(sys.argv[1], report["summary"].get(sys.argv[1], rows and len(rows))))' "$1" 2>>err
}

maker=./grow
# grown THING N NAME=FIGURE-FOR-EACH[+MORE]... -- COMMAND...: with N and ten times N
grown() {
	thing=$1 n1=$2
	shift 2
	want=
	while [ "$1" != -- ]; do
		want="$want $1"
		shift
	done
	shift
	for n_of in "$n1" $((n1 * 10)); do
		$maker . "$thing" "$n_of"
		"$V9TRACE" "$@" --json --limit 0 --symfs symfs "$thing.$n_of.data" >report.json 2>err
		wrong=
		for w in $want; do
			each=${w#*=}
			more=0
			case $each in *+*) more=${each#*+} each=${each%+*} ;; esac
			got=$(figure "${w%%=*}")
			[ "$got" = $((each * n_of + more)) ] || wrong="$wrong ${w%%=*} is $got, not $((each * n_of + more))"
		done
		if [ -z "$wrong" ]; then ok "${thing}_$n_of"
		else not_ok "${thing}_$n_of" "$wrong; $(head -n 1 err)"; fi
	done
}
grown records 500 records=1 aux_truncated=0 -- report
grown cpus 8 records=4000 cpus=1 -- report
grown tasks 100 records=16 tasks=1 -- report
grown turns 100 records=4 tasks=0+2 -- report
grown maps 100 records=4 tasks=0+1 -- report
grown programs 100 records=4 functions=1 -- report
grown objects 20 records=64 functions=8 -- report
grown symbols 100 records=0+200000 functions=1 -- report
grown aux 100 records=1 aux_truncated=0 -- report
grown gaps 100 records=1 aux_truncated=1 -- report
grown lines 500 records=2 lines=1 -- mem
grown distinct 500 records=1 lines=1 -- mem
grown cgroups 10 records=16 groups=1 -- report --group-by cgroup
maker=./grow_ete
grown rewrites 100 instructions=5 functions=1+1 tasks=0+1 -- report
grown deep 300 instructions=60+20 functions=0+257 paths=1+1 -- report --calls
grown recursion 300 instructions=60+20 functions=0+2 paths=1+1 -- report --calls
grown contexts 10 instructions=12 tasks=1+1 -- report

# any_jobs NAME CAPTURE COMMAND...: 1, 2, 5 and 16 threads give the same output
any_jobs() {
	name=$1 of=$2
	shift 2
	"$V9TRACE" "$@" -j 1 --symfs symfs "$of" >alone 2>err
	differ=
	for jobs in 2 5 16; do
		"$V9TRACE" "$@" -j $jobs --symfs symfs "$of" >out 2>err
		cmp -s out alone || differ="$differ $jobs"
	done
	if [ -s alone ] && [ -z "$differ" ]; then ok "jobs_$name"
	else not_ok "jobs_$name" "differs with -j$differ"; fi
}
for capture in cpus.80 tasks.1000 turns.1000 maps.1000; do
	any_jobs "report_${capture%.*}" $capture.data report --json --limit 0
	any_jobs "script_${capture%.*}" $capture.data script
done
any_jobs report_gaps gaps.1000.data report --json --limit 0
./grow . shared 20000
any_jobs mem shared.20000.data mem --json --limit 0
any_jobs mem_few shared.20000.data mem
# Lines and pages are divided into parts, which are read one after the other.
any_jobs mem_parts shared.20000.data mem --json --limit 30 --at-once 1000 --passes 0
"$V9TRACE" mem --json --limit 30 -j 2 --symfs symfs shared.20000.data >out 2>err
"$V9TRACE" mem --json --limit 30 -j 2 --symfs symfs --at-once 1000 --passes 0 \
	shared.20000.data >parts 2>err
cmp -s out parts && ok mem_at_once || not_ok mem_at_once "$(cmp out parts)"
# If there would be more than four parts, the lines whose counters of records are the highest are kept. The variables
# are among them, and all others are counted as lost.
any_jobs mem_most shared.20000.data mem --json --limit 1000 --at-once 900
"$V9TRACE" mem --json --limit 1000 -j 2 --symfs symfs --at-once 900 shared.20000.data >most 2>err
wrong=$(python3 -c '
import json
every, most = json.load(open("parts")), json.load(open("most"))
lost = {row["kind"]: row["count"] for row in most["lost"]}
kept = sum(row["samples"] for row in most["lines"])
of = most["summary"]["records"] - most["summary"]["without_address"]
if kept + lost.get("few_lines", 0) != of or not lost.get("few_lines"):
	print(f"{kept} records of lines and {lost} are not {of}")
if not len(most["lines"]) == most["summary"]["lines"] <= 900:
	print(len(most["lines"]), most["summary"])
if most["lines"][:30] != every["lines"]:
	print("other lines")' 2>&1)
[ -z "$wrong" ] && ok mem_few_lines || not_ok mem_few_lines "$wrong"
for capture in rewrites.1000 deep.3000 contexts.100; do
	any_jobs "calls_${capture%.*}" $capture.data report --calls --json --limit 0
	any_jobs "folded_${capture%.*}" $capture.data export --to folded -o -
done
any_jobs cgroups cgroups.100.data report --json --limit 0 --group-by cgroup
# A call tree has 65,536 callers at most. Half of them are dropped in each of the 20 calls to this depth.
./grow_ete . deep 70000
any_jobs too_deep deep.70000.data report --calls
grep -q '^  655,360  callers of calls that are too deep' alone && ok too_deep_is_said || not_ok too_deep_is_said "$(sed -n 2p alone)"
finish
