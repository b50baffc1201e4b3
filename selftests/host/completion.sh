#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each option that a command takes, as the compiler sees its table, is in its --help, in what the
# shell offers, and in its manual page; and nothing else is offered.
set -u
cd "$(dirname "$0")/../.." || exit 2
. selftests/host/suite.inc
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT

# offered WORD...: what bash offers for the last word
offered() {
	V9=$V9TRACE bash -c '
		. tools/completion/v9trace.bash
		program=$V9
		COMP_WORDS=(v9trace "$@")
		COMP_CWORD=$#
		_v9trace "$program"
		printf "%s\n" "${COMPREPLY[@]}"' bash "$@" | sort -u
}

# taken FILE: the options of the table and of the short ones
taken() {
	cc -E -P -D_GNU_SOURCE -Iinclude "$1" 2>/dev/null | tr '\n' ' ' >"$dir/expanded"
	grep -oE '\{ *"[a-z-]+", *[012] *,' "$dir/expanded" | sed 's/[^"]*"\([^"]*\).*/--\1/'
	grep -oE 'getopt_long\([^;]*' "$dir/expanded" | grep -oE '"[^)]*' | grep -oE '"[^"]*"' | tr -d '":+ \n' |
		grep -o . | sed 's/^/-/'
}

# compare NAME WANTED GOT: two files of words
compare() {
	if [ -s "$2" ] && cmp -s "$2" "$3"; then
		ok "$1"
	else
		not_ok "$1" "missing: $(comm -23 "$2" "$3" | paste -sd ' ') too many: $(comm -13 "$2" "$3" | paste -sd ' ')"
	fi
}

"$V9TRACE" --help | sed -n 's/^  \([a-z]*\) .*/\1/p' | sort >"$dir/commands"
offered '' | grep -v '^--' >"$dir/got"
compare commands "$dir/commands" "$dir/got"
sed -n 's/^int cmd_\([a-z]*\)(.*/\1/p' tools/commands.h | sort >"$dir/got"
compare commands_of_the_table "$dir/commands" "$dir/got"
while read -r cmd; do
	file=$(grep -l "^int cmd_$cmd(" tools/*/*.c)
	{ taken "$file"; printf '%s\n' --help -h; } | sort -u >"$dir/taken"
	# The commands that read captures share a table: script knows --csv, and refuses it.
	! "$V9TRACE" "$cmd" --csv /nonexistent 2>&1 | grep -q 'does not make' || sed -i '/^--csv$/d' "$dir/taken"
	offered "$cmd" - >"$dir/got"
	compare "$cmd" "$dir/taken" "$dir/got"
	page=Documentation/man/v9trace-$cmd.1
	[ -e "$page" ] || page=Documentation/man/v9trace.1
	sed 's/\\-/-/g' "$page" | grep -oE -e '(^|[^a-z-])(--[a-z][a-z-]*|-[A-Za-z0-9]\b)' |
		grep -oE -e '--?[A-Za-z0-9].*' | sort -u >"$dir/page"
	grep -vxE -e '--help|-h' "$dir/taken" | comm -23 - "$dir/page" >"$dir/missing"
	if [ -s "$dir/missing" ]; then
		not_ok "${cmd}_page" "missing: $(paste -sd ' ' <"$dir/missing")"
	else
		ok "${cmd}_page"
	fi
done <"$dir/commands"

offered driver o >"$dir/got"
echo ours >"$dir/wanted"
compare words_of_driver "$dir/wanted" "$dir/got"
offered top --by so >"$dir/got"
echo source >"$dir/wanted"
compare rows_of_top "$dir/wanted" "$dir/got"
offered top --sort av >"$dir/got"
echo average >"$dir/wanted"
compare orders_of_top "$dir/wanted" "$dir/got"
offered export --to fo >"$dir/got"
echo folded >"$dir/wanted"
compare formats_of_export "$dir/wanted" "$dir/got"
offered report --format j >"$dir/got"
echo json >"$dir/wanted"
compare formats "$dir/wanted" "$dir/got"
: >"$dir/a.data"
offered report "$dir/a" >"$dir/got"
echo "$dir/a.data" >"$dir/wanted"
compare files "$dir/wanted" "$dir/got"
finish
