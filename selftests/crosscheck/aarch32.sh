#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Traces 32-bit programs. The instructions that v9trace decodes must equal those that the model executed. SPE and BRBE
# must record nothing, because both are prohibited in AArch32 state.
#
#   [KERNEL=6.1|6.12|7] aarch32.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
#   UNIT=speculates aarch32.sh SUITE        with a trace unit that traces speculative execution, as in trace.sh
#   PROFILE=NAME aarch32.sh SUITE           with the profile of a core without AArch32 state (trace/profiles.rst): the
#                                           kernel must execute no 32-bit program, and each test is skipped
#
# The guest boots once with our drivers. flow32.c is compiled as A32 and as T32, with Debian's compiler and C library,
# and recorded from the first instruction to the last. The decoder takes the code of the vDSO, the signal page and the
# kernel's helpers from the recording, because the program's file does not contain it. Stock perf does not know that
# code, and decodes the same instructions of the program.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin "$work/fs/v9/demo"
selftests/lab/peers.sh -t arm32 run -- sh -c '
	for set in arm thumb; do
		arm-linux-gnueabihf-gcc -O2 -Wall -Wextra -Werror -static -no-pie -march=armv8-a+simd -m$set \
			-masm-syntax-unified -o "$1/$set" selftests/crosscheck/flow32.c || exit 1
	done
	arm-linux-gnueabihf-nm -S "$1/thumb" >"$2"' sh "$work/fs/v9/demo" "$work/symbols" || exit 1
# The function that filters and triggers name. Its symbol has bit 0 set, as it is T32 code.
read -r start size _ < <(grep ' deep$' "$work/symbols")
first=$((0x$start & ~1)) end=$(((0x$start & ~1) + 0x$size))
selftests/lab/root.sh run -- sh -c '
	gcc -O2 -Wall -Wextra -Werror -o "$1/pcs" selftests/crosscheck/pcs.c &&
	make -s -C tools STATIC=1 && make -s -C tools STATIC=1 ARCH=arm64' sh "$work" || exit 1
selftests/lab/modules.sh "$KERNEL" >&2 || exit 1

# The names of the tests, in their order
tests="records arm_equals_list thumb_equals_list options_equal_list filtered_equals_list flight_is_part_of_list
	perf_decodes_the_same_arm perf_decodes_the_same_thumb filter_of_t32_filters first_instruction_is_of_the_function
	arm_executes_vdso32 arm_executes_sigpage arm_executes_vectors
	thumb_executes_vdso32 thumb_executes_sigpage thumb_executes_vectors
	trigger_of_t32_fires spe_samples_nothing brbe_records_nothing probes_are_refused"
units=v9-ete=on,v9-spe=on,v9-brbe=on
if [ -n "${PROFILE:-}" ]; then
	selftests/lab/run.sh -o "$work" -t 300 -q "v9-profile=$PROFILE,$units" -f "$work/fs/v9/demo:/v9/demo" -- '
		dmesg >/out/dmesg
		/v9/demo/arm || echo "no A32"
		/v9/demo/thumb || echo "no T32"' >"$work/stdout" 2>"$work/stderr"
	status=$?
	[ $status -eq 0 ] && ! grep -q '32-bit EL0 Support' "$work/dmesg" && grep -qx 'no A32' "$work/stdout" &&
		grep -qx 'no T32' "$work/stdout"
	check no_program_is_executed $? "status $status: $(tail -n 1 "$work/stdout")"
	for name in $tests; do
		skip "$name" "$PROFILE has no AArch32 state at EL0"
	done
	finish
fi
[ "${UNIT:-}" != speculates ] || units=$units,v9-ete-character=speculative,v9-ete-spec-rate=4,v9-ete-packets=random,v9-ete-source=on
# Each on CPU 1, so that there is one list
guest='
	set -e
	insmod /v9/modules/v9_core.ko
	insmod /v9/modules/v9_ete.ko
	insmod /v9/modules/v9_spe.ko
	insmod /v9/modules/v9_brbe.ko
	rec() {
		name=$1
		shift
		taskset 2 v9trace record -q --json=/out/$name.json -m ,8M -o /out/$name.data "$@"
	}
	rec arm -e cs_etm//u -- /v9/demo/arm
	rec thumb -e cs_etm//u -- /v9/demo/thumb
	rec options -e cs_etm/retstack,cycacc,timestamp/u -- /v9/demo/thumb
	taskset 2 perf record -q --no-buildid-mmap -e cs_etm//u --filter "filter deep @/v9/demo/thumb" -m,8M \
		-o /out/filtered.data -- /v9/demo/thumb
	rec fired -e cs_etm//u --flight --trigger "deep@/v9/demo/thumb#20" --after 2K -- /v9/demo/thumb
	rec spe -e arm_spe_0//u -c 1024 -- /v9/demo/thumb
	rec brbe -j any,u -e v9_brbe/cycles/u -c 100003 -- /v9/demo/thumb
	v9trace record -q -e cs_etm//u -o /out/no.data --flight --trigger sdt:a:b@/v9/demo/arm -- /bin/true \
		2>/out/no.probe && exit 1
	exit 0
'
selftests/lab/run.sh -o "$work" -t 900 -q "$units,v9-log=$work/model.json,v9-pclog=$work/pcs" \
	-f "$work/fs/v9/demo:/v9/demo" -f "$PWD/build/tools/arm64/v9trace:/usr/bin/v9trace" \
	-- "$guest" >"$work/stdout" 2>"$work/stderr"
status=$?
check records $status "the guest ended with status $status: $(tail -n 1 "$work/stderr")"

if [ $status -eq 0 ]; then
	v9trace=$PWD/build/tools/host/v9trace
	for session in arm thumb options filtered fired; do
		"$v9trace" script --insn --symfs "$work/fs" "$work/$session.data" 2>"$work/$session.err" |
			awk -f selftests/crosscheck/pcs.awk >"$work/$session.txt"
	done
	"$work/pcs" "$work/pcs.1" exact "$work/arm.txt" exact "$work/thumb.txt" exact "$work/options.txt" \
		exact "$work/filtered.txt" part "$work/fired.txt" >"$work/compare" 2>&1
	check_lines "$work/compare" %s arm_equals_list thumb_equals_list options_equal_list \
		filtered_equals_list flight_is_part_of_list
	# The kernel maps that code above the program.
	for session in arm thumb; do
		selftests/lab/kernel.sh run "$KERNEL" perf script --symfs "$work/fs" -i "$work/$session.data" \
			--itrace=i1i -F ip 2>"$work/perf.err" | tr -d ' ' >"$work/$session.perf"
		awk 'length($1) < 8' "$work/$session.txt" >"$work/$session.program"
		[ "$(wc -l <"$work/$session.program")" -gt 100000 ] && cmp -s "$work/$session.program" "$work/$session.perf"
		check_perf "perf_decodes_the_same_$session" $? "$(wc -l <"$work/$session.perf") instructions; $(head -n 1 "$work/perf.err")"
	done
	outside=$(sort -u "$work/filtered.txt" | while read -r pc; do
		[ $((0x$pc)) -ge $first ] && [ $((0x$pc)) -lt $end ] || echo "$pc"
	done)
	[ -s "$work/filtered.txt" ] && [ -z "$outside" ]
	check filter_of_t32_filters $? "$(echo $outside)"
	"$v9trace" script --insn --symfs "$work/fs" "$work/filtered.data" 2>/dev/null |
		grep -c " $(printf %x $first) deep+0x0 " >"$work/named"
	[ "$(cat "$work/named")" -gt 100 ]
	check first_instruction_is_of_the_function $? "$(cat "$work/named") times"
	# Each program executed code of the vDSO, of the signal page, and of the vectors page.
	for session in arm thumb; do
		"$v9trace" report --json --symfs "$work/fs" "$work/$session.data" >"$work/$session.report" 2>&1
		for place in vdso32 sigpage vectors; do
			grep -q "\[$place\]" "$work/$session.report"
			check "${session}_executes_$place" $? "not in the report"
		done
	done
	grep -q '"triggered":true' "$work/fired.json"
	check trigger_of_t32_fires $? "$(cat "$work/fired.json")"
	! grep -q '"k":"rec"' "$work/model.json"
	check spe_samples_nothing $? "$(grep -m 1 '"k":"rec"' "$work/model.json")"
	# There are samples, and no branch in them.
	! grep -q '"k":"brbe".*"captured":[1-9]' "$work/model.json" && [ "$(number brbe samples)" -gt 10 ]
	check brbe_records_nothing $? "$(number brbe samples) samples; $(grep '"k":"brbe"' "$work/model.json" | tail -n 1)"
	grep -q 'probes of 32-bit programs' "$work/no.probe"
	check probes_are_refused $? "$(cat "$work/no.probe")"
	# The names of the tests above are those in $tests.
	[ "$(sed -n 's/^\(not \)\?ok [0-9]* - \([^ ]*\).*/\2/p' "$tap" | tr '\n' ' ')" = "$(echo $tests) " ]
	check names_of_tests $? "in the file: $(grep -c . "$tap")"
fi
finish
