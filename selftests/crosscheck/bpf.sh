#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# BPF programs that are unloaded before the recording ends. A trace of the kernel shows them by name, and
# their instructions are decoded.
#
#   [KERNEL=6.1|6.12|7] bpf.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin
selftests/lab/root.sh run -- sh -c '
	aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -o "$1/bpf" selftests/crosscheck/bpf.c &&
	make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$work" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1
guest='
	set -e
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_ete.ko
	taskset 2 v9trace record -e cs_etm// -m ,32M -o /out/bpf.data -- /v9/demo/bpf
'
selftests/lab/run.sh -o "$work" -t 900 -q v9-ete=on -f "$work/bpf:/v9/demo/bpf" \
	-- "$guest" >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"
[ $status -eq 0 ] || finish

mkdir -p "$work/none"
HOME=$work/none build/tools/host/v9trace script --ranges --symfs "$work/none" "$work/bpf.data" \
	2>"$work/err" | grep bpf_prog_ >"$work/ranges"
# runs NAME TIMES: the trace has that number of ranges that begin at the program's first instruction. An interrupt
# there is no range.
runs() {
	got=$(grep -v ' exception: ' "$work/ranges" | grep -c "bpf_prog_[0-9a-f]*_$1+0x0 (bpf)")
	[ "$got" -eq "$2" ]
	check "runs_of_$1" $? "$got, want $2: $(head -n 1 "$work/ranges")"
}
runs v9_a 5
runs v9_b 7
! grep -q 'gap: ' "$work/ranges"
check followed_to_its_end $? "$(grep -m 1 'gap: ' "$work/ranges")"
! grep -q 'whose code is not in the recording' "$work/stdout"
check nothing_unread $? "$(grep 'whose code' "$work/stdout")"
[ -n "${KEEP:-}" ] || rm -f "$work"/*.data
finish
