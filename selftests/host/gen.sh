#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The generators of the tables. Each awk gives the same headers, invalid tables are refused with a
# message that names the error, and valid ones are accepted. The kernel's own generator and table
# agree with ours. TAP.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
tables=include/v9trace/tables
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
n=0
failed=0

ok() { n=$((n + 1)); echo "ok $n - $1"; }
skip() { n=$((n + 1)); echo "ok $n - $1 # SKIP $2"; }
not_ok() { n=$((n + 1)); failed=1; echo "not ok $n - $1 # $2"; }

sysreg() { LC_ALL=C $awk -f tools/gen/sysreg.awk -f "tools/gen/${1:-regs.awk}" "$tmp/table"; }
pkt() { LC_ALL=C $awk -f tools/gen/pkt.awk -f tools/gen/spe_pkt.awk "$tmp/table"; }
source() { LC_ALL=C $awk -f tools/gen/pkt.awk -f tools/gen/spe_source.awk "$tmp/table"; }
ete() { LC_ALL=C $awk -f tools/gen/pkt.awk -f tools/gen/ete_pkt.awk "$tmp/table"; }

# reject NAME WORDS GENERATOR: with the table in $tmp/table it fails, with WORDS on stderr and
# without output
reject() {
	if $3 >"$tmp/out" 2>"$tmp/err"; then
		not_ok "${id}_rejects_$1" "accepted"
	elif [ -s "$tmp/out" ]; then
		not_ok "${id}_rejects_$1" "refused, but printed something"
	elif ! grep -q -- "$2" "$tmp/err"; then
		not_ok "${id}_rejects_$1" "output: $(head -n1 "$tmp/err")"
	else
		ok "${id}_rejects_$1"
	fi
}

accept() {
	if $2 >"$tmp/out" 2>"$tmp/err" && [ -s "$tmp/out" ] && ! [ -s "$tmp/err" ]; then
		ok "${id}_accepts_$1"
	else
		not_ok "${id}_accepts_$1" "$(head -n1 "$tmp/err")"
	fi
}

table() { cat >"$tmp/table"; }
# mutate SED [KIND]: the real packet table after a sed script
mutate() { sed "$1" "$tables/${2:-spe}.pkt" >"$tmp/table"; }
add() { { cat "$tables/${2:-spe}.pkt"; printf '%b\n' "$1"; } >"$tmp/table"; }

sysreg_cases() {
	table <<-'END'
	# the least there is
	Sysreg A_EL1 3 0 9 9 0
	Field 63:0 X
	EndSysreg
	END
	accept plain sysreg
	table <<-'END'
	#: unit SPE feat FEAT_A access RW reset X=3 trap NONE present B_EL1.Y>=2,A_EL12.X>=1
	Sysreg A_EL1 3 0 9 9 0
	Res0 63:33
	Res1 32
	Unkn 31:8
	#: feat FEAT_B,FEAT_C
	Enum 7:6 E
		0b00 NO
		0b11 YES
	EndEnum
	Field 5:0 X
	#: view 1:0 LOW
	#: value 0b10 TWO
	EndSysreg
	Sysreg A_EL12 3 5 9 9 0
	Fields A_EL1
	EndSysreg
	Sysreg B_EL1 3 0 9 9 1
	Field 63:0 Y
	EndSysreg
	END
	accept every_word sysreg
	grep -q '^#define V9_A_EL1_X  *UINT64_C(0x000000000000003f)$' "$tmp/out" &&
		grep -q '^#define V9_A_EL1_RES0  *UINT64_C(0xfffffffe00000000)$' "$tmp/out" &&
		grep -q '^#define V9_A_EL1_RES1  *UINT64_C(0x0000000100000000)$' "$tmp/out" &&
		grep -q '^#define V9_A_EL1_UNKN  *UINT64_C(0x00000000ffffff00)$' "$tmp/out" &&
		grep -q '^#define V9_SYS_A_EL12  *0x1d9900$' "$tmp/out" &&
		grep -q '^#define V9_A_EL1_LOW_TWO  *0x2$' "$tmp/out" &&
		ok "${id}_every_word_right" || not_ok "${id}_every_word_right" "masks differ"
	accept every_word_described "sysreg regs_desc.awk"
	grep -q '^V9_FIELDDESC(SPE, A_EL1, E, 6, 2, V9_FEAT_B)$' "$tmp/out" &&
		grep -q '^V9_FIELDALSO(SPE, A_EL1, E, 6, 2, V9_FEAT_C)$' "$tmp/out" &&
		grep -q '^V9_PRESENTDESC(SPE, A_EL1, B_EL1, Y, V9_B_EL1_Y, 2)$' "$tmp/out" &&
		grep -q '^V9_PRESENTDESC(SPE, A_EL1, A_EL12, X, V9_A_EL1_X, 1)$' "$tmp/out" &&
		ok "${id}_lists_right" || not_ok "${id}_lists_right" "rows differ"

	while IFS='|' read -r name words text; do
		case $name in '#'* | '') continue ;; esac
		printf '%b\n' "$text" >"$tmp/table"
		reject "$name" "$words" sysreg
	done <<-'END'
	gap|starts at 61, not at 62|Sysreg A 3 0 9 9 0\nField 63 X\nField 61:0 Y\nEndSysreg
	overlap|starts at 63, not at 62|Sysreg A 3 0 9 9 0\nField 63 X\nField 63:0 Y\nEndSysreg
	missing_low_bits|have no meaning|Sysreg A 3 0 9 9 0\nField 63:4 X\nEndSysreg
	missing_bit_0|have no meaning|Sysreg A 3 0 9 9 0\nField 63:1 X\nEndSysreg
	beyond_bit_63|impossible bit range|Sysreg A 3 0 9 9 0\nField 64:0 X\nEndSysreg
	reversed_range|impossible bit range|Sysreg A 3 0 9 9 0\nField 0:63 X\nEndSysreg
	bits_not_numbers|not a bit range|Sysreg A 3 0 9 9 0\nField a:b X\nEndSysreg
	unknown_word|unknown word Filed|Sysreg A 3 0 9 9 0\nFiled 63:0 X\nEndSysreg
	word_outside|unknown word Field|Field 63:0 X
	register_twice|given twice|Sysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg\nSysreg A 3 0 9 9 1\nField 63:0 X\nEndSysreg
	encoding_twice|has the encoding of A|Sysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg\nSysreg B 3 0 9 9 0\nField 63:0 X\nEndSysreg
	impossible_encoding|impossible encoding|Sysreg A 3 8 9 9 0\nField 63:0 X\nEndSysreg
	encoding_not_numbers|not a number|Sysreg A 3 x 9 9 0\nField 63:0 X\nEndSysreg
	field_twice|named twice|Sysreg A 3 0 9 9 0\nField 63:32 X\nField 31:0 X\nEndSysreg
	field_called_res0|named twice|Sysreg A 3 0 9 9 0\nField 63:0 RES0\nEndSysreg
	field_without_name|takes 2 words|Sysreg A 3 0 9 9 0\nField 63:0\nEndSysreg
	bad_name|not a name|Sysreg A 3 0 9 9 0\nField 63:0 X-Y\nEndSysreg
	value_too_narrow|not the width|Sysreg A 3 0 9 9 0\nEnum 63:62 X\n0b1 ONE\nEndEnum\nField 61:0 Y\nEndSysreg
	value_too_wide|not the width|Sysreg A 3 0 9 9 0\nEnum 63:62 X\n0b111 ONE\nEndEnum\nField 61:0 Y\nEndSysreg
	value_not_binary|not a binary number|Sysreg A 3 0 9 9 0\nEnum 63:62 X\n3 ONE\nEndEnum\nField 61:0 Y\nEndSysreg
	value_twice|given twice|Sysreg A 3 0 9 9 0\nEnum 63:62 X\n0b01 ONE\n0b01 TWO\nEndEnum\nField 61:0 Y\nEndSysreg
	value_name_twice|given twice|Sysreg A 3 0 9 9 0\nEnum 63:62 X\n0b01 ONE\n0b10 ONE\nEndEnum\nField 61:0 Y\nEndSysreg
	enum_not_closed|not a binary number|Sysreg A 3 0 9 9 0\nEnum 63:62 X\n0b01 ONE\nField 61:0\nEndSysreg
	register_not_closed|is not closed|Sysreg A 3 0 9 9 0\nField 63:0 X
	register_inside|inside Sysreg|Sysreg A 3 0 9 9 0\nSysreg B 3 0 9 9 1
	closed_too_often|without Sysreg|Sysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg\nEndSysreg
	fields_of_nobody|no such description|Sysreg A 3 0 9 9 0\nFields B\nEndSysreg
	fields_and_more|takes its fields from elsewhere|Sysreg B 3 0 9 9 1\nField 63:0 X\nEndSysreg\nSysreg A 3 0 9 9 0\nFields B\nField 63:0 X\nEndSysreg
	unknown_remark_key|unknown word colour|#: colour red\nSysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg
	remark_without_value|lacks its value|#: unit\nSysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg
	remark_of_nobody|belongs to no register|Sysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg\n#: unit SPE
	unit_without_access|needs feat, access|#: unit SPE feat F trap NONE\nSysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg
	bad_access|needs feat, access|#: unit SPE feat F access RX trap NONE\nSysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg
	reset_of_no_field|is no field|#: unit SPE feat F access RW trap NONE reset Y=0\nSysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg
	reset_too_large|too large|#: unit SPE feat F access RW trap NONE reset X=2\nSysreg A 3 0 9 9 0\nRes0 63:1\nField 0 X\nEndSysreg
	reset_not_number|wants FIELD=NUMBER|#: unit SPE feat F access RW trap NONE reset X\nSysreg A 3 0 9 9 0\nRes0 63:1\nField 0 X\nEndSysreg
	trap_by_no_field|is no field of this table|#: unit SPE feat F access RW trap MDCR_EL2.E2PB\nSysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg
	present_by_no_field|is no field of this table|#: unit ETE feat F access RW trap NONE present B.Y>=1\nSysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg
	present_second_by_no_field|is no field of this table|#: unit ETE feat F access RW trap NONE present A.X>=1,B.Y>=1\nSysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg
	present_without_number|present wants|#: unit ETE feat F access RW trap NONE present A.X\nSysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg
	present_second_no_field|is no field of this table|#: unit ETE feat F access RW trap NONE present A.X>=1,B.Y>=1\nSysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg
	present_second_without_number|present wants|#: unit ETE feat F access RW trap NONE present A.X>=1,A.X\nSysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg
	remark_in_layout|unknown remark|SysregFields A\nField 63:0 X\n#: colour red\nEndSysregFields
	unknown_trap|unknown trap|#: unit SPE feat F access RW trap MAYBE\nSysreg A 3 0 9 9 0\nField 63:0 X\nEndSysreg
	view_leaves_field|leaves its field|Sysreg A 3 0 9 9 0\nField 63:8 X\nField 7:0 Y\n#: view 8:0 Z\nEndSysreg
	feat_of_no_field|feat needs a field|Sysreg A 3 0 9 9 0\n#: feat F\nRes0 63:0\nEndSysreg
	END
}

pkt_cases() {
	mutate ''
	accept packets pkt
	while IFS='|' read -r name words how text; do
		case $name in '#'* | '') continue ;; esac
		if [ "$how" = sed ]; then mutate "$text"; else add "$text"; fi
		reject "$name" "$words" pkt
	done <<-'END'
	packet_gap|header 0x71 has no row|sed|/TIMESTAMP/d
	packet_gap_second_byte|header 0x20 0xb0 has no row|sed|/^Byte1.*ADDRESS/d
	two_packets_one_byte|header 0x71 belongs to TIMESTAMP already|add|Byte0 01110001 OTHER 8
	overlapping_patterns|header 0xb0 belongs to ADDRESS already|add|Byte0 1011xxxx OTHER 8
	two_packets_two_bytes|header 0x21 0xb3 belongs to ADDRESS already|add|Byte1 00100001 10110011 OTHER 8
	prefix_index_not_low|must be its low bits|sed|/00101xxx.*10110xxx/s/.*/Byte1 00101iii 10110xxx OTHER 8/
	second_byte_two_sizes|two sizes|sed|/00101xxx.*10110xxx/s/8$/4/
	byte1_without_prefix|is no prefix|add|Byte1 01000000 10110011 OTHER 8
	pattern_of_seven|not a pattern|add|Byte0 0111000 OTHER 8
	pattern_letter|not a pattern|add|Byte0 0111000q OTHER 8
	size_unknown|does not suit|add|Byte0 01110001 OTHER 3
	size_s_without_bits|does not suit|add|Byte0 01110001 OTHER s
	size_bits_without_s|does not suit|add|Byte0 01ss0001 OTHER 8
	size_three_bits|two bits|add|Byte0 0sss0001 OTHER s
	packet_unknown_word|unknown word Byte2|add|Byte2 00000000 OTHER 0
	event_gap|Event 11 has no row|sed|/^Event.*MISALIGNED/d
	event_twice|Event 3 given twice|add|Event 3 OTHER v1p0 - again
	event_name_twice|Event RETIRED given twice|sed|s/MISALIGNED/RETIRED/
	event_bad_version|not a version|sed|s/^\(Event.*MISALIGNED[^v]*\)v1p1/\1v2/
	event_beyond_63|impossible range|add|Event 64 OTHER v1p0 - no
	address_gap|Address 3 has no row|sed|/^Address	3/d
	address_twice|Address 2 given twice|add|Address 2 OTHER x
	counter_gap|Counter 1 has no row|sed|/^Counter	1	/d
	op_overlap|payload 0x00 is OTHER already|add|Op 0 00000000 AGAIN v1p0 again
	op_name_twice|Op GPR given twice|add|Op 1 11111110 GPR v1p0 again
	op_field_without_name|has no name|sed|/^OpField	g	GATHER/d
	op_field_no_letter|has no z|add|OpField z Z
	op_field_twice|given twice|sed|s/^OpField	c	COND$/&\n&/
	op_value_too_large|too large|sed|s/^OpValue	r	3/OpValue	r	4/
	op_class_3|class 3|add|Op 3 00000000 X v1p0 x
	payload_twice|given twice|add|Payload ADDRESS 63 NS
	payload_range|impossible range|add|Payload ADDRESS 0:5 XX
	packet_bad_name|not a name|add|Op 1 11111110 lower v1p0 case
	quotes|no quotes|add|Op 1 11111110 QUOTE v1p0 a "word"
	packet_source_elsewhere|unknown word Source|add|Source 0x8 L2D level 2
	END
}

source_cases() {
	sed '' $tables/spe.source >"$tmp/table"
	accept sources source
	while IFS='|' read -r name words text; do
		case $name in '#'* | '') continue ;; esac
		case $text in
		s/* | /*) sed "$text" $tables/spe.source >"$tmp/table" ;;
		*) { cat $tables/spe.source; printf '%b\n' "$text"; } >"$tmp/table" ;;
		esac
		reject "source_$name" "$words" source
	done <<-'END'
	value_twice|Source of HISILICON 0x8 given twice|Source 0x8 AGAIN again
	name_twice|Source of HISILICON L3 given twice|Source 0xff L3 again
	value_of_five_digits|not a number of up to 4|Source 0x12345 BIG too much
	value_decimal|not a number of up to 4|Source 8 L2 x
	without_text|takes 3 or more words|Source 0xff X
	bad_name|not a name|Source 0xff lower case
	quotes|no quotes|Source 0xff QUOTE a "word"
	core_twice|Core 0x41 0xd4f given twice|Core 0x41 0xd4f AGAIN
	core_name_twice|Core NEOVERSE_V2 given twice|Core 0x41 0xfff NEOVERSE_V2
	part_too_large|not a number of up to 3|Core 0x41 0x1000 X
	implementer_too_large|not a number of up to 2|Core 0x141 0x100 X
	core_with_text|takes 3 words|Core 0x41 0x100 X and more
	set_twice|Set ARM given twice|Set ARM again\nSource 0x0 X x\nCore 0x41 0x100 X
	set_without_source|Set NEW has no Source|Set NEW new\nCore 0x41 0x100 X
	set_without_core|Set NEW has no Core|Set NEW new\nSource 0x0 X x
	set_without_source_inside|Set AMPERE has no Source|/^Set	AMPERE/,/^Core	0xc0/{/^Source/d}
	source_without_set|Source before Set|/^Set/d
	empty|no Set|/./d
	unknown_word|unknown word Cpu|Cpu 0x41 0x100 X
	END
}

ete_cases() {
	mutate '' ete
	accept ete_packets ete
	while IFS='|' read -r name words how text; do
		case $name in '#'* | '') continue ;; esac
		if [ "$how" = sed ]; then mutate "$text" ete; else add "$text" ete; fi
		reject "ete_$name" "$words" ete
	done <<-'END'
	gap|header 0x04 without COMMOPT has no row|sed|/TRACE_ON/d
	gap_in_one_mode|header 0x0d with COMMOPT has no row|sed|/F2_1/d
	gap_of_reserved|header 0x05 without COMMOPT has no row|sed|/^Header	00000101/d
	two_packets|header 0x70 without COMMOPT belongs to IGNORE already|add|Header 01110000 OTHER IGNORE - - x
	two_packets_in_one_mode|header 0x0e with COMMOPT belongs to CYCLE_COUNT_F1_1|add|Header 00001110 OTHER CYCLES - COMMOPT1 x
	reserved_claimed|header 0xba without COMMOPT belongs to nobody|add|Header 10111010 OTHER SOURCE L64_0 - x
	reserved_with_name|reserved ones have no name|add|Header 10111010 OTHER RESERVED - - x
	name_missing|reserved ones have no name|add|Header 10111010 - SOURCE - - x
	two_kinds|has two kinds|sed|s/^\(Header	10010001	TARGET_ADDRESS_EXACT_MATCH	\)ADDRESS/\1SOURCE/
	unknown_condition|unknown condition|sed|s/TSMARK	Time/SOMETIMES	Time/
	unknown_payload|no payload: L48_0|sed|s/L32_0+CTX/L48_0+CTX/
	payload_order|out of order|sed|s/L32_0+CTX/CTX+L32_0/
	two_addresses|two addresses|sed|s/L32_0+CTX/L32_0+L64_0/
	form_of_its_own|form of its own|sed|s/	INFO	INFO/	INFO	INFO+CTX/
	not_atoms|not atoms|sed|s/=NEEE	/=NEXE	/
	atoms_elsewhere|atoms in a packet of kind EVENT|sed|s/^Header	0111001x.*/Header	0111001a	EVENT	EVENT	-	-	Event/
	count_of_nothing|count of nothing|sed|s/=EE\*E	/-	/
	same_atoms|are the same atoms|sed|s/=NENE	/=ENEN	/
	pattern_letter|not a pattern|sed|s/^Header	00000100/Header	0000010q/
	extension_gap|extension 0x03 has no row|sed|/DISCARD/d
	extension_twice|extension 0x05 given twice|add|Extension 00000101 - RESERVED -
	extension_not_one_byte|is one byte|sed|s/^Extension	10000000/Extension	100000x0/
	exception_gap|exception 0x0d should come next|sed|/^Exception	0x0d/d
	exception_last|exception 0x1f has no row|sed|/^Exception	0x1f/d
	exception_twice|Exception IRQ given twice|sed|s/	FIQ	/	IRQ	/
	reason_twice|Reason ASYNC given twice|add|Reason ASYNC again
	unknown_word|unknown word Packet|add|Packet 0
	END
}

# A scratch tree in which gen.sh runs, with the headers of this build
fresh() {
	rm -rf "$tmp/copy"
	mkdir -p "$tmp/copy/tools" "$tmp/copy/include"
	cp -r tools/gen "$tmp/copy/tools/"
	cp -r include/v9trace "$tmp/copy/include/"
	gen=$tmp/copy/include/v9trace/gen
	touch -d '2 days ago' "$gen"/*.h
	touch -d yesterday "$gen/.stamp" "$tmp/copy/tools/gen"/* "$tmp/copy/include/v9trace/tables"/*
}
generate() { AWK=$awk "$tmp/copy/tools/gen/gen.sh" >"$tmp/out" 2>&1; }
same() {
	if [ "$2" = "$3" ]; then ok "${id}_$1"; else not_ok "${id}_$1" "$2, not $3"; fi
}

generator() {
	fresh
	rm -rf "$gen"
	generate
	same headers_are_those_of_this_build "$? $(diff -r "$gen" include/v9trace/gen)" "0 "
	same nothing_else_is_left "$(ls -A "$gen" | tr '\n' ' ')" \
		'.stamp ete_pkt.h regs.h regs_desc.h spe_pkt.h spe_source.h '

	# If a table changes and the headers do not, no header is written, so nothing is compiled
	# again.
	fresh
	echo '# a remark' >>"$gen/../tables/spe.source"
	generate
	same equal_headers_stay "$? $(find "$gen" -name '*.h' -mtime -1 | wc -l)" "0 0"
	# One that differs: one header.
	fresh
	sed -i 's/0x189a20/0x189a21/' "$gen/regs.h"
	touch "$gen/../tables/sysreg"
	generate
	same stale_header_is_written "$? $(find "$gen" -name '*.h' -mtime -1) $(diff -r "$gen" include/v9trace/gen)" \
		"0 $gen/regs.h "
	# One that is gone
	fresh
	rm "$gen/spe_pkt.h"
	generate
	same missing_header_is_written "$? $(diff -r "$gen" include/v9trace/gen)" "0 "

	# With an error in a table the headers are not changed, and the build fails.
	fresh
	echo 'Sysreg nonsense' >>"$gen/../tables/sysreg"
	generate
	same error_in_a_table_is_an_error "$? $(find "$gen" -name '*.h' -mtime -1 | wc -l) $(ls -A "$gen" | wc -l)" "1 0 6"
	printf 'TOP := %s\ninclude $(TOP)/tools/gen/gen.mk\nall:\n\techo built\n' "$tmp/copy" >"$tmp/makefile"
	same error_in_a_table_ends_the_build "$(AWK=$awk make -s -f "$tmp/makefile" 2>&1 | grep -c 'built\|could not be made')" 1
	same the_error_names_the_line "$(AWK=$awk make -s -f "$tmp/makefile" 2>&1 | grep -c 'sysreg:[0-9]*: ')" 1
	rm -rf "$tmp/copy"
}

# On the page of registers each register has a heading, and each field a row.
page() {
	sed -nE 's/^Sysreg(Fields)?[[:space:]]+([A-Z0-9_a-z]+).*/\2/p' $tables/sysreg | sort >"$tmp/want"
	AWK=$awk tools/gen/gen.sh --registers >"$tmp/page" 2>"$tmp/err"
	sed -n '/^---/{x;p;x}; h' "$tmp/page" | sort >"$tmp/have"
	if [ -s "$tmp/want" ] && cmp -s "$tmp/want" "$tmp/have" &&
		grep -q '^   \* - 63:12$' "$tmp/page"; then
		ok "${id}_page_has_all_registers"
	else
		not_ok "${id}_page_has_all_registers" "$(diff "$tmp/want" "$tmp/have" | head -n1) $(head -n1 "$tmp/err")"
	fi
}

# fields TABLE: prints register, field, msb and lsb, one field per line; "Fields" is expanded
fields() {
	LC_ALL=C awk '
		$1 == "Sysreg" || $1 == "SysregFields" { reg = $2 }
		$1 == "Fields" { from[reg] = $2 }
		$1 ~ /^(Field|Enum|SignedEnum|UnsignedEnum)$/ && reg != "" {
			split($2, b, ":")
			lo = $2 ~ /:/ ? b[2] : b[1]
			n[reg]++
			line[reg, n[reg]] = tolower($3) " " b[1] + 0 " " lo + 0
			gsub(/_/, "", line[reg, n[reg]])
			if ($1 != "Field") next
		}
		/^EndSysreg/ { all[reg] = 1; reg = "" }
		END {
			for (reg in all) {
				r = reg in from ? from[reg] : reg
				for (i = 1; i <= n[r]; i++)
					print reg, line[r, i]
			}
		}' "$1"
}

kernel() {
	dir=$(ls -d "${V9_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/v9trace}"/linux-source-*/arch/arm64/tools \
		2>/dev/null | tail -n1)
	if [ ! -e "$dir/gen-sysreg.awk" ] || [ ! -e "$dir/sysreg" ]; then
		for t in kernel_accepts_table kernel_fields_agree kernel_encodings_agree; do
			skip $t "no kernel source; selftests/lab/source.sh fetches it"
		done
		return
	fi
	if LC_ALL=C awk -f "$dir/gen-sysreg.awk" $tables/sysreg >"$tmp/theirs" 2>"$tmp/err"; then
		ok kernel_accepts_table
	else
		not_ok kernel_accepts_table "$(head -n1 "$tmp/err")"
	fi

	# Each of our fields is in the kernel's table with the same name and bits, or its bits are
	# not in that table. It must not overlap a field of the kernel's table in part.
	fields "$dir/sysreg" >"$tmp/theirs"
	fields $tables/sysreg >"$tmp/ours"
	LC_ALL=C awk '
		FNR == NR {
			known[$1] = 1
			for (i = $4; i <= $3; i++)
				at[$1, i] = $2 " " $3 " " $4
			next
		}
		$1 in known {
			for (i = $4; i <= $3; i++)
				if ((($1, i) in at) && at[$1, i] != $2 " " $3 " " $4) {
					print $1 " " $2 " " $3 ":" $4 " is " at[$1, i] " there"
					next
				}
			if (($1, $4) in at)
				same++
		}
		END { print same + 0, "same" }' "$tmp/theirs" "$tmp/ours" >"$tmp/out"
	sed 's/^/# /' "$tmp/out"
	if grep -q ' there$' "$tmp/out"; then
		not_ok kernel_fields_agree "$(grep -m1 ' there$' "$tmp/out")"
	elif [ "$(sed -n 's/ same$//p' "$tmp/out")" -lt 60 ]; then
		not_ok kernel_fields_agree "too few fields to compare: $(cat "$tmp/out")"
	else
		ok kernel_fields_agree
	fi

	grep '^Sysreg[	 ]' "$dir/sysreg" | tr -s ' \t' '  ' >"$tmp/theirs"
	grep '^Sysreg[	 ]' $tables/sysreg | tr -s ' \t' '  ' >"$tmp/ours"
	LC_ALL=C awk '
		FNR == NR { enc[$2] = $3 " " $4 " " $5 " " $6 " " $7; next }
		$2 in enc && enc[$2] != $3 " " $4 " " $5 " " $6 " " $7 { print $2 " differs" }
	' "$tmp/theirs" "$tmp/ours" >"$tmp/out"
	[ -s "$tmp/out" ] && not_ok kernel_encodings_agree "$(head -n1 "$tmp/out")" ||
		ok kernel_encodings_agree
}

for id in mawk gawk busybox; do
	awk=$id
	[ $id = busybox ] && awk="busybox awk"
	if ! $awk 'BEGIN { exit 0 }' >/dev/null 2>&1; then
		skip "${id}_all" "no $awk here"
		continue
	fi
	generator
	page
	sysreg_cases
	pkt_cases
	source_cases
	ete_cases
done
kernel

echo "1..$n"
exit $failed
