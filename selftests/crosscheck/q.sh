#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9trace on traces with Q elements: each instruction that it decodes is one that the model traced, and of the
# others it says how many there are, where the trace says that.
#
#   [KERNEL=6.12|7] q.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#
# One boot with v9_ete and a unit that has Q elements with and without counts. flow.c is recorded without them,
# with counts, with counts beside the return stack and cycle counts, with both kinds, and with counts beside the kernel,
# where Q elements imply exception returns. flow32.c is recorded as A32 and as T32, with counts and with both kinds.
# What stock perf decodes of the traces of the first program alone without return stack, which OpenCSD 1.5.5 empties too
# often (its issue 75), is a part of what v9trace does.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin
selftests/lab/root.sh run -- sh -c '
	aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -march=armv8.3-a \
		-mbranch-protection=pac-ret -o "$1/flow" selftests/crosscheck/flow.c &&
	gcc -O2 -Wall -Wextra -Werror -o "$1/pcs" selftests/crosscheck/pcs.c &&
	make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$work" || exit 1
mkdir -p "$work/root/v9/demo"
selftests/lab/peers.sh -t arm32 run -- sh -c '
	for set in arm thumb; do
		arm-linux-gnueabihf-gcc -O2 -Wall -Wextra -Werror -static -no-pie -march=armv8-a+simd -m$set \
			-masm-syntax-unified -o "$1/$set" selftests/crosscheck/flow32.c || exit 1
	done' sh "$work/root/v9/demo" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1

selftests/lab/run.sh -o "$work" -t 600 -q "v9-ete=on,v9-ete-q=3,v9-log=$work/model.json,v9-pclog=$work/pcs" \
	-f "$work/flow:/v9/demo/flow" -f "$work/root/v9/demo/arm:/v9/demo/arm" -f "$work/root/v9/demo/thumb:/v9/demo/thumb" \
	-f "$PWD/build/tools/arm64/v9trace:/v9/v9trace" -- '
	set -e
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_ete.ko
	rec() { taskset 2 /v9/v9trace record -q -e cs_etm/$2/$3 -m ,16M -o /out/$1.data -- /v9/demo/${4:-flow}; }
	rec plain retstack u
	rec counted q_elements=1 u
	rec stacked q_elements=1,retstack,cycacc u
	rec arm q_elements=1 u arm
	rec thumb q_elements=1 u thumb
	rec kernel q_elements=1 ""
	rec uncounted q_elements=3 u
	rec thumb_uncounted q_elements=3 u thumb
	! rec refused q_elements=1,branch_broadcast 2>/dev/null
' >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"

if [ $status -eq 0 ]; then
	v9trace=$PWD/build/tools/host/v9trace
	cp "$work/flow" "$work/root/v9/demo"
	for session in plain counted stacked kernel uncounted; do
		"$v9trace" script --ranges --symfs "$work/root" "$work/$session.data" >"$work/$session.txt" 2>"$work/$session.err"
		"$v9trace" report --json --symfs "$work/root" "$work/$session.data" >"$work/$session.json" 2>&1
	done
	for session in arm thumb thumb_uncounted; do
		"$v9trace" script --insn --symfs "$work/root" "$work/$session.data" 2>"$work/$session.err" |
			awk -v gaps=1 -f selftests/crosscheck/pcs.awk >"$work/$session.txt"
	done
	cat "$work/thumb_uncounted.txt" >>"$work/uncounted.txt"
	"$work/pcs" "$work/pcs.1" exact "$work/plain.txt" counted "$work/counted.txt" counted "$work/stacked.txt" \
		counted "$work/arm.txt" counted "$work/thumb.txt" counted "$work/kernel.txt" \
		part "$work/uncounted.txt" >"$work/compare" 2>&1
	check_lines "$work/compare" %s_agrees_with_list plain counted stacked arm thumb kernel uncounted
	# A path in the kernel, whose addresses begin with ffff, leads to an instruction of EL0.
	returns=$(awk '
		/ gap: path not known: [0-9]+ instructions ffff/ { kernel = 1; next }
		/ el0 / { n += kernel }
		{ kernel = 0 }
		END { print n + 0 }' "$work/kernel.txt")
	[ "$returns" -gt 10 ]
	check q_elements_imply_exception_returns $? "$returns"
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
