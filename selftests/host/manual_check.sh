#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Tests selftests/manual/check.py with an invented manual and tables that agree with it
# (selftests/manual/example). Each test changes one fact in either, and expects the message about
# it. TAP.

set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
failed=0

ok() { n=$((n + 1)); echo "ok $n - $1"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $1 # $2"; }

if ! ${CC:-cc} -std=gnu11 -O1 -Wall -Wextra -Werror -fsanitize=address,undefined -Iinclude -Iselftests/model \
	-Iselftests/host -o "$tmp/access" selftests/manual/access.c "${V9_OBJECTS:?is set by the Makefile}/../tested.a" -lm; then
	not_ok access_builds "see above"
fi

example() { rm -rf "$tmp/example"; cp -r selftests/manual/example "$tmp/example"; }
check()
{
	python3 -B selftests/manual/check.py --manual "$tmp/example/manual" --top "$tmp/example/top" \
		--explained "$tmp/example/explained" --model "$tmp/access" "$@" >"$tmp/out" 2>&1
}

# is STATUS NAME: the last run ended so
is() { [ "$status" -eq "$1" ] && ok "$2" || not_ok "$2" "status $status: $(tail -n 1 "$tmp/out")"; }

example
check
status=$?
is 0 the_example_agrees
[ "$(cat "$tmp/out")" = "2 differences, 2 explained" ] && ok only_the_last_line ||
	not_ok only_the_last_line "$(head -n 1 "$tmp/out")"
check --verbose
grep -q '^access TRCACVR3 R: .* | the example has no code for it$' "$tmp/out" &&
	grep -q '^# 2 registers, 5 pages, 2400 accesses, 8482 headers and values of SPE, 261 of ETE, 1 exc' "$tmp/out" &&
	ok verbose_shows_reasons || not_ok verbose_shows_reasons "$(head -n 3 "$tmp/out" | tr '\n' ' ')"

S=top/include/v9trace/tables/sysreg P=top/include/v9trace/tables/spe.pkt T=top/include/v9trace/tables/ete.pkt
M=manual/D24.7.md G=top/selftests/model/qemu/glue.c

# NAME|file|sed script|the expected line, as a regular expression
while IFS='|' read -r name file script line; do
	case $name in '#'* | '') continue ;; esac
	eval "file=$file"
	example
	sed -i "$script" "$tmp/example/$file"
	if cmp -s "$tmp/example/$file" "selftests/manual/example/$file"; then
		not_ok "$name" "nothing changed"
		continue
	fi
	case $name:$file in
	code_needs_another:*) set -- access ;;
	*/sysreg) set -- encodings presence registers ;;
	*glue.c) set -- traps ;;
	*:manual/*) set -- ;;
	*) set -- packets ;;
	esac
	check "$@"
	status=$?
	if [ $status -ne 1 ]; then
		not_ok "$name" "status $status"
	elif ! grep -q "^$line" "$tmp/out"; then
		not_ok "$name" "output: $(head -n 1 "$tmp/out")"
	else
		ok "$name"
	fi
done <<'END'
# the table's side
swapped_bits|$S|s/DOOR$/X/;s/	WINDOW$/	DOOR/;s/	X$/	WINDOW/|field PMSIRR_EL1.DOOR\[36\]: not in the manual, which has DOOR\[37\], WINDOW\[36\]
moved_field|$S|s/35:4	SHELF/35:3	SHELF/;s/Res0	3:1/Res0	2:1/|field PMSIRR_EL1.SHELF\[35:3\]: bits 3 are not its
missing_field|$S|s/Field	37	DOOR/Res0	37/;s/DOOR=1,//|missing PMSIRR_EL1.DOOR\[37\]: table has Res0
field_of_nobody|$S|s/Res0	3:1/Field	3:1	CELLAR/|field PMSIRR_EL1.CELLAR\[3:1\]: not in the manual
wrong_name|$S|s/	DOOR/	GATE/;s/DOOR=1/GATE=1/|field PMSIRR_EL1.GATE\[37\]: not in the manual, which has DOOR\[37\]
res0_for_res1|$S|s/Res1	0/Res0	0/|reserved PMSIRR_EL1\[0\]: table RES0, manual RES1
wrong_feature|$S|s/FEAT_LAMP/FEAT_SUN/|feature PMSIRR_EL1.LIGHT: table FEAT_SUN, manual "When FEAT_LAMP is implemented"
no_feature|$S|/FEAT_LAMP/d|feature PMSIRR_EL1.LIGHT: table none
one_feature_too_many|$S|s/FEAT_LAMP/FEAT_LAMP,FEAT_SUN/|feature PMSIRR_EL1.LIGHT: table FEAT_LAMP+FEAT_SUN
missing_value|$S|/TWILIGHT/d|value PMSIRR_EL1.LIGHT 0b01: manual "Twilight.", not in the table
value_of_nobody|$S|s/0b01	TWI/0b10	TWI/|value PMSIRR_EL1.LIGHT 0b10: table TWILIGHT, not in the manual
swapped_values|$S|s/0b00	DARK/0b00	X/;s/TWILIGHT/DARK/;s/	X$/	TWILIGHT/|meaning PMSIRR_EL1.LIGHT 0b01: table DARK, no word of it
wrong_meaning|$S|s/BRIGHT$/PURPLE/|meaning PMSIRR_EL1.LIGHT 0b11: table PURPLE, no word of it
wrong_reset|$S|s/DOOR=1/DOOR=0/|reset PMSIRR_EL1.DOOR: table 0, manual 1
missing_reset|$S|s/,WINDOW=0//|reset PMSIRR_EL1.WINDOW: table UNKNOWN, manual 0
reset_of_nobody|$S|s/WINDOW=0/WINDOW=0,LIGHT=2/|reset PMSIRR_EL1.LIGHT: table 2, manual UNKNOWN
wrong_encoding|$S|s/9	9	3/9	9	2/|encoding PMSIRR_EL1: table (3, 0, 9, 9, 2), manual (3, 0, 9, 9, 3)
wrong_element|$S|s/2	1	2	6	0/2	1	2	6	1/|encoding TRCACVR3: table (2, 1, 2, 6, 1), manual (2, 1, 2, 6, 0)
wrong_direction|$S|s/access RW   reset/access RO   reset/|direction PMSIRR_EL1: table R, manual RW
wrong_presence|$S|s/NUMACPAIRS>=2/NUMACPAIRS>=3/|present TRCACVR3: the manual also wants TRCIDR4.NUMACPAIRS>=2
missing_presence|$S|s/   present .*//|present TRCACVR3: the manual also wants TRCIDR4.NUMACPAIRS>=2
register_needs_another|$S|s/feat FEAT_SPE /feat FEAT_TRBE /|present PMSIRR_EL1: table FEAT_TRBE, manual FEAT_SPE
code_needs_another|$S|s/feat FEAT_SPE /feat FEAT_TRBE /|needs PMSIRR_EL1 R: table FEAT_TRBE, manual FEAT_SPE
no_such_register|$S|s/PMSIRR_EL1/PMSXXX_EL1/|page PMSXXX_EL1: the manual has none
spe_header|$P|s/10011iii	COUNTER/10010iii	COUNTER/|spe header 0x90: table COUNTER, manual None
spe_header_missing|$P|/PADDING/d|spe header 0x00: table None, manual PADDING
spe_long_header|$P|/^Byte1/d|spe header 0x20 0x98: table None, manual COUNTER
spe_index_swapped|$P|s/1	COFFEE/1	TEA/|spe counter 1: table TEA, manual "Cups of coffee."
spe_index_missing|$P|s/1	COFFEE/1	RESERVED/|spe counter 1: table RESERVED, manual "Cups of coffee."
spe_event|$P|s/RAIN.*/SUN	v1p0	-	the sun shines/|spe event 0 SUN: manual
spe_operation|$P|s/0000000f/0000001f/|spe operation 0 0000001x WALK: not in the manual
spe_operation_part|$P|s/f	FP/f	COND/|spe operation 0 0000000x WALK: parts COND\[0\] in the table, FP\[0\] in the manual
ete_header|$T|s/00000001	ALPHA/00000010	ALPHA/|ete header 0x01: table reserved, manual Alpha Packet
ete_name|$T|s/ALPHA/BETA/;s/Alpha/Beta/|ete header 0x01: table beta, manual Alpha Packet
ete_exception|$T|s/0x00	SNEEZE	sneeze/0x00	COUGH	cough/|ete exception 0x00: table COUGH, manual Sneeze.
ete_atoms|$T|s/110110aa	ATOM_F2	ATOMS	-/1101100x	ATOM_F2	ATOMS	=NN/|ete atoms format 2 0b01: table NN, manual EN
exception_class|top/selftests/model/branch.c|s/INST_DEBUG/DATA_FAULT/|exception class 0x30 (Breakpoint): model DATA_FAULT, manual INST_DEBUG
fine_grained_bit|$G|s/FGT(31)/FGT(30)/|fgt PMSIRR_EL1 R: manual bit 31, traps if 1, selftests/model/qemu/glue.c bit 30, traps if 1
fine_grained_sense|$G|s/FGT(31)/FGT_NOT(31)/|fgt PMSIRR_EL1 R: manual bit 31, traps if 1, selftests/model/qemu/glue.c bit 31, traps if 0
nv2_offset|$G|s/0x840/0x848/|nv2 PMSIRR_EL1 W: manual 0x840 at 101/111, selftests/model/qemu/glue.c 0x848 at 101/111
nv2_condition|$G|s/0x840/0x840 . NV2_REDIR_NV1/|nv2 PMSIRR_EL1 W: manual 0x840 at 101/111, selftests/model/qemu/glue.c 0x840 at 111
instruction|$G|s/crm = 2/crm = 3/|instruction TRCIT: manual (1, 3, 7, 2, 7), selftests/model/qemu/glue.c (1, 3, 7, 3, 7)
# the manual's side
trap_to_another_level|$M|s/TPMS == '1' then AArch64.SystemAccessTrap(EL2/TPMS == '1' then AArch64.SystemAccessTrap(EL3/|access PMSIRR_EL1 R: manual EL3, model EL2, EL1 .*MDCR_EL2.TPMS=1
trap_missing|$M|s/elsif EL2Enabled() \&\& MDCR_EL2.TPMS == '1' then AArch64.SystemAccessTrap(EL2, 0x18);//|access PMSIRR_EL1 W: manual OK:PMSIRR_EL1, model EL2, EL1 .*MDCR_EL2.TPMS=1
trap_of_another_field|$M|s/MDCR_EL2.TPMS == '1'/MDCR_EL2.TTRF == '1'/|access PMSIRR_EL1 R: manual EL2, model OK:PMSIRR_EL1, EL1
undefined_at_el3|$M|s/EL3 then PMSIRR_EL1 = X.t, 64./EL3 then UNDEFINED/|access PMSIRR_EL1 W: manual UNDEF, model OK:PMSIRR_EL1, EL3
value_of_another|$M|s/EL3 then X.t, 64. = PMSIRR_EL1/EL3 then X[t, 64] = PMSICR_EL1/|access PMSIRR_EL1 R: manual OK:PMSICR_EL1, model OK:PMSIRR_EL1, EL3
code_cut_off|$M|s/ elsif PSTATE.EL == EL3 then X.*//|access PMSIRR_EL1 R: the code is cut off
unknown_word|$M|s/MDCR_EL2.TPMS/MDCR_EL2.XYZ/|access PMSIRR_EL1 R: unknown value MDCR_EL2.XYZ
another_reset|$M|s/On a Warm reset, this field resets to '0'/On a Cold reset, this field resets to '0'/|reset PMSIRR_EL1.WINDOW: table on a Warm reset, manual on a Cold reset
unit_reset|$M|s/On a Trace unit reset/On a Warm reset/|reset TRCACVRn\{0,1\}3\{0,1\}.ADDRESS: table on a Trace unit reset, manual on a Warm reset
lost_heading|$M|/DOOR, bit/d|gap PMSIRR_EL1\[37:37\]: no heading
new_field|$M|s/^## Bits .3:1./## CELLAR, bits [3:1]/|missing PMSIRR_EL1.CELLAR\[3:1\]: table has Res0
END

# the list
example
echo "field NOBODY.X[0]: * | there is none" >>"$tmp/example/explained"
check
status=$?
is 1 stale_is_an_error
grep -q '^stale: .*explained:3: field NOBODY.X\[0\]: \*$' "$tmp/out" && ok stale_is_named ||
	not_ok stale_is_named "$(head -n 1 "$tmp/out")"
example
echo "field NOBODY.X[0]: *" >>"$tmp/example/explained"
check
status=$?
is 1 reason_wanted
example
sed -i 's/DOOR=1/DOOR=0/' "$tmp/example/$S"
echo "reset PMSIRR_EL1.DOOR: table 0, manual 1, D24.7.1 | a test" >>"$tmp/example/explained"
check
status=$?
is 0 explained_is_no_error
[ "$(cat "$tmp/out")" = "3 differences, 3 explained" ] && ok explained_is_counted ||
	not_ok explained_is_counted "$(tail -n 1 "$tmp/out")"
sed -i 's/DOOR=0/DOOR=1,LIGHT=1/' "$tmp/example/$S"
check
status=$?
is 1 explained_is_that_one_only
example
rm "$tmp/example/manual/D24.7.md"
check
status=$?
is 2 no_manual_is_an_error

echo "1..$n"
exit $failed
