#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Measured ratios, never asserted: both sides in one run.
#
#   bench.sh [platform] [places] [decoders]    these; all if none is named
#
# platform:
#   platform_absent  a CPU-bound guest program on our QEMU without SPE, against stock QEMU
#   platform_idle    the same with SPE present and nobody sampling
#
# A figure is the CPU time of the QEMU process while the guest's program runs, not the time by the
# clock: other work on the machine counts less then. The three QEMUs take turns of half a second
# (SIGSTOP, SIGCONT), so that other work on the machine affects all of them alike. A ratio is the
# median over the passes; spread= is its 95 % interval by the quartiles (1.58 times their distance
# over the root of the number of passes); a row with the goal inside that ends in "undecided". Where perf may count, there are two more rows, platform_absent_insns and
# platform_idle_insns: instructions of the host, which other work does not change.
# PASSES=N (60): how often the program runs.
#
# places: ten programs are recorded with SPE and ETE, with each clock of crosscheck/clocks.sh. The share of
# joint_certain_CLOCK is that of the samples of traced instructions whose place is exact or path exact.
# CLOCKS="fine any ..." chooses some of the clocks.
#
# decoders: see bench/decoders.sh.
#
# Each row is a line: bench NAME ours=SECONDS peer=SECONDS ratio=PEER/OURS goal=...
# A row of places: bench NAME samples=N share=SHARE goal=...
# A ratio of 1.00 means equal, below 1 that ours is slower.
set -eu
cd "$(dirname "$0")/.."
all=" ${*:-platform places decoders} "

# A missed check ends the bench: the shares would be of wrong places.
places() {
	selftests/crosscheck/clocks.sh bench/clocks >&2
	awk '
		/^# [a-z]+: [0-9]+ of [0-9]+ samples that were traced/ {
			clock = $2
			sub(":", "", clock)
			printf "bench joint_certain_%s samples=%d share=%.3f goal=%.2f\n", clock, $5, $3 / $5,
				clock == "fine" ? 0.9 : 0.7
		}' build/results/bench/clocks.tap
}
rest() {
	case $all in *' places '*) places ;; esac
	case $all in *' decoders '*) exec selftests/bench/decoders.sh ;; esac
	exit
}
case $all in
*' platform '*) ;;
*) rest ;;
esac
lab=selftests/lab
passes=${PASSES:-60}
zstd=$($lab/workload.sh)
mkdir -p build/bench
out=$(cd build/bench && pwd)
name=v9bench$$

# CPU seconds of the process so far, all threads
cpu_of() { cat "/proc/$1"/task/*/schedstat | awk '{ ns += $1 } END { printf "%.6f\n", ns / 1e9 }'; }

can_count() { perf stat -x, -e instructions:u true 2>&1 | grep -q '^[0-9]'; }

# Runs the program in a guest; $out/WHICH gets the CPU seconds at its begin and behind each pass,
# $out/WHICH.insns the instructions of all passes. $@: WHICH, then options of run.sh
guest() {
	local which=$1 pid= counter=
	shift
	: >"$out/$which"
	rm -f "$out/$which.insns" "$out/$which.pid"
	$lab/run.sh -o "$out/guest-$which" -t 3600 -s 1 -x "-name $name-$which" "$@" \
		-f "$zstd:/v9/demo/zstd" -- '
		cp /usr/bin/perf /tmp/data
		/v9/demo/zstd -q -9 -f -o /tmp/data.zst /tmp/data
		echo begin
		i=0
		while [ $i -lt "$1" ]; do
			/v9/demo/zstd -q -9 -f -o /tmp/data.zst /tmp/data
			echo pass
			i=$((i + 1))
		done
		echo end' "$passes" | while read -r word; do
		case $word in
		begin)
			pid=$(pgrep -f -- "^[^ ]*qemu[^ ]* .*-name $name-$which( |$)")
			cpu_of "$pid" >>"$out/$which"
			[ -z "$count" ] || {
				perf stat -x, -e instructions:u -p "$pid" -o "$out/$which.insns" &
				counter=$!
			}
			;;
		pass)
			cpu_of "$pid" >>"$out/$which"
			;;
		end)
			[ -z "$counter" ] || { kill -INT "$counter"; wait "$counter" || :; }
			;;
		esac
	done
}

# One of the QEMUs runs at a time, until none is left.
take_turns() {
	local pid left=1
	while [ -n "$left" ]; do
		left=
		for pid in $(pgrep -f -- "^[^ ]*qemu[^ ]* .*-name $name-"); do
			left=1
			kill -CONT "$pid" 2>/dev/null || continue
			sleep 0.5
			kill -STOP "$pid" 2>/dev/null || :
		done
		if [ -z "$left" ]; then
			# not started yet, or all have ended
			sleep 0.5
			[ -z "$(jobs -rp)" ] || left=1
		fi
	done
}

# bench NAME GOAL OURS PEER: one row from the CPU seconds of two guests
bench() {
	paste -d' ' "$out/$3" "$out/$4" | awk -v name="$1" -v goal="$2" '
		function sort(v, n,	i, j, t) {
			for (i = 2; i <= n; i++)
				for (j = i; j > 1 && v[j] < v[j - 1]; j--) {
					t = v[j]; v[j] = v[j - 1]; v[j - 1] = t
				}
		}
		function at(v, n, share,	i) { i = int(n * share + 0.5); return v[i < 1 ? 1 : i] }
		NR == 1 { ours = $1; peer = $2 }
		NR > 1 && NF == 2 { r[++n] = ($2 - peer_now) / ($1 - ours_now) }
		{ ours_now = $1; peer_now = $2 }
		END {
			if (!n)
				exit 1
			sort(r, n)
			mid = at(r, n, 0.5)
			half = 1.58 * (at(r, n, 0.75) - at(r, n, 0.25)) / sqrt(n)
			low = mid - half; high = mid + half
			printf "bench %s ours=%.2f peer=%.2f ratio=%.3f spread=%.3f..%.3f goal=%s%s\n",
				name, ours_now - ours, peer_now - peer, mid, low, high, goal,
				(low < goal) != (high < goal) ? " undecided" : ""
		}'
}

insns() {	# NAME GOAL OURS PEER
	awk -F, -v name="$1" -v goal="$2" '
		$1 + 0 { n[FILENAME == ARGV[1]] = $1 }
		END { printf "bench %s ours=%d peer=%d ratio=%.3f goal=%s\n", name, n[1], n[0], n[0] / n[1], goal }
	' "$out/$3.insns" "$out/$4.insns"
}

count=
can_count && count=1
echo "machine: $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
echo "guest: $($lab/kernel.sh name 2>/dev/null || echo "Debian kernel ${KERNEL:-6.12}"), $passes times zstd -9 of its perf binary"
[ -n "$count" ] || echo "perf cannot count instructions here: CPU time only"
$lab/qemu.sh path >/dev/null
$lab/qemu.sh stock >/dev/null
trap 'pkill -KILL -f -- "-name $name-" || :' EXIT
guest stock -S &
guest platform_absent &
guest platform_idle -q v9-spe=on &
take_turns
wait
trap - EXIT
for row in platform_absent platform_idle; do
	bench $row 0.97 $row stock
	[ -z "$count" ] || insns ${row}_insns 0.97 $row stock
done
rest
