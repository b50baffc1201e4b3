#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace report and script on captures of branch stacks that mkbranches.c makes. The output is that
# in golden/branches. Stock perf reads the same branches from the same files.
#	UPDATE=1 branches.sh	writes the golden files instead
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
golden=$top/selftests/golden/branches
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
makers host/mkcapture host/mkbranches
captures ./mkcapture .
captures ./mkbranches .

golden report.txt report --calls --symfs symfs brbe.data
golden report.json report --calls --json --symfs symfs brbe.data
golden report.csv report --csv --symfs symfs brbe.data
golden report-by-symbol.txt report --sort symbol --limit 3 --symfs symfs brbe.data
golden report-groups.txt report --group-by comm,cpu,symbol --symfs symfs brbe.data
golden report-of-a-symbol.txt report --symbol match --symfs symfs brbe.data
golden report-lbr.txt report --calls --symfs symfs lbr.data
golden report-calls.txt report --calls --symfs symfs calls.data
golden report-returns.txt report --calls --symfs symfs returns.data
golden report-callstack.txt report --calls --symfs symfs callstack.data
golden script.txt script --symfs symfs brbe.data
golden script.json script --json --symfs symfs brbe.data
golden script-lbr.txt script --symfs symfs lbr.data
golden script-lbr.json script --json --symfs symfs lbr.data
golden script-full.txt script full.data
golden script-full.json script --json full.data
golden dump.txt dump longer.data

# has NAME FILE TEXT: the report has that line
has() {
	"$V9TRACE" report --symfs symfs "$2" >out 2>err
	if tr -s ' ' <out | grep -q -e "$3"; then ok "$1"
	else not_ok "$1" "$(head -n 12 out | tr -s ' \n' ' |' | head -c 300) $(head -n 1 err)"; fi
}
has android android.data ' branches 12$'
has longer_is_counted longer.data ' 1 samples with more than their event says'
has shorter_is_counted shorter.data ' 1 samples that cannot be read'
has shorter_has_the_rest shorter.data ' samples 6'
refuses empty 1 'holds no branch: each of its 1 samples has none' report empty.data
refuses no_stack 1 'no SPE data' report tp0_alone.data
refuses sort 1 'branch stacks have none of it' report --sort latency brbe.data
refuses flow 1 'holds no trace of instructions' script --insn brbe.data
# nothing NAME TEXT OPTIONS: no branch is selected; the message lists the values that exist
nothing() {
	name=$1 text=$2
	shift 2
	"$V9TRACE" report --symfs symfs "$@" brbe.data >out 2>err
	if [ $? -eq 1 ] && grep -q "$text" err; then ok "$name"; else not_ok "$name" "$(cat err)"; fi
}
nothing no_such_cpu '.--cpu: 0, 1' --cpu 7
nothing no_such_tid '.--tid: 100, 101' --tid 7
nothing no_such_level '.--el: 0$' --el 1
nothing no_latency 'nothing fits' --min-latency 1
# number NAME WANT KEY OPTIONS: that number in the summary
number() {
	name=$1 want=$2 key=$3
	shift 3
	got=$("$V9TRACE" report --json --symfs symfs "$@" 2>err | sed -n 's/.*"summary":{\([^}]*\)}.*/\1/p' | sed -n "s/.*\"$key\":\([0-9]*\)[,}].*/\1/p")
	if [ "$got" = "$want" ]; then ok "$name"; else not_ok "$name" "got '$got', want $want; $(head -n 1 err)"; fi
}
number filter_none 31 branches brbe.data
number filter_cpu 6 branches --cpu 1 brbe.data
number filter_tid 25 branches --tid 100 brbe.data
number filter_comm 25 branches --comm work brbe.data
number filter_time 12 branches --time 0.000001,0.000003 brbe.data
number filter_symbol 9 branches --symbol match brbe.data
number filter_symbols 18 branches --symbol match,_start brbe.data
number filter_user 8 branches --el 0 lbr.data
number filter_dso 31 branches --dso work brbe.data

# Lines of the source, by debug information: those that binutils finds
printf 'int x;\n\nint __attribute__((noinline)) callee(int n)\n{\n\treturn n * x;\n}\n\nint main(void)\n{\n\treturn callee(7) + 1;\n}\n' >lines.c
arm=aarch64-linux-gnu-
[ "$(uname -m)" != aarch64 ] || arm=
${arm}gcc -g -O1 -nostdlib -Wl,-e,main -Wl,-Ttext=0x1000 -o lines lines.c 2>err
from=$(${arm}nm lines | sed -n 's/ T main$//p') to=$(${arm}nm lines | sed -n 's/ T callee$//p')
./mkbranches . "$PWD/lines" "$from" "$to"
"$V9TRACE" report lines.data >out 2>err
line() { ${arm}addr2line -e lines "0x$1" | sed 's,.*/,,; s/ .*//'; }
if [ "$(grep -c " main  *lines  *$(line "$from")  *callee  *lines  *$(line "$to")$" out)" = 1 ] && [ "$(line "$to")" = lines.c:5 ] &&
		grep -q "^ .* callee  *+0x0  *lines  *lines.c:5$" out; then
	ok lines
else
	not_ok lines "$(grep -A 3 ^Hottest out | tail -n 1) $(line "$from") $(line "$to")"
fi
"$V9TRACE" report --group-by line lines.data >out 2>err
if grep -q ' 1  *lines.c:5$' out; then ok group_by_line; else not_ok group_by_line "$(grep -A 4 ^Groups out | tr '\n' '|')"; fi
# No column of lines where none is known
if "$V9TRACE" report --symfs symfs brbe.data | grep -q ' line$'; then not_ok no_line "a column is empty"; else ok no_line; fi

# Formats of tables have no table for branch stacks.
"$V9TRACE" export --to csv -o tables brbe.data >out 2>err
if [ $? = 1 ] && [ "$(cat err)" = "v9trace: --to csv does not take Branches, and brbe.data holds nothing else" ] && [ ! -e tables ]; then
	ok export_refuses
else
	not_ok export_refuses "$(head -n 1 err)"
fi

# ---- the same sums, made of the branches that script prints

sums() {	# NAME SHOWS
	"$V9TRACE" script --json --symfs symfs $1.data >script.json 2>/dev/null
	"$V9TRACE" report --json --calls --limit 0 --symfs symfs $1.data >report.json 2>/dev/null
	got=$(python3 -B "$top/selftests/host/branches.py" script.json report.json $2 2>&1 | tail -n 1)
	case $got in
	ok:*) ok "sums_of_$1" ;;
	*) not_ok "sums_of_$1" "$got" ;;
	esac
}
sums brbe joins,calls
sums lbr joins
sums callstack nested
sums calls none
sums returns calls

# ---- stock perf

if ! command -v perf >/dev/null; then
	ok "perf # SKIP no stock perf here"
	finish
fi
# The lines of script as perf script -F brstack has them, one branch a line
stacks() {
	"$V9TRACE" script --symfs symfs "$1" 2>/dev/null | awk '
	/^  .* -> / {
		split($0, side, " -> ")
		split(side[1], a, " "); from = a[1]
		n = split(side[2], b, " "); to = b[1]
		sub(/^.*\)/, "", side[2]); sub(/^- /, "", side[2])
		type = ""; how = tx = aborted = spec = "-"; cycles = 0
		n = split(side[2], w, " ")
		for (i = 1; i <= n; i++) {
			if (w[i] == "predicted") how = "P"
			else if (w[i] == "mispredicted") how = "M"
			else if (w[i] == "in_tx") tx = "X"
			else if (w[i] == "abort") aborted = "A"
			else if (w[i] == "wrong_path") spec = "SPEC_WRONG_PATH"
			else if (w[i + 1] == "cycles") { cycles = w[i]; sub(/>=/, "", cycles); i++ }
			else if (i == 1 && w[i] !~ /=/) type = toupper(w[i])
		}
		printf "%s/%s/%s/%s/%s/%s/%s/%s\n", from == "-" ? "0x0" : "0x" from, to == "-" ? "0x0" : "0x" to,
			how, tx, aborted, cycles, type, spec
	}'
}
for f in brbe lbr full callstack android; do
	perf script -i $f.data -F brstack 2>perf.err | tr -s ' ' '\n' | grep / >theirs
	stacks $f.data >ours
	if [ -s ours ] && cmp -s ours theirs; then ok stacks_as_perf_$f
	else not_ok stacks_as_perf_$f "$(diff ours theirs | sed -n 2,3p | tr '\n' '|') $(head -n 1 perf.err)"; fi
done
# The number of branches from one function to another
for f in brbe lbr; do
	perf report -b -i $f.data --symfs symfs --stdio -t , -F sample,symbol_from,symbol_to 2>perf.err |
		awk -F , '/^ *[0-9]/ && NF == 3 {
			for (i = 2; i <= 3; i++) { sub(/^\[.\] /, "", $i); sub(/ *$/, "", $i); sub(/^0x0*|^0*$/, "", $i) }
			n[$2 " " $3] += $1 }
		END { for (k in n) print k, n[k] }' | sort >theirs
	"$V9TRACE" report --csv --limit 0 --symfs symfs $f.data | tr -d '\r' | awk -F , '
		$1 == "table" { split("", col); for (i = 1; i <= NF; i++) col[$i] = i; next }
		$1 == "branches" {
			from = $col["from"]; to = $col["to"]
			sub(/\+.*/, "", from); sub(/\+.*/, "", to)
			sub(/^\[not recorded\]$/, "", from); sub(/^\[not recorded\]$/, "", to)
			sub(/^0x/, "", from); sub(/^0x/, "", to)
			n[from " " to] += $col["branches"]
		}
		END { for (k in n) print k, n[k] }' | sort >ours
	if [ -s ours ] && cmp -s ours theirs; then ok report_as_perf_$f
	else not_ok report_as_perf_$f "$(diff ours theirs | sed -n 2,4p | tr '\n' '|') $(head -n 1 perf.err)"; fi
done
finish
