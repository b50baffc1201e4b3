#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What a session with both units costs, beside a session of each unit alone. An instruction of the guest takes 1 ns
# (-icount), and instructions are counted. Five runs. SWITCHES=N: the kernel switches to
# each of two tasks N times (10,000).
#
# joint_insns_per_switch        two tasks pass a byte back and forth; kernel instructions per switch. The floor is what
#                               perf takes for an event of a PMU that does nothing (baseline one)
# joint_own_insns_per_switch    the same without perf's part, which is larger with two PMUs (baseline two) than with one:
#                               that of PMUs that only open and close AUX transactions (selftests/target/module/baseline.c)
# joint_collect_insns_per_mib   v9trace record of a program; its instructions and the kernel's for each MiB of both
#                               units. The floor is a session that records next to nothing for the same time
#
# The peer of each is SPE's and ETE's together, less the floor, which a joint session needs only once.
#
#	joint.sh DIRECTORY	writes the output of the guest to DIRECTORY; bench-drivers.sh calls it after it has built
#				modules and programs
set -eu
cd "$(dirname "$0")/../.."
out=$1
export KERNEL=${KERNEL:-6.12}
mkdir -p "$out"
selftests/lab/lab.sh tools >&2

guest='
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko && insmod /v9/modules/v9_ete.ko &&
		insmod /v9/modules/selftest/v9_baseline.ko || exit 1
	switches='"${SWITCHES:-10000}"' drivers=/v9/selftests/bench_drivers collect=/v9/selftests/bench_collect
	ete=cs_etm/timestamp,cycacc/u spe=arm_spe_0/period=1024/u few=arm_spe_0/period=16777215/u
	record() {	# WHO ROUNDS EVENT...
		who=$1 n=$2
		shift 2
		rm -f /tmp/data*
		counted=$($collect count v9trace record -q "$@" -o /tmp/data -- $collect busy 1 $n 2>&1)
		of_spe=aux=0
		[ ! -e /tmp/data.spe ] || of_spe=$($collect aux /tmp/data.spe)
		echo "record=$who busy=$n $counted $($collect aux /tmp/data) more=${of_spe#aux=}"
	}
	for run in 1 2 3 4 5; do
		for pmu in v9_baseline_none v9_baseline_aux v9_baseline_data v9_baseline_aux,v9_baseline_data \
				arm_spe_0 cs_etm arm_spe_0,cs_etm; do
			echo "side=$pmu $($drivers $pmu 1 switch $switches 2>&1)"
		done
		for n in 4000000 12000000; do
			record few $n -e $few
			record spe $n -e $spe
			record ete $n -e $ete
			record both $n -e $spe -e $ete
		done
	done
'
selftests/lab/run.sh -o "$out" -t "${TIMEOUT:-3600}" -x "-icount shift=0,sleep=off" \
	-q "v9-spe=on,v9-ete=on" -- "$guest" >"$out/output.joint"
grep -E '^(record|side)=' "$out/output.joint" >"$out/joint"
! grep '^record=' "$out/joint" | grep -v 'status=0 user=.* kernel=.* aux=' >&2 || exit 1
! grep '^record=both' "$out/joint" | grep -v ' more=[1-9]' >&2 || exit 1
! grep '^side=' "$out/joint" | grep -v ' base=.* traced=' >&2 || exit 1
! grep '^side=' "$out/joint" | grep ' flags[0-9]=0x[0-9a-f]*1 ' >&2 || exit 1	# PERF_AUX_FLAG_TRUNCATED
[ "$(grep -c '^side=' "$out/joint")" = 35 ] && [ "$(grep -c '^record=' "$out/joint")" = 40 ] || {
	echo "bench joint: a run is missing: $out/joint" >&2
	exit 1
}

awk "$(cat selftests/bench/rows.awk)"'
/^side=/ {
	who = field("side")
	cost[who, ++runs[who]] = per(field("traced") - field("base"), field("switches"))
}
/^record=/ {
	who = field("record")
	n = ++times[who, field("busy")]
	insns[who, field("busy"), n] = field("user") + field("kernel")
	aux[who, field("busy"), n] = field("aux") + field("more")
}
function more_insns(who, i) { return insns[who, 12000000, i] - insns[who, 4000000, i] }
function more_mib(who, i) { return (aux[who, 12000000, i] - aux[who, 4000000, i]) / 1048576 }
END {
	for (i = 1; i <= 5; i++) {
		spe = cost["arm_spe_0", i]; ete = cost["cs_etm", i]; both = cost["arm_spe_0,cs_etm", i]
		one = cost["v9_baseline_none", i]; two = cost["v9_baseline_aux,v9_baseline_data", i]
		ones = ones " " one
		twos = twos " " two
		auxs = auxs " " cost["v9_baseline_aux", i]
		datas = datas " " cost["v9_baseline_data", i]
		ours = ours " " both
		peer = peer " " (spe + ete - one)
		ours_own = ours_own " " (both - two)
		peer_own = peer_own " " (spe - cost["v9_baseline_aux", i] + ete - cost["v9_baseline_data", i])
		ours_mib = ours_mib " " per(more_insns("both", i), more_mib("both", i))
		peer_mib = peer_mib " " per(more_insns("spe", i) + more_insns("ete", i) - more_insns("few", i),
					    more_mib("spe", i) + more_mib("ete", i))
	}
	printf "baseline one_insns_per_switch=%s aux=%s data=%s two=%s\n", spread(ones), spread(auxs), spread(datas),
	       spread(twos)
	row_of("joint_insns_per_switch", spread(ours), spread(peer), "<=1")
	row_of("joint_own_insns_per_switch", spread(ours_own), spread(peer_own), "<=1")
	row_of("joint_collect_insns_per_mib", spread(ours_mib), spread(peer_mib), "<=1")
}' "$out/joint"
