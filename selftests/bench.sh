#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Measured ratios, never asserted: both sides in one run.
#
#   bench.sh [platform] [decoders]    these; all if none is named
#
# platform:
#   platform_absent  a CPU-bound guest program on our QEMU without SPE, against stock QEMU
#   platform_idle    the same with SPE present and nobody sampling
#
# A figure is the CPU time of the QEMU process while the guest's program runs, not the time by the
# clock: other work on the machine counts less then. Where perf may count, there are two more rows,
# platform_absent_insns and platform_idle_insns: instructions of the host, which other work does
# not change. Each round runs the three QEMUs one after the other, every second round in the
# opposite order. A ratio is the median over the rounds, spread= the least and the greatest; a row
# whose spread is wider than its distance to the goal ends in "undecided".
# ROUNDS=N (5) rounds, PASSES=N (12) compressions in each.
#
# decoders: see bench/decoders.sh.
#
# One line each: bench NAME ours=SECONDS peer=SECONDS ratio=PEER/OURS goal=...
# A ratio of 1.00 means equal, below 1 that ours is slower.
set -eu
cd "$(dirname "$0")/.."
case " ${*:-platform decoders} " in
*' platform '*) ;;
*) exec selftests/bench/decoders.sh ;;
esac
lab=model/lab
rounds=${ROUNDS:-5}
passes=${PASSES:-12}
zstd=$($lab/workload.sh)
out=build/bench
mkdir -p "$out"
out=$(cd "$out" && pwd)
ticks=$(getconf CLK_TCK)
name=v9bench$$

# CPU seconds of the process so far, all threads, in user mode and in the kernel for it
cpu_of() { sed 's/.*) //' "/proc/$1/stat" | awk -v t="$ticks" '{ printf "%.2f\n", ($12 + $13) / t }'; }

can_count() { perf stat -x, -e instructions:u true 2>&1 | grep -q '^[0-9]'; }

# What the program costs the host: "SECONDS INSTRUCTIONS", the latter "-" where nothing counts them.
# $@: options of run.sh
once() {
	rm -f "$out/cost" "$out/insns"
	$lab/run.sh -o "$out/guest" -t 900 -s 1 -x "-name $name" "$@" -f "$zstd:/v9/demo/zstd" -- '
		cp /usr/bin/perf /tmp/data
		/v9/demo/zstd -q -9 -f -o /tmp/data.zst /tmp/data
		echo begin
		i=0
		while [ $i -lt "$1" ]; do
			/v9/demo/zstd -q -9 -f -o /tmp/data.zst /tmp/data
			i=$((i + 1))
		done
		echo end' "$passes" | while read -r word; do
		case $word in
		begin)
			pid=$(pgrep -f -- "^[^ ]*qemu[^ ]* .*-name $name( |$)")
			counter=
			if [ -n "$count" ]; then
				perf stat -x, -e instructions:u -p "$pid" -o "$out/insns" &
				counter=$!
			fi
			from=$(cpu_of "$pid")
			;;
		end)
			to=$(cpu_of "$pid")
			[ -z "$counter" ] || { kill -INT "$counter"; wait "$counter" || :; }
			awk -v a="$from" -v b="$to" 'BEGIN { printf "%.2f ", b - a }' >"$out/cost"
			if [ -n "$counter" ]; then
				awk -F, '$1 + 0 { print $1 }' "$out/insns"
			else
				echo -
			fi >>"$out/cost"
			;;
		esac
	done
	cat "$out/cost"
}

# bench NAME GOAL OURS PEER COLUMN: one row from the files of two QEMUs, a round a line
bench() {
	paste -d' ' "$out/$3" "$out/$4" | awk -v name="$1" -v goal="$2" -v c="$5" '
		{ ours[NR] = $c; peer[NR] = $(c + 2); r[NR] = $(c + 2) / $c }
		function sorted(v, n,	i, j, t) {
			for (i = 2; i <= n; i++)
				for (j = i; j > 1 && v[j] < v[j - 1]; j--) {
					t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
				}
		}
		function median(v, n) { return n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2 }
		END {
			sorted(ours, NR); sorted(peer, NR); sorted(r, NR)
			m = median(r, NR)
			printf "bench %s ours=%s peer=%s ratio=%.3f spread=%.3f..%.3f goal=%s", name,
				median(ours, NR), median(peer, NR), m, r[1], r[NR], goal
			far = m > goal ? m - goal : goal - m
			print r[NR] - r[1] > far ? " undecided" : ""
		}'
}

count=
can_count && count=1
echo "machine: $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
echo "guest: $($lab/kernel.sh name 2>/dev/null || echo "Debian kernel ${KERNEL:-6.12}"), $passes times zstd -9 of its perf binary; $rounds rounds"
[ -n "$count" ] || echo "perf cannot count instructions here: CPU time only"
: >"$out/stock"
: >"$out/platform_absent"
: >"$out/platform_idle"
one() {
	case $1 in
	stock)		once -S >>"$out/stock" ;;
	platform_absent) once >>"$out/platform_absent" ;;
	platform_idle)	once -q v9-spe=on >>"$out/platform_idle" ;;
	esac
}
for round in $(seq "$rounds"); do
	echo "round $round of $rounds" >&2
	order="stock platform_absent platform_idle"
	[ $((round % 2)) -eq 1 ] || order="platform_idle platform_absent stock"
	for which in $order; do one "$which"; done
done
bench platform_absent 0.97 platform_absent stock 1
bench platform_idle 0.97 platform_idle stock 1
if [ -n "$count" ]; then
	bench platform_absent_insns 0.97 platform_absent stock 2
	bench platform_idle_insns 0.97 platform_idle stock 2
fi
case " ${*:-platform decoders} " in
*' decoders '*) exec selftests/bench/decoders.sh ;;
esac
