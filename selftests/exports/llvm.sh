#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# llvm-profgen, llvm-profdata and clang read files of v9trace export --to llvm and --to llvm-contexts. The
# counts of each context must equal those of contexts.py, which follows the program on its own. TAP.
#
#   llvm.sh DIR        DIR has captures and V9TRACE=PROGRAM makes the files
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$1" || exit 2
. "$top/selftests/exports/consumer.inc"
PATH=$(echo /usr/lib/llvm-*/bin):$PATH

# profile NAME FORMAT OPTION...: writes NAME.prof. llvm-profgen may warn of instructions of the C library that it does
# not know, and that the program ran for a short time, and of nothing else.
profile() {
	name=$1 format=$2
	shift 2
	"$V9TRACE" export --to "$format" -o "$name.in" --binary symfs/opt/calls --symfs symfs calls/steps.data 2>err
	if llvm-profgen --unsymbolized-profile="$name.in" --use-offset=0 --binary=symfs/opt/calls -o "$name.prof" "$@" >"$name.log" 2>&1 &&
	   ! grep -v 'Found [0-9]* invalid instructions$' "$name.log" | grep -qv 'better with .* more samples'; then ok "${name}_is_read"
	else not_ok "${name}_is_read" "$(head -n 1 "$name.log" | cut -c -200) $(head -n 1 err)"; fi
}
profile flat llvm
profile contexts llvm-contexts --format=text --gen-cs-nested-profile=0 --csspgo-preinliner=0 --csprof-merge-cold-context=0
if why=$(python3 -B "$top/selftests/exports/contexts.py" profgen contexts.prof calls.want 10 2>&1); then ok contexts_counts; else not_ok contexts_counts "$(echo "$why" | tail -n 1)"; fi
# What a compiler takes: contexts that it is told to inline, below the functions.
profile nested llvm-contexts
llvm-profdata show --sample nested.prof >nested.txt 2>err
for function in main again lost; do
	if grep -q "^Function: $function: [1-9]" nested.txt; then ok "nested_has_$function"; else not_ok "nested_has_$function" "$(head -n 1 err)"; fi
done
if llvm-profdata merge --sample -o merged.prof nested.prof nested.prof 2>err; then ok profdata_merges; else not_ok profdata_merges "$(head -n 1 err)"; fi
for profile in flat nested; do
	if clang --target=aarch64-linux-gnu -O2 -g -fprofile-sample-use="$profile.prof" -Wall -Werror -Rpass=sample-profile -c -o calls.o calls.c >"$profile.clang" 2>&1; then
		ok "clang_takes_$profile"
	else not_ok "clang_takes_$profile" "$(head -n 1 "$profile.clang")"; fi
done
# leaf() is inlined into again() for one of its callers, which only a profile with contexts says.
if grep -q "'leaf' inlined into 'again' to match profiling context" nested.clang && ! grep -q "'leaf' inlined" flat.clang
then ok clang_inlines_by_context; else not_ok clang_inlines_by_context "$(grep -m 1 inlined nested.clang)"; fi
finish
