#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# How cost grows with the work: each row makes three captures (grow.c, grow_ete.c), each with ten times as many of
# one thing as the one before, and prints CPU microseconds and bytes of memory for each of them. The
# cost of an almost empty capture is subtracted. Called by "make bench-growth"; with names, only
# those rows. Each capture is measured five times (ROUNDS=N), and the smallest value is printed.
#
#   bench growth_ROW N=MICROSECONDS,BYTES ... step=MOST goal=1.20
#
# step: how much more a unit of the larger capture costs than one of the next smaller. ete and ete_calls:
# the model's trace of bench/decoders.sh once, 10 and 100 times over, if it is there.
# lines_parts, lines_most: more cache lines than fit into the memory limit of mem, which then reads the capture
# several times, and keeps those whose counters of records are the highest. Captures of lines_most have 3.2 GB.
# damaged: see damaged.c; DAMAGED=N runs (10,000).
# large_spe, large_ete: report of a capture of 20 GB (LARGE=GB) if the disk has room: elapsed seconds, peak MiB.
# recording: wide.sh. It takes long, and runs only if it is named.
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/build/bench/grow
bin=$PWD/build/bench/bin
rounds=${ROUNDS:-5}
v9trace=build/tools/host/v9trace
mkdir -p "$work/symfs" "$bin"

# ROW WHAT FIRST COMMAND...: 10 and 100 times the first are measured, too
rows='
records		records	100000	report
records_script	records	20000	script
records_json	records	20000	script --json
records_pprof	records	100000	export --to pprof -o OUT
cpus		cpus	5	report
tasks		tasks	1000	report
tasks_script	tasks	1000	script
turns		turns	10000	report
maps		maps	10000	report
maps_script	maps	2000	script
programs	programs 1000	report
objects		objects	100	report
symbols		symbols	10000	report
aux		aux	32000	report
gaps		gaps	32000	report
lines		lines	10000	mem
lines_parts	lines	50000	mem
lines_most	distinct	1000000	mem
cgroups		cgroups	1000	report --group-by cgroup
rewrites	rewrites	1000	report
rewrites_calls	rewrites	1000	report --calls
deep_calls	deep	500	report --calls
deep_folded	deep	1000	export --to folded -o OUT
deep_pprof	deep	1000	export --to pprof -o OUT
deep_html	deep	1000	html -o OUT
recursion_calls	recursion	1000	report --calls
recursion_folded	recursion	1000	export --to folded -o OUT
contexts	contexts	1000	report
contexts_calls	contexts	1000	report --calls
ete		ete	1	report
ete_calls	ete	1	report --calls
'

selftests/lab/root.sh run -- sh -eu -c '
	c() { gcc -static -O2 -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Iinclude -o "$bin/$1" "selftests/bench/$1.c"; }
	bin=$1
	c grow
	gcc -static -O2 -std=gnu11 -Wall -Wextra -Iinclude -Idrivers/lib -o "$bin/grow_ete" selftests/bench/grow_ete.c
	c cost
	c damaged
	gcc -static -O2 -std=gnu11 -Wall -Wextra -Iinclude -Idrivers/lib -o "$bin/mktrace" selftests/host/mktrace.c
	gcc -static -O2 -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Iinclude -o "$bin/longer" selftests/bench/longer.c \
		tools/capture/file.c tools/capture/pipe.c tools/capture/spool.c tools/capture/unpack.c tools/util.c -lzstd
	make -s -C tools STATIC=1' sh "$bin"

# CPU seconds and peak MiB of a command, the least of each
measure() {
	for _ in $(seq "$rounds"); do
		local TIMEFORMAT='%U %S'
		{ time "$bin/cost" "$@" >"$work/cost" 2>"$work/stderr"; } 2>"$work/time"
		awk '{ getline c <"'"$work/cost"'"; split(c, peak, " "); printf "%.4f %s\n", $1 + $2, peak[2] }' "$work/time"
	done | awk 'NR == 1 || $1 < s { s = $1 } NR == 1 || $2 < m { m = $2 } END { print s, m }'
}

capture() {	# WHAT N
	local maker
	case $1.$2 in
	ete.1) cp "$work/../model.data" "$work/ete.1.data" ;;
	ete.*) "$bin/longer" "$work/../model.data" "$work/$1.$2.data" "$2" ;;
	esac
	case $1 in
	rewrites|deep|recursion|contexts) maker=$bin/grow_ete ;;
	*) maker=$bin/grow ;;
	esac
	[ "$work/$1.$2.data" -nt "$maker" ] || "$maker" "$work" "$1" "$2"
}

row() {	# ROW WHAT FIRST COMMAND...
	local row=$1 what=$2 first=$3 n base figures=
	shift 3
	set -- "${@/OUT/$work/out}" --symfs "$work/symfs"
	base="0 0"
	if [ "$what" = ete ]; then
		[ -e "$work/../model.data" ] || { echo "bench growth_$row - (selftests/bench/decoders.sh ete_report makes the trace)"; return; }
		set -- "$@" --symfs "$work/../symfs"
	else
		capture "$what" 1
		base=$(measure "$v9trace" "$@" "$work/$what.1.data")
	fi
	for n in $first $((first * 10)) $((first * 100)); do
		capture "$what" "$n"
		rm -rf "$work/out"
		figures="$figures $n $(measure "$v9trace" "$@" "$work/$what.$n.data")"
		[ "$n" = "$first" ] || rm -f "$work/$what.$n.data"
	done
	echo "$base$figures" | awk -v row="$row" '{
		for (i = 3; i <= NF; i += 3) {
			us = ($(i + 1) - $1) * 1e6 / $i
			if (us < 0)
				us = 0
			text = text sprintf(" %d=%.3f,%d", $i, us, ($(i + 2) - $2) * 1048576 / $i)
			if (i > 3 && before > 0 && us / before > step)
				step = us / before
			before = us
		}
		printf "bench growth_%s%s step=%.2f goal=1.20\n", row, text, step
	}'
}

damaged() {
	mkdir -p "$work/trace"
	"$bin/mktrace" "$work/trace"
	for what in tasks turns gaps cgroups; do capture $what 50; done
	echo "bench growth_damaged runs=${DAMAGED:=10000} $("$bin/damaged" "$DAMAGED" "${SEED:-1}" "$v9trace" \
		"$work"/{tasks,turns,gaps,cgroups}.50.data "$work"/trace/{trace,both,kernel,jit,waits,packed}.data)"
}

# large NAME CAPTURE: reports the capture, repeated up to a size of $LARGE GB
large() {
	local bytes out=$work/large.data
	if [ ! -e "$2" ]; then
		echo "bench growth_$1 - (selftests/bench/decoders.sh spe_report ete_report makes the capture)"
		return
	fi
	if [ "$(df --output=avail -B1G "$work" | tail -n 1)" -lt $((${LARGE:=20} + 5)) ]; then
		echo "bench growth_$1 - (needs $((LARGE + 5)) GB of disk)"
		return
	fi
	bytes=$(stat -c %s "$2")
	trap 'rm -f "$work/large.data"' EXIT
	"$bin/longer" "$2" "$out" $((LARGE * 1000000000 / bytes + 1)) || return
	"$bin/cost" "$v9trace" report --symfs "$work/../symfs" "$out" >"$work/cost" || return
	awk -v name="$1" -v bytes="$(stat -c %s "$out")" '{
		printf "bench growth_%s bytes=%s seconds=%.1f peak=%d unit=MiB goal=256\n", name, bytes, $1, $2 }' "$work/cost"
	rm -f "$out"
}

failed=0
while read -r name what first command; do
	[ -n "$name" ] || continue
	case " ${*:-$name} " in
	*" $name "*) ;;
	*) continue ;;
	esac
	# shellcheck disable=SC2086
	row "$name" "$what" "$first" $command </dev/null || { failed=1; echo "bench growth_$name failed"; }
done <<<"$rows"
case " ${*:-damaged} " in
*' damaged '*) damaged || { failed=1; echo "bench growth_damaged failed"; } ;;
esac
case " ${*:-large_spe} " in
*' large_spe '*) large large_spe "$work/../spe4.data" || { failed=1; echo "bench growth_large_spe failed"; } ;;
esac
case " ${*:-large_ete} " in
*' large_ete '*) large large_ete "$work/../model.data" || { failed=1; echo "bench growth_large_ete failed"; } ;;
esac
case " $* " in
*' recording '*) selftests/bench/wide.sh "$work/wide" || { failed=1; echo "bench growth_recording failed"; } ;;
esac
exit $failed
