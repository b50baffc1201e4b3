#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace top: mktop.c gives it the records of captures instead of rings. What it prints without a terminal,
# with --batch and --json; what it refuses; the screen in a pseudo-terminal (top.py).
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
