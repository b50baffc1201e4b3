#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The commands of Documentation/optimising.rst for a program of Debian, zstd: record it, build it again by that
# profile (BOLT, clang, gcc), and run it with another file. The model counts what each program costs. All programs
# have to write the same bytes.
#
#   [KERNEL=6.1|6.12|7] round.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
demo=$work/fs/v9/demo
begin "$demo" "$work/src"

selftests/lab/modules.sh "$KERNEL" >&2 || exit 1
selftests/lab/root.sh run -- sh -c 'make -s -C tools STATIC=1 && make -s -C tools ARCH=arm64 STATIC=1' >&2 || exit 1
source=$(selftests/lab/workload.sh source) || exit 1
v9trace=$PWD/build/tools/host/v9trace
tar -xf "$source" -C "$work/src" --strip-components=1 --no-same-owner
# One file to record with, another one to measure with
cp "$work/src/lib/compress/zstd_compress.c" "$demo/train"
cp "$work/src/lib/compress/zstd_lazy.c" "$demo/test"

in_llvm() {	# COMMAND, in $work
	selftests/lab/peers.sh -t llvm run -- env PATH=/usr/lib/llvm-22/bin:/usr/bin:/bin sh -c "cd $work && $1"
}
in_gcc() { selftests/lab/root.sh run -- sh -c "cd $work && $1"; }
# What zstd's Makefile compiles for zstd-compress. BOLT needs the relocations.
built='-O2 -g -static -Wl,--emit-relocs -Wl,--build-id -DZSTD_NOBENCH -DZSTD_NODICT -DZSTD_NODECOMPRESS -DZSTD_NOTRACE
	-DZSTD_LEGACY_SUPPORT=0 src/lib/common/*.c src/lib/compress/*.c src/programs/zstdcli.c src/programs/util.c
	src/programs/timefn.c src/programs/fileio.c src/programs/fileio_asyncio.c'
built=$(echo "$built" | tr '\n\t' '  ')
clang="clang --target=aarch64-linux-gnu -fuse-ld=bfd -fdebug-info-for-profiling $built"
gcc="aarch64-linux-gnu-gcc $built"

step() {	# NAME IN COMMAND
	"$2" "$3" >"$work/$1.log" 2>&1
	check "$1" $? "$(tail -n 1 "$work/$1.log" | cut -c -200)"
}
# traced DIR FILE PROGRAM...: each program compresses FILE on a CPU of its own, alone in the model's list of it
traced() {
	dir=$work/$1 file=$2
	shift 2
	mkdir "$dir"
	selftests/lab/run.sh -o "$dir" -t 900 -s 6 -q "v9-ete=on,v9-pclog=$dir/pcs" -f "$demo:/v9/demo" -- '
		insmod /v9/modules/v9_core.ko
		insmod /v9/modules/v9_ete.ko
		file=$1 cpu=0
		shift
		for program; do
			cpu=$((cpu + 1))
			taskset "$(printf %x $((1 << cpu)))" v9trace record -q -e cs_etm//u -m ,64M -o "/out/$program.data" -- \
				"/v9/demo/$program" -q -f -o "/out/$program.zst" "/v9/demo/$file" || exit
		done' "$file" "$@" >"$dir/stdout" 2>"$dir/stderr"
	check "${dir##*/}" $? "$(tail -n 1 "$dir/stderr")"
}

step clang_builds in_llvm "$clang -o $demo/clang"
step gcc_builds in_gcc "$gcc -o $demo/gcc"
traced recorded train clang gcc

fdo() {	# FORMAT PROGRAM: with another HOME, so that ~/.debug of the user is not read
	HOME=$work/none "$v9trace" fdo --for "$1" --binary "$demo/$2" --symfs "$work/fs" -o "$work/$1" \
		"$work/recorded/$2.data" 2>"$work/$1.err"
	check "fdo_for_$1" $? "$(tail -n 1 "$work/$1.err")"
}
fdo bolt clang
fdo llvm clang
fdo gcc gcc
step bolt_lays_out in_llvm "perf2bolt -pa -p bolt -o fdata $demo/clang && llvm-bolt $demo/clang -o $demo/clang.bolt --data fdata \
	-reorder-blocks=ext-tsp -reorder-functions=cdsort -split-functions"
step clang_builds_again in_llvm "llvm-profgen --unsymbolized-profile=llvm --use-offset=0 --binary=$demo/clang -o prof && \
	$clang -fprofile-sample-use=prof -o $demo/clang.fdo"
step gcc_builds_again in_gcc "$gcc -fauto-profile=gcc -o $demo/gcc.fdo"

# In the order of the rows of optimising.rst
programs="clang clang.bolt clang.fdo gcc gcc.fdo"
traced measured test $programs
same=0
for program in $programs; do
	cmp -s "$work/measured/clang.zst" "$work/measured/$program.zst" || same=1
done
check all_write_the_same $same "$(cd "$work/measured" && cksum ./*.zst | tr '\n' ' ')"
cpu=0
for program in $programs; do
	cpu=$((cpu + 1))
	echo "$program $work/measured/pcs.$cpu"
done >"$work/lists"
why=$(selftests/lab/root.sh run -- python3 -B selftests/crosscheck/fdo.py costs "$work/lists" 2>&1)
check profiles_help $? "$(echo "$why" | tail -n 1)"
echo "$why" | sed 's/^/# /' >>"$tap"
[ -n "${KEEP:-}" ] || rm -f "$work"/*/pcs.*
finish
