#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The commands of Arm's published tutorials that need the drivers and stock tools alone, with the
# in-tree drivers, then with ours: layout of a program by its trace, by a strobed trace and by SPE
# (perf, perf2bolt, llvm-bolt), cache lines that two threads share (perf c2c), and the look whether
# SPE is there.
#
#   [KERNEL=6.12|7] tutorials.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#
# One boot records; what the tutorials do with the files is done here, by the perf of kernel 7 and
# LLVM's BOLT, of Debian's newest suite. CPUs are Neoverse V2 as far as perf sees, or it knows no
# data sources.
# Differences from the tutorials: programs are linked statically (this perf and its OpenCSD take
# zeros for some code of libc.so, in both drivers' traces, and perf2bolt stops at what they print),
# and a strobed program runs longer, so that some windows fall into it.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
needs_perf_for_ete
begin "$work/bin"

selftests/lab/root.sh run -- sh -ec '
	for p in bsort false_sharing; do
		aarch64-linux-gnu-gcc -O2 -g -Wall -Wextra -Werror -static -Wl,--emit-relocs \
			-o "$1/$p" selftests/crosscheck/$p.c
	done' sh "$work/bin" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1
selftests/lab/peers.sh -t bolt >&2 || exit 1
# Branch stacks from SPE, and the event's name without its number
spe=$([ "$KERNEL" = 7 ] && echo yes || :)
image=$(selftests/lab/kernel.sh image "$KERNEL") || exit 1

guest='
	cd /v9/demo
	rec() {
		name=$1
		shift
		perf "$@" >$to/$name.output 2>&1 || echo "$name: status $?" >>$to/failed
	}
	tutorials() {
		to=/out/$1
		: >$to/failed
		perf list 2>/dev/null | grep cs_etm >$to/list
		rec etm record -e cs_etm//u -o $to/etm.data -- ./bsort
		rec echo record -e cs_etm/autofdo/u -o $to/echo.data -- busybox echo
		rec strobe record -e cs_etm/autofdo/u -o $to/strobe.data -- ./bsort 2500
		[ -z "$spe" ] || rec spe record -e arm_spe/branch_filter=1/u -o $to/spe.data -- ./bsort
		rec c2c c2c record -g -o $to/c2c.data ./false_sharing 1
		# The output without link addresses
		ls -d /sys/devices/arm_spe_0 >$to/there 2>&1
		(cd /sys/bus/event_source/devices/arm_spe_0 && ls; ls -d caps/* format/*) >$to/files
	}
	/usr/sbin/modinfo arm_spe_pmu >/out/modinfo 2>&1
	modprobe arm_spe_pmu
	modprobe coresight-etm4x
	modprobe coresight-trbe
	tutorials theirs
	rmmod arm_spe_pmu coresight_trbe coresight_etm4x
	rmmod coresight
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_spe.ko
	insmod /v9/modules/v9_ete.ko
	tutorials ours
	cp -r /root/.debug /out/debug
'

# of one driver, here
here='
	out=$1 bin=$2 who=$3 spe=$4
	export HOME=$out PATH=$out/bin:/usr/lib/llvm-22/bin:$PATH
	cd "$bin"
	to=$out/$who
	layout() {
		name=$1
		shift
		perf2bolt -p "$to/$name.data" -o "$to/$name.fdata" "$@" >"$to/$name.perf2bolt" 2>&1
		llvm-bolt ./bsort -o "$to/bsort.$name" --data "$to/$name.fdata" -reorder-blocks=ext-tsp \
			-reorder-functions=cdsort -split-functions --dyno-stats >"$to/$name.bolt" 2>&1
	}
	layout etm --itrace=l64i1us ./bsort
	layout strobe --itrace=l64i1us ./bsort
	[ -z "$spe" ] || layout spe ./bsort --spe
	perf report -D -i "$to/echo.data" 2>/dev/null | grep "CoreSight ET[EM]" >"$to/echo.dump"
	perf evlist -i "$to/c2c.data" >"$to/c2c.events"
	perf annotate -i "$to/c2c.data" --stdio count_first >"$to/c2c.annotate" 2>/dev/null
	perf c2c report -i "$to/c2c.data" --stdio >"$to/c2c.report" 2>/dev/null
	perf c2c report -i "$to/c2c.data" --stats >"$to/c2c.stats" 2>/dev/null
	perf c2c report -i "$to/c2c.data" --stdio --show-all >"$to/c2c.all" 2>/dev/null
'

out=$work/out
mkdir -p "$out/theirs" "$out/ours" "$out/bin"
selftests/lab/run.sh -o "$out" -t 900 -q "v9-profile=neoverse-v2,v9-strict=log,v9-log=$out/model.json" \
	-f "$work/bin/bsort:/v9/demo/bsort" -f "$work/bin/false_sharing:/v9/demo/false_sharing" \
	-- "mkdir /out/theirs /out/ours; spe=$spe; $guest" >"$out/stdout" 2>"$out/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$out/stderr")"
[ $status -eq 0 ] || finish
for tool in addr2line objdump; do ln -s "/usr/bin/aarch64-linux-gnu-$tool" "$out/bin/$tool"; done
cp -r "$out/debug" "$out/.debug"
for who in theirs ours; do
	selftests/lab/peers.sh -t bolt run -- sh -c "$here" sh "$out" "$work/bin" $who "$spe" 2>"$out/$who/stderr"
done

# both CHECK WHAT COMMAND...: the command succeeds for the recording of each driver; $who is the
# driver
both() {
	name=$1
	shift
	for who in theirs ours; do
		to=$out/$who
		"$@" >"$to/why" 2>&1
		check "${name}_$who" $? "$(tail -n 1 "$to/why")"
	done
}

all_recorded() { cat "$to/failed"; [ ! -s "$to/failed" ]; }
both every_command_records all_recorded

listed() { grep -q '^ *cs_etm// ' "$to/list" && grep -q '^ *cs_etm/autofdo/ ' "$to/list"; }
both perf_lists_events listed

# bolted NAME STACKS: perf2bolt read at least that many entries of branch stacks, at most one in a
# thousand contradicts the code, and the new layout has fewer jumps.
bolted() {
	awk -v least="$2" '
		/read .* samples and .* brstack entries/ { entries = $(NF - 2) }
		/traces mismatching disassembled function contents/ {
			seen = 1
			wrong = $0
			sub(/.*contents: /, "", wrong)
			wrong += 0
		}
		/ taken branches/ { taken[n++] = $1 }
		END {
			printf "%d entries, %d wrong, %d branches taken, then %d\n", entries, wrong, taken[0], taken[1]
			exit !(seen && entries >= least && wrong * 1000 <= entries && n == 2 &&
			       taken[0] > 50 && taken[1] < taken[0] * 0.86)
		}' "$to/$1.perf2bolt" "$to/$1.bolt"
}
both layout_by_trace bolted etm 100000
both layout_by_strobing bolted strobe 500
[ -z "$spe" ] || both layout_by_spe bolted spe 1000

# The improvement by llvm-bolt is the same for both profiles, within the variation of runs.
gains() {
	for who in theirs ours; do
		sed -n 's/.*taken branches (-\([0-9.]*\)%).*/\1/p' "$out/$who/$1.bolt" | head -n 1
	done | tr '\n' ' ' | awk -v most="$2" '
		{ d = $1 - $2; print "gain " $1 " %, ours " $2 " %"; exit !(NF == 2 && d <= most) }'
}
why=$(gains etm 2)
check same_gain_by_trace $? "$why"

# Kilobytes, whereas the whole trace has megabytes
strobed() {
	set -- "$(stat -c %s "$to/echo.data")" "$(wc -l <"$to/echo.dump")"
	echo "$1 bytes, $2 buffers"
	[ "$1" -lt 65536 ] && [ "$2" -ge 1 ]
}
both strobed_file_is_small strobed

event='arm_spe_0/ts_enable=1,pa_enable=1,load_filter=1,store_filter=1,min_latency=30/'
c2c_event() { head -n 1 "$to/c2c.events"; grep -qxF "$event" "$to/c2c.events"; }
both c2c_event_has_its_name c2c_event
sorted_on() { grep 'sort on' "$to/c2c.report"; grep -qE 'Cachelines sort on +: Peer Snoop$' "$to/c2c.report"; }
both c2c_sorts_on_peer_snoop sorted_on

# The hottest line is that of the two counters, at offsets 0 and 8, by their two source lines.
shared_line() {
	first=$(grep -n 'the first \*/' selftests/crosscheck/false_sharing.c | cut -d : -f 1)
	second=$(grep -n 'the second \*/' selftests/crosscheck/false_sharing.c | cut -d : -f 1)
	at=$(selftests/lab/root.sh run -- aarch64-linux-gnu-nm "$work/bin/false_sharing" |
		sed -n 's/^0*\([0-9a-f]*\) b shared$/0x\1/p')
	awk -v at="$at" -v first="false_sharing.c:$first" -v second="false_sharing.c:$second" '
		/Shared Cache Line Distribution Pareto/ { on = 1 }
		on && $1 == "0" && $NF == at { line = 1; next }
		line && /-----/ { if (rows++) exit }
		line && / 0x0 / && index($0, first " ") { a = 1 }
		line && / 0x8 / && index($0, second " ") { b = 1 }
		END { print "line " at ": " line + 0 ", its lines of code: " a + 0 b + 0; exit !(a && b) }
	' "$to/c2c.report"
# Loads, and none that perf could not classify
}
both c2c_finds_the_shared_line shared_line
# Loads, and none that perf could not sort
counted() {
	awk -F : '/Load Operations/ { n = $2 } /Load HIT Local Peer/ { p = $2 } /Unable to parse/ { u = $2 }
		END { print n + 0 " loads, " p + 0 " from peers, " u + 0 " unknown"; exit !(n > 100 && p > 10 && u == 0) }
	' "$to/c2c.stats"
}
both c2c_counts_loads counted
# --show-all also prints the kernel's lines.
all_lines() { wc -l <"$to/c2c.all"; [ "$(wc -l <"$to/c2c.all")" -gt $(($(wc -l <"$to/c2c.report") + 100)) ]; }
both c2c_shows_all all_lines
annotated() { head -n 3 "$to/c2c.annotate"; grep -q 'the first' "$to/c2c.annotate"; }
both annotate_shows_source annotated

grep -q '^CONFIG_ARM_SPE_PMU=m$' "$image/config" && grep -q '^filename:.*arm_spe_pmu' "$out/modinfo"
check kernel_has_the_module $? "$(head -n 1 "$out/modinfo")"
cmp -s "$out/theirs/there" "$out/ours/there"
check spe_is_in_the_same_place $? "$(cat "$out/theirs/there" "$out/ours/there" | tr '\n' ' ')"
# Ours may have more.
missing=$(sort "$out/ours/files" | comm -13 - <(sort "$out/theirs/files") | tr '\n' ' ')
grep -qx 'format/branch_filter' "$out/theirs/files" && [ -z "$missing" ]
check spe_has_the_same_files $? "missing: $missing"

# The times show whose message it is: our module was loaded last.
grep '"k":"violation"' "$out/model.json" >"$out/violations"
[ ! -s "$out/violations" ]
check no_rule_broken $? "$(wc -l <"$out/violations") violations: $(head -n 1 "$out/violations")"

finish
