#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# v9trace html: the tables of the page are those of "report --json" and "mem --json", its charts add
# up to them, names of a capture cannot become markup, and its libraries are the files that NOTICE
# and the checksums beside them name.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
makers host/mkcapture host/mktrace bench/mkspe
captures ./mkcapture .
captures ./mktrace .
captures ./mkspe many.data 60000
captures ./mktrace . 50
symbols="--symfs symfs --kallsyms kallsyms"

if (cd "$top/tools/report/page/vendor" && sha256sum -c --quiet SHA256SUMS) 2>err; then ok libraries
else not_ok libraries "$(head -n 1 err)"; fi
for f in "$top"/tools/report/page/vendor/*.js "$top"/tools/report/page/vendor/*.css; do
	grep -q "  ${f##*/}\$" "$top/tools/report/page/vendor/SHA256SUMS" || not_ok libraries "${f##*/} has no checksum"
done

# page NAME CAPTURE [OPTION...]: the tables and charts of a page
page() {
	name=$1 capture=$2
	shift 2
	if ! "$V9TRACE" html "$@" -o page.html "$capture" 2>err; then
		not_ok "$name" "$(head -n 1 err)"
		return
	fi
	"$V9TRACE" report --json --calls --limit 1000 "$@" "$capture" >report.json 2>err || "$V9TRACE" report --json --limit 1000 "$@" "$capture" >report.json
	"$V9TRACE" mem --json --limit 1000 "$@" "$capture" >mem.json 2>err || : >mem.json
	"$V9TRACE" annotate --json --limit 5 "$@" "$capture" >listings.json 2>err || : >listings.json
	"$V9TRACE" report --joint --json --limit 1000 "$@" "$capture" >joint.json 2>err || : >joint.json
	if why=$(python3 "$top/selftests/host/page.py" page.html report.json mem.json listings.json joint.json 2>&1); then ok "$name"
	else not_ok "$name" "$(echo "$why" | tail -n 1)"; fi
}
page spe good.data $symbols
page spe_damaged damaged.data $symbols
page spe_lost sparse.data
page spe_shared mem.data $symbols
page spe_many many.data
page ete trace.data --symfs symfs
page ete_long steady.data --symfs symfs
page ete_records long.data --symfs symfs
page ete_damaged trace-damaged.data --symfs symfs
page ete_moved moved.data --symfs symfs
page both both.data --symfs symfs
if [ -s joint.json ]; then ok both_is_joint; else not_ok both_is_joint "$(tail -n 1 err)"; fi
page both_of_a_symbol both.data --symfs symfs --symbol match
if "$V9TRACE" html --least-mhz 0 both.data >out 2>err; then not_ok joint_options "accepted"; else ok joint_options; fi
page of_a_thread good.data $symbols --tid 100
page of_a_symbol trace.data --symfs symfs --symbol match

# A symbol, a thread and an object with markup in their names
sed "s/copy_page/<\/script><script>alert(1)<\/script>/; s/vfs_read/<!--<script>/" kallsyms >evil-kallsyms
page evil_names good.data --symfs symfs --kallsyms evil-kallsyms
if grep -q 'u003c/script' page.html && ! grep -qF -e '</script><script>alert' -e '<!--<script>' page.html; then ok evil_escaped
else not_ok evil_escaped "markup of a name is in the page"; fi

# A limit on calls keeps the longest and counts the others.
if "$V9TRACE" html --calls 50 --symfs symfs -o page.html steady.data 2>err &&
   why=$(python3 "$top/selftests/host/page.py" --calls 50 page.html 2>&1); then ok few_calls
else not_ok few_calls "$(echo "$why" | tail -n 1)$(head -n 1 err)"; fi

# marks NAME CAPTURE OPTION: marks of the program are those of script
marks() {
	if "$V9TRACE" html --symfs symfs -o page.html "$2" 2>err && "$V9TRACE" script --json --symfs symfs "$2" >marks.json 2>err &&
	   why=$(python3 "$top/selftests/host/page.py" "$3" page.html marks.json 2>&1); then ok "$1"
	else not_ok "$1" "$(echo "$why" | tail -n 1)$(head -n 1 err)"; fi
}
page ete_marks marks.data --symfs symfs
marks marks marks.data --marks
marks branch_marks branch-marks.data --marks
marks many_marks many-marks.data --few-marks

# The page is whole or not there.
refuses no_capture 1 'none.data' html none.data
refuses two_captures 2 'one capture' html good.data good.data
refuses zero_limit 2 'limit' html --limit 0 good.data
refuses nowhere 1 'cannot write no/dir/x.html' html -o no/dir/x.html good.data
rm -f page.html
"$V9TRACE" html --tid 99999 -o page.html good.data 2>err
if [ $? = 1 ] && [ -z "$(ls page.html* 2>/dev/null)" ]; then ok nothing_selected
else not_ok nothing_selected "status or file: $(ls page.html* 2>/dev/null)"; fi
"$V9TRACE" html $symbols cut.data 2>err
status=$?
if [ $status = 1 ] && grep -q 'cut short' err && tail -n 1 cut.data.html | grep -q '</html>'; then ok cut_short
else not_ok cut_short "status $status, $(tail -n 1 err)"; fi
if [ "$("$V9TRACE" html $symbols -o - good.data | tail -n 1)" = '</html>' ]; then ok to_stdout
else not_ok to_stdout "no whole page"; fi
mkfifo fifo
timeout 60 cat fifo >got.html &
"$V9TRACE" html $symbols -o fifo good.data 2>err
status=$?
wait
if [ $status = 0 ] && [ -p fifo ] && [ "$(tail -n 1 got.html)" = '</html>' ]; then ok to_a_fifo
else not_ok to_a_fifo "status $status, $(ls -ld fifo), $(head -n 1 err)"; fi

# A pipe is read twice, too. Pages differ by the name of the capture and by a random number.
same_page() { sed 's/nonce[-=]["0-9a-f]*//g; s/{"path":"[^"]*"//' "$1"; }
"$V9TRACE" html --symfs symfs -o file.html trace.data 2>err
"$V9TRACE" html --symfs symfs -i - -o pipe.html <trace.data 2>err
same_page file.html >file.same
if same_page pipe.html | cmp -s - file.same && grep -q '"name":"instructions"' file.same; then ok pipe
else not_ok pipe "$(same_page pipe.html | diff - file.same | cut -c -100 | sed -n 2p) $(head -n 1 err)"; fi

# No address of a server but those in the comments and notices of the libraries, and nothing is loaded.
"$V9TRACE" html $symbols -o page.html good.data 2>err
if grep -qiE '<(link|img|iframe|object|embed)[ >]|<script[^>]* src=|@import|url\(' page.html; then
	not_ok loads_nothing "$(grep -oiE '<(link|img|iframe|object|embed)[ >]|<script[^>]* src=|@import|url\(' page.html | head -n 1)"
else
	ok loads_nothing
fi
finish
