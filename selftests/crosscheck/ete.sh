#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Two cross-checks for ETE and TRBE: the model's own list of traced instructions against what
# OpenCSD, in stock perf, makes of the trace.
#
#   [KERNEL=6.12|7] ete.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#   BOOTS=vhe ete.sh SUITE          boots the kernel at EL2 only; BOOTS=others: the others (ete_others.tap)
#
# Four boots with Debian's own coresight, coresight-etm4x and coresight-trbe: the kernel at EL2 (a
# VHE host), at EL1 without EL2, at EL1 below its own hypervisor, and below an EL3. In each, stock perf records the user instructions
# of a real program, and of one that goes every way a program can go (flow.c), with a buffer
# large enough; each instruction decoded must be the one that the model traced, and none may be
# missing. A last session has a buffer so small that it fills many times: what is decoded then
# must be what remains of the list when parts of it are lost.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
zstd=$(selftests/lab/workload.sh) || exit 1
needs_perf_for_ete
begin "$work/bin"

selftests/lab/root.sh run -- sh -c '
	aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -march=armv8.3-a \
		-mbranch-protection=pac-ret -o "$1/bin/flow" selftests/crosscheck/flow.c &&
	gcc -O2 -Wall -Wextra -Werror -o "$1/pcs" selftests/crosscheck/pcs.c &&
	for p in auxcat ete; do
		[ $p = ete ] && code="flow fast block ete a64 mark image ete_pkt ete_runs" || code=
		gcc -static -O2 -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -Iinclude -o "$1/$p" selftests/bench/$p.c \
			${code:+$(printf "tools/lib/%s.c " $code) tools/util.c} || exit 1
	done
	make -s -C tools STATIC=1' sh "$work" || exit 1
selftests/lab/peers.sh run -- gcc -O2 -Wall -Wextra -o "$work/opencsd" selftests/bench/opencsd.c \
	-lopencsd_c_api -lopencsd || exit 1
cp "$zstd" "$work/bin/zstd"

# One CPU, so that there is one list. perf is pinned to it and not the program: what ran before the
# program would be traced, too. perf stores a copy of all executed files; of the vDSO newer versions
# do so only with --no-buildid-mmap.
guest='
	set -e
	modprobe coresight-etm4x
	modprobe coresight-trbe
	head -c 12000 /usr/bin/perf >/tmp/data
	rec() {
		name=$1 size=$2
		shift 2
		taskset 2 perf record -q --no-buildid-mmap -e cs_etm//u -m,$size -o /out/$name.data -- "$@"
	}
	rec zstd 8M /v9/demo/zstd -q -3 -f -o /tmp/data.zst /tmp/data
	rec flow 8M /v9/demo/flow
	rec small 16K /v9/demo/flow
	cp -r /root/.debug /out/debug
'

# The counters of the unit agree with each other and with its log.
counters() {	# LOG
	awk '
	function key(k) {
		if (!match($0, "\"" k "\":[0-9]+")) { print k " is missing"; bad = 1; return 0 }
		return substr($0, RSTART + length(k) + 3, RLENGTH - length(k) - 3) + 0
	}
	function equal(what, a, b) { if (a != b) { print what ": " a " and " b; bad = 1 } }
	/"k":"trbe_event"/ { events[key("cpu")]++ }
	/"k":"ete"/ {
		equal("bytes made, gone somewhere", key("bytes"),
		      key("accepted") + key("off") + key("stopped") + key("lost"))
		equal("bytes accepted, written or lost", key("accepted"), key("written") + key("fault"))
		equal("management events, logged", key("events"), events[key("cpu")] + 0)
		total += key("written")
	}
	END { if (!total) { print "nothing was written"; bad = 1 } exit bad }' "$1"
}

# The ranges of instructions of the program, by OpenCSD without perf and by ours: their number and a hash over all
ranges() {	# SESSION PROGRAM
	"$work/auxcat" "$out/$1.data" "$work/bin/$2" "$out/$1.ete" >"$out/$1.spec"
	"$work/ete" hash "$out/$1.spec" | cut -d ' ' -f 2,4- >"$out/$1.ranges"
	selftests/lab/peers.sh run -- "$work/opencsd" hash "$out/$1.spec" | cut -d ' ' -f 2,4- >"$out/$1.opencsd"
	[ "$(cut -d ' ' -f 2 "$out/$1.ranges")" -gt 1000 ] && cmp -s "$out/$1.ranges" "$out/$1.opencsd"
	check "${mode}_${1}_as_opencsd" $? "$(cat "$out/$1.ranges"), not $(cat "$out/$1.opencsd")"
}

crosscheck() {	# MODE OPTIONS-OF-RUN...
	mode=$1
	shift
	out=$work/$mode
	mkdir -p "$out"
	selftests/lab/run.sh -o "$out" -t 900 -q "v9-ete=on,v9-log=$out/model.json,v9-pclog=$out/pcs" \
		"$@" -f "$work/bin/zstd:/v9/demo/zstd" \
		-f "$work/bin/flow:/v9/demo/flow" -- "$guest" >"$out/stdout" 2>"$out/stderr"
	status=$?
	check "${mode}_records" $status "the guest ended with status $status: $(tail -n 1 "$out/stderr")"
	[ $status -eq 0 ] || return

	for session in zstd flow small; do
		selftests/lab/kernel.sh run "$KERNEL" perf --buildid-dir "$out/debug" script \
			-i "$out/$session.data" --itrace=i1i -F ip >"$out/$session.txt" 2>"$out/$session.err"
	done
	"$work/pcs" "$out/pcs.1" exact "$out/zstd.txt" exact "$out/flow.txt" part "$out/small.txt" \
		>"$out/compare" 2>&1
	by=check_perf
	check_lines "$out/compare" "${mode}_%s" zstd_equals_list flow_equals_list small_is_part_of_list

	for session in zstd flow small; do
		decode_ours "$out" $session
	done
	"$work/pcs" "$out/pcs.1" exact "$out/zstd.ours" exact "$out/flow.ours" part "$out/small.ours" \
		>"$out/compare.ours" 2>&1
	by=check
	check_lines "$out/compare.ours" "${mode}_%s" zstd_of_ours flow_of_ours small_of_ours
	ranges zstd zstd
	ranges flow flow
	grep -q '"k":"trbe_event"' "$out/model.json"
	check "${mode}_buffer_filled" $? "no management event: the small buffer never filled"
	counters "$out/model.json" >"$out/counters"
	check "${mode}_counters_agree" $? "$(head -n 1 "$out/counters")"
}

[ "${BOOTS:-vhe}" != vhe ] || crosscheck vhe
if [ "${BOOTS:-others}" = others ]; then
	crosscheck el1 -m virtualization=off
	crosscheck nvhe -a kvm-arm.mode=nvhe
	crosscheck el3 -m secure=on
fi
finish
