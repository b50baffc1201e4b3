#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The demonstration on the units of a machine that has them: the guest is one. On others it says what
# is missing. Writes the TAP file that is named.
. "$(dirname "$0")/lab/lib.sh"
trap - ERR
set +e
cd "$PROJ"
tap=$BUILD/results/$1.tap
work=$BUILD/real/${KERNEL:-6.12}
mkdir -p "${tap%/*}"
rm -rf "$work"
mkdir -p "$work"
exec 3>"$tap"
n=0
is() {	# NAME WANTED HAVE
	n=$((n + 1))
	if [ "$2" = "$3" ]; then echo "ok $n - $1" >&3; else echo "not ok $n - $1 # $3" >&3; fi
}
has() {	# NAME PATTERN
	n=$((n + 1))
	if grep -qE "$2" "$work/log"; then echo "ok $n - $1" >&3
	else echo "not ok $n - $1 # no '$2': $(tail -n 1 "$work/log")" >&3; fi
}

look() {	# PMU...: what is said of a machine with these
	rm -rf "$work/sys"
	for pmu; do
		mkdir -p "$work/sys/bus/event_source/devices/$pmu"
		echo 8 >"$work/sys/bus/event_source/devices/$pmu/type"
	done
	V9_SYSFS=$work/sys selftests/lab/real.sh look
}
is sees_none "" "$(look cpu software)"
is sees_spe "SPE (arm_spe_1)" "$(look arm_spe_1)"
is sees_ete "ETE (cs_etm)" "$(look cs_etm)"
is sees_both "SPE (arm_spe_0) and ETE (cs_etm)" "$(look arm_spe_0 cs_etm)"
# The demonstration stops there: without a place for its cache it cannot go on.
V9_SYSFS=$work/sys MAKEFLAGS='' selftests/lab/demo.sh >"$work/log" 2>&1 </dev/null &
demo=$!
for i in $(seq 100); do
	grep -q REAL=1 "$work/log" && break
	sleep 0.1
done
kill $demo 2>/dev/null
wait $demo 2>/dev/null
has offers_the_real_units "this machine has SPE \(arm_spe_0\) and ETE \(cs_etm\) itself; 'make demo REAL=1'"
look cpu >/dev/null
V9_SYSFS=$work/sys REAL=1 make -s demo >"$work/log" 2>&1
is refuses_without_them 2 $?
has says_how_to_get_them '^v9trace: this machine has no PMU of SPE or ETE .*modprobe'

selftests/lab/run.sh -t 900 -q v9-spe=on,v9-ete=on -f "$PWD/selftests/lab/real.sh:/v9/demo/real.sh" -- '
	insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko && insmod /v9/modules/v9_ete.ko
	exec sh /v9/demo/real.sh /tmp/demo' >"$work/log" 2>&1
is records_where_they_are 0 $?
has shows_functions '^=== SPE'
has shows_samples 'gzip|busybox'
has shows_calls '^Call tree, hottest path first'
has shows_both '[1-9][0-9]*  (exact|path exact|ambiguous)  '
echo "1..$n" >&3
! grep -q '^not ok' "$tap"
