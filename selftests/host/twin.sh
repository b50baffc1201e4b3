#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The two files of a recording of SPE and ETE: v9trace split makes them of captures of mktrace.c, which have
# both in one data section. Each command finds the other file; what is missing or damaged is said, and
# the rest is read. join and split change no byte. Stock perf opens each half.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
makers host/mkcapture host/mktrace
captures ./mkcapture .
captures ./mktrace .

# is NAME WHY CONDITION...
is() { name=$1 why=$2; shift 2; if "$@"; then ok "$name"; else not_ok "$name" "$why"; fi; }
# one_line FILE TEXT: has one line, with the text
one_line() { [ "$(wc -l <"$1")" = 1 ] && grep -q -e "$2" "$1"; }
# nothing_left NAME...: there are no such files, nor unfinished ones
nothing_left() { ! ls "$@" 2>/dev/null | grep -q . && ! ls ./*.?????? 2>/dev/null | grep -qv '\.\(data\|sh\)$'; }

"$V9TRACE" split -o two.data joint.data 2>err
is split "status $?, $(cat err)" test -s two.data -a -s two.data.spe
is split_says_what "$(cat err)" test "$(sed 's/: [0-9.]* .*B$//' err)" = "v9trace: two.data
v9trace: two.data.spe"

# perf has no number of the description of a unit in an AUXTRACE record: the field (offset 44) is reserved.
for half in two.data two.data.spe; do
	python3 -B - $half >got <<'END'
import struct, sys
b = open(sys.argv[1], "rb").read()
at, size = struct.unpack_from("<QQ", b, 40)
end = at + size
while at < end:
    kind, misc, n = struct.unpack_from("<IHH", b, at)
    if kind == 71:
        print(struct.unpack_from("<I", b, at + 44)[0])
        n += struct.unpack_from("<Q", b, at + 8)[0]
    at += n
END
	is only_one_unit_in_$half "$(paste -sd ' ' got)" test "$(sort -u got)" = 0
done

grep -q 'cs_etm//u' two.data && ! grep -q 'cs_etm//u' two.data.spe
is names_of_events "a half names an event of the other one" test $? = 0

# ------------------------------------------------------------------------------ reading
command="report --joint --symfs symfs"
for half in two.data two.data.spe; do
	golden=$top/selftests/golden/joint
	golden joint.txt $half
	is no_words_for_$half "$(head -n 1 err)" test ! -s err
done
# A recording that is named by both files counts once, unless they are apart.
fdo() { out=$1; shift; "$V9TRACE" fdo --for bolt --binary symfs/opt/work --symfs symfs -o "$out" "$@" 2>err; }
fdo fdo.one two.data
is fdo_of_one_half "$(tail -n 1 err)" test -s fdo.one
for pair in "two.data two.data.spe" "two.data.spe two.data" "./two.data ./two.data.spe"; do
	# shellcheck disable=SC2086
	fdo fdo.both $pair
	is "fdo_of_$(echo "$pair" | tr -c 'a-z\n' _)" "$(tail -n 1 err)" cmp -s fdo.one fdo.both
	is "fdo_says_so_of_$(echo "$pair" | tr -c 'a-z\n' _)" "$(cat err)" grep -q \
		"${pair#* } is the other half of ${pair% *} and was read with it" err
	is "fdo_counts_$(echo "$pair" | tr -c 'a-z\n' _)" "$(cat err)" grep -q 'from 1 of 1 captures' err
done
mkdir apart
cp two.data.spe apart
fdo fdo.both two.data apart/two.data.spe
is fdo_of_halves_apart "$(cat err)" grep -q ' of 2 captures' err
rm -rf apart fdo.one fdo.both

# All of a report, and what one half has of it alone
"$V9TRACE" report --symfs symfs joint.data >whole
"$V9TRACE" report --symfs symfs two.data >got
is report_of_both "$(diff whole got | head -n 3)" cmp -s whole got
for c in script "export --to json" "mem" "html -o page.html"; do
	rm -f page.html
	eval "$V9TRACE $c --symfs symfs joint.data" >want 2>err
	[ ! -e page.html ] || mv page.html want
	eval "$V9TRACE $c --symfs symfs two.data" >got 2>err
	[ ! -e page.html ] || mv page.html got
	sed -i -e 's/two\.data/joint.data/g' -e 's/nonce-[0-9a-f]*//' -e 's/nonce="[0-9a-f]*"//' want got
	is "$(echo "$c" | cut -d ' ' -f 1)_of_both" "$(diff want got | head -n 3 | cut -c 1-200)" cmp -s want got
done
# Bytes that mktrace.c chooses, not v9trace
"$V9TRACE" report --symfs symfs both.data >want 2>err
"$V9TRACE" report --symfs symfs joined.data >got 2>>err
is report_of_joined "$(diff want got | head -n 3; cat err)" cmp -s want got
# Whichever of the two is merged, it is one capture: both are it twice, which is refused.
"$V9TRACE" merge --symfs symfs -o one.shard two.data 2>err && "$V9TRACE" merge --symfs symfs -o other.shard two.data.spe 2>err
grep '^capture' one.shard >want
grep '^capture' other.shard >got
sed -i 's/two\.data\.spe/two.data/' got
is one_capture "$(cat want got err)" cmp -s want got

"$V9TRACE" merge --symfs symfs -o both.shard two.data two.data.spe 2>err
is not_twice "$(cat err)" grep -q 'it would count twice' err
# The files that a recording names are those of either half.
touch -r two.data two.data.spe
for half in two.data two.data.spe; do
	"$V9TRACE" archive -q --symfs symfs -o $half.tar.zst $half 2>err
done
is same_archive "$(cat err)" cmp two.data.tar.zst two.data.spe.tar.zst
rm -f ./*.tar.zst

# ------------------------------------------------------------------- another name, no file, another file
mkdir moved elsewhere alone
cp two.data moved/new.data && cp two.data.spe moved/new.data.spe
cp two.data elsewhere/new.data && cp two.data.spe elsewhere/two.data.spe
cp two.data alone && cp two.data.spe else.spe
"$V9TRACE" split -o foreign.data joint.data 2>/dev/null
golden joint.txt moved/new.data
golden joint.txt moved/new.data.spe
golden joint.txt elsewhere/new.data
# alone NAME FILE WORDS: one line says why, and the half reports
alone() {
	"$V9TRACE" report --symfs symfs "$2" >got 2>err
	is "$1" "status $?, $(head -n 3 err)" test $? = 0 -a -s got
	is "$1_says_why" "$(cat err)" one_line err "$3"
}
mkdir spe && mv else.spe spe
alone spe_missing alone/two.data "has the ETE half of a recording alone: alone/two.data.spe is not here"
is ete_without_spe "$(cat got)" test "$(grep -c SPE got)" = 0
alone ete_missing spe/else.spe "SPE half of a recording alone: spe/else is not here"
is spe_without_ete "$(cat got)" test "$(grep -c 'instructions traced' got)" = 0
cp foreign.data.spe alone/two.data.spe
alone spe_foreign alone/two.data "alone: alone/two.data.spe is of another recording"
cp two.data alone/two.data.spe
alone same_half_twice alone/two.data "alone: alone/two.data.spe is of another recording"
echo nothing >alone/two.data.spe
alone spe_is_no_capture alone/two.data "two.data.spe is not a capture"
rm alone/two.data.spe && mkfifo alone/two.data.spe
alone pipe_is_not_read alone/two.data "two.data.spe is not here"
rm alone/two.data.spe
"$V9TRACE" report --symfs symfs - <two.data >got 2>err
is standard_input "$(cat err)" one_line err "the other half is not on standard input"
command="report --joint --symfs symfs"
"$V9TRACE" $command alone/two.data >got 2>err
is joint_needs_both "status $?" test $? = 1 -a ! -s got
is joint_says_why "$(cat err)" grep -q "alone/two.data.spe is not here" err

# ------------------------------------------------------------------------- what is cut short
for half in two.data two.data.spe; do
	rm -rf cut && mkdir cut && cp two.data two.data.spe cut
	size=$(wc -c <$half)
	read -r data bytes <<END
$(od -An -tu8 -j 40 -N 16 $half)
END
	bad=
	for i in $(seq 20); do
		head -c $((size * i / 21)) $half >cut/$half
		timeout 20 "$V9TRACE" $command cut/two.data >got 2>err
		status=$?
		[ $status = 1 ] || { [ $status = 0 ] && [ $((size * i / 21)) -ge $((data + bytes)) ]; } &&
			[ -s err ] || bad="$bad $i"
	done
	[ -z "$bad" ] && ok "cut_$half" || not_ok "cut_$half" "$bad"
done
# A recorder that was killed: no sections, and no size of the data
killed() { python3 -B - "$1" <<'END'
import struct, sys
b = bytearray(open(sys.argv[1], "rb").read())
at, size = struct.unpack_from("<QQ", b, 40)
del b[at + size:]
struct.pack_into("<Q", b, 48, 0)
struct.pack_into("<4Q", b, 72, 0, 0, 0, 0)
open(sys.argv[1], "wb").write(b)
END
}
rm -rf cut && mkdir cut && cp two.data two.data.spe cut
killed cut/two.data && killed cut/two.data.spe
"$V9TRACE" script --symfs symfs cut/two.data >got 2>err
"$V9TRACE" script --symfs symfs joint.data >want 2>/dev/null
is killed_recorder "$(diff want got | head -n 3)" cmp -s want got
is killed_recorder_is_said "$(cat err)" test "$(grep -c 'was not finished by its recorder' err)" = 2
command=join
refuses join_of_killed 1 "was not finished by its recorder" -o out.data cut/two.data

# --------------------------------------------------------------------------- join and split
"$V9TRACE" join -o one.data two.data 2>err
is join "status $?, $(cat err)" test -s one.data
command="report --joint --symfs symfs"
golden joint.txt one.data
"$V9TRACE" $command - <one.data >got 2>err
is joined_on_standard_input "$(diff got "$golden/joint.txt" | head -n 3)" cmp -s got "$golden/joint.txt"
"$V9TRACE" split -o again.data one.data 2>err
is same_ete "status $?, $(cat err)" cmp two.data again.data
is same_spe "status $?, $(cat err)" cmp two.data.spe again.data.spe
"$V9TRACE" join -o reversed.data two.data.spe two.data 2>err
is any_order "$(cat err)" cmp one.data reversed.data
command=join
refuses join_of_one 1 "not one of the two files" -o out.data joint.data
refuses join_of_foreign 1 "not of one recording" -o out.data two.data foreign.data.spe
refuses join_of_same 1 "not of one recording" -o out.data two.data two.data
refuses join_of_joined 1 "has both halves already" -o out.data one.data
refuses join_alone 1 "alone/two.data.spe is not here" -o out.data alone/two.data
refuses join_replaces_nothing 1 "good.data exists" -o good.data two.data
refuses join_to_nowhere 1 "No such file" -o nosuch/out.data two.data
refuses join_without_output 2 "says what to write" two.data
refuses join_three 2 "what is 'c'" -o out.data a b c
refuses join_no_file 1 "cannot be opened" -o out.data nosuch
command=split
refuses split_of_half 1 "nothing to split" -o out.data two.data
refuses split_of_one_unit 1 "no data of both" -o out.data good.data
refuses split_of_no_capture 1 "not a perf.data capture" -o out.data mktrace
refuses split_replaces_nothing 1 "two.data exists" -o two.data one.data
cp two.data.spe out.data.spe
refuses split_replaces_no_twin 1 "out.data.spe exists" -o out.data one.data
rm out.data.spe
refuses split_without_output 2 "says what to write" one.data
is nothing_is_left "$(ls)" nothing_left out.data*
# What was joined is damaged
size=$(wc -c <two.data)
{ head -c $((size + 100)) one.data; head -c 400 /dev/zero; tail -c +$((size + 501)) one.data; } >bad.data
refuses split_of_damaged 1 "is corrupt" -o out.data bad.data
alone damaged_twin bad.data "alone: what was joined to it"
is nothing_is_left_of_damaged "$(ls)" nothing_left out.data*
# An older recording that was cut short: what is there is taken apart.
head -c 9000 joint.data >short.data
"$V9TRACE" split -o shorts.data short.data 2>err
is split_of_short "status $?, $(cat err)" test $? = 1 -a -s shorts.data -a -s shorts.data.spe
is split_of_short_says_it "$(cat err)" grep -q 'short.data ends inside' err

# --------------------------------------------------------------------------------- stock perf
if command -v perf >/dev/null; then
	for half in two.data two.data.spe one.data; do
		perf report --stats -i $half >got 2>err
		is perf_reads_$half "$(head -n 1 err)" grep -q 'AUXTRACE events: *1 ' got
	done
	# The records of EL1 have addresses of user space, which perf extends.
	perf script -i two.data.spe --itrace=i1i -F ip 2>/dev/null | sed 's/ *//' | grep ^a | sort >got
	"$V9TRACE" script --json --el 0 -F pc two.data.spe 2>/dev/null | sed -n 's/.*"pc":"0x\([0-9a-f]*\)".*/\1/p' | sort >want
	is perf_decodes_spe "$(wc -l got want | head -n 2)" cmp -s got want
fi
finish
