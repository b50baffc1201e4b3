#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace export on captures that mkcapture.c and mktrace.c make: the numbers are those of report, what
# was lost is said, hostile names stay what they are, memory does not grow with the length of a capture.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'cd /; rm -rf "$dir"' EXIT
HOME=$dir	# no symbols from somebody's ~/.debug
export HOME
made() {	# SOURCE ARGUMENT...
	source=$1
	shift
	${CC:-cc} -std=gnu11 -I"$top/include" -I"$top/drivers/lib" -o make "$top/selftests/$source" >&2 && ./make "$@"
}
# longer IN OUT: writes a capture with the records of another one ten times
longer() {
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -I"$top/include" -o longer "$top/selftests/bench/longer.c" \
		"$top/tools/capture/file.c" "$top/tools/capture/pipe.c" \
		"$top/tools/capture/spool.c" "$top/tools/capture/unpack.c" "$top/tools/util.c" -lzstd >&2 && ./longer "$1" "$2" 10
}
if ! { "$top/selftests/exports/captures.sh" . && made host/mktrace.c . 800 && mv long.data short.data &&
       ./make . 8000 && made bench/mkspe.c spe.data 100000 && longer spe.data spe10.data; }; then
	not_ok captures "cannot be made"
	finish
fi
symbols="--symfs symfs --kallsyms kallsyms" hostile="--symfs hostile --kallsyms hostile/kallsyms"

# equal NAME FORMAT CAPTURE OPTIONS [WEIGHT]: the export has the numbers of report
equal() {
	name=$1 format=$2 capture=$3 options=$4 weight=${5:-}
	calls=
	"$V9TRACE" report --json --limit 0 --calls $options "$capture" >report.json 2>err
	if ! "$V9TRACE" export --to "$format" -o exported $options ${weight:+--weight $weight} "$capture" 2>err; then
		not_ok "$name" "status $?, $(head -n 1 err)"
	elif ! why=$(python3 "$top/selftests/exports/compare.py" "$format" exported report.json $weight 2>&1); then
		not_ok "$name" "$(echo "$why" | tail -n 1 | tr '\n' ' ')"
	else
		ok "$name"
	fi
}

for format in folded speedscope chrome svg; do
	equal ${format}_spe $format good.data "$symbols"
	equal ${format}_spe_damaged $format damaged.data "$symbols"
	equal ${format}_spe_hostile $format good.data "$hostile"
	equal ${format}_ete $format trace.data "--symfs symfs"
	equal ${format}_ete_damaged $format trace-damaged.data "--symfs symfs"
	equal ${format}_ete_moved $format moved.data "--symfs symfs"
	equal ${format}_ete_kernel $format kernel.data "--symfs symfs"
	equal ${format}_ete_exec $format exec.data "--symfs symfs"
	equal ${format}_ete_hostile $format trace.data "--symfs hostile"
done
for format in folded speedscope svg; do
	equal ${format}_spe_latency $format good.data "$symbols" latency
done
equal folded_calls folded trace.data "--symfs symfs" calls

# limit FORMAT CAPTURE: KiB of memory that are enough for it. Files are not counted.
limit() {
	kb=4096
	while [ $kb -lt 262144 ]; do
		(ulimit -d $kb; "$V9TRACE" export --to "$1" -j 1 -o least --symfs symfs "$2" 2>err) && break
		kb=$((kb * 9 / 8))
	done
	echo $kb
}

# bounded FORMAT CAPTURE LONGER: ten times the length is exported with the same memory, and 2 MiB for
# what reading keeps of each AUX record
bounded() {
	kb=$(($(limit "$1" "$2") + 2048))
	if (ulimit -d $kb; "$V9TRACE" export --to "$1" -j 1 -o most --symfs symfs "$3" 2>err) && [ -s most ]; then
		ok "bounded_$1_${2%.data}"
	else
		not_ok "bounded_$1_${2%.data}" "more than $kb KiB: $(tail -n 1 err)"
	fi
}
for format in folded speedscope pprof chrome svg; do
	bounded $format spe.data spe10.data
	bounded $format short.data long.data
done

# What cannot be exported says why, and leaves no file.
command=export
refuses no_format 2 "in which format" good.data
refuses bad_format 2 "^v9trace: --to pdf: folded" --to pdf good.data
refuses bad_weight 2 "^v9trace: --weight speed: samples, latency" --to folded --weight speed good.data
refuses weight_of_the_format 2 "does not have it" --to folded --weight time trace.data
refuses weight_of_another_kind 1 "^v9trace: --weight instructions: good.data has none" --to folded --weight instructions good.data
refuses two_kinds 1 "which?" --to folded both.data
refuses part_of_a_stack 1 "not with --el" --to folded --symbol match --symfs symfs trace.data
rm -f out.folded*
refuses no_capture 1 "No such file" --to folded -o out.folded absent.data
refuses filter_finds_nothing 1 "nothing fits the filter" --to folded -o out.folded --comm nobody good.data
refuses no_directory 1 "cannot write absent/out.folded" --to folded -o absent/out.folded good.data
[ -z "$(ls out.folded* 2>/dev/null)" ] && ok no_file_stays || not_ok no_file_stays "$(ls out.folded*)"
command=

# A capture that is cut short still yields what can be read, and the status says so.
partly cut_short 1 "cut short" export --to folded cut.data
# A pipe can be read, and the output written to one.
"$V9TRACE" export --to folded $symbols -i - <good.data 2>err | sort >piped
"$V9TRACE" export --to folded $symbols good.data 2>err | sort | cmp -s - piped && [ -s piped ] && ok pipe || not_ok pipe "$(head -n 1 err)"
finish
