#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Each heading of Documentation/troubleshooting.rst that quotes a message must be a message of the
# code. "..." in a heading stands for any text. TAP.

set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
failed=0

# strings DIRECTORY...: prints the C strings, with adjacent strings joined, and conversions as "..."
strings() {
	find "$@" -name '*.[ch]' -exec awk '
		FNR == 1 { print "" }
		{ gsub(/\047\\?"\047/, ""); sub(/^[[:space:]]+/, "") }
		/^"/ && open { sub(/^"/, ""); sub(/"[[:space:]]*$/, "", held); printf "%s", held; held = $0; open = /"$/; next }
		{ if (held != "") print held; held = $0; open = /"$/ }
		END { print held }' {} + |
		grep -oE '"([^"\\]|\\.)*"' | sed 's/\\"/"/g; s/%#\{0,1\}[-0-9]*l*[dsuxi]/.../g'
}

# missing PAGE: prints the quoted messages that no string of the code has
missing() {
	awk '/^-+$/ && length(last) == length($0) { print last } { last = $0 }' "$1" |
		while IFS= read -r line; do
			# Shell patterns, but for "..."
			whole=$(printf '%s\n' "$line" | sed 's/[][\\.^$*]/\\&/g; s/\\\.\\\.\\\./.*/g')
			grep -q -- "$whole" "$tmp/strings" || printf '%s\n' "$line"
		done
}

check() {	# NAME WHY
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1"
	else
		failed=1
		echo "not ok $n - $1 # $2"
	fi
}

strings drivers include tools >"$tmp/strings"
page=Documentation/troubleshooting.rst
check messages_are_those_of_the_code "$(missing $page | head -n 1)"
quoted=$(awk '/^-+$/ && length(last) == length($0) { n++ } { last = $0 } END { print n + 0 }' $page)
check messages_were_found "$([ "$quoted" -ge 20 ] || echo "$quoted headings")"
sed 's/^too many filters$/too many letters/' $page >"$tmp/page"
check another_message_is_seen "$([ "$(missing "$tmp/page")" = 'too many letters' ] || echo accepted)"

echo "1..$n"
exit $failed
