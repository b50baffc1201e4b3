#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The pages as HTML, by Debian's Sphinx: docs.sh writes build/docs, exit status 1 after a warning.
# docs.sh SUITE writes build/results/SUITE.tap: do they build without one, and is one seen?
set -u
cd "$(dirname "$0")/.." || exit 2
mkdir -p build/log

# html SOURCE OUTPUT
html() {
	selftests/lab/peers.sh -t docs run -- sphinx-build -W --keep-going -q -b html -d "$2.doctrees" \
		"$1" "$2"
}

if [ $# -eq 0 ]; then
	html Documentation build/docs && echo build/docs/index.html
	exit
fi

tap=build/results/$1.tap
copy=$PWD/build/docs-copy
mkdir -p "$(dirname "$tap")"
rm -rf "$copy"
cp -r Documentation "$copy"
{
	html Documentation build/docs >build/log/docs.log 2>&1
	[ $? -eq 0 ] && [ -s build/docs/glossary.html ] || printf 'not '
	echo "ok 1 - pages_build_without_a_warning # $(grep -m 1 -E 'WARNING|ERROR' build/log/docs.log)"
	printf '\n:doc:`nowhere`\n' >>"$copy/glossary.rst"
	html "$copy" "$copy.html" >build/log/docs-broken.log 2>&1 && printf 'not '
	echo "ok 2 - a_broken_reference_is_seen"
	echo "1..2"
} >"$tap"
rm -rf "$copy" "$copy.html" "$copy.html.doctrees"
! grep -q '^not ok' "$tap"
