#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# With SPE and ETE recorded at once, the model's log says which traced instruction each record is of: the
# list of traced instructions must have the record's address there, and behind a branch the place that
# the branch went to.
#
#   [KERNEL=6.1|6.12|7] places.sh SUITE    writes build/results/SUITE.tap; without KERNEL: 6.12
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/crosscheck/suite.inc
begin

# session NAME EVENT: boots a guest and records both units on both CPUs, the trace unit with EVENT
session() {
	out=$work/$1
	mkdir -p "$out"
	selftests/lab/run.sh -o "$out" -t 600 -q "v9-spe=on,v9-ete=on,v9-log=$out/model.json,v9-pclog=$out/pcs" -- '
		set -e
		for m in core spe ete; do insmod /v9/modules/v9_$m.ko; done
		head -c 100000 /usr/bin/perf >/tmp/in
		v9trace record -q -o /tmp/both.data -a -m ,16M -e arm_spe_0/jitter/ -c 2048 -e '"$2"' -- \
			sh -c "for mask in 1 2; do taskset \$mask zstd -q -f /tmp/in -o /tmp/in.zst; done"' \
		>"$out/stdout" 2>"$out/stderr"
	check "$1_records" $? "$(tail -n 1 "$out/stderr")"
	why=$(selftests/crosscheck/score.sh "$out/model.json")
	check "$1_counted" $? "$why"
	why=$(python3 -B selftests/crosscheck/places.py "$out/model.json" "$out/pcs" 200 2>&1)
	check "$1_places" $? "$(echo "$why" | tail -n 1)"
	echo "$why" | sed 's/^/# /' >>"$tap"
	rm -f "$out"/pcs.*
}
session all cs_etm//
session user cs_etm//u
# Instructions of the kernel are traced, and so have an index, only in the first session.
for name in all user; do
	grep -c '"k":"rec".*"el":[12].*"at_insn"' "$work/$name/model.json" >"$work/$name.kernel"
done
[ "$(cat "$work/all.kernel")" -gt 100 ] && [ "$(cat "$work/user.kernel")" = 0 ]
check kernel_has_places_if_traced $? "$(cat "$work/all.kernel") in the first, $(cat "$work/user.kernel") in the second session"
finish
