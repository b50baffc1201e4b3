#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Measured ratios, never asserted: both sides in one run, alternating, best of three.
#
#   bench.sh [platform] [decoders]    these; all if none is named
#
# platform:
#   platform_absent  a CPU-bound guest program on our QEMU without SPE, against stock QEMU
#   platform_idle    the same with SPE present and nobody sampling
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
rounds=${ROUNDS:-3}
zstd=$($lab/workload.sh)
out=build/bench
mkdir -p "$out"

# Seconds that the program took by the guest's clock, which follows the host's.
# $@: options of run.sh
once() {
	$lab/run.sh -o "$out" -t 120 "$@" -f "$zstd:/v9/demo/zstd" -- '
		cp /usr/bin/perf /tmp/data
		/v9/demo/zstd -q -3 -f -o /tmp/warm /tmp/data
		read -r a rest </proc/uptime
		/v9/demo/zstd -q -9 -f -o /tmp/data.zst /tmp/data
		read -r b rest </proc/uptime
		echo "$a $b" | awk "{ printf \"%.2f\\n\", \$2 - \$1 }" >/out/seconds' >/dev/null
	cat "$out/seconds"
}

least() { sort -n "$1" | head -n 1; }

bench() {	# NAME GOAL
	awk -v name="$1" -v goal="$2" -v ours="$(least "$out/$1")" -v peer="$(least "$out/stock")" \
		'BEGIN { printf "bench %s ours=%s peer=%s ratio=%.2f goal=%s\n", name, ours, peer, peer / ours, goal }'
}

echo "machine: $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
echo "guest: $($lab/kernel.sh name 2>/dev/null || echo "Debian kernel ${KERNEL:-6.12}"), zstd -9 of its perf binary; $rounds rounds"
: >"$out/stock"
: >"$out/platform_absent"
: >"$out/platform_idle"
for round in $(seq "$rounds"); do
	echo "round $round of $rounds" >&2
	once -S >>"$out/stock"
	once >>"$out/platform_absent"
	once -q v9-spe=on >>"$out/platform_idle"
done
bench platform_absent 0.97
bench platform_idle 0.97
case " ${*:-platform decoders} " in
*' decoders '*) exec selftests/bench/decoders.sh ;;
esac
