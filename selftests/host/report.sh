#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace report, script and dump on captures that mkcapture.c makes. The output is that in
# golden/report. Each file that cannot be read gives an error of one line.
#	UPDATE=1 report.sh	writes the golden files instead
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
golden=$top/selftests/golden/report
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
makers host/mkcapture host/mkrecords
captures ./mkcapture .
symbols="--symfs symfs --kallsyms kallsyms"

golden report.txt report $symbols good.data
golden report.json report --json $symbols good.data
golden report.csv report --csv $symbols good.data
COLUMNS=60 golden report-60-columns.txt report $symbols good.data
golden report-by-latency.txt report --sort latency --limit 2 $symbols good.data
golden report-damaged.txt report $symbols damaged.data
golden report-other-build-id.txt report --symfs other good.data
# same NAME OPTIONS: the same names with another source of symbols
same() {
	name=$1
	shift
	if "$V9TRACE" report "$@" good.data 2>err | cmp -s - "$golden/report.txt"; then
		ok "$name"
	else
		not_ok "$name" "other names than by symfs and kallsyms; $(tail -n 1 err)"
	fi
}
same report_by_vmlinux --symfs symfs --vmlinux vmlinux
same report_by_debug_dir --debug-dir debug --kallsyms kallsyms
# A copy of perf's cache: a directory, reached by a link, for each build-id.
mkdir -p cache/.build-id/de cache/opt/work/1
ln -s ../../opt/work/1 cache/.build-id/de/adbeef05060708090a0b0c0d0e0f1011121314
cp symfs/opt/work cache/opt/work/1/elf
same report_by_copy_of_perfs_cache --debug-dir cache --kallsyms kallsyms
mv cache/opt/work/1/elf cache/opt/work/1/debug
same report_by_debug_file_of_perfs_cache --debug-dir cache --kallsyms kallsyms
mv cache .debug
same report_by_perfs_cache --kallsyms kallsyms
mv .debug cache
golden script.txt script $symbols good.data
golden script.json script --json $symbols good.data
golden script-fields.txt script -F time,cpu,ctx,ts,offset,lat good.data
# Fields that some records lack before others, and fields of one kind that do not follow each other
golden script-va-tid.txt script -F va,tid,op $symbols good.data
golden script-apart.txt script -F pc,tid,op,cpu,sym,events,el $symbols good.data
golden script-rare.txt script rare.data
golden script-rare.json script --json rare.data
golden dump.txt dump good.data
golden dump-rare.txt dump rare.data
golden dump-damaged.txt dump damaged.data
# Addresses of the Secure state: NS is 0
LC_ALL=C sed 's/\xb0\x10\x10\x00\xc0\xaa\xaa\x00\x80/\xb0\x10\x10\x00\xc0\xaa\xaa\x00\x00/' good.data >secure.data
if [ "$("$V9TRACE" dump secure.data | grep -c 'PC 0xaaaac0001010 el0 ns=0$')" -ge 1 ]; then ok dump_secure
else not_ok dump_secure "$("$V9TRACE" dump secure.data | grep -m1 ' PC ')"; fi

# A share of events is one of the records that have events. Losses are counted one by one.
"$V9TRACE" report --csv sparse.data >out 2>err
row() {	# NAME LINE
	if tr -d '\r' <out | grep -q "^$2"; then ok "$1"
	else not_ok "$1" "$(grep "^${2%%,*}," out | tr '\r\n' ' |' | head -c 300)"; fi
}
row sparse_share events,100.000,4,retired,
row sparse_share_of_some events,25.000,1,l1d_refill,50.000,l1d_access
row sparse_truncated lost,1,aux_truncated,
row sparse_partial lost,2,aux_partial,
row sparse_collision lost,3,aux_collision,
row sparse_lost lost,34,lost_records,
refuse_row() { if grep -q "$2" out; then not_ok "$1" "$(grep "$2" out)"; else ok "$1"; fi; }
refuse_row all_retired not_retired
"$V9TRACE" report --csv wrong.data >out 2>err
row not_retired 'summary,not_retired,not retired,"1: .*",1$'
"$V9TRACE" script sparse.data >out 2>err
if grep -q '1 AUX records truncated, 2 partial, 3 with collisions, 34 side-band records' err; then
	ok sparse_script
else
	not_ok sparse_script "output $(head -n 1 err)"
fi

# A CPU that was offline: the number of times, and the maximum time without a record of it
"$V9TRACE" report cpus.data >out 2>err
if grep -q ' 2  *cpu_away\| 2  *CPUs that were offline.*up to 3\.000000000 s' out; then ok cpu_away
else not_ok cpu_away "$(sed -n 1,4p out | tr '\n' '|')"; fi
if "$V9TRACE" report --json cpus.data 2>err | grep -q '"count":2,"kind":"cpu_away"'; then ok cpu_away_json
else not_ok cpu_away_json "not in the JSON"; fi
# A recorder that was paused: likewise, and a row that can be added up. A recording that was not has no such rows.
if grep -q ' 2  *times that v9trace pause stopped' out && grep -q ' 1,500  *ms that it was stopped' out; then ok paused
else not_ok paused "$(sed -n 1,6p out | tr '\n' '|')"; fi
if "$V9TRACE" report --json cpus.data 2>err | grep -q '"count":1500,"kind":"paused_ms"' &&
	! "$V9TRACE" report --json rare.data 2>err | grep -q '"paused'; then ok paused_json
else not_ok paused_json "not in the JSON"; fi
"$V9TRACE" script cpus.data >out 2>err
if grep -q 'the recording was paused 2 times' err; then ok paused_script
else not_ok paused_script "output $(head -n 2 err | tr '\n' '|')"; fi
if grep -q 'CPUs were offline or came late 2 times' err; then ok cpu_away_script
else not_ok cpu_away_script "output $(head -n 1 err)"; fi
if "$V9TRACE" dump cpus.data | grep -q 'AUXTRACE_ERROR: cpu 1 code 30265: CPU 1 not recorded'; then ok cpu_away_dump
else not_ok cpu_away_dump "$("$V9TRACE" dump cpus.data | grep AUXTRACE_E)"; fi

# Data addresses with a reserved index: each record has bytes of its own.
LC_ALL=C sed 's/\xb2/\xb7/g' good.data >reserved.data
"$V9TRACE" script -F offset,raw reserved.data 2>err | grep -o 'raw=b7:.*' | sort -u >out
[ "$(wc -l <out)" -gt 5 ] && ok reserved_bytes || not_ok reserved_bytes "$(head -n 2 out) $(head -n 1 err)"

# The interval that the unit uses for a period, by D17.3.4 of the manual
interval() {	# NUMBER VALUE WORDS
	"$V9TRACE" report interval$1.data >out 2>err
	if grep -q "period *4096 operations asked for" out && grep -q "  interval *$2 operations$3$" out &&
	   grep -q "least interval *1024 operations$4$" out; then
		ok interval_$1
	else
		not_ok interval_$1 "$(grep -A2 'period' out | tr '\n' '|')"
	fi
}
interval 0 769 "" ": the unit advises no shorter one"
interval 1 3841 " in the mean: random" ""
interval 2 3968 " in the mean: random" ""
interval 3 3968 " in the mean, or 127 less: random" ""
if "$V9TRACE" report --json interval0.data 2>err | grep -q '"period":4096,"interval":769,"least_interval":1024,'; then ok interval_json
else not_ok interval_json "$("$V9TRACE" report --json interval0.data | head -c 300)"; fi

# record --check: 40 records in two AUX records allow 40 to 72; options that select records do not change that.
for options in "" "--cpu 1"; do
	"$V9TRACE" report $options counts.data 2>err | sed -n '/^Check/,/^$/s/  */ /gp' >out
	if [ "$(sed -n 3,5p out)" = " SAMPLE_FILTRATE 42 40 40 72 fits records
 SAMPLE_FEED 50 40 40 - fits records
 SAMPLE_COLLISION - - - - not counted for some of the time other events used the counters, or CPUs without it were used" ] &&
		[ "$(wc -l <out)" -eq 5 ]; then ok "check${options:+_of_selected}"
	else not_ok "check${options:+_of_selected}" "$(tr '\n' '|' <out) $(head -n 1 err)"; fi
done
if "$V9TRACE" report --json counts.data 2>err | grep -q '"check":\[{"event":"SAMPLE_FILTRATE","counted":42,"recorded":40,"least":40,"most":72,"verdict":"fits","what":"records","why":null},.*{"event":"SAMPLE_COLLISION","counted":null,"recorded":null,"least":null,"most":null,"verdict":"not counted","what":null,"why":"for some'
then ok check_json
else not_ok check_json "$("$V9TRACE" report --json counts.data | grep -o '"check.*' | head -c 300)"; fi

# Tracepoints beside SPE: the text of their print format, as perf prints it, and the fields.
tp() {	# NAME FILE TEXT [OPTIONS: ours alone]
	got=$("$V9TRACE" script ${4:-} $2 2>err | sed -n 's/.* \([a-z0-9]*:[a-z0-9_]*: .*\)/\1/p')
	if [ "$got" = "$3" ] && [ ! -s err ]; then ok tp_$1; else not_ok tp_$1 "got $got, $(head -n 1 err)"; fi
	[ -z "${4:-}" ] || return 0
	if ! command -v perf >/dev/null; then
		ok "tp_$1_as_perf # SKIP no stock perf here"
	elif [ "$(perf script --no-itrace -F event,trace -i ${2%.data}_alone.data 2>/dev/null | sed 's/^ *//; s/ *$//')" = "$3" ]; then
		ok tp_$1_as_perf
	else
		not_ok tp_$1_as_perf "$(perf script --no-itrace -F event,trace -i ${2%.data}_alone.data 2>&1 | tail -n 2 | tr '\n' '|')"
	fi
}
tp switch tp0.data "sched:sched_switch: prev_comm=work prev_pid=100 prev_prio=120 prev_state=S+ ==> next_comm=swapper/0 next_pid=0 next_prio=-1
sched:sched_switch: prev_comm=swapper/0 prev_pid=0 prev_prio=120 prev_state=R ==> next_comm=sixteen letters! next_pid=100 next_prio=120"
tp ours tp1.data "v9trace:v9_interrupt: arm_spe_0 full status=0x20000 ptr=0xffff800081230040"
tp addresses tp2.data "timer:timer_init: 0xffff800080010000 suspend_enter"
tp functions tp2.data "timer:timer_init: vfs_read suspend_enter" "--kallsyms kallsyms"
tp_fields() {	# NAME FILE FIELDS
	got=$("$V9TRACE" script --json $2 2>err | sed -n 's/.*"fields"://p' | head -n 1)
	if [ "$got" = "$3}" ]; then ok tp_$1_fields; else not_ok tp_$1_fields "got $got, $(head -n 1 err)"; fi
}
tp_fields switch tp0.data '{"prev_comm":"work","prev_pid":100,"prev_prio":120,"prev_state":257,"next_comm":"swapper/0","next_pid":0,"next_prio":-1}'
tp_fields ours tp1.data '{"pmu":"arm_spe_0","cause":2,"status":131072,"ptr":18446603338387750976}'
tp_fields addresses tp2.data '{"function":"0xffff800080010000","action":"0xffff800080013000","raw":"0102fe"}'
tp_bad() {	# NAME WORDS: that event is named, and the SPE record is there all the same
	"$V9TRACE" script tp_$1.data >out 2>err
	if grep -q "$2" err && grep -q compress out || grep -q "$2" err && grep -q 'aaaac0001000' out; then ok tp_bad_$1
	else not_ok tp_bad_$1 "output $(head -n 2 err | tr '\n' '|')"; fi
}
tp_bad short "2 tracepoint samples without a matching format, the first of sched:sched_switch"
tp_bad fields "the format of sched:sched_switch in the capture is damaged"
tp_bad print "the format of sched:sched_switch in the capture is damaged"

# Several threads print the records: the output and the warnings do not depend on their number, nor on how many
# records one prints at a time, also with samples of other events in between.
threads() {	# NAME FILE OPTIONS
	name=$1 file=$2 differ=
	shift 2
	"$V9TRACE" script -j 1 "$@" $file >alone 2>alone.err
	for way in 2,1 3,200 5,64 16; do
		"$V9TRACE" script -j $way "$@" $file >out 2>err
		cmp -s out alone && cmp -s err alone.err || differ="$differ $way"
	done
	if [ -s alone ] && [ -z "$differ" ]; then ok "threads_$name"
	else not_ok "threads_$name" "differs with -j$differ; $(wc -l <alone) lines; $(head -n 1 err)"; fi
}
for c in good damaged rare reserved sparse cpus cgroups heap tp0 tp1 tp2; do
	threads $c $c.data $symbols
	threads json_$c $c.data --json $symbols
done
threads fields reserved.data -F offset,raw,sym,time $symbols
threads filtered good.data --op load $symbols
threads alloc heap.data -F +alloc $symbols
threads tracepoints_alone tp0_alone.data
# Records of two CPUs, with times in any order and without one
./mkrecords random.log random.data 2000 1
threads random random.data

# Symbols in files of simpleperf, in both layouts. Files on this machine take precedence.
given() {	# NAME FILE WANT OPTIONS
	name=$1 file=$2 want=$3
	shift 3
	got=$("$V9TRACE" script -F sym "$@" $file 2>err | tr -s ' \n' ' ')
	if [ "$got" = "$want" ]; then ok "$name"; else not_ok "$name" "got $got, $(head -n 1 err)"; fi
}
for bit in 128 132; do
	given given_$bit given$bit.data "given_first+0x0 (work) given_second+0x4 (work) given_read+0x4 ([kernel.kallsyms]) "
	given given_${bit}_option given$bit.data "given_first+0x0 (work) given_second+0x4 (work) vfs_read+0x4 ([kernel.kallsyms]) " \
		--kallsyms kallsyms
done
given given_file_first given132.data "compress+0x0 (work) compress+0x14 (work) given_read+0x4 ([kernel.kallsyms]) " --symfs symfs
given given_maps given134.data "compress+0x0 (work) compress+0x14 (work) given_read+0x4 ([kernel.kallsyms]) " --symfs symfs
given given_damaged given_bad.data "[unknown] (work) [unknown] (work) given_read+0x4 ([kernel.kallsyms]) "

# count NAME WANT OPTIONS: the number of records that match the filter
count() {
	name=$1 want=$2
	shift 2
	got=$("$V9TRACE" script "$@" 2>err | wc -l)
	if [ "$got" -eq "$want" ]; then ok "$name"; else not_ok "$name" "$got lines, want $want"; fi
}

count all 40 good.data
count filter_cpu 8 --cpu 1 good.data
count filter_tid 32 --tid 100 good.data
count filter_pid 40 --pid 100 good.data
count filter_comm 32 --comm work good.data
count filter_nobody 0 --comm nobody good.data
count filter_time 10 --time 5.000016,5.0000176 good.data
count filter_time_open 30 --time 5.0000176, good.data
count filter_lists 32 --comm work,nobody --cpu 0,2-5 --time 0,6 good.data
# by NAME PATTERN OPTIONS: as many as the records without the filter that have the pattern in JSON
"$V9TRACE" script --json $symbols good.data >all.json 2>err
by() {
	name=$1 want=$(grep -c -e "$2" all.json)
	shift 2
	[ "$want" -gt 0 ] && count "$name" "$want" "$@" good.data || not_ok "$name" "none has it"
}
by filter_el '"el":0,' --el 0
by filter_symbol '"sym":"match"' --symbol match $symbols
by filter_symbols '"sym":"\(match\|compress\)"' --symbol match,compress $symbols
by filter_dso '"dso":"/opt/work"' --dso work $symbols
by filter_event '"events":[^]]*"l1d_refill"' --event l1d_refill
by filter_op '"op":"[^"]*load' --op load
want=$(sed -n 's/.*"lat_total":\([0-9]*\).*/\1/p' all.json | awk '$1 >= 50 { n++ } END { print n + 0 }')
count filter_latency "$want" --min-latency 50 good.data

# Groups by these keys are the rows of functions.
"$V9TRACE" report --csv --limit 0 $symbols good.data 2>err | sed -n 's/^functions,//p' |
	awk -F, 'NR > 1 { print $2, $6, $7, $8 }' | sort >functions
"$V9TRACE" report --csv --limit 0 --group-by comm,dso,symbol $symbols good.data 2>err |
	sed -n 's/^groups,//p' | awk -F, 'NR > 1 { print $2, $6, $7, $8 }' | sort >groups
[ "$(wc -l <groups)" -gt 3 ] && cmp -s functions groups && ok groups_are_functions ||
	not_ok groups_are_functions "$(diff functions groups | sed -n 2p)"
golden report-histogram.txt report --group-by symbol --histogram --limit 0 $symbols good.data
golden report-histogram.json report --group-by source,range --range-size 65536 --histogram=issue --json $symbols good.data
golden report-histogram-of-one.txt report --histogram --symbol match $symbols good.data
golden report-lines.txt report --group-by line,dso $symbols good.data
golden report-cgroups.txt report --group-by cgroup,tid $symbols cgroups.data
golden report-cgroups.json report --json --group-by cgroup $symbols cgroups.data
golden script-cgroup.txt script -F comm,tid,cgroup,pc $symbols cgroups.data
# In JSON each record has the group that a table by groups counts it in.
"$V9TRACE" script --json $symbols cgroups.data 2>err | sed -n 's/^{"type":"spe".*"cgroup":"\([^"]*\)".*/\1/p' |
	sort | uniq -c | awk '{ print $2, $1 }' >groups
"$V9TRACE" report --csv --limit 0 --group-by cgroup $symbols cgroups.data 2>err | tr -d '\r' |
	awk -F, '$1 == "groups" && $3 > 0 { print $7, $3 }' | sort >rows
[ -s rows ] && cmp -s groups rows && ok script_cgroup_json || not_ok script_cgroup_json "$(diff groups rows | sed -n 2p)"
golden report-data-nodes.txt report --group-by data_node,source $symbols nodes.data
# Each record with a physical address is at the node of its block of memory.
"$V9TRACE" script -F pa nodes.data 2>err | awk '/^pa=0x8/ { one++ } /^pa=0x9/ { three++ } !/^pa=/ { none++ }
	END { print 1, one + 0; print 3, three + 0; print "-", none + 0 }' | awk '$2' | sort >wanted
"$V9TRACE" report --csv --limit 0 --group-by data_node nodes.data 2>err | tr -d '\r' |
	awk -F, '$1 == "groups" && $3 > 0 { print $7 == "" ? "-" : $7, $3 }' | sort >rows
[ "$(wc -l <rows)" -eq 3 ] && cmp -s wanted rows && ok data_nodes || not_ok data_nodes "$(diff wanted rows | tr '\n' '|')"
"$V9TRACE" report --group-by data_node $symbols good.data >out 2>err
grep -q 'does not say which memory is at which node' out && ok data_nodes_absent_is_said ||
	not_ok data_nodes_absent_is_said "$(grep -m 1 'Groups\|data at node' out)"
# Which block holds the data, by the calls that the capture has; what is not known of them is a loss.
golden report-heap.txt report --group-by alloc,alloc_size,block $symbols heap.data
golden report-heap.json report --json --group-by alloc,alloc_line,alloc_size,block $symbols heap.data
golden script-heap.txt script -F time,va,alloc $symbols heap.data
"$V9TRACE" report --group-by alloc $symbols good.data >out 2>err
grep -q 'no calls of malloc(): record with --heap' out && ok heap_absent_is_said ||
	not_ok heap_absent_is_said "$(grep -m 1 Groups out)"
# --cgroup selects a group and those below it, but not a group whose name begins with the same letters.
for f in "/docker 24" "/docker/0123abcd 24" "/batch.slice 16" "/ 40"; do
	got=$("$V9TRACE" report --csv --group-by cgroup --cgroup ${f% *} $symbols cgroups.data 2>err |
	      tr -d '\r' | awk -F, '$1 == "groups" { n += $3 } END { print n + 0 }')
	if [ "$got" = "${f#* }" ]; then ok "cgroup_filter_$(echo "${f% *}" | tr -c 'a-z0-9\n' _)"
	else not_ok "cgroup_filter_$(echo "${f% *}" | tr -c 'a-z0-9\n' _)" "$got records, $(head -n 1 err)"; fi
done
if "$V9TRACE" dump cgroups.data | grep -q 'CGROUP: 12: */docker/0123abcd$'; then ok cgroup_dump
else not_ok cgroup_dump "$("$V9TRACE" dump cgroups.data | grep CGROUP | head -n 1)"; fi
partly cgroup_filter_nothing 1 "cgroup: /batch.slice, /docker/0123abcd" \
	report --cgroup /dock $symbols cgroups.data
partly cgroup_filter_none 1 "cgroup: none: record with --all-cgroups" \
	report --cgroup /a $symbols good.data
golden report-groups.txt report --group-by cpu,tid,el,op --limit 0 $symbols good.data

# nothing NAME TEXT COMMAND...: status 1, and the last line on stderr says what there is
nothing() {
	name=$1 text=$2
	shift 2
	"$V9TRACE" "$@" >out 2>err
	got=$?
	if [ $got -eq 1 ] && tail -n 1 err | grep -q -e "$text"; then ok "$name"
	else not_ok "$name" "status $got, $(tail -n 1 err)"; fi
}
for c in report script mem; do
	nothing ${c}_no_comm 'nothing fits the filter. It has: --comm: work, worker' $c --comm nobody good.data
	nothing ${c}_no_cpu 'It has: --cpu: 0, 1$' $c --cpu 7 good.data
	nothing ${c}_no_time 'It has: --time: 5.000016000,5.0' $c --time 7, good.data
	nothing ${c}_no_latency 'It has: --min-latency: up to [0-9]* cycles' $c --min-latency 60000 good.data
	nothing ${c}_no_event 'It has: --event: .*retired' $c --event smcu good.data
	partly ${c}_kallsyms_directory 0 '^v9trace: warning: [.]: Is a directory' $c --kallsyms . good.data
	for o in kallsyms vmlinux kcore symfs debug-dir; do
		refuses ${c}_no_$(echo $o | tr - _) 1 "^v9trace: --$o absent: No such file" $c --$o absent good.data
	done
done

# On a terminal the report is all that there is.
if python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
	python3 -c '
import os, pty, sys
pty.spawn(sys.argv[1:])' "$V9TRACE" report --no-color good.data 2>err </dev/null | tr -d '\r' >out
	[ "$(head -n 1 out)" = Lost ] && ok terminal || not_ok terminal "$(head -n 1 out)"
else
	ok "terminal # SKIP no python3 with a pseudo-terminal"
fi

# A pipe that nobody writes to: it says so, and reads when somebody does.
mkfifo nobody.fifo
timeout 60 "$V9TRACE" report $symbols nobody.fifo >out 2>err &
reader=$! tries=0
while ! grep -q waiting err && [ $tries -lt 300 ]; do
	tries=$((tries + 1))
	sleep 0.1
done
grep -q '^v9trace: warning: nobody.fifo is a pipe that nobody writes to yet' err &&
	ok pipe_without_a_writer || not_ok pipe_without_a_writer "no word of it"
cat good.data >nobody.fifo
wait $reader
cmp -s out "$golden/report.txt" && ok pipe_with_a_late_writer ||
	not_ok pipe_with_a_late_writer "$(head -n 1 out)"

for c in report script dump; do
	refuses ${c}_absent 1 "No such file" $c absent.data
	refuses ${c}_empty 1 "is empty" $c empty.data
	refuses ${c}_big_endian 1 "big-endian" $c big.data
	refuses ${c}_no_capture 1 "not a perf.data" $c kallsyms
	refuses ${c}_directory 1 "is a directory" $c symfs
	refuses ${c}_two_files 2 "one capture at a time" $c good.data cut.data
done
for c in report script; do
	refuses ${c}_ete 1 "describes its trace units" $c ete.data
	refuses ${c}_etmv4 1 "ETMv4 behind a CoreSight formatter" $c etmv4.data
	refuses ${c}_other_arch 1 "another architecture" $c x86.data
	refuses ${c}_stub 1 "ends inside a record" $c stub.data
	refuses ${c}_bad_time 2 "--time" $c --time 7 good.data
	refuses ${c}_bad_pid 2 "--pid" $c --pid x good.data
done
refuses report_bad_group 2 "--group-by cpu,x: a list, each once, of comm" \
	report --group-by cpu,x good.data
refuses report_bad_histogram 2 "--histogram=x: total, issue or translation" report --histogram=x good.data
refuses report_bad_range 2 "at least one byte" report --range-size 0 good.data
refuses report_group_twice 2 "each once" report --group-by cpu,cpu good.data
refuses report_bad_sort 2 "--sort" report --sort x good.data
refuses script_bad_field 2 "no field" script -F pc,x good.data
# A format is refused if it cannot print what the command makes.
for c in report mem; do
	refuses ${c}_bad_format 2 "^v9trace: --format x: text, json or csv$" $c --format x good.data
done
refuses script_bad_format 2 "^v9trace: --format x: text or json$" script --format x good.data
for option in --csv "--format csv"; do
	refuses "script$(echo "$option" | tr ' -' __)" 2 "--format csv: it takes tables, .*: text or json$" \
		script $option good.data
done
if "$V9TRACE" script --format json $symbols good.data 2>err | cmp -s - "$golden/script.json"; then
	ok script_format_json
else
	not_ok script_format_json "not what --json prints; $(tail -n 1 err)"
fi
refuses report_bad_option 2 "^v9trace: unrecognized" report --nonsense good.data
refuses raw_empty 1 "is empty" dump --raw empty.data

for c in report script dump; do
	partly ${c}_cut 1 "ends inside AUX data at offset [0-9]*: it is cut short" $c cut.data
done
partly dump_corrupt 1 "corrupt at offset" dump corrupt.data
"$V9TRACE" report corrupt.data >out 2>err
if [ $? -eq 1 ] && grep -q "corrupt at offset" err; then ok report_corrupt
else not_ok report_corrupt "output $(tail -n 1 err)"; fi

"$V9TRACE" report --limit 1 $symbols cut.data 2>/dev/null | grep -q "beyond the end of the file" &&
	ok cut_counts_missing_bytes || not_ok cut_counts_missing_bytes "not among the losses"
# Event names are at the end of the file; the PMU's type is in the metadata before it.
"$V9TRACE" report --limit 1 $symbols cut.data 2>/dev/null | grep -q "period  *4096 operations" &&
	ok cut_keeps_period || not_ok cut_keeps_period "no period"
"$V9TRACE" report good.data >/dev/full 2>err
if [ $? -eq 1 ] && grep -q "cannot write" err; then ok full_disk
else not_ok full_disk "$(tail -n 1 err)"; fi
"$V9TRACE" script good.data 2>/dev/null | head -n 1 >out
[ "$(wc -l <out)" -eq 1 ] && ok reader_leaves || not_ok reader_leaves "no line"

# raw bytes: the two records typed here
printf '\102\002\001\000\000\112\001\102\102\001' >raw
"$V9TRACE" dump --raw raw >out 2>err
if [ "$(grep -c END out)" -eq 2 ] && grep -q 'OP 2 0x01 branch cond' out && grep -q 'PAD x 2' out; then
	ok raw
else
	not_ok raw "$(tr '\n' '|' <out)"
fi
finish
