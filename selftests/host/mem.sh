#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace mem. The output for the capture that mkcapture.c makes is that in golden/mem. For a
# capture of random accesses (bench/mkspe.c) its sums are equal to those that awk computes from the
# output of v9trace script, and do not change if the cache lines are processed in parts.
#	UPDATE=1 mem.sh		writes the golden files instead
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
golden=$top/selftests/golden/mem
. selftests/host/suite.inc
. selftests/host/golden.inc
command=mem
own_directory
makers host/mkcapture bench/mkspe
captures ./mkcapture .
captures ./mkspe random.data 20000
symbols="--symfs symfs --kallsyms kallsyms"

golden mem.txt $symbols mem.data
golden mem.json --json $symbols mem.data
partly nothing_is_a_load_or_a_store 1 '^v9trace: given128.data has no load or store' given128.data
# The same trace with the metadata of Android's simpleperf, in which the MIDR is at another position
if "$V9TRACE" mem $symbols android.data 2>err | cmp -s - "$golden/mem.txt"; then
	ok metadata_of_simpleperf
else
	not_ok metadata_of_simpleperf "$("$V9TRACE" mem $symbols android.data | diff "$golden/mem.txt" - | head -n 2 | tail -n 1)"
fi
golden mem.csv --csv $symbols mem.data
golden mem-heap.txt --by data,line $symbols heap.data
golden mem-without-symbols.txt -i mem.data
golden mem-by-latency.txt --by data,line --sort latency --limit 3 $symbols mem.data
golden mem-of-a-thread.txt --by line --tid 101 $symbols mem.data
golden mem-wide-lines.txt --by line --line-size 256 $symbols mem.data
golden mem-by-walks.txt --by symbol,data --sort walks $symbols mem.data
golden mem-by-misses.txt --by symbol,line --sort misses $symbols mem.data
golden mem-nobody-knows-who.txt --by line $symbols blind.data
golden mem-of-a-report.txt $symbols good.data
golden mem-damaged.txt --by source,latency $symbols damaged.data
# good.data has samples of the kernel, too. The names by vmlinux are those by kallsyms.
"$V9TRACE" mem --symfs symfs --vmlinux vmlinux mem.data 2>err | cmp -s - "$golden/mem.txt" &&
	ok by_vmlinux || not_ok by_vmlinux "other names than by kallsyms; $(tail -n 1 err)"

# The sums do not depend on the order of timestamps. shows: SPE-CD12
"$V9TRACE" mem $symbols late.data 2>err | cmp -s - "$golden/mem.txt" &&
	ok time_stamps_in_any_order || not_ok time_stamps_in_any_order "$(tail -n 1 err)"

# Without an event the place of the data is not known. shows: SPE-CD9
"$V9TRACE" mem --by source --csv mem.data | tr -d '\r' >out.csv
levels=$(awk -F, '$1 == "sources" && $7 == "" { print $9 }' out.csv | sort | tr '\n' '/')
want="level 1 cache (by events)/missed the level 1 cache (by events)/no data source/"
[ "$levels" = "$want" ] && ok absent_events_show_no_place ||
	not_ok absent_events_show_no_place "$levels"

"$V9TRACE" mem --at-once 2 --passes 0 $symbols mem.data 2>err | cmp -s - "$golden/mem.txt" &&
	ok variables_in_parts || not_ok variables_in_parts "not the same in parts; $(tail -n 1 err)"

# columns TABLE KEY...: prints these columns of a table of the CSV, sorted
columns() {
	table=$1
	shift
	tr -d '\r' <out.csv | awk -F, -v table="$table" -v want="$*" '
		$1 == "table" { for (i = 1; i <= NF; i++) at[$i] = i; n = split(want, w, " "); next }
		$1 != table { next }
		{ s = ""; for (i = 1; i <= n; i++) s = s " " $at[w[i]]; print s }' | sort
}
"$V9TRACE" mem --csv --limit 0 random.data >out.csv 2>err
"$V9TRACE" script --json random.data >lines 2>err
awk '
function key(k,  s) {
	if (!match($0, "\"" k "\":(\"[^\"]*\"|[0-9]+)")) return ""
	s = substr($0, RSTART + length(k) + 3, RLENGTH - length(k) - 3)
	gsub(/"/, "", s)
	return s
}
key("op_class") != 1 { next }
{
	va = key("va"); store = key("op_value") == "0x1"; lat = key("lat_total")
	sum["ops " (store ? "stores" : "loads")]++
	# The page, and the line of 64 bytes: the second last digit rounded down to 0, 4, 8 or c,
	# the last one 0
	page = substr(va, 1, length(va) - 3) "000"
	p[page]++; ps[page] += store
	digit = index("0123456789abcdef", substr(va, length(va) - 1, 1)) - 1
	line = substr(va, 1, length(va) - 2) substr("048c", int(digit / 4) + 1, 1) "0"
	l[line]++; ls[line] += store
	if (!((line, key("tid")) in seen)) { seen[line, key("tid")] = 1; threads[line]++ }
	if (!((line, key("pc")) in seen)) { seen[line, key("pc")] = 1; places[line]++ }
	source[key("source_value")]++
}
END {
	for (i in p) print " page " i, p[i], p[i] - ps[i], ps[i] >"want.data"
	for (i in l) print " " i, l[i], l[i] - ls[i], ls[i], threads[i], places[i] >"want.lines"
	for (i in source) print " " i, source[i] >"want.sources"
}' lines
agree() {	# NAME TABLE COLUMN...
	name=$1 table=$2
	shift 2
	columns "$table" "$@" >got
	sort "want.$table" >want
	if [ -s got ] && cmp -s got want; then
		ok "$name"
	else
		not_ok "$name" "$(diff want got | head -n 2 | tail -n 1)"
	fi
}
agree random_pages data data samples loads stores
agree random_lines lines line samples loads stores threads instructions
agree random_sources sources value samples

# same NAME OPTION...: with these options the output is that in want
same() {
	name=$1
	shift
	"$V9TRACE" mem "$@" random.data >got 2>err
	if cmp -s got want; then
		ok "$name"
	else
		not_ok "$name" "$(diff want got | head -n 2 | tail -n 1); $(tail -n 1 err)"
	fi
}
"$V9TRACE" mem random.data >want 2>err
same in_parts --at-once 1000 --passes 0
same in_many_parts --at-once 100 --passes 0
# As many parts as there may be: the records are counted, too, and nothing is left out.
same in_four_parts --at-once 3000
same in_two_parts --at-once 5500 --passes 2
"$V9TRACE" mem --by line,data --sort samples --json random.data >want 2>err
same in_parts_by_samples --by line,data --sort samples --json --at-once 700 --passes 0

refuses absent 1 "No such file" absent.data
refuses ete 1 "not SPE" ete.data
refuses other_arch 1 "another architecture" x86.data
refuses empty 1 "is empty" empty.data
refuses two_files 2 "one capture at a time" -i mem.data good.data
refuses bad_sort 2 "--sort x: cycles" --sort x mem.data
refuses no_lines_at_once 2 "at least one cache line" --at-once 0 mem.data
for passes in -1 x 4294967296; do
	refuses "passes_$passes" 2 "--passes $passes" --passes $passes mem.data
done
refuses bad_by 2 "--by place: source" --by line,place mem.data
refuses by_nothing 2 "--by: source" --by '' mem.data
refuses bad_line_size 2 "power of two" --line-size 48 mem.data
refuses huge_line_size 2 "not a number from 0 to 4096" --line-size 8192 mem.data
refuses bad_limit 2 "--limit" --limit x mem.data

partly cut 1 "it is cut short" cut.data
"$V9TRACE" mem mem.data >/dev/full 2>err
if [ $? -eq 1 ] && grep -q "cannot write" err; then ok full_disk
else not_ok full_disk "$(tail -n 1 err)"; fi
finish
