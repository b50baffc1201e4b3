#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Decodes a capture of a real trace unit (selftests/genuine). The executed instructions are those
# that its authors published. Build-ids of 8, 16 and 20 bytes are recognized, with and without a
# size in their record.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
top=$PWD
. selftests/host/suite.inc
genuine=$top/selftests/genuine
dir=$(mktemp -d) && cd "$dir" || exit 2
trap 'cd /; rm -rf "$dir"' EXIT
HOME=$dir
export HOME

mkdir -p sym/data/local/tmp
prog=sym/data/local/tmp/etm_test_loop
cp "$genuine/etm_test_loop" "$prog"
cp "$genuine/perf_with_unformatted_trace.data" a.data

"$V9TRACE" report --json --symfs sym a.data >report.json 2>err
for want in '"instructions":944' '"branches":208' '"packets":21'; do
	name=$(echo "$want" | tr -d '"' | tr : _)
	if tr -d ' \n' <report.json | grep -q "$want\b"; then
		ok "$name"
	else
		not_ok "$name" "$(grep -m1 "${want%%:*}" report.json)"
	fi
done
if "$V9TRACE" report --symfs sym a.data | grep -q '^  nothing: no truncation'; then
	ok nothing_lost
else
	not_ok nothing_lost "$("$V9TRACE" report --symfs sym a.data | sed -n 2p)"
fi

# Ranges as offsets from the start of the program, one per straight line of code; repeated lines are
# counted.
ranges() {
	"$V9TRACE" script --ranges --symfs "$1" "$2" | awk '
		function hex(s,  i, v) {
			v = 0
			for (i = 1; i <= length(s); i++)
				v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
			return v
		}
		$5 ~ /^el/ {
			n = $6
			sub(/[*]$/, "", n)
			at = hex($7) - hex("629b292000")
			printf "%x-%x\n", at, at + 4 * n - 4
		}' | uniq -c | awk '{ print $1, $2 }'
}
# The authors give each range with the address of its last instruction.
{
	echo 1 1000-1004; echo 1 100c-1050; echo 1 10e0-10ec; echo 1 108c-10a0; echo 1 1054-106c
	i=0
	while [ $i -lt 100 ]; do
		echo 1 1074-1080
		i=$((i + 1))
		[ $i -eq 100 ] || echo 1 105c-106c
	done
	echo 1 105c-106c; echo 1 1070-1070; echo 1 1084-1088; echo 1 10a4-10b0
} >want
ranges sym a.data >got
if cmp -s want got; then
	ok path
else
	not_ok path "$(diff want got | head -n 3 | tr '\n' ' ')"
fi

# poke FILE OFFSET OCTAL: overwrites bytes
poke() { printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }
zeros() { i=0; while [ $i -lt "$1" ]; do printf '\\000'; i=$((i + 1)); done; }
# where FILE: prints the offset of the program's build-id
note=$(grep -obUaP '\x04\x00\x00\x00\x10\x00\x00\x00\x03\x00\x00\x00GNU\x00' "$prog" | head -n 1)
note=${note%%:*}
id=$(dd if="$prog" bs=1 skip=$((note + 16)) count=16 2>/dev/null | od -An -v -tx1 | tr -d ' \n')
at=$(grep -obUaP "$(echo "$id" | sed 's/../\\x&/g')\x00\x00\x00\x00" a.data | head -n 1)
at=${at%%:*}

# found NAME yes|no: whether the program's code is used
found() {
	"$V9TRACE" report --json --symfs sym b.data >out 2>err
	got=$(tr -d ' \n' <out | grep -o '"instructions":[0-9]*' | head -n 1)
	case $2$got in
	'yes"instructions":944') ok "$1" ;;
	'no"instructions":0') ok "$1" ;;
	*) not_ok "$1" "$got" ;;
	esac
}
cp a.data b.data
found id_of_16_without_size yes
# A record with a size: bit 15 of misc is set, and the byte after the 20 bytes of the id has it.
sized() { poke b.data $((at - 7)) '\200'; poke b.data $((at + 20)) "$1"; }
sized '\020'
found id_of_16_with_size yes
cp a.data b.data
poke b.data $((at + 15)) '\377'
found id_of_16_that_differs no
cp a.data b.data
poke b.data $((at + 16)) '\001'
found id_that_goes_on no
cp a.data b.data
sized '\017'
found id_of_15_is_another no
# the program's own id has 8 bytes
cp "$genuine/etm_test_loop" "$prog"
poke "$prog" $((note + 4)) '\010'
cp a.data b.data
poke b.data $((at + 8)) "$(zeros 12)"
found id_of_8_without_size yes
sized '\010'
found id_of_8_with_size yes
cp a.data b.data
found id_of_16_for_8 no
# and 20
cp "$genuine/etm_test_loop" "$prog"
poke "$prog" $((note + 4)) '\024'
poke "$prog" $((note + 32)) '\001\002\003\000'
poke b.data $((at + 16)) '\001\002\003\000'
found id_of_20_without_size yes
sized '\024'
found id_of_20_with_size yes

# The directories in which distributions install files by build-id
cp "$genuine/etm_test_loop" "$prog"
mkdir -p "kept/.build-id/$(echo "$id" | cut -c1-2)"
mv "$prog" "kept/.build-id/$(echo "$id" | cut -c1-2)/$(echo "$id" | cut -c3-)"
"$V9TRACE" report --json --debug-dir kept a.data >out 2>err
if tr -d ' \n' <out | grep -q '"instructions":944\b'; then
	ok id_of_16_in_a_debug_dir
else
	not_ok id_of_16_in_a_debug_dir "$(grep -m1 '"why"' out)"
fi
finish
