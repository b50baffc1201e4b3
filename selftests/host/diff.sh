#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace diff of captures that mkcode and mktrace make: of samples shares, their change and the
# confidence, of instructions the exact numbers.
#	UPDATE=1 diff.sh	writes the golden files instead
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
golden=$top/selftests/golden/diff
. selftests/host/suite.inc
. selftests/host/golden.inc
command=diff
own_directory
makers host/mkcapture host/mktrace host/mkcode
captures ./mkcapture .
captures ./mktrace .

# records FILE MATCH COMPRESS LATENCY: samples of the two functions of the program
records() {
	awk -v m="$2" -v c="$3" -v l="$4" 'BEGIN {
		for (i = 0; i < m; i++) print "1400", l, 1, 0, 2, 0, 0
		for (i = 0; i < c; i++) print "1000", 7, 1, 0, 2, 0, 0 }' | ./mkcode "$1" /opt/work 0 0x3000
}
records a.data 30 970 10
records b.data 60 1040 20

golden diff.txt --symfs symfs a.data b.data
golden diff.json --json --symfs symfs a.data b.data
golden diff-executed.txt --symfs symfs trace.data both.data
golden diff-executed.json --json --symfs symfs trace.data both.data
golden diff-by-dso.csv --csv --by dso --symfs symfs a.data good.data
golden diff-confident.txt --confidence 99 --symfs symfs --kallsyms kallsyms good.data damaged.data
golden diff-by-line.txt --by line --symfs symfs a.data b.data

# 30 of 1000, then 60 of 1100: Fisher's exact test says 0.0067 (compare.c)
"$V9TRACE" diff --symfs symfs a.data b.data >out 2>err
grep -q '+2.45 *99.33% *3.00% *5.45% *30 *60 *10.0 *20.0  work *match' out && ok typed_values ||
	not_ok typed_values "$(grep match out)"
# A function with as many entries and other instructions has changed.
golden diff-same-entries.txt --symfs symfs --symbol compress fired.data moved.data
# The same capture: nothing has changed, and the table of instructions is empty.
"$V9TRACE" diff --symfs symfs trace.data trace.data >out 2>err
grep -A 1 '^Changes of the executed' out | grep -q '^  none$' && ok no_change ||
	not_ok no_change "$(tail -n 2 out)"
"$V9TRACE" diff --symfs symfs - b.data <a.data 2>err | sed 1,9d >out
"$V9TRACE" diff --symfs symfs a.data b.data 2>err | sed 1,9d | cmp -s - out && ok from_a_pipe ||
	not_ok from_a_pipe "$(head -n 1 err)"
refuses one_capture 2 "name two captures" a.data
refuses named_capture 2 "name two captures" -i a.data b.data
refuses three_captures 2 "name two captures" a.data b.data a.data
refuses bad_key 2 "--by x: symbol, line or dso" --by x a.data b.data
refuses bad_confidence 2 "not a number from 0 to 100" --confidence 101 a.data b.data
refuses nothing_in_common 1 "have no kind of trace in common" a.data trace.data
refuses no_capture 1 "No such file" a.data nowhere.data
partly nothing_fits 1 "nothing fits the filter" --symfs symfs --tid 4711 a.data b.data
finish
