#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# v9trace export, judged by programs that come from npm: speedscope in headless Chromium, the command line of
# the Firefox Profiler, DuckDB, hyparquet. They are fetched once, in these versions, and run without a network.
#
#   npm.sh [SUITE...]     each of exports/speedscope, profiler, parquet: TAP below build/results/
. "$(dirname "$0")/../lab/lib.sh"
cd "$PROJ" || exit 2
[ $# -gt 0 ] || set -- exports/speedscope exports/profiler exports/parquet
dir=$PWD/build/exports/npm
WANTED="speedscope@1.25.0 @firefox-devtools/profiler-cli@0.10.0 @duckdb/node-api@1.5.6-r.1 hyparquet@1.31.5"
place=$CACHE/npm-$(hash_text "$WANTED")
rm -rf "$dir"
mkdir -p "$dir"

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
' sh "$dir" "$PROJ/build/tools/host/v9trace" >&2 || exit 1

# Without a network. The loopback interface is up: drivers of browsers listen on it.
offline() {	# TREE COMMAND...
	tree=$1
	shift
	selftests/lab/peers.sh -t "$tree" run -- unshare -n sh -c 'ip link set lo up 2>/dev/null; exec "$@"' sh "$@"
}
status=0
for suite; do
	mkdir -p "build/results/${suite%/*}"
	case ${suite##*/} in
	speedscope) offline browser python3 selftests/exports/speedscope.py "$dir" "$place" ;;
	profiler) offline node node selftests/exports/profiler.mjs "$dir" "$place" ;;
	parquet) offline node node selftests/exports/parquet.mjs "$dir" "$place" "$PROJ/build/tools/host/v9trace" ;;
	*) false ;;
	esac >"build/results/$suite.tap" || status=1
done
exit $status
