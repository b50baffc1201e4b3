#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Compares the opcode classifier with a disassembler, for each instruction of a real library. The
# expected class is derived from mnemonic and operands alone.
cd "$(dirname "$0")" || exit 1
tool=../../build/host/bin/model_classify
objdump=${OBJDUMP:-aarch64-linux-gnu-objdump}
file=${FILE:-/usr/aarch64-linux-gnu/lib/libc.so.6}
[ -e "$file" ] || file=/usr/lib/aarch64-linux-gnu/libc.so.6	# an arm64 machine's own

if ! command -v "$objdump" >/dev/null || [ ! -r "$file" ]; then
	echo "ok 1 - objdump_agrees # SKIP no aarch64 objdump or library"
	echo "1..1"
	exit 0
fi
[ -x $tool ] || make -s T=model_classify all || exit 1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT

# opcode TAB mnemonic TAB operands, each opcode once
LC_ALL=C "$objdump" -d "$file" | awk -F'\t' '
	NF >= 3 && $2 ~ /^[0-9a-f]+ *$/ {
		gsub(/ /, "", $2)
		if ($3 !~ /^(\.inst|udf)/ && !($2 in seen)) {
			seen[$2]
			print $2 "\t" $3 "\t" $4
		}
	}' >"$tmp/insns"
cut -f1 "$tmp/insns" | $tool - >"$tmp/ours"

awk -F'\t' '
	function rmw(m) { return m ~ /^(cas|swp)/ || m ~ /^ld(add|clr|eor|set|[su]max|[su]min)[abhl]*$/ }
	{
		m = $2; a = $3; f = ""
		if (m ~ /^(b|bl|b\..*|bc\..*|cbn?z|tbn?z)$/)
			f = "B" (m ~ /^(b|bl)$/ ? "" : "C")
		else if (m ~ /^(br|blr|ret|eret)(a[ab]z?)?$/)
			f = "BI"
		else if (m ~ /^f?(csel|csinc|csinv|csneg|cset|csetm|cinc|cinv|cneg|ccmp|ccmn|ccmpe)$/)
			f = "C"
		else if (rmw(m))
			f = "LS"
		else if (m ~ /^(ld|cpy)/)
			f = m ~ /^cpy$/ ? "" : m ~ /^cpy/ ? "LS" : "L"
		else if (m ~ /^st/ || m ~ /^set[gmpe]/ || (m == "dc" && a ~ /^g?z?va/))
			f = "S"
		if (f ~ /[LS]/) {
			if (m ~ /^(ldar|ldax|ldapu?r|ldlar|stlr|stlx|stlur|stllr)/) f = f "a"
			else if (rmw(m) && m !~ /^st/) {
				t = m; sub(/^(casp?|swpp?|ld(add|clr|eor|set|[su]max|[su]min))/, "", t)
				if (t ~ /[al]/) f = f "a"
			} else if (m ~ /^st(add|clr|eor|set|[su]max|[su]min)l/) f = f "a"
			if (m ~ /^(ld|st)l?a?x[rp]/) f = f "x"
			if (rmw(m) || m ~ /^st(add|clr|eor|set|[su]max|[su]min)/) f = f "t"
			if (a ~ /^\{?[bhsdqv][0-9]/ && a !~ /^sp/) f = f "v"
		}
		print $1 " " f
	}' "$tmp/insns" >"$tmp/theirs"

paste "$tmp/ours" "$tmp/theirs" "$tmp/insns" | awk '
	{ split($0, c, "\t"); if (c[1] != c[2]) { n++; if (n <= 20) print "# " $0 > "/dev/stderr" } }
	END { exit n != 0 }'
differ=$?
lines=$(wc -l <"$tmp/insns")
if [ $differ -eq 0 ] && [ "$lines" -gt 10000 ]; then
	echo "ok 1 - objdump_agrees"
else
	echo "not ok 1 - objdump_agrees # of $lines different instructions, see above"
fi
echo "1..1"
exit $((differ != 0 || lines <= 10000))
