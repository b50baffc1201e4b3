#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Part of bench-drivers.sh: what branch records cost with v9_brbe on Linux 6.12, and with the kernel's own
# driver on 7. The cost is the difference to the same work on that kernel without a session.
#
#	branches.sh DIR ROUNDS
set -eu
cd "$(dirname "$0")/../.."
out=$1 rounds=$2
mkdir -p "$out"
selftests/lab/root.sh run -- make -s -C selftests/target bench
selftests/lab/modules.sh 6.12 >&2

side() {	# SIDE KERNEL COMMANDS
	KERNEL=$2 selftests/lab/run.sh -o "$out/brbe_$1" -t "${TIMEOUT:-3600}" -x "-icount shift=0,sleep=off" \
		-q v9-brbe=on -f build/selftests/platform/brbe_bench:/v9/selftests/brbe_bench -- "
		$3
		/v9/selftests/brbe_bench 1 switch $rounds
		/v9/selftests/brbe_bench 1 sample 300" | sed -n "s/^[a-z]* traced=/side=$1 &/p"
}
{
	side ours 6.12 'insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_brbe.ko'
	side peer 7 :
} | awk "$(cat selftests/bench/rows.awk)"'
{
	job = $2
	cost[field("side"), job] = per(field("traced") - field("base"), field("n"))
	n[job]++
}
END {
	if (n["switch"] != 2 || n["sample"] != 2)
		exit 1
	row("brbe_insns_per_switch", cost["ours", "switch"], cost["peer", "switch"], "<=1")
	row("brbe_insns_per_sample", cost["ours", "sample"], cost["peer", "sample"], "<=1")
}'
