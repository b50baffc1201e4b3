#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Mutants by rule: mutate_rules.sh -n N [-s SEED] [-r ROOM]
#
# Draws N mutants (selftests/mutants.py says which rules and rooms there are) and tries each: the
# host tests that run its line, in copies of the tree below build/mutate; a mutant of a file that
# only the kernel compiles in a guest, the programs of its unit first; one of what records, that no
# host test notices, by recordings in a guest. One line per mutant as it is
# tried, then the score of this seed, then that of all mutants tried so far whose files are as they
# were. Results are kept in mutants.jsonl in the cache directory: with the same SEED a run goes on
# where it was stopped. Exit status 0 iff none survived.
set -u
cd "$(dirname "$0")/.." || exit 2
# shellcheck source=selftests/lab/lib.sh
. selftests/lab/lib.sh

usage() {
	echo "usage: mutate_rules.sh -n N [-s SEED] [-r drivers|model|decoders|reports]" >&2
	exit 2
}
number='' room='' seed=$((RANDOM * 32768 + RANDOM))
while getopts n:s:r: option; do
	case $option in
	n) number=$OPTARG ;;
	s) seed=$OPTARG ;;
	r) room=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
case $#$number$seed in
*[!0-9]*|0) usage ;;
esac
[ -n "$number" ] || usage

work=$PWD/build/mutate
SILENT=300	# seconds
parts="Kbuild Makefile LICENSES README REUSE.toml Documentation include drivers selftests tools"
log=$CACHE/mutants.jsonl
known=/dev/null	# tests that pass in a guest of the unmodified tree
in_root() { selftests/lab/root.sh run -- "$@"; }
mutants() { in_root selftests/mutants.py "$@"; }

# copy NAME: a copy of the tree as it is
copy() {
	rm -rf "${work:?}/$1"
	mkdir -p "$work/$1"
	# shellcheck disable=SC2086
	cp -r --preserve=timestamps --parents $parts "$work/$1"
}

# programs_of FILE: prints the kselftests that can execute a file of drivers/. Those of its unit come first.
# Those of other units are left out.
programs_of() {
	local first others=brbe all tar
	tar=$(cd "$work/guest" && selftests/target/tarball.sh "${KERNEL:-6.12}")
	all=$(sed 's/.*:\(.*\)\.sh$/\1/' "${tar%/*}/install/kselftest-list.txt")
	case ${1##*/} in
	spe*) first='spe_pmu spe_record spe_buffer spe_pause buffer pmu' others='ete|brbe' ;;
	ete*|trbe*) first='ete_pmu ete_record ete_buffer ete_filter ete_option buffer pmu' others='spe|brbe' ;;
	brbe*) first='brbe_pmu brbe_record brbe_module' others='spe|ete' ;;
	acpi*) echo acpi; return ;;
	*) first='buffer pmu unit stats tasks reload tuning' ;;
	esac
	printf '%s\n' $first
	printf '%s\n' $all | grep -vxE "($others)_.*|$(echo $first | tr ' ' '|')"
}

# tests_that passed|skipped DIRECTORY: prints "SUITE:TEST" of these tests in the directory's TAP
tests_that() {
	awk -v skipped="$([ "$1" = passed ]; echo $?)" '/^ok [0-9]+ - / && / # SKIP/ == skipped {
		suite = FILENAME; sub(/.*\//, "", suite); sub(/\.tap$/, "", suite); print suite ":" $4 }' "$2"/*.tap
}

# guest PROGRAM...: boots the copy "guest" and runs the programs. It stops at the first test that fails and
# prints the name of that test. It prints "build" if the modules do not compile, "hang" if a program prints
# nothing for $SILENT seconds, and nothing if all tests pass. A test that passes in the unmodified tree (file $known)
# and is skipped has failed: a driver may not have found its unit.
guest() {
	local dir=$work/guest/build/mutant pid since
	rm -rf "$dir" "$dir.guest"
	(cd "$work/guest" && KERNEL=${KERNEL:-6.12} exec timeout 3600 selftests/target/guest.sh "$dir" "$@") \
		>"$work/guest.log" 2>&1 &
	pid=$!
	while sleep 1 && kill -0 $pid 2>/dev/null; do
		# The first boot ends there; others have a few tests.
		! grep -q '^# *not ok' "$dir.guest/boot.log" 2>/dev/null || kill $pid
		since=$(stat -c %Y "$dir.guest/boot.log" 2>/dev/null) || continue
		[ $(($(date +%s) - since)) -lt $SILENT ] || { kill $pid; wait $pid || :; echo hang; return; }
	done
	wait $pid || ! grep -q 'error: ' "$work/guest.log" || { echo build; return; }
	sed -n 's/^# selftests: v9trace[a-z-]*: \(.*\)\.sh$/\1/; t keep; s/^# *not ok [0-9]* \([^ ]*\).*/\1/; t found
		b; : keep; h; b; : found; G; s/\(.*\)\n\(.*\)/\2:\1/p; q' "$dir.guest/boot.log" 2>/dev/null | grep . && return
	set -- "$dir"/*.tap
	[ -e "$1" ] || { echo "no test ended"; return; }
	# A suite without its plan ended early.
	{
		for tap; do
			awk -v suite="$(basename "$tap" .tap)" '
				/^not ok / { print suite ":" $5; bad = 1; exit }
				/^1\.\.[1-9]/ { ended = 1 }
				END { if (!bad && !ended) print suite ":complete" }' "$tap"
		done
		# A program of which nothing runs is the name of its only test.
		tests_that skipped "$dir" | awk -F: -v known="$known" '
			BEGIN { while ((getline test < known) > 0) { passed[test]; split(test, part); ran[part[1]] } }
			$0 in passed || ($1 == $2 && $1 in ran)'
	} | sed -n 1p	# head would end before the loop does, which is an error here
}

# All kselftests in a boot of the unmodified tree. Keeps which of them passed.
whole_guest() {
	guest kselftest
	tests_that passed "$work/guest/build/mutant" >"$work/known" 2>/dev/null || :	# none if the guest did not boot
}

# Boots the copy "guest", whose modules are built, with ACPI tables of each kind; prints the first test that fails.
acpi_tables() {
	local kernel=${KERNEL:-6.12} tap
	tap=$work/guest/build/results/kernel-$kernel/acpi/tables.tap
	rm -f "$tap"
	(cd "$work/guest" && KERNEL=$kernel timeout 3600 selftests/acpi.sh) >"$work/guest.log" 2>&1 || :
	[ -e "$tap" ] || { echo acpi_tables:complete; return; }
	sed -n 's/^not ok [0-9]* - \([^ ]*\).*/acpi_tables:\1/p' "$tap" | sed -n 1p
}

# try_in_guest MUTANT (a line of JSON): prints it with its result
try_in_guest() {
	local file result=survived test=
	file=$(echo "$1" | sed 's/.*"file": "\([^"]*\)".*/\1/')
	echo "$1" | mutants apply "$work/guest" || return 1
	# shellcheck disable=SC2046
	test=$(guest $(programs_of "$file"))
	case ${file##*/} in
	acpi*) [ -n "$test" ] || test=$(acpi_tables) ;;
	esac
	echo "$1" | mutants restore "$work/guest" || return 1
	case $test in
	build) result=unbuilt test= ;;
	hang) result=hang test= ;;
	?*) result=killed ;;
	esac
	echo "${1%\}}, \"result\": \"$result\", \"test\": \"$test\"}"
}

# Runs the cross-checks that record with v9trace of the copy "guest". Prints the first test that fails.
recorded() {
	local kernel=${KERNEL:-6.12} unit tap
	for unit in record tasks; do
		tap=$work/guest/build/results/kernel-$kernel/crosscheck/$unit.tap
		rm -f "$tap"
		(cd "$work/guest" && export KERNELS=$kernel MODULES=$kernel &&
			selftests/lab/lab.sh prepare crosscheck && mkdir -p build/log build/results &&
			selftests/run.sh --one "crosscheck:$unit@$kernel") >"$work/guest.log" 2>&1
		[ -e "$tap" ] || { echo "$unit:complete"; return; }
		sed -n "s/^not ok [0-9]* - \\([^ ]*\\).*/$unit:\\1/p" "$tap" | sed -n 1p | grep . && return
	done
	return 0
}

# record_in_guest RESULT: RESULT is a line of JSON of a mutant that survived the host tests. Runs recorded() on it
# and prints the line with the new result.
record_in_guest() {
	local test result='"result": "survived", "test": "neither in a guest"'
	echo "$1" | mutants apply "$work/guest" || return 1
	test=$(recorded)
	echo "$1" | mutants restore "$work/guest" || return 1
	[ -z "$test" ] || result="\"result\": \"killed\", \"test\": \"$test\""
	echo "$1" | sed "s|\"result\": \"survived\", \"test\": \"[^\"]*\"|$result|"
}

# unchanged DIRECTORY... -- COMMAND...: runs the command on the unmodified tree, once for each content of the
# directories. The script ends with an error if the command prints a failed test. What the command wrote to
# $work/known is kept for the next time.
unchanged() {
	local of=() bad kept
	while [ "$1" != -- ]; do of+=("$1"); shift; done
	shift
	kept=$CACHE/mutants-known-$1-${KERNEL:-6.12}-$(find "${of[@]}" -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c 1-12)
	: >"$work/known"
	if [ ! -e "$kept" ]; then
		bad=$("$@")
		[ -z "$bad" ] || { echo "The tree as it is does not pass: $bad" >&2; exit 1; }
		cp "$work/known" "$kept"
	fi
	known=$kept
}

# Prints a result as a line for people and keeps it.
keep() {
	commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
	while read -r line; do
		echo "$line" | sed "s/^{/{\"commit\": \"$commit\", /" | tee -a "$work/results" >>"$log"
		echo "$line" | mutants show
	done
}

mkdir -p "$work" "$CACHE"
# shellcheck disable=SC2086
mutants draw -n "$number" -s "$seed" ${room:+-r $room} >"$work/all" || exit 2
mutants left "$log" "$work/results" <"$work/all" >"$work/drawn" || exit 2
echo "Seed $seed: $(wc -l <"$work/all") mutants, $(wc -l <"$work/results") of them tried before"

# Only the kernel compiles these.
grep -E '"file": "drivers/[a-z0-9_]+\.c"' "$work/drawn" >"$work/pending" || :
grep -vE '"file": "drivers/[a-z0-9_]+\.c"' "$work/drawn" >"$work/on_host" || :
if [ -s "$work/on_host" ]; then
	# Which tests run which lines depends on all that is compiled and on the tests.
	reach=$CACHE/mutants-reach-$(find include drivers selftests/model selftests/host tools -type f |
		LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c 1-12).json
	if [ ! -s "$reach" ]; then
		echo "Running each test once, to see which lines it runs"
		copy reach
		mutants reach "$work/reach" "$reach.new" || exit 1
		mv "$reach.new" "$reach"
		rm -rf "$work/reach"
	fi
	trees=
	flags=$(mutants flags)
	# Some tests mostly wait.
	for ((w = 0; w < 2 * $(nproc); w++)); do
		copy "tree$w"
		for make in "$work/tree$w/selftests/host OUT=$work/tree$w/build/host all" "$work/tree$w/tools STATIC=1"; do
			# shellcheck disable=SC2086
			in_root env CFLAGS="$flags" make -s -j"$(nproc)" -C $make || exit 1
		done
		trees="$trees $work/tree$w"
	done
	# shellcheck disable=SC2086
	mutants run --reach "$reach" $trees <"$work/on_host" | keep
	for w in $trees; do rm -rf "$w"; done
fi
if [ -s "$work/pending" ]; then
	copy guest
	unchanged Kbuild include drivers selftests/model selftests/target selftests/lab -- whole_guest
	while read -r mutant; do
		try_in_guest "$mutant" </dev/null
	done <"$work/pending" | keep
fi
# What records is hardly reached on the host.
mutants score "$work/results" "$work/survived" >/dev/null
grep -E '"file": "tools/(collect/[a-z_]+|[a-z_]+)\.c"' "$work/survived" | grep -v 'neither in a guest' |
	sed 's/"commit": "[^"]*", //' >"$work/recorders" || :
if [ -s "$work/recorders" ]; then
	[ -d "$work/guest" ] || copy guest
	unchanged Kbuild include drivers selftests/model selftests/crosscheck selftests/lab tools -- recorded
	while read -r mutant; do
		record_in_guest "$mutant" </dev/null
	done <"$work/recorders" | keep
fi
rm -rf "${work:?}/guest"
echo "This seed:"
mutants score "$work/results" "$work/survived"
echo "All seeds, files unchanged since:"
mutants score "$log"
[ ! -s "$work/survived" ] || exit 1
