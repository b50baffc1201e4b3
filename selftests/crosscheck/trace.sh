#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9trace and stock perf on instruction traces, each on what the other wrote: every instruction
# that either decodes is the one that the model traced, and none is missing.
#
#   [KERNEL=6.12|7] trace.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#   UNIT=speculates trace.sh SUITE    the trace unit sees speculative execution (speculation.tap), and chooses
#                                     among packets that say the same, Source Address elements, markers, and
#                                     late Timestamp elements
#
# One boot with Debian's own coresight modules. flow.c is recorded by v9trace and by perf, and by
# perf once more with a buffer that fills many times: there, what is decoded must be a part of
# the list. Reports of the first two must have nothing to say under "Lost". Where the unit speculates,
# perf records once more, with cycle counts and the return stack, which OpenCSD 1.5.5 does not decode there
# (its issues 74 and 75): only v9trace reads that.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
needs_perf_for_ete
begin
units=v9-ete=on options=
if [ "${UNIT:-}" = speculates ]; then
	units=$units,v9-ete-character=speculative,v9-ete-spec-rate=4,v9-ete-packets=random,v9-ete-source=on
	units=$units,v9-ete-tsmark=on,v9-ete-late=on options=cycacc,retstack
fi

selftests/lab/root.sh run -- sh -c '
	aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror -static -march=armv8.3-a \
		-mbranch-protection=pac-ret -o "$1/flow" selftests/crosscheck/flow.c &&
	gcc -O2 -Wall -Wextra -Werror -o "$1/pcs" selftests/crosscheck/pcs.c &&
	make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$work" || exit 1

# perf stores a copy of all executed files, v9trace does not: both read the same program.
guest='
	set -e
	modprobe coresight-etm4x
	modprobe coresight-trbe
	taskset 2 /v9/v9trace record -q -e cs_etm//u -m ,8M -o /out/ours.data -- /v9/demo/flow
	taskset 2 perf record -q --no-buildid-mmap -e cs_etm//u -m,8M -o /out/theirs.data -- /v9/demo/flow
	[ -z "$options" ] || taskset 2 perf record -q --no-buildid-mmap -e cs_etm/$options/u -m,8M \
		-o /out/options.data -- /v9/demo/flow
	taskset 2 perf record -q --no-buildid-mmap -e cs_etm//u -m,16K -o /out/small.data -- /v9/demo/flow
	cp -r /root/.debug /out/debug
'
selftests/lab/run.sh -o "$work" -t 900 -q "$units,v9-log=$work/model.json,v9-pclog=$work/pcs" \
	-f "$work/flow:/v9/demo/flow" -f "$PWD/build/tools/arm64/v9trace:/v9/v9trace" \
	-- "options=$options; $guest" >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"

if [ $status -eq 0 ]; then
	v9trace=$PWD/build/tools/host/v9trace
	mkdir -p "$work/home" "$work/none"
	ln -s "$work/debug" "$work/home/.debug"
	for session in ours theirs ${options:+options} small; do
		# symfs is empty, so that no file of this machine is used instead of the guest's.
		HOME=$work/home "$v9trace" script --insn --symfs "$work/none" "$work/$session.data" \
			2>"$work/$session.err" |
			awk -f selftests/crosscheck/pcs.awk >"$work/$session.txt"
	done
	"$work/pcs" "$work/pcs.1" exact "$work/ours.txt" exact "$work/theirs.txt" \
		${options:+exact "$work/options.txt"} part "$work/small.txt" >"$work/compare" 2>&1
	check_lines "$work/compare" %s ours_equals_list theirs_equals_list ${options:+options_equal_list} \
		small_is_part_of_list
	if [ -n "$options" ]; then
		kinds=$(grep -oE '"(commit|cancel|mispredict|source|marker)":[1-9]' "$work/model.json" |
			cut -d: -f1 | sort -u | wc -l)
		[ "$kinds" = 5 ]
		check unit_speculates $? "the model made $kinds of 5 kinds of packets"
	fi
	selftests/lab/kernel.sh run "$KERNEL" perf --buildid-dir "$work/debug" script \
		-i "$work/ours.data" --itrace=i1i -F ip 2>"$work/perf.err" | tr -d ' ' >"$work/perf.txt"
	what="$(wc -l <"$work/perf.txt") instructions; $(head -n 1 "$work/perf.err")"
	if [ -z "$options" ]; then
		[ -s "$work/perf.txt" ] && cmp -s "$work/perf.txt" "$work/ours.txt"
		check perf_decodes_the_same $? "$what"
	else
		# At the end of a piece of trace OpenCSD can leave out what the last Commit resolves.
		diff "$work/ours.txt" "$work/perf.txt" >"$work/diff"
		! grep -q '^>' "$work/diff" &&
			[ $(($(grep -c '^<' "$work/diff") * 1000)) -lt "$(wc -l <"$work/perf.txt")" ]
		check perf_decodes_nearly_all $? "$what"
	fi
	for session in ours theirs; do
		HOME=$work/home "$v9trace" report --symfs "$work/none" "$work/$session.data" \
			>"$work/$session.report" 2>&1
		grep -q 'nothing: no truncation' "$work/$session.report"
		check ${session}_lost_nothing $? "$(sed -n 2p "$work/$session.report")"
	done
fi
finish
