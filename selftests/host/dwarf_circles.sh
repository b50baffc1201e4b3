#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Debug information whose entries refer to each other in a circle: commands that read it end. A command
# that still runs after TIMEOUT seconds follows the circle; no other result depends on time.
set -u
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
TIMEOUT=60
. selftests/host/suite.inc
. selftests/host/golden.inc
own_directory
case $(uname -m) in aarch64) cross=; ;; *) cross=aarch64-linux-gnu- ;; esac
if ! command -v "${cross}gcc" >/dev/null; then
	ok "dwarf_circles # SKIP no compiler for arm64"
	finish
fi
makers host/mktypes

# One function, get, with its parameter in x0, and a variable. Both have the type that CASE says.
cat >circle.s <<'X'
	.text
	.globl get, _start
	.type get, %function
get:
_start:
	ldr	w0, [x0, #4]
	ret
.Lend:
	.size get, . - get
	.data
	.globl var
var:	.zero	64
	.size var, 64

	.macro attr name, form
	.uleb128 \name, \form
	.endm
	.macro abbrev code, tag, children
	.uleb128 \code, \tag
	.byte	\children
	.endm
	.section .debug_abbrev, "", %progbits
.Labbrev:
	abbrev	1, 0x11, 1		// compile unit
	attr	0x11, 0x01		// low_pc
	attr	0x12, 0x07		// high_pc
	attr	0, 0
	abbrev	2, 0x2e, 1		// subprogram
	attr	0x11, 0x01
	attr	0x12, 0x07
	attr	0, 0
	abbrev	3, 0x05, 0		// parameter
	attr	0x02, 0x18		// location
	attr	0x49, 0x13		// type
	attr	0, 0
	abbrev	4, 0x0f, 0		// pointer
	attr	0x49, 0x13
	attr	0, 0
	abbrev	5, 0x34, 0		// variable
	attr	0x02, 0x18
	attr	0x49, 0x13
	attr	0, 0
	abbrev	6, 0x16, 0		// typedef
	attr	0x49, 0x13
	attr	0, 0
	abbrev	7, 0x26, 0		// const
	attr	0x49, 0x13
	attr	0, 0
	abbrev	8, 0x13, 1		// struct
	attr	0x0b, 0x0b		// size
	attr	0, 0
	abbrev	9, 0x0d, 0		// member
	attr	0x49, 0x13
	attr	0x38, 0x0b		// offset
	attr	0, 0
	abbrev	10, 0x01, 1		// array
	attr	0x49, 0x13
	attr	0, 0
	abbrev	11, 0x21, 0		// range
	attr	0x2f, 0x0b		// upper bound
	attr	0, 0
	abbrev	12, 0x0d, 0		// member with a sibling
	attr	0x01, 0x13
	attr	0x49, 0x13
	attr	0x38, 0x0b
	attr	0, 0
	abbrev	13, 0x0b, 1		// block
	attr	0x11, 0x01
	attr	0x12, 0x07
	attr	0, 0
	abbrev	14, 0x3d, 0		// imported unit
	attr	0x18, 0x10
	attr	0, 0
	abbrev	15, 0x2e, 1		// subprogram of another one
	attr	0x31, 0x13		// abstract origin
	attr	0x11, 0x01
	attr	0x12, 0x07
	attr	0, 0
	abbrev	16, 0x24, 0		// int
	attr	0x0b, 0x0b
	attr	0x3e, 0x0b
	attr	0, 0
	abbrev	17, 0x0b, 1		// block with a sibling
	attr	0x01, 0x13
	attr	0x11, 0x01
	attr	0x12, 0x07
	attr	0, 0
	abbrev	18, 0x21, 0		// range of a type
	attr	0x49, 0x13
	attr	0, 0
	abbrev	19, 0x13, 1		// struct with a sibling
	attr	0x01, 0x13
	attr	0x0b, 0x0b
	attr	0, 0
	.byte	0

	.macro ref to
	.long	\to - .Linfo
	.endm
	.macro code			// the addresses of get
	.quad	get, .Lend - get
	.endm
	.section .debug_info, "", %progbits
.Linfo:
	.long	.Linfo_end - . - 4
	.short	4
	.long	.Labbrev
	.byte	8
.Lunit:	.uleb128 1
	code
	.if CASE == 1
	.uleb128 14			// the unit imports itself
	.long	.Lunit - .Linfo
	.endif
.Lfunc:
	.if CASE == 2
	.uleb128 15			// its own abstract origin
	ref	.Lfunc
	.else
	.uleb128 2
	.endif
	code
	.uleb128 3
	.byte	1, 0x50
	ref	.Lptr
	.if CASE == 3
	.rept	100000			// nested without end
	.uleb128 13
	code
	.endr
	.endif
	.if CASE == 4
.Lback:	.uleb128 17			// its sibling is itself
	ref	.Lback
	code
	.byte	0
	.endif
	.if CASE == 16
	.rept	64			// the sibling of each block is its first child
	.uleb128 17
	.long	. - .Linfo + 20
	code
	.endr
	.zero	64
	.endif
	.byte	0
.Lptr:	.uleb128 4
	ref	.Ltype
	.uleb128 5
	.byte	9, 3
	.quad	var
	ref	.Ltype
.Lint:	.uleb128 16
	.byte	4, 5
.Lloop:	.uleb128 6			// a typedef of itself
	ref	.Lloop
.Ltype:
	.if CASE == 5
	.uleb128 6
	ref	.Ltype
	.elseif CASE == 6
	.uleb128 6			// of const of itself
	ref	.Lc
.Lc:	.uleb128 7
	ref	.Ltype
	.elseif CASE == 7
	.uleb128 8			// a member of that typedef
	.byte	64, 9
	ref	.Lloop
	.byte	4, 0
	.elseif CASE == 8
	.uleb128 8			// a member of the struct itself
	.byte	64, 9
	ref	.Ltype
	.byte	4, 0
	.elseif CASE == 9
	.uleb128 10			// an array of itself
	ref	.Ltype
	.byte	11, 3, 0
	.elseif CASE == 10
	.uleb128 10			// an array of that typedef
	ref	.Lloop
	.byte	11, 3, 0
	.elseif CASE == 11
	.uleb128 8			// the sibling of a member is itself
	.byte	64
.Lm:	.byte	12
	ref	.Lm
	ref	.Lint
	.byte	32, 0
	.elseif CASE == 12
	.uleb128 8			// the sibling of the second member is the first one
	.byte	64
.Lfirst: .byte	9
	ref	.Lint
	.byte	32, 12
	ref	.Lfirst
	ref	.Lint
	.byte	36, 0
	.elseif CASE == 13
	.uleb128 10			// a range of its own type
	ref	.Lint
.Lr:	.uleb128 18
	ref	.Lr
	.byte	0
	.elseif CASE == 15
	.rept	64			// the sibling of each struct is its first child
	.uleb128 19
	.long	. - .Linfo + 5
	.byte	64
	.endr
	.zero	64
	.elseif CASE == 14
	.uleb128 4			// a pointer to itself
	ref	.Ltype
	.else
	.uleb128 16
	.byte	4, 5
	.endif
	.byte	0
.Linfo_end:
X

# ends TEST COMMAND...: the command ends by itself, as one does that succeeds or refuses
ends() {
	test=$1
	shift
	timeout $TIMEOUT "$V9TRACE" "$@" >out 2>err
	status=$?
	[ $status -le 1 ] && ok "$test" || not_ok "$test" "status $status, $(tail -n 1 err)"
}
case_no=0
for name in none unit_imports_itself origin_of_itself nested_blocks sibling_of_itself typedef_of_itself \
	typedef_of_const member_of_typedef member_of_itself array_of_itself array_of_typedef \
	member_sibling_of_itself member_sibling_before range_of_itself pointer_to_itself child_of_struct_is_sibling child_of_block_is_sibling; do
	if ! "${cross}gcc" -nostdlib -static -no-pie -Wa,--defsym,CASE=$case_no -o p circle.s 2>err; then
		not_ok "$name" "$(head -n 1 err)"
		continue
	fi
	at() { "${cross}nm" p | awk -v n="$1" '$3 == n { print $1 }'; }
	set -- $("${cross}readelf" -lW p | awk '$1 == "LOAD" && /R E/ { print $2, $3, $6 }')
	./mktypes c.data "$PWD/p" "${2#0x}" 10000 "${1#0x}" \
		0 0 "$(at get)" 5550000000 500 0 0 ffff000000 "$(at var)" 90 ||
		{ not_ok "$name" "mktypes failed"; continue; }
	ends "types_$name" mem --types --csv c.data
	cp out "types_$name.csv"
	cp err "types_$name.err"
	ends "inlined_$name" report --group-by inlined,symbol c.data
	ends "annotate_$name" annotate --symbol get c.data
	case_no=$((case_no + 1))
done
# The file is read: without a circle both accesses have a type, and those that a circle has are counted.
for want in "none types,[0-9.]*,2,2,0,295.000,50.000,4,.no name." \
	"typedef_of_itself types,[0-9.]*,1,1,0,500.000,100.000,,.not resolved: the variable there points to no type." \
	"member_of_itself types,[0-9.]*,2,2,0,295.000,50.000,64,struct .no name."; do
	name=${want%% *}
	if tr -d '\r' <"types_$name.csv" | grep -q "^${want#* }"; then ok "read_$name"
	else not_ok "read_$name" "$(grep '^types' "types_$name.csv" | tr '\r\n' ' |')"; fi
done
if grep -q "^v9trace: warning: .*/p: its debug information is damaged" types_nested_blocks.err &&
   ! grep -q damaged types_none.err; then ok damage_is_said
else not_ok damage_is_said "$(head -n 1 types_nested_blocks.err)"; fi
finish
