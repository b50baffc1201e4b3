#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace export, judged by programs of Debian that read the formats.
#
#   exports.sh SUITE...     exports/pprof and others: writes build/results/SUITE.tap
set -u
cd "$(dirname "$0")/../.." || exit 2
work=$PWD/build/exports
for suite; do
	case ${suite##*/} in
	bolt | llvm) tree=${suite##*/} ;;
	*) tree=exports ;;
	esac
	dir=$work/${suite##*/} tap=build/results/$suite.tap
	rm -rf "$dir"
	mkdir -p "$dir" "$(dirname "$tap")"
	selftests/lab/root.sh run -- sh -c 'make -s -C tools STATIC=1 && selftests/exports/captures.sh "$1"' sh "$dir" >&2 &&
		selftests/lab/peers.sh -t $tree run -- env V9TRACE="$(realpath build/tools/host)/v9trace" \
			"selftests/exports/${suite##*/}.sh" "$dir" >"$tap"
done
