#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Tests selftests/rules.sh: the tables that it refuses, and how it combines results of tests. Also
# checks that the real table is well-formed. TAP.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
failed=0

rules() {
	"$top/selftests/rules.sh" --rules "$tmp/rules" --kinds "$tmp/kinds" --results "$tmp/results" \
		--tests "$tmp/tests" "$@"
}
ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $1 # $2"; }

# refuse NAME WORDS ROW
refuse() {
	printf '%b\n' "$3" >"$tmp/rules"
	rules >"$tmp/out" 2>"$tmp/err"
	status=$?
	if [ $status -ne 2 ]; then
		not_ok "refuses_$1" "status $status"
	elif ! grep -q "$2" "$tmp/err"; then
		not_ok "refuses_$1" "output: $(head -n1 "$tmp/err")"
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
printf 'ok 1 - decodes\nok 2 - golden\n1..2\n' >"$tmp/results/host/codec.tap"
printf 'ok 1 - arose\nok 2 - injected\nok 3 - both_read\nnot ok 4 - broken\n1..4\n' >"$tmp/results/host/unit.tap"
printf 'ok 1 - any\n1..1\n' >"$tmp/results/host/orphan.tap"
cat >"$tmp/kinds" <<'END'
# who is who
host/*	D
target/* DM
host/codec X
host/unit M
host/unit:injected* M made
host/unit:both_* MX
host/orphan -
END
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

# lettered NAME STRICT-STATUS WHO TESTS LETTERS...: the state of each letter, as "D:shown"
lettered() {
	name=$1 want_status=$2
	echo "SPE-SI1 | D17.4 R_WXXFL | $3 | $4 | words" >"$tmp/rules"
	shift 4
	letters=$(rules --json | sed -n 's/.*"letters":{\([^}]*\)}.*/\1/p' | tr -d '"')
	rules --strict >/dev/null 2>"$tmp/err"
	status=$?
	if [ "$letters" = "$1" ] && [ $status -eq "$want_status" ]; then
		ok "$name"
	else
		not_ok "$name" "letters '$letters', strict status $status: $(head -n1 "$tmp/err")"
	fi
}

lettered letter_by_its_kind 0 D 'host/a:good' D:shown
lettered letter_without_its_kind 1 M 'host/a:good' 'M:no test'
lettered decoder_shows_no_model 1 'M X' 'host/codec:decodes' 'M:no test,X:shown'
lettered each_letter_has_its_test 0 'M X' 'host/codec:decodes host/unit:arose' M:shown,X:shown
lettered one_test_of_two_kinds 0 'M X' 'host/unit:both_read' M:shown,X:shown
lettered last_line_that_fits_counts 1 D 'host/codec:golden' 'D:no test'
lettered kinds_of_a_star 0 'M X' 'host/unit:both_*' M:shown,X:shown
lettered star_of_more_than_the_kind 1 X 'host/unit:b*' 'X:no test'
lettered failed_is_of_its_letter 1 'M X' 'host/unit:broken host/codec:decodes' M:failed,X:shown
lettered not_run_is_of_its_letter 0 'D X' 'host/c:x host/codec:decodes' 'D:not run,X:shown'
lettered skipped_is_of_its_letter 0 'D X' 'host/a:absent host/codec:decodes' D:skipped,X:shown
lettered reason_for_a_letter 0 'M X' 'host/codec:decodes; -M: no such unit' 'M:no test,X:shown'
lettered reason_outranks_a_test 0 'D M' 'target/b:good; -M: the model looks on' 'D:shown,M:no test'
lettered two_reasons 0 'D M X' 'host/codec:decodes; -D: one; -M: two' 'D:no test,M:no test,X:shown'
lettered reasons_alone 0 'D M' '-D: one; -M: two, and why' 'D:no test,M:no test'
lettered reason_for_all 0 'D M' '-: later; or never' 'D:no test,M:no test'
lettered suite_of_no_letter 1 D 'host/orphan:any' 'D:no test'
refuse reason_for_a_stranger 'who is not there' 'SPE-SI1 | D17.4 | D | host/a:good; -M: why | words'
refuse reason_of_no_letter 'not "-LETTER: reason"' 'SPE-SI1 | D17.4 | D | host/a:good; -Q: why | words'
refuse reason_left_empty 'not "-LETTER: reason"' 'SPE-SI1 | D17.4 | D | host/a:good; -D: | words'
refuse reason_twice 'two reasons for D' 'SPE-SI1 | D17.4 | D | host/a:good; -D: a; -D: b | words'
refuse reasons_for_some_alone 'neither tests nor' 'SPE-SI1 | D17.4 | D M | -D: why | words'

# kinds NAME LINE: with this line the table of kinds is refused
kinds() {
	cp "$tmp/kinds" "$tmp/kinds.good"
	echo "$2" >>"$tmp/kinds"
	echo "SPE-SI1 | D17.4 | D | host/a:good | words" >"$tmp/rules"
	rules >/dev/null 2>"$tmp/err"
	status=$?
	mv "$tmp/kinds.good" "$tmp/kinds"
	[ $status -eq 2 ] && grep -q 'please' "$tmp/err" && ok "refuses_kinds_$1" ||
		not_ok "refuses_kinds_$1" "status $status: $(head -n1 "$tmp/err")"
}
kinds without_letters 'host/b'
kinds of_other_letters 'host/b DQ'
kinds star_inside 'host/*b D'
kinds other_words 'host/b D perhaps'
echo 'host/c D' >"$tmp/kinds.few"
echo 'SPE-SI1 | D17.4 | D | host/a:good | words' >"$tmp/rules"
rules --kinds "$tmp/kinds.few" --strict >/dev/null 2>"$tmp/err"
grep -q 'host/a:good has no kind, wanted by SPE-SI1' "$tmp/err" && ok suite_without_a_kind ||
	not_ok suite_without_a_kind "$(head -n1 "$tmp/err")"

# what is counted apart
cat >"$tmp/rules" <<'END'
SPE-SI1 | D17.4 | D | host/a:good | words
SPE-SI2 | D17.4 | M X | host/codec:decodes; -M: why | words
SPE-SI3 | D17.4; D17.5.1 R_NYZKJ | M | host/unit:injected | words
SPE-SI4 | D17.4 | D M | host/a:good host/unit:injected host/unit:arose | words
SPE-SI5 | D17.41 | M | -: why | words
SPE-SI6 | D17.4 | M X | host/codec:golden host/unit:broken | words
END
rules >"$tmp/out"
grep -q '^SPE  *6 rules: 3 shown for all whom they concern, 3 not (M 3)$' "$tmp/out" && ok counts_letters ||
	not_ok counts_letters "$(sed -n 1p "$tmp/out")"
sed -n 2p "$tmp/out" | grep -q '1 without a test, 1 by decoders only, 1 by events that were injected' &&
	ok counts_apart || not_ok counts_apart "$(sed -n 2p "$tmp/out")"
sed -n '/^By decoders only/,/^$/p' "$tmp/out" | grep -q '^  SPE-SI2 ' &&
	sed -n '/^Of the model by events/,$p' "$tmp/out" | grep -q '^  SPE-SI3 *D17.4, D17.5.1: words$' &&
	[ "$(sed -n '/^By decoders only/,$p' "$tmp/out" | grep -c '^  SPE')" -eq 2 ] &&
	ok lists_apart || not_ok lists_apart "$(sed -n '/^By decoders/,$p' "$tmp/out" | tr '\n' '/')"
grep -q '^  SPE-SI6 *failed *M *D17.4: words$' "$tmp/out" && ok names_the_letter ||
	not_ok names_the_letter "$(grep SPE-SI6 "$tmp/out")"

# A rule is found by the manual's identifier, by ours, and by its section.
found() {
	have=$(rules --find "$2" 2>/dev/null | sed -n 's/^\([A-Z][^ ]*\) .*/\1/p' | tr '\n' ' ')
	[ "$have" = "$3" ] && ok "found_by_$1" || not_ok "found_by_$1" "$have"
}
found id_of_the_manual R_NYZKJ 'SPE-SI3 '
found id_with_unit SPE-R_NYZKJ 'SPE-SI3 '
found id_of_ours SPE-SI4 'SPE-SI4 '
found section D17.5.1 'SPE-SI3 '
found chapter D17.5 'SPE-SI3 '
found no_part_of_a_number D17.4 'SPE-SI1 SPE-SI2 SPE-SI3 SPE-SI4 SPE-SI6 '
rules --find R_NYZKJ | grep -q '^  M *shown *host/unit:injected$' && ok find_shows_tests ||
	not_ok find_shows_tests "$(rules --find R_NYZKJ | tail -n1)"
echo '# no row: D4.1 I_JTPNL I_LVKQS' >>"$tmp/rules"
rules --find I_LVKQS 2>&1 | grep -q '^I_LVKQS explains' && ok find_what_has_no_row ||
	not_ok find_what_has_no_row "$(rules --find I_LVKQS 2>&1)"
rules --find R_QQQQQ >/dev/null 2>"$tmp/err" && not_ok find_nothing accepted || ok find_nothing

echo 'SPE-SI1 | 003 1 | D | host/a:absent host/a:good | words' >"$tmp/rules"
rules | grep -q 'SPE-SI1 *skipped *D *003 1: words' && rules | grep -q 'host/a:absent skipped (needs TME)' &&
	rules | grep -q '^SPE .*1 rules: 0 shown' && ok prints_reason || not_ok prints_reason "$(rules | tail -n1)"
printf '/* %s SPE-SI99 */\n' shows: >"$tmp/tests/host/c.c"
rules --strict >/dev/null 2>"$tmp/err" && not_ok claim_of_no_rule accepted || {
	grep -q 'SPE-SI99, which is no rule' "$tmp/err" && ok claim_of_no_rule || not_ok claim_of_no_rule silent
}

# A row of several rules is found by each of them.
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
rules | grep -q 'ETE-R_ABCDE failed *D *D4.1.4, D4.5.2.1, 004 D9: words' && ok prints_sections ||
	not_ok prints_sections "$(rules | grep ETE-R_ABCDE)"

# A reader that closes the pipe is no error: "make rules | head"
{ sleep 0.3; rules; echo $? >"$tmp/status"; } | :
[ "$(cat "$tmp/status")" = 0 ] && ok reader_gone || not_ok reader_gone "status $(cat "$tmp/status")"

if "$top/selftests/rules.sh" --results "$tmp/none" >"$tmp/out" 2>"$tmp/err"; then
	ok table_is_well_formed
else
	not_ok table_is_well_formed "$(head -n1 "$tmp/err")"
fi
# Each letter of each row has a test of its kind or a reason, also without results.
"$top/selftests/rules.sh" --strict --results "$tmp/none" >"$tmp/out" 2>"$tmp/err"
if grep -E 'names no test of kind|has no kind' "$tmp/err" >"$tmp/out"; then
	not_ok table_has_a_test_or_a_reason_for_each_letter "$(head -n1 "$tmp/out")"
else
	ok table_has_a_test_or_a_reason_for_each_letter
fi
# An identifier of the manual is either in a row or in the list of those that need none. The number
# of identifiers of each chapter is known, so that none is omitted.
table=$top/include/v9trace/tables/rules
ids() { grep -oE '\b[RIDS]_[A-Z]{5}\b' | sort; }
grep -v '^#' "$table" | awk -F' \\| ' '{ print $2 }' | ids | uniq >"$tmp/in_rows"
grep '^# no row:' "$table" | ids >"$tmp/without"
twice=$(sort "$tmp/without" | uniq -d; comm -12 "$tmp/in_rows" "$tmp/without")
[ -z "$twice" ] && ok table_has_each_id_once || not_ok table_has_each_id_once "$(echo $twice)"
for want in D3:4 D4:975 D5:12 D6:270 D17:104 D19:132; do
	chapter=${want%:*}
	have=$({ grep -v '^#' "$table" | awk -F' \\| ' '{ print $2 }' | sed 's/; */\n/g' |
			grep "^$chapter\."; grep "^# no row: $chapter\." "$table"; } | ids | uniq | wc -l)
	[ "$have" -eq "${want#*:}" ] && ok "table_knows_the_statements_of_$chapter" ||
		not_ok "table_knows_the_statements_of_$chapter" "$have"
done
want='CD:35 CS:10 EN:9 FI:14 ME:22 MT:2 OW:7 PB:29 PK:11 PM:9 RA:10 SI:18 SY:14 '
have=$(sed -n 's/^SPE-\([A-Z]*\)[0-9]* .*/\1/p' "$table" | sort | uniq -c | awk '{ printf "%s:%d ", $2, $1 }')
[ "$have" = "$want" ] && ok table_has_every_spe_rule || not_ok table_has_every_spe_rule "$have"
want='AT:21 EA:6 EN:17 EV:11 EX:10 FA:9 IM:1 IR:4 L:12 MP:6 OW:11 PM:6 PR:5 PT:13 RS:1 SY:14 TR:11 UN:11 '
have=$(sed -n 's/^TRBE-\([A-Z]*\)[0-9]* .*/\1/p' "$table" | sort | uniq -c | awk '{ printf "%s:%d ", $2, $1 }')
[ "$have" = "$want" ] && ok table_has_every_trbe_rule || not_ok table_has_every_trbe_rule "$have"
have=$(grep -c '^ETE-[RISXP]_' "$table")
[ "$have" -eq 328 ] && ok table_has_every_ete_rule || not_ok table_has_every_ete_rule "$have"
have=$(grep -c '^BRBE-' "$table")
[ "$have" -eq 50 ] && ok table_has_every_brbe_rule || not_ok table_has_every_brbe_rule "$have"

# Rows that the page about what is not covered names
missing=$(grep -oE '(SPE|ETE|TRBE|BRBE)-[A-Z]{1,2}_?[A-Z0-9]+' "$top/Documentation/scope.rst" | while read -r id; do
	grep -q "^$id | .*| .*-M\?: " "$table" || echo "$id"
done)
[ "$missing" = SPE-MT1 ] && ok scope_names_rows_that_are_not_shown ||
	not_ok scope_names_rows_that_are_not_shown "$(echo $missing)"

echo "1..$n"
exit $failed
