#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each view that v9trace has of captures of mkcapture.c, mktrace.c, mkbranches.c and mkwide.c: tables as text of several widths,
# as JSON and CSV, lines of script, data of a page, with the messages. A file in golden/views has the outputs of
# several commands, each behind a line with the command. What views.py adds up itself is compared, too.
#	UPDATE=1 views.sh	writes the golden files instead
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
golden=$top/selftests/golden/views
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
makers host/mkcapture host/mktrace host/mkbranches host/mkrecords host/mkwide
captures ./mkcapture .
captures ./mktrace .
captures ./mkbranches .
captures ./mkwide .
captures ./mkrecords random.log random.data 1000 1
captures ./mkrecords few.log few.data 40 2

# view NAME: runs the lines of standard input. Each is COLUMNS, then a command; "page" has the data of html
# alone, "last" the last line, "status" the exit
# status, too.
view() {
	name=$1
	while read -r columns what options; do
		case $what in
		''|'#'*) continue ;;
		esac
		echo "== $columns $what $options"
		[ "$columns" = - ] && unset COLUMNS || { COLUMNS=$columns; export COLUMNS; }
		# shellcheck disable=SC2086
		{
			case $what in
			page) rm -f page.html
			      "$V9TRACE" html -o page.html $options
			      sed -n -e '/^<script type="application.json" id=/,/<.script>$/{' \
				      -e 's/"version":"[^"]*"/"version":""/' -e 'p' -e '}' page.html ;;
			cat) cat $options ;;
			export) "$V9TRACE" export -o - $options | sed 's/v9trace [0-9.]*"/v9trace"/' ;;
			status) "$V9TRACE" $options; echo "status $?" ;;
			last) "$V9TRACE" $options | tail -n 1 ;;
			annotate) "$static" annotate $options ;;	# the other one shows text of instructions
			*) "$V9TRACE" $what $options ;;
			esac
		} >lines 2>messages
		cat lines
		grep -v '^[^/]*page\.html: ' messages
	done >out
	unset COLUMNS
	golden_is "$name" out
}

symfs="--symfs symfs"
both="--symfs symfs --kallsyms kallsyms"

view spe.txt <<END
30	report $both good.data
30	report $both counts.data
50	report $both good.data
80	report --wide $both good.data
-	report --sort cycles --limit 3 $both good.data
-	report --sort issue --limit 2 $both good.data
-	report --sort translation --limit 3 $both good.data
-	report --sort symbol $both good.data
-	report --sort dso $both good.data
-	report --sort comm $both good.data
-	report $both mem.data
-	report --json $both mem.data
-	report rare.data
-	report --json $both sparse.data
-	report $both sparse.data
-	report wrong.data
-	report $both cpus.data
-	report --csv $both counts.data
-	report $both counts.data
-	report interval0.data
-	report --json interval3.data
-	report --csv $both damaged.data
-	report blind.data
-	report cut.data
-	report --json tp0.data
END
view groups.txt <<END
30	report --group-by comm,dso,symbol,op,source,range $both mem.data
-	report --group-by pid,socket,node --json $both nodes.data
-	report --group-by socket,cpu $both good.data
-	report --group-by op,source --sort latency $both mem.data
-	report --group-by op,el --sort issue --limit 3 $both mem.data
-	report --group-by source,symbol --sort translation --limit 4 $both mem.data
-	report --group-by range --range-size 64 --limit 0 $both mem.data
-	report --group-by range,data_node --json $both nodes.data
-	report --group-by comm,pid,tid,cpu,socket,node,el,dso,symbol,line --csv $both mem.data
-	report --group-by inlined,op,source,range,data_node,cgroup --json --limit 5 $both cgroups.data
-	report --group-by alloc,alloc_line,alloc_size,block --csv $both heap.data
60	report --group-by comm,dso,symbol,op,source --histogram=translation $both mem.data
50	report --histogram=issue --limit 2 $both mem.data
-	report --histogram --csv --group-by cpu $both mem.data
-	report --group-by el,symbol --histogram $both good.data
-	report --group-by cpu,el,tid --csv $symfs types.data
-	report --group-by cgroup,comm --json $symfs types.data
-	report --group-by symbol,el --json $symfs kernel.data
-	report --group-by dso,line --limit 2 $symfs brbe.data
-	report --group-by el,tid,symbol --json $symfs lbr.data
-	report --group-by line,inlined --json $symfs lbr.data
-	report --group-by socket,node $symfs both.data
END
view mem.txt <<END
30	mem $both mem.data
30	mem --limit 3 $symfs shared.data
50	mem $both mem.data
70	mem --by symbol,data $both mem.data
90	mem --by line,source $both mem.data
50	mem --wide --by line,latency $both mem.data
-	mem --by source,latency,symbol,data,line --sort stores --limit 2 $both mem.data
-	mem --by source,latency,symbol,data,line --sort issue --limit 3 --csv $both mem.data
-	mem --by source,symbol,data,line --sort translation --limit 3 $both mem.data
-	mem --by source,symbol,data,line --sort samples --limit 3 $both mem.data
-	mem --by line --line-size 16 --json $both mem.data
-	mem --by data,line --line-size 4096 --csv $both mem.data
-	mem $both cgroups.data
-	mem --json --by symbol,data $both heap.data
-	mem --json --by line $both blind.data
-	mem --csv $both damaged.data
-	mem --by latency --json $both rare.data
-	mem $both sparse.data
-	mem --csv --by line --at-once 1 --passes 2 $both mem.data
-	mem --limit 6 $symfs shared.data
-	mem --json --limit 4 --sort misses $symfs shared.data
-	mem --by line,data --limit 4 --at-once 20 --passes 1 $symfs shared.data
-	mem --by line --line-size 128 --limit 3 --sort walks $symfs shared.data
-	report --sort latency --limit 5 $symfs shared.data
END
view script.txt <<END
-	script -F comm,pid,tid,cpu,time,cgroup,el,pc,sym,op,target,prev,va,pa,alloc,events,lat,source,ctx,ts,raw,offset $both cgroups.data
-	script -F +pid,cgroup,alloc,ctx,ts,raw,offset --json $both heap.data
-	script -F +raw,prev --json $both rare.data
-	script -F +ts,offset $both damaged.data
-	script -F tid,ctx,source,lat,va $both mem.data
-	script --json --tid 101 $both mem.data
-	script $both tp0.data
-	script --json $both tp2.data
-	script --json $both cpus.data
-	script $both sparse.data
-	script blind.data
-	script $symfs given132.data
END
view traced.txt <<END
30	report --calls --callers $symfs trace.data
30	report --calls-of match $symfs moved.data
30	report $symfs marks.data
30	report $symfs no-kernel.data
60	report --calls $symfs trace.data
50	report --calls --callers $symfs moved.data
-	report --calls --csv $symfs trace.data
-	report --callers --json $symfs both.data
-	report --calls --limit 1 $symfs trace.data
-	report --sort dso $symfs trace-damaged.data
-	report --csv $symfs trace-damaged.data
-	report --calls --json $symfs trace-damaged.data
-	report --wide --calls $symfs wander.data
-	report --calls --callers --json $symfs wander.data
-	report --calls-of compress $symfs wander.data
-	report --calls-of match --json --limit 3 $symfs wander.data
70	report --calls-of match $symfs trace-damaged.data
-	report --calls $symfs exec-task.data
-	report --calls $symfs exec-marker.data
-	report --calls $symfs exec-entry.data
-	report --calls $symfs exec-signal.data
-	report --calls --json $symfs exec-late.data
-	report --calls $symfs types.data
-	report --json $symfs kernel.data
-	report --calls --csv $symfs no-kernel.data
-	report --json $symfs branch-marks.data
-	report --csv $symfs marks.data
60	report $symfs many-marks.data
-	report --calls --json $symfs many-marks.data
-	report --tid 100 --limit 2 $symfs many-marks.data
-	report $symfs snapshots.data
-	report --csv $symfs snapshots.data
50	report $symfs snapshots.data
-	report --json $symfs never.data
-	report --json $symfs stopped.data
-	report --calls $symfs stacks.data
-	report --json $symfs stacks.data
-	report --csv $symfs instrumented.data
-	report --calls $symfs steady.data
-	report --calls-of outer $symfs kernel.data
-	report --calls $symfs two-tasks.data
-	report --cpu 1 --calls $symfs two-records.data
-	report --cpu 1 $symfs wander.data
-	report --time 5.00013,5.00015 $symfs wander.data
-	report --el 1 $symfs kernel.data
END
view waits.txt <<END
30	report --waits $symfs wakes.data
50	report --waits $symfs wakes.data
70	report --waits $symfs wakes.data
-	report --waits --csv $symfs wakes.data
-	report --waits --limit 1 $symfs wakes.data
-	report --waits --csv $symfs waits.data
-	report --waits --json $symfs cgroups.data
-	report --waits --json $symfs joint-slow.data
-	report --waits --cpu 0 $symfs wakes.data
-	report --waits --comm other $symfs wakes.data
-	report --waits $both mem.data
-	script $symfs wakes.data
-	script --calls-timeline --json $symfs wakes.data
-	script --calls-timeline $symfs waits.data
END
view flow.txt <<END
-	script --calls-timeline --tid 102 --time 5.00013,5.00015 $symfs wander.data
-	script --calls-timeline --json --time 5.0001,5.00012 $symfs wander.data
-	script --ranges --json --time 5.0001,5.00011 $symfs wander.data
-	script --insn --json --time 5.0001,5.00011 $symfs wander.data
-	script --branches --json $symfs trace-damaged.data
-	script --insn $symfs trace-damaged.data
-	script --insn --json $symfs kernel.data
-	script --calls-timeline --json $symfs kernel.data
-	script --calls-timeline $symfs exec-task.data
-	script --calls-timeline --json $symfs exec.data
-	script --insn $symfs exec-marker.data
-	script --ranges $symfs exec-entry.data
-	script --ranges --json $symfs exec-signal.data
-	script --calls-timeline $symfs snapshots.data
-	script --json $symfs snapshots.data
-	script --json $symfs both.data
-	script --insn $symfs both.data
-	script --json $symfs types.data
-	script -F +cgroup,pid $symfs types.data
-	script --json $symfs instrumented.data
-	script --calls-timeline --json $symfs instrumented.data
-	script --calls-timeline --json $symfs branch-marks.data
-	script --calls-timeline --json $symfs marks.data
-	script --insn --json $symfs marks.data
-	script $symfs stacks.data
-	script --json $symfs two-tasks.data
-	script --insn $symfs jit.data
-	script --dso other --ranges $symfs exec-task.data
END
view branches.txt <<END
30	report --calls $symfs brbe.data
60	report --calls $symfs brbe.data
40	report $symfs lbr.data
90	report --calls $symfs mixed.data
-	report --sort dso $symfs brbe.data
-	report --limit 1 --calls $symfs brbe.data
-	report --limit 0 --calls $symfs lbr.data
-	report --json $symfs lbr.data
-	report --calls --csv $symfs full.data
-	report full.data
-	report $symfs android.data
-	report --calls --json $symfs callstack.data
-	report --json $symfs returns.data
-	report --json $symfs mixed.data
-	report $symfs shorter.data
-	report --cpu 1 --calls $symfs brbe.data
-	script $symfs android.data
-	script --json $symfs mixed.data
-	script $symfs callstack.data
END
view joint.txt <<END
60	report --joint $symfs joint.data
50	report --joint --calls-of match $symfs joint-slow.data
-	report --joint --calls-of match --csv --limit 2 $symfs joint-slow.data
-	report --joint --calls-of compress --json --limit 2 $symfs joint-cycles.data
-	report --joint --least-mhz 1000 --stamp-error 100 --most-mhz 1000 $symfs joint-cycles.data
-	report --joint --json $symfs joint-steps.data
-	report --joint --csv $symfs joint-ops.data
-	report --joint --json $symfs joint-apart.data
-	report --joint --wide --limit 0 $symfs joint-slow.data
-	script --joint -F +raw $symfs joint-few.data
-	script --joint $symfs joint-few.data
-	script --joint --json $symfs joint-few.data
-	script --joint --json --time 5.02,5.025 $symfs joint-slow.data
-	script --joint --cpu 1 $symfs joint-few.data
-	report --joint $symfs both.data
END
view diff.txt <<END
30	diff $both good.data mem.data
30	diff $symfs trace.data exec.data
60	diff $both good.data mem.data
-	diff --json $both good.data mem.data
-	diff --by line --limit 2 $both mem.data good.data
-	diff --by dso $both mem.data damaged.data
-	diff --csv $symfs trace.data wander.data
50	diff --limit 2 $symfs wander.data trace-damaged.data
-	diff --by line --json $symfs trace.data moved.data
-	diff --by dso $symfs trace.data exec.data
-	diff $symfs both.data joint-few.data
-	diff $symfs brbe.data lbr.data
-	diff --confidence 50 --tid 100 $both good.data mem.data
END
view annotate.txt <<END
30	annotate $symfs both.data
30	annotate --mix $symfs both.data
60	annotate $symfs trace.data
-	annotate --limit 1 $both good.data
-	annotate --json $both mem.data
-	annotate --csv --limit 0 $symfs wander.data
-	annotate --mix $both mem.data
-	annotate --mix --csv $symfs both.data
-	annotate --no-source --symbol match $symfs joint-slow.data
-	annotate --cpu 1 --json $symfs types.data
-	annotate $symfs kernel.data
-	annotate --json $symfs jit.data
END
view page.txt <<END
-	page $both good.data
-	page --calls 3 --limit 3 $symfs both.data
-	page --listings 0 $both mem.data
-	page --listings 1 $symfs trace-damaged.data
-	page $symfs marks.data
-	page --tid 100 $symfs exec-task.data
-	page $symfs wakes.data
-	page --limit 2 $symfs joint-few.data
-	page $symfs brbe.data
END
view dump.txt <<END
-	dump heap.data
-	dump wakes.data
-	dump tp2.data
-	dump cgroups.data
-	dump snapshots.data
-	dump jit.data
-	dump types.data
-	dump exec-marker.data
-	dump full.data
-	dump joined.data
-	dump given132.data
-	dump android.data
-	dump packed.data
-	dump piped.data
-	dump sparse.data
-	dump few.data
-	dump two-tasks-committed.data
END
view wide.txt <<END
-	report --calls $symfs wide.data
60	report --calls --callers $symfs regular.data
-	report --json --calls --limit 0 $symfs wide.data
-	report --waits $symfs wide.data
-	report --waits --json $symfs regular.data
-	report --calls-of outer $symfs wide.data
-	report --calls-of compress --csv --limit 2 $symfs regular.data
-	report --group-by cpu,tid,symbol $symfs wide.data
-	report --group-by cgroup,el,op --csv $symfs wide.data
-	report --joint --json $symfs wide.data
-	report --joint $symfs regular.data
90	report --joint --calls-of match --limit 3 $symfs wide.data
70	report --joint --limit 3 $symfs wide.data
30	report --joint --limit 3 --calls-of match $symfs wide.data
30	report --joint --limit 3 $symfs regular.data
-	report --joint --calls-of match --json --limit 300 $symfs wide.data
-	report --joint --calls-of outer --csv --limit 5 $symfs wide.data
-	report --joint --cpu 1 --csv $symfs wide.data
-	report --joint --tid 200 --limit 2 $symfs regular.data
-	mem $symfs wide.data
-	mem --json --limit 3 --tid 101 $symfs wide.data
-	script --time 85.0,85.0002 $symfs wide.data
-	script --ranges --time 85.0003,85.0006 $symfs wide.data
-	script --insn --json --time 85.0,85.00008 $symfs wide.data
-	script --calls-timeline --time 85.001,85.0014 $symfs wide.data
-	script --calls-timeline --json --tid 100 --time 85.001,85.0014 $symfs wide.data
-	script --joint --time 85.0,85.0008 $symfs wide.data
-	script --joint --json --time 85.003,85.0036 $symfs wide.data
-	script --joint --json --cpu 0 --time 85.0,85.001 $symfs regular.data
-	annotate $symfs wide.data
-	annotate --mix --json $symfs wide.data
-	diff $symfs wide.data regular.data
-	diff --json --by line $symfs regular.data wide.data
-	merge -o wide.shard $symfs wide.data
-	report wide.shard
-	page --calls 5 --limit 2 --time 85.0001,85.0002 $symfs wide.data
END
view odd.txt <<END
-	report --calls $symfs odd.data
-	report --json $symfs odd.data
-	report --callers --limit 0 $symfs odd.data
-	report --group-by line,symbol,el --csv $symfs odd.data
-	report --calls-of match $symfs odd.data
-	report --joint --json $symfs odd.data
-	script --joint $symfs odd.data
-	script $symfs odd.data
-	script --ranges --json $symfs odd.data
-	script --insn $symfs odd.data
-	script --calls-timeline $symfs odd.data
-	script --json $symfs odd.data
-	annotate --json $symfs odd.data
-	annotate $symfs odd.data
-	dump odd.data
-	merge -o odd.shard $symfs odd.data
-	cat odd.shard
-	page --listings 0 $symfs odd.data
-	report --calls --limit 8 deep.data
-	report --callers --limit 3 --json deep.data
-	report --calls-of deep deep.data
-	last script --calls-timeline deep.data
-	last export --to folded --weight instructions -o - deep.data
-	merge -o deep.shard deep.data
-	report deep.shard
-	report $symfs places.data
-	report --json --group-by socket,node,cpu $symfs places.data
-	mem places.data
-	report --joint $symfs places.data
-	report many.data
-	report --calls --json many.data
-	report --sort symbol --limit 8 many.data
-	report --joint --limit 7 --json many.data
-	report --group-by symbol,cpu --limit 12 many.data
-	script --time 5.0,5.000024 many.data
-	script --json --time 5.0,5.000019 many.data
-	script --insn --time 5.0,5.000018 many.data
-	script --joint --json --time 5.0,5.000020 many.data
-	annotate many.data
-	diff many.data odd.data
-	diff --limit 0 --csv many.data odd.data
-	merge -o many.shard many.data
-	report many.shard
-	cat many.shard
-	script -F cpu,pc,raw packets.data
-	script -F +raw --json packets.data
-	report packets.data
-	dump packets.data
END
view filters.txt <<END
-	script -F pc,op,events --event l1d_refill,llc_miss,mispredicted --op load --cpu 1 $symfs wide.data
-	script -F pc,op,lat --op "store" --min-latency 200 $symfs wide.data
-	script -F pc,op,lat --op branch --el 1 --symbol inner $symfs wide.data
-	script -F cpu,tid,time,pc --el 0,2-3 --dso work --tid 101,200 --time 85.001,85.0012 $symfs wide.data
-	script -F tid,pc --ranges --time 10%-10.5% $symfs wide.data
-	script -F cpu,time,pc --comm second,worker --cpu 0 --symbol _start --time 85.001,85.004 $symfs wide.data
-	script --ranges --tid 100 --el 1 --time 85.0005,85.0015 $symfs wide.data
-	script --insn --symbol match --time 85.0005,85.0006 $symfs wide.data
-	script --cgroup /a.slice --joint --time 85.0005,85.0015 $symfs wide.data
-	report --cgroup /b.slice --limit 3 $symfs wide.data
-	report --pid 200 --limit 3 --calls $symfs wide.data
-	report --el 1 --limit 3 --group-by symbol,tid $symfs wide.data
-	report --event tlb_walk --limit 2 $symfs wide.data
-	mem --event l1d_refill --comm work --limit 3 $symfs shared.data
-	mem --min-latency 1000 --cpu 2-3 --limit 3 $symfs shared.data
-	report --op simd_fp,excl --limit 3 $symfs shared.data
-	annotate --dso [kernel.kallsyms] --limit 1 $symfs wide.data
-	annotate --time 50%-100% --limit 1 $symfs wide.data
END
view exports.txt <<END
-	export --to firefox $both good.data
-	export --to speedscope $both good.data
-	export --to folded --weight misses $symfs wide.data
-	export --to folded --weight cycles $symfs wide.data
-	export --to speedscope --time 85.001,85.002 $symfs wide.data
-	export --to firefox --weight calls $symfs wide.data
-	export --to chrome $symfs waits.data
-	export --to bolt $symfs wide.data
-	export --to llvm $symfs wide.data
-	export --to llvm-contexts $symfs wide.data
-	export --to bolt $symfs mixed.data
-	export --to json $symfs both.data
-	export --to folded --weight instructions $symfs odd.data
END
view shards.txt <<END
-	merge -o spe.shard $both good.data
-	cat spe.shard
60	report spe.shard
30	report spe.shard
-	merge -o mem.shard $both mem.data
-	cat mem.shard
-	report --csv mem.shard
-	merge -o two.shard spe.shard mem.shard $both rare.data
-	report two.shard
-	report --json --limit 3 two.shard
-	report --sort issue --limit 2 two.shard
-	merge -o ete.shard $symfs wander.data trace-damaged.data kernel.data
-	cat ete.shard
-	report ete.shard
30	report ete.shard
-	report --sort symbol --json ete.shard
-	merge --flat -o flat.shard $symfs wander.data types.data
-	cat flat.shard
-	report --limit 2 flat.shard
-	merge -o brbe.shard $symfs brbe.data lbr.data mixed.data
-	cat brbe.shard
-	report brbe.shard
-	merge --part 2/3 -o part.shard $symfs trace.data
-	cat part.shard
-	merge -o all.shard brbe.shard ete.shard two.shard
-	report --csv --limit 4 all.shard
50	report --limit 1 all.shard
-	export --to folded $symfs ete.shard
-	export --to folded --weight latency $symfs spe.shard
-	export --to llvm $symfs brbe.shard
-	export --to llvm $symfs all.shard
-	export --to folded $symfs all.shard
-	export --to folded --weight instructions $symfs all.shard
-	export --to bolt $symfs brbe.shard
-	export --to json $symfs mem.shard
-	report --sort latency --csv spe.shard
-	report --sort dso mem.shard
END
head -c 1200 trace.data >short.data
head -c 100 trace.data >tiny.data
head -c 4000 wide.data | tail -c 3000 >middle.data
"$V9TRACE" merge -o some.shard $both good.data 2>err
"$V9TRACE" split -o half.data joint-few.data 2>err
"$V9TRACE" split -o other.data joint-few.data 2>err
cp half.data alone.data
head -c -120 other.data.spe >half.data.cut && mv half.data.cut other.data.spe
view messages.txt <<END
-	status report some.shard --sort symbol --limit 1
$(for c in script mem annotate dump html diff view archive "report --waits" "report --joint" "script --joint"; do
	echo "-	status $c some.shard"
done)
$(for c in report script mem annotate dump diff "html -o page.html" "archive -o out.tar" "export --to folded" "merge -o out.shard"; do
	for f in short.data tiny.data middle.data nowhere.data symfs empty.data; do
		case $c$f in html*short*) continue ;; esac
		echo "-	status $c $f"
	done
done)
-	status report alone.data
-	status report --joint alone.data
-	status report alone.data extra.data
-	status report half.data
-	status report other.data
-	status report --waits corrupt.data
-	status script corrupt.data
-	status mem corrupt.data
-	status dump corrupt.data
-	status annotate cut.data
-	status diff cut.data $both good.data
-	status mem --by latency cut.data
-	status report --time 7, $both mem.data
-	status script --time ,1 $both wide.data
-	status report --limit x good.data
-	status report --limit -1 good.data
-	status report --limit 18446744073709551615 --sort symbol $both rare.data
-	status report --limit 18446744073709551616 good.data
-	status report --jobs 1x good.data
-	status report --range-size 1099511627777 good.data
-	status report --sort x good.data
-	status report --sort latency brbe.data
-	status report --sort cycles $symfs trace.data
-	status report --sort cycles --limit 1 $symfs both.data
-	status report --sort latency --limit 1 $symfs mixed.data
-	status report --group-by cpu,,tid good.data
-	status report --group-by good.data
-	status report --histogram=none good.data
-	status report --joint --calls joint-few.data
-	status report --joint --callers joint-few.data
-	status report --joint --waits joint-few.data
-	status report --joint --group-by cpu joint-few.data
-	status report --joint --histogram joint-few.data
-	status report --joint --el 0 joint-few.data
-	status report --joint --least-mhz 100001 joint-few.data
-	status report --joint --time 7, $symfs joint-few.data
-	status report --most-mhz 5 joint-few.data
-	status report --callers --dso work trace.data
-	status report --calls-of x --symbol match trace.data
-	status report --waits --el 0 waits.data
-	status report --waits brbe.data
-	status report --cpu 5-3 good.data
-	status report --cpu a good.data
-	status report --cpu 1,,2 good.data
-	status report --tid 4294967296 good.data
-	status report --el 4 good.data
-	status report --event x good.data
-	status report --op x good.data
-	status report --comm "" good.data
-	status report --cgroup a good.data
-	status report --time 5,4 good.data
-	status report --time 110%, good.data
-	status report --time 5.1x, good.data
-	status report --min-latency x good.data
-	status report --min-latency 5000 --event dram good.data
-	status report --symbol nobody $both good.data
-	status report --dso nothing $both good.data
-	status report --op swp $both good.data
-	status report --el 3 --cpu 1 $both good.data
-	status report --pid 7 --comm x $symfs trace.data
-	status report --el 1 --symbol match $symfs trace.data
-	status script --fields good.data
-	status script --fields pc,,tid good.data
-	status script --fields + good.data
-	status script --fields pc,pc,pc good.data
-	status script --calls-timeline --el 0 trace.data
-	status script --calls-timeline good.data
-	status script --ranges brbe.data
-	status script --joint trace.data
-	status script --joint both.data
-	status mem --by data,x mem.data
-	status mem --by , mem.data
-	status mem --line-size 8 mem.data
-	status mem --line-size 4097 mem.data
-	status mem --sort symbol mem.data
-	status mem --at-once 0 mem.data
-	status mem trace.data
-	status mem brbe.data
-	status mem --tid 9 $both mem.data
-	status diff good.data
-	status diff --limit 1 $both good.data mem.data
-	status diff --by pc good.data mem.data
-	status diff --confidence 100.5 good.data mem.data
-	status diff trace.data good.data
-	status diff brbe.data good.data
-	status diff --tid 9 good.data mem.data
-	status annotate --symbol nobody $symfs trace.data
-	status annotate --mix --limit x $symfs trace.data
-	status annotate brbe.data
-	status dump --raw=x good.data
-	status dump --raw nowhere
-	status dump --raw symfs
-	status dump --code out good.data
-	status html --limit 0 good.data
-	status html --calls x good.data
-	status html --listings -1 good.data
-	status html -o nowhere/page.html good.data
-	status html -o page.html --tid 9 good.data
-	status join -o whole.data half.data
-	status join -o whole.data half.data half.data.spe
-	status join -o again.data half.data other.data.spe
-	status join -o again.data half.data half.data
-	status join -o again.data good.data
-	status join -o again.data whole.data
-	status join -o nowhere/again.data half.data
-	status join half.data
-	status join -o again.data half.data half.data.spe half.data
-	status join -o again.data alone.data
-	status split -o again.data half.data
-	status split -o again.data good.data
-	status split joint-few.data
-	status split -o nowhere/again.data joint-few.data
-	status archive -o symfs archive.data
-	status archive -o nowhere/out archive.data
-	status archive -o out.tar kernel.data
-	status view good.data
-	status report --nonsense good.data
-	status script --nonsense good.data
-	status mem --limit
-	status diff --nonsense
END
# sums NAME OPTIONS: tables of SPE records are what the records that script prints add up to
sums() {
	"$V9TRACE" script -F comm,pid,tid,cpu,cgroup,time,el,pc,sym,op,events,lat,source --json $both "$1.data" >script.json 2>err
	"$V9TRACE" report --json --limit 0 $both "$1.data" >report.json 2>err
	agree "sums_of_$1" sums script.json report.json
	for keys in $2; do
		"$V9TRACE" report --group-by "$keys" --json --limit 0 $both "$1.data" >report.json 2>err
		agree "groups_of_$1_$(echo "$keys" | tr , _)" groups "$keys" script.json report.json
	done
}
# agree NAME WHAT FILE...: views.py says so
agree() {
	name=$1
	shift
	got=$(python3 -B "$top/selftests/host/views.py" "$@" 2>&1 | tail -n 1)
	case $got in
	ok:*) ok "$name" ;;
	*) not_ok "$name" "$got" ;;
	esac
}
for c in good mem cgroups damaged rare sparse; do
	sums $c "el,op cpu,source comm,pid,dso"
done
sums random cpu,el,op
sums places cpu
sums shared cpu,op
for option in "" "--at-once 50 --passes 0"; do
	"$V9TRACE" script --json --symfs symfs shared.data >script.json 2>err
	# shellcheck disable=SC2086
	"$V9TRACE" mem --json --limit 0 $option --symfs symfs shared.data >mem.json 2>err
	agree "mem_of_shared${option:+_in_parts}" mem script.json mem.json
done
"$V9TRACE" script -F +ctx,ts,offset --json random.data >script.json 2>err
"$V9TRACE" script -F el,pc,va,pa,lat,ctx,ts,offset random.data >script.txt 2>err
agree records_are_those_written lines random.log script.json script.txt
# The sums do not depend on the number of threads or the size of the pieces.
jobs() {	# NAME COMMAND...
	name=$1 differ=
	shift
	"$V9TRACE" "$@" -j 1 >alone 2>err
	for way in 2,1 3,1000 4,20000; do
		"$V9TRACE" "$@" -j $way >out 2>err
		cmp -s alone out || differ="$differ $way"
	done
	[ -s alone ] && [ -z "$differ" ] && ok "jobs_$name" || not_ok "jobs_$name" "differs with -j$differ"
}
for c in shared wide many random; do
	jobs report_$c report --json --limit 0 --symfs symfs $c.data
	jobs mem_$c mem --json --limit 9 --symfs symfs $c.data
	jobs groups_$c report --group-by op,cpu,el,symbol --histogram --json --limit 0 --symfs symfs $c.data
done
jobs annotate annotate --json --symfs symfs wide.data
jobs annotate_shared annotate --json --symfs symfs shared.data
jobs objects mem --by data --limit 0 --symfs symfs shared.data
jobs parts mem --json --limit 5 --at-once 30 --passes 3 --symfs symfs shared.data
jobs walks mem --json --by line,data --sort walks --at-once 20 --passes 0 --symfs symfs shared.data
jobs export export --to folded -o - --symfs symfs shared.data
jobs joint report --joint --json --symfs symfs wide.data
jobs calls report --calls --json --symfs symfs wide.data
jobs script script --json --symfs symfs wide.data
for c in wide regular; do
	"$V9TRACE" script --joint --json --symfs symfs $c.data >script.json 2>err
	agree places_of_$c places $c.log script.json
done
finish
