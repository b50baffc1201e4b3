#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Run the kselftests in the guest: guest.sh DIR [PROGRAM...], TAP files into DIR.
# KERNEL=6.12|6.1|7 chooses the kernel, DRIVER=in-tree the driver that comes with it.
# Without a name, all; "kselftest" stands for the programs, and other words are beside them:
# "strict" runs some of them again with the kernel at EL1 on units that are late, at random,
# wherever they may be, and notes each broken rule; "modes" has kernels in other places; "refuse"
# boots machines on which v9_spe and v9_ete must refuse to load; "panic" one that dies with its last
# trace; "in_tree" does to the kernel's own drivers what spe_event and ete_event do to ours.
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || { echo "usage: guest.sh DIR [PROGRAM...]" >&2; exit 2; }
mkdir -p "$1" build
dir=$(cd "$1" && pwd)
shift
kernel=${KERNEL:-6.12}
driver=${DRIVER:-v9}
kselftest="spe_pmu spe_record spe_buffer spe_hotplug spe_stats spe_pause spe_idle spe_pm spe_fail
	ete_pmu ete_record ete_buffer ete_filter ete_pm ete_hotplug ete_stats
	spe_event ete_event spe_kvm ete_kvm routing spe_module ete_module"
programs=$(echo "${*:-kselftest strict modes refuse panic in_tree}" |
	sed "s/\<kselftest\>/$(echo $kselftest)/")
export KERNEL="$kernel"

headers=$(model/lab/source.sh)/tools/testing/selftests
model/lab/root.sh run -- make -s -C selftests/target KSELFTEST="$headers"
[ "$driver" = in-tree ] || model/lab/modules.sh "$kernel" >&2

in_tree='modprobe arm_spe_pmu && modprobe coresight-etm4x && modprobe coresight-trbe'
case $driver in
v9) load='insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko &&
	insmod /v9/modules/v9_ete.ko' ;;
in-tree) load=$in_tree ;;
*) echo "guest.sh: DRIVER is v9 or in-tree, not '$driver'" >&2; exit 2 ;;
esac

work=$dir.guest
rm -rf "$work"

# refuse NAME ERROR OPTIONS-OF-RUN: neither module is loaded, insmod says ERROR, the log one line
# of ours for each. Their results are lines of spe_refuse.tap and ete_refuse.tap.
refuse() {
	name=$1 error=$2
	shift 2
	number=$((number + 1))
	model/lab/run.sh -o "$work/$name" -t 120 "$@" -- "
		insmod /v9/modules/v9_core.ko || exit
		for unit in spe ete; do
			dmesg -c >/dev/null
			insmod /v9/modules/v9_\$unit.ko 2>/tmp/said && echo \$unit it was loaded && continue
			grep -q '$error' /tmp/said || { echo \$unit \$(cat /tmp/said); continue; }
			# busybox tries a second way to load after a refusal: the same line comes again
			lines=\$(dmesg | sed 's/^[^]]*] //' | grep v9_\$unit | sort -u | wc -l)
			[ \$lines = 1 ] && echo \$unit refused || echo \$unit \$lines lines in the log
		done" >"$work/$name.log" || :
	for unit in spe ete; do
		why=$(sed -n "s/^$unit //p" "$work/$name.log")
		if [ "$why" = refused ]; then
			echo "ok $number - $name"
		else
			echo "not ok $number - $name # ${why:-no result}"
			failed=1
		fi >>"$dir/${unit}_refuse.tap"
	done
}

# boot NAME OPTIONS-OF-RUN -- ENVIRONMENT PROGRAM...: their results with NAME added to theirs
boot() {
	name=$1
	shift
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086
	model/lab/run.sh -o "$work/boot$name" -t "${TIMEOUT:-600}" $options -- "
		$load || exit 1
		export V9_MODULES=/v9/modules $1
		exec sh /v9/selftests/run.sh -o /out/tap $2" >"$work/boot$name.log" || {
		failed=1
		grep -q '^# [0-9]* passed' "$work/boot$name.log" || tail -n 20 "$work/boot$name.log"
	}
	for program in $2; do
		tap=$work/boot$name/tap/$program.tap
		if [ -e "$tap" ]; then
			cp "$tap" "$dir/$program$name.tap"
		else
			printf '1..1\nnot ok 1 - complete # the guest ended early, see %s\n' \
				"$work/boot$name.log" >"$dir/$program$name.tap"
			failed=1
		fi
	done
}

# The model wrote down each rule of the architecture that was broken (SPE-PB4, SPE-SY9, SPE-SY10).
no_rule_broken() {
	echo "1..1"
	if [ ! -s "$1" ]; then
		echo "not ok 1 - no_rule_broken # no log of the model"
		failed=1
	elif grep -m3 '"k":"note"' "$1"; then
		echo "not ok 1 - no_rule_broken # see above"
		failed=1
	else
		echo "ok 1 - no_rule_broken"
	fi
}

has() {
	case " $programs " in
	*" $1 "*) true ;;
	*) false ;;
	esac
}

mkdir -p "$work"
failed=0
in_guest=
for program in $programs; do
	case $program in
	refuse | strict | modes | panic | in_tree) ;;
	*) in_guest="$in_guest $program" ;;
	esac
done
[ -z "$in_guest" ] ||
	boot '' -q v9-spe=on,v9-ete=on,v9-inject=on -- \
		'V9_INJECT=1 V9_AT=2 V9_EXCEPTIONS=missing' "${in_guest# }"

# The kernel at EL1, and units that hold back what they do at random.
if has strict; then
	log=$work/strict.json
	boot _strict -m virtualization=off -q "v9-spe=on,v9-ete=on,v9-strict=log,v9-log=$log" -- \
		'V9_IN_FLIGHT=16 V9_AT=1 V9_EXCEPTIONS=missing' \
		'spe_record spe_buffer ete_record ete_buffer ete_filter routing'
	no_rule_broken "$log" >"$dir/model_strict.tap"
	rm -f "$log"
fi

# Where a kernel can be: at EL1 below its own hypervisor, or below one that keeps it out (pKVM), at
# EL2; and what EL3 may say of Profiling exceptions. What a register holds at reset is random
# in the first and the last one: no guest may be profiled by it.
if [ "$driver" = v9 ] && has modes; then
	units=v9-spe=on,v9-ete=on
	exc=$units,v9-spe-exc=on,v9-trbe-exc=on,v9-spe-nvm=on
	log=$work/modes.json
	boot _nvhe -a kvm-arm.mode=nvhe -q "$exc,v9-strict=log,v9-log=$log" -- \
		'V9_AT=1 V9_EXCEPTIONS=off' 'routing spe_kvm ete_kvm'
	no_rule_broken "$log" >"$dir/model_strict_nvhe.tap"
	rm -f "$log"
	boot _protected -a kvm-arm.mode=protected -q $units -- 'V9_AT=1 V9_EXCEPTIONS=missing' routing
	boot _exc_el3 -m secure=on -q $exc -- 'V9_AT=2 V9_EXCEPTIONS=forbidden' routing
	boot _exc -q "$exc,v9-strict=log,v9-log=$log" -- 'V9_AT=2 V9_EXCEPTIONS=off' \
		'routing spe_kvm ete_kvm'
	no_rule_broken "$log" >"$dir/model_strict_exc.tap"
	rm -f "$log"
fi

# What the kernel's own drivers make of the events of spe_event and ete_event: it is printed, and
# nothing is demanded, not even that they survive.
if [ "$driver" = v9 ] && has in_tree; then
	ours=$load load=$in_tree failed_so_far=$failed
	boot _in_tree -q v9-spe=on,v9-ete=on,v9-inject=on -- V9_INJECT=1 'spe_event ete_event'
	for tap in "$dir"/???_event_in_tree.tap; do
		grep -q '^not ok' "$tap" || continue
		sed -i 's/^\(not \)*ok /# &/' "$tap"
		printf '1..1\nok 1 - information # SKIP %s\n' \
			"the kernel's drivers did not come through, see above" >>"$tap"
	done
	load=$ours failed=$failed_so_far
fi

if [ "$driver" = v9 ] && has refuse; then
	number=0
	# shows: SPE-CS10 SPE-RA2 TRBE-PR3
	for unit in spe ete; do echo "1..2" >"$dir/${unit}_refuse.tap"; done
	refuse kernel_page_table_isolation 'Operation not permitted' -q v9-spe=on,v9-ete=on -a kpti=on
	refuse no_unit 'No such device' -q v9-spe=off,v9-ete=off
fi

# A panic: every byte that the unit made is in memory, and the log says up to where. last_words is
# pinned to CPU 1. NAME PMU, and of the model which row of counters, and which counter of it.
# Windows begin aligned: padding comes to what the unit wrote.
panic() {
	model/lab/run.sh -o "$work/panic_$1" -t 120 \
		-q "v9-spe=on,v9-ete=on,v9-strict=log,v9-log=$work/panic_$1.json" -- "
		$load || exit 1
		/v9/selftests/last_words $2 1" >"$work/panic_$1.log" 2>&1 || :
	number=$((number + 1))
	to=$(sed -n 's/.*CPU1: last trace: .* to 0x\([0-9a-f]*\).*/\1/p' \
		"$work/panic_$1/console.log" | tr -d '\r')
	to=$((0x${to:-0}))
	row=$(grep "\"k\":\"$3\",\"cpu\":1," "$work/panic_$1.json")
	made=$(echo "$row" | sed -n 's/.*"bytes":\([0-9]*\).*/\1/p')
	written=$(echo "$row" | sed -n "s/.*\"$4\":\([0-9]*\).*/\1/p")
	if [ "$to" -gt 1024 ] && [ "$made" = "$written" ] && [ "$to" -ge "$written" ] &&
	   [ "$to" -lt $((written + 512)) ] && ! grep -q '"k":"note"' "$work/panic_$1.json"; then
		echo "ok $number - $1_last_trace_in_memory"
	else
		echo "not ok $number - $1_last_trace_in_memory # up to $to, made $made, written $written"
		failed=1
	fi >>"$dir/panic.tap"
}

if [ "$driver" = v9 ] && has panic; then
	number=0
	echo 1..2 >"$dir/panic.tap"
	panic spe arm_spe_0 score bytes
	panic ete cs_etm ete written
fi

grep -h '^not ok' "$dir"/*.tap || :
exit $failed
