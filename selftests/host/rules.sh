#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The checker of the ledger: what it refuses, how it joins results. And the real
# ledger is well-formed. Prints TAP.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
failed=0

rules() { "$top/selftests/rules.sh" --ledger "$tmp/rules" --results "$tmp/results" --tests "$tmp/tests" "$@"; }
ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $1 # $2"; }

# refuse NAME WORDS LEDGER
refuse() {
	printf '%b\n' "$3" >"$tmp/rules"
	rules >"$tmp/out" 2>"$tmp/err"
	status=$?
	if [ $status -ne 2 ]; then
		not_ok "refuses_$1" "status $status"
	elif ! grep -q "$2" "$tmp/err"; then
		not_ok "refuses_$1" "said: $(head -n1 "$tmp/err")"
	else
		ok "refuses_$1"
	fi
}

# joined NAME STATE STRICT-STATUS TESTS: state of a rule that names TESTS
joined() {
	echo "SPE-SI1 | 003 1 | D | $4 | words" >"$tmp/rules"
	state=$(rules --json | sed -n 's/.*"state":"\([^"]*\)".*/\1/p')
	rules --strict >/dev/null 2>&1
	status=$?
	if [ "$state" = "$2" ] && [ $status -eq "$3" ]; then
		ok "$1"
	else
		not_ok "$1" "state '$state', strict status $status"
	fi
}

mkdir -p "$tmp/results/kernel-6.12/target" "$tmp/results/kernel-7/target" "$tmp/results/host" "$tmp/tests/host"
cat >"$tmp/results/host/a.tap" <<'END'
ok 1 - good
not ok 2 - broken # a.c:1: because
ok 3 - absent # SKIP needs TME
ok 4 - twice
not ok 5 - twice # second
1..5
END
cat >"$tmp/results/kernel-6.12/target/b.tap" <<'END'
TAP version 13
1..3
ok 1 global.good
ok 2 cpu.absent # SKIP one CPU only
ok 3 global.differs
END
cat >"$tmp/results/kernel-7/target/b.tap" <<'END'
ok 1 global.good
ok 2 cpu.absent
not ok 3 global.differs
END
echo 'ok 1 - first' >"$tmp/results/host/running.tap"
: >"$tmp/tests/host/running.c"
: >"$tmp/tests/host/c.c"

refuse four_columns 'five columns' 'SPE-SI1 | 003 1 | D | -: x'
refuse six_columns 'five columns' 'SPE-SI1 | 003 1 | D | -: x | words | more'
refuse bad_id 'not an id' 'SPE_SI1 | 003 1 | D | -: x | words'
refuse bad_id_of_section 'not an id' 'ETE-RA_XYZ | 004 1 | D | -: x | words'
refuse id_twice 'given twice' 'SPE-SI1 | 003 1 | D | -: x | words\nSPE-SI1 | 003 1 | D | -: x | words'
refuse no_source 'no source' 'SPE-SI1 | | D | -: x | words'
refuse not_a_section 'not a section' 'SPE-SI1 | D17.4 R_WXXFL; R_TWFRY | D | -: x | words'
refuse section_of_old 'not a section' 'SPE-SI1 | 005 1 | D | -: x | words'
refuse bad_who 'who is' 'SPE-SI1 | 003 1 | Q | -: x | words'
refuse no_wording 'no wording' 'SPE-SI1 | 003 1 | D | -: x |'
refuse no_reason 'wants ": reason"' 'SPE-SI1 | 003 1 | D | - | words'
refuse empty_reason 'wants ": reason"' 'SPE-SI1 | 003 1 | D | -: | words'
refuse no_tests 'neither tests nor' 'SPE-SI1 | 003 1 | D | | words'
refuse bad_test 'not a test' 'SPE-SI1 | 003 1 | D | host/a good | words'
refuse star_inside 'not a test' 'SPE-SI1 | 003 1 | D | host/a:g*d | words'
refuse test_twice 'names host/a:good twice' 'SPE-SI1 | 003 1 | D | host/a:good host/a:good | words'

joined passed_shows shown 0 'host/a:good'
joined failed_does_not failed 1 'host/a:broken'
joined one_failed_of_two failed 1 'host/a:good host/a:broken'
joined skipped_does_not skipped 0 'host/a:absent'
joined name_with_one_failure failed 1 'host/a:twice'
joined star_takes_all failed 1 'host/a:t*'
joined star_takes_skipped skipped 0 'target/b:a* host/a:ab*'
joined star_passes shown 0 'host/a:g*'
joined star_of_nothing unknown 1 'host/a:z*'
joined unknown_name unknown 1 'host/a:nobody'
joined unknown_suite unknown 1 'host/nobody:x'
joined suite_not_run 'not run' 0 'host/c:x'
joined suite_not_complete 'not run' 0 'host/running:second'
joined suite_begun shown 0 'host/running:first'
joined kernel_results_join shown 0 'target/b:good'
joined passed_on_one_kernel shown 0 'target/b:absent'
joined failed_on_one_kernel failed 1 'target/b:differs'
joined reason_instead_of_test 'no test' 0 '-: later'

echo 'SPE-SI1 | 003 1 | D | host/a:absent host/a:good | words' >"$tmp/rules"
rules | grep -q 'SPE-SI1 *skipped *003 1: words' && rules | grep -q 'host/a:absent skipped (needs TME)' &&
	rules | grep -q '^SPE .*1 rules: 0 shown' && ok prints_reason || not_ok prints_reason "$(rules | tail -n1)"
printf '/* %s SPE-SI99 */\n' shows: >"$tmp/tests/host/c.c"
rules --strict >/dev/null 2>"$tmp/err" && not_ok claim_of_no_rule accepted || {
	grep -q 'SPE-SI99, which is no rule' "$tmp/err" && ok claim_of_no_rule || not_ok claim_of_no_rule silent
}

# a row for several rules is found by each of them
echo 'ETE-R_ABCDE | 004 R_ABCDE I_FGH | D | host/a:good | words' >"$tmp/rules"
printf '/* %s ETE-I_FGH */\n' shows: >"$tmp/tests/host/c.c"
rules --strict >"$tmp/out" 2>"$tmp/err" && ok claim_of_a_grouped_rule || not_ok claim_of_a_grouped_rule "$(cat "$tmp/err")"
rules --claims | grep -q '^ETE-I_FGH by host/c$' && ok claim_of_a_grouped_rule_listed ||
	not_ok claim_of_a_grouped_rule_listed "$(rules --claims)"
sed -i 's|host/a:good|host/a:good host/c:x|' "$tmp/rules"
[ -z "$(rules --claims)" ] && ok claim_answered || not_ok claim_answered "$(rules --claims)"

# ... whatever section each is of
echo 'ETE-R_ABCDE | D4.1.4 R_ABCDE; D4.5.2.1 I_FGH; 004 D9 R_KLMNO | D | host/a:broken | words' >"$tmp/rules"
rules --strict >/dev/null 2>"$tmp/err"
grep -q 'no rule' "$tmp/err" && not_ok claim_of_a_rule_elsewhere "$(cat "$tmp/err")" || ok claim_of_a_rule_elsewhere
rules | grep -q 'ETE-R_ABCDE failed *D4.1.4, D4.5.2.1, 004 D9: words' && ok prints_sections ||
	not_ok prints_sections "$(rules | grep ETE-R_ABCDE)"

# a reader that has seen enough is no error: "make rules | head"
{ sleep 0.3; rules; echo $? >"$tmp/status"; } | :
[ "$(cat "$tmp/status")" = 0 ] && ok reader_gone || not_ok reader_gone "status $(cat "$tmp/status")"

if "$top/selftests/rules.sh" --results "$tmp/none" >"$tmp/out" 2>"$tmp/err"; then
	ok ledger_is_well_formed
else
	not_ok ledger_is_well_formed "$(head -n1 "$tmp/err")"
fi
# Every row of the digest's thirteen groups is in it.
want='CD:22 CS:10 EN:8 FI:14 ME:16 MT:2 OW:7 PB:26 PK:10 PM:7 RA:6 SI:17 SY:11 '
have=$(sed -n 's/^SPE-\([A-Z]*\)[0-9]* .*/\1/p' "$top/include/v9trace/tables/rules" | sort | uniq -c |
	awk '{ printf "%s:%d ", $2, $1 }')
[ "$have" = "$want" ] && ok ledger_has_every_spe_rule || not_ok ledger_has_every_spe_rule "$have"
want='AT:18 EA:6 EN:13 EV:10 EX:10 FA:7 IM:1 IR:4 L:12 MP:4 OW:9 PM:6 PR:5 PT:12 SY:13 TR:11 UN:11 '
have=$(sed -n 's/^TRBE-\([A-Z]*\)[0-9]* .*/\1/p' "$top/include/v9trace/tables/rules" | sort | uniq -c |
	awk '{ printf "%s:%d ", $2, $1 }')
[ "$have" = "$want" ] && ok ledger_has_every_trbe_rule || not_ok ledger_has_every_trbe_rule "$have"
have=$(grep -c '^ETE-[RISXP]_' "$top/include/v9trace/tables/rules")
[ "$have" -eq 281 ] && ok ledger_has_every_ete_rule || not_ok ledger_has_every_ete_rule "$have"

echo "1..$n"
exit $failed
