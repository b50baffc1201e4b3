#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Ctrl-C while a capture is read: the report is of what was read until then, and says so. mkstop.c gets the signal at a
# known place.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
. selftests/host/golden.inc
if ! make -s -C tools STATIC=1 PROGRAM=mkstop MAIN=../selftests/host/mkstop.c OUT="$top/build/host/stop.build" \
	BASE="$(readlink -f build/tools/host)" \
	LDFLAGS='-Wl,--wrap=v9_session_next -Wl,--wrap=v9_walk_to' >&2; then
	not_ok build "mkstop does not build"
	finish
fi
mkstop=$top/build/host/stop.build/mkstop
own_directory
makers bench/mkspe host/mktrace
captures ./mkspe spe.data 300000
captures ./mktrace . 20000
captures ./mktrace .

# stopped AT COMMAND...: its output is in the files out and err, its exit status in $status
stopped() {
	at=$1
	shift
	V9_STOP_AT=$at "$mkstop" "$@" >out 2>err
	status=$?
}
# fact TITLE: the first number after it in the output
fact() { sed -n "s/^  $1 *\([0-9][0-9]*\).*/\1/p" out | head -n 1; }
not_read() { sed -n 's/^ *\([0-9,]*\)  AUX bytes not read: interrupted.*/\1/p' out | head -n 1 | tr -d ,; }
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "$2, not $3"; fi; }
# says so: marked above all, a warning, and the status of what is incomplete
marked() {
	is "$1_status" $status 1
	if [ "$(sed -n '1p' out)" = Lost ] && sed -n 2p out | grep -q 'AUX bytes not read: interrupted'; then
		ok "$1_is_said_first"
	else
		not_ok "$1_is_said_first" "$(sed -n '1,3p' out | tr '\n' '|')"
	fi
	is "$1_warns" "$(cat err)" "v9trace: warning: interrupted: the report is of what was read until then"
}

# SPE: noticed after 65,536 records and each multiple; no record is counted that is not read, or twice
for command in report mem; do
	stopped 100000 $command -j 1 spe.data
	marked ${command}_of_records
	is ${command}_records "$(fact records)" 131072
	# Up to the padding after the last one
	is ${command}_bytes_not_read $(($(not_read) / 64)) $((300000 - 131072))
done
stopped 100000 report -j 1 --json spe.data
if grep -q '"unread_stopped"' out && [ $status = 1 ]; then ok json_says_so; else not_ok json_says_so "status $status"; fi
stopped 100000 report -j 3 spe.data
marked threads_of_records
is all_is_read_or_not $(($(fact records) + $(not_read) / 64)) 300000
is nothing_was_skipped "$(grep -c ', 0 skipped' out)" 1
stopped 0 report -j 1 spe.data
is not_interrupted "$status $(fact records) $(cat err)" '0 300000 '
stopped 1 report -j 1 spe.data
is first_record "$status $(fact records)" '1 65536'

# ETE: each AUX record in turn
all=$("$V9TRACE" report -j 1 long.data | sed -n 's/^  instructions *\([0-9]*\).*/\1/p')
stopped 5000 report -j 1 long.data
marked report_of_trace
is a_quarter "$(fact instructions)" $((all / 4))
unread=$(not_read)
stopped 10000 report -j 1 --calls long.data
marked calls
is a_half "$(fact instructions)" $((all / 2))
is half_of_the_bytes $(($(not_read) * 3)) $((unread * 2))
# Several threads, or CPUs by time: a part, of what is not read nothing
all=$("$V9TRACE" report -j 1 steady.data | sed -n 's/^  branches not followed *\([0-9]*\).*/\1/p')
for how in '-j 4' '--calls' '--calls --waits'; do
	name=steady$(echo "$how" | tr -d '\055' | sed 's/^/_/; s/ /_/g')
	# shellcheck disable=SC2086
	stopped 2 report $how steady.data
	is "${name}_status" $status 1
	case $how in
	*waits*) continue ;;
	esac
	some=$(fact 'branches not followed')
	if [ "$(not_read)" -gt 0 ] && [ "${some:-0}" -lt "$all" ]; then
		ok "${name}_a_part"
	else
		not_ok "${name}_a_part" "$some of $all"
	fi
done

# A second one ends the command, and one where nothing can be done with a part.
V9_STOP_AGAIN=100001 stopped 100000 report -j 1 spe.data
is twice $status 130
stopped 100000 script -j 1 spe.data
is other_commands $status 130
# Ignored signals stay ignored.
(trap '' INT; stopped 100000 report -j 1 spe.data; echo "$status $(fact records)" >ignored)
is ignored "$(cat ignored)" '0 300000'
finish
