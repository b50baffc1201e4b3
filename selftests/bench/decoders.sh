#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Decoders, against what others use: ratios of CPU time, both sides in one run, alternating, best
# of three (ROUNDS). Called by ../bench.sh; `decoders.sh NAME...` measures some rows only.
#
#   bandwidth           gigabytes a second that one thread of this machine reads from memory, and copies
#   ete_ranges_model    full decode to ranges, of 64 million instructions of zstd traced by the model
#   ete_ranges_genuine  the same of Arm's 001-ack_test, 1000 times over
#   ete_packets_model, ete_packets_genuine    packets alone
#   ete_second          full decode of the same program by a trace unit that speculates wrongly at one in 32
#                       branches, for each instruction, against the first; goal: within 2 times;
#                       ete_second_dense: at one in 4, as in most tests; ete_second_source: half of the Atoms
#                       are Source Addresses, too
#   ete_report          v9trace report of the capture of the model's trace, against stock perf's
#   spe_places          a million SPE records, every field, added up for each PC, against perf
#                       report --itrace=i1i
#   spe_report          v9trace report of four million, against the same; best of five: a million
#                       take a tenth of a second, in which the machine varies too much
#   script_spe          v9trace script of a million, a line each, against perf script; script_spe_json:
#                       with --json, against the same as text
#   script_ete          v9trace script of the model's trace, a line per taken branch, against perf script
#   spe_layout_N        v9trace report of four million records in the layouts of other units (mkspe.c), against
#                       the first layout; _each: each CPU another one; _random: each record; goal: within 1.3 times
#   piped               v9trace report of four million SPE records that come through a pipe, against the same
#                       of the file and cat of it; goal: within 1.2 times; piped_zstd: of a packed file, against
#                       unpacking it and the report of the file
#   mem                 v9trace mem of them by one thread, against perf mem report; mem_memory: peak, in MiB
#   html                v9trace html of the model's trace, against report --calls; goal: within 3 times
#   html_spe            the same of the four million SPE records, against report and mem together
#   html_memory         peak of html, in MiB: the trace, and the same forty times over (100 MB); the page
#   annotate_ete, annotate_spe     v9trace annotate of the model's trace, of four million records,
#                       against v9trace report of the same
#   annotate_perf       v9trace annotate of one function of the four million, against perf annotate of it
#   annotate_start      annotate of ten records by a dynamically linked v9trace, which loads LLVM,
#                       against the static one, which does not: seconds; annotate_memory: peak, in MiB
#   diff_ete, diff_spe  v9trace diff of the same capture twice, against v9trace report of it, twice
#   merge_spe           v9trace merge of four million records, against report of them
#   merge_ete           v9trace merge --flat of the model's trace, against report by one thread; merge_part:
#                       --part 2/4 of it, against merge of the whole
#   merge_shards        16 shards of 250,000 records each to one: seconds, rows (sums) that were read
#   calls               v9trace report --calls of the model's trace, against report without it
#   export_FORMAT       v9trace export of the model's trace, against report --calls where the format has
#                       stacks, else against report; gcc: of a small program with debug information;
#                       goal: within 3 times
#   export_spe_FORMAT   the same of four million SPE records, against report
#   export_row_FORMAT, export_ete_row_FORMAT, export_ete_call_FORMAT     microseconds for each row or
#                       record, of a million SPE records and of the model's trace, against script --json;
#                       for calls script --calls --json
#   export_sqlite, export_parquet    rows in a CPU second, a million SPE records; parquet only if
#                       make test-exports has fetched DuckDB
#   open                report of a capture of 32,000 AUX records: seconds
#   threads             report of the model's trace twenty times over, by two threads against one:
#                       seconds by the clock, best of five, before all others where that is
#                       permitted; others=: which part of the machine they had all the same.
#                       With more than a few percent the ratio says nothing of the decoder
#   threads_spe         the same of four million SPE records of four CPUs
#   threads_mem         the same, v9trace mem
#   threads_script      the same of a million, v9trace script
#   threads_html, threads_export     the same of the first, v9trace html and export to pprof
#   memory              peak of the trace twenty times over by two threads, in MiB; peer: of the trace once
#   aggregate_10k, _100k, _1m    decoding and adding up while it is recorded (record --aggregate), fed from a
#                       file at that rate: percent of a CPU, peak of memory in MiB, and what was lost
#   aggregate_shard_10k, _100k, _1m  the same with --shard
#
# Of the first four both sides must add up to the same ranges, instructions and addresses, and one
# more run compares a hash of all ranges; else the row is "bench NAME differs" and the script fails.
set -eu
cd "$(dirname "$0")/../.."
lab=selftests/lab
rounds=${ROUNDS:-3}
work=$PWD/build/bench
bin=$work/bin
export KERNEL=6.12
PERF=7		# newest Debian
mkdir -p "$bin"

programs() {
	local decode="tools/lib/flow.c tools/lib/fast.c tools/lib/block.c tools/lib/ete.c
		tools/lib/a64.c tools/lib/mark.c tools/lib/image.c tools/util.c tools/lib/ete_pkt.c tools/lib/ete_runs.c"
	$lab/root.sh run -- sh -eu -c '
		bin=$1 decode=$2
		c() { gcc -static -O2 -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Iinclude -o "$bin/$@"; }
		c ete selftests/bench/ete.c $decode
		c snapshot selftests/host/snapshot.c $decode
		c auxcat selftests/bench/auxcat.c
		c longer selftests/bench/longer.c tools/capture/file.c tools/capture/pipe.c \
			tools/capture/spool.c tools/capture/unpack.c -lzstd
		c cost selftests/bench/cost.c
		c bandwidth selftests/bench/bandwidth.c
		c mkspe selftests/bench/mkspe.c
		c mktrace selftests/host/mktrace.c
		c spe selftests/bench/spe.c tools/lib/spe.c tools/lib/spe_pkt.c tools/util.c
		make -s -C tools STATIC=1
		make -s -C tools OUT="$bin/native"
		cd tools
		make -s STATIC=1 OUT="$bin/aggregate" MAIN=../selftests/bench/live.c' sh "$bin" "$decode"
	$lab/peers.sh run -- gcc -O2 -Wall -Wextra -o "$bin/opencsd" selftests/bench/opencsd.c \
		-lopencsd_c_api -lopencsd
}

# ---- what is decoded; made once

genuine() {
	local traces
	traces=$($lab/snapshots.sh)
	"$bin/snapshot" -b "$traces/001-ack_test" ETB_1 | sed '1s/ 1$/ 1000/' >"$work/genuine.spec"
}

# traced NAME [OPTIONS]: zstd on one CPU, recorded by stock perf with the in-tree drivers
traced() {
	local zstd name=$1
	zstd=$($lab/workload.sh)
	mkdir -p "$work/symfs/v9/demo"
	# The trace must be decoded with the same build of the program.
	if ! cmp -s "$zstd" "$work/symfs/v9/demo/zstd"; then
		rm -f "$work/model.data" "$work"/trace_*.data
		cp "$zstd" "$work/symfs/v9/demo/zstd"
	fi
	if [ ! -e "$work/$name.data" ]; then
		$lab/run.sh -o "$work/guest" -t 400 -q "v9-ete=on${2:+,$2}" -f "$zstd:/v9/demo/zstd" -- '
			set -e
			modprobe coresight-etm4x
			modprobe coresight-trbe
			head -c 1600000 /usr/bin/perf >/tmp/data
			taskset 2 perf record -q --no-buildid-mmap -e cs_etm//u -m,64M -o /out/model.data \
				-- /v9/demo/zstd -q -3 -f -o /tmp/data.zst /tmp/data' >"$work/guest.log" 2>&1 || {
			tail -n 5 "$work/guest.log" >&2
			return 1
		}
		mv "$work/guest/model.data" "$work/$name.data"
	fi
	"$bin/auxcat" "$work/$name.data" "$work/symfs/v9/demo/zstd" "$work/$name.ete" \
		>"$work/$name.spec"
}
model() { traced model; }

records() {
	model
	[ -e "$work/spe.data" ] || "$bin/mkspe" "$work/spe.data" 1000000
	[ -e "$work/spe.raw" ] || "$bin/auxcat" -r "$work/spe.data" "$work/spe.raw"
}

many() { [ -e "$work/long.data" ] || "$bin/mktrace" "$work" 32000; }

# ---- the measured programs; each prints seconds first

ours_ranges() { "$bin/ete" "$1" "$work/$2.spec"; }
peer_ranges() { $lab/peers.sh run -- "$bin/opencsd" "$1" "$work/$2.spec"; }

# CPU seconds of a command, its output elsewhere
seconds() {
	local TIMEFORMAT='%U %S' status=0
	{ time "$@" >"$work/stdout" 2>"$work/stderr" || status=$?; } 2>"$work/time"
	if [ $status -ne 0 ]; then
		echo "status $status: $*" >&2
		tail -n 3 "$work/stderr" >&2
		return 1
	fi
	awk '{ printf "%.3f\n", $1 + $2 }' "$work/time"
}
v9trace() { seconds build/tools/host/v9trace "$@"; }
perf() { seconds $lab/kernel.sh run $PERF perf "$@"; }
# The time to enter perf's root, which is subtracted
nothing() { seconds $lab/kernel.sh run $PERF true; }

least() { sort -n "$1" | head -n 1 | cut -d' ' -f1; }

row() {	# NAME GOAL
	awk -v name="$1" -v goal="$2" -v ours="$(least "$work/$1.ours")" \
		-v peer="$(least "$work/$1.peer")" 'BEGIN {
		printf "bench %s ours=%.4f peer=%.4f ratio=%.2f goal=%s\n", name, ours, peer, peer / ours, goal
	}'
}

# alternate NAME OURS... -- PEER...
alternate() {
	local name=$1 ours=() i
	shift
	while [ "$1" != -- ]; do
		ours+=("$1")
		shift
	done
	shift
	: >"$work/$name.ours"
	: >"$work/$name.peer"
	for i in $(seq "$rounds"); do
		"${ours[@]}" >>"$work/$name.ours"
		"$@" >>"$work/$name.peer"
	done
}

figures() { cut -d' ' -f"$2" "$1" | sort -u; }

ete() {	# KIND INPUT GOAL
	local name=ete_$1_$2
	alternate "$name" ours_ranges "$1" "$2" -- peer_ranges "$1" "$2"
	if [ "$1" = ranges ]; then
		ours_ranges hash "$2" >"$work/$name.hash.ours"
		peer_ranges hash "$2" >"$work/$name.hash.peer"
		if [ "$(figures "$work/$name.ours" 2,4-)" != "$(figures "$work/$name.peer" 2,4-)" ] ||
				[ "$(figures "$work/$name.hash.ours" 2,4-)" != \
				  "$(figures "$work/$name.hash.peer" 2,4-)" ]; then
			echo "bench $name differs: see $work/$name.*"
			return 1
		fi
	fi
	row "$name" "$3"
}

less_entering() {	# FILE: its figures without what entering the root takes
	local entering
	entering=$(for i in 1 2 3; do nothing; done | sort -n | head -n 1)
	awk -v e="$entering" '{ printf "%.3f\n", ($1 > e ? $1 - e : 0.001) }' "$1" >"$1.less"
	mv "$1.less" "$1"
}

# against_perf NAME GOAL OURS... -- ARGUMENTS-OF-PERF...
against_perf() {
	local name=$1 goal=$2 ours=()
	shift 2
	while [ "$1" != -- ]; do
		ours+=("$1")
		shift
	done
	shift
	alternate "$name" "${ours[@]}" -- perf "$@"
	less_entering "$work/$name.peer"
	row "$name" "$goal"
}

bench_bandwidth() {
	"$bin/bandwidth" >"$work/bandwidth"
	awk '{ printf "bench bandwidth read=%s copied=%s unit=GB/s goal=-\n", $1, $2 }' "$work/bandwidth"
}
bench_ete_ranges_model()	{ model; ete ranges model 100; }
bench_ete_ranges_genuine()	{ genuine; ete ranges genuine 60; }
bench_ete_packets_model()	{ model; ete packets model 20; }
bench_ete_packets_genuine()	{ genuine; ete packets genuine 12; }
# Seconds for a billion instructions, because the two traces differ a little in their number of instructions.
second() {	# NAME GOAL [OPTIONS]
	local side
	model
	traced "trace_$1" "v9-ete-character=speculative${3:+,$3}"
	alternate "$1" ours_ranges ranges "trace_$1" -- ours_ranges ranges model
	for side in ours peer; do
		awk '{ print 1e9 * $1 / $5 }' "$work/$1.$side" >"$work/$1.each"
		mv "$work/$1.each" "$work/$1.$side"
	done
	row "$1" "$2"
}
bench_ete_second()		{ second ete_second 0.5; }
bench_ete_second_dense()	{ second ete_second_dense none v9-ete-spec-rate=4; }
bench_ete_second_source()	{ second ete_second_source none v9-ete-source=on,v9-ete-tsmark=on; }
bench_ete_report() {
	model
	against_perf ete_report 100 v9trace report --symfs "$work/symfs" "$work/model.data" -- \
		report --stdio --symfs "$work/symfs" -i "$work/model.data"
}
bench_spe_places() {
	records
	against_perf spe_places 35 "$bin/spe" places "$work/spe.raw" -- \
		report --stdio --itrace=i1i --symfs "$work/symfs" -i "$work/spe.data"
}
bench_script_spe() {
	records
	against_perf script_spe 10 v9trace script --symfs "$work/symfs" "$work/spe.data" -- \
		script --itrace=i1i --symfs "$work/symfs" -i "$work/spe.data"
}
bench_script_spe_json() {
	records
	alternate script_spe_json v9trace script --json --symfs "$work/symfs" "$work/spe.data" -- \
		v9trace script --symfs "$work/symfs" "$work/spe.data"
	row script_spe_json 0.67
}
bench_script_ete() {
	model
	against_perf script_ete 20 v9trace script --symfs "$work/symfs" "$work/model.data" -- \
		script --itrace=b --symfs "$work/symfs" -i "$work/model.data"
}
bench_spe_report() {
	local rounds=${ROUNDS:-5}
	four
	against_perf spe_report 25 v9trace report --symfs "$work/symfs" "$work/spe4.data" -- \
		report --stdio --itrace=i1i --symfs "$work/symfs" -i "$work/spe4.data"
}
bench_spe_layouts() {
	local layout
	four
	for layout in 1 2 3 each random; do
		"$bin/mkspe" "$work/layout.$layout.data" 4000000 "$layout"
		alternate spe_layout_$layout v9trace report --symfs "$work/symfs" "$work/layout.$layout.data" -- \
			v9trace report --symfs "$work/symfs" "$work/spe4.data"
		row spe_layout_$layout 0.77
		rm -f "$work/layout.$layout.data"
	done
}
through_pipe() {
	seconds sh -c 'cat "$1" | build/tools/host/v9trace report --symfs "$2" -i - >/dev/null' sh "$work/spe4.data" "$work/symfs"
}
file_and_cat() {
	seconds sh -c 'build/tools/host/v9trace report --symfs "$2" "$1" >/dev/null; cat "$1" | cat >/dev/null' \
		sh "$work/spe4.data" "$work/symfs"
}
unpacked() {	# SCRIPT
	seconds "$lab/root.sh" run -- sh -c "{ $1; } >/dev/null" sh "$work/spe4.data" "$work/symfs" build/tools/host/v9trace
}
bench_piped() {
	local rounds=${ROUNDS:-5}
	four
	alternate piped through_pipe -- file_and_cat
	row piped 0.83
	[ "$work/spe4.data.zst" -nt "$work/spe4.data" ] ||
		"$lab/root.sh" run -- zstd -q -f -1 -o "$work/spe4.data.zst" "$work/spe4.data"
	alternate piped_zstd unpacked 'zstd -dcq "$1.zst" | "$3" report --symfs "$2" -i -' -- \
		unpacked 'zstd -dcq "$1.zst" | cat; "$3" report --symfs "$2" "$1"'
	row piped_zstd 0.83
}
# perf prints half a million lines, which are not stored.
to_nobody() { sh -c '"$@" >/dev/null' sh "$@"; }
bench_mem() {
	local ours=(build/tools/host/v9trace mem -j 1 --symfs "$work/symfs" "$work/spe.data")
	local peer=($lab/kernel.sh run $PERF perf mem report --stdio --symfs "$work/symfs" \
		-i "$work/spe.data")
	records
	alternate mem seconds to_nobody "${ours[@]}" -- seconds to_nobody "${peer[@]}"
	less_entering "$work/mem.peer"
	row mem 120
	"$bin/cost" "${ours[@]}" | cut -d' ' -f2 >"$work/mem_memory.ours"
	"$bin/cost" "${peer[@]}" 2>"$work/stderr" | cut -d' ' -f2 >"$work/mem_memory.peer"
	echo "bench mem_memory ours=$(cat "$work/mem_memory.ours")" \
		"peer=$(cat "$work/mem_memory.peer") unit=MiB goal=10%"
}
bench_html() {
	model
	alternate html v9trace html -o "$work/model.html" --symfs "$work/symfs" "$work/model.data" -- \
		v9trace report --calls --symfs "$work/symfs" "$work/model.data"
	row html 0.33
}
report_and_mem() {
	seconds sh -c 'build/tools/host/v9trace report "$@" && build/tools/host/v9trace mem "$@"' sh "$@"
}
bench_html_spe() {
	model
	[ -e "$work/spe4.data" ] || "$bin/mkspe" "$work/spe4.data" 4000000
	alternate html_spe v9trace html -o "$work/spe4.html" --symfs "$work/symfs" "$work/spe4.data" -- \
		report_and_mem --symfs "$work/symfs" "$work/spe4.data"
	row html_spe 0.33
}
html_memory() {	# CAPTURE
	"$bin/cost" build/tools/host/v9trace html -o "$work/$1.html" --symfs "$work/symfs" "$work/$1.data" 2>"$work/stderr" |
		cut -d' ' -f2
}
bench_html_memory() {
	model
	[ "$work/forty.data" -nt "$work/model.data" ] ||
		"$bin/longer" "$work/model.data" "$work/forty.data" 40
	echo "bench html_memory ours=$(html_memory model) forty=$(html_memory forty)" \
		"page=$(du -k "$work/forty.html" | cut -f1)KiB unit=MiB goal=20MB-page"
}
four() {
	model
	[ -e "$work/spe4.data" ] || "$bin/mkspe" "$work/spe4.data" 4000000
}
beside_report() {	# NAME GOAL CAPTURE COMMAND...
	local name=$1 goal=$2 capture=$3
	shift 3
	alternate "$name" v9trace "$@" --symfs "$work/symfs" "$work/$capture" -- \
		v9trace report --symfs "$work/symfs" "$work/$capture"
	row "$name" "$goal"
}
bench_annotate_ete()	{ model; beside_report annotate_ete 0.33 model.data annotate; }
bench_annotate_spe()	{ four; beside_report annotate_spe 0.33 spe4.data annotate; }
bench_annotate_perf() {
	local symbol=ZSTD_compressBlock_doubleFast
	four
	against_perf annotate_perf 1 v9trace annotate --no-source --symbol $symbol \
		--symfs "$work/symfs" "$work/spe4.data" -- \
		annotate --stdio --itrace=i1i --symfs "$work/symfs" -i "$work/spe4.data" $symbol
}
bench_merge_spe()	{ four; beside_report merge_spe 0.33 spe4.data merge -o "$work/spe4.shard"; }
bench_merge_ete() {
	local merge=(v9trace merge --symfs "$work/symfs" -o "$work/model.shard" "$work/model.data")
	model
	alternate merge_ete "${merge[@]}" --flat -- v9trace report -j 1 --symfs "$work/symfs" "$work/model.data"
	row merge_ete 0.33
	alternate merge_part "${merge[@]}" --part 2/4 -- "${merge[@]}" --flat
	row merge_part 3
}
bench_merge_shards() {
	local i
	for i in $(seq 16); do
		[ ! -e "$work/shard.$i" ] || continue
		"$bin/mkspe" "$work/one.data" $((250000 + i))
		v9trace merge -o "$work/shard.$i" "$work/one.data" >/dev/null
	done
	: >"$work/merge_shards.ours"
	for i in $(seq "$rounds"); do
		v9trace merge -o "$work/all.shard" "$work"/shard.* >>"$work/merge_shards.ours"
	done
	echo "bench merge_shards ours=$(least "$work/merge_shards.ours") peer=- ratio=-" \
		"rows=$(cat "$work"/shard.* | grep -c '^[sb] ') goal=-"
}
bench_calls()		{ model; beside_report calls 0.33 model.data report --calls; }
twice() {	# CAPTURE: the CPU seconds of two reports
	{ v9trace report --symfs "$work/symfs" "$1"; v9trace report --symfs "$work/symfs" "$1"; } |
		awk '{ sum += $1 } END { printf "%.3f\n", sum }'
}
beside_two() {	# NAME CAPTURE
	alternate "$1" v9trace diff --symfs "$work/symfs" "$work/$2" "$work/$2" -- twice "$work/$2"
	row "$1" 0.33
}
bench_diff_ete()	{ model; beside_two diff_ete model.data; }
bench_diff_spe()	{ four; beside_two diff_spe spe4.data; }
exported() { rm -rf "$work/exported"; v9trace export --to "$1" -o "$work/exported" --symfs "$work/symfs" "$work/$2"; }
beside_export() {	# NAME FORMAT CAPTURE REPORT-OPTION...
	local name=$1 format=$2 capture=$3
	shift 3
	alternate "$name" exported "$format" "$capture" -- v9trace report "$@" --symfs "$work/symfs" "$work/$capture"
	row "$name" 0.33
}
# The trace of auto.c (exports/captures.sh), as often as it has 64 million instructions
with_lines() {
	[ ! -e "$work/steps.data" ] || return 0
	mkdir -p "$work/captures"
	$lab/root.sh run -- sh -c 'selftests/exports/captures.sh "$1" && cd "$1" && ./mktrace . /opt/auto 1000000 <auto.steps' \
		sh "$work/captures"
	mkdir -p "$work/symfs/opt"
	cp "$work/captures/symfs/opt/auto" "$work/symfs/opt/auto"
	mv "$work/captures/steps.data" "$work/steps.data"
}
bench_export() {
	model
	for format in folded svg pprof firefox; do beside_export export_$format $format model.data --calls; done
	for format in bolt llvm; do beside_export export_$format $format model.data; done
	with_lines
	beside_export export_gcc gcc steps.data
	beside_export export_llvm-contexts llvm-contexts steps.data --calls
}
bench_export_spe() {
	four
	for format in folded svg pprof firefox speedscope bolt llvm; do beside_export export_spe_$format $format spe4.data; done
}
# Rows or records in what was exported
rows_of() {	# FORMAT
	case $1 in
	csv)	cat "$work/exported"/*.csv | wc -l ;;
	json)	wc -l <"$work/exported" ;;
	chrome)	grep -c '"ph":"[BEi]"' "$work/exported" ;;
	speedscope) grep -c '"type":"[OC]"' "$work/exported" ;;
	perf)	$lab/kernel.sh run $PERF perf script -F ip,brstack -i "$work/exported" 2>/dev/null | tr -s ' ' '\n' | grep -c . ;;
	esac
}
per_row() {	# PREFIX CAPTURE LINES FORMAT...: beside script --json LINES, "" or --calls
	local prefix=$1 capture=$2 lines=$3 peer format
	shift 3
	# shellcheck disable=SC2086
	peer=$(v9trace script --json $lines --symfs "$work/symfs" "$work/$capture")
	peer="$peer $(wc -l <"$work/stdout")"
	for format; do
		echo "$(exported "$format" "$capture") $(rows_of "$format") $peer" | awk -v name="${prefix}_$format" '{
			ours = $1 / $2 * 1e6; peer = $3 / $4 * 1e6
			printf "bench %s ours=%.3f peer=%.3f ratio=%.2f unit=us rows=%d goal=1\n", name, ours, peer, peer / ours, $2 }'
	done
}
bench_export_rows() {
	records
	per_row export_row spe.data "" csv json chrome perf
	per_row export_ete_row model.data "" csv json perf
	per_row export_ete_call model.data --calls chrome speedscope
}
rows_a_second() {	# FORMAT
	echo "$1 $(exported "$1" spe.data)" | awk '{ printf "bench export_%s ours=%d unit=rows/s goal=-\n", $1, 1e6 / $2 }'
}
bench_export_tables() {
	local packages
	records
	rows_a_second sqlite
	packages=$(ls -d "${V9_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/v9trace}"/npm-*/node_modules 2>/dev/null | head -n 1)
	[ -n "$packages" ] || { echo "bench export_parquet ours=- unit=rows/s goal=- (make test-exports fetches DuckDB)"; return; }
	mkdir -p "$bin/path"
	printf '#!/bin/sh\nexec %s -t node run -- node %s %s "$@"\n' "$PWD/$lab/peers.sh" "$PWD/selftests/exports/duckdb.mjs" \
		"${packages%/node_modules}" >"$bin/path/duckdb"
	chmod +x "$bin/path/duckdb"
	PATH=$bin/path:$PATH rows_a_second parquet
}
ten() { seconds to_nobody "$lab/root.sh" run -- "$1" annotate --symfs "$work/symfs" "$work/spe10.data"; }
peak_of_ten() {
	"$lab/root.sh" run -- "$bin/cost" "$1" annotate --symfs "$work/symfs" "$work/spe10.data" \
		2>"$work/stderr" | cut -d' ' -f2
}
bench_annotate_start() {
	model
	[ -e "$work/spe10.data" ] || "$bin/mkspe" "$work/spe10.data" 10
	alternate annotate_start ten "$bin/native/v9trace" -- ten build/tools/host/v9trace
	row annotate_start -
	echo "bench annotate_memory ours=$(peak_of_ten "$bin/native/v9trace")" \
		"peer=$(peak_of_ten build/tools/host/v9trace) unit=MiB goal=-"
}
# perf is not a peer here: its index of AUX records, which makes it quadratic, is not in this file,
# which our tests made.
bench_open() {
	local i
	many
	mkdir -p "$work/none"
	: >"$work/open.ours"
	for i in $(seq "$rounds"); do
		v9trace report --symfs "$work/none" "$work/long.data" >>"$work/open.ours"
	done
	echo "bench open ours=$(least "$work/open.ours") peer=- ratio=- goal=0.2s"
}

long() {
	model
	[ "$work/twenty.data" -nt "$work/model.data" ] ||
		"$bin/longer" "$work/model.data" "$work/twenty.data" 20
}
cost() {	# CAPTURE THREADS [COMMAND]
	$before_others "$bin/cost" build/tools/host/v9trace "${3:-report}" -j "$2" --symfs "$work/symfs" "$work/$1.data"
}
before_others=
# Measured programs run before all others, where that is permitted. nice does not help: it affects only processes of the
# same session.
run_before_others() {
	if chrt -r 1 true 2>/dev/null; then
		before_others='chrt -r 1'
	fi
}
# by_threads ROW CAPTURE [COMMAND]: two threads against one. COMMAND: what prints to standard output
by_threads() {
	local rounds=${ROUNDS:-5} command=${3:-report} all='--limit 0'
	[ "$command" != script ] || all=
	run_before_others
	cost "$2" 1 "$command" >/dev/null
	alternate "$1" cost "$2" 2 "$command" -- cost "$2" 1 "$command"
	for i in 1 2; do
		build/tools/host/v9trace "$command" -j $i $all --symfs "$work/symfs" \
			"$work/$2.data" >"$work/$1.$i"
	done
	cmp "$work/$1.1" "$work/$1.2"
	threads_row "$1"
}
threads_row() {	# ROW
	echo "$(row "$1" 1.9) others=$(cat "$work/$1.ours" "$work/$1.peer" |
		awk '{ if ($3 > most) most = $3 } END { print most + 0 }')%"
}
cost_of_file() {	# CAPTURE THREADS FILE COMMAND...
	local capture=$1 threads=$2 file=$3
	shift 3
	rm -rf "$file"
	$before_others "$bin/cost" build/tools/host/v9trace "$@" -j "$threads" -o "$file" --symfs "$work/symfs" "$work/$capture.data"
}
file_by_threads() {	# ROW CAPTURE COMMAND...
	local rounds=${ROUNDS:-5} row=$1 capture=$2
	shift 2
	run_before_others
	alternate "$row" cost_of_file "$capture" 2 "$work/$row.2" "$@" -- cost_of_file "$capture" 1 "$work/$row.1" "$@"
	# A page has a nonce of its own.
	cmp <(LC_ALL=C sed 's/nonce[-=]"*[0-9a-f]*//g' "$work/$row.1") <(LC_ALL=C sed 's/nonce[-=]"*[0-9a-f]*//g' "$work/$row.2")
	threads_row "$row"
}
bench_threads()		{ long; by_threads threads twenty; }
bench_threads_spe()	{ four; by_threads threads_spe spe4; }
bench_threads_mem()	{ four; by_threads threads_mem spe4 mem; }
bench_threads_script()	{ records; by_threads threads_script spe script; }
bench_threads_html()	{ model; file_by_threads threads_html model html; }
bench_threads_export()	{ model; file_by_threads threads_export model export --to pprof; }
bench_memory() {
	long
	echo "bench memory ours=$(cost twenty 2 | cut -d' ' -f2)" \
		"peer=$(cost model 2 | cut -d' ' -f2) ratio=- goal=64MiB"
}

aggregate() {	# NAME RECORDS-A-SECOND [shard]
	[ -e "$work/spe.data" ] || "$bin/mkspe" "$work/spe.data" 1000000
	run_before_others
	set -- "$1" $($before_others "$bin/aggregate/v9trace" "$work/spe.data" "$2" 30 ${3:-})
	echo "bench $1 cpu=$2% memory=$3MiB records=$4 undecoded=$5 evicted=$6 goal=100MiB"
}
bench_aggregate_10k()	{ aggregate aggregate_10k 10000; }
bench_aggregate_100k()	{ aggregate aggregate_100k 100000; }
bench_aggregate_1m()	{ aggregate aggregate_1m 1000000; }
bench_aggregate_shard_10k()	{ aggregate aggregate_shard_10k 10000 shard; }
bench_aggregate_shard_100k()	{ aggregate aggregate_shard_100k 100000 shard; }
bench_aggregate_shard_1m()	{ aggregate aggregate_shard_1m 1000000 shard; }

all="bandwidth ete_ranges_model ete_ranges_genuine ete_packets_model ete_packets_genuine ete_second ete_second_dense ete_second_source ete_report spe_places
script_spe script_spe_json script_ete
spe_report spe_layouts piped mem html html_spe html_memory annotate_ete annotate_spe annotate_perf annotate_start diff_ete diff_spe merge_spe merge_ete merge_shards calls export export_spe export_rows export_tables open threads threads_spe threads_mem threads_script threads_html threads_export memory
aggregate_10k aggregate_100k aggregate_1m aggregate_shard_10k aggregate_shard_100k aggregate_shard_1m"
programs
echo "machine: $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
echo "peers: $($lab/peers.sh versions), $($lab/kernel.sh run $PERF perf version 2>/dev/null); CPU seconds, best of $rounds"
failed=0
for name in ${*:-$all}; do
	# In a shell of its own, in which -e has an effect
	set +e
	( set -e; "bench_$name" )
	[ $? = 0 ] || { failed=1; echo "bench $name failed"; }
	set -e
done
exit $failed
