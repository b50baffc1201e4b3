#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# One program is recorded by v9_brbe on Linux 6.1 and 6.12, and by the kernel's own driver on 7. The
# recordings have the same branches and blocks, with the same cycles, and each branch has the same share.
# perf2bolt reads the recordings and counts each branch as often as the stacks have it.
#
#   brbe_kernels.sh SUITE      writes build/results/SUITE.tap
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin "$work/fs/v9/demo"
bin=$work/fs/v9/demo/bsort
# shellcheck disable=SC2016
selftests/lab/root.sh run -- aarch64-linux-gnu-gcc -O2 -g -Wall -Wextra -Werror -static -fno-pie -no-pie \
	-Wl,--emit-relocs,--build-id -o "$bin" selftests/crosscheck/bsort.c >&2 &&
	selftests/lab/root.sh run -- aarch64-linux-gnu-nm "$bin" >"$work/nm" || exit 1

# record KERNEL EVENT COMMAND...: boots KERNEL, runs COMMAND and records bsort. Each 37 branch records a
# sample is taken; its stack has the last 64. perf's limits on the rate of samples are lifted: how many
# samples they drop depends on the speed of the machine.
record() {
	kernel=$1 event=$2 out=$work/$1
	shift 2
	mkdir -p "$out"
	KERNEL=$kernel selftests/lab/run.sh -o "$out" -t 900 -q v9-brbe=on,v9-brbe-records=64 -f "$bin:/v9/demo/bsort" -- "
		set -e
		$*
		echo 1000000 >/proc/sys/kernel/perf_event_max_sample_rate
		echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
		taskset 2 perf record -q -m 8M --no-buildid-mmap -o /out/bsort.data -j any,u -e $event -c 37 -- \
			/v9/demo/bsort 150" >"$out/stdout" 2>"$out/stderr"
	check "records_on_$kernel" $? "$(tail -n 1 "$out/stderr")"
	selftests/lab/kernel.sh run 7 perf script -i "$out/bsort.data" -F brstack >"$work/stacks.$kernel" 2>"$out/script.err"
	[ -s "$work/stacks.$kernel" ]
	check "stacks_on_$kernel" $? "$(tail -n 1 "$out/script.err")"
}
compared() {	# NAME ARGUMENT...
	name=$1
	shift
	why=$(python3 -B selftests/crosscheck/brbe_kernels.py "$@" 2>&1)
	check "$name" $? "$(echo "$why" | tail -n 1)"
	echo "# $name: $(echo "$why" | tail -n 1)" >>"$tap"
}

for kernel in 6.1 6.12; do
	selftests/lab/modules.sh $kernel >&2 || exit 1
	record $kernel v9_brbe/records/u 'insmod /v9/modules/v9_core.ko
		insmod /v9/modules/v9_brbe.ko max_age=60000000'
done
record 7 r811f:u :
compared same_branches_on_6.1_and_7 same "$work/nm" "$work/stacks.7" "$work/stacks.6.1"
compared same_branches_on_6.12_and_7 same "$work/nm" "$work/stacks.7" "$work/stacks.6.12"
compared same_branches_on_6.1_and_6.12 same "$work/nm" "$work/stacks.6.12" "$work/stacks.6.1"

mismatches() { sed -n 's/.*mismatching disassembled function contents: \([0-9]*\).*/\1/p' "$work/perf2bolt.$1"; }
for kernel in 7 6.1 6.12; do
	# shellcheck disable=SC2016
	selftests/lab/peers.sh -t bolt run -- sh -c 'cd "$1" && HOME=$1/none PATH=/usr/lib/llvm-22/bin:$PATH &&
		perf2bolt -p "$2/bsort.data" -o "fdata.$2" fs/v9/demo/bsort' sh "$work" $kernel >"$work/perf2bolt.$kernel" 2>&1
	check "perf2bolt_of_$kernel" $? "$(tail -n 1 "$work/perf2bolt.$kernel" | cut -c -200)"
	# BOLT does not expect where two returns of the C library's start files go, as in fdo.sh.
	wrong=$(mismatches $kernel)
	[ "${wrong:-9}" -le 2 ] &&
		grep -q 'out of range traces involving unknown regions: 0 ' "$work/perf2bolt.$kernel"
	check "bolt_knows_each_branch_of_$kernel" $? "$(grep traces "$work/perf2bolt.$kernel" | cut -c -100 | tr '\n' ' ')"
	compared "bolt_counts_the_branches_of_$kernel" bolt "$work/nm" "$work/stacks.$kernel" "$work/fdata.$kernel"
done

# The comparisons fail if one branch has another target in all its records, and if one record of one
# branch is missing.
often=$(tr -s ' ' '\n' <"$work/stacks.6.12" | grep / | cut -d / -f 1 | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
call=$(tr -s ' ' '\n' <"$work/stacks.6.12" | grep /CALL | cut -d / -f 1 | sort | uniq -c | sort -rn | awk 'NR == 1 { print $2 }')
sed "s,$often/0x\([0-9a-f]*\)[0-9a-f]/,$often/0x\1f/,g" "$work/stacks.6.12" >"$work/changed"
! cmp -s "$work/stacks.6.12" "$work/changed" && [ -s "$work/changed" ] &&
! python3 -B selftests/crosscheck/brbe_kernels.py same "$work/nm" "$work/stacks.7" "$work/changed" >"$work/changed.out" 2>&1
check comparison_sees_a_target $? "$(cat "$work/changed.out")"
sed "0,\\,$call/0x,s, $call/0x[^ ]*,," "$work/stacks.6.12" >"$work/changed"
! cmp -s "$work/stacks.6.12" "$work/changed" && [ -s "$work/changed" ] &&
! python3 -B selftests/crosscheck/brbe_kernels.py bolt "$work/nm" "$work/changed" "$work/fdata.6.12" >"$work/changed.out" 2>&1
check comparison_sees_one_branch $? "$(cat "$work/changed.out")"
finish
