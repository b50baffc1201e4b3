#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Run the kselftests in the guest: guest.sh DIR [PROGRAM...], TAP files into DIR.
# KERNEL=6.12|6.1|7 chooses the kernel, DRIVER=in-tree the driver that comes with it, V9_UNITS more
# properties of the units of the first boot.
# Without a name, all. "kselftest" stands for the programs. Other words are boots of their own:
#   strict	some programs again with the kernel at EL1, on units that are late at random; the model
#		logs each violation of a rule
#   speculative	those of ETE on a trace unit that sees speculative execution; "speculative_mix" is some of
#		them
#   modes	kernels at other exception levels, one of them under KVM, where the modules find no unit
#   kinds	CPUs whose units differ; "late" is only those that come online after the drivers
#   refuse	machines on which v9_spe and v9_ete must refuse to load
#   el3		firmware that owns the buffers or their events, or delegates them
#   panic	a machine that panics during sessions
#   kexec	a machine that boots another kernel during sessions
#   life	control groups, process trees, suspend
#   brbe	branch records: the effects of the units as late as the architecture permits, many
#		task switches, numbers of records, and where v9_brbe must refuse to load
#   acpi	some of the programs by UEFI and ACPI; "acpi_all" is all of them, "acpi_in_tree" some
#		with the in-tree drivers
#   built_in	the debug kernel, whose in-tree drivers are built in and hold the units
#   in_tree	the program "events" with the in-tree drivers
#   profiles	CPUs with the units of real cores (Documentation/trace/profiles.rst)
set -eu
cd "$(dirname "$0")/../.."
[ $# -gt 0 ] || { echo "usage: guest.sh DIR [PROGRAM...]" >&2; exit 2; }
mkdir -p "$1" build
dir=$(cd "$1" && pwd)
shift
kernel=${KERNEL:-6.12}
driver=${DRIVER:-v9}
# The guest gets what is in the archive: its emulated CPU takes long to unpack it.
tar=$(selftests/target/tarball.sh "$kernel")
installed=${tar%/*}/install entries=$installed/kselftest-list.txt
kselftest=$(sed 's/.*:\(.*\)\.sh$/\1/' "$entries")
programs=$(echo "${*:-kselftest strict speculative modes kinds refuse el3 panic kexec life in_tree profiles}" |
	sed "s/\<kselftest\>/$(echo $kselftest)/")
export KERNEL="$kernel"

selftests/lab/root.sh run -- make -s -C selftests/target platform
[ "$driver" = in-tree ] || selftests/lab/modules.sh "$kernel" >&2

# loading [SPE-PARAMETERS [ETE-PARAMETERS]]: prints the commands that load our modules
loading() {
	echo "insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko ${1:-} &&
		insmod /v9/modules/v9_ete.ko instrumentation=1 ${2:-}"
}
# For boots in which buffers have physical addresses: PMBMAR_EL1 is not trapped there.
physical=physical_attributes=1
in_tree='modprobe arm_spe_pmu && modprobe coresight-etm4x && modprobe coresight-trbe'
case $driver in
v9) load=$(loading) ;;
in-tree) load=$in_tree ;;
*) echo "guest.sh: DRIVER is v9 or in-tree, not '$driver'" >&2; exit 2 ;;
esac

work=$dir.guest
rm -rf "$work"

# Commands that load the driver of branch records, unless the kernel has one of its own
loading_brbe() {
	case $kernel in
	6.*|debug) echo 'insmod /v9/modules/v9_brbe.ko' ;;
	*) echo : ;;
	esac
}

# True if KVM of this kernel must be notified of a trace buffer in use
kvm_needs_notice() {
	case $kernel in
	6.*|debug) false ;;
	esac
}

# refuse NAME UNITS ERROR SAYS OPTIONS-OF-RUN: the modules of UNITS are refused, with ERROR from
# insmod and one line in the log that contains SAYS, where @ stands for the name of the buffer. The
# other module is loaded. Results are lines of spe_refuse.tap and ete_refuse.tap, or of
# spe_refuse_el3.tap and ete_refuse_el3.tap.
refuse() {
	name=$1 refusing=$2 error=$3 says=$4
	shift 4
	selftests/lab/run.sh -o "$work/$name" -t 400 "$@" -- "$(load_each)" >"$work/$name.log" || :
	check_refusal
}

# What the guest runs for refuse(). It prints a line for each unit: "loaded", "refused", or an error
load_each() {
	echo "
		insmod /v9/modules/v9_core.ko || exit
		for unit in spe ete; do
			dmesg -c >/dev/null
			insmod /v9/modules/v9_\$unit.ko 2>/tmp/output && echo \$unit loaded && continue
			grep -q '$error' /tmp/output || { echo \$unit \$(cat /tmp/output); continue; }
			# busybox tries a second way to load after a refusal: the same line comes
			# again
			dmesg | sed 's/^[^]]*] //' | grep v9_\$unit | sort -u >/tmp/log
			[ \$(wc -l </tmp/log) = 1 ] || { echo \$unit \$(wc -l </tmp/log) lines in the log; continue; }
			case \$unit in spe) buffer=profiling ;; *) buffer=trace ;; esac
			grep -q \"\$(echo '$says' | sed s/@/\$buffer/)\" /tmp/log &&
				echo \$unit refused || echo \$unit \$(cat /tmp/log)
		done"
}

check_refusal() {
	number=$((number + 1))
	for unit in spe ete; do
		why=$(sed -n "s/^$unit //p" "$work/$name.log")
		case " $refusing " in
		*" $unit "*) want=refused ;;
		*) want=loaded ;;
		esac
		if [ "$why" = $want ]; then
			echo "ok $number - $name"
		else
			echo "not ok $number - $name # $want expected: ${why:-no result}"
			failed=1
		fi >>"$dir/${unit}_refuse$suffix.tap"
	done
}

# Machines on which v9_brbe must not load, each with one line in the log, and those on which it does:
# firmware at EL3 reports each access that it traps.
refusals_of_brbe() {
	tap=$dir/brbe_refuse.tap number=0
	flash=build/selftests/el3.flash
	: >"$tap"
	# brbe_load NAME STATUS SAYS PARAMETERS OPTIONS-OF-RUN...
	brbe_load() {
		name=$1 want=$2 says=$3 parameters=$4
		shift 4
		selftests/lab/run.sh -o "$work/brbe_$name" -t 400 "$@" -- "
			insmod /v9/modules/v9_core.ko || exit
			insmod /v9/modules/v9_brbe.ko $parameters >/tmp/output 2>&1 && echo brbe loaded
			dmesg | sed 's/^[^]]*] //' | grep v9_brbe | sort -u | sed 's/^/log: /'" \
			>"$work/brbe_$name.log" || :
		number=$((number + 1))
		loaded=no
		! grep -q '^brbe loaded' "$work/brbe_$name.log" || loaded=yes
		if [ $loaded = "$want" ] && grep -q "^log: .*$says" "$work/brbe_$name.log" &&
		   [ "$(grep -c '^log: ' "$work/brbe_$name.log")" = 1 ] &&
		   ! grep -aq '^EL3: ' "$work/brbe_$name/console.log"; then
			echo "ok $number - brbe_$name"
		else
			echo "not ok $number - brbe_$name # $(tail -n 1 "$work/brbe_$name.log")"
			failed=1
		fi >>"$tap"
	}
	brbe=v9-brbe=on
	at_el3="-m secure=on -p $flash"
	sbrbe=$brbe,v9-vbar-el3=0x4000000,v9-mdcr-el3
	# 1 << 32, SBRBE 01: permitted to the Non-secure state
	brbe_load no_unit no 'no CPU has branch records' '' -q v9-brbe=off
	brbe_load kernel_at_el1 no 'does not run at EL2' '' -q $brbe -m virtualization=off
	brbe_load no_consent no 'load with sbrbe=1' '' -m secure=on -q $brbe
	brbe_load consent yes 'BRBEv1p0 on CPUs' sbrbe=1 -m secure=on -q $brbe
	# shellcheck disable=SC2086
	brbe_load no_consent_and_trapped no 'load with sbrbe=1' '' $at_el3 -q $sbrbe=0
	answers=$brbe,v9-vbar-el3=0x4001000,v9-smccc=on
	# shellcheck disable=SC2086
	brbe_load firmware_denies no 'MDCR_EL3.SBRBE' sbrbe=1 $at_el3 -q $answers,v9-mdcr-el3=0
	# shellcheck disable=SC2086
	brbe_load firmware_permits yes 'BRBEv1p0 on CPUs' '' $at_el3 -q $answers,v9-mdcr-el3=$((1 << 32))
	echo "1..$number" >>"$tap"
}

# refuse_in_kvm NAME UNITS ERROR SAYS: as refuse(), in a Linux guest under KVM in our guest. Its
# init writes the results to its kernel log.
refuse_in_kvm() {
	name=$1 refusing=$2 error=$3 says=$4
	vm=$work/$name.vm
	rm -rf "$vm"
	mkdir -p "$vm/root/bin" "$vm/root/proc" "$vm/root/sys" "$vm/root/dev" "$vm/root/tmp" \
		"$vm/root/v9/modules"
	cp -L "$(selftests/lab/guest.sh path "$kernel")/tree/usr/bin/busybox" "$vm/root/bin"
	cp -L "build/modules/$kernel"/v9_*.ko "$vm/root/v9/modules"
	cat >"$vm/root/init" <<-END
	#!/bin/busybox sh
	/bin/busybox mkdir -p /usr/bin /usr/sbin /sbin
	/bin/busybox mount -t proc proc /proc
	/bin/busybox --install -s
	mount -t devtmpfs dev /dev
	( $(load_each) ) >/tmp/found 2>&1
	while read -r line; do echo "<0>found: \$line" >/dev/kmsg; done </tmp/found
	poweroff -f
	END
	chmod 755 "$vm/root/init"
	selftests/lab/root.sh run -- sh -c 'cd "$1/root" && find . | cpio --quiet -o -H newc >../initrd' sh "$vm"
	selftests/lab/run.sh -o "$work/$name" -t 600 -q v9-spe=on,v9-ete=on \
		-f "$(selftests/lab/kernel.sh image "$kernel")/vmlinuz:/v9/vm/image" \
		-f "$vm/initrd:/v9/vm/initrd" -- '
			/v9/selftests/vm_linux /v9/vm/image /v9/vm/initrd' >"$vm/console" 2>&1 || :
	tr -d '\r' <"$vm/console" | sed -n 's/.*found: //p' >"$work/$name.log"
	check_refusal
}

# refusals [SUFFIX]: begin these files
refusals() {
	suffix=$1 number=0
	rm -f "$dir"/???_refuse"$suffix".tap
}

# all_refused: end them
all_refused() {
	for unit in spe ete; do echo "1..$number" >>"$dir/${unit}_refuse$suffix.tap"; done
}

# kselftests PROGRAM...: prints the commands that run these programs. They need timeout of
# coreutils. The runner opens /dev/stdout, which is refused for the guest's port and works for a
# pipe. On the debug kernel the time limit of a program is that of the guest.
kselftests() {
	limit=
	[ "$kernel" != debug ] || limit=" -o ${TIMEOUT:-1800}"
	echo "/v9/kselftest/run_kselftest.sh$limit$(for program; do
			sed -n "s/^.*:$program\.sh\$/ -t &/p" "$entries"
		done | tr -d '\n') 2>&1 | cat"
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
	selftests/lab/run.sh -o "$work/boot$name" -t "${TIMEOUT:-1800}" -f "$installed:/v9/kselftest" $options -- "
		$load || exit 1
		export V9_MODULES=/v9/modules $1
		$(kselftests $2)
		leaks=/sys/kernel/debug/kmemleak
		[ ! -e \$leaks ] || {
			# Objects of the last tasks are freed with a delay, and kmemleak ignores new
			# objects.
			sleep 6
			echo scan >\$leaks; echo scan >\$leaks
			cat \$leaks >/out/leaks
			cat /proc/lockdep_stats >/out/lockdep
		}" >"$work/boot$name.log" || {
		failed=1
		tail -n 20 "$work/boot$name.log"
	}
	tap=$work/boot$name/tap
	rm -rf "$tap"
	selftests/target/results.sh "$tap" "$work/boot$name.log" >"$work/boot$name.sum" || failed=1
	cat "$work/boot$name.sum" >>"$work/boot$name.log"
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

# The model logs a violation for each rule that the driver breaks (SPE-PB4, SPE-SY9, SPE-SY10).
no_rule_broken() {
	echo "1..1"
	if [ ! -s "$1" ]; then
		echo "not ok 1 - no_rule_broken # no log of the model"
		failed=1
	elif grep -m3 '"k":"violation"' "$1"; then
		echo "not ok 1 - no_rule_broken # see above"
		failed=1
	else
		echo "ok 1 - no_rule_broken"
	fi
}

# Without physical_attributes=1 the driver must not access PMBMAR_EL1: firmware may trap it.
no_access_to_pmbmar() {
	echo "1..1"
	if grep -q '"PMBSR_EL1":' "$1" && ! grep -m3 '"PMBMAR_EL1":' "$1"; then
		echo "ok 1 - pmbmar_el1_untouched"
	else
		echo "not ok 1 - pmbmar_el1_untouched"
		failed=1
	fi
}

# The registers of a trace unit that firmware does not describe must not be accessed: firmware may
# trap them.
no_trace_unit_touched() {
	echo "1..1"
	if grep -q '"PMBSR_EL1":' "$1" && ! grep -m3 '"TRC[A-Z0-9_]*":' "$1"; then
		echo "ok 1 - trace_units_untouched"
	else
		echo "not ok 1 - trace_units_untouched"
		failed=1
	fi
}

# The firmware at EL3 (el3.S) reports each exception that it does not expect. The guest must have
# run to its end without one.
nothing_at_el3() {
	echo "1..1"
	if [ -s "$1" ] && ! grep -a -m1 '^EL3: ' "$1"; then
		echo "ok 1 - nothing_at_el3"
	else
		echo "not ok 1 - nothing_at_el3"
		failed=1
	fi
}

# result NUMBER NAME IS WANTED
result() {
	if [ "$3" = "$4" ]; then
		echo "ok $1 - $2"
	else
		echo "not ok $1 - $2 # $4 expected, not '$3'"
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
	refuse | built_in | strict | speculative | speculative_mix | modes | kinds | late | brbe | acpi | acpi_all | acpi_in_tree | el3 | panic | kexec | life | in_tree | profiles) ;;
	*) in_guest="$in_guest $program" ;;
	esac
done
# There is no debug kernel of 6.1. Freed memory is filled with poison there, so that a use of a
# freed PMU, which tasks may refer to, is noticed.
poison=
[ "${kernel%-rt}" != 6.1 ] || poison='-a slub_debug=FP'
# In the debug kernel the in-tree drivers are built in, and would use the units.
in_tree_initcalls=arm_spe_pmu_init,coresight_init,etm4x_init,arm_trbe_init
[ "$kernel" != debug ] || poison="-a initcall_blacklist=$in_tree_initcalls"
units=v9-spe=on,v9-ete=on,v9-brbe=on,v9-inject=on,v9-ite=on
units=$units,v9-ete-pe-inputs=2${V9_UNITS:+,$V9_UNITS}
ours=$load
case "$driver ${V9_UNITS:-}" in
"v9 "*v9-spe-nvm=on*) load=$(loading $physical) ;;
esac
[ "$driver" = in-tree ] || load="$load && $(loading_brbe)"
# shellcheck disable=SC2086
[ -z "$in_guest" ] ||
	boot '' $poison -q "$units" -- \
		"V9_SWITCHES=500 V9_INJECT=1 V9_AT=2 V9_EXCEPTIONS=missing V9_MDCR=none V9_UNITS=${V9_UNITS:-}" "${in_guest# }"
load=$ours

# The kernel at EL1. Effects of the units are delayed at random, and the units do not update the
# Access flag and dirty state of the tables. Each buffer is one run of memory, so the Trace Buffer
# Unit wraps in it by itself.
if has strict; then
	log=$work/strict.json
	units=v9-spe=on,v9-ete=on,v9-ite=on,v9-spe-f=off,v9-trbe-f=off
	boot _strict -m virtualization=off -q "$units,v9-strict=log,v9-log=$log" -- \
		'V9_IN_FLIGHT=16 V9_AT=1 V9_EXCEPTIONS=missing V9_ONE_RUN=1' \
		'spe_record buffer spe_buffer ete_record ete_buffer ete_filter ete_option ete_ite ete_flight routing'
	no_rule_broken "$log" >"$dir/model_strict.tap"
	rm -f "$log"
fi

# P0 elements of wrong paths, which are cancelled; comparators match their instructions. Other choices
# of the units, too, but longer packets: some tests know how much fits into a buffer.
if [ "$driver" = v9 ] && { has speculative || has speculative_mix; }; then
	log=$work/speculative.json
	units=v9-spe=on,v9-ete=on,v9-inject=on,v9-ite=on,v9-ete-pe-inputs=2
	of_units='ete_pmu ete_record ete_filter ete_buffer'
	! has speculative ||
		of_units=$(echo "$kselftest" | grep -E '^(ete|spe)_' | grep -vxE '(ete|spe)_(cpu_types|late|stall)')
	units=$units,v9-ete-character=speculative,v9-ete-spec-rate=4,v9-ete-spec-late=on,v9-ete-source=on
	units=$units,v9-ete-tsmark=on,v9-ete-late=on,v9-spe-order=on,v9-spe-impdef=on
	boot _speculative -q "$units,v9-strict=log,v9-log=$log" -- \
		'V9_IN_FLIGHT=16 V9_INJECT=1 V9_AT=2 V9_EXCEPTIONS=missing' "$of_units"
	no_rule_broken "$log" >"$dir/model_strict_speculative.tap"
	rm -f "$log"
fi

# The Exception levels of a kernel: EL1 below its own hypervisor, EL1 below pKVM, EL2; and what EL3
# may configure for Profiling exceptions. In the first and the last one registers have random values
# after reset: no guest may be profiled because of them.
if [ "$driver" = v9 ] && has modes; then
	units=v9-spe=on,v9-ete=on
	exc=$units,v9-spe-version=6,v9-trbe-exc=on
	log=$work/modes.json
	boot _nvhe -a kvm-arm.mode=nvhe -q "$exc,v9-strict=log,v9-log=$log" -- \
		'V9_AT=1 V9_EXCEPTIONS=off' 'routing spe_kvm ete_kvm'
	no_rule_broken "$log" >"$dir/model_strict_nvhe.tap"
	rm -f "$log"
	# If KVM of this kernel must be notified of trace buffers, this is not possible under pKVM:
	# v9_ete refuses to load, see below.
	ours=$load
	! kvm_needs_notice || load='insmod /v9/modules/v9_core.ko && insmod /v9/modules/v9_spe.ko'
	boot _protected -a kvm-arm.mode=protected -q $units -- 'V9_AT=1 V9_EXCEPTIONS=missing' routing
	load=$ours
	boot _exc_el3 -m secure=on -q $exc -- 'V9_AT=2 V9_EXCEPTIONS=forbidden' routing
	boot _exc -q "$exc,v9-strict=log,v9-log=$log" -- 'V9_AT=2 V9_EXCEPTIONS=off' \
		'routing spe_kvm ete_kvm'
	no_rule_broken "$log" >"$dir/model_strict_exc.tap"
	no_access_to_pmbmar "$log" >"$dir/model_pmbmar_exc.tap"
	rm -f "$log"
	# The kernel is not mapped while user space runs, so all buffers have physical addresses.
	# One CPU comes online after the modules were loaded.
	# shows: SPE-PB8 SPE-CS10 TRBE-AT2
	cpu=/sys/devices/system/cpu/cpu1/online
	ours=$load load="echo 0 >$cpu && $(loading $physical) && echo 1 >$cpu"
	boot _kpti -a kpti=on -q "$exc,v9-strict=log,v9-log=$log" -- \
		'V9_IN_FLIGHT=16 V9_AT=2 V9_EXCEPTIONS=off' 'spe_record buffer spe_buffer ete_record ete_buffer'
	load=$ours
	no_rule_broken "$log" >"$dir/model_strict_kpti.tap"
	rm -f "$log"
	refusals _kvm
	refuse_in_kvm machine_under_kvm 'spe ete' 'No such device' 'firmware describes no'
	all_refused
	boot _reject -q $units,v9-ete-stall=on,v9-trbe-reject=20 -- V9_REJECT=1 ete_stall

	# With FEAT_FGT2 the kernel's hypervisor traps PMBMAR_EL1 at EL1, because it does not know
	# the register.
	longest=${TIMEOUT:-1800} TIMEOUT=600
	boot _fgt2 -a kvm-arm.mode=nvhe -q "$exc,v9-fgt2=on" -- \
		'V9_AT=1 V9_EXCEPTIONS=off' 'routing spe_record ete_record'
	TIMEOUT=$longest

	# The hypervisor limits a buffer to 64 KiB (MaxBuffSize).
	boot _limited -q "$units,v9-buffer-limit=16,v9-strict=log,v9-log=$log" -- \
		'V9_IN_FLIGHT=16 V9_BUFFER_LIMIT=65536' \
		'spe_record buffer spe_buffer ete_record ete_buffer'
	no_rule_broken "$log" >"$dir/model_strict_limited.tap"
	rm -f "$log"

	# Fill mode, and no trigger. CPUs go offline and online.
	ours=$load load=$(loading '' plain=1)
	boot _plain -q "$units,v9-strict=log,v9-log=$log" -- 'V9_IN_FLIGHT=16 V9_PLAIN=1' \
		'ete_record buffer ete_buffer hotplug'
	load=$ours
	no_rule_broken "$log" >"$dir/model_strict_plain.tap"
	rm -f "$log"

	# Profiling units with all features of SPEv1p5, with those of SPEv1p0 only, and with records
	# of 2 KiB
	most=v9-spe-version=6,v9-spe-fds=on,v9-spe-eft=on,v9-spe-count16=on
	most=$most,v9-spe-max-size=7,v9-spe-align=7
	boot _v1p5 -q "$units,$most,v9-strict=log,v9-log=$log" -- V9_IN_FLIGHT=16 \
		'spe_filter pmu spe_pmu spe_record buffer spe_buffer'
	no_rule_broken "$log" >"$dir/model_strict_v1p5.tap"
	rm -f "$log"
	boot _events_v1p5 -q $units,$most,v9-inject=on,v9-delay=random -- 'V9_INJECT=1 V9_LATE_ABORTS=1' events
	boot _v1p0 -q $units,v9-spe-version=1 -- '' 'spe_filter pmu spe_pmu'
	boot _2k -q $units,v9-spe-max-size=11,v9-spe-align=11 -- '' spe_filter
fi

# CPUs of two types. Firmware describes them with one node for all, or with a node for each type.
# The second type may have an erratum, or support no physical addresses, or have no unit. Also CPUs
# that come online after the drivers were loaded, of either type or without a unit.
if [ "$driver" = v9 ] && has kinds; then
	units=v9-spe=on,v9-ete=on
	two=$units,v9-second=2/v9-ete-stall=on/v9-spe-version=2
	boot _kinds -s 4 -q $two/midr=0x410fd470 -- V9_AT=2 'spe_cpu_types ete_cpu_types hotplug'
	ours=$load load=$(loading $physical)
	boot _one_virtual -q $units,v9-spe-nvm=on,v9-second=1/v9-spe-nvm=off -- '' hotplug
	load=$ours
	boot _partitions -s 4 -q $two,v9-partitions=on -- \
		'V9_PMU=arm_spe_1; taskset -p c $$ >/dev/null' \
		'spe_cpu_types ete_cpu_types spe_record ete_record'
	boot _without -s 4 -q $units,v9-second=2/v9-spe=off/v9-ete=off -- \
		'V9_AT=2; taskset -p 3 $$ >/dev/null' stats
	boot _left_out -a maxcpus=1 -q $units,v9-second=1/v9-ete=off -- V9_LEFT_OUT=1 hotplug
fi
# The kselftests by UEFI and ACPI: all of them, or those that depend on what firmware describes
if has acpi || has acpi_all; then
	several="pmu spe_record ete_record hotplug reload"
	! has acpi_all || several=$(echo $kselftest)
	boot _acpi -s 4 -q v9-spe=on,v9-ete=on -A spe=21 -- '' "$several"
fi

# The in-tree drivers with the same tables; Linux 6.1 makes no device for TRBE.
if has acpi_in_tree; then
	ours=$load load=$in_tree several="spe_record pmu ete_pmu ete_record"
	case $kernel in 6.1 | 6.1-*) load='modprobe arm_spe_pmu' several=spe_record ;; esac
	boot _acpi_in_tree -s 4 -q v9-spe=on,v9-ete=on -A spe=21 -- '' "$several"
	load=$ours
fi

if [ "$driver" = v9 ] && has brbe; then
	ours=$load load=$(loading_brbe)
	[ "$load" = : ] || load="insmod /v9/modules/v9_core.ko && $load"
	log=$work/brbe.json
	units=v9-brbe=on,v9-strict=log,v9-log=$log
	switches=V9_SWITCHES=${V9_SWITCHES:-100000}
	boot _brbe_8 -q "$units,v9-brbe-records=8" -- "$switches" 'brbe_pmu brbe_record'
	no_rule_broken "$log" >"$dir/model_strict_brbe_8.tap"
	rm -f "$log"
	boot _brbe_64 -q "$units,v9-brbe-records=64" -- "$switches" 'brbe_pmu brbe_record brbe_kvm'
	no_rule_broken "$log" >"$dir/model_strict_brbe_64.tap"
	rm -f "$log"
	# Some branches cannot be recorded, which empties the buffer (BRBE-BR7).
	boot _brbe_lose -q v9-brbe=on,v9-brbe-lose=100 -- V9_LOSES=1 brbe_record
	load=$ours
	[ "$load" = : ] || refusals_of_brbe
fi

if [ "$driver" = v9 ] && { has kinds || has late; }; then
	units=v9-spe=on,v9-ete=on
	two=$units,v9-second=2/v9-ete-stall=on/v9-spe-version=2
	boot _late -s 6 -a maxcpus=2 -q $units -- V9_LATE=joins 'spe_late ete_late'
	# Two boots, because the first CPU of the new type can come online for the first time only
	# once.
	boot _late_kind -s 6 -a maxcpus=2 -q $two -- V9_LATE=new_kind spe_late
	boot _late_kind_ete -s 6 -a maxcpus=2 -q $two -- V9_LATE=new_kind ete_late
fi

# CPUs with the profile of a real core. Tests of features that the core lacks are skipped, with the
# reason in their output. Without a profiling unit v9_spe must not load.
# profile NAME MIDR VERSION DATA_SRC: the values that the guest must read; "-" if there is no unit
profile() {
	case $3 in
	-) spe='! insmod /v9/modules/v9_spe.ko 2>/dev/null' ;;
	*) spe='insmod /v9/modules/v9_spe.ko' ;;
	esac
	load="insmod /v9/modules/v9_core.ko && $spe && insmod /v9/modules/v9_ete.ko &&
		for cpu in /sys/devices/system/cpu/cpu[0-9]; do
			echo \"profile: midr \$(cat \$cpu/regs/identification/midr_el1)\"
		done && caps=/sys/bus/event_source/devices/arm_spe_0/caps &&
		echo \"profile: version \$(cat \$caps/version 2>/dev/null || echo -)\" &&
		echo \"profile: data_src \$(cat \$caps/data_src 2>/dev/null || echo -)\" &&
		echo \"profile: aarch32 \$(dmesg | grep -c '32-bit EL0 Support')\""
	log=$work/$1.json
	boot "_$1" -q "v9-profile=$1,v9-strict=log,v9-log=$log" -- \
		'V9_IN_FLIGHT=16 V9_AT=2 V9_EXCEPTIONS=missing' "$of_profiles"
	no_rule_broken "$log" >"$dir/model_strict_$1.tap"
	rm -f "$log"
	log=$work/boot_$1.log
	{
		echo 1..4
		result 1 midr "$(sed -n 's/^profile: midr //p' "$log" | sort -u)" "$2"
		result 2 spe_version "$(sed -n 's/^profile: version //p' "$log")" "$3"
		result 3 data_source "$(sed -n 's/^profile: data_src //p' "$log")" "$4"
		result 4 aarch32_at_el0 "$(sed -n 's/^profile: aarch32 //p' "$log")" "$5"
	} >"$dir/profile_$1.tap"
	! grep -q '^not ok' "$dir/profile_$1.tap" || failed=1
	profiled="$profiled$1 "
}

if [ "$driver" = v9 ] && has profiles; then
	longest=${TIMEOUT:-1800} TIMEOUT=600
	ours=$load profiled='' of_profiles='routing pmu spe_pmu spe_record buffer spe_buffer spe_filter'
	of_profiles="$of_profiles ete_pmu ete_record ete_buffer ete_filter ete_option"
	profile neoverse-n2 0x00000000410fd493 2 1 1
	profile neoverse-v2 0x00000000410fd4f1 2 1 0
	profile neoverse-v3 0x00000000410fd842 3 1 1
	profile cortex-a710 0x00000000412fd471 - - 1
	profile cortex-x2 0x00000000412fd481 - - 1
	profile cortex-a720 0x00000000410fd811 3 1 1
	profile cortex-x4 0x00000000410fd821 3 1 1
	load=$ours TIMEOUT=$longest
	{
		echo 1..1
		result 1 each_profile_booted "$profiled" \
			"$(sed -n 's/^\t{ "\(.*\)", {$/\1/p' selftests/model/profiles.c | tr '\n' ' ')"
	} >"$dir/profiles.tap"
	! grep -q '^not ok' "$dir/profiles.tap" || failed=1
fi

# The results of the in-tree drivers in "events" are printed for information. None is required, and
# the guest may crash.
if [ "$driver" = v9 ] && has in_tree; then
	ours=$load load=$in_tree failed_so_far=$failed
	boot _in_tree -q v9-spe=on,v9-ete=on,v9-inject=on -- V9_INJECT=1 events
	tap=$dir/events_in_tree.tap
	if grep -q '^not ok' "$tap"; then
		sed -i 's/^\(not \)*ok /# &/' "$tap"
		printf '1..1\nok 1 - information # SKIP %s\n' \
			"the kernel's drivers did not come through, see above" >>"$tap"
	fi
	load=$ours failed=$failed_so_far
fi

# mdcr_el3 NSPBE NSPB PMSEE NSTBE NSTB TRBEE [EnPMS4]: prints the option for a value of MDCR_EL3, as
# firmware sets it. EnPMSN and EnPMS3, which Linux requires, are set.
mdcr_el3() {
	echo "v9-mdcr-el3=$(($1 << 11 | $2 << 12 | $3 << 51 | $4 << 26 | $5 << 24 | $6 << 53 |
		1 << 36 | 1 << 42 | ${7:-1} << 55))"
}
units=v9-spe=on,v9-ete=on
theirs='the @ buffer is that of a higher exception level or another security state'

if [ "$driver" = v9 ] && has refuse; then
	# shows: SPE-CS10 SPE-RA2 SPE-OW7 TRBE-PR3 TRBE-OW8
	refusals ''
	refuse kernel_page_table_isolation spe 'Operation not permitted' 'kpti=off' \
		-q $units -a kpti=on
	refuse page_table_isolation_without_consent spe 'Operation not permitted' \
		'physical_attributes=1 if MDCR_EL3.EnPMS4 is 1' -q $units,v9-spe-nvm=on -a kpti=on
	refuse no_unit 'spe ete' 'No such device' 'firmware describes no' -q v9-spe=off,v9-ete=off
	refuse buffers_of_secure_state 'spe ete' 'Operation not permitted' "$theirs" \
		-m secure=on -q "$units,$(mdcr_el3 0 0 0 0 1 0)"
	log=$work/unlisted.json
	refuse trace_units_not_listed ete 'Operation not permitted' 'unlisted=1 if CPTR_EL3.TTA is 0' \
		-q "$units,v9-unlisted=on,v9-log=$log"
	if kvm_needs_notice; then
		refuse protected_kvm ete 'Operation not supported' \
			'protected KVM runs guests with the @ buffer on' \
			-q $units -a kvm-arm.mode=protected
		refuse kvm_without_debugfs ete 'Operation not supported' 'without debugfs' \
			-q $units -a 'kvm-arm.mode=nvhe debugfs=off'
	fi
	all_refused
	no_trace_unit_touched "$log" >"$dir/model_unlisted.tap"
	rm -f "$log"
	ours=$load load=$(loading '' unlisted=1)
	boot _unlisted -q $units,v9-unlisted=on -- '' stats
	load=$ours
fi

# The in-tree drivers are built in. The line in the log names an initcall to disable; with it
# disabled our modules load. If coresight_init is not disabled, the in-tree driver registers the
# name cs_etm.
if [ "$driver" = v9 ] && has built_in; then
	[ "$kernel" = debug ] || { echo "guest.sh: built_in is for KERNEL=debug" >&2; exit 2; }
	refusals _built_in
	refuse profiling_unit_is_held spe 'Device or resource busy' \
		'it is built in: boot with initcall_blacklist=arm_spe_pmu_init$' \
		-q $units -a initcall_blacklist=coresight_init,etm4x_init,arm_trbe_init
	refuse trace_buffer_is_held ete 'Device or resource busy' \
		'it is built in: boot with initcall_blacklist=arm_trbe_init$' \
		-q $units -a initcall_blacklist=arm_spe_pmu_init
	refuse name_is_held ete 'Device or resource busy' 'name; unload coresight, or see the parameter .name.' \
		-q $units -a initcall_blacklist=arm_spe_pmu_init,arm_trbe_init
	refuse nothing_is_held '' 'nothing' 'nothing' -q $units -a "initcall_blacklist=$in_tree_initcalls"
	all_refused
	ours=$load load=$(loading '' name=v9_trace)
	boot _beside -q $units -a initcall_blacklist=arm_spe_pmu_init,arm_trbe_init -- \
		'V9_ETE_PMU=v9_trace' 'spe_record ete_record'
	load=$ours
fi

# A kernel below EL3 cannot read MDCR_EL3. Its effect is visible in PMBIDR_EL1.P and TRBIDR_EL1.P,
# or as events that are not reported to the kernel.
if [ "$driver" = v9 ] && has el3; then
	exc=$units,v9-spe-version=6,v9-trbe-exc=on
	flash=build/selftests/el3.flash

	# shows: SPE-OW7 SPE-ME15 TRBE-OW8 TRBE-EV10
	refusals _el3
	refuse profiling_buffer_of_secure_state spe 'Operation not permitted' "$theirs" \
		-m secure=on -q "$units,$(mdcr_el3 0 1 0 0 3 0)"
	refuse trace_buffer_of_secure_state ete 'Operation not permitted' "$theirs" \
		-m secure=on -q "$units,$(mdcr_el3 0 3 0 0 0 0)"
	refuse buffers_of_realm_state 'spe ete' 'Operation not permitted' "$theirs" \
		-m secure=on -q "x-rme=on,$units,$(mdcr_el3 1 3 0 1 3 0)"
	kept='events are recorded at a higher exception level'
	refuse profiling_events_kept spe 'not supported' "$kept" \
		-m secure=on -p $flash -q "$exc,$(mdcr_el3 0 3 3 0 3 1),v9-vbar-el3=0x4000000"
	refuse trace_events_kept ete 'not supported' "$kept" \
		-m secure=on -p $flash -q "$exc,$(mdcr_el3 0 3 1 0 3 3),v9-vbar-el3=0x4000000"
	all_refused

	# These are accepted: EL3 takes its own events only, or returns the events to the kernel.
	boot _el3_own -m secure=on -q "x-rme=on,$exc,$(mdcr_el3 0 3 2 0 3 2)" -- \
		'V9_AT=2 V9_EXCEPTIONS=off' routing
	boot _el3_delegates -m secure=on -p $flash \
		-q "$exc,$(mdcr_el3 0 3 3 0 3 3),v9-vbar-el3=0x4000800" -- \
		'V9_AT=2 V9_EXCEPTIONS=off' routing
	# EL3 traps PMBMAR_EL1, which no register shows. An access ends in the firmware, which
	# prints the exception. Profiling does not need that register.
	longest=${TIMEOUT:-1800} TIMEOUT=600
	boot _el3_keeps_pmbmar -m secure=on -p $flash \
		-q "$exc,$(mdcr_el3 0 3 1 0 3 1 0),v9-vbar-el3=0x4000000" -- \
		'V9_AT=2 V9_EXCEPTIONS=off' 'routing spe_record'
	TIMEOUT=$longest
	nothing_at_el3 "$work/boot_el3_keeps_pmbmar/console.log" >"$dir/el3_keeps_pmbmar.tap"

	# Firmware answers what EL3 permits. Its answer counts more than what it describes, and than
	# the parameters: nothing that it denies is touched, what it permits is used without consent.
	answers=v9-vbar-el3=0x4001000,v9-smccc=on
	refusals _answered
	refuse trace_buffer_registers_trapped ete 'Operation not permitted' \
		'firmware traps registers of the @ buffer (MDCR_EL3.NSTB)' \
		-m secure=on -p $flash -q "$units,$(mdcr_el3 0 3 0 0 2 0),$answers"
	refuse trace_unit_registers_trapped ete 'Operation not permitted' \
		'firmware traps registers of the trace unit (CPTR_EL3.TTA)' \
		-m secure=on -p $flash -q "$units,$(mdcr_el3 0 3 0 0 3 0),v9-cptr-el3=$((1 << 20)),$answers"
	refuse trace_filter_trapped ete 'Operation not permitted' \
		'firmware traps the trace filter registers (MDCR_EL3.TTRF)' \
		-m secure=on -p $flash \
		-q "$units,v9-mdcr-el3=$((3 << 12 | 3 << 24 | 1 << 19 | 1 << 36 | 1 << 42)),$answers"
	all_refused
	physical_unit=v9-spe-version=6,v9-spe-nvm=on,$answers
	boot _el3_answers -a kpti=on -m secure=on -p $flash \
		-q "$units,v9-unlisted=on,$physical_unit,$(mdcr_el3 0 3 0 0 3 0 1)" -- \
		'V9_AT=2 V9_MDCR=0x0080000001081000' 'cpu_regs spe_record ete_record'
	nothing_at_el3 "$work/boot_el3_answers/console.log" >"$dir/el3_answers.tap"
	ours=$load load=$(loading $physical)
	boot _el3_denies -m secure=on -p $flash -q "$units,$physical_unit,$(mdcr_el3 0 3 0 0 3 0 0)" -- \
		'V9_AT=2 V9_MDCR=0x0000000001081000' 'cpu_regs spe_record'
	load=$ours
	nothing_at_el3 "$work/boot_el3_denies/console.log" >"$dir/el3_denies.tap"
fi

# panic NAME PMU ROW COUNTER: panics while CPU 1 is recorded by panic_trace. All bytes that the unit
# generated must be in memory, and the log must have the end of the data. ROW and COUNTER select the
# bytes written in the log of the model. The first write pointer of a window is aligned, so the end
# includes padding.
panic() {
	selftests/lab/run.sh -o "$work/panic_$1" -t 400 \
		-q "v9-spe=on,v9-ete=on,v9-strict=log,v9-log=$work/panic_$1.json" -- "
		$load || exit 1
		/v9/selftests/panic_trace $2 1" >"$work/panic_$1.log" 2>&1 || :
	number=$((number + 1))
	to=$(sed -n 's/.*CPU1: last trace: .* to 0x\([0-9a-f]*\).*/\1/p' \
		"$work/panic_$1/console.log" | tr -d '\r')
	to=$((0x${to:-0}))
	row=$(grep "\"k\":\"$3\",\"cpu\":1," "$work/panic_$1.json")
	made=$(echo "$row" | sed -n 's/.*"bytes":\([0-9]*\).*/\1/p')
	written=$(echo "$row" | sed -n "s/.*\"$4\":\([0-9]*\).*/\1/p")
	if [ "$to" -gt 1024 ] && [ "$made" = "$written" ] && [ "$to" -ge "$written" ] &&
	   [ "$to" -lt $((written + 512)) ] && ! grep -q '"k":"violation"' "$work/panic_$1.json"; then
		echo "ok $number - $1_last_trace_in_memory"
	else
		echo "not ok $number - $1_last_trace_in_memory # up to $to, made $made, written $written"
		failed=1
	fi >>"$dir/panic.tap"
}

# Likewise the branches of the kernel. Recording must stop in the panic, after branches of the
# kernel, and what was captured last must be in the registers then. The guest must come to its end:
# status 125, not 124, which is that of the time-out.
panic_branches() {
	status=0
	selftests/lab/run.sh -o "$work/panic_brbe" -t 400 \
		-q "v9-brbe=on,v9-strict=log,v9-log=$work/panic_brbe.json" -- "
		insmod /v9/modules/v9_core.ko && $(loading_brbe) || exit 1
		/v9/selftests/panic_trace v9_brbe 1" >"$work/panic_brbe.log" 2>&1 || status=$?
	number=$((number + 1))
	paused=$(grep '"k":"branches","cpu":1,' "$work/panic_brbe.json" | tail -n 1)
	until=$(echo "$paused" | sed -n 's/.*"why":"pause","captured":\([0-9]*\),.*\["0x[0-9a-f]*","0xffff.*/\1/p')
	captured=$(sed -n 's/.*"k":"brbe","cpu":1,"captured":\([0-9]*\),.*/\1/p' "$work/panic_brbe.json")
	if [ $status = 125 ] && grep -q 'Kernel panic' "$work/panic_brbe/console.log" &&
	   [ -n "$until" ] && [ "$until" = "$captured" ] && ! grep -q '"k":"violation"' "$work/panic_brbe.json"; then
		echo "ok $number - brbe_stops_in_the_panic"
	else
		echo "not ok $number - brbe_stops_in_the_panic # status $status, stopped at ${until:-no}, captured $captured"
		failed=1
	fi >>"$dir/panic.tap"
}

# captured_after_pause LOG: branches that CPUs have captured after recording was last paused there
captured_after_pause() {
	awk '{
		match($0, /"cpu":[0-9]+/); cpu = substr($0, RSTART, RLENGTH)
		match($0, /"captured":[0-9]+/); n = substr($0, RSTART + 11, RLENGTH - 11)
	}
	/"k":"branches"/ { paused[cpu] = n }
	/"k":"brbe"/ { after += n - paused[cpu]; seen++ }
	END { print seen ? after + 0 : "no log" }' "$1"
}

# kexec while sessions run. The first kernel must turn the units off: they would otherwise write to
# physical addresses for ever. A PC in the range of physical memory would be one between the
# kernels. The next kernel loads no driver of branch records, which would reset their unit.
# lpa2=off, because Linux 6.12 with virtual addresses of 52 bits crashes when it copies its tables for
# kexec (Documentation/limits.rst).
kexec() {
	selftests/lab/run.sh -o "$work/kexec" -t 600 -a 'retain_initrd v9kernel=1' \
		-f "$(selftests/lab/kernel.sh image "$kernel")/vmlinuz:/v9/image" -f "$installed:/v9/kselftest" \
		-q "$units,v9-brbe=on,lpa2=off,v9-spe-nvm=on,v9-strict=log,v9-log=$work/kexec.json,v9-pclog=$work/kexec.pc" \
		-- "
		insmod /v9/modules/selftest/v9_down.ko sbrbe=1 || exit
		if grep -q v9kernel=1 /proc/cmdline; then
			$(loading $physical) && $(loading_brbe) || exit 1
			echo 1 >/sys/module/v9_core/parameters/physical
			/v9/selftests/next_kernel /v9/image v9kernel=1 v9kernel=2
			exit
		fi
		echo \"still on: \$(cat /sys/module/v9_down/parameters/on)\"
		echo \"branches still on: \$(cat /sys/module/v9_down/parameters/branches)\"
		$load || exit 1
		$(kselftests stats)" >"$work/kexec.log" 2>&1 || :
	selftests/target/results.sh "$work/kexec/tap" "$work/kexec.log" || :
	on=$(sed -n 's/^units on: //p' "$work/kexec.log")
	still=$(sed -n 's/^still on: //p' "$work/kexec.log")
	branches=$(sed -n 's/^branches on: //p' "$work/kexec.log")
	branches_still=$(sed -n 's/^branches still on: //p' "$work/kexec.log")
	# With v9_brbe each CPU captured nothing after the last pause.
	recording=2 captured=$(captured_after_pause "$work/kexec.json")
	[ "$(loading_brbe)" != : ] || { recording=0; captured=0; }
	records=$(grep -c '"k":"rec".*"pc":"0x[4-9ab][0-9a-f]\{7\}"' "$work/kexec.json" || :)
	ranges=$(cat "$work"/kexec.pc.* | od -An -v -w16 -t x8 |
		awk '$1 "" >= "0000000040000000" && $1 "" < "00000000c0000000"' | wc -l)
	{
		echo 1..8
		result 1 units_on_before "$on" 2
		result 2 units_off_in_the_next_kernel "$still" 0
		result 3 no_record_in_between "$records" 0
		result 4 no_trace_in_between "$ranges" 0
		result 5 no_rule_broken "$(grep -c '"k":"violation"' "$work/kexec.json" || :)" 0
		result 6 branches_on_before "$branches" $recording
		result 7 branches_off_in_the_next_kernel "$branches_still" 0
		result 8 no_branch_after_the_last_pause "$captured" 0
	} >"$dir/kexec.tap"
	cp "$work/kexec/tap/stats.tap" "$dir/stats_kexec.tap" 2>/dev/null ||
		printf '1..1\nnot ok 1 - complete # see %s\n' "$work/kexec.log" \
			>"$dir/stats_kexec.tap"
	! grep -q '^not ok' "$dir/kexec.tap" "$dir/stats_kexec.tap" || failed=1
	rm -f "$work"/kexec.json "$work"/kexec.pc.*
}

if [ "$driver" = v9 ] && has kexec; then
	kexec
fi

if [ "$driver" = v9 ] && has life; then
	log=$work/life.json
	boot _life -q "$units,v9-strict=log,v9-log=$log" -- V9_IN_FLIGHT=16 \
		'tasks ete_mapping suspend'
	no_rule_broken "$log" >"$dir/model_strict_life.tap"
	rm -f "$log"
fi

if [ "$driver" = v9 ] && has panic; then
	number=0
	: >"$dir/panic.tap"
	panic spe arm_spe_0 score bytes
	panic ete cs_etm ete written
	[ "$(loading_brbe)" = : ] || panic_branches
	echo "1..$number" >>"$dir/panic.tap"
fi

grep -h '^not ok' "$dir"/*.tap || :
exit $failed
