#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Decodes genuine ETE traces, which selftests/lab/snapshots.sh fetches, and compares the figures
# with golden/ete/sessions. The figures must not depend on the sizes of the feeds.
set -u
cd "$(dirname "$0")/../.." || exit 2
golden=selftests/golden/ete
n=0
failed=0

ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $1 # $2"; }
finish() { echo "1..$n"; exit $failed; }

# "case buffer figures" of each session
sessions() { grep -v -e '^#' -e '^$' "$golden/sessions"; }

if ! traces=$(selftests/lab/snapshots.sh cached); then
	for name in $(sessions | cut -d' ' -f1,2 | tr 'A-Z -' 'a-z__') all_listed only_known_doubts \
		byte_by_byte piece_by_piece no_complaints; do
		n=$((n + 1))
		echo "ok $n - $name # SKIP no traces here; selftests/lab/snapshots.sh fetches them"
	done
	finish
fi
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
if ! ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -O1 -g -fsanitize=address,undefined \
	-fno-sanitize-recover=all -Iinclude -o "$dir/snapshot" selftests/host/snapshot.c \
	tools/lib/flow.c tools/lib/fast.c tools/lib/block.c tools/lib/ete.c tools/lib/mark.c \
	tools/lib/a64.c tools/lib/image.c tools/lib/ete_runs.c \
	tools/util.c tools/lib/ete_pkt.c >&2; then
	not_ok build "snapshot.c does not compile"
	finish
fi

# Decodes each session in one feed, in feeds of one byte, and in feeds that both the fast and the
# slow path decode.
for case in "$traces"/*; do
	"$dir/snapshot" "$case" >>"$dir/got" 2>>"$dir/err" || echo "$case: status $?" >>"$dir/err"
	STEP=37 "$dir/snapshot" "$case" >>"$dir/got_37" 2>>"$dir/err" ||
		echo "$case: status $?" >>"$dir/err"
	TIMES=3 "$dir/snapshot" "$case" >>"$dir/got_times" 2>>"$dir/err" ||
		echo "$case: status $?" >>"$dir/err"
	TIMES=3 RELAY=1 "$dir/snapshot" "$case" >>"$dir/got_relay" 2>>"$dir/joints" ||
		echo "$case: status $?" >>"$dir/err"
	STEP=1 "$dir/snapshot" "$case" >>"$dir/got_1" 2>>"$dir/err" ||
		echo "$case: status $?" >>"$dir/err"
done

# shows: ETE-R_SKGWZ ETE-R_JKLZY ETE-R_WGS0J ETE-R_SPBCG ETE-R_KJNMB ETE-I_DJTGL
# shows: ETE-R_XWBMW ETE-R_FZTZP ETE-R_QBGXJ ETE-R_PBVZM
while read -r case buffer figures; do
	case $case in '#'* | '') continue ;; esac
	name=$(echo "${case}_$buffer" | tr 'A-Z-' 'a-z_')
	got=$(sed -n "s/^$case $buffer //p" "$dir/got")
	if [ "$got" = "$figures" ]; then
		ok "$name"
	else
		not_ok "$name" "got '$got', want '$figures'"
	fi
done <"$golden/sessions"

# Every session is listed, and everything not understood is known.
# Each session is in the golden file, and each figure of undecoded data is expected.
grep -v '^#' "$golden/sessions" | cut -d' ' -f1,2 | sort >"$dir/listed"
grep -v : "$dir/got" | cut -d' ' -f1,2 | sort | cmp -s - "$dir/listed" &&
	ok all_listed || not_ok all_listed "the traces and golden/ete/sessions differ"
grep : "$dir/got" | sort >"$dir/doubts"
if grep -v '^#' "$golden/doubts" | diff - "$dir/doubts" >&2; then
	ok only_known_doubts
else
	not_ok only_known_doubts "what is not understood differs from golden/ete/doubts"
fi
cmp -s "$dir/got" "$dir/got_1" && ok byte_by_byte ||
	not_ok byte_by_byte "other figures if bytes come one at a time"
cmp -s "$dir/got" "$dir/got_37" && ok piece_by_piece ||
	not_ok piece_by_piece "other figures if bytes come 37 at a time"
# The session three times over: at nearly each synchronization a second decoder can continue.
joints=$(awk '{ n += $3 } END { print n + 0 }' "$dir/joints")
cmp -s "$dir/got_times" "$dir/got_relay" && [ "$joints" -ge 60 ] && ok taken_over ||
	not_ok taken_over "other figures if another decoder takes over, $joints times"
[ ! -s "$dir/err" ] && ok no_complaints || { cat "$dir/err" >&2; not_ok no_complaints "see above"; }
finish
