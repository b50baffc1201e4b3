#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Compares names in the sources with the documentation: each file and parameter of the modules has
# an entry in Documentation/ABI, each option a row in the tables of Documentation/trace that name
# its test, and v9trace stat shows each counter. After each check an entry is removed from a copy,
# and the check must fail. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
export LC_ALL=C
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
failed=0

# result NAME WHAT-IS-WRONG
result() {
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1 # $2"
		failed=1
	fi
}

# rows FILE: the first column of the tables in an ABI file, one name per line
rows() {
	sed -n 's/^\t\t\([a-z<][a-z0-9_<>, ]*\)/\1/p' "Documentation/ABI/testing/$1" |
		sed 's/  .*//' | tr -s ', ' '\n'
}

# not_in FILE: prints the names from standard input that are in no row of the file
not_in() {
	rows "$1" | sort -u >"$tmp/rows"
	sort -u | comm -23 - "$tmp/rows" | sed "s|\$| is not in $1|"
}

spe=sysfs-bus-event_source-devices-arm_spe
ete=sysfs-bus-event_source-devices-cs_etm
brbe=sysfs-bus-event_source-devices-v9_brbe

# The ABI file of SPE describes the masks of all types in one row.
options() {
	sed -n 's/.*\(OPTION\|SPECIAL\|INVERTED\)("\([a-z0-9_]*\)",.*/\2/p' "drivers/lib/$1.c"
}
spe_options() { options attr | sed 's/^[a-z]*_filter_mask$/<type>_filter_mask/'; }
ete_options() { options attr_ete; echo contextid; }
brbe_options() { sed -n '/options\[\]/,/^};/s/.*\.name = "\([a-z]*\)".*/\1/p' drivers/lib/attr_brbe.c; }
brbe_events() { sed -n '/events\[\]/,/^};/s/.*{ "\([a-z]*\)", "[a-z]*".*/\1/p' drivers/lib/attr_brbe.c; }
brbe_caps() { sed -n 's/.*v9_pmu_add_value(caps, "\([a-z_]*\)".*/\1/p' drivers/brbe.c; }
caps() { sed -n '/^} caps\[\]/,/^};/s/.*{ "\([a-z_]*\)".*/\1/p' drivers/lib/attr.c; }

# Each counter and its name; those of branch stacks are the last ones.
stats() { sed -n 's/.*\[\(V9_STAT_[A-Z_]*\)\] = "\([a-z_]*\)".*/\1 \2/p' drivers/sysfs.c; }
# counters UNIT: prints the names of the files in its stats/
counters() {
	without=$(sed -n '/\.no_stats = /,/,$/p' "drivers/$1.c" | grep -o 'V9_STATS*_[A-Z_]*')
	for stat in $without; do
		case $stat in
		V9_STATS_OF_BUFFER) stats | sed '/V9_STAT_PAUSED/,$d; /V9_STAT_INTERRUPTS\|V9_STAT_BYTES/d' ;;
		V9_STATS_OF_BRANCHES) stats | sed -n '/V9_STAT_PAUSED/,$p' ;;
		*) echo "$stat -" ;;
		esac
	done | cut -d ' ' -f 1 | sort -u >"$tmp/without"
	stats | sort | join -v 1 - "$tmp/without" | cut -d ' ' -f 2
}
tracepoints() { sed -n 's/^TRACE_EVENT(\([a-z0-9_]*\),.*/\1/p' drivers/v9_events.h; }
# settings UNIT: prints the names of the files in its tuning/; only SPE has min_interval
settings() {
	{
		sed -n 's/^\t\t\[V9_[A-Z_]*\] = "\([a-z_]*\)",$/\1/p' drivers/lib/tuning.c
		sed -n 's/.*v9_pmu_add_file(dir, "\([a-z_]*\)".*/\1/p' drivers/tuning.c
	} | { [ "$1" = spe ] && cat || grep -v '^min_interval$'; } | grep -vE '^(perf|perfmon|nobody)$'
}
aliases() { sed -n 's/.*{ __ATTR(\([a-z]*\), 0444, alias_show.*/\1/p' drivers/ete.c; }

# Prints the ABI file and the heading that each directory, file and parameter must have.
headings() {
	for file in format stats per_cpu cpumask caps tuning; do
		echo "$spe /sys/bus/event_source/devices/arm_spe_<n>/$file"
	done
	for file in format stats per_cpu tuning cpumask events nr_addr_filters sinks \
		cpu\<n\>/cpu cpu\<n\>/ts_source cpu\<n\>/trfcr_ts; do
		echo "$ete /sys/bus/event_source/devices/cs_etm/$file"
	done
	for file in format stats per_cpu cpumask events caps; do
		echo "$brbe /sys/bus/event_source/devices/v9_brbe/$file"
	done
	echo "tracefs-events-v9trace /sys/kernel/tracing/events/v9trace"
	echo "sysfs-devices-system-cpu-v9trace /sys/devices/system/cpu/cpu<n>/v9trace"
	echo "debugfs-v9trace /sys/kernel/debug/v9trace/<pmu>/routing"
	grep -lE '^module_param(_cb)?\(' drivers/*.c | while read -r source; do
		module=$(module_of "$source")
		sed -nE 's/^module_param(_cb)?\(([a-z_]*),.*/\2/p' "$source" |
			sed "s|.*|sysfs-module-$module /sys/module/$module/parameters/&|"
	done
}
# module_of SOURCE: the module that Kbuild links its object into
module_of() {
	object=$(basename "$1" .c).o
	sed ':again; /\\$/{ N; s/\\\n//; b again }' Kbuild |
		sed -nE "s/^(v9_[a-z]*)-y := (.*[ ,\/])?$object\\b.*/\1/p"
}
without_heading() {
	headings | while read -r file what; do
		grep -qE "^What:[[:space:]]*$what(/\*)?\$" \
			"Documentation/ABI/testing/$file" || echo "$what is not in $file"
	done
}

# tabled UNIT: prints the options from standard input that the table of its tests lacks
tabled() {
	while read -r name; do
		case $name in
		*'<type>'*) name=TYPE_filter_mask ;;
		strobe_period) name=_period ;;
		trigger_address | trigger_after) name=trigger ;;
		contextid[12]) name=contextid ;;
		esac
		grep -q "^[^ ].*\`\`$name[\`=]\|^ .*\`\`$name[\`=]" "Documentation/trace/$1.rst" ||
			echo "$name is not in $1.rst"
	done
}

check_options() { spe_options | not_in $spe; ete_options | not_in $ete; brbe_options | not_in $brbe; }
check_capabilities() { caps | not_in $spe; brbe_caps | not_in $brbe; }
check_counters() { counters spe | not_in $spe; counters ete | not_in $ete; counters brbe | not_in $brbe; }
check_settings() { settings spe | not_in $spe; settings ete | not_in $ete; }
check_statistics() {
	sed -n '/v9_counter_name\[/,/};/p' tools/stat/counters.c | grep -o '"[a-z_]*"' | tr -d '"' |
		sort >"$tmp/shown"
	{ counters spe; counters ete; } | sort -u | comm -23 - "$tmp/shown" |
		sed 's/$/ is not shown by v9trace stat/'
}
check_tracepoints() { tracepoints | not_in tracefs-events-v9trace; }
check_events() { aliases | not_in $ete; brbe_events | not_in $brbe; }
check_headings() { without_heading; }
check_registers() {
	sed -n 's/^\t\[V9_CPU_.*__ATTR(\([a-z0-9_]*\),.*/\1/p' drivers/cpu_regs.c |
		not_in sysfs-devices-system-cpu-v9trace
}
# What modinfo prints of each parameter
check_descriptions() {
	for source in drivers/*.c; do
		sed -nE 's/^module_param(_cb)?\(([a-z_]*),.*/\2/p' "$source" | while read -r name; do
			grep -q "^MODULE_PARM_DESC($name,$" "$source" || grep -q "^MODULE_PARM_DESC($name, \"" "$source" ||
				echo "$source: $name has no description"
		done
	done
}
# Each module that Kbuild builds has a file, and one with a PMU is named in the file of the PMU.
check_drivers() {
	for module in $(sed -n 's/^obj-m := //p' Kbuild | sed 's/\.o//g'); do
		[ -e "Documentation/ABI/testing/sysfs-module-$module" ] || echo "no sysfs-module-$module"
	done
	grep -l '^static struct v9_pmu_driver ' drivers/*.c | while read -r source; do
		module=$(module_of "$source")
		[ -n "$module" ] || echo "$source is in no module of Kbuild"
		grep -qw "$module" Documentation/ABI/testing/sysfs-bus-event_source-devices-* ||
			echo "$module is in no sysfs-bus-event_source-devices-*"
	done
}
check_modules() { check_drivers; }
# Sonames and functions of the libraries are those that Debian's packages name.
check_libraries() {
	so=$(sed -n 's/^ABI := //p' tools/lib/Makefile)
	for lib in ete spe; do
		symbols=tools/packaging/debian/libv9$lib$so.symbols
		grep -qsx "libv9$lib.so.$so libv9$lib$so #MINVER#" "$symbols" || echo "soname of libv9$lib is not in $symbols"
		tr -s ' \t;' '\n' <"tools/lib/v9$lib.map" | grep '^v9_' | while read -r name; do
			grep -q "^ $name@" "$symbols" || echo "$symbols has no $name"
		done
	done
}
check_options_tests() {
	spe_options | tabled spe-options
	ete_options | tabled ete-options
	brbe_options | tabled brbe
}

# try NAME FILE ENTRY: check NAME succeeds, and fails without this entry of FILE
try() {
	result "$1_are_complete" "$("check_$1" | head -n 1)"
	rm -rf "$tmp/copy"
	mkdir -p "$tmp/copy"
	cp -r Documentation Kbuild drivers tools "$tmp/copy"
	sed -i "s#$3#gone#" "$tmp/copy/$2"
	found=$(cd "$tmp/copy" && "check_$1")
	[ -n "$found" ] && found= || found="nothing is written"
	result "$1_missing_is_seen" "$found"
}

count=$( (spe_options; ete_options; brbe_options; caps; brbe_caps; counters spe; counters ete; counters brbe
	tracepoints; aliases; brbe_events) | wc -l)
[ "$count" -gt 115 ] && few= || few="only $count"
result names_were_found "$few"
try options Documentation/ABI/testing/$ete sync_period
try capabilities Documentation/ABI/testing/$spe pmsidr
try counters Documentation/ABI/testing/$spe collisions
try settings Documentation/ABI/testing/$ete physical_access
try statistics tools/stat/counters.c '"dropped"'
try tracepoints Documentation/ABI/testing/tracefs-events-v9trace v9_off
try events Documentation/ABI/testing/$ete autofdo
try options Documentation/ABI/testing/$brbe boundaries
try capabilities Documentation/ABI/testing/$brbe cycle_bits
try counters Documentation/ABI/testing/$brbe run_on
try events Documentation/ABI/testing/$brbe instructions
try headings Documentation/ABI/testing/sysfs-module-v9_core parameters/physical
try descriptions drivers/spe.c 'MODULE_PARM_DESC(max_interrupts'
try registers Documentation/ABI/testing/sysfs-devices-system-cpu-v9trace cptr_el3
try drivers Documentation/ABI/testing/$spe v9_spe
try libraries tools/packaging/debian/libv9spe0.symbols v9_spe_dec_raw
try modules Kbuild 'v9_ete\.o'
try options_tests Documentation/trace/ete-options.rst nooverflow
echo "1..$n"
exit $failed
