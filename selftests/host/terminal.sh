#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace on a terminal: see terminal.py.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
makers host/mkcapture host/mktrace
captures ./mkcapture .
captures ./mktrace .
python3 "$top/selftests/host/terminal.py" "$V9TRACE" "$dir"
