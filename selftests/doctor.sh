#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9trace doctor in guests that are in the states of selftests/golden/doctor/expected: as the doctor
# of the guest sees them. KERNEL=6.12 is what was recorded. Writes TAP to
# build/results/kernel-KERNEL/doctor/BOOTS.tap.
#   BOOTS=...   only this boot, or "others": all but "states". Without it all
#   UPDATE=1    also write the recorded states to selftests/golden/doctor, which host/doctor reads
set -u
cd "$(dirname "$0")/.." || exit 2
export KERNEL="${KERNEL:-6.12}"
golden=selftests/golden/doctor
results=build/results/kernel-$KERNEL/doctor
mkdir -p "$results" build/doctor
flash=build/selftests/el3.flash
config=$(selftests/lab/kernel.sh image "$KERNEL")
n=0
failed=0

# In the guest: state NAME [USER]: the doctor's result and a copy of what it looked at
functions='
	release=$(uname -r)
	echo nobody:x:65534:65534::/:/bin/sh >>/etc/passwd
	state() {
		rm -rf /tmp/tree
		if [ $# -gt 1 ]; then
			su nobody -s /bin/sh -c "${3:-} v9trace doctor --json --record /tmp/tree"
		else
			v9trace doctor --json --record /tmp/tree
		fi >/out/$1.json
		echo "status $1 $?"
		tar -cf /out/$1.tar -C /tmp/tree .
	}
	ours() {
		for m in core "spe ${1:-}" ete; do
			set -- $m
			insmod /v9/modules/v9_$1.ko ${2:-}
		done 2>/dev/null
	}
	in_tree="arm_spe_pmu coresight_etm4x coresight_trbe"
	load_in_tree() { for m in $in_tree; do /usr/sbin/modprobe $m; done; }
	unload_in_tree() { /usr/sbin/modprobe -r arm_spe_pmu coresight_trbe coresight_etm4x coresight; }
	/usr/sbin/sysctl -w kernel.perf_event_paranoid=2 >/dev/null 2>&1 ||
		echo 2 >/proc/sys/kernel/perf_event_paranoid
	cd /root
'

# results NAME: the states of a boot, against the lines of the file "expected"
results() {
	for json in build/doctor/$1/*.json; do
		[ -e "$json" ] || { echo "not ok $((n += 1)) - $1 # no result"; failed=1; continue; }
		state=${json##*/}
		state=${state%.json}
		n=$((n + 1))
		want=$(grep "^$state " "$golden/expected")
		got=$(selftests/host/doctor.sh summary "$state" <"$json")
		if [ "$want" = "$got" ]; then
			echo "ok $n - $state"
		else
			failed=1
			echo "not ok $n - $state # $(echo "$got" | tr '\n' ';')"
		fi
		[ -z "${UPDATE:-}" ] || selftests/host/doctor.sh pack "${json%.json}.tar" >"$golden/$state"
	done
}

# boot NAME SCRIPT OPTIONS-OF-RUN
boot() {
	name=$1 script=$2
	shift 2
	case ${BOOTS:-$name} in
	"$name") ;;
	others) [ "$name" != states ] || return ;;
	*) return ;;
	esac
	rm -rf "build/doctor/$name"
	selftests/lab/run.sh -o "build/doctor/$name" -t 900 "$@" \
		-f "$config/config:/boot/config-$(cat "$config/release")" \
		-- "$functions $script" >"build/doctor/$name.log" 2>&1
	results "$name"
}

# What firmware at EL3 leaves in MDCR_EL3: NSPB, NSTB, EnPMSN, EnPMS3
mdcr() { echo "v9-mdcr-el3=$(($1 << 12 | $2 << 24 | 1 << 36 | 1 << 42))"; }
units=v9-spe=on,v9-ete=on
answers=v9-vbar-el3=0x4001000,v9-smccc=on
selftests/lab/root.sh run -- make -s -C selftests/target platform
selftests/lab/modules.sh "$KERNEL" >&2

{
boot states '
	state not_loaded
	mv /lib/modules/$release/modules.dep /tmp
	state not_installed
	sed -i "/^CONFIG_ARM_SPE_PMU=/d; /^CONFIG_CORESIGHT_TRBE=/d" /boot/config-$release
	state not_built
	mv /tmp/modules.dep /lib/modules/$release
	load_in_tree
	state in_tree
	/usr/sbin/modprobe -r coresight_etm4x
	state coresight
	unload_in_tree
	ours
	state works
	state user nobody
	echo 3 >/proc/sys/kernel/perf_event_paranoid
	state paranoid nobody
	echo 2 >/proc/sys/kernel/perf_event_paranoid
	echo 2 >/proc/sys/kernel/kptr_restrict
	state kptr
	echo 0 >/proc/sys/kernel/kptr_restrict
	echo 64 >/proc/sys/kernel/perf_event_mlock_kb
	state mlock nobody "ulimit -l 64;"
	echo 516 >/proc/sys/kernel/perf_event_mlock_kb
	sed -i "s/^CONFIG_PID_IN_CONTEXTIDR=y/# no/" /boot/config-$release
	state contextid
	perf record -q -e arm_spe_0// -a -o /tmp/busy -- sleep 1000 &
	perf=$!
	while ! grep -q . /tmp/busy 2>/dev/null; do usleep 200000; done
	usleep 500000
	state busy
	kill $perf
	wait' -q $units

boot absent 'ours; state vm' -q v9-spe=off,v9-ete=off
boot kpti 'ours; state kpti' -q $units -a kpti=on
boot unlisted 'ours; state unlisted' -q $units,v9-unlisted=on
boot el3_owner 'ours; state el3_owner; state el3_owner_user nobody' -m secure=on -q "$units,$(mdcr 1 1)"
boot el3_traps 'ours; state el3_traps' -m secure=on -p $flash \
	-q "$units,$(mdcr 3 3),v9-cptr-el3=$((1 << 20)),$answers"
boot el3_answers 'ours; state el3_answers; state el3_denied nobody' -m secure=on -p $flash \
	-q "$units,$(mdcr 3 3),$answers"
boot signature 'ours; state signature' -q $units -a module.sig_enforce=1
boot lockdown 'mount -t securityfs security /sys/kernel/security; load_in_tree; state lockdown' \
	-q $units -a lockdown=confidentiality
boot acpi 'state acpi_denied nobody; ours; state acpi' -q $units -A spe=21
boot acpi_zero 'ours; state madt_zero' -q $units -A 'spe=0 trbe=0'
boot acpi_short 'ours; state madt_short' -q $units -A gicc=76
boot acpi_not_ppi 'ours; state madt_not_ppi' -q $units -A 'spe=40 trbe=40'
boot acpi_differs 'load_in_tree; state madt_differs; unload_in_tree; ours; state some_cpus' \
	-q $units -A 'spe=21,22 trbe=18,19'
echo "1..$n"
} >"$results/${BOOTS:-all}.tap"
grep '^not ok' "$results/${BOOTS:-all}.tap"
exit $failed
