#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What later profiling units put into records, from end to end: the model's own log against what
# v9trace reads in captures of stock perf and of v9trace, record by record and field by field.
#
#   [KERNEL=6.12|7] later.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#
# The unit is one of SPEv1p5: events in four bytes, data sources in two, calls and returns, floating
# point and Advanced SIMD, latencies of 16 bits, records of 128 bytes. perf's own names of some of
# these change from one perf to the next, so it is not compared here.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
zstd=$(selftests/lab/workload.sh) || exit 1
begin
selftests/lab/root.sh run -- sh -c 'make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' || exit 1

# Without Profiling exceptions: with them the driver records some samples of its own, to test the
# routing.
unit=v9-spe=on,v9-spe-version=6,v9-mixed=on,v9-spe-fds=on,v9-spe-eft=on,v9-spe-crr=on
unit=$unit,v9-spe-count16=on,v9-spe-max-size=7,v9-spe-align=7
selftests/lab/run.sh -o "$work" -t 600 -q "$unit,v9-log=$work/model.json" -f "$zstd:/v9/demo/zstd" -- '
	set -e
	insmod /v9/modules/v9_core.ko; insmod /v9/modules/v9_spe.ko
	event=arm_spe_0/ts_enable=1,pa_enable=1,jitter=1/
	head -c 300000 /usr/bin/perf >/tmp/data
	perf record -q -e $event -c 1024 -m,8M -o /out/1.data -- /v9/demo/zstd -q -3 -f -o /tmp/zst /tmp/data
	v9trace record -q -e $event -c 1024 -m ,8M -o /out/2.data -- /v9/demo/zstd -q -3 -f -o /tmp/zst /tmp/data
' >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"

selftests/crosscheck/compare.sh v9trace "$work/model.json" "$work"/[12].data >"$work/compare" 2>&1
check v9trace_equals_log $? "$(tail -n 1 "$work/compare")"

build/tools/host/v9trace script "$work/1.data" >"$work/script" 2>/dev/null
for word in 'branch call' 'branch indirect return' 'branch cond other_cr' 'l2d_access' 'l2d_miss'; do
	grep -q "$word" "$work/script"
	check "script_says_${word// /_}" $? "no record with it"
done
finish
