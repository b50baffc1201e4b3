#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9trace record --heap: the block and the allocating call of each data address must be those that the program
# logged (heap.cc, heap.py), and stock perf must print the same calls of the same file. The program is linked
# statically ("heap"), so that the allocator is its own, and with the C library of the guest ("dynamic").
#
#   [KERNEL=6.1|6.12|7] heap.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin "$work/fs/v9/demo"
# compile NAME OPTIONS...
compile() {
	name=$1
	shift
	selftests/lab/peers.sh -t cxx run -- aarch64-linux-gnu-g++ -O2 -g -Wall -Wextra -Werror "$@" -pthread \
		-o "$work/fs/v9/demo/$name" selftests/crosscheck/heap.cc
}
compile heap -static || exit 1
compile dynamic -pie -fPIE -static-libstdc++ -static-libgcc || exit 1
selftests/lab/root.sh run -- sh -ec 'make -s -C tools STATIC=1; make -s -C tools STATIC=1 ARCH=arm64' || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1

# A killed recorder leaves uprobes, which the next one removes. A user is told what to do.
guest='
	set -e
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_spe.ko
	v9trace record -q --heap=/v9/demo/heap -o /tmp/killed.data -e arm_spe_0//u -- sleep 100 &
	until grep -q v9trace_heap /sys/kernel/tracing/uprobe_events; do sleep 0.2; done
	sleep 1
	kill -9 $!
	wait $! || true
	cat /sys/kernel/tracing/uprobe_events >/out/killed
	v9trace record -q --heap=/v9/demo/heap -c 512 -m 4M,8M -e arm_spe_0/ts_enable=1/u -o /out/heap.data -- \
		/v9/demo/heap /out/heap.log
	# The C library of Debian 12 is too old for it.
	if /v9/demo/dynamic /tmp/try.log 2>/out/dynamic.err; then
		v9trace record -q --heap -c 512 -m 4M,8M -e arm_spe_0/ts_enable=1/u -o /out/dynamic.data -- \
			/v9/demo/dynamic /out/dynamic.log
	fi
	cat /sys/kernel/tracing/uprobe_events >/out/left
	v9trace record -q --heap=/v9/demo/heap.log -o /tmp/not.data -- true 2>/out/not.err || echo $? >/out/not.status
	/usr/sbin/chroot --userspec=1000:1000 / v9trace record -q --heap=/v9/demo/heap -e arm_spe_0//u \
		-o /tmp/user.data -- true 2>/out/user.err || echo $? >/out/user.status
'
selftests/lab/run.sh -o "$work" -t 900 -q v9-spe=on -f "$work/fs/v9/demo/heap:/v9/demo/heap" \
	-f "$work/fs/v9/demo/dynamic:/v9/demo/dynamic" \
	-f selftests/crosscheck/heap.py:/v9/demo/heap.log -- "$guest" >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"
[ $status -eq 0 ] || finish

v9trace() { HOME=$work/none build/tools/host/v9trace "$@"; }
# check_program NAME PREFIX: the prefix is that of the checks
check_program() {
	v9trace script --json --comm "$1" --symfs "$work/fs" "$work/$1.data" 2>"$work/err" |
		grep '^{"type":"spe"' >"$work/script.json"
	why=$(selftests/lab/root.sh run -- python3 selftests/crosscheck/heap.py "$work/$1.log" "$work/script.json" 2>&1)
	check "$2blocks_are_those_of_the_log" $? "$(echo "$why" | tail -n 3 | tr '\n' '|') $(head -n 1 "$work/err")"

	# The table by groups and that of data have the same records.
	want=$(grep -o '"alloc":"make_[a-z]*' "$work/script.json" | sort | uniq -c |
		awk '{ sub(/.*"/, "", $2); print $2, $1 }')
	got=$(v9trace report --group-by alloc --limit 0 --csv --comm "$1" --symfs "$work/fs" "$work/$1.data" 2>/dev/null |
		tr -d '\r' | awk -F, '$1 == "groups" && $7 ~ /^make_/ { sub(/[+].*/, "", $7); n[$7] += $3 }
			END { for (k in n) print k, n[k] }' | sort)
	[ -n "$want" ] && [ "$want" = "$got" ]
	check "$2groups" $? "$(diff <(echo "$want") <(echo "$got") | tr '\n' '|')"
	v9trace mem --by data --limit 0 --json --comm "$1" --symfs "$work/fs" "$work/$1.data" 2>/dev/null >"$work/mem.json"
	grep -q '"data":"allocated by make_moved+0x[0-9a-f]*"' "$work/mem.json" &&
		grep -q '"least_size":6000,"most_size":6000' "$work/mem.json"
	check "$2data" $? "$(grep -o '"data":"allocated[^}]*' "$work/mem.json" | head -n 3 | tr '\n' '|')"

	# Calls without a return, and others that are not known, would be there if a probe were wrong. glibc
	# frees again what it kept for a thread, when that ends.
	v9trace report --group-by alloc --json --symfs "$work/fs" "$work/$1.data" 2>/dev/null >"$work/report.json"
	lost=$(tr '}' '\n' <"$work/report.json" | grep '"heap_' |
		grep -v '"count":0\|"count":[12],"kind":"heap_unknown"' | tr '\n' '|')
	[ -z "$lost" ] && grep -q '"heap_unplaced"' "$work/report.json"
	check "$2nothing_lost" $? "$lost"

	# Each logged block is the result of a call that perf prints.
	selftests/lab/kernel.sh run "$KERNEL" perf script -i "$work/$1.data" --no-itrace -F event,trace 2>"$work/perf.err" |
		sed -n 's/.*_return: .*result=0x\([0-9a-f]*\).*/\1/p' | sort -u >"$work/perf"
	sed 's/variable .*//; s/^[a-z]* 0x\([0-9a-f]*\) .*/\1/; /^$/d' "$work/$1.log" "$work/$1.log.child" |
		sort -u >"$work/logged"
	[ -s "$work/logged" ] && [ -z "$(comm -23 "$work/logged" "$work/perf")" ]
	check "$2calls_as_perf" $? "$(comm -23 "$work/logged" "$work/perf" | head -n 3 | tr '\n' ' ') $(grep -v '^$' "$work/perf.err" | head -n 1)"
}
check_program heap ''
if grep -q "version .GLIBC_[0-9.]*. not found" "$work/dynamic.err"; then
	n=$((n + 1))
	echo "ok $n - dynamic # SKIP the C library of the guest is older than that of the compiler" >>"$tap"
else
	check_program dynamic dynamic_
fi

grep -q v9trace_heap "$work/killed" && ! grep -q v9trace_heap "$work/left"
check probes_are_removed $? "$(wc -l <"$work/killed") after a kill, left: $(head -n 1 "$work/left")"
[ "$(cat "$work/not.status" 2>/dev/null)" = 2 ] && grep -q 'not an ELF file.*--heap=FILE' "$work/not.err"
check wrong_file $? "status $(cat "$work/not.status" 2>/dev/null), $(head -n 1 "$work/not.err")"
[ "$(cat "$work/user.status" 2>/dev/null)" = 1 ] && grep -q 'only root may define uprobes' "$work/user.err"
check permission_is_asked_for $? "status $(cat "$work/user.status" 2>/dev/null), $(head -n 1 "$work/user.err")"
[ -n "${KEEP:-}" ] || rm -f "$work"/*.data
finish
