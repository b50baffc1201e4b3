#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace record --check: compares the PMU's counts with the model's own. The guest boots three times:
# - with our drivers: recordings of CPUs. The counters run whenever the unit does, so the sums must be equal;
# - with Debian's arm_spe_pmu: the same recordings;
# - with our drivers: recordings of a command, a process and a thread. The counts must be within their bounds.
#
#   [KERNEL=6.1|6.12|7] check.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin

# rec NAME ARGUMENT...: a recording with --check
common='
	head -c 200000 /usr/bin/perf >/tmp/in
	work="zstd -q -f /tmp/in -o /tmp/in.zst"
	rec() {
		name=$1
		shift
		v9trace record --check --json=/out/$name.json -o /out/$name.data "$@" 2>/out/$name.err ||
			echo "$name: status $?" >>/out/failed
	}
	touch /out/failed
	ls /sys/bus/event_source/devices/arm_spe_0/format >/out/format
'
ours='insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko && insmod /v9/modules/v9_ete.ko || exit 1'

# Short intervals with jitter, so that samples collide; a buffer that fills many times; each filter alone
cpus='
	rec all -a -e arm_spe_0/jitter/ -c 4096 -- $work
	rec dense -a -e arm_spe_0/jitter/ -c 256 -m ,4M -- $work
	rec small -a -e arm_spe_0// -c 1024 -m ,8K -- $work
	rec loads -a -e arm_spe_0/load_filter=1/ -c 1024 -- $work
	rec slow -a -e arm_spe_0/min_latency=20/ -c 1024 -- $work
	rec missed -a -e arm_spe_0/event_filter=0x8/ -c 1024 -- $work
'
# The buffer of the trace fills at any level, so that the kernel is traced, too.
beside='rec beside -a -e arm_spe_0// -c 4096 -e cs_etm// -m ,64K -- $work'

# attached OPTION NAME: a busy process, until Ctrl-C. busy: other events have all counters meanwhile.
tasks='
	rec command -e arm_spe_0/jitter/ -c 4096 -- $work
	rec user -e arm_spe_0//u -c 1024 -- sh -c "$work; $work"
	attached() {
		yes >/dev/null &
		busy=$!
		rec $2 -e arm_spe_0// -c 20000 $1 $busy &
		for i in $(seq 300); do
			[ "$(stat -c %s /out/$2.data 2>/dev/null || echo 0)" -lt 20000 ] || break
			sleep 0.2
		done
		sleep 1
		killall -INT v9trace
		wait $!
		kill $busy
	}
	attached -p pid
	attached -t tid
	rec trace -e cs_etm//u -m ,64K -- $work
	perf stat -a -e r11:D,r11:D,r11:D,r11:D,r11:D,r11:D,r11:D -o /tmp/stat sleep 1000 2>/out/perf.output &
	perf=$!
	sleep 2
	rec busy -a -e arm_spe_0// -c 4096 -- $work
	kill -INT $perf
	cp /tmp/stat /out/stat
'

boot() {	# NAME LOADING RECORDING
	mkdir -p "$work/$1"
	selftests/lab/run.sh -o "$work/$1" -t 600 -q "v9-spe=on,v9-ete=on,v9-log=$work/$1/model.json" \
		-f "$PWD/build/tools/arm64/v9trace:/usr/bin/v9trace" -- "$2$common$3" \
		>"$work/$1/stdout" 2>"$work/$1/stderr"
	status=$?
	check "$1_records" $status "the guest ended with status $status: $(tail -n 1 "$work/$1/stderr")"
	[ $status -eq 0 ] || return
	[ -e "$work/$1/failed" ] && [ ! -s "$work/$1/failed" ]
	check "$1_status" $? "$(head -n 1 "$work/$1/failed")"
	selftests/lab/root.sh run -- python3 selftests/crosscheck/check.py "$1" "$work/$1" \
		"$PWD/build/tools/host/v9trace" >"$work/$1/checks" 2>"$work/$1/checks.err"
	[ -s "$work/$1/checks" ]
	check "$1_compared" $? "$(tail -n 1 "$work/$1/checks.err")"
	while read -r result test why; do
		[ "$result" = ok ]
		check "$1_$test" $? "$why"
	done <"$work/$1/checks"
}

selftests/lab/modules.sh "$KERNEL" >&2 || exit 1
selftests/lab/root.sh run -- sh -c 'make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' >&2 || exit 1
boot cpus "$ours" "$cpus$beside"
# perf skips the section with the counts. Each record of this model ends with a Timestamp packet.
perf=$(selftests/lab/root.sh run -- perf report -D -i "$work/cpus/all.data" 2>/dev/null | grep -c '  TS [0-9]')
[ "$perf" -gt 0 ] && [ "$perf" = "$(sed 's/.*"event":"SAMPLE_FILTRATE","counted":[0-9]*,"recorded":\([0-9]*\).*/\1/' \
	"$work/cpus/all.json")" ]
check cpus_perf_reads_all $? "$perf records by perf"
boot intree "modprobe arm_spe_pmu || exit 1" "$cpus"
boot tasks "$ours" "$tasks"
finish
