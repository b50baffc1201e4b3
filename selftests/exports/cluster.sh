#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace merge on a cluster: slurm.sh in a tree of packages with Slurm, without a network.
#
#   cluster.sh SUITE       exports/slurm: writes build/results/SUITE.tap
set -u
cd "$(dirname "$0")/../.." || exit 2
dir=$PWD/build/exports/slurm tap=build/results/$1.tap
rm -rf "$dir"
mkdir -p "$dir/many" "$(dirname "$tap")"
selftests/lab/root.sh run -- sh -c '
	make -s -C tools STATIC=1 && cd "$1" || exit
	for p in host/mkcapture host/mktrace bench/mkspe; do
		${CC:-cc} -O1 -std=gnu11 -D_GNU_SOURCE -I"$2/include" -I"$2/drivers/lib" -o "${p#*/}" "$2/selftests/$p.c" || exit
	done
	./mkcapture . && ./mktrace . 20000 && mv long.data large.data || exit
	for i in $(seq 64); do
		./mkspe "many/$i.data" $((1000 + i)) || exit
	done' sh "$dir" "$PWD" >&2 || exit 1
selftests/lab/peers.sh -t cluster run -- unshare -n -u env V9TRACE="$(realpath build/tools/host)/v9trace" \
	"$PWD/selftests/exports/slurm.sh" "$dir" >"$tap"
