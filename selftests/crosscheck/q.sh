#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9trace on traces with Q elements: each instruction that it decodes is one that the model traced, and of the
# others it says how many there are, where the trace says that.
#
#   [KERNEL=6.12|7] q.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#
# One boot with v9_ete and a unit that has Q elements with and without counts. flow.c is recorded without them,
# with counts, with counts beside the return stack and cycle counts, and with both kinds. What stock perf decodes of
# the traces without return stack, which OpenCSD 1.5.5 empties too often (its issue 75), is a part of what v9trace does.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin
selftests/lab/root.sh run -- sh -c '
	aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -march=armv8.3-a \
		-mbranch-protection=pac-ret -o "$1/flow" selftests/crosscheck/flow.c &&
	gcc -O2 -Wall -Wextra -Werror -o "$1/pcs" selftests/crosscheck/pcs.c &&
	make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$work" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1

selftests/lab/run.sh -o "$work" -t 600 -q "v9-ete=on,v9-ete-q=3,v9-log=$work/model.json,v9-pclog=$work/pcs" \
	-f "$work/flow:/v9/demo/flow" -f "$PWD/build/tools/arm64/v9trace:/v9/v9trace" -- '
	set -e
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_ete.ko
	rec() { taskset 2 /v9/v9trace record -q -e cs_etm/$2/u -m ,8M -o /out/$1.data -- /v9/demo/flow; }
	rec plain retstack
	rec counted q_elements=1
	rec stacked q_elements=1,retstack,cycacc
	rec uncounted q_elements=3
	! rec refused q_elements=1,branch_broadcast 2>/dev/null
' >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"

if [ $status -eq 0 ]; then
	v9trace=$PWD/build/tools/host/v9trace
	mkdir -p "$work/root/v9/demo"
	cp "$work/flow" "$work/root/v9/demo"
	for session in plain counted stacked uncounted; do
		"$v9trace" script --ranges --symfs "$work/root" "$work/$session.data" >"$work/$session.txt" 2>&1
		"$v9trace" report --json --symfs "$work/root" "$work/$session.data" >"$work/$session.json" 2>&1
	done
	"$work/pcs" "$work/pcs.1" exact "$work/plain.txt" counted "$work/counted.txt" \
		counted "$work/stacked.txt" part "$work/uncounted.txt" >"$work/compare" 2>&1
	check_lines "$work/compare" %s_agrees_with_list plain counted stacked uncounted
	for session in counted uncounted; do
		"$v9trace" script --insn --symfs "$work/root" "$work/$session.data" 2>/dev/null |
			awk -f selftests/crosscheck/pcs.awk >"$work/$session.ours"
		selftests/lab/kernel.sh run "$KERNEL" perf script --symfs "$work/root" -i "$work/$session.data" \
			--itrace=i1i -F ip 2>"$work/perf.err" | tr -d ' ' >"$work/$session.perf"
		what=$(awk '
			NR == FNR { ours[++n] = $1; next }
			{ while (++at < n && ours[at] != $1); }
			ours[at] != $1 { print "instruction " FNR " is " $1; bad = 1; exit 1 }
			END { if (!bad) print FNR " instructions of " n }' "$work/$session.ours" "$work/$session.perf")
		[ $? -eq 0 ] && [ "$(wc -l <"$work/$session.perf")" -gt 50000 ]
		check "perf_decodes_a_part_of_$session" $? "$what; $(head -n 1 "$work/perf.err")"
	done
	lost() {	# SESSION KIND: how many the report counts
		sed "s/.*\"count\":\([0-9]*\),\"kind\":\"$2\".*/\1/" "$work/$1.json"
	}
	[ "$(lost plain no_path)" = 0 ] && [ "$(lost counted no_path)" -gt 0 ] &&
		[ "$(lost counted gap_no_count)" = 0 ] && [ "$(lost uncounted gap_no_count)" -gt 0 ]
	check report_counts_them $? "$(lost plain no_path), $(lost counted no_path), $(lost uncounted gap_no_count)"
fi
finish
