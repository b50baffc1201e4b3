#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Profiles that v9trace makes for BOLT and for LLVM: their counts are those of the model's list of
# executed instructions, and the program that llvm-bolt lays out anew jumps less and touches less code.
#
#   [KERNEL=6.1|6.12|7] fdo.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin "$work/fs/v9/demo" "$work/first" "$work/second"
bin=$work/fs/v9/demo

selftests/lab/modules.sh "$KERNEL" >&2 || exit 1
selftests/lab/root.sh run -- sh -c 'make -s -C tools STATIC=1 && make -s -C tools ARCH=arm64 STATIC=1' >&2 || exit 1
llvm() {
	selftests/lab/peers.sh -t llvm run -- env PATH=/usr/lib/llvm-22/bin:/usr/bin:/bin sh -c 'cd "$1"; shift; "$@"' sh "$work" "$@"
}
llvm clang --target=aarch64-linux-gnu -O2 -g -fdebug-info-for-profiling -Wall -Wextra -Werror -static \
	-fuse-ld=bfd -Wl,--emit-relocs,--build-id -o "$bin/bsort" "$PWD/selftests/crosscheck/bsort.c" >&2 || exit 1
llvm nm "$bin/bsort" >"$work/nm"

# records PLACE PROGRAM ARGUMENT...: the program on CPU 1, alone in the model's list of that CPU
records() {
	out=$1 program=$2
	shift 2
	selftests/lab/run.sh -o "$out" -t 900 -q "v9-ete=on,v9-pclog=$out/pcs" -f "$program:/v9/demo/bsort" -- '
		insmod /v9/modules/v9_core.ko
		insmod /v9/modules/v9_ete.ko
		taskset 2 v9trace record -q -e cs_etm//u -m ,16M -o /out/etm.data -- /v9/demo/bsort '"$*" \
		>"$out/stdout" 2>"$out/stderr"
}
records "$work/first" "$bin/bsort" 300
check records $? "$(tail -n 1 "$work/first/stderr")"
v9trace=$PWD/build/tools/host/v9trace
exported() {	# FORMAT: with another HOME, so that ~/.debug of the user is not read
	HOME=$work/none "$v9trace" export --to "$1" --binary "$bin/bsort" --symfs "$work/fs" -o "$work/$1" "$work/first/etm.data" 2>"$work/$1.err"
	check "exports_$1" $? "$(tail -n 1 "$work/$1.err")"
}
exported bolt
exported llvm
compared() {	# NAME ARGUMENT...
	name=$1
	shift
	why=$(selftests/lab/root.sh run -- python3 -B selftests/crosscheck/fdo.py "$@" 2>&1)
	check "$name" $? "$(echo "$why" | tail -n 1)"
	echo "# $name: $(echo "$why" | tail -n 1)" >>"$tap"
}
compared llvm_is_the_list llvm "$work/first/pcs.1" "$work/nm" "$work/llvm"

llvm perf2bolt -pa -p "$work/bolt" -o fdata "$bin/bsort" >"$work/perf2bolt" 2>&1
check perf2bolt $? "$(tail -n 1 "$work/perf2bolt" | cut -c -200)"
# BOLT does not expect where two returns of the C library's start files go.
wrong=$(sed -n 's/.*mismatching disassembled function contents: \([0-9]*\).*/\1/p' "$work/perf2bolt")
[ "${wrong:-9}" -le 2 ] && grep -q 'out of range traces involving unknown regions: 0 ' "$work/perf2bolt"
check bolt_knows_each_branch $? "$(grep traces "$work/perf2bolt" | cut -c -100 | tr '\n' ' ')"
compared bolt_is_the_list bolt "$work/first/pcs.1" "$work/nm" "$work/fdata"
llvm llvm-bolt "$bin/bsort" -o bsort.opt --data fdata -reorder-blocks=ext-tsp -reorder-functions=cdsort \
	-split-functions --dyno-stats >"$work/llvm-bolt" 2>&1
check llvm_bolt $? "$(tail -n 1 "$work/llvm-bolt" | cut -c -200)"

llvm llvm-profgen --unsymbolized-profile=llvm --use-offset=0 --binary="$bin/bsort" -o prof >"$work/profgen" 2>&1 &&
	llvm llvm-profdata merge --sample --text -o prof.txt prof >>"$work/profgen" 2>&1
check llvm_profgen $? "$(tail -n 1 "$work/profgen" | cut -c -200)"
# An empty profile is a failure.
compared entries_are_the_list heads "$work/first/pcs.1" "$work/nm" "$work/prof.txt"
# The program counts its moves itself.
moves=$(sed -n 's/.*bsort: 300 numbers, \([0-9]*\) moves.*/\1/p' "$work/first/stdout" "$work/first/stderr" "$work/first/console.log" 2>/dev/null | head -n 1)
[ -n "$moves" ] && { grep -q "^change:[0-9]*:$moves$" "$work/prof.txt" || grep -q ":$moves$" "$work/prof.txt"; }
check moves_are_the_programs $? "the program moved $moves; $(grep ^change "$work/prof.txt")"
llvm clang --target=aarch64-linux-gnu -O2 -g -fprofile-sample-use=prof -Werror -c -o bsort.o "$PWD/selftests/crosscheck/bsort.c" >"$work/clang" 2>&1
check clang_uses_it $? "$(tail -n 1 "$work/clang" | cut -c -200)"

# GCC: the number of entries of change() in the profile is the number of moves, and gcc, which reads the
# profile, gives the first block of change() that count.
HOME=$work/none "$v9trace" fdo --for gcc --binary "$bin/bsort" --symfs "$work/fs" -o "$work/gcc" "$work/first/etm.data" 2>"$work/gcc.err"
check fdo_gcc $? "$(head -n 1 "$work/gcc.err")"
selftests/lab/root.sh run -- python3 selftests/exports/afdo.py "$work/gcc" >"$work/gcc.txt" 2>>"$work/gcc.err"
[ -n "$moves" ] && grep -q "^change entered $moves$" "$work/gcc.txt"
check gcc_moves_are_the_programs $? "the program moved $moves; $(grep '^change entered' "$work/gcc.txt")"
selftests/lab/root.sh run -- sh -c 'cd "$1" && aarch64-linux-gnu-gcc -O2 -g -fauto-profile=gcc -fdump-ipa-afdo-all -c -o bsort.gcc.o "$2"' \
	sh "$work" "$PWD/selftests/crosscheck/bsort.c" >"$work/gcc.out" 2>&1
check gcc_reads_it $? "$(tail -n 1 "$work/gcc.out" | cut -c -200)"
cat "$work"/*.afdo | grep -q "^;; *basic block 2, .* count $moves "
check gcc_blocks_have_the_count $? "$(cat "$work"/*.afdo | grep '^;; *basic block 2,' | head -n 1)"

if [ -e "$work/bsort.opt" ]; then
	records "$work/second" "$work/bsort.opt" 300
	check optimised_program_runs $? "$(tail -n 1 "$work/second/stderr")"
	compared optimised_program_is_better better "$work/first/pcs.1" "$work/second/pcs.1"
fi
[ -n "${KEEP:-}" ] || rm -f "$work"/*/pcs.*
finish
