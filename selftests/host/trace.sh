#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace report, script and dump on captures of instruction traces that mktrace.c makes. The output
# is that in golden/trace. Traces that are truncated or corrupt at any byte are read without a
# crash, and each byte is accounted for. Many AUX records take little time.
#	UPDATE=1 trace.sh	writes the golden files instead
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
golden=$top/selftests/golden/trace
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
makers host/mkcapture host/mktrace
captures ./mkcapture .
captures ./mktrace .

golden report.txt report --calls --symfs symfs trace.data
golden report.json report --calls --json --symfs symfs trace.data
golden report-callers.txt report --callers --symfs symfs trace.data
golden report-calls-of.txt report --calls-of match --symfs symfs trace.data
golden report-calls-of.json report --calls-of compress --json --symfs symfs moved.data
golden script-calls.txt script --calls-timeline --symfs symfs trace.data
golden script-calls.json script --calls-timeline --json --symfs symfs trace.data
golden script-calls-moved.txt script --calls-timeline --symfs symfs moved.data
golden script-calls-damaged.txt script --calls-timeline --symfs symfs trace-damaged.data
golden script-calls-both.txt script --calls-timeline --symfs symfs both.data
golden report-moved.txt report --calls --limit 0 --symfs symfs moved.data
golden report-waits.txt report --waits --symfs symfs waits.data
golden report-waits.json report --waits --json --symfs symfs waits.data
golden report-wakes.txt report --waits --symfs symfs wakes.data
golden report-wakes.json report --waits --json --symfs symfs wakes.data
golden report-waits-of-spe.txt report --waits --symfs symfs cgroups.data
golden report-waits-of-one.txt report --waits --tid 101 --symfs symfs waits.data
refuses waits_without_switches 1 "holds no switches" report --waits --symfs symfs trace.data
refuses waits_of_a_function 2 "needs all that a thread executes" report --waits --symbol match waits.data
for c in fired never stopped; do
	golden report-$c.txt report --symfs symfs $c.data
	golden script-$c.txt script --symfs symfs $c.data
done
# CPU, end and length of each snapshot; a count of the counter is 16 ns
"$V9TRACE" report --json --symfs symfs snapshots.data >got 2>err
python3 -c 'import json
print(*((r["cpu"], r["until_ns"] and r["until_ns"] - 5000000000, r["history_ns"]) for r in json.load(open("got"))["snapshots"]))' >line
[ "$(cat line)" = '(0, 22400, 6400) (0, 40000, 8000) (1, 41600, 27200) (1, None, None)' ] && ok snapshots ||
	not_ok snapshots "$(cat line err | head -n 1)"
golden script-fired.json script --json --symfs symfs fired.data
golden report-fired.json report --json --symfs symfs fired.data
"$V9TRACE" script --symfs symfs fired.data 2>&1 >/dev/null | grep -q truncated &&
	not_ok fired_is_not_truncated "script says so" || ok fired_is_not_truncated
"$V9TRACE" script --symfs symfs stopped.data 2>&1 >/dev/null | grep -q '1 AUX records truncated' &&
	ok stopped_is_truncated || not_ok stopped_is_truncated "script does not say so"
golden report-groups.txt report --group-by comm,cpu,symbol --symfs symfs trace.data
golden report-lines.txt report --group-by line,symbol --histogram --symfs symfs trace.data
golden report-groups-damaged.txt report --group-by tid,dso,symbol --symfs symfs trace-damaged.data
golden report-by-symbol.txt report --sort symbol --symfs symfs trace.data
golden report-of-a-symbol.txt report --symbol match,_start --dso work --symfs symfs trace.data
golden script-of-a-symbol.txt script --ranges --symbol match --symfs symfs trace.data
golden report-damaged.txt report --symfs symfs trace-damaged.data
golden report-other-build-id.txt report --symfs other trace.data
golden script.txt script --symfs symfs trace.data
golden script-insn.txt script --insn --symfs symfs trace.data
golden script-ranges.txt script --ranges --symfs symfs trace.data
golden script.json script --json --symfs symfs trace.data
golden script-damaged.txt script --ranges --symfs symfs trace-damaged.data
golden dump.txt dump trace.data
golden report-both.txt report --symfs symfs both.data
golden report-both.json report --json --symfs symfs both.data
golden script-both.txt script --symfs symfs both.data
golden dump-both.txt dump both.data
for c in kernel no-kernel exec written jit; do
	golden report-$c.txt report --symfs symfs $c.data
	golden script-$c.txt script --ranges --symfs symfs $c.data
done
golden report-marks.txt report --symfs symfs marks.data
golden report-marks.json report --json --symfs symfs marks.data
golden script-marks.txt script --symfs symfs marks.data
golden script-marks.json script --json --symfs symfs marks.data
golden script-calls-marks.txt script --calls-timeline --symfs symfs marks.data
golden export-chrome-marks.json export --to chrome -o - --weight time --symfs symfs marks.data
golden report-branch-marks.txt report --symfs symfs branch-marks.data
golden script-branch-marks.txt script --symfs symfs branch-marks.data
golden script-branch-marks.json script --json --symfs symfs branch-marks.data
golden script-calls-branch-marks.txt script --calls-timeline --symfs symfs branch-marks.data
golden export-chrome-branch-marks.json export --to chrome -o - --weight time --symfs symfs branch-marks.data
"$V9TRACE" export --to csv -o tables --symfs symfs branch-marks.data 2>/dev/null
if [ "$(grep -c ',mark,' tables/events.csv) $(grep -c ',mark_cut,' tables/events.csv)" = "9 1" ]; then ok events_of_marks
else not_ok events_of_marks "$(grep -c ',mark' tables/events.csv) rows"; fi
# A unit that speculates commits later: behind code that was replaced, in the next AUX record, in that of another task.
# Code and times are those of the place where the instructions were traced.
for of in 'jit 5' 'two-records 4' 'two-tasks 3'; do
	"$V9TRACE" script --ranges --symfs symfs "${of% *}.data" >want 2>err
	"$V9TRACE" script --ranges --symfs symfs "${of% *}-committed.data" >out 2>err
	if [ "$(wc -l <want)" -gt "${of#* }" ] && cmp -s want out; then ok "committed_later_${of% *}"
	else not_ok "committed_later_${of% *}" "$(diff want out | head -n 3 | tr '\n' '|')"; fi
done
golden script-calls-jit.txt script --calls-timeline --symfs symfs jit.data
golden dump-damaged.txt dump trace-damaged.data
# shows: ETE-R_BWHCS
golden dump-instrumentation.txt dump instrumented.data
golden script-instrumentation.txt script --symfs symfs instrumented.data
golden script-instrumentation.json script --json --symfs symfs instrumented.data
golden script-instrumentation-ranges.txt script --ranges --symfs symfs instrumented.data
golden report-instrumentation.txt report --symfs symfs instrumented.data

# count NAME WANT OPTIONS: the number of lines that match the filter
count() {
	name=$1 want=$2
	shift 2
	got=$("$V9TRACE" script --insn --symfs symfs "$@" 2>err | grep -c ' el0 [0-9a-f]* ')
	if [ "$got" -eq "$want" ]; then ok "$name"; else not_ok "$name" "$got lines, want $want"; fi
}
count all 21 trace.data
count filter_cpu 3 --cpu 1 trace.data
count filter_tid 21 --tid 100 trace.data
count filter_nobody 0 --comm nobody trace.data

refuses insn_of_spe 1 "holds no trace of instructions" script --insn good.data
refuses no_unit 1 "describes its trace units" report ete.data
refuses sort_of_spe 1 "^v9trace: --sort latency: a trace of instructions has none" \
	report --sort latency --symfs symfs trace.data
refuses calls_of_a_part 2 "needs all that a thread executes" report --calls --symbol match trace.data
refuses callers_of_a_part 2 "^v9trace: --callers: a call tree needs" report --callers --el 0 trace.data
refuses calls_timeline_of_a_part 2 "needs all that a thread executes\|need all that a thread executes" \
	script --calls-timeline --symbol match trace.data
partly calls_of_nobody 1 "^v9trace: --calls-of nobody: trace.data has no call of it" \
	report --calls-of nobody --symfs symfs trace.data
refuses raw_kind 2 "spe or ete" dump --raw=x trace.data

printf '\000\000\000\000\000\000\000\000\000\000\000\200\001\000\004\367' >raw
"$V9TRACE" dump --raw=ete raw >out 2>err
[ "$(grep -c -e 'Alignment' -e 'Trace Info' -e 'Trace On' -e 'Atom format 1 E' out)" -eq 4 ] &&
	ok raw || not_ok raw "$(tr '\n' '|' <out)"

# A window that stays empty leaves the padding up to its alignment, which is in no AUX record.
"$V9TRACE" report --symfs symfs trace-padded.data >out 2>err
grep -q 'nothing: no truncation' out && ok padding_at_the_end ||
	not_ok padding_at_the_end "$(grep 'not part of' out)"
"$V9TRACE" report --symfs symfs trace-unclaimed.data >out 2>err
grep -q '8  AUX bytes not part of any AUX record' out && ok unclaimed_at_the_end ||
	not_ok unclaimed_at_the_end "$(sed -n 2p out)"
for capture in parts overlap; do
	"$V9TRACE" script --symfs symfs trace-$capture.data >$capture.txt 2>err
	"$V9TRACE" report --symfs symfs trace-$capture.data >$capture.out 2>err
done
[ "$(wc -l <parts.txt)" -gt 10 ] && cmp -s parts.txt overlap.txt && ok overlapping_data_is_read_once ||
	not_ok overlapping_data_is_read_once "$(diff parts.txt overlap.txt | sed -n 2p)"
grep -q '24  AUX bytes not part of any AUX record' overlap.out && ! grep -q 'AUX bytes not' parts.out &&
	ok overlapping_data_is_counted || not_ok overlapping_data_is_counted "$(sed -n 2p overlap.out)"

# The file is truncated at each byte, or an AUX byte is changed: no crash, and each byte is
# accounted for.
size=$(wc -c <trace.data)
first=$("$V9TRACE" dump trace.data | sed -n 's/ .*AUXTRACE: size.*//p' | head -n 1)
first=$((first + 48))
bad=0 at=0
while [ $at -lt "$size" ]; do
	head -c $at trace.data >cut
	"$V9TRACE" report --symfs symfs cut >/dev/null 2>err
	[ $? -le 1 ] && ! grep -q 'not accounted' err || bad=$((bad + 1))
	at=$((at + 1))
done
[ $bad -eq 0 ] && ok cut_anywhere || not_ok cut_anywhere "$bad cuts"
bad=0 at=0
while [ $at -lt 80 ]; do
	for byte in 000 200 005 377; do
		cp trace.data hurt
		printf "\\$byte" | dd of=hurt bs=1 seek=$((first + at)) conv=notrunc 2>/dev/null
		"$V9TRACE" report --calls --symfs symfs hurt >/dev/null 2>err &&
			! grep -q 'not accounted' err || bad=$((bad + 1))
	done
	at=$((at + 3))
done
[ $bad -eq 0 ] && ok damaged_anywhere || not_ok damaged_anywhere "$bad of them: $(tail -n 1 err)"

# The section of code is truncated or changed at each byte: it is read, or reported as damaged.
size=$(wc -c <kernel.data)
bad=0 at=$((size - 400))
while [ $at -lt "$size" ]; do
	head -c $at kernel.data >cut
	cp kernel.data hurt
	printf '\377' | dd of=hurt bs=1 seek=$at conv=notrunc 2>/dev/null
	for f in cut hurt; do
		"$V9TRACE" report --symfs symfs $f >/dev/null 2>err
		[ $? -le 1 ] && ! grep -q 'not accounted' err || bad=$((bad + 1))
	done
	at=$((at + 3))
done
[ $bad -eq 0 ] && ok code_damaged_anywhere || not_ok code_damaged_anywhere "$bad of them"

# The time is proportional to the number of AUX records: 32000 are read in a few seconds.
./mktrace . 32000
if timeout 20 "$V9TRACE" report --symfs symfs long.data >out 2>err &&
   grep -q 'instructions  *576000' out && grep -q 'nothing: no truncation' out; then
	ok many_records
else
	not_ok many_records "status $?, $(grep instructions out | head -n 1)"
fi

# The output does not depend on the number of threads or the size of the pieces.
ways="2,1 3,100 2,4096 16"
threads() {	# NAME FILE COMMAND...
	test=$1 file=$2 differ=
	shift 2
	"$V9TRACE" "$@" -j 1 --symfs symfs "$file" >alone 2>err
	for way in $ways; do
		"$V9TRACE" "$@" -j $way --symfs symfs "$file" >out 2>err
		cmp -s alone out || differ="$differ $way"
	done
	[ -s alone ] && [ -z "$differ" ] && ok "$test" || not_ok "$test" "differs with -j$differ"
}
for f in trace trace-damaged both kernel no-kernel exec written steady snapshots; do
	name=$(echo $f | tr - _)
	threads threads_report_$name $f.data report --limit 0
	threads threads_json_$name $f.data report --json
	threads threads_calls_$name $f.data report --calls
	differ=
	"$V9TRACE" export --to folded -j 1 -o alone.folded --symfs symfs $f.data 2>err
	for way in $ways; do
		"$V9TRACE" export --to folded -j $way -o way.folded --symfs symfs $f.data 2>err
		cmp -s alone.folded way.folded || differ="$differ $way"
	done
	[ -s alone.folded ] && [ -z "$differ" ] && ok threads_folded_$name ||
		not_ok threads_folded_$name "differs with -j$differ"
	threads threads_script_$name $f.data script --ranges
done
bad=0 at=1
ways="2,1"
while [ $at -lt 60 ]; do
	cp steady.data hurt
	printf "\\$((at % 4))$((at % 8))$((at / 8))" |
		dd of=hurt bs=1 seek=$((2000 + at * 2039)) conv=notrunc 2>/dev/null
	"$V9TRACE" report -j 1 --symfs symfs hurt >alone 2>/dev/null
	"$V9TRACE" report -j 2,1 --symfs symfs hurt >out 2>/dev/null
	cmp -s alone out || bad=$((bad + 1))
	at=$((at + 1))
done
[ $bad -eq 0 ] && ok threads_damaged || not_ok threads_damaged "$bad of them differ"
refuses jobs_none 2 "at least one" report -j 0 trace.data
refuses jobs_word 2 "not a number" script --jobs many trace.data

# The pipe layout, through a pipe and compressed, gives the same output.
"$V9TRACE" report --calls --symfs symfs trace.data >alone 2>err
reads() {	# NAME COMMAND...: its output is that of trace.data
	name=$1
	shift
	"$@" >out 2>err
	[ $? -eq 0 ] && cmp -s alone out && [ ! -s err ] && ok "$name" ||
		not_ok "$name" "$(head -n 1 err) $(diff alone out | sed -n 2p)"
}
report() { "$V9TRACE" report --calls --symfs symfs "$@"; }
through() { file=$1; shift; cat "$file" | report "$@"; }
standard_input() { report - <trace.data; }
fifo() { mkfifo fifo && { cat piped.data >fifo & } && report fifo; }
reads pipe through trace.data -
reads pipe_named through trace.data -i -
reads pipe_layout through piped.data -
reads pipe_layout_in_a_file report piped.data
reads pipe_fifo fifo
reads standard_input standard_input
reads packed report -i packed.data
reads packed_through_a_pipe through packed.data -
"$V9TRACE" report --calls --symfs symfs /dev/null >out 2>err
grep -q 'not a regular file' err && ok device_refused || not_ok device_refused "$(head -n 1 err)"
"$V9TRACE" script --symfs symfs packed.data >out 2>err
"$V9TRACE" script --symfs symfs trace.data | cmp -s - out && [ -s out ] && ok packed_script ||
	not_ok packed_script "$(head -n 1 err)"
# A small compressed record that claims a large size may not allocate more than the maximum size of
# a record. Sizes are KiB of address space.
if (ulimit -v 400000; "$static" report --symfs symfs bomb.data >out 2>err); then
	not_ok packed_bomb "accepted"
else
	grep -q 'cannot be decompressed' err && ok packed_bomb || not_ok packed_bomb "$(head -n 1 err)"
fi
bad=0
for f in packed piped; do
	size=$(wc -c <$f.data)
	at=20
	while [ $at -lt "$size" ]; do
		head -c $at $f.data >cut
		cp $f.data hurt
		printf '\377' | dd of=hurt bs=1 seek=$at conv=notrunc 2>/dev/null
		for g in cut hurt; do
			"$V9TRACE" report --symfs symfs $g >/dev/null 2>err
			[ $? -le 1 ] && ! grep -q 'not accounted' err || bad=$((bad + 1))
		done
		at=$((at + 29))
	done
done
[ $bad -eq 0 ] && ok packed_damaged_anywhere || not_ok packed_damaged_anywhere "$bad of them"

# After an exec the code at the same addresses is that of another program and is counted there.
mkdir -p twice/opt && cp symfs/opt/work twice/opt/work && cp symfs/opt/work twice/opt/other
"$V9TRACE" report --symfs twice exec.data >out 2>err
for program in work other; do
	grep -q " 25.00%  *3  *1  $program  *compress" out &&
		ok report_exec_$program || not_ok report_exec_$program "$(grep compress out | head -n 1)"
done

# So it is where the unit is late with its timestamps (mktrace.c). Instructions of compress() in the program before the
# exec, and in the one after it:
late() {	# NAME BEFORE AFTER
	"$V9TRACE" report --symfs twice exec-$1.data >out 2>err
	got=$(awk '$NF == "compress" { n[$4] += $2 } END { print n["work"] + 0, n["other"] + 0 }' out)
	[ "$got" = "$2 $3" ] && ok report_exec_$1 || not_ok report_exec_$1 "got $got"
}
late late 3 3
late signal 3 6
late marker 3 6
late entry 3 6
late task 6 3

"$V9TRACE" dump --code vdso_only no-kernel.data >out 2>err
grep -q 'holds no code of the kernel: /proc/kcore cannot be read: no$' out && ok code_without_kernel ||
	not_ok code_without_kernel "$(head -n 2 out | tr '\n' '|')"

# Files that dump extracts from a capture can be read by their owner only, as the capture.
"$V9TRACE" dump --code saved kernel.data >out 2>err
files=$(find saved -type f | wc -l)
if [ "$files" -ge 2 ] && [ -z "$(find saved -type f ! -perm 600)" ]; then
	ok code_is_private
else
	not_ok code_is_private "$files files, $(find saved -type f ! -perm 600 | head -n 1)"
fi

# The extracted code of the kernel is an ELF file. It also has the code that the capture marks as patched.
"$V9TRACE" report --kcore saved/kcore kernel.data >out 2>err
if [ ! -s err ] && grep -q 'every instruction found' out && grep -q '^  instructions  *8$' out; then
	ok extracted_kernel_code
else
	not_ok extracted_kernel_code "$(cat err; sed -n '/instructions/p' out | head -n 1)"
fi

# A capture names a program by a path that is a pipe on this machine. It is not opened, because
# open() would block.
program=$(cd symfs && find . -type f | head -n 1)
mkdir -p "piped/${program%/*}" && mkfifo "piped/$program"
if timeout 20 "$V9TRACE" report --symfs piped trace.data >out 2>err &&
   grep -q 'Objects without code' out; then
	ok pipe_for_a_program
else
	not_ok pipe_for_a_program "status $?, $(head -n 1 err)"
fi

# A reader that closes the pipe is no error, also if the parent process ignores SIGPIPE.
(trap '' PIPE; "$V9TRACE" script --insn --symfs symfs long.data 2>err | head -n 1 >out)
[ -s out ] && ! [ -s err ] && ok reader_leaves || not_ok reader_leaves "output $(head -n 1 err)"

finish
