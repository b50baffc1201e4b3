#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Holds the tables against the Arm manual. MANUAL=DIR: a copy of it as Markdown, one file for each
# section (D4.4.md, D18.2.md, D24.2.80.md, D24.7.md ...). V=1 shows what is explained, too.
# Words behind it go to check.py.
set -eu
cd "$(dirname "$0")/../.."

if [ -z "${MANUAL:-}" ]; then
	echo "test-manual: MANUAL=DIR names no copy of the Arm manual as Markdown: skipped"
	exit 0
fi
[ -e /.v9trace-root ] || exec selftests/lab/root.sh run -- selftests/manual/run.sh "$@"

out=build/manual
mkdir -p $out
${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -Iinclude -Iselftests/model -Iselftests/host -o $out/access.$$ \
	selftests/manual/access.c selftests/model/*.c tools/lib/*_pkt.c -lm
trap 'rm -f $out/access.$$' EXIT
python3 -B selftests/manual/check.py --manual "$MANUAL" --model $out/access.$$ ${V:+--verbose} "$@"
