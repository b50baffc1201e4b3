#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace annotate. The text of each instruction of a static program, and of random words, equals that
# of llvm-objdump. Lines and inlined functions equal those of llvm-addr2line. Sums equal those of the
# records. A statically linked v9trace, which cannot load LLVM, shows opcodes and the reason.
#	UPDATE=1 annotate.sh	writes the golden files instead
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
golden=$top/selftests/golden/annotate
. selftests/host/suite.inc
. selftests/host/golden.inc
command=annotate
# The lab's cache is below the HOME of the user.
if ! make -s -C "$top/tools" BASE="$(readlink -f "$top/build/tools/host")" OUT="$top/build/tools/annotate" >&2; then
	not_ok dynamic "a dynamically linked v9trace does not build"
	finish
fi
dynamic=$top/build/tools/annotate/v9trace
own_directory
makers host/mkcapture host/mktrace host/mkcode
captures ./mkcapture .
captures ./mktrace .

golden trace.txt --symfs symfs trace.data
golden trace.json --json --symfs symfs trace.data
golden trace-of-a-symbol.txt --symfs symfs --symbol match trace.data
golden spe.txt --limit 0 --symfs symfs --kallsyms kallsyms good.data
golden both.txt --symfs symfs both.data
golden both.csv --csv --symfs symfs both.data
golden mix.txt --mix --symfs symfs --symbol compress,match both.data
golden mix.json --mix --json --symfs symfs trace.data
# Of 20 operations 10 are SVE: predicated 8, the predicate partly false of 4, wholly of 1
awk 'BEGIN { for (i = 0; i < 20; i++)
	printf "1400 9 1 0 %x 0 %s\n", 2 + (i < 4 ? 131072 : 0) + (i < 1 ? 262144 : 0),
		i < 8 ? "c" : i < 10 ? "8" : i < 15 ? "4" : i < 18 ? "2" : "0" }' |
	./mkcode vectors.data /opt/work 0 0x3000
"$V9TRACE" annotate --mix --symfs symfs vectors.data >out 2>err
grep -q '20  samples  10.00%  15.00%  25.00%  50.00%  *80.00%  *40.00%  10.00%  work  *match' out &&
	ok mix_of_samples || not_ok mix_of_samples "$(grep samples out | tail -n 1)"
golden damaged.txt --symfs symfs trace-damaged.data
golden no-code.txt --symfs other trace.data
partly nobody 1 "nothing fits the filter. It has: --symbol:" --symbol nobody --symfs symfs trace.data
refuses no_file 1 "No such file" nowhere.data
refuses bad_limit 2 "not a number" --limit many trace.data
refuses not_decodable 1 "describes its trace units" ete.data

# The result does not depend on the number of threads or the size of the pieces.
for f in trace both steady; do
	"$V9TRACE" annotate --json -j 1 --symfs symfs $f.data >alone 2>err
	differ=
	for way in 2,1 3,100 16; do
		"$V9TRACE" annotate --json -j $way --symfs symfs $f.data >out 2>err
		cmp -s alone out || differ="$differ $way"
	done
	[ -s alone ] && [ -z "$differ" ] && ok threads_$f || not_ok threads_$f "differs with -j$differ"
done

# ---- against programs of others
if ! command -v llvm-objdump >/dev/null; then
	not_ok llvm "llvm-objdump is missing in the build root"
	finish
fi
arm=aarch64-linux-gnu-gcc
command -v $arm >/dev/null || arm=${CC:-cc}
cp "$top/selftests/host/inlined.h" .
cat >loops.c <<'END'
#include <stdio.h>
#include <stdlib.h>
/* Of the inlined functions one has a name as a C++ compiler gives it. */
#define add _ZN2ns3addEii
#include "inlined.h"

volatile int total;

__attribute__((noinline)) int sum(const int *v, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s = add(s, v[i]);
	return s;
}

int main(int argc, char **argv)
{
	int v[100];

	for (int i = 0; i < 100; i++)
		v[i] = atoi(argv[argc - 1]) + i;
	total = sum(v, 100);
	printf("%d\n", total);
	return 0;
}
END
# 30000 words of any value between the functions
awk 'BEGIN { srand(1); print "\t.text\n\t.globl noise\n\t.type noise, %function\nnoise:"
	for (i = 0; i < 30000; i++)
		printf "\t.inst 0x%04x%04x\n", int(rand() * 65536), int(rand() * 65536)
	print "\t.size noise, .-noise"
	print "\t.globl _ZN2ns3fooEic\n\t.type _ZN2ns3fooEic, %function\n_ZN2ns3fooEic:\n\tret"
	print "\t.size _ZN2ns3fooEic, .-_ZN2ns3fooEic" }' >noise.s
# The same optimizer on any machine, so that there is something to inline
if ! $arm -g -O2 -static -Wl,--build-id=none -o loops loops.c noise.s 2>err; then
	not_ok program "$(head -n 1 err)"
	finish
fi
mkdir -p fs/opt && cp loops fs/opt/loops
llvm-nm loops | awk '$2 ~ /^[tT]$/ && $3 !~ /^\$/ { print $1 }' >functions
# Records of each instruction of sum and main, of different number, events and latencies
llvm-objdump -d --disassemble-symbols=sum,main loops | awk '/^ *[0-9a-f]+: [0-9a-f]/ {
	sub(/:/, "", $1)
	n++
	events = 2 + 4 * (n % 2) + 8 * (n % 4 == 1) + 16 * (n % 3 == 0) + 32 * (n % 6 == 0)
	events += 256 * (n % 5 == 0) + 512 * (n % 10 == 0)
	for (i = 0; i < n % 4; i++)
		printf "%s %d %d %d %x %x %x\n", $1, 5 + n * 7 % 1000 + i, n % 5, n % 3 ? n % 9 : 0,
			events + 128 * (i == 1), n % 3, n % 3 == 2
}' >records
./mkcode code.data /opt/loops 0x400000 0x200000 <records
# The icicle of a page has the inlined functions and lines that llvm-symbolizer has.
if "$V9TRACE" html --symfs fs -o code.html code.data 2>err &&
   why=$(python3 "$top/selftests/host/page.py" --lines code.html loops 2>&1); then ok icicle_lines
else not_ok icicle_lines "$(head -n 1 err) $(echo "$why" | tail -n 1)"; fi
"$dynamic" annotate --json --limit 0 --symfs fs code.data >out.json 2>err
compare() {	# NAME WHAT OTHER...
	name=$1 what=$2
	shift 2
	result=$(python3 "$top/selftests/host/annotate.py" "$what" out.json "$@" 2>&1) &&
		ok "$name" || not_ok "$name" "$(echo "$result" | tail -n 1)"
}
compare measured_is_what_records_say records records
compare lines_are_those_of_addr2line lines loops
grep -q '"inlined":"twice < ns::add(int, int)"' out.json && ok inlined_twice ||
	not_ok inlined_twice "$(grep -o '"inlined":"[^"]*"' out.json | sort | uniq -c | tr '\n' ' ')"
grep -q '"source":"[^"]*s = add(s, v\[i\]);"' out.json && ok source_is_read ||
	not_ok source_is_read "not in the output"

# The same lines and latencies as groups of report
"$dynamic" report --group-by line --json --limit 0 --symfs fs code.data >out.json 2>err
compare groups_of_lines groups loops records
"$dynamic" report --group-by comm --histogram --json --symfs fs code.data >out.json 2>err
compare percentiles_are_those_of_the_records spread records

sed 's/$/ 4 1 0 2 0 0/' functions >starts
./mkcode starts.data /opt/loops 0x400000 0x200000 <starts
"$dynamic" annotate --json --no-source --limit 0 --symfs fs starts.data >out.json 2>err
compare text_is_that_of_objdump objdump loops
count=$(python3 -c 'import json; print(len(json.load(open("out.json"))["instructions"]))')
[ "${count:-0}" -gt 100000 ] && ok all_of_the_program || not_ok all_of_the_program "$count instructions"

# Names of C++ are demangled, and selected by either name.
for name in 'ns::foo' _ZN2ns3fooEic; do
	"$V9TRACE" annotate --symbol "$name" --symfs fs starts.data >out 2>err
	grep -q '^ns::foo(int, char) (loops): 1 samples$' out && ok demangled ||
		not_ok demangled "$(tail -n 1 err)"
done
"$V9TRACE" annotate --no-demangle --symbol _ZN2ns3fooEic --symfs fs starts.data >out 2>err
grep -q '^_ZN2ns3fooEic (loops): 1 samples$' out && ok not_demangled || not_ok not_demangled "$(tail -n 1 err)"
"$dynamic" report --group-by inlined --json --limit 0 --symfs fs code.data >out.json 2>err
grep -q '"inlined":"twice < ns::add(int, int)"' out.json && ok groups_of_inlined || not_ok groups_of_inlined "none"

"$dynamic" annotate --symbol sum --symfs fs code.data >out 2>err
grep -q '; loops.c:14  *s = add(s, v\[i\]);$' out && ok source_in_the_listing ||
	not_ok source_in_the_listing "$(grep -m 1 loops.c out)"
"$V9TRACE" annotate --symbol sum --symfs fs code.data >out 2>err
grep -q 'text of instructions .* a statically linked v9trace cannot load LLVM' out &&
	ok without_llvm || not_ok without_llvm "$(tail -n 2 out | head -n 1)"

# Debug information that is cut or changed anywhere: no crash
size=$(wc -c <loops) bad=0 at=0
while [ $at -lt 40 ]; do
	cp loops fs/opt/loops
	printf '\377\377\001\200' | dd of=fs/opt/loops bs=1 seek=$((size - 2000 * at - 700)) conv=notrunc 2>/dev/null
	"$V9TRACE" annotate --symbol sum --symfs fs code.data >/dev/null 2>err
	[ $? -le 1 ] || bad=$((bad + 1))
	at=$((at + 1))
done
[ $bad -eq 0 ] && ok debug_information_damaged || not_ok debug_information_damaged "$bad of them"
finish
