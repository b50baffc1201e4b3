#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Files of v9trace export --to pprof, read by protoc with the format's own description and by the pprof
# of Go: the numbers are those of report. TAP.
#
#   pprof.sh DIR       DIR has captures and V9TRACE=PROGRAM makes the files
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$1" || exit 2
. "$top/selftests/exports/consumer.inc"
pprof=$(echo /usr/lib/go-*/pkg/tool/*/pprof)
description=$(find /usr/share/gocode -name profile.proto)
PPROF_TMPDIR=$PWD
export PPROF_TMPDIR

# decode EXPORT TEXT
decode() { gzip -dc "$1" | protoc --proto_path="$(dirname "$description")" --decode=perftools.profiles.Profile profile.proto >"$2" 2>err; }

# equal NAME CAPTURE OPTIONS WEIGHT...
equal() {
	name=$1 capture=$2 options=$3
	shift 3
	made "$name" pprof "$capture" "$options" || return
	if ! decode exported text; then
		not_ok "$name" "protoc: $(head -n 1 err)"
		return
	fi
	for weight; do
		compared "${name}_$weight" pprof text "$weight"
	done
}
equal spe good.data "$symbols" samples latency
equal spe_damaged damaged.data "$symbols" samples
equal spe_hostile good.data "$hostile" samples
equal spe_without_symbols rare.data "" samples
equal ete trace.data "--symfs symfs" instructions calls
equal ete_damaged trace-damaged.data "--symfs symfs" instructions
equal ete_hostile trace.data "--symfs hostile" instructions
equal ete_kernel kernel.data "--symfs symfs" instructions

# What pprof says of each function is what report says.
"$V9TRACE" export --to pprof -o one $symbols good.data 2>err
"$V9TRACE" report --csv --limit 0 $symbols good.data 2>err | tr -d '\r' |
	awk -F , '/^functions,/ { n[$9] += $3 } END { for (f in n) print n[f], f }' | sort >want
flat() { "$pprof" -top -nodefraction=0 "$@" 2>err | awk 'on { print $1, $6 } /flat%/ { on = 1 }' | sort; }
flat one >got
if [ -s want ] && cmp -s want got; then ok top; else not_ok top "$(diff want got | sed -n 2p)"; fi
# Twice the same file has twice the numbers; the difference to itself is nothing.
awk '{ print 2 * $1, $2 }' want | sort >twice
flat one one >got
if cmp -s twice got; then ok merge; else not_ok merge "$(diff twice got | sed -n 2p)"; fi
"$pprof" -proto -output=both one one >out 2>&1
flat both >got
if cmp -s twice got; then ok merge_to_a_file; else not_ok merge_to_a_file "$(diff twice got | sed -n 2p)"; fi
flat -diff_base one one | awk '$1 + 0' >got
if [ ! -s got ] && "$pprof" -top -diff_base one one 2>&1 | grep -q 'of 40 total'; then ok difference
else not_ok difference "$(head -n 1 got) $("$pprof" -top -diff_base one one 2>&1 | sed -n 8p)"; fi
# The sums of each label are those of all records.
"$pprof" -tags one >tags 2>err
label() {	# NAME VALUE COUNT
	if awk -v k="$1:" -v v="$2" -v n="$3" '
		$0 ~ "^ *" k { on = 1; next }
		/^ *[a-z]+: / { on = 0 }
		on { sub(/\([ 0-9.]*%\):/, "") }
		on && $2 == v && $1 + 0 == n { seen = 1 }
		END { exit !seen }' tags; then ok "label_$1"; else not_ok "label_$1" "$(tr '\n' '|' <tags | head -c 400)"; fi
}
label cpu 0 32
label thread work 32
label source dram 1
label tid 101 8
"$pprof" -comments one 2>err | grep -q 'lost: 1 aux_collision' && ok comments || not_ok comments "$(head -n 1 err)"
"$pprof" -raw one 2>err | grep -q '^Build ID: deadbeef05060708090a0b0c0d0e0f1011121314\|/opt/work deadbeef05060708090a0b0c0d0e0f1011121314' &&
	ok build_id || not_ok build_id "not in -raw"
"$pprof" -raw one 2>err | grep -q '^Period: 4096' && ok period || not_ok period "$("$pprof" -raw one | grep Period:)"
"$V9TRACE" export --to pprof -o again $symbols good.data 2>err
cmp -s one again && ok same_bytes || not_ok same_bytes "two exports of a capture differ"
# A shard of two captures has what pprof itself makes of the two.
"$V9TRACE" export --to pprof -o two $symbols mem.data 2>err
"$V9TRACE" merge -o both.shard $symbols mem.data good.data 2>err && "$V9TRACE" export --to pprof -o shard both.shard 2>err
for type in samples latency misses; do
	flat -sample_index=$type one two >want
	flat -sample_index=$type shard >got
	if [ -s want ] && cmp -s want got; then ok "shard_$type"; else not_ok "shard_$type" "$(diff want got | sed -n 2p)"; fi
done
"$pprof" -tags shard >tags 2>err
label cpu_type 0x00000000410fd490 \
	"$(awk '/^source / { cpu[++n] = $4 } /^s / && cpu[$2] == "0x00000000410fd490" { sum += $6 } END { print sum }' both.shard)"
"$V9TRACE" export --to pprof -o lines --symfs symfs inlined.data 2>err
"$pprof" -top -lines -nodefraction=0 lines >out 2>err
if why=$(python3 "$top/selftests/exports/lines.py" top out inlined.lines inlined.records 2>&1); then ok inlined_functions_and_lines
else not_ok inlined_functions_and_lines "$(echo "$why" | tail -n 1)"; fi
"$V9TRACE" export --to pprof -o lines --symfs symfs steps.data 2>err
"$pprof" -top -lines -nodefraction=0 lines 2>err | sed 's/  *__libc_start_call_main$/& :0/' >out
if why=$(python3 "$top/selftests/exports/lines.py" top out auto.lines auto.records 2>&1); then ok inlined_functions_and_lines_of_a_trace
else not_ok inlined_functions_and_lines_of_a_trace "$(echo "$why" | tail -n 1)"; fi

# The bodies of pushes (continuous.rst): protoc finds the labels and the bytes of the profile.
pushed() {	# NAME MESSAGE FRAME-BYTES WANTED...
	name=$1 message=$2 frame=$3
	shift 3
	if ! python3 "$top/Documentation/push-body.py" "$name" one service_name=zstd place=a=b >body 2>err ||
			! tail -c "+$((frame + 1))" body |
			protoc --proto_path="$top/selftests/exports" --decode="$message" push.proto >text 2>err; then
		not_ok "push_$name" "$(head -n 1 err)"
		return
	fi
	# protoc prints bytes as in C
	python3 - text one >pushed 2>err <<-'END'
	import ast, re, sys
	raw = re.search(r'raw_profile: ("(?:[^"\\]|\\.)*")', open(sys.argv[1]).read()).group(1)
	print(ast.literal_eval("b" + raw) == open(sys.argv[2], "rb").read())
	END
	for want; do
		grep -qx " *$want" text || { not_ok "push_$name" "no $want"; return; }
	done
	if [ "$(cat pushed)" = True ] && [ "$(grep -c 'name: ' text)" = 2 ]; then ok "push_$name"
	else not_ok "push_$name" "not the bytes of the profile: $(head -n 1 err)"; fi
}
pushed pyroscope PushRequest 0 'name: "service_name"' 'value: "zstd"' 'value: "a=b"' 'id: "[0-9a-f-]*"'
pushed parca WriteRawRequest 5 'name: "service_name"' 'value: "zstd"' 'value: "a=b"' 'normalized: true'
python3 "$top/Documentation/push-body.py" parca one service_name=zstd | head -c 5 | od -An -tu1 >got
size=$(python3 "$top/Documentation/push-body.py" parca one service_name=zstd | wc -c)
echo $((size - 5)) | awk '{ printf "%4d%4d%4d%4d%4d\n", 0, 0, $1 / 65536, $1 / 256 % 256, $1 % 256 }' >want
if cmp -s got want; then ok push_parca_frame; else not_ok push_parca_frame "$(cat got)"; fi
finish
