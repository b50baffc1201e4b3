#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Boots guests with ACPI tables that lab/mkacpi.c writes, correct and incorrect ones, and checks
# what the modules do with each. KERNEL=6.12|6.1|7 chooses the kernel. Four CPUs. Writes TAP to
# build/results/kernel-KERNEL/acpi/tables.tap.
set -u
cd "$(dirname "$0")/.." || exit 2
export KERNEL="${KERNEL:-6.12}"
results=build/results/kernel-$KERNEL/acpi
acpi=build/acpi/$KERNEL
mkdir -p "$results" "$acpi"
n=0
failed=0

result() {	# NAME EXPECTED GOT
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1 # expected '$2', is '$3'"
	fi
}

# Runs in the guest: prints the PMUs with their CPUs, the lines of the log, and what is left after
# unloading.
facts='
	dd if=/sys/firmware/acpi/tables/DSDT of=/out/dsdt.aml bs=1M 2>/dev/null
	cd /v9/modules
	/usr/sbin/insmod ./v9_core.ko
	/usr/sbin/insmod ./v9_spe.ko; echo "status spe $?"
	/usr/sbin/insmod ./v9_ete.ko $OPTIONS; echo "status ete $?"
	for pmu in arm_spe_0 arm_spe_1 cs_etm; do
		dir=/sys/bus/event_source/devices/$pmu
		[ ! -e $dir ] || echo "pmu $pmu $(cat $dir/cpumask 2>/dev/null || echo all)"
	done
	dmesg | sed -n "s/^[^]]*\] \(v9_[a-z]*\): /line \1 /p; s/^[^]]*\] \(v9_[a-z]*\) \([^:]*\): /line \1 \2 /p"
	[ ! -e /sys/module/v9_ete ] || /usr/sbin/rmmod v9_ete
	[ ! -e /sys/module/v9_spe ] || /usr/sbin/rmmod v9_spe
	/usr/sbin/rmmod v9_core && echo "unloaded"
	echo "interrupts of others $(grep -c arm-pmu /proc/interrupts)"
	ls /sys/bus/platform/devices | grep "^v9_" | sed "s/^/left /"
	dmesg | grep -E "WARNING|BUG|Call trace" | sed "s/^/left /"
	true'

# tables NAME WORDS [CPU-PROPERTIES [OPTIONS]]: boots; the output is in build/acpi/KERNEL/NAME.txt
tables() {
	out=$acpi/$1.txt
	selftests/lab/run.sh -o "$acpi/$1" -s 4 -q "v9-spe=on,v9-ete=on${3:+,$3}" -A "$2" \
		-- "OPTIONS='${4:-}'; $facts" >"$out" 2>&1
	result "$1_boots_and_unloads" "unloaded" "$(grep -x unloaded "$out")"
	result "$1_leaves_nothing" "" "$(grep '^left ' "$out" | head -n 1)"
}

# pmus NAME EXPECTED: compares PMUs and their CPUs
pmus() { result "$1_pmus" "$2" "$(sed -n 's/^pmu //p' "$acpi/$1.txt" | paste -sd ';')"; }
# line NAME MODULE EXPECTED: exactly one line of that module has the text
line() {
	result "$1_names_the_entry_of_$2" "1" "$(grep -cF "$3" "$acpi/$1.txt")"
}

# lines NAME TEXT N: so many lines of the log have the text
lines() { result "$1_logs_it" "$3" "$(grep '^line ' "$acpi/$1.txt" | grep -cF "$2")"; }

# without_maker FILE: prints a table without its checksum and the ids of its creator
without_maker() { od -An -v -tx1 -w1 "$1" | sed '10d; 29,36d'; }

# compiled NAME WORDS: Intel's compiler disassembles the tables and compiles the result, which must
# give the same tables. (It shortens names in the SSDT.)
compiled() {
	dir=$PWD/$acpi/iasl_$1
	rm -rf "$dir"
	mkdir -p "$dir"
	# shellcheck disable=SC2086
	selftests/lab/root.sh run -- sh -c 'cc -std=gnu11 -o "$1" selftests/lab/mkacpi.c && "$@"' sh \
		"$dir/mkacpi" "$dir" 4 $2
	mv "$dir"/kernel/firmware/acpi/* "$dir"
	for table in apic pptt ssdt; do
		selftests/lab/peers.sh -t acpi run -- sh -c '
			cd "$1" && iasl -d $2.aml && iasl -p again_$2 $2.dsl' sh "$dir" $table >"$dir/$table.log" 2>&1
		result "$1_${table}_compiles" "0 Errors, 0 Warnings, 0 Remarks" \
			"$(sed -n 's/.*successful\. \(0 E[^.]*Remarks\).*/\1/p' "$dir/$table.log")"
		[ $table = ssdt ] || result "$1_${table}_is_the_same_again" "$(without_maker "$dir/$table.aml" | sha256sum)" \
			"$(without_maker "$dir/again_$table.aml" | sha256sum)"
	done
}

# field TABLE NAME EXPECTED: compares the values of the field in the tables that were compiled last
field() {
	result "field_$(echo "$2" | tr 'A-Z ' 'a-z_')" "$3" \
		"$(sed -n "s/^.* $2 : //p" "$dir/$1.dsl" | paste -sd ' ')"
}

{
	compiled two_sockets "spe=21,22 trbe=18,19 pptt=two"
	field apic "SPE Overflow Interrupt" "0015 0016 0016 0016"
	field apic "TRBE Interrupt" "0012 0013 0013 0013"
	field apic "Processor UID" "00000000 00000001 00000002 00000003"
	field pptt "Identical Implementation" "1 0 0 0 0 0 0"
	field pptt "Physical package" "0 1 0 0 1 0 0"
	result devices_of_trace_units 4 "$(grep -c '_HID, "ARMHC500"' "$dir/ssdt.dsl")"
	compiled right spe=21

	tables right spe=21
	pmus right "arm_spe_0 0-3;cs_etm all"
	# The DSDT that the kernel has: our SSDT adds the trace units to its processors.
	selftests/lab/peers.sh -t acpi run -- sh -c '
		cd "$1" && iasl -d dsdt.aml && iasl -p again dsdt.dsl' sh \
		"$PWD/$acpi/right" >"$dir/dsdt.log" 2>&1
	result right_dsdt_compiles "0 Errors" "$(sed -n 's/.*successful\. \(0 Errors\),.*/\1/p' "$dir/dsdt.log")"
	result right_dsdt_has_the_processors "C000 C001 C002 C003" \
		"$(sed -n '/Device (C0/{ s/.*(\(.*\))/\1/; h; n; n; /ACPI0007/{ x; p; }; }' "$acpi/right/dsdt.dsl" | paste -sd ' ')"

	tables zero "spe=0 trbe=0"
	pmus zero ""
	line zero spe "v9_spe firmware describes no Statistical Profiling Extension: GICC entry of CPU0 has interrupt 0"
	line zero ete "v9_ete firmware describes no Trace Buffer Extension: GICC entry of CPU0 has interrupt 0"

	tables first_zero "spe=0,21 trbe=0,18"
	pmus first_zero "arm_spe_0 1-3;cs_etm 1-3"
	line first_zero spe "v9_spe CPUs 0 not used: GICC entry of CPU0 has interrupt 0"
	line first_zero ete "v9_ete CPUs 0 not used: GICC entry of CPU0 has interrupt 0"

	# A fault of its own for some of the CPUs
	tables mixed "spe=0,40,15,21 trbe=18,0,19,18"
	pmus mixed "arm_spe_0 3;cs_etm 0,2-3"
	line mixed spe "v9_spe CPUs 0 not used: GICC entry of CPU0 has interrupt 0"
	lines mixed "v9_spe CPUs 1-2 not used: GICC entry of CPU1 has interrupt 40, which is no PPI" 1
	line mixed ete "v9_ete CPUs 1 not used: GICC entry of CPU1 has interrupt 0"

	# The interrupt of the PMU of the kernel, and one for both units
	tables taken "spe=23 trbe=23"
	pmus taken ""
	lines taken "interrupt 23 is held by another driver" 2
	result taken_leaves_it_to_the_other "interrupts of others 1" "$(grep '^interrupts of others' "$acpi/taken.txt")"
	tables shared "spe=21 trbe=21"
	pmus shared "arm_spe_0 0-3"
	lines shared "interrupt 21 is held by another driver" 1

	tables last_zero "spe=21,21,21,0 trbe=18,18,18,0"
	pmus last_zero "arm_spe_0 0-2;cs_etm 0-2"
	line last_zero spe "v9_spe CPUs 3 not used: GICC entry of CPU3 has interrupt 0"

	tables several "spe=21,22 trbe=18,19"
	pmus several "arm_spe_0 0;arm_spe_1 1-3;cs_etm all"

	tables sgi "spe=15 trbe=15"
	pmus sgi ""
	line sgi spe "Statistical Profiling Extension not used: GICC entry of CPU0 has interrupt 15, which is no PPI"

	tables spi "spe=40 trbe=40"
	pmus spi ""
	line spi spe "v9_spe arm,spe-v1 not used: GICC entry of CPU0 has interrupt 40, which is no PPI"

	tables size_76 "gicc=76"
	pmus size_76 ""
	line size_76 spe "v9_spe firmware describes no Statistical Profiling Extension: GICC entry of CPU0 ends before the interrupt (0)"
	for size in 80 81; do
		tables size_$size "gicc=$size"
		pmus size_$size "arm_spe_0 0-3"
		line size_$size ete "v9_ete firmware describes no Trace Buffer Extension: GICC entry of CPU0 ends before the interrupt (0)"
	done

	for kind in two no_root ids qemu; do
		tables topology_$kind "pptt=$kind"
		pmus topology_$kind "arm_spe_0 0-3;cs_etm all"
	done

	tables two_midrs spe=21 v9-second=2/midr=0x410fd470
	pmus two_midrs "arm_spe_0 0-3;cs_etm all"

	# QEMU's own tables: SPE's interrupt is 0, the place of TRBE's is not there.
	tables qemu -
	pmus qemu ""
	line qemu spe "v9_spe firmware describes no Statistical Profiling Extension: GICC entry of CPU0 has interrupt 0"
	line qemu ete "v9_ete firmware describes no Trace Buffer Extension: GICC entry of CPU0 ends before the interrupt (0)"

	tables some_ete ete=1,0,1,2
	pmus some_ete "arm_spe_0 0-3;cs_etm 0,2"
	lines some_ete "CPU1: not used: firmware describes no trace unit" 1
	line some_ete ete "CPU3: not used: firmware describes no trace unit"

	tables no_ete ete=0
	pmus no_ete "arm_spe_0 0-3"
	line no_ete ete "firmware describes no trace unit; load with unlisted=1"
	tables no_ete_unlisted ete=0 "" unlisted=1
	pmus no_ete_unlisted "arm_spe_0 0-3;cs_etm all"
	echo "1..$n"
} >"$results/tables.tap"
grep '^not ok' "$results/tables.tap"
exit $failed
