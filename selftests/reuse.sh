#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Checks licence and copyright of each file by the REUSE specification, with Debian's linter, on a
# copy of the files that git knows. Writes build/results/licences/reuse.tap.
set -u
cd "$(dirname "$0")/.." || exit 2
tap=build/results/licences/reuse.tap
tree=$PWD/build/reuse
mkdir -p "$(dirname "$tap")" build/log

# lint NAME WANTED: the exit status of the linter is 0 or 1
lint() {
	selftests/lab/peers.sh -t reuse run -- sh -c 'cd "$1" && reuse --no-multiprocessing lint -l' \
		sh "$tree" >build/log/reuse.log 2>&1
	status=$?
	[ $status -eq "$2" ] || printf 'not '
	echo "ok $((n += 1)) - $1 # status $status: $(head -n 1 build/log/reuse.log)"
}

rm -rf "$tree"
mkdir -p "$tree"
git ls-files -z | xargs -0 cp --parents -t "$tree"
{
	n=0
	lint every_file_has_a_licence 0
	sed -i /SPDX/d "$tree/Kbuild"
	lint a_missing_line_is_seen 1
	echo "1..$n"
} >"$tap"
rm -rf "$tree"
! grep -q '^not ok' "$tap"
