#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Values that a program writes with TRCIT (FEAT_ITE): v9trace on its own capture and on perf's, and
# stock perf with OpenCSD, must print all values in order.
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

selftests/lab/run.sh -o "$work" -t 600 -q "v9-ete=on,v9-ite=on,v9-log=$work/model.json" \
	-f "$work/values:/v9/demo/values" -f "$work/marks-static:/v9/demo/marks-static" \
	-f "$work/marks-pie:/v9/demo/marks-pie" -f "$PWD/build/tools/arm64/v9trace:/v9/v9trace" -- '
	set -e
	insmod /v9/modules/v9_core.ko; insmod /v9/modules/v9_ete.ko instrumentation=1
	/v9/v9trace record -q -e cs_etm/instrumentation/u -m ,8M -o /out/ours.data -- /v9/demo/values
	for kind in static pie; do
		/v9/v9trace record -q -e cs_etm/instrumentation/u -m ,8M -o /out/marks-$kind.data -- \
			/v9/demo/marks-$kind
	done
	/v9/v9trace record -q -e cs_etm//u -m ,8M -o /out/unmarked.data -- /v9/demo/marks-static
	perf record -q -e cs_etm/instrumentation/u -m,8M -o /out/theirs.data -- /v9/demo/values
	! perf record -q -e cs_etm/instrumentation=2/u -o /out/no.data -- true
' >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"

# same NAME FILE: the file has the values that the program wrote
same() {
	cmp -s "$work/want" "$2"
	check "$1" $? "$(wc -l <"$2") values, $(diff "$work/want" "$2" | head -n 2 | tail -n 1)"
}
for session in ours theirs; do
	build/tools/host/v9trace script "$work/$session.data" 2>/dev/null |
		sed -n 's/.* el0 instrumentation: //p' >"$work/$session.values"
	same "v9trace_reads_$session" "$work/$session.values"
	selftests/lab/kernel.sh run "$KERNEL" perf report -D -i "$work/$session.data" 2>/dev/null |
		sed -n 's/.*I_ITE .*EL0; Payload=\(0x[0-9a-f]*\).*/\1/p' >"$work/$session.perf"
	same "perf_reads_$session" "$work/$session.perf"
done

# Marks have the texts of the program, wherever it was loaded.
fs=$work/fs
mkdir -p "$fs/v9/demo"
cp "$work"/marks-static "$work"/marks-pie "$fs/v9/demo"
for kind in static pie; do
	build/tools/host/v9trace script --symfs "$fs" "$work/marks-$kind.data" 2>/dev/null |
		sed -n 's/.* el0 mark: //p' >"$work/$kind.got"
	cmp -s "$work/marks.want" "$work/$kind.got"
	check "marks_of_${kind}_program" $? "$(wc -l <"$work/$kind.got") marks, $(diff "$work/marks.want" "$work/$kind.got" | head -n 2 | tail -n 1)"
	build/tools/host/v9trace report --symfs "$fs" "$work/marks-$kind.data" >"$work/$kind.report" 2>&1
	[ "$(awk '$NF == "request" || $0 ~ /parse one$/ { n += $4 } $NF == "third" { p = $6 } END { print n, p }' "$work/$kind.report")" = "100 16" ]
	check "phases_of_${kind}_program" $? "$(grep -A 4 '^Marks' "$work/$kind.report" | tail -n 3 | tr '\n' '|')"
done
build/tools/host/v9trace script --symfs "$fs" "$work/unmarked.data" >"$work/unmarked" 2>/dev/null
! grep -q 'mark:\|instrumentation:' "$work/unmarked" && [ -s "$work/unmarked" ]
check no_marks_without_the_option $? "$(grep -m 1 'mark:' "$work/unmarked")"
finish
