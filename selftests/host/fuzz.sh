#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs the fuzz targets, built with sanitizers, on inputs that fuzzing found earlier (fuzz/found),
# and on the beginning of each golden stream. Then the ledger of fuzz runs. V9_OBJECTS is the directory of the objects of the host
# tests, which have sanitizers. TAP.
set -u
cd "$(dirname "$0")/../.." || exit 2
: "${V9_OBJECTS:?is set by the Makefile}"
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
n=0
failed=0

. selftests/fuzz/sources.sh

replay() {	# TARGET [TARGET WITH THE SAME INPUTS]
	target=$1
	n=$((n + 1))
	if ! ${CC:-cc} -std=gnu11 -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined \
			-fno-sanitize-recover=all -D_GNU_SOURCE -Iinclude -o "$dir/$target" \
			"selftests/fuzz/$target.c" selftests/fuzz/replay.c \
			$(sources_of "$target" | sed "s|\([^ ]*\)\.c\>|$V9_OBJECTS/\1.o|g") 2>"$dir/log"; then
		failed=1
		echo "not ok $n - $target # $(grep -m1 error "$dir/log")"
		return
	fi
	if "$dir/$target" "$dir"/seeds/"${2:-$target}"-* 2>"$dir/log"; then
		echo "ok $n - $target"
	else
		failed=1
		echo "not ok $n - $target # $(head -n 1 "$dir/log")"
	fi
}

mkdir "$dir/seeds" "$dir/captures"
cp selftests/fuzz/found/* "$dir/seeds/"
program=
for i in 1 2 3 4; do
	program="$program 1f 20 03 d5 c1 ff ff 54 02 00 00 94 c0 03 5f d6"
done
# As fuzz.sh has it: a mark with a number, a mark with a text
marks="05 00 00 14 76 39 6d 61 72 6b 00 01 04 00 00 00 34 00 00 00 20 00 00 37 20 00 08 37 20 00 10 37 20 00 18 37"
marks="$marks 05 00 00 14 76 39 6d 61 72 6b 00 01 01 00 00 00 40 00 00 00 20 00 00 37 01 00 00 14"
for options in 01 21 11 81; do
	for f in selftests/golden/ete/*.txt; do
		bytes=$(sed -n 's/^\(\([0-9a-f][0-9a-f] *\)\{1,\}\)[=~].*/\1/p' "$f")
		printf '%s\n' "$options 05 $program" "$bytes" >"$dir/seeds/ete-$options-$(basename "$f")"
		printf '%s\n' "$options 05 $marks" "$bytes" >"$dir/seeds/ete-$options-marks-$(basename "$f")"
	done
done
# The branch over the second mark, at 0x24, is taken.
printf '%s\n' "01 05 $marks" "00 00 00 00 00 00 00 00 00 00 00 80 01 00 04 82 09 00 00 00 11 f7 f7 f7 f7" \
	>"$dir/seeds/ete-mark"
for f in selftests/golden/spe/*.txt; do
	{
		echo 0b
		sed -n 's/^\(\([0-9a-f][0-9a-f] *\)\{1,\}\)[=~].*/\1/p' "$f"
	} >"$dir/seeds/spe-$(basename "$f")"
done
mkdir "$dir/traces"
for p in mkcapture:captures mkbranches:captures mkforeign:captures mktrace:traces; do
	${CC:-cc} -w -O1 -D_GNU_SOURCE -Iinclude -o "$dir/mk" "selftests/host/${p%:*}.c" && "$dir/mk" "$dir/${p#*:}"
done
mv "$dir/traces/joined.data" "$dir/captures"
for f in "$dir"/captures/*.data; do
	od -An -v -tx1 "$f" >"$dir/seeds/capture-$(basename "$f" .data)"
done
seeds_of_tar "$dir/captures" tar- && for f in "$dir"/captures/tar-*; do
		od -An -v -tx1 "$f" >"$dir/seeds/$(basename "$f")"
	done
seeds_of_shard "$dir/captures" shard- && for f in "$dir"/captures/shard-*; do
		od -An -v -tx1 "$f" >"$dir/seeds/$(basename "$f")"
	done
for target in ete spe image capture tar shard; do
	replay $target
done
replay ete_once ete

# The entry point for AFL++, with a target that only prints its input.
n=$((n + 1))
if ${CC:-cc} -std=gnu11 -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined \
		-include selftests/fuzz/fuzz.h -o "$dir/reader" -x c - selftests/fuzz/afl.c <<'EOT' 2>"$dir/log" &&
int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n) { printf("%zu %.*s", n, (int)n, p); return 0; }
EOT
		[ "$(printf hello | "$dir/reader")" = '5 hello' ]; then
	echo "ok $n - afl_is_let_in"
else
	failed=1
	echo "not ok $n - afl_is_let_in # $(grep -m1 error "$dir/log")"
fi

check() {	# NAME WANTED GOT
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1 # $(echo "$3" | tr '\n' ';')"
	fi
}

# Sums by hand. The third line is torn, the fourth lacks a number, the fifth is torn with another one behind.
{
	echo '{"date":"2026-01-01T00:00:00Z","commit":"a1","target":"spe","seconds":1799.50,"executions":100,"findings":1}'
	echo '{"date":"2026-01-02T00:00:00Z","commit":"a1","target":"ete","seconds":1800.50,"executions":30000000,"findings":0}'
	echo '{"date":"2026-01-02T00:00:00Z","commit":"a1","target":"ete","seconds":18'
	echo '{"date":"2026-01-02T00:00:00Z","commit":"a1","target":"ete","seconds":,"executions":7,"findings":0}'
	echo '{"date":"2026-01-02T00:00:00Z","target":"sp{"date":"2026-01-02T00:00:00Z","seconds":9,"executions":7,"findings":0}'
	echo '{"date":"2026-01-03T00:00:00Z","commit":"b2","target":"ete","seconds":3600,"executions":5000000000,"findings":0}'
} >"$dir/given"
check totals "fuzz total: ete: 1.50 processor hours, 5030000000 executions, 0 findings, 2 runs
fuzz total: spe: 0.50 processor hours, 100 executions, 1 findings, 1 runs
fuzz total: all: 2.00 processor hours, 5030000100 executions, 1 findings, 3 runs" \
	"$(bash -c '. selftests/fuzz/ledger.sh; ledger_totals "$0"' "$dir/given")"

# This program replaces libFuzzer. It uses some processor time and prints statistics. With "find" it writes a
# finding. With "wait" it runs for 10 s or until SIGTERM.
cat >"$dir/fuzzer" <<'EOT'
#!/bin/bash
trap 'echo "stat::number_of_executed_units: 77"; exit 72' TERM
for ((i = 0; i < 200000; i++)); do :; done
[ "$1" != find ] || : >"$2/crash-12ab"
echo $PPID >"$2/shell"
: >"$2/began"
for ((i = 0; i < 200; i++)); do
	[ "$1" != wait ] || sleep 0.05
done
echo "stat::number_of_executed_units: 1234"
[ "$1" != find ]
EOT
chmod +x "$dir/fuzzer"
mkdir "$dir/run"
: >"$dir/run/crash-of-an-earlier-run"
ledger_run() {	# HOW
	bash -c '. selftests/fuzz/ledger.sh; set -eu; rc=0
		ledger_run "$0/ledger" a1b2 spe "$0/run" "$0/fuzzer" "$1" "$0/run" || rc=$?
		echo $rc ${stopped:-on}' "$dir" "$1"
}
# The last line without its date; its seconds are some
last() {
	sed -n '$s/"date":"[-0-9]*T[0-9:]*Z",//p' "$dir/ledger" | sed 's/"seconds":0*\.*0*[1-9][0-9.]*/"seconds":some/'
}
line='{"commit":"a1b2","target":"spe","seconds":some,"executions":'
check run "0 on ${line}1234,\"findings\":0}" "$(ledger_run no) $(last)"
check run_with_finding "1 on ${line}1234,\"findings\":1}" "$(ledger_run find) $(last)"
rm "$dir/run/began" "$dir/run/crash-12ab"
ledger_run wait >"$dir/stopped" &
i=0
while [ ! -e "$dir/run/began" ] && [ $i -lt 200 ]; do
	sleep 0.1
	i=$((i + 1))
done
# Of the shell alone, not of the fuzzer
kill -TERM "$(cat "$dir/run/shell")"
wait
check run_that_is_stopped "72 143 ${line}77,\"findings\":0}" "$(cat "$dir/stopped") $(last)"
check lines 3 "$(grep -c . "$dir/ledger")"
echo "1..$n"
exit $failed
