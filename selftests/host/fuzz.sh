#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Runs the fuzz targets, built with sanitizers, on inputs that fuzzing found earlier (fuzz/found),
# and on the beginning of each golden stream. V9_OBJECTS is the directory of the objects of the host
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
for options in 01 21 11 81; do
	for f in selftests/golden/ete/*.txt; do
		{
			echo "$options 05 $program"
			sed -n 's/^\(\([0-9a-f][0-9a-f] *\)\{1,\}\)[=~].*/\1/p' "$f"
		} >"$dir/seeds/ete-$options-$(basename "$f")"
	done
done
for f in selftests/golden/spe/*.txt; do
	{
		echo 0b
		sed -n 's/^\(\([0-9a-f][0-9a-f] *\)\{1,\}\)[=~].*/\1/p' "$f"
	} >"$dir/seeds/spe-$(basename "$f")"
done
mkdir "$dir/traces"
for p in mkcapture:captures mkbranches:captures mktrace:traces; do
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
echo "1..$n"
exit $failed
