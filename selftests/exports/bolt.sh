#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Files of v9trace export --to perf and --to bolt, read by perf2bolt: it finds the branches of steps.data, as
# often as the program ran them. TAP.
#
#   bolt.sh DIR        DIR has captures and V9TRACE=PROGRAM makes the files
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$1" || exit 2
. "$top/selftests/exports/consumer.inc"
PATH=$(echo /usr/lib/llvm-*/bin):$PATH

# converted NAME FORMAT OPTION...: 100 calls of main(), each with three rounds of the loop of work(). The options
# are those of perf2bolt.
converted() {
	name=$1 format=$2
	shift 2
	"$V9TRACE" export --to "$format" -o "$name.in" --symfs symfs steps.data 2>err
	if perf2bolt "$@" -p "$name.in" -o "$name.fdata" symfs/opt/auto >"$name.log" 2>&1; then ok "${name}_is_read"
	else not_ok "${name}_is_read" "$(grep -a -m 1 -i error "$name.log" | cut -c -200)"; fi
	awk '
		$2 == "main" && $5 == "work" && $6 == 0 { n["into work"] += $8 }
		$2 == "work" && $5 == "leaf" && $6 == 0 { n["into leaf"] += $8 }
		$2 != $5 && $5 == "main" && $6 == 0 { n["into main"] += $8 }
		$2 == "work" && $5 == "work" && length($3) == 2 && $6 < $3 { n["back"] += $8; at = $3 }
		$2 == "work" && $5 == "work" { to[$3] += $8 }
		END { for (k in n) print k, n[k]; print "at the end of the loop", to[at] }' "$name.fdata" 2>/dev/null | sort >got
	if cmp -s want got; then ok "${name}_counts"; else not_ok "${name}_counts" "$(diff want got | sed -n 2p) $(grep -a -c . "$name.fdata")"; fi
	if grep -aq 'traces mismatching disassembled function contents: 0 ' "$name.log" &&
	   grep -aq 'out of range traces involving unknown regions: 0 ' "$name.log"; then ok "${name}_no_contradiction"
	else not_ok "${name}_no_contradiction" "$(grep -a traces "$name.log" | cut -c -100 | tr '\n' ' ')"; fi
}
printf '%s\n' 'at the end of the loop 300' 'back 200' 'into leaf 300' 'into main 100' 'into work 100' >want
converted perf perf
converted aggregated bolt -pa
if cmp -s perf.fdata aggregated.fdata; then ok both_are_equal; else not_ok both_are_equal "$(diff perf.fdata aggregated.fdata | sed -n 2p)"; fi
finish
