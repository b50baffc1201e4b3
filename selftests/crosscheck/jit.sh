#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A program generates code and replaces it. v9trace decodes the trace of it by the program's jitdump: the
# instructions are exactly those that the model executed, and each function has as many as the program
# executes of it. A perf map provides names, but no code.
#
#   [KERNEL=6.1|6.12|7] jit.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin
selftests/lab/root.sh run -- sh -c '
	aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -o "$1/jit" selftests/crosscheck/jit.c &&
	gcc -O2 -Wall -Wextra -Werror -o "$1/pcs" selftests/crosscheck/pcs.c &&
	make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$work" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1

# The dump and the map are removed, so that only the copies in the captures can be read.
guest='
	set -e
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_ete.ko
	cd /tmp
	taskset 2 v9trace record -q -e cs_etm//u -m ,8M -o /out/dump.data -- /v9/demo/jit dump
	taskset 2 v9trace record -q -e cs_etm//u -m ,8M -o /out/map.data -- /v9/demo/jit map
	rm /tmp/jit-*.dump /tmp/perf-*.map
'
selftests/lab/run.sh -o "$work" -t 600 -q "v9-ete=on,v9-pclog=$work/pcs" -f "$work/jit:/v9/demo/jit" \
	-- "$guest" >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"
[ $status -eq 0 ] || finish

v9trace() { HOME=$work/none build/tools/host/v9trace "$@"; }
mkdir -p "$work/fs/v9/demo" "$work/none"
cp "$work/jit" "$work/fs/v9/demo/jit"

v9trace script --insn --symfs "$work/fs" "$work/dump.data" 2>"$work/dump.err" |
	awk -f selftests/crosscheck/pcs.awk >"$work/dump.txt"
"$work/pcs" "$work/pcs.1" exact "$work/dump.txt" >"$work/compare" 2>&1
sed -n 1p "$work/compare" | grep -q '^ok'
check generated_code_is_the_list $? "$(head -n 1 "$work/compare")"
v9trace report --symfs "$work/fs" "$work/dump.data" >"$work/report" 2>&1
grep -q 'nothing: no truncation' "$work/report"
check nothing_is_missing $? "$(sed -n 2p "$work/report")"

# Function I is called I + 1 times, and executes I + 9 instructions in each call (see jit.c). Lines of
# interrupts, which name the function, too, have no opcode.
v9trace script --insn --symfs "$work/fs" "$work/dump.data" 2>/dev/null |
	sed -nE 's/.* el0 [0-9a-f]{8} +[0-9a-f]+ (gen_[0-9]+)\+0x.*/\1/p' | sort | uniq -c | awk '{ print $2, $1 }' >"$work/got"
for i in $(seq 0 23); do
	printf 'gen_%02d %d\n' "$i" $(((i + 1) * (i + 9)))
done >"$work/want"
cmp -s "$work/want" "$work/got"
check instructions_of_each_function $? "$(diff "$work/want" "$work/got" | head -n 2 | tail -n 1)"

v9trace script --symfs "$work/fs" "$work/map.data" 2>/dev/null |
	grep -o 'gen_[0-9]*' | sort -u >"$work/names"
[ "$(wc -l <"$work/names")" -eq 24 ]
check names_of_a_map $? "$(wc -l <"$work/names") names"
v9trace report --symfs "$work/fs" "$work/map.data" >"$work/map.report" 2>&1
grep -q 'generated code: the program has to' "$work/map.report"
check code_of_a_map_is_missing $? "$(grep -A 3 '^Missing' "$work/map.report" | tail -n 1)"
[ -n "${KEEP:-}" ] || rm -f "$work"/*.data "$work"/pcs.*
finish
