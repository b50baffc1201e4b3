#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# selftests/run.sh with PART=K/N, on units that only write their results: each unit runs in one part, the last line
# adds up the parts of one tree, and the rules are looked at once, when all parts have ended.
set -u
cd "$(dirname "$0")/../.." || exit 2
n=0
failed=0
is() {	# NAME COMMAND...
	name=$1
	n=$((n + 1))
	shift
	if "$@"; then echo "ok $n - $name"; else failed=1; echo "not ok $n - $name # $(tail -n 1 out)"; fi
}
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/selftests/lab" "$dir/Documentation" "$dir/drivers" "$dir/include" "$dir/tools"
awk '/^units=/ { print; print "modes reuse@\nmodes docs@\nmodes fvp@\nmodes leaks@"; skip = 1 }
	/^.$/ && skip { skip = 0 } !skip' selftests/run.sh >"$dir/selftests/run.sh"
cd "$dir" || exit 2
: >out
touch Kbuild Makefile tools/source
# Each says that it ran, and has so many results.
for unit in reuse:3 docs:5 fvp:7 leaks:11; do
	cat >"selftests/${unit%:*}.sh" <<-END
		echo ${unit%:*} >>ran
		mkdir -p selftests/__pycache__ include/v9trace/gen
		echo \$\$ | tee selftests/__pycache__/x.pyc >include/v9trace/gen/x.h
		{ echo 1..${unit#*:}; seq -f "ok %g - x" ${unit#*:}; } >build/results/\$1.tap
	END
done
echo 'echo rules >>ran' >selftests/rules.sh
echo : >selftests/lab/lab.sh
chmod +x selftests/*.sh selftests/lab/lab.sh
part() {	# K/N: the units that it ran, in the file ran
	rm -f ran
	PART=$1 sh selftests/run.sh modes rules >out 2>&1
	status=$?
	sort -o ran ran 2>/dev/null
}
ran() { [ "$(tr '\n' ' ' <ran)" = "$1 " ]; }
ends() { [ "$(tail -n 1 out)" = "$1" ] && [ $status -eq 0 ]; }

part 1/1
is whole_runs_all ran "docs fvp leaks reuse rules"
is whole_adds_up ends "27 passed, 0 failed, 0 skipped"
part 1/3
is first_part ran "leaks reuse"
is first_part_alone ends "14 passed, 0 failed, 0 skipped"
part 3/3
is last_part ran "fvp"
is two_parts_add_up ends "21 passed, 0 failed, 0 skipped"
part 3/3
is a_part_twice_counts_once ends "21 passed, 0 failed, 0 skipped"
part 2/3
is complete_with_rules ran "docs rules"
is all_parts_add_up ends "27 passed, 0 failed, 0 skipped"
is says_which_parts grep -qx 'parts of 3 that have ended: 1 2 3' out
part 9/9
is a_part_of_no_unit ends "0 passed, 0 failed, 0 skipped"
echo changed >tools/source
part 2/3
is another_tree_begins_anew ends "5 passed, 0 failed, 0 skipped"
is another_tree_has_no_rules_yet ran "docs"
sed -i 's/ok %g/not ok %g/' selftests/docs.sh
part 1/3
part 2/3
is a_failure_counts [ "$status $(tail -n 1 out)" = "1 14 passed, 5 failed, 0 skipped" ]
for bad in 0/3 4/3 1 1/ /2 x/y 1/100; do
	part $bad
	is "refuses_$bad" [ "$status $(cut -c 1-32 out)" = "2 run.sh: PART: wanted is K/N, wit" ]
done
echo "1..$n"
exit $failed
