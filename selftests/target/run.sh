#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Run the kselftests of SPE and ETE on this arm64 machine: ./run.sh [-o DIR] [PROGRAM...]
# Prints KTAP, leaves one .tap per program in DIR (default: ./results), ends with a
# summary line; exit status 0 iff nothing failed. The SPE unit is the first PMU named
# arm_spe_*, or V9_PMU; the trace units are cs_etm. With V9_MODULES=DIR of v9_core.ko,
# v9_spe.ko and v9_ete.ko loading and unloading is tested, too. V9_IN_FLIGHT=N (1): so many
# records an SPE unit may hold, and drop, when its buffer fills up. V9_AT and V9_EXCEPTIONS say how
# the machine was booted (see routing.c), V9_LATE=joins|new_kind that CPUs were never online (see
# spe_late.c), V9_ONE_RUN=1 that buffers are to be one run of memory, V9_BUFFER_LIMIT=BYTES the
# MaxBuffSize that a hypervisor states. V9_INJECT, V9_REJECT and V9_UNITS are for the reference
# platform. Root sees most; without it tests are skipped, and say why.
here=$(cd "$(dirname "$0")" && pwd) || exit 2
out=results
while getopts o: opt; do
	case $opt in
	o) out=$OPTARG ;;
	*) echo "usage: run.sh [-o DIR] [PROGRAM...]" >&2; exit 2 ;;
	esac
done
shift $((OPTIND - 1))
# spe_module and ete_module end with a look at the kernel's log: they stay last.
# ete_ite comes before those that load v9_ete again, without its parameter.
[ $# -gt 0 ] || set -- ete_ite spe_pmu spe_record spe_filter spe_buffer spe_hotplug spe_stats spe_pause \
	spe_idle spe_pm \
	spe_fail ete_pmu ete_record ete_buffer ete_filter ete_option ete_flight ete_pm \
	ete_hotplug ete_stats spe_life ete_life ete_mapping \
	spe_event ete_event aux_pause counters spe_kvm ete_kvm routing unit spe_module ete_module

mkdir -p "$out" || exit 2
rm -f "$out"/*.tap "$out/sums"
echo "v9trace selftests begin" 2>/dev/null >/dev/kmsg
ulimit -c 0

# "ok 3 insn_mix.conditions # SKIP why" -> "ok 3 - conditions # SKIP why"; a failure gets its
# first failed expectation as the reason; a program that breaks off has failed.
tidy='
/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0 }
/^#  *RUN / { why = "" }
/^# [^ ]+:[0-9]+:[^:]*:Expected/ && why == "" { why = substr($0, 3) }
/^# [^ ]+: Test (terminated|ended|exited)/ && why == "" { why = substr($0, 3) }
/^(not )?ok [0-9]+ / {
	bad = $1 == "not"
	name = bad ? $4 : $3
	if (name == "-") name = bad ? $5 : $4
	sub(/^.*\./, "", name)
	skip = index($0, "# SKIP") ? substr($0, index($0, "# SKIP")) : ""
	printf "%sok %d - %s", bad ? "not " : "", ++n, name
	if (bad && why != "") printf " # %s", why
	if (skip != "") printf " %s", skip
	print ""
	bads += bad; skips += !bad && skip != ""; why = ""
	next
}
{ print }
END {
	if (!plan) { plan = n + 1; print "1.." plan }
	if (n < plan) { printf "not ok %d - complete # the program broke off\n", ++n; bads++ }
	print n - bads - skips, bads + 0, skips + 0 >>sums
}'

echo "KTAP version 1"
for program; do
	echo "# $program"
	if [ -x "$here/$program" ]; then
		"$here/$program" 2>&1
	else
		printf '1..1\nnot ok 1 - there_is_such_a_program\n'
	fi | awk -v sums="$out/sums" "$tidy" | tee "$out/$program.tap"
done
awk '
	{ passed += $1; failed += $2; skipped += $3 }
	END {
		printf "# %d passed, %d failed, %d skipped\n", passed, failed, skipped
		exit failed > 0
	}' "$out/sums"
