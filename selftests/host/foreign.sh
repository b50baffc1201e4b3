#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Files of other programs (mkforeign.c): each command ends in a report, or in one line that says what the file
# is. No command crashes, takes long or is silent. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/host/suite.inc
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT

${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -Wno-missing-field-initializers -Werror -fsanitize=address,undefined \
	-D_GNU_SOURCE -Iinclude -o "$dir/mkforeign" selftests/host/mkforeign.c && "$dir/mkforeign" "$dir" || {
	not_ok build "mkforeign does not build"
	finish
}
cd "$dir" || exit 2

result() {	# NAME WHAT IS WRONG, or nothing
	[ -z "$2" ] && ok "$1" || not_ok "$1" "$2"
}

# What is wrong with how COMMAND FILE ended, on standard output
ended() {	# COMMAND FILE
	timeout 20 "$V9TRACE" "$@" >out 2>err </dev/null
	status=$?
	lines=$(grep -vc '^v9trace: warning: ' err)
	[ $status -le 1 ] || echo "status $status: $(head -n 1 err)"
	[ "$lines" -le 1 ] || echo "$lines lines: $(head -n 2 err)"
	[ -s out ] || [ $status != 0 ] || echo "an empty success"
	# A damaged file is warned of behind what was read.
	[ -s out ] || grep -qE "^v9trace: (warning: )?$2 " err || echo "it does not name the file: $(head -n 1 err)"
}

for f in *.data; do
	wrong=
	for c in report script mem dump annotate; do
		why=$(ended $c "$f" | tr '\n' ' ')
		[ -z "$why" ] || wrong="$wrong $c: $why;"
	done
	result "${f%.data}" "$wrong"
done

# What v9trace report says: of SPE data, that there is one record; of other files, what they are.
while read -r names says; do
	for f in $(cd "$dir" && ls | grep -xE "foreign-($names)\.data"); do
		timeout 20 "$V9TRACE" report "$f" >out 2>err </dev/null
		cat out err | grep -qE -- "$says" && wrong= || wrong=$(cat err)
		result "says_${f%.data}" "$wrong"
	done
done <<'EOT'
spe-.* ^  records   1$
perf-3.2|perf-3.2-arm|perf-2.6|riscv|simpleperf-arm was recorded on another architecture and holds no SPE data$
perf-no-arch|perf-short-header|perf-cycles|simpleperf holds no SPE data: record with
perf-first has the perf.data layout of before 2009$
intel-pt.* holds a trace of Intel PT, not SPE$
intel-bts holds a trace of Intel BTS, not SPE$
s390.* was written on a big-endian machine
powerpc holds a dispatch trace log of POWER, not SPE$
hisi-ptt.* holds a trace of HiSilicon's PCIe unit \(PTT\), not SPE$
cs-etm-no-units describes its trace units in a way this program does not know$
later-unit holds a trace of a unit that this program does not know, not SPE$
zstd is packed by zstd: unpack it first
gzip is packed by gzip: unpack it first
xz is packed by xz: unpack it first
lz4 is packed by lz4: unpack it first
bzip2 is packed by bzip2: unpack it first
zip is packed by zip: unpack it first
elf is an ELF file, not a perf.data capture$
trace-cmd is a recording of trace-cmd, not a perf.data capture$
simpleperf-report is samples that simpleperf exported, not a perf.data capture$
jitdump is a jitdump, not a perf.data capture$
text|zeros is not a perf.data capture$
EOT
result all_files_are_asked "$([ $n = $(($(ls "$dir" | grep -c '\.data$') + $(ls "$dir" | grep -c '^foreign-'))) ] ||
	echo "$n results")"

# Samples of perf without an AUX area are listed, also of 2010 and of other machines.
for f in perf-3.2 perf-short-header perf-no-arch riscv simpleperf-arm intel-pt-piped; do
	"$V9TRACE" script "foreign-$f.data" >out 2>err </dev/null
	result "samples_$f" "$([ "$(grep -c work out)" = 2 ] || cat out err)"
done
finish
