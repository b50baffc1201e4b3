#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9trace export, judged by programs that come from npm: speedscope in headless Chromium, the command line of
# the Firefox Profiler, DuckDB, hyparquet. They are fetched once, in these versions, and run without a network.
#
#   npm.sh [SUITE]     TAP below build/results/ (exports/npm)
. "$(dirname "$0")/../lab/lib.sh"
cd "$PROJ" || exit 2
suite=${1:-exports/npm}
tap=build/results/$suite.tap dir=$PWD/build/exports/npm
WANTED="speedscope@1.25.0 @firefox-devtools/profiler-cli@0.10.0 @duckdb/node-api@1.5.6-r.1 hyparquet@1.31.5"
place=$CACHE/npm-$(hash_text "$WANTED")
rm -rf "$dir"
mkdir -p "$dir" "$(dirname "$tap")"

# Prefers npm of this machine, which may have another registry configured. The tree needs a resolv.conf.
client() {
	if command -v npm >/dev/null; then
		npm "$@"
	else
		cp /etc/resolv.conf "$(selftests/lab/peers.sh -t node path)/etc/resolv.conf"
		selftests/lab/peers.sh -t node run -- npm "$@"
	fi
}

fetch() {
	rm -rf "$place.new"
	mkdir -p "$place.new"
	# shellcheck disable=SC2086
	client install --prefix "$place.new" --cache "$place.new/cache" \
		--no-audit --no-fund --ignore-scripts $WANTED &&
		rm -rf "$place.new/cache" && mv "$place.new" "$place"
}
[ -d "$place" ] || step "packages of npm" fetch || exit 1
used "$place"

selftests/lab/root.sh run -- sh -c '
	make -s -C tools STATIC=1 && selftests/exports/captures.sh "$1" && cd "$1" || exit
	export HOME=$1 v9=$2
	symbols="--symfs symfs --kallsyms kallsyms" hostile="--symfs hostile --kallsyms hostile/kallsyms"
	both() {	# NAME CAPTURE OPTIONS...
		name=$1 capture=$2
		shift 2
		"$v9" report --json --calls --limit 0 "$@" "$capture" >"$name.report"
		for format in folded speedscope firefox chrome pprof; do
			"$v9" export --to $format -o "$name.$format" "$@" "$capture" || exit
		done
	}
	both spe good.data $symbols
	both spe_hostile good.data $hostile
	both ete trace.data --symfs symfs
	both ete_hostile trace.data --symfs hostile
' sh "$dir" "$(realpath build/tools/host)/v9trace" >&2 || exit 1

{
	selftests/lab/peers.sh -t node run -- unshare -n sh -c 'ip link set lo up 2>/dev/null; exec "$@"' sh \
		node selftests/exports/profiler.mjs "$dir" "$place"
	selftests/lab/peers.sh -t node run -- unshare -n node selftests/exports/parquet.mjs "$dir" "$place" \
		"$(realpath build/tools/host)/v9trace"
	selftests/lab/peers.sh -t browser run -- unshare -n sh -c 'ip link set lo up && exec python3 "$@"' sh \
		selftests/exports/speedscope.py "$dir" "$place"
} | awk '/^1\.\./ { next } /^(not )?ok/ { n++; sub(/ok [0-9]+/, "ok " n) } { print } END { print "1.." n }' >"$tap"
cat "$tap"
! grep -q '^not ok' "$tap" && grep -q '^1\.\.[1-9]' "$tap"
