#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace record --aggregate with a v9trace top attached, then v9trace top alone, each for SOAK seconds (default 600), while
# programs fork and exec, libraries are loaded and unloaded, code is generated, and a CPU goes offline and online. The
# memory of both must not grow after a minute. Each byte that the model's unit wrote must be decoded or counted as lost.
#
#   [SOAK=SECONDS] [KERNEL=6.12|7] soak.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin "$work/churn"
soak=${SOAK:-600}
interval=20	# seconds of a shard
memory=8M	# for the sums and the trace that waits
limit=$((96 << 10))	# KiB that each may have: its own code, symbols of what runs, names and mappings, and the sums
log=$work/model.json

selftests/lab/root.sh run -- sh -ec '
	cc="aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror"
	$cc -o "$1/churn" selftests/crosscheck/churn.c -ldl
	for i in 1 2 3 4 5 6 7 8; do
		echo "unsigned long run(void) { unsigned long s = $i; for (int i = 0; i < 20000; i++) s = s * 31 + i; return s; }" |
			$cc -Wno-missing-prototypes -shared -fPIC -Wl,--build-id -o "$1/lib$i.so" -x c -
	done
	make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$work/churn" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1

guest='
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko || exit 1
	e=arm_spe_0/jitter/
	for cpu in 1 2; do
		taskset $cpu /v9/demo/churn/churn /v9/demo/churn/lib*.so 2>/out/churn.$cpu &
		churn="$churn $!"
	done
	online=/sys/devices/system/cpu/cpu1/online
	# watch NAME PID...: VmRSS of each every second, for $soak seconds, while the CPU comes and goes
	watch() {
		name=$1
		shift
		read -r up rest </proc/uptime
		begin=${up%.*} now=0 next=10 state=0
		while [ $now -lt $soak ]; do
			for pid; do
				echo "$now $pid $(sed -n "s/^VmRSS:[^0-9]*\([0-9]*\).*/\1/p" /proc/$pid/status)"
			done >>/out/$name.rss
			if [ $now -ge $next ]; then
				echo $state >$online
				state=$((!state)) next=$((now + 10))
			fi 2>/dev/null
			sleep 1
			read -r up rest </proc/uptime
			now=$((${up%.*} - begin))
		done
		echo 1 >$online 2>/dev/null
	}
	mkdir /tmp/unit
	v9trace record -q --json=/out/unit.json -o /tmp/unit --aggregate=${interval}s --shard -a -e $e -c 20000 \
		--overhead 20 --max-period 160000 --memory $memory 2>/out/unit.output &
	rec=$!
	until [ -S /tmp/unit/v9trace.socket ]; do sleep 0.2; done
	v9trace top --attach --batch --json -d 5 >/tmp/attached.lines 2>/out/attached.output &
	top=$!
	watch unit $rec $top
	kill -INT $top
	wait $top
	echo $? >/out/attached.status
	kill -INT $rec
	wait $rec
	echo $? >/out/unit.status
	wc -l </tmp/attached.lines >/out/attached.lines
	ls /tmp/unit | grep -c shard >/out/unit.shards
	v9trace merge -o /out/unit.sum /tmp/unit/*.shard 2>/out/merge.output
	v9trace report --json --limit 0 /out/unit.sum >/out/unit.report 2>>/out/merge.output
	v9trace top --batch --json --limit 0 -d 5 -a -e $e -c 20000 --memory $memory >/tmp/top.lines 2>/out/top.output &
	top=$!
	watch top $top
	kill -INT $top
	wait $top
	echo $? >/out/top.status
	tail -n 1 /tmp/top.lines >/out/top.json
	kill $churn
	for pid in $churn; do echo "$pid"; done >/out/churned
	exit 0
'
# The log has a line of each record. Only the sums and what was broken are kept.
mkfifo "$log.all"
grep '"k":"\(score\|violation\)"' <"$log.all" >"$log" &
# Also without a guest the reader has an end.
exec 3<>"$log.all"
selftests/lab/run.sh -o "$work" -t $((3 * soak + 900)) -q "v9-spe=on,v9-log=$log.all,v9-strict=log" \
	-f "$work/churn:/v9/demo/churn" -- "soak=$soak; interval=$interval; memory=$memory; $guest" >"$work/stdout" 2>"$work/stderr"
status=$?
exec 3>&-
wait
check guest $status "it ended with status $status: $(tail -n 1 "$work/stderr")"
[ $status -eq 0 ] || finish

# rss FILE WHICH FROM TO: median and maximum of process number WHICH in those seconds. A shard that is written, and a new
# program whose symbols are read, need more memory for a short time, so medians are compared and the maximum is limited.
rss() {
	awk -v n="$2" -v from="$3" -v to="$4" '
		!($2 in seen) { seen[$2] = ++k }
		seen[$2] == n && $1 >= from && $1 < to { print $3 }' "$work/$1.rss" | sort -n |
		awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] + 0, v[NR] + 0 }'
}
# memory NAME FILE WHICH: the second minute and the last one
memory() {
	read -r early _ <<-END
	$(rss "$2" "$3" 60 120)
	END
	read -r late _ <<-END
	$(rss "$2" "$3" $((soak - 60)) $((soak + 60)))
	END
	read -r _ most <<-END
	$(rss "$2" "$3" 0 $((soak + 60)))
	END
	echo "# $1: $early KiB after a minute, $late KiB at the end of $soak s; at most $most KiB, limit $limit KiB" >>"$tap"
	[ "$early" -gt 0 ] && [ $((late * 10)) -le $((early * 11)) ]
	check "$1_memory_stays" $? "$early KiB after a minute, $late KiB at the end"
	[ "$most" -gt 0 ] && [ "$most" -le "$limit" ]
	check "$1_memory_is_bounded" $? "$most KiB, limit $limit KiB"
}
memory unit unit 1
memory attached_top unit 2
memory top top 1

for name in unit attached top; do
	[ "$(cat "$work/$name.status")" = 0 ]
	check "${name}_status" $? "exit status $(cat "$work/$name.status"): $(head -n 1 "$work/$name.output")"
done
[ "$(cat "$work/attached.lines")" -ge $((soak / 60)) ]
check attached_all_the_time $? "$(cat "$work/attached.lines") looks"
[ "$(number unit cpu_away)" -ge $((soak / 60)) ]
check unit_saw_the_cpu_go $? "$(number unit cpu_away) times"
[ ! -s "$work/churn.1" ] && [ ! -s "$work/churn.2" ]
check churn $? "$(cat "$work/churn.1" "$work/churn.2" | head -n 1)"

# Each record of this model has 64 bytes: decoded, or counted as lost.
records=$(number unit spe_records) bytes=$(number unit trace_bytes)
[ "$records" -gt $((soak * 5)) ] && [ $((records * 64 + $(number unit undecoded_trace_bytes) +
	$(number unit skipped_trace_bytes))) = "$bytes" ]
check unit_every_byte $? "$records records in $bytes bytes"
selftests/lab/root.sh run -- python3 -c '
import json, sys
report, top = json.load(open(sys.argv[1])), json.load(open(sys.argv[2]))
lost = top["lost"]
print("samples", sum(r["samples"] for r in report["sources"]))
print("top_rows", sum(r["samples"] for r in top["rows"]))
print("top_records", top["records"])
print("top_bytes", top["trace_bytes"])
print("top_unaccounted", top["trace_bytes"] - 64 * top["records"] - lost["undecoded_trace_bytes"] - lost["skipped_trace_bytes"])
print("objects", len({r["dso"] for r in report["functions"]}))' "$work/unit.report" "$work/top.json" >"$work/sums" 2>"$work/sums.why"
check sums $? "$(tail -n 1 "$work/sums.why")"
sum() { sed -n "s/^$1 //p" "$work/sums"; }
[ "$(sum samples)" = "$records" ]
check every_record_is_in_a_shard $? "$(sum samples) samples in $(cat "$work/unit.shards") shards, $records records"
[ "$(sum top_rows)" = "$(sum top_records)" ] && [ "$(sum top_unaccounted)" = 0 ] && [ "$(sum top_records)" -gt $((soak * 2)) ]
check every_record_is_in_a_row $? "$(tr '\n' ' ' <"$work/sums")"
[ "$(sum objects)" -ge 9 ]
check libraries_are_objects $? "$(sum objects) objects"
all=$((bytes + $(number unit late_trace_bytes) + $(sum top_bytes)))
wrote=$(sed -n 's/.*"k":"score".*"written":[0-9]*,"bytes":\([0-9]*\).*/\1/p' "$log" | awk '{ s += $1 } END { print s }')
echo "# the unit wrote $wrote bytes; decoded and lost: $all; evicted sums $(number unit evicted)" >>"$tap"
[ "$all" = "$wrote" ]
check every_byte_of_the_unit $? "the unit wrote $wrote bytes, the summaries account for $all"
! grep -q '"k":"violation"' "$log"
check no_rule_broken $? "$(grep -m 1 '"k":"violation"' "$log")"
finish
