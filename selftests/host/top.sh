#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace top: mktop.c gives it the records of captures instead of rings. What it prints without a terminal,
# with --batch and --json; what it refuses; attached to a recorder; the screen in a pseudo-terminal (top.py).
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
if ! (cd tools && make -s STATIC=1 PROGRAM=mktop MAIN=../selftests/host/mktop.c) >&2; then
	not_ok build "mktop does not build"
	finish
fi
mktop=$top/build/tools/host/mktop
own_directory
captures "$top/selftests/exports/captures.sh" .

# feed NAME CAPTURE ROUNDS ARGUMENT...: its output is in the files out and err
feed() {
	capture=$1 rounds=$2
	shift 2
	"$mktop" "$capture" 50 "$rounds" "$@" >out 2>err </dev/null
}
# says NAME TEXT FILE; not NAME TEXT FILE
says() { if grep -q -e "$2" "$3"; then ok "$1"; else not_ok "$1" "$(head -c 300 "$3" | tr '\n' '|')"; fi; }
silent() { if ! grep -q -e "$2" "$3"; then ok "$1"; else not_ok "$1" "$(grep -e "$2" "$3" | head -n 1)"; fi; }

feed good.data 3 --symfs symfs
says status_line 'records/s; own cost [0-9.]*% CPU; 0:00:00; arm_spe_0// 1/1024, all CPUs$' out
says hot_function '^ 50.00%      60 .* match$' out
says lost_is_first '^lost: 1 times samples (collision)$' out
if head -n 1 out | grep -q '^lost:'; then ok lost_is_the_first_line; else not_ok lost_is_the_first_line "$(head -n 1 out)"; fi
says all_cpus_by_default '^recorder: -q -a$' err
says warnings_of_the_recorder '^v9trace: lost\|^recorder' err
feed inlined.data 3 --symfs symfs
silent nothing_lost '^lost' out
feed inlined.data 3 --symfs symfs --by line
says by_line '  inlined.c:[0-9]*$' out
feed mem.data 3 --symfs symfs --by object
says by_object '^100.00%      72 .* /opt/work$' out
feed mem.data 3 --by source
says by_source 'DRAM\|memory' out
feed mem.data 3 --by latency
says by_latency '^ 16.67%      12 .* 4 to 7$' out
feed mem.data 3 --by data
says data_needs_lines '^recorder: -q -a --mem$' err
says by_data ' \[ended\]-100 ' out
feed good.data 3 --symfs symfs --filter MATCH
if [ "$(grep -c %.*work out)" = 1 ]; then ok filter; else not_ok filter "$(tr '\n' '|' <out)"; fi
feed good.data 3 --symfs symfs --sort average --limit 1
if [ "$(grep -c '^ *[0-9.]*%' out)" = 1 ]; then ok limit; else not_ok limit "$(tr '\n' '|' <out)"; fi
says sort 'by average latency' out
COLUMNS=80 feed good.data 3 --symfs symfs
if [ -s out ] && [ "$(awk '{ if (length($0) > 80) n++ } END { print n + 0 }' out)" = 0 ]; then ok fits_80_columns
else not_ok fits_80_columns "$(tr '\n' '|' <out)"; fi

# the arguments of the recorder
feed good.data 1 -p 12,34 -e arm_spe_0/min_latency=10/u -c 4096 -m 64,1024 --memory 32M --duration 5
says recorder_of_processes '^recorder: -q -p 12,34 -e arm_spe_0/min_latency=10/u -c 4096 -m 64,1024 --memory 32M --duration 5$' err
says target_of_processes ', PID 12,34$' out
feed good.data 1 -C 0-3
says recorder_of_cpus '^recorder: -q -C 0-3$' err
feed good.data 1 --by data -- program
says recorder_of_data_of_a_command '^recorder: -q --mem -- program$' err
feed good.data 1 -- program --by line
says recorder_of_a_command '^recorder: -q -- program --by line$' err
says target_of_a_command ', program$' out

# iterations, JSON
feed good.data 0 --symfs symfs -d 0.2 -n 3
if [ "$(grep -c 'own cost' out)" = 3 ]; then ok iterations; else not_ok iterations "$(grep -c 'own cost' out)"; fi
feed good.data 3 --symfs symfs -n 9
if [ "$(grep -c 'own cost' out)" = 1 ] && grep -q '  60 .* match$' out; then ok last_iteration; else not_ok last_iteration "$(tr '\n' '|' <out)"; fi
feed good.data 0 --symfs symfs -d 0.2 -n 2 --json
if why=$(python3 -c 'import json
lines = [json.loads(l) for l in open("out")]
assert len(lines) == 2, len(lines)
for l in lines:
    assert l["lost"]["collided"] == 1 and l["evicted"] == 0 and l["period"] == 1024, l
    assert sum(r["samples"] for r in l["rows"]) == l["records"], l
    assert l["rows"][0]["name"] == "match" and l["rows"][0]["object"] == "work", l["rows"][0]
assert lines[0]["records"] < lines[1]["records"] and lines[0]["up_ms"] < lines[1]["up_ms"]' 2>&1)
then ok json; else not_ok json "$(echo "$why" | tail -n 1)"; fi
# rows LIMIT: the numbers of the rows that --json prints, and of all; is there an object? Data sources have none.
rows() {
	feed mem.data 3 --by source --json --limit "$1"
	python3 -c 'import json
l = json.loads(open("out").readline())
print(len(l["rows"]), l["total_rows"], any("object" in r for r in l["rows"]))'
}
if [ "$(rows 2)" = "2 8 False" ]; then ok json_limit; else not_ok json_limit "$(rows 2)"; fi
if [ "$(rows 0)" = "8 8 False" ]; then ok json_without_limit; else not_ok json_without_limit "$(rows 0)"; fi
# Three times the sums that v9trace report has of the capture
feed mem.data 3 --json
says json_weights '"samples":72,"latency_cycles":4374,"issue_cycles":204,"translation_cycles":696,"l1_misses":24,"llc_misses":3,"tlb_walks":6,"mispredictions":0}' out
"$mktop" good.data 50 0 -d 0.1 2>err </dev/null | head -n 3 >out
if [ "$(wc -l <out)" = 3 ]; then ok reader_that_leaves; else not_ok reader_that_leaves "$(wc -l <out)"; fi

# ---- what is refused
command=top
refuses no_such_option 2 'no such option' --nosuch
refuses no_such_rows 2 'wanted is function, line, object, data, source or latency' --by lines
refuses no_such_order 2 'wanted is samples, latency, average, l1, llc, tlb or branch' --sort time
refuses delay_of_nothing 2 'seconds from 0.1' -d 0
refuses argument_is_missing 2 'an argument is missing' -n
refuses no_number 2 'iterations' -n x
refuses two_targets 2 'only one of -a, -C, -p, -t' -a -p 1
refuses no_such_event 1 'unknown event' -e nosuch -- true
refuses no_trace_of_instructions 2 'min\|only SPE\|no such PMU' -e cpu-clock -- true
# ---- attached to a recorder, which is found by its name and its socket
mkdir recorder attached
cp "$mktop" recorder/v9trace
# start CAPTURE [OPTION]...: a recorder with a period of 2048
start() {
	capture=$1
	shift
	V9_SERVE=$PWD/attached/v9trace.socket V9_PERIOD=2048 recorder/v9trace "$capture" 50 0 -b -d 100 -a "$@" \
		>recorder.out 2>&1 </dev/null &
	recorder=$!
	for _ in $(seq 100); do
		[ ! -S attached/v9trace.socket ] || break
		sleep 0.05
	done
}
# stop: the recorder ends
stop() {
	kill "$recorder"
	wait "$recorder"
}
# ends NAME WANTED STATUS
ends() { if [ "$3" = "$2" ]; then ok "$1"; else not_ok "$1" "status $3: $(tr '\n' '|' <err)"; fi; }

start good.data
feed good.data 1 --symfs symfs -n 2 -d 0.3
ends attaches_by_itself 0 $?
says attached_head "^attached to PID $recorder (sh -c work); [0-9]* records/s; cost [0-9.]*% CPU, own [0-9.]*%; 0:00:0[0-9]; arm_spe_0// 1/2048$" out
says attached_rows '^ 50.00% .* match$' out
says attached_losses '^lost: 1 times samples (collision)$' out
silent no_recording_of_its_own '^recorder:' err
feed good.data 1 --attach=attached --by source -n 1 -d 0.3
feed good.data 1 --attach=attached --by source -n 1 -d 0.3
says attached_by_source 'level 2 cache$' out
feed good.data 1 --attach="$PWD/attached/v9trace.socket" --by latency -n 1 -d 0.3
says attached_by_latency ' 4 to 7$\|to [0-9]*$' out
feed good.data 1 --attach -n 2 -d 0.3 --json --symfs symfs
if why=$(python3 -c 'import json, sys
lines = [json.loads(l) for l in open("out")]
assert len(lines) == 2, len(lines)
for l in lines:
    assert l["target"] == "sh -c work" and l["paused"] is False, l
    assert l["attached_to"] == int(sys.argv[1]) and l["period"] == 2048 and l["budget_ppm"] == 0, l
    assert sum(r["samples"] for r in l["rows"]) == l["records"], l
    assert 500 < l["records_per_second"] < 3000 and l["recorder_cpu_permille"] < 5000, l
assert lines[0]["records"] < lines[1]["records"]' "$recorder" 2>&1)
then ok attached_json; else not_ok attached_json "$(echo "$why" | tail -n 1)"; fi
# For a while the socket cannot be reached: there is a warning, no end, and no peak of the rates afterwards.
ln -s attached way
"$mktop" good.data 50 0 --attach=way/v9trace.socket --json -d 0.2 -n 12 >out 2>err </dev/null &
shown=$!
sleep 0.8
ln -s way next
mv -T next way
sleep 2.5
ln -s attached next
mv -T next way
wait $shown
ends outage_is_no_end 0 $?
says outage_is_said 'way/v9trace.socket: Too many levels of symbolic links' err
if why=$(python3 -c 'import json
lines = [json.loads(l) for l in open("out")]
assert len(lines) == 12, len(lines)
assert max(b["up_ms"] - a["up_ms"] for a, b in zip(lines, lines[1:])) > 1500, "there was no outage"
assert max(l["records_per_second"] for l in lines) < 5000, [l["records_per_second"] for l in lines]' 2>&1)
then ok rates_after_an_outage; else not_ok rates_after_an_outage "$(echo "$why" | tail -n 1)"; fi
feed good.data 1 --attach --duration 0.5 -d 0.2
ends attached_for_a_time 0 $?
# As long as a recording may last, and as short
feed good.data 1 --attach --duration 0.05
ends attached_for_a_short_time 0 $?
feed good.data 1 --attach --duration 0.0000001
ends attached_for_the_shortest_time 0 $?
feed good.data 1 --attach --duration 86401 -n 1 -d 0.1
ends attached_for_more_than_a_day 0 $?
refuses attached_for_no_time 2 '--duration 0: wanted are seconds' --attach --duration 0
refuses attached_for_nan 2 '--duration nan: wanted are seconds' --attach --duration nan
feed good.data 1 -c 4096
says recorder_options_record '^recorder: -q -c 4096 -a$' err
"$mktop" good.data 50 0 --attach -d 0.2 >out 2>err </dev/null &
shown=$!
sleep 1
kill -INT $shown
wait $shown
ends attached_ctrl_c 0 $?
"$mktop" good.data 50 0 --attach -d 0.1 2>err </dev/null | head -n 3 >out
if [ "$(wc -l <out)" = 3 ]; then ok attached_reader_that_leaves; else not_ok attached_reader_that_leaves "$(wc -l <out)"; fi
feed good.data 1 --attach --by data -n 1
ends attached_without_lines 1 $?
says attached_without_lines_is_said "^v9trace: the recorder (PID $recorder) has no sums by cache line" err
# By its PID
feed good.data 1 --attach="$recorder" -n 1 -d 0.1
ends attached_by_pid 0 $?
feed good.data 1 --attach=1 -n 1 -d 0.1
says attached_to_another_program 'PID 1 is no recorder of this user with a socket' err
command=top
refuses attach_with_a_target 2 '--attach: -a: the recorder has events' --attach -a
refuses attach_with_a_command 2 '--attach: true: the recorder has events' --attach true
refuses attach_nowhere 1 'nowhere.socket: no recorder listens there' --attach=nowhere
"$mktop" good.data 1 0 --attach -d 0.2 >out 2>err </dev/null &
shown=$!
sleep 1
stop
wait $shown
ends recorder_ends 1 $?
says recorder_ends_is_said "^v9trace: the recorder (PID $recorder) has ended$" err
refuses attach_to_none 1 'no recorder of this user was found' --attach
# An interval of 25 rounds of 40 records: the sums begin anew with each, and there is no peak of the rate.
export V9_ROUNDS=25
start good.data
unset V9_ROUNDS
feed good.data 1 --attach -n 10 -d 0.2 --json
if why=$(python3 -c 'import json
lines = [json.loads(l) for l in open("out")]
pairs = list(zip(lines, lines[1:]))
assert len(lines) == 10, len(lines)
assert max(l["records"] for l in lines) <= 1000, [l["records"] for l in lines]
assert any(a["records"] > b["records"] and a["up_ms"] > b["up_ms"] for a, b in pairs), "no new interval"
assert max(l["records_per_second"] for l in lines) < 5000, [l["records_per_second"] for l in lines]' 2>&1)
then ok attached_over_intervals; else not_ok attached_over_intervals "$(echo "$why" | tail -n 1)"; fi
stop
export V9_PAUSED=1
start good.data
unset V9_PAUSED
feed good.data 1 --attach -n 1 -d 0.1
says attached_to_a_paused_one "^attached to PID $recorder (sh -c work), which is paused; " out
feed good.data 1 --attach -n 1 -d 0.1 --json
says attached_to_a_paused_one_json '"target":"sh -c work","paused":true' out
stop
start mem.data --mem
feed mem.data 1 --attach --by data -n 1 -d 0.3
says attached_by_data ' \[ended\]-100 ' out
stop

python3 "$top/selftests/host/top.py" "$mktop" "$dir" >screen.tap
while read -r result _ _ name; do
	case $result in
	ok) ok "$name" ;;
	not) not_ok "${name%% *}" "${name#* # }" ;;
	esac
done <<END
$(grep -E '^(not )?ok' screen.tap | sed 's/^not ok [0-9]* - /not 0 - /')
END
grep -q '^1\.\.[1-9]' screen.tap || not_ok screen "top.py did not come to its end"
finish
