#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# perf c2c report reads what v9trace record wrote, and finds the cache line that two threads share.
#
#   [KERNEL=6.12|7] c2c.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#
# One boot with v9_spe and CPUs that are Neoverse N2 as far as perf sees, which each perf here knows.
# The file with metadata of version 2 is read by the perf of kernel 7, that with version 1
# (--metadata=1) by those of 6.1 and 6.12. Where addr2line is missing (6.1, the guest), perf must
# not look for lines of code: it would end by a signal.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin "$work/bin"

selftests/lab/root.sh run -- sh -ec '
	aarch64-linux-gnu-gcc -O2 -g -Wall -Wextra -Werror -static -o "$1/bin/false_sharing" \
		selftests/crosscheck/false_sharing.c
	aarch64-linux-gnu-nm "$1/bin/false_sharing" | sed -n "s/^0*\([0-9a-f]*\) b shared\$/0x\1/p" >"$1/line"
	make -s -C tools ARCH=amd64
	make -s -C tools ARCH=arm64' sh "$work" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1
line=$(cat "$work/line")

# With jitter: each round of a loop has the same length.
event='arm_spe_0/ts_enable=1,pa_enable=1,jitter=1,load_filter=1,store_filter=1/u'
guest='
	set -e
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_spe.ko
	rec() { v9trace record -q -c 2048 -m ,8M -e "$event" "$@" -- /v9/demo/false_sharing 1; }
	rec -o /out/two.data
	rec -o /out/one.data --metadata=1
	cp /sys/devices/system/node/node0/meminfo /sys/devices/system/memory/block_size_bytes /out
	(cd /sys/devices/system/node/node0 && ls -d memory*[0-9]) | sort -V >/out/blocks
	cd /tmp
	case $kernel in
	7) perf c2c report -i /out/two.data --stdio --no-source >/out/guest.report 2>/out/guest.err ;;
	*) perf c2c report -i /out/one.data --stdio --no-source >/out/guest.report 2>/out/guest.err ;;
	esac
'
selftests/lab/run.sh -o "$work" -t 900 -q "v9-profile=neoverse-n2" \
	-f "$work/bin/false_sharing:/v9/demo/false_sharing" \
	-- "kernel=$KERNEL; event='$event'; $guest" >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"

# The hottest line is the shared one.
hottest() {	# REPORT
	awk -v at="$line" '
		/Shared Data Cache Line Table/ { on = 1 }
		on && $1 == "0" { print "hottest line " $2 ", want " at; exit !($2 == at) }' "$1" >"$1.why"
	[ -s "$1.why" ] && grep -q "hottest line $line," "$1.why"
}

report() {	# NAME KERNEL FILE [OPTION]
	selftests/lab/kernel.sh run "$2" perf c2c report -i "$work/$3" --stdio ${4:-} \
		>"$work/$1.report" 2>"$work/$1.err"
	hottest "$work/$1.report"
	check "perf_c2c_$1" $? "$(cat "$work/$1.report.why") $(grep -v '^$' "$work/$1.err" | head -n 1)"
	! grep -qi 'old SPE metadata' "$work/$1.err" "$work/$1.report"
	check "perf_c2c_${1}_knows_the_metadata" $? "$(grep -i 'metadata' "$work/$1.err" | head -n 1)"
}
report two_by_7 7 two.data
report one_by_6_12 6.12 one.data
report one_by_6_1 6.1 one.data --no-source
hottest "$work/guest.report"
check perf_c2c_in_the_guest $? "$(cat "$work/guest.report.why") $(head -n 1 "$work/guest.err")"

# perf's own text of the sections
selftests/lab/kernel.sh run 7 perf report --header-only -I -i "$work/two.data" >"$work/header" 2>/dev/null
size=$((0x$(cat "$work/block_size_bytes")))
grep -q "memory nodes (nr 1, block size 0x$(printf %x $size))" "$work/header"
check header_has_blocks $? "$(grep -m 1 'memory nodes' "$work/header")"
want=$(sed -n 's/memory//p' "$work/blocks" | awk '
	NR == 1 || $1 != last + 1 { if (NR > 1) printf "%s%s", out, ","; out = first = $1 }
	{ last = $1; out = first == last ? first : first "-" last }
	END { print out }')
grep -A 3 'memory nodes' "$work/header" | grep -q ": $want\$"
check header_has_each_block $? "want $want: $(grep -A 1 'memory nodes' "$work/header" | tail -n 1)"
grep -q 'node0 meminfo' "$work/header"
check header_has_nodes $? "no line of node 0"

# Our own reader takes both, with the same core.
for version in one two; do
	HOME=$work build/tools/amd64/v9trace mem "$work/$version.data" >"$work/$version.mem" 2>&1
	grep -qi "${line#0x}" "$work/$version.mem"
	check "v9trace_mem_$version" $? "$(sed -n 2p "$work/$version.mem")"
done
[ -n "${KEEP:-}" ] || rm -f "$work"/*.data
finish
