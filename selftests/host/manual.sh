#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Compares the tables with the Arm manual, if MANUAL=DIR names a copy; see selftests/manual/run.sh.
# TAP.

set -u
cd "$(dirname "$0")/../.." || exit 1
out=$(mktemp)
trap 'rm -f "$out"' EXIT
failed=0

if [ -z "${MANUAL:-}" ]; then
	echo "ok 1 - tables_as_the_manual # SKIP no MANUAL=DIR"
elif V='' selftests/manual/run.sh >"$out" 2>&1; then
	echo "ok 1 - tables_as_the_manual"
else
	failed=1
	echo "not ok 1 - tables_as_the_manual # $(tail -n 1 "$out")"
fi
sed 's/^/# /' "$out"
echo "1..1"
exit $failed
