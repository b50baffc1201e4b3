#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Pages of v9trace html in Debian's Chromium, without a network: they load, zoom, search and filter,
# names of a capture stay text, nothing is asked of a server. Pictures are in build/browser; those of
# the demo, which "make demo" records, are what UPDATE=1 puts into Documentation/images.
#
#   browser.sh [SUITE]	TAP below build/results/ (exports/browser)
#
# A comment "# bench html_first_paint_PAGE" has the time until a browser shows something of a page, and
# until it has read all of it.
set -eu
cd "$(dirname "$0")/.."
lab=selftests/lab
out=$PWD/build/browser
suite=${1:-exports/browser}
rm -rf "$out"
mkdir -p "$out" "build/results/${suite%/*}"
$lab/root.sh run -- sh -eu -c '
	make -s -C tools STATIC=1 >&2
	v9trace=$PWD/build/tools/host/v9trace top=$PWD
	cd "$1"
	"$top/selftests/exports/captures.sh" .
	cc -std=gnu11 -D_GNU_SOURCE -I"$top/include" -I"$top/drivers/lib" -o mkspe "$top/selftests/bench/mkspe.c"
	./mkspe many.data 200000
	sed "s/copy_page/<\/script><script>window.ran=1<\/script><svg\/onload=window.ran=1>/" kallsyms >evil-kallsyms
	"$v9trace" html --symfs symfs --kallsyms evil-kallsyms -o evil.html good.data
	"$v9trace" html --symfs symfs -o both.html both.data
	"$v9trace" html --symfs symfs -o steady.html steady.data
	"$v9trace" html --symfs symfs -o marked.html marks.data
	"$v9trace" html --symfs symfs -o marked-much.html many-marks.data
	"$v9trace" html --symfs symfs -o damaged.html trace-damaged.data
	"$v9trace" html --symfs symfs -o shared.html mem.data
	"$v9trace" html -o many.html many.data
	"$v9trace" html --symfs symfs -o steps.html steps.data
	"$v9trace" html --symfs symfs -o inlined.html inlined.data
	demo=$top/build/demo bench=$top/build/bench
	[ ! -e "$demo/demo.data" ] || "$v9trace" html --symfs "$demo/symfs" --kallsyms "$demo/kallsyms" -o demo.html "$demo/demo.data"
	[ ! -e "$demo/trace.data" ] || "$v9trace" html --symfs "$demo/symfs" -o trace.html "$demo/trace.data"
	[ ! -e "$bench/model.data" ] || "$v9trace" html --symfs "$bench/symfs" -o model.html "$bench/model.data"
	[ ! -e "$bench/forty.data" ] || "$v9trace" html --symfs "$bench/symfs" -o forty.html "$bench/forty.data"
	[ ! -e "$bench/spe4.data" ] || "$v9trace" html -o spe4.html "$bench/spe4.data"
' sh "$out" 2>"$out/html.log" || { tail -n 5 "$out/html.log" >&2; exit 1; }

# A namespace of its own has no way out of the machine; the driver needs localhost.
$lab/peers.sh -t browser run -- unshare -n sh -c 'ip link set lo up && exec python3 selftests/browser.py "$1"' sh "$out" \
	>"build/results/$suite.tap" || :
if [ -n "${UPDATE:-}" ]; then
	mkdir -p Documentation/images
	cp "$out"/doc-*.png Documentation/images/
fi
! grep -q '^not ok' "build/results/$suite.tap" && grep -q '^1\.\.' "build/results/$suite.tap"
