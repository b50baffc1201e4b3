#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Tests the archive of the kselftests on an amd64 machine, where none of them can run, and the
# script that reads the results: kselftest.sh SUITE writes build/results/SUITE.tap. KERNEL chooses
# the kernel whose runner is used. Guests run the same archive (selftests/target/guest.sh).
set -u
cd "$(dirname "$0")/.." || exit 2
suite=build/results/${1:?usage: kselftest.sh SUITE}.tap
mkdir -p "${suite%/*}"
if [ "$(uname -m)" = aarch64 ]; then
	printf 'ok 1 - archive # SKIP on this machine the tests would run, and load modules\n1..1\n' >"$suite"
	exit
fi
tar=$(selftests/target/tarball.sh "${KERNEL:-6.12}") || exit 1
linux=${tar%/*}/linux/tools/testing/selftests
tmp=$(mktemp -d "$PWD/build/kselftest.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
exec 3>"$suite"
n=0
failed=0

# result NAME WHAT-IS-WRONG
result() {
	n=$((n + 1))
	if [ -z "$2" ]; then
		echo "ok $n - $1" >&3
	else
		echo "not ok $n - $1 # $2" >&3
		failed=1
	fi
}

# same NAME FOUND WANTED
same() {
	if [ "$2" = "$3" ]; then
		result "$1" ''
	else
		result "$1" "$(printf '"%s", not "%s"' "$2" "$3" | tr '\n' ' ')"
	fi
}
root() { selftests/lab/root.sh run -- "$@"; }

# run DIR OPTIONS: runs the unpacked archive in DIR, with Debian's shell and coreutils
run() {
	dir=$1
	shift
	: >"$tmp/log"	# the runner opens it again, so both append
	root "$dir/run_kselftest.sh" "$@" >>"$tmp/log" 2>&1
	status=$?
	selftests/target/results.sh "$tmp/tap" "$tmp/log" >"$tmp/sum"
}

unpacked=$tmp/unpacked
mkdir "$unpacked"
tar -xzf "$tar" -C "$unpacked"
list=$unpacked/kselftest-list.txt
entries=$(wc -l <"$list")
same each_program_is_listed "$(sed 's/.*:\(.*\)\.sh/\1/' "$list" | sort | tr '\n' ' ')" \
	"$(grep -l "^TEST_HARNESS_MAIN" selftests/target/*.c |
		sed 's|.*/\(.*\)\.c|\1|' | sort | tr '\n' ' ')"
same two_collections "$(cut -d : -f 1 "$list" | uniq | tr '\n' ' ')" 'v9trace v9trace-disruptive '
same files_of_gen_tar "$(cd "$unpacked" && ls -d run_kselftest.sh kselftest/runner.sh \
	v9trace*/settings v9trace*/config v9trace/README v9trace/fvp.dtso | wc -l)" 8
same entries_and_programs_are_there "$(while IFS=: read -r collection entry; do
	[ -x "$unpacked/$collection/$entry" ] && [ -x "$unpacked/$collection/${entry%.sh}" ] || echo "$entry"
done <"$list")" ''

# None of them can run here.
find "$unpacked" | sort >"$tmp/before"
run "$unpacked"
find "$unpacked" | sort >"$tmp/after"
same all_skipped_on_amd64 "$status $(grep -c '^ok .* # SKIP' "$tmp/log") $(grep -c '^not ok' "$tmp/log")" \
	"0 $entries 0"
same each_skip_has_its_reason "$(grep -c '^# 1\.\.0 # SKIP arm64 (this machine is x86_64)' "$tmp/log")" "$entries"
same skips_are_read "$(cat "$tmp/sum")" "# 0 passed, 0 failed, $entries skipped"
same nothing_is_left "$(diff "$tmp/before" "$tmp/after")" ''

# Other entries in place of ours: a copy of our script for this machine, and programs that end in
# ways that ours must not.
fake=$unpacked/v9trace
echo 'timeout=3' >"$fake/settings"
fake() {
	sed 's/aarch64/x86_64/; s/^\*) has_spe/*) : || has_spe/' selftests/target/entry.in >"$fake/fake_$1.sh"
	printf '#!/bin/sh\n%s\n' "$2" >"$fake/fake_$1"
	chmod +x "$fake/fake_$1" "$fake/fake_$1.sh"
	echo "v9trace:fake_$1.sh" >>"$list"
}
fake passes 'echo 1..2; echo "ok 1 a.one"; echo "ok 2 a.two # SKIP a reason"'
fake fails 'echo 1..2; echo "# x.c:1:one:Expected 1 == 0"; echo "not ok 1 a.one"; echo "ok 2 a.two"; exit 1'
fake skips 'echo 1..1; echo "ok 1 a.one # SKIP a reason"'
fake hangs "echo 1..2; echo 'ok 1 a.one'; setsid sh -c 'echo \$\$ >$tmp/child; sleep 1000' & sleep 1000"
fake breaks_off 'echo 1..2; echo "ok 1 a.one"; exit 3'
fake hides 'echo 1..1; echo "not ok 1 a.one"'
fake lies 'echo 1..1; echo "ok 1 a.one"; exit 1'
fake is_empty 'echo 1..0'

# Entries on a machine of the right architecture that has no unit: one line with the reason
for name in spe_x ete_x other; do
	sed 's/aarch64/x86_64/' selftests/target/entry.in >"$fake/$name.sh"
	printf '#!/bin/sh\necho it ran >>%s/ran\n' "$tmp" >"$fake/$name"
	chmod +x "$fake/$name" "$fake/$name.sh"
	echo "v9trace:$name.sh" >>"$list"
done
run "$unpacked" -t v9trace:spe_x.sh -t v9trace:ete_x.sh -t v9trace:other.sh
same units_that_are_missing_are_named "$(sed -n 's/^# 1\.\.0 # SKIP //p' "$tmp/log" | paste -sd ';')" \
	'FEAT_SPE (no PMU arm_spe_*);FEAT_ETE (no PMU cs_etm);FEAT_SPE or FEAT_ETE (no PMU arm_spe_*, no PMU cs_etm)'
same nothing_ran_without_a_unit "$(cat "$tmp/ran" 2>/dev/null)$(tail -n 1 "$tmp/sum")" '# 0 passed, 0 failed, 3 skipped'
sed -i '/:\(spe_x\|ete_x\|other\)\.sh$/d' "$list"

# of NAME: what the runner printed, the results that are read, and the sum
of() {
	run "$unpacked" -t "v9trace:fake_$1.sh"
	echo "$(sed -n "s/^\(not ok\|ok\) 1 selftests: v9trace: fake_$1\.sh/\1/p" "$tmp/log" | sed 's/ *$//')," \
		"$(sed -n 's/^\(not \)*ok [0-9]* - //p' "$tmp/tap/fake_$1.tap" | tr '\n' ',') $(tail -n 1 "$tmp/sum")"
}
same pass_is_read "$(of passes)" 'ok, one,two # SKIP a reason, # 1 passed, 0 failed, 1 skipped'
same failure_is_read "$(of fails)" \
	'not ok # exit=1, one # x.c:1:one:Expected 1 == 0,two, # 1 passed, 1 failed, 0 skipped'
same skip_of_all_is_a_skip "$(of skips)" 'ok # SKIP, one # SKIP a reason, # 0 passed, 0 failed, 1 skipped'
same hang_is_a_timeout "$(of hangs)" \
	'not ok # TIMEOUT 3 seconds, one,complete # TIMEOUT 3 seconds, # 1 passed, 1 failed, 0 skipped'
same nothing_runs_on_after_a_timeout "$(sleep 1; [ -s "$tmp/child" ] || echo no child
	ps -o stat=,args= -p "$(cat "$tmp/child")" | grep -v '^Z')" ''
same early_end_is_read "$(of breaks_off)" \
	'not ok # exit=3, one,complete # exit=3, # 1 passed, 1 failed, 0 skipped'
same hidden_failure_is_seen "$(of hides)" \
	'ok, one,agrees_with_its_tests # it passed, and a test failed, # 0 passed, 2 failed, 0 skipped'
same failure_without_a_test_is_seen "$(of lies)" \
	'not ok # exit=1, one,agrees_with_its_tests # exit=1, # 1 passed, 1 failed, 0 skipped'
same program_without_tests_is_a_skip "$(of is_empty)" \
	'ok # SKIP, fake_is_empty # SKIP no reason, # 0 passed, 0 failed, 1 skipped'

# The reader alone: a guest that ends during a program, a pass of a program that skips, wrong totals
read_log() { selftests/target/results.sh "$tmp/tap" "$tmp/log" | tail -n 1; }
printf '%s\n' '# selftests: v9trace: a.sh' '# 1..2' '# ok 1 x.y' >"$tmp/log"
same end_of_the_machine_is_seen "$(read_log)" '# 1 passed, 1 failed, 0 skipped'
printf '%s\n' '# selftests: v9trace: a.sh' '# 1..1' '# ok 1 x.y # SKIP z' 'ok 1 selftests: v9trace: a.sh' >"$tmp/log"
same pass_without_a_test_is_seen "$(read_log)" '# 0 passed, 1 failed, 1 skipped'
printf '%s\n' '# selftests: v9trace: a.sh' '# 1..1' '# ok 1 x.y' 'ok 1 selftests: v9trace: a.sh # SKIP' >"$tmp/log"
same skip_with_a_test_is_seen "$(read_log)" '# 1 passed, 1 failed, 0 skipped'
printf '%s\n' '# selftests: v9trace: a.sh' '# 1..1' '# ok 1 x.y' 'ok 1 selftests: v9trace: a.sh' \
	'# Totals: pass:2 fail:0 xfail:0 xpass:0 skip:0 error:0' >"$tmp/log"
same wrong_totals_are_seen "$(read_log)" '# 1 passed, 1 failed, 0 skipped'
: >"$tmp/log"
same empty_log_is_a_failure "$(read_log; selftests/target/results.sh "$tmp/tap" "$tmp/log" >/dev/null || echo failed)" \
	'# 0 passed, 0 failed, 0 skipped
failed'

# In the directory, as a kernel developer builds one target
in_place() { root make -s -j2 -C "selftests/$1" KSELFTEST="$linux" OUTPUT="$tmp/in_place/$1" "$2" "$3"; }
for collection in target disruptive; do
	in_place $collection install INSTALL_PATH="$tmp/installed/$collection" >"$tmp/log" 2>&1
	in_place $collection run_tests A= >>"$tmp/log" 2>&1
	in_place $collection emit_tests A= 2>&1
done >"$tmp/emitted"
same emit_tests_is_the_list "$(cat "$tmp/emitted")" "$(grep -v fake_ "$list")"
same run_tests_in_place_skips "$(grep -c '^ok .* # SKIP' "$tmp/log")" "$(grep -c '^v9trace-disruptive:' "$list")"
same install_in_place "$(cd "$tmp/installed/target" && ls | sort)" "$(tar -tzf "$tar" | sed -n 's|^./v9trace/\(..*\)|\1|p' | sort)"

# Linked into a kernel's tools/testing/selftests, also without O= and CROSS_COMPILE
cp -r "${tar%/*}/linux" "$tmp/linux"
rm "$tmp/linux/tools/testing/selftests/"v9trace*
cp -r selftests include tools "$tmp/" 2>/dev/null
ln -s "$tmp/selftests/target" "$tmp/linux/tools/testing/selftests/v9trace"
root make -s -j2 -C "$tmp/linux/tools/testing/selftests" TARGETS=v9trace gen_tar >"$tmp/log" 2>&1
same linked_into_a_kernel_tree "$(tar -tzf \
	"$tmp/linux/tools/testing/selftests/kselftest_install/kselftest-packages/kselftest.tar.gz" |
	grep -c '^./v9trace/..*\.sh$')" "$(grep -v fake_ "$list" | grep -c '^v9trace:')"
root make -s -C "$tmp/linux/tools/testing/selftests" TARGETS=v9trace run_tests >"$tmp/log" 2>&1
same run_tests_in_a_kernel_tree "$(grep -c '^ok .* # SKIP' "$tmp/log")" "$(grep -v fake_ "$list" | grep -c '^v9trace:')"
root make -s -j2 -C "$tmp/linux/tools/testing/selftests" TARGETS=v9trace O="$tmp/o" \
	CROSS_COMPILE=aarch64-linux-gnu- run_tests >"$tmp/log" 2>&1
same run_tests_in_another_place "$(grep -c '^ok .* # SKIP' "$tmp/log") $(find "$tmp/o" -name spe_record)" \
	"$(grep -v fake_ "$list" | grep -c '^v9trace:') $tmp/o/kselftest/v9trace/spe_record"
root make -s -C "$tmp/linux/tools/testing/selftests" TARGETS=v9trace clean >"$tmp/log" 2>&1
same clean_in_a_kernel_tree "$(cd "$tmp/selftests/target" && ls | sort | tr '\n' ' ')" \
	"$(cd selftests/target && ls | sort | tr '\n' ' ')"
echo "1..$n" >&3
exit $failed
