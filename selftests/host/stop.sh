#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Ctrl-C while v9trace reads a capture: the report has what was read before the signal, and says that it is incomplete.
# mkstop.c sends the signal at a known step.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
if ! make -s -C tools STATIC=1 PROGRAM=mkstop MAIN=../selftests/host/mkstop.c OUT="$top/build/host/stop.build" \
	BASE="$(readlink -f build/tools/host)" \
	LDFLAGS='-Wl,--wrap=v9_session_next -Wl,--wrap=v9_walk_to -Wl,--wrap=v9_progress_begin' >&2; then
	not_ok build "mkstop does not build"
	finish
fi
mkstop=$top/build/host/stop.build/mkstop
own_directory
makers bench/mkspe host/mktrace
captures ./mkspe spe.data 300000
captures ./mktrace . 20000
captures ./mktrace .
makers host/mkcapture
captures ./mkcapture .

# stopped STEP COMMAND...: interrupts the command at that step. Its output is in the files out and err, its exit
# status in $status.
stopped() {
	at=$1
	shift
	V9_STOP_AT=$at "$mkstop" "$@" >out 2>err
	status=$?
}
# fact TITLE: prints the first number after this title in the output
fact() { sed -n "s/^  $1 *\([0-9][0-9]*\).*/\1/p" out | head -n 1; }
not_read() { sed -n 's/^ *\([0-9,]*\)  AUX bytes not read: interrupted.*/\1/p' out | head -n 1 | tr -d ,; }
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2, not $3"; fi; }
# marked NAME: checks the exit status, the first row of Lost, and the warning of an interrupted report
marked() {
	is "$1_status" $status 1
	if [ "$(sed -n '1p' out)" = Lost ] && sed -n 2p out | grep -q 'AUX bytes not read: interrupted'; then
		ok "$1_is_said_first"
	else
		not_ok "$1_is_said_first" "$(sed -n '1,3p' out | tr '\n' '|')"
	fi
	is "$1_warns" "$(cat err)" "v9trace: warning: interrupted: the report is of what was read until then"
}

# SPE: the signal takes effect at the next multiple of 65,536 records. The bytes of all other records are not read.
for command in report mem; do
	stopped 100000 $command -j 1 spe.data
	marked ${command}_of_records
	is ${command}_records "$(fact records)" 131072
	# Up to the padding after the last one
	is ${command}_bytes_not_read $(($(not_read) / 64)) $((300000 - 131072))
done
stopped 100000 report -j 1 --json spe.data
if grep -q '{"count":[1-9][0-9]*,"kind":"unread_stopped"' out && [ $status = 1 ]; then
	ok json_says_so
else
	not_ok json_says_so "status $status"
fi
stopped 100000 report -j 1 --csv spe.data
is csv_says_so "$(grep -c '^lost,[1-9][0-9]*,unread_stopped,' out)" 1
# No selected record was read before the signal: there is no error about the filter.
for command in report mem; do
	stopped 1 $command --cpu 3 -j 1 spe.data
	is ${command}_nothing_selected "$status $(cat err)" \
		"1 v9trace: warning: interrupted: the report is of what was read until then"
done
# mem reads the records several times if it cannot keep all cache lines at once. The first pass, or a later one, is
# interrupted.
parts_left() { sed -n 's/^ *\([0-9,]*\)  parts of the cache lines not added up: interrupted.*/\1/p' out; }
stopped -1 mem -j 1 --at-once 5000 --passes 0 spe.data
is passes_of_all "$status $(parts_left)" '0 '
stopped 100000 mem -j 1 --at-once 5000 --passes 0 spe.data
marked first_pass
if [ "$(parts_left)" -gt 1 ]; then ok first_pass_parts; else not_ok first_pass_parts "$(parts_left)"; fi
stopped 400000 mem -j 1 --at-once 5000 --passes 0 spe.data
is second_pass "$status $(not_read)" '1 '
left=$(parts_left)
if [ "$left" -gt 1 ]; then ok second_pass_parts; else not_ok second_pass_parts "$left"; fi
stopped 700000 mem -j 1 --at-once 5000 --passes 0 spe.data
is third_pass_parts "$(parts_left)" $((left - 1))
# If there are too many parts, the first pass counts the records of all lines, and the second one keeps some. All
# records that were read in the first pass are of lines that are shown or left out.
for at in 100000 400000; do
	stopped $at mem -j 1 --json --limit 1000 --at-once 500 spe.data
	is counted_$at "$status $(python3 -c '
import json
out = json.load(open("out"))
lost = {row["kind"]: row["count"] for row in out["lost"]}
of = sum(out["summary"][what] for what in ("loads", "stores", "atomics")) - out["summary"]["without_address"]
kept = sum(row["samples"] for row in out["lines"])
print(lost["few_lines"] + kept - of, lost["few_lines"] > 0, kept > 0, lost["parts_stopped"] > 0)')" \
		"1 0 True $([ $at = 100000 ] && echo False || echo True) True"
done
stopped 100000 report -j 3 spe.data
marked threads_of_records
is all_is_read_or_not $(($(fact records) + $(not_read) / 64)) 300000
is nothing_was_skipped "$(grep -c ', 0 skipped' out)" 1
stopped -1 report -j 1 spe.data
is not_interrupted "$status $(fact records) $(cat err)" '0 300000 '
stopped 1 report -j 1 spe.data
is first_record "$status $(fact records)" '1 65536'
# All records were read before the signal takes effect.
stopped 299999 report -j 1 spe.data
is last_record "$status $(fact records) $(cat err)" '0 300000 '

# ETE: each AUX record has 80 bytes and two exceptions. The AUX record of the step with the signal is not decoded.
stopped 5000 report -j 1 long.data
marked report_of_trace
is a_quarter "$(fact exceptions) $(not_read)" "$((4999 * 2)) $((15001 * 80))"
stopped 10000 report -j 1 --calls long.data
marked calls
is a_half "$(fact exceptions) $(not_read)" "$((9999 * 2)) $((10001 * 80))"
# Several threads, or two CPUs in the order of time: some of the trace is not read.
all=$("$V9TRACE" report -j 1 steady.data | sed -n 's/^  branches not followed *\([0-9]*\).*/\1/p')
for how in '-j 4' --calls; do
	name=steady$(echo "$how" | tr -d '\055' | sed 's/^/_/; s/ /_/g')
	# shellcheck disable=SC2086
	stopped 2 report $how steady.data
	is "${name}_status" $status 1
	some=$(fact 'branches not followed')
	if [ "$(not_read)" -gt 0 ] && [ "${some:-0}" -lt "$all" ]; then
		ok "${name}_a_part"
	else
		not_ok "${name}_a_part" "$some of $all"
	fi
done
stopped 2 report --calls-of main steady.data
is no_call_so_far "$status $(cat err)" "1 v9trace: warning: interrupted: the report is of what was read until then"
# A capture of both units: all SPE records were read, and none of the trace.
stopped 1 report both.data
is both_status $status 1
bytes=$("$V9TRACE" report --json both.data | sed 's/.*"ete_summary":{[^}]*"aux_bytes":\([0-9]*\).*/\1/')
is both_not_read "$(not_read)" "$bytes"

# PMU counts are of the whole recording. A report that was interrupted does not compare its records with them.
stopped 1 report counts.data
is check_of_all "$status $(grep -c '^Check' out)" '0 1'
stopped 0 report counts.data
is no_check_of_a_part "$status $(grep -c '^Check' out)" '1 0'
is nothing_was_read "$(not_read)" 2560
for command in 'report trace.data' 'mem good.data' 'report --calls trace.data'; do
	# shellcheck disable=SC2086
	stopped 0 $command
	is "nothing_of_$(echo "$command" | tr -d ' .\055')" "$status $(sort -u err)" \
		"1 v9trace: warning: interrupted: the report is of what was read until then"
done

# A second SIGINT ends the command. Other commands, and --waits, end at the first one.
V9_STOP_AGAIN=100001 stopped 100000 report -j 1 spe.data
is twice $status 130
stopped 100000 script -j 1 spe.data
is other_commands $status 130
stopped 1 report --waits waits.data
is waits $status 130
# If SIGINT is ignored, it remains ignored.
(trap '' INT; stopped 100000 report -j 1 spe.data; echo "$status $(fact records)" >ignored)
is ignored "$(cat ignored)" '0 300000'
finish
