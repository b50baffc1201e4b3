#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace on a terminal: see terminal.py.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
for p in mkcapture mktrace; do
	if ! ${CC:-cc} -std=gnu11 -Wall -Wextra -I"$top/include" -I"$top/drivers/lib" -o "$dir/$p" \
		"$top/selftests/host/$p.c" >&2 || ! (cd "$dir" && "./$p" .); then
		not_ok captures "$p failed"
		finish
	fi
done
python3 selftests/host/terminal.py "$V9TRACE" "$dir"
