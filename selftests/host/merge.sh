#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace merge on captures that mkcapture.c, mktrace.c and mkbranches.c make: any order and any tree of
# merges, and any division into parts, gives the same file; its numbers are those of the captures.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
captures "$top/selftests/exports/captures.sh" .
symbols="--symfs symfs --kallsyms kallsyms"

# merge OUT FILE...: an error is printed, and there is no file
merge() {
	out=$1
	shift
	rm -f "$out"
	"$V9TRACE" merge -o "$out" $symbols "$@" 2>err
}

# same NAME FILE FILE
same() {
	if [ -s "$2" ] && cmp -s "$2" "$3"; then ok "$1"
	else not_ok "$1" "$(diff "$2" "$3" | sed -n 2p), $(head -n 1 err)"; fi
}

# refused NAME STATUS TEXT FILE...: merge says why and writes nothing
refused() {
	name=$1 want=$2 text=$3
	shift 3
	merge out.shard "$@"
	status=$?
	if [ $status = "$want" ] && [ ! -e out.shard ] && grep -q -e "$text" err; then ok "$name"
	else not_ok "$name" "status $status, $(head -n 1 err)"; fi
}

# ---- numbers

# numbers NAME CAPTURE...: of the report of the shard
numbers() {
	name=$1
	shift
	merge one.shard "$@"
	"$V9TRACE" report --json --limit 0 one.shard >shard.json 2>err
	reports=
	for c; do
		"$V9TRACE" report --json --limit 0 $symbols "$c" >"$c.json" 2>err
		reports="$reports $c.json"
	done
	if why=$(python3 "$top/selftests/host/merge.py" shard.json $reports 2>&1); then ok "numbers_$name"
	else not_ok "numbers_$name" "$(echo "$why" | tail -n 1)"; fi
}
for c in good damaged mem rare trace trace-damaged steady moved exec kernel mixed; do
	numbers "$(echo $c | tr - _)" $c.data
done
numbers of_all good.data trace.data steady.data mem.data mixed.data

# Branches for compilers: those of the captures, which are added up without a shard
merge one.shard trace.data good.data steady.data brbe.data
for format in bolt llvm; do
	"$V9TRACE" fdo --for $format --binary symfs/opt/work $symbols -o want \
		trace.data good.data steady.data brbe.data 2>err
	"$V9TRACE" fdo --for $format --binary symfs/opt/work -o got one.shard 2>err
	sort want >want.sorted
	sort got >got.sorted
	same ${format}_of_a_shard want.sorted got.sorted
done

# The stacks of a capture without its threads, of a shard without its CPU types
without_first() {
	grep -v '^#' | sed 's/^[^;]*//' |
		awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[$0] += n } END { for (s in sum) print s, sum[s] }' | sort
}
for c in good mem inlined steady moved jit; do
	"$V9TRACE" export --to folded $symbols $c.data 2>err | without_first >want
	merge one.shard $c.data
	"$V9TRACE" export --to folded --symfs symfs one.shard 2>err | without_first >got
	same stacks_of_$c want got
done

# ---- trees

set -- good.data mem.data rare.data trace.data steady.data brbe.data mixed.data exec.data
i=0
for c; do
	i=$((i + 1))
	merge $i.shard "$c" || not_ok "shard_of_$c" "$(head -n 1 err)"
done
merge all.shard 1.shard 2.shard 3.shard 4.shard 5.shard 6.shard 7.shard 8.shard
merge other.shard 8.shard 3.shard 5.shard 1.shard 7.shard 2.shard 6.shard 4.shard
same any_order all.shard other.shard
cp 1.shard sum.shard
for i in 2 3 4 5 6 7 8; do
	merge next.shard sum.shard $i.shard
	mv next.shard sum.shard
done
same one_by_one all.shard sum.shard
merge a.shard 5.shard 6.shard && merge b.shard 8.shard 7.shard && merge c.shard b.shard a.shard
merge d.shard 1.shard 3.shard && merge e.shard 4.shard 2.shard && merge f.shard d.shard e.shard
merge other.shard c.shard f.shard
same tree all.shard other.shard
merge other.shard "$@"
same captures_at_once all.shard other.shard
merge other.shard 7.shard steady.data 8.shard a.shard 1.shard
refused shard_and_its_capture 1 'it would count twice' a.shard steady.data
merge other.shard e.shard steady.data 8.shard 1.shard rare.data 7.shard 6.shard
same captures_and_shards all.shard other.shard
refused twice 1 'it would count twice' 1.shard 2.shard 1.shard
refused twice_in_a_tree 1 'it would count twice' c.shard 5.shard

# ---- parts

# parts NAME NUMBER CAPTURE [--flat]
parts() {
	merge whole.shard ${4:-} "$3"
	rm -f part.*.shard
	for k in $(seq "$2"); do
		merge part.$k.shard ${4:-} --part $k/$2 "$3"
	done
	# Backwards
	merge sum.shard $(for k in $(seq "$2"); do echo part.$k.shard; done | sort -r)
	same "$1" whole.shard sum.shard
}
for c in good mem rare trace types trace-damaged steady moved wander exec kernel written brbe calls mixed cpus; do
	for many in 1 2 3 7 40; do
		parts "parts_$(echo $c | tr - _)_$many" $many $c.data
		parts "flat_parts_$(echo $c | tr - _)_$many" $many $c.data --flat
	done
done
# Each part decodes its share, not all: what it counts is in no other part.
parts parts_have_shares 4 steady.data
least=$(for k in 1 2 3 4; do
	"$V9TRACE" report --json part.$k.shard 2>err |
		python3 -c 'import json, sys; print(sum(r["instructions"] for r in json.load(sys.stdin)["executed"]))'
done | sort -n | head -n 1)
if [ "$least" -gt 20000 ]; then ok each_part_has_a_share; else not_ok each_part_has_a_share "least: $least of 119513"; fi
merge sum.shard part.1.shard part.3.shard
"$V9TRACE" report sum.shard >got 2>err
if grep -q '1  captures of which parts are missing .* their call paths are missing, too' got; then ok missing_part_is_said
else not_ok missing_part_is_said "$(head -n 2 got | tail -n 1)"; fi
refused part_twice 1 'part 3 of 4 of capture .* it would count twice' sum.shard part.3.shard
merge whole.shard --flat steady.data
refused part_and_whole 1 'it would count twice' whole.shard part.2.shard
merge flat.shard --flat --part 1/2 steady.data
merge paths.shard --part 2/2 steady.data
refused part_with_and_without_paths 1 'without call paths, others are not: give --flat' paths.shard flat.shard
refused part_of_damaged 1 'damaged.data is damaged.*: merge it as a whole' --part 1/2 damaged.data
refused part_of_overwritten 1 'has overwritten buffers' --part 1/2 fired.data
refused part_of_two 2 'of one capture' --part 1/2 good.data mem.data
refused part_of_a_shard 2 'only a capture has parts' --part 1/2 1.shard
for part in 0/2 3/2 1/0 1 1/2x x/2 1/ /2 -1/2 1/-2 1/100001; do
	refused "part_$(echo "$part" | tr '/-' '__')" 2 'part K of N' "--part=$part" good.data
done

# ---- CPU types of an ETE trace

# executed CAPTURE OPTION...: instructions of each function, and the CPU type if there is one
executed() {
	"$V9TRACE" report --json --symfs symfs "$@" 2>err | python3 -c 'import json, sys
tables = json.load(sys.stdin)
for row in tables.get("executed") or tables["functions"]:
	print(row.get("cpu_type"), row["symbol"], row["instructions"])' | LC_ALL=C sort
}
merge types.shard --flat --symfs symfs types.data
executed types.shard >got
for type in 0x00000000410fd8e0/0 0x00000000411fd852/1; do
	executed types.data --cpu "${type#*/}" | sed "s|^None|${type%/*}|"
done | LC_ALL=C sort >want
if [ "$(wc -l <want)" -eq 5 ]; then same executed_by_cpu_type want got; else not_ok executed_by_cpu_type "$(head -n 1 want)"; fi
# Call paths are of threads, which move between CPUs of both types.
merge types.shard --symfs symfs types.data
"$V9TRACE" report --json types.shard 2>err |
	python3 -c 'import json, sys; print({r["cpu_type"] for r in json.load(sys.stdin)["executed"] if r["calls"]})' >got
if [ "$(cat got)" = '{None}' ]; then ok paths_have_no_cpu_type; else not_ok paths_have_no_cpu_type "$(head -n 1 got)"; fi

# ---- errors

refused no_file 2 'of which captures'
"$V9TRACE" merge good.data 2>err
[ $? = 2 ] && grep -q 'where to' err && ok no_output || not_ok no_output "$(head -n 1 err)"
refused absent 1 'none.data' 1.shard none.data
refused not_a_capture 1 'symfs' symfs/opt/work
head -c 300 1.shard >cut.shard
refused cut 1 'cut.shard: line .*: ' 2.shard cut.shard
sed 's/^v9trace-shard 1/v9trace-shard 3/' 1.shard >newer.shard
refused newer 1 'newer version' newer.shard
sed 's/^s 1 1 /s 1 9999 /' 1.shard >bad.shard
refused unknown_place 1 'line that is not there' bad.shard
sed '0,/5 35/s//5 36/' 1.shard >bad.shard
refused changed 1 'the file is damaged' bad.shard
# A capture that was cut short: its sums are there, the losses say so, and the status does
merge out.shard cut.data
if [ $? = 1 ] && [ -s out.shard ] && grep -q '^lost ' out.shard; then ok capture_cut_short; else not_ok capture_cut_short "$(head -n 1 err)"; fi
for command in script mem dump annotate; do
	"$V9TRACE" $command 1.shard >got 2>err
	[ $? != 0 ] && [ -s err ] && ok "${command}_refuses" || not_ok "${command}_refuses" "$(head -n 1 err)"
done
"$V9TRACE" script 1.shard 2>err
grep -q 'is a shard' err && ok script_says_why || not_ok script_says_why "$(head -n 1 err)"
for option in --calls --waits --group-by=symbol --comm=work; do
	"$V9TRACE" report $option 1.shard >got 2>err
	[ $? = 2 ] && grep -q 'needs the capture' err && ok "refuses_$(echo "${option%%=*}" | tr -d - )" ||
		not_ok "refuses_$(echo "${option%%=*}" | tr -d -)" "$(head -n 1 err)"
done
for format in chrome perf; do
	"$V9TRACE" export --to $format -o got 1.shard 2>err
	[ $? = 1 ] && grep -q 'has no sums of that form' err && ok "${format}_refuses" ||
		not_ok "${format}_refuses" "$(head -n 1 err)"
done

# ---- tables of a shard

rm -rf tables
# Branches of a program, and of the program that it executes later at the same addresses, are of two objects.
mkdir -p twice/opt && cp symfs/opt/work twice/opt/work && cp symfs/opt/work twice/opt/other
"$V9TRACE" merge -o exec.shard --symfs twice exec.data 2>err && "$V9TRACE" export --to csv -o exec.tables exec.shard 2>>err
awk -F, 'NR > 1 && $6 { n[$6] += $NF } END { for (o in n) print o, n[o] }' exec.tables/branch_sums.csv | sort >rows
"$V9TRACE" script --branches --symfs twice exec.data 2>>err | sed -n 's,.* (\([a-z]*\)) -> .*,/opt/\1,p' |
	sort | uniq -c | awk '{ print $2, $1 }' >each
if [ "$(wc -l <each)" -eq 2 ] && cmp -s each rows; then ok branches_after_exec
else not_ok branches_after_exec "$(diff each rows | tr '\n' '|') $(head -n 1 err)"; fi
"$V9TRACE" export --to csv -o tables all.shard 2>err
if [ "$(ls tables | tr '\n' ' ')" = "branch_sums.csv lost.csv paths.csv samples.csv " ] &&
   grep -qF 'spe,0x00000000410fd490,:uk,4096,deadbeef05060708090a0b0c0d0e0f1011121314,/opt/work,match,0x1428,load,l2d,' tables/samples.csv
then ok csv; else not_ok csv "$(ls tables | tr '\n' ' ') $(head -n 1 err)"; fi
want=$(awk -F, 'NR > 1 { n += $(NF - 7) } END { print n }' tables/samples.csv)
"$V9TRACE" export --to sqlite -o tables.db all.shard 2>err
got=$(python3 -c 'import sqlite3; print(sqlite3.connect("tables.db").execute("SELECT sum(samples) FROM samples").fetchone()[0])')
[ "$want" = "$got" ] && [ "$got" -gt 40 ] && ok sqlite || not_ok sqlite "$want in csv, $got in sqlite, $(head -n 1 err)"
finish
