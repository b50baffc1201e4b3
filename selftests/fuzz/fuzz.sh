#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Fuzzes each decoder for so many seconds: fuzz.sh SECONDS [TARGET...]
#
# Targets: ete, ete_once, spe, capture, image, tar, shard; and differ, which decodes damaged genuine traces
# beside OpenCSD (differ.c says what both must agree on). The corpus is made from what the tests have: bytes
# of golden/*.txt, captures of host/mk*.c, genuine traces if they are here. What a run finds to be new is
# merged into fuzz/TARGET below the cache, for later runs of any clone. Inputs of an older format do no harm:
# what they reach counts. Built by Debian's clang with address and undefined-behaviour sanitizers, and with
# room for few blocks of code, so that they are forgotten often and a run costs little. A finding is a file
# build/fuzz/TARGET/crash-* and exit status 1. Each target that ended, also by Ctrl-C, has a line in
# fuzz.jsonl below the cache; at the end the totals of all runs are printed.
cd "$(dirname "$0")/../.."
. selftests/lab/lib.sh
. selftests/fuzz/sources.sh
. selftests/fuzz/ledger.sh

seconds=${1:?usage: fuzz.sh SECONDS [TARGET...]}
shift
targets=${*:-ete ete_once spe capture image tar shard differ}
clang="selftests/lab/peers.sh -t clang run --"
ledger=$CACHE/fuzz.jsonl

# Converts lines "01 02 = TEXT" of golden files to bytes behind a header.
golden() {	# HEAD FILE TO
	{
		printf "$1"
		sed -n 's/^\(\([0-9a-f][0-9a-f] *\)\{1,\}\)[=~].*/\1/p' "$2" |
			awk '{ for (i = 1; i <= NF; i++) printf "\\x%s", $i }' |
			{ read -r bytes || :; printf '%b' "$bytes"; }
	} >"$3"
}

corpus() {	# TARGET DIR
	local f head marks i
	case $1 in
	ete)
		# Options, sizes of feeds, a program: two no-ops, a conditional branch back, BL,
		# RET, BR
		head='\x01\x06'
		for i in 1 2 3 4; do
			head+='\x1f\x20\x03\xd5\xc1\xff\xff\x54\x02\x00\x00\x94\xc0\x03\x5f\xd6'
		done
		# Code again: a mark with a number and four of its branches, a mark with a text, two branches
		marks='\x01\x06'
		marks+='\x05\x00\x00\x14\x76\x39\x6d\x61\x72\x6b\x00\x01\x04\x00\x00\x00\x34\x00\x00\x00'
		marks+='\x20\x00\x00\x37\x20\x00\x08\x37\x20\x00\x10\x37\x20\x00\x18\x37\x05\x00\x00\x14'
		marks+='\x76\x39\x6d\x61\x72\x6b\x00\x01\x01\x00\x00\x00\x40\x00\x00\x00\x20\x00\x00\x37'
		marks+='\x01\x00\x00\x14'
		for f in selftests/golden/ete/*.txt; do
			golden "$head" "$f" "$2/$(basename "$f" .txt)"
			golden "$marks" "$f" "$2/marks-$(basename "$f" .txt)"
		done
		if traces=$(selftests/lab/snapshots.sh cached 2>/dev/null); then
			for f in $(find "$traces" -name '*.bin' -size -3k | head -n 40); do
				{ printf "$head"; cat "$f"; } >"$2/$(echo "$f" | cksum | cut -d' ' -f1)"
			done
		fi
		;;
	spe)
		for f in selftests/golden/spe/*.txt; do
			golden '\x0b' "$f" "$2/$(basename "$f" .txt)"
		done
		;;
	capture)
		build/fuzz/bin/mkcapture "$2"
		build/fuzz/bin/mktrace "$2"
		build/fuzz/bin/mkbranches "$2"
		build/fuzz/bin/mkforeign "$2"
		find "$2" -type f ! -name '*.data' -delete
		find "$2" -type f -size +300k -delete
		;;
	image)
		cp build/fuzz/bin/small "$2/"
		head -c 64 build/fuzz/bin/small >"$2/head"
		;;
	tar)
		seeds_of_tar "$2" ''
		;;
	shard)
		seeds_of_shard "$2" ''
		;;
	esac
}

mkdir -p build/fuzz/bin
failed=0
$clang sh -eu -c 'for p in mkcapture mktrace mkbranches mkforeign; do
		clang -static -w -O1 -D_GNU_SOURCE -Iinclude -o build/fuzz/bin/$p selftests/host/$p.c
	done
	echo "int main(void) { return 0; }" >build/fuzz/small.c
	clang -O1 -s -o build/fuzz/bin/small build/fuzz/small.c'
# Runs each genuine session of the list for its share of ROUNDS.
differ() {	# ROUNDS
	local traces each log=build/fuzz/differ.log case buffer rest
	traces=$(selftests/lab/snapshots.sh) || return 1
	selftests/lab/root.sh run -- gcc -static -O1 -D_GNU_SOURCE -Iinclude -o build/fuzz/bin/snapshot \
		selftests/host/snapshot.c $flow tools/lib/image.c tools/util.c || return 1
	selftests/lab/peers.sh run -- gcc -O2 -Wall -Wextra -Werror -Iinclude \
		-o build/fuzz/bin/differ selftests/fuzz/differ.c $flow -lopencsd_c_api -lopencsd ||
		return 1
	each=$(($1 / 34 + 1))
	: >$log
	while read -r case buffer rest; do
		# Too short for damage behind the synchronization, or without ranges
		case $case in '#'* | '' | event_test | tme_tcancel) continue ;; esac
		[ "${rest%% *}" -gt 14 ] || continue
		build/fuzz/bin/snapshot -b "$traces/$case" "$buffer" >build/fuzz/differ.spec
		selftests/lab/peers.sh run -- build/fuzz/bin/differ build/fuzz/differ.spec $each \
			2>/dev/null | sed "s/^/$case $buffer: /" >>$log
	done <selftests/golden/ete/sessions
	awk '/ rounds, / { n += $3; same += $5; gave += $8; alone += $13; broken += $(NF - 1); sessions++ }
		END { printf "fuzz differ: %d damaged traces of %d sessions, %d equal throughout, " \
			"%d where OpenCSD gives up, %d where it alone is wrong, %d broken\n",
				n, sessions, same, gave, alone, broken
			exit !sessions || broken }' $log
}

# Both decode the same inputs.
corpus_of() {	# TARGET
	case $1 in
	ete_once) echo ete ;;
	*) echo "$1" ;;
	esac
}

# What makes ete_once fast: -O2, comparisons are not traced, variables on the stack are not moved to the heap,
# and inputs are short. All have few blocks of code, and tables of report with small parts.
flags_of() {	# TARGET
	echo -g -std=gnu11 -Wall -Wextra -Werror -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		-D_GNU_SOURCE -Iinclude -DV9_BLOCKS=64u -DV9_BINS_CHUNK=64 -DV9_LARGE_PAGE=4096
	case $1 in
	ete_once) echo -O2 -fno-sanitize-coverage=trace-cmp -fsanitize-address-use-after-return=never ;;
	*) echo -O1 ;;
	esac
}

longest_of() {	# TARGET
	case $1 in
	ete_once) echo 1024 ;;
	*) echo 16384 ;;
	esac
}

# Freed memory is kept for a few runs only: to touch ever new memory takes longer than a short run.
export ASAN_OPTIONS=${ASAN_OPTIONS:-quarantine_size_mb=4:malloc_context_size=8}

for target in $targets; do
	[ -z "$stopped" ] || break
	# What is built now: the tree may change during a long run.
	commit=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
	dir=build/fuzz/$target
	mkdir -p "$dir"
	if [ "$target" = differ ]; then
		ledger_begin "$dir"
		differ $((seconds * 20)) >"$dir/sums" ||
			{ failed=1; grep -m 5 ': round' build/fuzz/differ.log 2>/dev/null || :; }
		cat "$dir/sums"
		ledger_end "$ledger" "$commit" differ "$dir" \
			$(sed -n 's/^fuzz differ: \([0-9]*\).* \([0-9]*\) broken$/\1 \2/p' "$dir/sums" | grep . || echo 0 0)
		continue
	fi
	sources=$(sources_of "$target")
	kept=$CACHE/fuzz/$(corpus_of "$target")
	mkdir -p "$dir/seeds" "$dir/corpus" "$kept"
	corpus "$(corpus_of "$target")" "$dir/seeds"
	$clang clang $(flags_of "$target") \
		-o "build/fuzz/bin/fuzz-$target" "selftests/fuzz/$target.c" $sources
	fuzzer="$clang build/fuzz/bin/fuzz-$target -timeout=20 -rss_limit_mb=2048
		-max_len=$(longest_of "$target") -artifact_prefix=$dir/"
	echo "fuzz $target: $seconds s, $(find "$dir/seeds" "$kept" -type f | wc -l) seeds"
	rc=0
	ledger_run "$ledger" "$commit" "$target" "$dir" $fuzzer -max_total_time="$seconds" \
		-print_final_stats=1 "$dir/corpus" "$kept" "$dir/seeds" || rc=$?
	if [ $rc = 0 ]; then
		echo "fuzz $target: no finding, $(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/log") runs"
		$fuzzer -merge=1 "$kept" "$dir/corpus" >"$dir/log.merge" 2>&1 && rm -r "$dir/corpus"
	elif [ -z "$stopped" ]; then
		failed=1
		echo "fuzz $target: FOUND something, see $dir/log"
		grep -m 3 -E 'broken:|ERROR|SUMMARY' "$dir/log" || tail -n 5 "$dir/log"
	fi
done
[ ! -e "$ledger" ] || ledger_totals "$ledger"
exit ${stopped:-$failed}
