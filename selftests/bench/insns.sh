#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Instructions for one record, line, range or packet, counted by valgrind's callgrind: those for a larger capture less
# those for a smaller one, or all of them if the input is large. Other work on the machine has no influence. Needs
# valgrind, and the inputs that decoders.sh makes (ete_ranges_model, ete_ranges_genuine, spe_report). With names, only
# those rows.
set -eu
cd "$(dirname "$0")/../.."
work=$PWD/build/bench
bin=$work/bin
v9trace=build/tools/host/v9trace
command -v valgrind >/dev/null || { echo "bench insns - (needs valgrind)"; exit 0; }
[ -e "$work/genuine.spec" ] && [ -e "$work/model.data" ] && [ -x "$bin/mkspe" ] || {
	echo "bench insns - (selftests/bench/decoders.sh makes the inputs)"
	exit 0
}

insns() {
	valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >"$work/stdout" | sed -n 's/.*Collected : //p'
}
# each NAME ITEM COMMAND...: the instructions for one more record. SIZE in an argument stands for the number of records.
each() {
	local name=$1 item=$2 few many
	shift 2
	few=$(insns "${@//SIZE/500000}")
	many=$(insns "${@//SIZE/1000000}")
	echo "bench insns_$name each=$(((many - few) / 500000)) item=$item"
}
# whole NAME ITEM FIELD COMMAND...: the instructions of the command, divided by the number of items that it prints.
# FIELD: which word of its output that number is
whole() {
	local name=$1 item=$2 field=$3 all n
	shift 3
	all=$(insns "$@")
	n=$(cut -d' ' -f"$field" "$work/stdout")
	echo "bench insns_$name each=$((all / n)) item=$item"
}

rows="ete_ranges_model ete_ranges_genuine ete_packets_model ete_packets_genuine spe_places spe_report script_spe
	script_spe_json mem"
for size in 500000 1000000; do
	[ -e "$work/size.$size.data" ] || "$bin/mkspe" "$work/size.$size.data" $size
	[ -e "$work/size.$size.raw" ] || "$bin/auxcat" -r "$work/size.$size.data" "$work/size.$size.raw"
done
capture=$work/size.SIZE.data
for row in ${*:-$rows}; do
	case $row in
	ete_ranges_*)	whole "$row" range 4 "$bin/ete" ranges "$work/${row#ete_ranges_}.spec" ;;
	ete_packets_*)	whole "$row" packet 3 "$bin/ete" packets "$work/${row#ete_packets_}.spec" ;;
	spe_places)	each "$row" record "$bin/spe" places "$work/size.SIZE.raw" ;;
	spe_report)	each "$row" record "$v9trace" report -j 1 --symfs "$work/symfs" "$capture" ;;
	script_spe)	each "$row" line "$v9trace" script -j 1 --symfs "$work/symfs" "$capture" ;;
	script_spe_json) each "$row" line "$v9trace" script --json -j 1 --symfs "$work/symfs" "$capture" ;;
	mem)		each "$row" record "$v9trace" mem -j 1 --symfs "$work/symfs" "$capture" ;;
	*)		echo "insns.sh: no such row: $row" >&2; exit 2 ;;
	esac
done
