#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Values that a program writes with TRCIT (FEAT_ITE): v9trace on its own capture and on perf's, and
# stock perf with OpenCSD, must print all values in order.
# shows: ETE-R_BWHCS
#
#	ite.sh SUITE	writes build/results/SUITE.tap; KERNEL=6.12|7
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
needs_perf_for_ete
begin
selftests/lab/root.sh run -- sh -c '
	flags="-O1 -Wall -Wextra -Werror selftests/crosscheck/values.c -o"
	aarch64-linux-gnu-gcc -static $flags "$1/values" &&
	gcc $flags "$1/print" && "$1/print" print >"$1/want" &&
	make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$work" || exit 1

selftests/lab/run.sh -o "$work" -t 600 -q "v9-ete=on,v9-ite=on,v9-log=$work/model.json" \
	-f "$work/values:/v9/demo/values" -f "$PWD/build/tools/arm64/v9trace:/v9/v9trace" -- '
	set -e
	insmod /v9/modules/v9_core.ko; insmod /v9/modules/v9_ete.ko instrumentation=1
	/v9/v9trace record -q -e cs_etm/instrumentation/u -m ,8M -o /out/ours.data -- /v9/demo/values
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
echo "1..$n" >>"$tap"
exit $failed
