#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace export on captures that mkcapture.c and mktrace.c make. The numbers equal those of report. The
# output states what was lost. Names with special characters of a format are unchanged for its reader.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
captures "$top/selftests/exports/captures.sh" .
symbols="--symfs symfs --kallsyms kallsyms" hostile="--symfs hostile --kallsyms hostile/kallsyms"

# equal NAME FORMAT CAPTURE OPTIONS [WEIGHT]: the export has the numbers of report
equal() {
	name=$1 format=$2 capture=$3 options=$4 weight=${5:-} asked=${5:+--weight $5}
	case $format in csv | json | sqlite) asked= ;; esac	# they hold all
	calls=
	"$V9TRACE" report --json --limit 0 --calls $options "$capture" >report.json 2>err
	rm -rf exported
	if ! "$V9TRACE" export --to "$format" -o exported $options $asked "$capture" 2>err; then
		not_ok "$name" "status $?, $(head -n 1 err)"
	elif ! why=$(python3 "$top/selftests/exports/compare.py" "$format" exported report.json $weight 2>&1); then
		not_ok "$name" "$(echo "$why" | tail -n 1 | tr '\n' ' ')"
	else
		ok "$name"
	fi
}

for format in folded speedscope firefox chrome svg csv json sqlite; do
	equal ${format}_spe $format good.data "$symbols"
	equal ${format}_spe_damaged $format damaged.data "$symbols"
	equal ${format}_spe_hostile $format good.data "$hostile"
	equal ${format}_ete $format trace.data "--symfs symfs"
	equal ${format}_ete_damaged $format trace-damaged.data "--symfs symfs"
	equal ${format}_ete_moved $format moved.data "--symfs symfs"
	equal ${format}_ete_kernel $format kernel.data "--symfs symfs"
	equal ${format}_ete_exec $format exec.data "--symfs symfs"
	equal ${format}_ete_hostile $format trace.data "--symfs hostile"
done
for format in folded speedscope firefox svg csv json sqlite; do
	equal ${format}_spe_latency $format good.data "$symbols" latency
done
equal folded_calls folded trace.data "--symfs symfs" calls

# sums NAME CAPTURE [SYMBOLS]: compares each label and each value of the samples in a profile of pprof with the records of
# the capture. One capture has many records of few instructions, the other one more instructions than v9trace
# keeps while it looks them up.
sums() {
	if "$V9TRACE" export --to pprof -o sums.pprof ${3-$symbols} "$2" 2>err && "$V9TRACE" script --json "$2" >sums.json &&
	   why=$(python3 "$top/selftests/host/sums.py" sums.pprof sums.json 2>&1); then ok "$1"
	else not_ok "$1" "$(echo "$why" | tail -n 1) $(head -n 1 err)"; fi
}
for p in bench/mkspe host/mkrecords bench/grow; do
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -I"$top/include" -I"$top/drivers/lib" -o "${p#*/}" "$top/selftests/$p.c" >&2
done
./mkspe few.data 100000
./mkrecords many.log many.data 160000 7
sums pprof_sums few.data
sums pprof_sums_of_many many.data
# Threads that change their control groups, a unit of systemd, a container
sums pprof_sums_of_cgroups cgroups.data
sed 's|/docker/0123abcd|/a/nginx.service|' cgroups.data >units.data
sums pprof_sums_of_units units.data
"$V9TRACE" export --to pprof -o units.pprof --symfs symfs types.data 2>err
if gzip -dc units.pprof | LC_ALL=C grep -aq /system.slice/work.service; then ok pprof_unit_of_a_trace
else not_ok pprof_unit_of_a_trace "$(head -n 1 err)"; fi
./grow . cgroups 20
sums pprof_sums_of_containers cgroups.20.data ""
rm -f sums.* few.data many.* units.* cgroups.20.*

# The columns of Arm's spe-parser, as it names them, then ours; what its words are for each operation
columns() {	# NAME TABLE LIST
	if [ "$(head -n 1 "$2" | tr -d '\r')" = "$3,time,comm,pid,tid,symbol,dso" ]; then ok "columns_$1"
	else not_ok "columns_$1" "$(head -n 1 "$2" | tr -d '\r')"; fi
}
"$V9TRACE" export --to csv -o tables $symbols good.data 2>err
columns ldst tables/ldst.csv cpu,op,pc,el,atomic,excl,ar,subclass,sve_evl,sve_pred,sve_sg,event,issue_lat,total_lat,vaddr,xlat_lat,paddr,data_source,ts,context
columns br tables/br.csv cpu,op,pc,el,condition,indirect,event,issue_lat,total_lat,br_tgt,br_tgt_lvl,pbt,pbt_lvl,context,ts
columns other tables/other.csv cpu,op,pc,el,subclass,sve_evl,sve_pred,sve_fp,condition,event,issue_lat,total_lat,context,ts
row() {	# NAME TABLE TEXT: a row of the table begins so, by the packets that mkcapture.c writes
	if tr -d '\r' <"$2" | grep -qF "$3"; then ok "row_$1"; else not_ok "row_$1" "$(tail -n 1 "$2" | tr -d '\r')"; fi
}
row load tables/ldst.csv 0,LD,0xaaaac0001408,0,False,False,False,GP-REG,,False,False,RETIRED:L1D-ACCESS:TLB-ACCESS,4,22,0xffffb0000080,1,0x90000080,L2D,1020,,5000016320,work,100,100,match,/opt/work
row load_of_memory tables/ldst.csv ',RETIRED:L1D-ACCESS:L1D-REFILL:TLB-ACCESS:TLB-REFILL:LLC-ACCESS:LLC-REFILL,4,4095,0xffffb0000500,300,0x90000500,DRAM,'
row exclusive tables/ldst.csv 0,ST,0xffff800080011100,2,True,True,True,,,False,False,RETIRED:L1D-ACCESS:TLB-ACCESS,2,7,0xffff000001000000,1,0x81000000,L1D,
row not_taken tables/br.csv 0,B,0xaaaac0001010,0,True,False,RETIRED:NOT-TAKEN,3,12,0xaaaac0001400,0,,,,
row mispredicted tables/br.csv 0,B,0xaaaac0001010,0,False,True,RETIRED:MISPRED,3,12,0xaaaac0001400,0,,,,
row no_memory tables/other.csv 0,OTHER,0xffff800080010040,2,OTHER,,False,False,False,RETIRED,2,7,,
"$V9TRACE" export --to csv -o rare rare.data 2>err
row vector_load rare/ldst.csv 0,LD,0xaaaac0001000,0,False,False,False,SVE,4096,False,False,RETIRED,
row store_of_the_kernel rare/ldst.csv 0,ST,0xaaaac0001014,0,False,False,False,GP-REG,,False,False,RETIRED,
row vector_operation rare/other.csv 0,OTHER,0xaaaac0001018,0,SVE,4096,True,True,False,RETIRED,

# Branches, by hand from the trace that mktrace.c makes: _start calls compress, that calls match, which
# goes on after a system call, and after an interrupt elsewhere than where it was interrupted
same() {	# NAME FORMAT OPTIONS...
	name=$1 format=$2
	shift 2
	"$V9TRACE" export --to "$format" "$@" >got 2>err
	if cmp -s want got; then ok "$name"; else not_ok "$name" "$(diff want got | sed -n 2p), $(head -n 1 err)"; fi
}
differ() {	# NAME: the files want and got must not differ
	if [ -s want ] && cmp -s want got; then ok "$1"; else not_ok "$1" "$(diff want got | sed -n 2p) $(head -n 1 err)"; fi
}
cat >want <<END
T 1008 1400 1400 1
T 1008 1400 140c 1
T 1008 1400 ffffffffffffffff 1
T 100c 1000 1008 1
T 1010 1804 1804 1
T 140c 100c 100c 1
T 140c 100c 1010 1
T 1800 1000 1008 1
T 1804 1800 ffffffffffffffff 1
T ffffffffffffffff 1000 1008 1
T ffffffffffffffff 1408 140c 1
T ffffffffffffffff 1800 1800 1
END
same bolt_ete bolt --symfs symfs trace.data
grep -q 'of one object: /opt/work, which has most' err && ok object_is_said || not_ok object_is_said "$(head -n 1 err)"
same bolt_by_binary bolt --binary symfs/opt/work --symfs symfs trace.data
cat >want <<END
8
1000-1008:3
100c-100c:1
100c-1010:1
1400-1400:1
1400-140c:1
1408-140c:1
1800-1800:1
1804-1804:1
6
1008->1400:3
100c->1000:1
1010->1804:1
140c->100c:2
1800->1000:1
1804->1800:1
END
same llvm_ete llvm --symfs symfs trace.data
# Of SPE ten branches, of which five were taken
echo 'T 1010 1400 ffffffffffffffff 5' >want
same bolt_spe bolt --binary symfs/opt/work $symbols good.data
grep -q 'lost: 1 aux_collision' err && ok bolt_says_what_was_lost || not_ok bolt_says_what_was_lost "$(head -n 1 err)"
printf '0\n1\n1010->1400:5\n' >want
same llvm_spe llvm $symbols good.data

# Branch stacks of mkbranches.c, counted by hand. After a branch the code up to the next branch is executed.
cat >want <<END
T 1008 1400 1404 1
T 1008 1400 140c 5
T 1008 1400 ffffffffffffffff 1
T 100c 1000 1008 3
T 1010 1804 1804 3
T 140c 100c 100c 3
T 140c 100c 1010 2
T 140c 100c ffffffffffffffff 1
T 140c 1804 ffffffffffffffff 1
T 1800 1000 1008 3
T 1800 1000 ffffffffffffffff 2
T 1804 1800 1800 2
T 1804 1800 ffffffffffffffff 2
T ffffffffffffffff 1408 140c 1
END
same bolt_stacks bolt --symfs symfs brbe.data
for loss in '1 empty_stacks' '2 half_branches' '1 holes'; do
	grep -q "lost: $loss" err && ok "bolt_says_${loss#* }" || not_ok "bolt_says_${loss#* }" "$(tail -n 1 err)"
done
# If an event records calls only, the code between two of them is not known. Call stacks are no branches.
"$V9TRACE" export --to bolt --symfs symfs calls.data 2>err >got
if [ -s got ] && ! grep -qv ' ffffffffffffffff [0-9]*$' got; then ok bolt_calls
else not_ok bolt_calls "$(grep -v ' ffffffffffffffff [0-9]*$' got | head -n 1) $(head -n 1 err)"; fi
"$V9TRACE" export --to bolt --symfs symfs callstack.data 2>err >got
if [ $? = 1 ] && [ ! -s got ] && grep -q 'no branch of an object' err && grep -q 'lost: 3 call_stacks' err; then ok callers_are_no_branches
else not_ok callers_are_no_branches "$(head -n 1 err) $(head -n 1 got)"; fi
sed 's/^T 1010 1804 1804 3/T 1010 1400 ffffffffffffffff 1\n&/' want >both
mv both want
same bolt_stacks_and_records bolt --symfs symfs mixed.data

# Samples beside a trace have branches of that trace, which count once: what the samples have is left out.
"$V9TRACE" export --to bolt --pid 100 --binary symfs/opt/work --symfs symfs stacks.data 2>err >got
"$V9TRACE" export --to bolt --binary symfs/opt/work --symfs symfs both.data 2>/dev/null >want
differ branches_count_once
grep -q 'lost: 3 branch_stacks' err && ok what_counts_once_is_lost || not_ok what_counts_once_is_lost "$(tail -n 1 err)"
for format in bolt llvm gcc; do
	"$V9TRACE" export --to $format -o out.once --symfs symfs stacks.data 2>err
	grep -q 'leaves out 3 branches of the stacks of samples: the trace of' err && ok once_$format || not_ok once_$format "$(head -n 1 err)"
done
"$V9TRACE" export --to bolt --symfs symfs both.data 2>err >got
grep -q 'leaves out 48 bytes of a trace of .*: the trace of instructions has each branch' err && ok branches_of_records_count_once || not_ok branches_of_records_count_once "$(head -n 1 err)"

# A branch to or from another object has only the address in the chosen object.
mkdir crossing
printf '1008 1000010\n1000020 100c\n1010 1804\n' | ./mkbranches crossing /opt/work 1
cat >want.crossing <<END
T 1008 X:0 ffffffffffffffff 1
T 1010 1804 ffffffffffffffff 1
T X:0 100c 1010 1
END
"$V9TRACE" export --to bolt --binary symfs/opt/work --symfs symfs crossing/list.data 2>err >got
if cmp -s want.crossing got; then ok bolt_other_object; else not_ok bolt_other_object "$(diff want.crossing got | sed -n 2p) $(head -n 1 err)"; fi

# fdo adds up several captures of a program. It names a capture without the program, and reads the others.
made_for() {	# NAME STATUS WANT OPTIONS...: the exit status is STATUS, the profile equals the file WANT
	name=$1 status=$2 want=$3
	shift 3
	rm -f profile
	"$V9TRACE" fdo --binary symfs/opt/work -o profile --symfs symfs "$@" 2>err
	got=$?
	if [ $got = "$status" ] && cmp -s "$want" profile; then ok "fdo_$name"
	else not_ok "fdo_$name" "status $got, $(diff "$want" profile 2>&1 | sed -n 2p) $(grep -v warning err | head -n 1)"; fi
}
"$V9TRACE" export --to bolt --symfs symfs trace.data 2>err >one
"$V9TRACE" export --to bolt --symfs symfs brbe.data 2>err >two
awk '{ n[$2 " " $3 " " $4] += $5 } END { for (k in n) print "T", k, n[k] }' one two | LC_ALL=C sort >sums
made_for one 0 one --for bolt trace.data
"$V9TRACE" fdo --binary symfs/opt/work -o profile --symfs symfs --for bolt trace.data brbe.data 2>err
status=$?
if [ $status = 0 ] && LC_ALL=C sort profile | cmp -s - sums; then ok fdo_several; else not_ok fdo_several "status $status, $(LC_ALL=C sort profile | diff sums - | sed -n 2p)"; fi
cp profile several
grep -q 'brbe.data: --to bolt has no place for what was lost; lost: 1 empty_stacks' err && ok fdo_says_what_was_lost || not_ok fdo_says_what_was_lost "$(grep lost err | head -n 1)"
grep -q '^profile: [0-9]* branches of symfs/opt/work, from 2 of 2 captures$' err && grep -q '^next: perf2bolt -pa -p profile -o FDATA symfs/opt/work$' err &&
	ok fdo_says_what_is_next || not_ok fdo_says_what_is_next "$(tail -n 2 err | tr '\n' '|')"
"$V9TRACE" export --to bolt --pid 100 --symfs symfs trace.data 2>err >one
made_for filtered 0 one --for bolt --pid 100 trace.data
made_for any_order 0 several --for bolt brbe.data trace.data
made_for one_without_it 1 several --for bolt trace.data inlined.data brbe.data
grep -q 'from 2 of 3 captures' err && grep -q 'inlined.data has no branch of it' err && ok fdo_names_it || not_ok fdo_names_it "$(head -n 1 err)"
# What was lost in a capture of which nothing fits the filter is not said of the next one.
"$V9TRACE" fdo --for bolt --tid 101 --binary symfs/opt/work -o filtered --symfs symfs trace-damaged.data brbe.data 2>err
grep '^v9trace: .*brbe.data: --to bolt has no place' err >out
if grep -q empty_stacks out && ! grep -q gap_overflow out && grep -q 'from 1 of 2 captures' err; then ok fdo_losses_of_each_capture
else not_ok fdo_losses_of_each_capture "$(head -n 1 out) $(tail -n 1 err)"; fi
made_for one_that_is_absent 1 several --for bolt trace.data absent.data brbe.data
# Branches at addresses where nothing is mapped do not belong to the program.
mkdir unmapped
printf '2000000 2000100\n2000110 2000000\n' | ./mkbranches unmapped /opt/other 1
made_for unmapped 1 several --for bolt trace.data unmapped/list.data brbe.data
grep -q 'list.data has no branch of it' err && ok fdo_unmapped_is_named || not_ok fdo_unmapped_is_named "$(head -n 1 err)"
"$V9TRACE" export --to llvm --symfs symfs trace.data 2>err >one
made_for llvm 0 one --for llvm trace.data

# Contexts of calls: the counts of a walk through a program, with recursion, tail calls and a gap. The instructions are
# those of the profile without contexts.
walked() {	# NAME COMMAND FILE ARGUMENT...
	name=$1
	shift
	if why=$(python3 -B "$top/selftests/exports/contexts.py" "$@" 2>&1); then ok "$name"
	else not_ok "$name" "$(echo "$why" | tail -n 1), $(grep -v lost: err | head -n 1)"; fi
}
"$V9TRACE" export --to llvm-contexts --binary symfs/opt/calls --symfs symfs -o contexts calls/steps.data 2>err
walked llvm_contexts text contexts calls.want 10
"$V9TRACE" export --to llvm --binary symfs/opt/calls --symfs symfs -o flat calls/steps.data 2>err
walked llvm_contexts_are_the_flat_counts flat flat contexts
"$V9TRACE" export --to llvm-contexts --binary symfs/opt/auto --symfs symfs -o contexts steps.data 2>err
grep -q 'warning: 1 executed instructions have no line' err && ok llvm_contexts_count_what_has_no_line || not_ok llvm_contexts_count_what_has_no_line "$(head -n 1 err)"
mkdir more
./mktrace more /opt/calls 3 <calls.steps
"$V9TRACE" fdo --for llvm-contexts --binary symfs/opt/calls --symfs symfs -o one calls/steps.data more/steps.data 2>err
walked fdo_llvm_contexts text one calls.want 13
grep -q "^next: llvm-profgen --unsymbolized-profile=one " err && ok fdo_llvm_contexts_next || not_ok fdo_llvm_contexts_next "$(tail -n 1 err)"
"$V9TRACE" fdo --for llvm-contexts --binary symfs/opt/calls --symfs symfs -o two more/steps.data calls/steps.data 2>err
cmp -s one two && ok fdo_llvm_contexts_any_order || not_ok fdo_llvm_contexts_any_order "$(diff one two | sed -n 2p)"
"$V9TRACE" merge -o calls.shard --symfs symfs trace.data 2>err
command=export
rm -f exported
refuses llvm_contexts_shard 1 'is a shard and has no calls with their places' --to llvm-contexts -o exported calls.shard
refuses llvm_contexts_spe 1 'does not take' --to llvm-contexts -o exported $symbols good.data
refuses llvm_contexts_filtered 1 'stacks need all' --to llvm-contexts --symbol leaf -o exported --symfs symfs calls/steps.data
refuses llvm_contexts_no_lines 1 'no debug information' --to llvm-contexts --binary symfs/opt/work -o exported --symfs symfs trace.data
command=
[ ! -e exported ] && ok llvm_contexts_no_file_stays || not_ok llvm_contexts_no_file_stays "$(ls exported*)"

# GCC: the counts of each line, relative to the first line of its function, typed after the branches of
# list.data. Then the counts that gcc gives its blocks: before the loop, body, head, after the loop.
"$V9TRACE" fdo --for gcc --binary symfs/opt/auto -o auto.afdo --symfs symfs list.data 2>err
cat >want <<END
leaf 2 300
leaf 3 300
leaf entered 300
work 1 100
work 2 100
work 4 200
work 5 300 -> leaf 300
work 6 200
work@6 twice 2 300
work entered 100
main entered 0
END
if python3 "$top/selftests/exports/afdo.py" auto.afdo >got 2>>err && cmp -s want got; then ok fdo_gcc
else not_ok fdo_gcc "$(diff want got | sed -n 2p) $(tail -n 1 err)"; fi
gcc=aarch64-linux-gnu-gcc
command -v $gcc >/dev/null || gcc=gcc
$gcc -O2 -g -fauto-profile=auto.afdo -fdump-ipa-afdo-all -c -o auto.o auto.c 2>err
counts=$(awk '/^;; +basic block/ { sub(/,/, "", $9); print $9 }' auto.c.*.afdo | tr '\n' ' ')
# One block of main, which has no count, four of work, one of leaf
if [ "$counts" = '0 100 300 400 100 300 ' ]; then ok gcc_has_the_counts; else not_ok gcc_has_the_counts "$counts$(head -n 1 err)"; fi
# A range of a single instruction: a branch to the return of leaf. list.data has the call, then the return.
set -- $(sed -n 2,3p auto.list)
mkdir returns
printf '%s %s\n' "$1" "$3" "$3" "$4" | ./mkbranches returns /opt/auto 2
"$V9TRACE" fdo --for gcc --binary symfs/opt/auto -o returns.afdo --symfs symfs returns/list.data 2>err
python3 "$top/selftests/exports/afdo.py" returns.afdo >got 2>>err
if grep -qx 'leaf 3 2' got; then ok fdo_gcc_one_instruction; else not_ok fdo_gcc_one_instruction "$(tr '\n' '|' <got) $(tail -n 1 err)"; fi
command=fdo
rm -f profile*
refuses fdo_no_lines 1 'no debug information' --for gcc --binary symfs/opt/work -o profile --symfs symfs trace.data
refuses fdo_no_format 2 'for which compiler' --binary mkcapture trace.data
refuses fdo_other_format 2 '^v9trace: --for folded: bolt, ' --for folded --binary mkcapture trace.data
refuses fdo_no_program 2 'of which program' --for bolt trace.data
refuses fdo_absent_program 2 'absent: No such' --for bolt --binary absent trace.data
refuses fdo_no_capture 1 'No such file' --for bolt --binary symfs/opt/work -o profile absent.data
command=
[ -z "$(ls profile* 2>/dev/null)" ] && ok fdo_no_file_stays || not_ok fdo_no_file_stays "$(ls profile*)"

# Inlined functions and lines of each instruction equal those of addr2line.
for format in folded pprof firefox; do
	"$V9TRACE" export --to $format -o out.lines --symfs symfs inlined.data 2>err
	if why=$(python3 "$top/selftests/exports/lines.py" $format out.lines inlined.lines inlined.records 2>&1); then ok lines_$format
	else not_ok lines_$format "$(echo "$why" | tail -n 1) $(head -n 1 err)"; fi
done
"$V9TRACE" export --to pprof -o out.lines --symfs symfs steps.data 2>err
if why=$(python3 "$top/selftests/exports/lines.py" pprof out.lines auto.lines auto.records 2>&1); then ok lines_pprof_ete
else not_ok lines_pprof_ete "$(echo "$why" | tail -n 1) $(head -n 1 err)"; fi

# perf.data: in stock perf, each instruction of an SPE record and each taken branch of a trace has the count
# that it has in the other formats. v9trace reads the same branches.
file_of() {	# NAME CAPTURE
	if ! "$V9TRACE" export --to perf -o "$1.perf" --symfs symfs "$2" 2>err; then not_ok "perf_$1" "$(head -n 1 err)"; fi
}
branches() { awk '$2 != "ffffffffffffffff" { n[$2 " " $3] += $5 } END { for (b in n) print b, n[b] }' | LC_ALL=C sort; }
for capture in trace moved exec; do
	file_of $capture $capture.data
	"$V9TRACE" export --to bolt --symfs symfs $capture.data 2>err | branches >want
	"$V9TRACE" export --to bolt --symfs symfs $capture.perf 2>err | branches >got
	differ perf_branches_$capture
done
file_of good good.data
"$V9TRACE" export --to json $symbols good.data 2>err | sed -n 's/.*"pc":"0x\([0-9a-f]*\)".*/\1/p' | sort >want
"$V9TRACE" export --to perf -o good.perf good.data 2>err
grep -q 'no place for what was lost; lost: 1 aux_collision' err && ok perf_says_what_was_lost || not_ok perf_says_what_was_lost "$(head -n 1 err)"
if command -v perf >/dev/null; then
	perf script -i good.perf -F ip 2>err | tr -d ' ' | sort >got
	differ stock_perf_records
	perf script -i good.perf -F brstack 2>err | grep -c 0xaaaac0001010/0xaaaac0001400/ >got
	echo 5 >want
	differ stock_perf_records_branches
	"$V9TRACE" export --to bolt --symfs symfs trace.data 2>err | branches >want
	perf script -i trace.perf -F brstack 2>err | tr -s ' ' '\n' | sed -n 's,^0xaaaac000\([0-9a-f]*\)/0xaaaac000\([0-9a-f]*\)/.*,T \1 \2 0 1,p' | branches >got
	differ stock_perf_branches
	perf report -i good.perf --stdio --symfs symfs -F sample,sym -t , 2>err | sed -n 's/^ *\([0-9]*\) *,\[\.\] \([a-z]*\) *$/\2 \1/p' | sort >got
	printf 'compress 10\nmatch 20\n' >want
	differ stock_perf_report
else
	ok "stock_perf # SKIP no stock perf here"
fi

# Data that a format leaves out is counted in the output and in a warning.
left() {	# NAME TEXT WARNING OPTIONS...
	name=$1 text=$2 warning=$3
	shift 3
	"$V9TRACE" export --symfs symfs "$@" 2>err >got
	if grep -q "$text" got && grep -q "$warning" err; then ok "left_out_$name"
	else not_ok "left_out_$name" "$(tail -n 1 got) $(head -n 1 err)"; fi
}
for format in folded speedscope firefox chrome svg json; do
	case $format in folded) text='^# lost: branch_stacks=31$' ;; json) text='"branch_stacks","count":31' ;; *) text='lost: 31 branch_stacks' ;; esac
	[ $format != svg ] || text='31 branch_stacks'
	left $format "$text" 'leaves out 31 branches of the stacks of samples' --to $format mixed.data
done
left kind_of_trace '^# lost: other_kind=[1-9]' 'not of the kind of trace that --weight counts' --to folded --weight samples both.data

# What cannot be exported says why, and leaves no file.
command=export
refuses no_format 2 "in which format" good.data
refuses bad_format 2 "^v9trace: --to pdf: folded" --to pdf good.data
refuses bad_weight 2 "^v9trace: --weight speed: samples, latency" --to folded --weight speed good.data
refuses weight_of_the_format 2 "does not have it" --to folded --weight time trace.data
refuses weight_of_another_kind 1 "^v9trace: --weight instructions: good.data has none" --to folded --weight instructions good.data
refuses two_kinds 1 "which?" --to folded both.data
refuses part_of_a_stack 1 "not with --el" --to folded --symbol match --symfs symfs trace.data
rm -f out.folded*
refuses other_binary 1 "has no branch of it; its build-id" --to bolt --binary other/opt/work --symfs symfs trace.data
refuses no_binary 2 "^v9trace: --binary absent: No such file" --to bolt --binary absent trace.data
refuses binary_of_what 2 "only in a format that is of one object" --to folded --binary mkcapture trace.data
refuses no_directory_for_tables 2 "^v9trace: --to csv: -o DIRECTORY" --to csv trace.data
refuses no_directory_for_parquet 2 "^v9trace: --to parquet: -o DIRECTORY" --to parquet trace.data
PATH=/nowhere "$V9TRACE" export --to parquet -o out.parquet trace.data >out 2>err
if [ $? = 1 ] && grep -q '^v9trace: --to parquet needs the program duckdb, .*install it' err && [ "$(wc -l <err)" = 1 ]; then ok no_duckdb
else not_ok no_duckdb "$(head -n 1 err)"; fi
refuses no_file_for_the_database 2 "^v9trace: --to sqlite: -o FILE" --to sqlite trace.data
refuses no_capture 1 "No such file" --to folded -o out.folded absent.data
refuses filter_finds_nothing 1 "nothing fits the filter" --to folded -o out.folded --comm nobody good.data
refuses no_directory 1 "cannot write absent/out.folded" --to folded -o absent/out.folded good.data
[ -z "$(ls out.folded* 2>/dev/null)" ] && ok no_file_stays || not_ok no_file_stays "$(ls out.folded*)"
command=

# A capture that is cut short still yields what can be read, and the status says so.
partly cut_short 1 "cut short" export --to folded cut.data
# A pipe can be read, and the output written to one.
"$V9TRACE" export --to folded $symbols -i - <good.data 2>err | sort >piped
"$V9TRACE" export --to folded $symbols good.data 2>err | sort | cmp -s - piped && [ -s piped ] && ok pipe || not_ok pipe "$(head -n 1 err)"

# What is no ordinary file is written to, and stays what it is: root must not replace /dev/null.
mkfifo fifo
timeout 60 cat fifo >got &
"$V9TRACE" export --to folded $symbols -o fifo good.data 2>err
status=$?
wait
if [ $status = 0 ] && [ -p fifo ] && sort got | cmp -s - piped && [ ! -e fifo.unfinished ]; then ok to_a_fifo
else not_ok to_a_fifo "status $status, $(ls -ld fifo), $(head -n 1 err)"; fi
"$V9TRACE" export --to sqlite -o fifo good.data 2>err
if [ $? = 1 ] && [ -p fifo ] && grep -q '^v9trace: cannot write fifo: --to sqlite needs an ordinary file' err; then ok no_database_in_a_fifo
else not_ok no_database_in_a_fifo "$(ls -ld fifo) $(head -n 1 err)"; fi
finish
