#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace doctor on machines that were recorded in guests (selftests/doctor.sh; golden/doctor), and
# on changed copies of these. golden/doctor/expected has what it must say: machine, unit, status,
# causes. TAP.
#   doctor.sh summary NAME <JSON    lines of that form of the doctor's output
#   doctor.sh pack TAR              a recorded tree as text; unpack <TEXT DIR
set -u
cd "$(dirname "$0")/../.." || exit 2

# summary NAME: a line for each unit
summary() {
	awk -v name="$1" -F '"' '
		/"status":/ { if (line) print line; line = name " " $4 " " $8; next }
		/"cause":/ { line = line " " $8 }
		END { if (line) print line }'
}

# A line "== PATH" before each file; what is no text is in octal, behind "=o PATH".
pack() {
	dir=$(mktemp -d) || exit 2
	tar -xf "$1" -C "$dir"
	(
		cd "$dir" || exit 2
		find . -type f | LC_ALL=C sort | while read -r file; do
			if [ "$(tr -d '\0' <"$file" | wc -c)" = "$(wc -c <"$file")" ]; then
				echo "== ${file#./}"
				cat "$file"
				[ -z "$(tail -c 1 "$file")" ] || echo
			else
				echo "=o ${file#./}"
				od -An -v -to1 -w24 "$file"
			fi
		done
	)
	rm -rf "$dir"
}

# unpack DIR
unpack() {
	while IFS= read -r line; do
		case $line in
		'== '* | '=o '*)
			form=${line%% *} file=$1/${line#* }
			mkdir -p "$(dirname "$file")"
			: >"$file"
			;;
		*)
			if [ "$form" = =o ]; then
				# shellcheck disable=SC2059
				printf "$(printf %s "$line" | sed 's/ /\\/g')"
			else
				printf '%s\n' "$line"
			fi >>"$file"
			;;
		esac
	done
}

case ${1:-} in
summary) summary "$2"; exit ;;
pack) pack "$2"; exit ;;
unpack) unpack "$2"; exit ;;
esac
. selftests/host/suite.inc
golden=$PWD/selftests/golden/doctor
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# machine NAME: $tmp/NAME as it was recorded
machine() { rm -rf "$tmp/$1"; unpack "$tmp/$1" <"$golden/$1"; }
# like NAME ORIGINAL: a copy to be changed
like() { machine "$2"; rm -rf "$tmp/$1"; cp -r "$tmp/$2" "$tmp/$1"; tree=$tmp/$1; }
# line FILE TEXT: the file of $tree with this one line
line() { mkdir -p "$(dirname "$tree/$1")"; printf '%s\n' "$2" >"$tree/$1"; }

# check NAME: what the doctor says of it is what is expected; and it says so to people, too
check() {
	"$V9TRACE" doctor --json --root "$tmp/$1" >"$tmp/json" 2>"$tmp/err"
	want=$(grep "^$1 " "$golden/expected")
	got=$(summary "$1" <"$tmp/json")
	if [ -n "$want" ] && [ "$want" = "$got" ]; then
		ok "$1"
	else
		not_ok "$1" "$(echo "$got" | tr '\n' ';') $(head -n 1 "$tmp/err")"
	fi
	{
		echo "== $1"
		cat "$tmp/json" "$tmp/err"
		"$V9TRACE" doctor --root "$tmp/$1" 2>&1
		echo "exit status $?"
	} >>"$tmp/output"
}

for file in "$golden"/*; do
	name=${file##*/}
	[ "$name" != expected ] || continue
	machine "$name"
	check "$name"
done

# Sources: each is a recorded machine with the change that the lines say.
like other_machine not_loaded; line pseudo/uname 'x86_64 6.12.1'; check other_machine
base=sys/firmware/devicetree/base
like id vm; rm "$tree/$base/model"; check id
# Names of DMI as Amazon's documentation has them
like vm_cloud vm; rm "$tree/$base/model"; line sys/class/dmi/id/sys_vendor 'Amazon EC2'
line sys/class/dmi/id/product_name m7g.large; check vm_cloud
like metal not_loaded; rm "$tree/$base/model"; line sys/class/dmi/id/sys_vendor 'Amazon EC2'
line sys/class/dmi/id/product_name c7g.metal; check metal
# MIDR_EL1 of Neoverse N1, which has no trace unit
like core not_loaded; rm -r "$tree/sys/firmware"
line sys/devices/system/cpu/cpu0/regs/identification/midr_el1 0x00000000413fd0c1; check core
like no_node not_loaded; rm "$tree/$base/model"; rm -r "$tree/$base/spe-pmu" "$tree/$base/trbe"; check no_node
like node_disabled not_loaded; line $base/spe-pmu/status disabled; line $base/trbe/status disabled
check node_disabled
like node_interrupt not_loaded; rm "$tree/$base/spe-pmu/interrupts" "$tree/$base/trbe/interrupts"
check node_interrupt
# Lines of drivers/unit.c on a kernel with its drivers built in (guest.sh built_in)
like built_in not_loaded; line pseudo/dmesg \
	'[    9.1] v9_spe: spe-pmu not used: held by driver arm_spe_pmu; it is built in: boot with initcall_blacklist=arm_spe_pmu_init
[    9.2] v9_ete trbe: not used: its interrupt is held by another driver; it is built in: boot with initcall_blacklist=arm_trbe_init'
check built_in
like held not_loaded; line pseudo/dmesg \
	'[    9.1] v9_spe: spe-pmu not used: held by driver arm_spe_pmu; unload arm_spe_pmu'
check held
# What the in-tree drivers log (arm_spe_pmu.c, coresight-trbe.c, arm_pmu_acpi.c)
like in_tree_kpti not_loaded; line pseudo/dmesg \
	'[    9.1] arm_spe_pmu spe-pmu: profiling buffer inaccessible. Try passing "kpti=off" on the kernel command line
[    9.2] TRBE wouldn'"'"'t work if kernel gets unmapped at EL0'
check in_tree_kpti
like in_tree_el3 not_loaded; line pseudo/dmesg \
	'[    9.1] arm_spe_pmu spe-pmu: profiling buffer owned by higher exception level
[    9.2] TRBE is owned in higher exception level for cpu 0'
check in_tree_el3
# The owner shows in the registers, too; EL3 keeps one of the buffers, and the log has nothing.
like owner_of_spe el3_owner; line pseudo/dmesg ''
for cpu in 0 1; do line sys/devices/system/cpu/cpu$cpu/v9trace/trbidr_el1 0x26; done; check owner_of_spe
like owner_of_ete el3_owner; line pseudo/dmesg ''
for cpu in 0 1; do line sys/devices/system/cpu/cpu$cpu/v9trace/pmbidr_el1 0x26; done; check owner_of_ete
# trapped UNIT MDCR CPTR FIELD: masks of firmware, and the field that is to be named
trapped() {
	like trapped el3_traps
	rm -r "$tree"/sys/bus/event_source/devices/[ac]*
	for cpu in 0 1; do
		# BRBE, and the units of the platform
		line sys/devices/system/cpu/cpu$cpu/v9trace/id_aa64dfr0_el1 0x109011031030561a
		line sys/devices/system/cpu/cpu$cpu/v9trace/mdcr_el3 "$2"
		line sys/devices/system/cpu/cpu$cpu/v9trace/cptr_el3 "$3"
	done
	name=trapped_$(echo "$4" | tr 'A-Z.' 'a-z_')
	"$V9TRACE" doctor --json --root "$tree" "$1" >"$tmp/json"
	if grep -q "\"cause\":\"el3_traps\".*($4)" "$tmp/json"; then
		ok "$name"
	else
		not_ok "$name" "$(tail -n 1 "$tmp/json")"
	fi
}
# Each mask lacks one bit of 12, 19, 24, 32; 20
trapped spe 0x0000000101080000 0x100000 MDCR_EL3.NSPB
trapped ete 0x0000000101001000 0x100000 MDCR_EL3.TTRF
trapped ete 0x0000000100081000 0x100000 MDCR_EL3.NSTB
trapped brbe 0x0000000001081000 0x100000 MDCR_EL3.SBRBE
trapped ete 0x0000000101081000 0 CPTR_EL3.TTA
"$V9TRACE" doctor --json --root "$tree" spe brbe >"$tmp/json"
grep -q el3_traps "$tmp/json" && not_ok trapped_no_other "$(grep el3_traps "$tmp/json")" || ok trapped_no_other
# v9trace's log of a unit that the table of causes has no row for
like refused not_loaded; line pseudo/dmesg \
	'[    9.1] v9_ete trbe: not used: a debugger has the trace unit (claim tag 0)'
check refused
# The package v9trace-dkms without modules for this kernel, and a user who has chosen the other driver
like dkms in_tree; line usr/lib/modprobe.d/v9trace-spe.conf ''; line usr/lib/modprobe.d/v9trace-ete.conf ''
sed -i /v9_/d "$tree"/lib/modules/*/modules.dep; line etc/modprobe.d/v9trace-ete.conf ''; check dkms
like dkms_not_loaded not_loaded; line usr/lib/modprobe.d/v9trace-spe.conf ''; check dkms_not_loaded
like no_driver not_installed; rm -r "$tree/boot"; check no_driver
# A driver whose lines have left the log
like no_pmu works; rm -r "$tree"/sys/bus/event_source/devices/[ac]*; line pseudo/dmesg ''; check no_pmu
# errno 22, EINVAL
like event works; line pseudo/open-arm_spe_0 'task 22 cpu 22'; check event
# errno 16, EBUSY
like busy_cpus works; line pseudo/open-arm_spe_0 'task 0 cpu 16'; check busy_cpus
like interval works; line sys/bus/event_source/devices/arm_spe_0/stats/collisions 37; check interval
# BRBE. The log has lines that drivers/brbe.c prints.
like sbrbe not_loaded; line pseudo/dmesg \
	'[    9.1] v9_brbe v9_brbe: not used: load with sbrbe=1 if firmware sets MDCR_EL3.SBRBE'
check sbrbe
like kernel_at_el1 not_loaded; line pseudo/dmesg \
	'[    9.1] v9_brbe: not used: the kernel does not run at EL2 (VHE)'
check kernel_at_el1
like not_found not_loaded; echo CONFIG_ARM64_BRBE=y >>"$(echo "$tree"/boot/config-*)"; check not_found
like brbe_not_loaded not_loaded; echo updates/v9_brbe.ko: >>"$(echo "$tree"/lib/modules/*/modules.dep)"
check brbe_not_loaded
# ours TASK CPU: v9_brbe is loaded. Opening an event of a task gives errno TASK, of a CPU errno CPU; 0: works
ours() {
	line sys/bus/event_source/devices/v9_brbe/type 20
	line sys/bus/event_source/devices/v9_brbe/stats/paused 0
	line pseudo/open-v9_brbe "task $1 cpu $2"
}
# 16 EBUSY, 13 EACCES, 95 EOPNOTSUPP
like brbe_works not_loaded; ours 0 0; check brbe_works
like no_counter not_loaded; ours 16 16; check no_counter
like brbe_paranoid not_loaded; ours 13 13; check brbe_paranoid
like brbe_event not_loaded; ours 95 95; check brbe_event
# The kernel's own driver
like brbe_in_tree not_loaded; echo CONFIG_ARM64_BRBE=y >>"$(echo "$tree"/boot/config-*)"
line sys/bus/event_source/devices/armv8_pmuv3_0/caps/branches 32
line sys/bus/event_source/devices/armv8_pmuv3_0/type 8
line pseudo/open-armv8_pmuv3_0 'task 0 cpu 0'; check brbe_in_tree
# Versions as "perf version --build-options" prints them
like perf_old works; line pseudo/perf 'perf version 5.4.0
        libopencsd: [ OFF ]  # HAVE_CSTRACE_SUPPORT'
check perf_old
like perf_missing works; rm -f "$tree/pseudo/perf"; check perf_missing

# The table of cores says what that of the README says.
sed -n 's/^\t{ 0x4[0-9a-f]*, "\([^"]*\)", { \(.*\) } },$/\1:\2/p' tools/doctor/facts.c |
	sed 's/V9_DOC_YES/yes/g; s/V9_DOC_NO/no/g; s/ 0$/ -/; s/:0,/:-,/; s/,//g' >"$tmp/cores"
while IFS=: read -r name has; do
	row=$(grep -m 1 -E "^  [A-Z].*\b${name##*[ -]}\b.* (yes|no|-) " README)
	said=$(echo "$row" | sed 's/^  *//' | awk -F '  +' '{ print $2, $3, $4 }')
	word=core_$(echo "$name" | tr 'A-Z -' 'a-z__')
	[ "$said" = "$has" ] && ok "$word" || not_ok "$word" "README: $said; table: $has"
done <"$tmp/cores"
[ "$(wc -l <"$tmp/cores")" -gt 15 ] && ok cores_were_found || not_ok cores_were_found "$(wc -l <"$tmp/cores")"

# Each row of the table of causes is expected of some machine.
sed -n 's/^\t{ "\([a-z0-9_]*\)", [A-Z |]*, V9_DOC_.*/\1/p' tools/doctor/checks.c >"$tmp/ids"
for id in $(cat "$tmp/ids"); do
	if cut -d ' ' -f 4- "$golden/expected" | grep -qw "$id"; then
		ok "row_$id"
	else
		not_ok "row_$id" "no machine has it"
	fi
done
[ "$(wc -l <"$tmp/ids")" -gt 35 ] && ok rows_were_found || not_ok rows_were_found "$(wc -l <"$tmp/ids")"

# exit_status NAME MACHINE STATUS [UNIT]...
exit_status() {
	name=$1 of=$2 want=$3
	shift 3
	"$V9TRACE" doctor --root "$tmp/$of" "$@" >"$tmp/out" 2>"$tmp/err"
	got=$?
	[ $got = "$want" ] && ok "$name" || not_ok "$name" "status $got"
}
exit_status status_works works 0
exit_status status_one_works kpti 0
exit_status status_named_fails kpti 1 spe
exit_status status_named_works kpti 0 ete
exit_status status_both_named kpti 1 spe ete
exit_status status_fails not_loaded 1
exit_status status_unseen acpi_denied 3
exit_status status_brbe_does_not_count works 1 brbe
like branches not_loaded; line sys/bus/event_source/devices/v9_brbe/type 20
line pseudo/open-v9_brbe 'task 0 cpu 0'
exit_status status_brbe_alone branches 1
exit_status status_brbe_named branches 0 brbe
rm -r "$tree/sys/bus/event_source/devices/v9_brbe" "$tree/pseudo/open-v9_brbe"
line sys/bus/event_source/devices/armv8_pmuv3_0/caps/branches 32
line sys/bus/event_source/devices/armv8_pmuv3_0/type 8
line pseudo/open-armv8_pmuv3_0 'task 0 cpu 0'
exit_status status_brbe_of_the_kernel branches 0 brbe
exit_status status_unknown_unit works 2 pmu
exit_status status_unknown_option works 2 --nonsense
exit_status status_no_tree expected 1
grep -q 'no tree' "$tmp/err" && ok no_tree_is_said || not_ok no_tree_is_said "$(cat "$tmp/err")"
mkdir "$tmp/there"
"$V9TRACE" doctor --record "$tmp/there" >/dev/null 2>"$tmp/err" && not_ok record_wants_a_new_directory taken ||
	{ grep -q 'new directory' "$tmp/err" && ok record_wants_a_new_directory ||
		not_ok record_wants_a_new_directory "$(cat "$tmp/err")"; }

# Works or not, why, what to do: in this order, the decisive cause first.
"$V9TRACE" doctor --root "$tmp/kpti" spe >"$tmp/out"
if [ "$(sed -n 's/^\(SPE *does not work\|  why\|  do\) .*/\1/p' "$tmp/out" | tr -s ' ' | tr '\n' ';')" = \
     'SPE does not work; why; do;' ] || sed -n 3p "$tmp/out" | grep -q '^SPE *does not work$'; then
	ok order_of_text
else
	not_ok order_of_text "$(sed -n 3p "$tmp/out")"
fi
# A unit is in use: who has perf events. Names are input of other programs.
like in_use busy
printf 'holder 12 4 pe\033[2Jrf\nholder 345 1 v9trace\nmore 2\nunread 7\n' >"$tree/pseudo/holders"
"$V9TRACE" doctor --root "$tree" spe | sed -n '/^  who/,$p' | tr -s ' \n' ' ' >"$tmp/out"
want=' who perf events are open in pe?[2Jrf (PID 12, 4 events), v9trace (PID 345, 1 event) and 2 more '
[ "$(cat "$tmp/out")" = "$want" ] && ok holders_are_named || not_ok holders_are_named "$(cat -v "$tmp/out")"
"$V9TRACE" doctor --json --root "$tree" >"$tmp/json"
want='"holders":[{"pid":12,"name":"pe?[2Jrf","events":4},{"pid":345,"name":"v9trace","events":1}],"more_holders":2,"unread_processes":7}'
[ "$(grep -c -F "$want" "$tmp/json")" = 1 ] && grep -F "$want" "$tmp/json" | grep -q '"cause":"busy"' &&
	ok holders_in_json || not_ok holders_in_json "$(grep '"busy"' "$tmp/json" | cat -v)"
sed -i 's/^Uid:.*/Uid:	1000	1000	1000	1000/' "$tree/proc/self/status"
"$V9TRACE" doctor --root "$tree" spe | tr -s ' \n' ' ' | grep -q 'and 2 more; root may see others $' &&
	ok holders_for_root || not_ok holders_for_root "no word of root"
# Of a unit that is not in use, or whose holders are not in the tree, nothing is said.
like not_in_use works; printf 'holder 12 4 perf\n' >"$tree/pseudo/holders"
like not_recorded busy; rm "$tree/pseudo/holders"
for of in not_in_use not_recorded; do
	"$V9TRACE" doctor --json --root "$tmp/$of" >"$tmp/json"
	"$V9TRACE" doctor --root "$tmp/$of" >"$tmp/out"
	grep -q holders "$tmp/json" || grep -q '^  who' "$tmp/out" && not_ok holders_$of "they are named" || ok holders_$of
done
# UEFI: four bytes of attributes, then 1
efi=sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c
like secure signature; line $efi ''
for value in 0 1; do
	printf '\006\000\000\000\00'$value >"$tree/$efi"
	said=$("$V9TRACE" doctor --root "$tree" | sed -n '1s/.*Secure Boot.*/1/p')
	[ "${said:-0}" = $value ] && ok secure_boot_$value || not_ok secure_boot_$value "${said:-0}"
done
# A tree of rubbish is no machine, and no crash.
like rubbish works
find "$tree" -type f | while read -r file; do head -c 300 /dev/urandom >"$file"; done
exit_status status_of_rubbish rubbish 0
like empty works; rm -r "$tree"; mkdir -p "$tree/pseudo"; exit_status status_of_nothing empty 1
like outside works; line pseudo/uname 'aarch64 ../../../etc/'
exit_status status_of_a_release_with_slashes outside 0
# What is recorded here is what is read again.
"$V9TRACE" doctor --json --record "$tmp/here" >"$tmp/first"
"$V9TRACE" doctor --json --root "$tmp/here" >"$tmp/second"
cmp -s "$tmp/first" "$tmp/second" && ok recorded_as_seen || not_ok recorded_as_seen "$(diff "$tmp/first" "$tmp/second" | head -n 1)"
# Whole output of all these, as text and as JSON: UPDATE=1 writes the file.
sed "s|$tmp|DIR|g" "$tmp/output" >"$tmp/got"
golden_is output "$tmp/got" "$golden.output"
finish
