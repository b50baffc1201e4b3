#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Values that a program writes with TRCIT (FEAT_ITE): v9trace on its own capture and on perf's, and
# stock perf with OpenCSD, must print all values in order. Of marks (v9mark.h), v9trace must print those that the
# program logs: by TRCIT and by branches, on CPUs with and without FEAT_ITE.
# shows: ETE-R_BWHCS
#
#   [KERNEL=6.12|7] ite.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
needs_perf_for_ete
begin
selftests/lab/root.sh run -- sh -c '
	flags="-O1 -Wall -Wextra -Werror selftests/crosscheck/values.c -o"
	aarch64-linux-gnu-gcc -static $flags "$1/values" &&
	gcc $flags "$1/print" && "$1/print" print >"$1/want" &&
	for kind in "-static static" "-static-pie -fPIE pie"; do
		aarch64-linux-gnu-gcc -O2 -Wall -Wextra -Werror ${kind% *} -o "$1/marks-${kind##* }" \
			selftests/crosscheck/marks.c || exit
	done &&
	gcc -O2 -Wall -Wextra -Werror -o "$1/print" selftests/crosscheck/marks.c &&
	"$1/print" print >"$1/marks.want" &&
	make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$work" || exit 1

selftests/lab/peers.sh -t cxx run -- aarch64-linux-gnu-g++ -x c++ -O0 -Wall -Wextra -Werror -static \
	-o "$work/marks-cxx" selftests/crosscheck/marks.c || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1

# guest NAME PROPERTIES SCRIPT: /v9/demo has the programs
guest() {
	local files=() f

	for f in values marks-static marks-pie marks-cxx; do
		files+=(-f "$work/$f:/v9/demo/$f")
	done
	selftests/lab/run.sh -o "$work" -t 600 -q "v9-ete=on,$2" "${files[@]}" \
		-f "$PWD/build/tools/arm64/v9trace:/v9/v9trace" -- "$3" \
		>"$work/$1.stdout" 2>"$work/$1.stderr"
	status=$?
	check "$1" $status "the guest ended with status $status: $(tail -n 1 "$work/$1.stderr")"
}

guest records "v9-ite=on,v9-log=$work/model.json" '
	set -e
	insmod /v9/modules/v9_core.ko; insmod /v9/modules/v9_ete.ko instrumentation=1
	/v9/v9trace record -q -e cs_etm/instrumentation/u -m ,8M -o /out/any.data -- /v9/demo/values
	# perf report -D prints CPU by CPU, so the program stays on one.
	taskset 1 /v9/v9trace record -q -e cs_etm/instrumentation/u -m ,8M -o /out/ours.data -- /v9/demo/values
	for kind in static pie cxx; do
		/v9/v9trace record -q -e cs_etm/instrumentation/u -m ,8M -o /out/marks-$kind.data -- \
			/v9/demo/marks-$kind
	done
	/v9/v9trace record -q -e cs_etm//u -m ,8M -o /out/branch-static.data -- /v9/demo/marks-static
	V9TRACE_MARKS=0 /v9/v9trace record -q -e cs_etm/instrumentation/u -m ,8M -o /out/off.data -- \
		/v9/demo/marks-static
	taskset 1 perf record -q -e cs_etm/instrumentation/u -m,8M -o /out/theirs.data -- /v9/demo/values
	! perf record -q -e cs_etm/instrumentation=2/u -o /out/no.data -- true
'
guest records_without_ite v9-ite=off '
	set -e
	insmod /v9/modules/v9_core.ko; insmod /v9/modules/v9_ete.ko
	for kind in static pie cxx; do
		/v9/v9trace record -q -e cs_etm//u -m ,8M -o /out/plain-$kind.data -- /v9/demo/marks-$kind
	done
	V9TRACE_MARKS=0 /v9/v9trace record -q -e cs_etm//u -m ,8M -o /out/unmarked.data -- /v9/demo/marks-static
	! /v9/v9trace record -q -e cs_etm/instrumentation/u -o /out/no.data -- true
'

# same NAME FILE: the file has the values that the program wrote
same() {
	cmp -s "$work/want" "$2"
	check "$1" $? "$(wc -l <"$2") values, $(diff "$work/want" "$2" | head -n 2 | tail -n 1)"
}
values() {	# SESSION
	build/tools/host/v9trace script "$work/$1.data" 2>/dev/null |
		sed -n 's/.* el0 instrumentation: //p' >"$work/$1.values"
	same "v9trace_reads_$1" "$work/$1.values"
}
values any
for session in ours theirs; do
	values $session
	selftests/lab/kernel.sh run "$KERNEL" perf report -D -i "$work/$session.data" 2>/dev/null |
		sed -n 's/.*I_ITE .*EL0; Payload=\(0x[0-9a-f]*\).*/\1/p' >"$work/$session.perf"
	same "perf_reads_$session" "$work/$session.perf"
done

# Marks have the texts of the program, wherever it was loaded. A number that an interrupt cuts is counted.
fs=$work/fs
mkdir -p "$fs/v9/demo"
cp "$work"/marks-static "$work"/marks-pie "$work"/marks-cxx "$fs/v9/demo"
for name in marks-static marks-pie marks-cxx branch-static plain-static plain-pie plain-cxx; do
	build/tools/host/v9trace script --symfs "$fs" "$work/$name.data" 2>/dev/null |
		sed -n 's/.* el0 mark: //p' >"$work/$name.got"
	awk 'NR == FNR { got[FNR] = $0; next } got[FNR] == "id [cut]" && /^id/ { print "id [cut]"; next } 1' \
		"$work/$name.got" "$work/marks.want" | cmp -s - "$work/$name.got"
	check "marks_of_$name" $? "$(wc -l <"$work/$name.got") marks, $(diff "$work/marks.want" "$work/$name.got" | head -n 2 | tail -n 1)"
	cut=$(grep -c '^id \[cut\]' "$work/$name.got")
	build/tools/host/v9trace report --symfs "$fs" "$work/$name.data" >"$work/$name.report" 2>&1
	told=$(awk '/numbers of marks that are cut/ { n = $1 } END { print n + 0 }' "$work/$name.report")
	[ "$cut" -lt 50 ] && [ "$told" = "$cut" ] && { [ "${name%-*}" != marks ] || [ "$cut" = 0 ]; }
	check "numbers_of_$name" $? "$cut of 100 are cut, the report says $told"
	[ "$(awk '$NF == "request" || $0 ~ /parse one$/ { n += $4 } $NF == "third" { p = $6 } END { print n, p }' "$work/$name.report")" = "100 16" ]
	check "phases_of_$name" $? "$(grep -A 4 '^Marks' "$work/$name.report" | tail -n 3 | tr '\n' '|')"
done
for name in unmarked off; do
	build/tools/host/v9trace script --symfs "$fs" "$work/$name.data" >"$work/$name.out" 2>/dev/null
	! grep -q 'mark:\|instrumentation:' "$work/$name.out" && [ -s "$work/$name.out" ]
	check "no_marks_in_$name" $? "$(grep -m 1 'mark:' "$work/$name.out")"
done
finish
