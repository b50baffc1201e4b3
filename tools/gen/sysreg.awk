# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Reads tables/sysreg into arrays. The emitters (regs.awk, regs_desc.awk, regs_rst.awk) follow on
# the command line and print in their function emit(). With an error in the table nothing is
# printed.
#
# Registers are r = 1..nreg, their fields f = 1..nf[r], values v = 1..nv[r, f].

function fail(msg) {
	print FILENAME ":" FNR ": " msg > "/dev/stderr"
	failed = 1
	exit 1
}

function want(n) {
	if (NF != n)
		fail($1 " takes " (n - 1) " words")
}

function name_ok(s) {
	return s ~ /^[A-Za-z0-9][A-Za-z0-9_]*$/
}

# "0b0101" -> 5; refuses it without exactly width digits
function binary(s, width,	i, v) {
	if (s !~ /^0b[01]+$/)
		fail("not a binary number: " s)
	if (length(s) - 2 != width)
		fail(s " has not the width of the field, " width)
	for (i = 3; i <= length(s); i++)
		v = 2 * v + substr(s, i, 1)
	return v + 0
}

function parse_bits(s,	p) {
	if (s ~ /^[0-9]+$/) {
		hi = lo = s + 0
	} else if (s ~ /^[0-9]+:[0-9]+$/) {
		split(s, p, ":")
		hi = p[1] + 0
		lo = p[2] + 0
	} else {
		fail("not a bit range: " s)
	}
	if (hi > 63 || lo > hi)
		fail("impossible bit range: " s)
}

function add_field(kind, bits, name) {
	parse_bits(bits)
	if (alias[r])
		fail(reg[r] " already takes its fields from elsewhere")
	if (kind != "View") {
		if (hi != next_bit)
			fail(reg[r] "." name " starts at " hi ", not at " next_bit)
		next_bit = lo - 1
	} else if (!f || lo < lsb[r, base] || hi > msb[r, base]) {
		fail("view " name " leaves its field")
	}
	if (kind ~ /Field|Enum|View/) {
		if (!name_ok(name))
			fail("not a name: " name)
		if (name ~ /^(RES0|RES1|UNKN)$/ || (reg[r], name) in field_of)
			fail(reg[r] "." name " named twice")
		field_of[reg[r], name] = 1
	} else if (field_feat) {
		fail("feat needs a field")
	}
	f = ++nf[r]
	ftype[r, f] = kind
	fname[r, f] = name
	msb[r, f] = hi
	lsb[r, f] = lo
	ffeat[r, f] = field_feat
	nv[r, f] = 0
	field_feat = ""
	if (kind != "View")
		base = f
}

function add_value(bits, name,	v) {
	v = binary(bits, msb[r, f] - lsb[r, f] + 1)
	if (!name_ok(name))
		fail("not a name: " name)
	if ((r, f, "n", name) in value_of || (r, f, "v", v) in value_of)
		fail(reg[r] "." fname[r, f] ": " bits " " name " given twice")
	value_of[r, f, "n", name] = value_of[r, f, "v", v] = 1
	nv[r, f]++
	vname[r, f, nv[r, f]] = name
	vval[r, f, nv[r, f]] = v
}

function open_reg(name) {
	if (where != "")
		fail($1 " inside " where)
	if (!name_ok(name) || name in reg_of)
		fail("register " name (name in reg_of ? " given twice" : " is no name"))
	r = ++nreg
	reg[r] = name
	reg_of[name] = r
	nf[r] = f = 0
	alias[r] = 0
	next_bit = 63
	where = $1
}

function close_reg() {
	if (where != substr($1, 4))
		fail($1 " without " substr($1, 4))
	want(1)
	if (next_bit >= 0)
		fail(reg[r] ": bits " next_bit ":0 have no meaning")
	if (field_feat)
		fail("feat needs a field")
	check_reset()
	where = ""
}

# "E=0,FM=2" -> masks of the bits with a known reset value, and the value
function check_reset(	n, i, j, p, q) {
	n = split(reset[r], p, ",")
	for (i = 1; i <= n; i++) {
		if (split(p[i], q, "=") != 2 || q[2] !~ /^[0-9]+$/)
			fail("reset wants FIELD=NUMBER, not " p[i])
		for (j = nf[r]; j && fname[r, j] != q[1]; j--)
			;
		if (!j)
			fail("reset of " reg[r] "." q[1] ", which is no field")
		if (q[2] + 0 >= pow2(msb[r, j] - lsb[r, j] + 1))
			fail("reset value of " q[1] " is too large")
		reset_of[r, j] = q[2] + 0
	}
}

# "REGISTER.FIELD>=N", or several, separated by commas: the conditions under which register r exists
function check_present(	i, p, q, a) {
	np[r] = split(present[r], q, ",")
	for (i = 1; i <= np[r]; i++) {
		if (q[i] !~ /^[A-Z0-9_]+\.[A-Za-z0-9_]+>=[0-9]+$/)
			fail(reg[r] ": present wants REGISTER.FIELD>=NUMBER, not " q[i])
		split(q[i], p, /\.|>=/)
		a = p[1] in reg_of ? reg_of[p[1]] : 0
		a = a && alias[a] ? reg[alias[a]] : p[1]
		if (!((a, p[2]) in field_of))
			fail(reg[r] ": present by " q[i] ", which is no field of this table")
		present_reg[r, i] = p[1]
		present_field[r, i] = p[2]
		present_mask[r, i] = "V9_" a "_" p[2]
		present_least[r, i] = p[3]
	}
}

# no ^ in every busybox
function pow2(n,	v) {
	for (v = 1; n > 0; n--)
		v *= 2
	return v
}

function bit_of(v, i) {
	return int(v / pow2(i)) % 2
}

# bits[0..63] -> 16 hexadecimal digits; numbers of awk have 53 bits
function hex64(bits,	i, s) {
	for (i = 60; i >= 0; i -= 4)
		s = s sprintf("%x", 8 * bits[i + 3] + 4 * bits[i + 2] + 2 * bits[i + 1] + bits[i])
	return "UINT64_C(0x" s ")"
}

function clear(bits,	i) {
	for (i = 0; i < 64; i++)
		bits[i] = 0
}

function mask(hi, lo,	i, bits) {
	clear(bits)
	for (i = lo; i <= hi; i++)
		bits[i] = 1
	return hex64(bits)
}

# Returns the mask of the bits of one kind (Res0, Res1, Unkn) in register r.
function kind_mask(r, kind,	i, f, bits) {
	clear(bits)
	for (f = 1; f <= nf[r]; f++)
		if (ftype[r, f] == kind)
			for (i = lsb[r, f]; i <= msb[r, f]; i++)
				bits[i] = 1
	return hex64(bits)
}

function reset_word(r, want_value,	i, f, bits) {
	clear(bits)
	for (f = 1; f <= nf[r]; f++)
		if ((r, f) in reset_of)
			for (i = lsb[r, f]; i <= msb[r, f]; i++)
				bits[i] = want_value ? bit_of(reset_of[r, f], i - lsb[r, f]) : 1
	return hex64(bits)
}

function encoding(r) {
	return sprintf("0x%06x", op0[r] * 524288 + op1[r] * 65536 + crn[r] * 4096 + \
		       crm[r] * 256 + op2[r] * 32)
}

function trap_name(t,	p, n) {
	n = split(t, p, ".")
	return "V9_TRAP_" p[n]
}

function named(f) {
	return ftype[r, f] ~ /Field|Enum|View/
}

BEGIN {
	where = ""
	nreg = 0
}

/^[ \t]*$/ { next }

/^#:/ {
	if (where == "") {
		for (i = 2; i < NF; i += 2) {
			if ($i !~ /^(unit|feat|access|reset|trap|present)$/)
				fail("unknown word " $i)
			if ($i in note)
				fail($i " given twice")
			note[$i] = $(i + 1)
		}
		if (i != NF + 1)
			fail($NF " lacks its value")
	} else if ($2 == "feat" && NF == 3 && where ~ /^Sysreg/) {
		field_feat = $3
	} else if ($2 == "view" && NF == 4 && where ~ /^Sysreg/) {
		add_field("View", $3, $4)
	} else if ($2 == "value" && NF == 4 && where ~ /^Sysreg/ && ftype[r, f] == "View") {
		add_value($3, $4)
	} else {
		fail("unknown remark")
	}
	next
}

/^[ \t]*#/ { next }

$1 == "SysregFields" {
	want(2)
	open_reg($2)
	op0[r] = ""
	next
}

$1 == "Sysreg" {
	want(7)
	open_reg($2)
	for (i = 3; i <= 7; i++)
		if ($i !~ /^[0-9]+$/)
			fail("not a number: " $i)
	if ($3 < 2 || $3 > 3 || $4 > 7 || $5 > 15 || $6 > 15 || $7 > 7)
		fail("impossible encoding")
	op0[r] = $3; op1[r] = $4; crn[r] = $5; crm[r] = $6; op2[r] = $7
	if (encoding(r) in encoded)
		fail(reg[r] " has the encoding of " encoded[encoding(r)])
	encoded[encoding(r)] = reg[r]
	unit[r] = note["unit"]
	feat[r] = note["feat"]
	access[r] = note["access"]
	reset[r] = note["reset"]
	trap[r] = note["trap"]
	present[r] = note["present"]
	if (unit[r] != "" && (feat[r] == "" || access[r] !~ /^(RW|RO|WO)$/ || trap[r] == ""))
		fail("a register of a unit needs feat, access RW|RO|WO, and trap")
	split("", note)
	next
}

$1 == "EndSysreg" || $1 == "EndSysregFields" { close_reg(); next }

where == "" { fail("unknown word " $1) }

$1 == "Fields" {
	want(2)
	if (next_bit != 63 || !($2 in reg_of) || reg_of[$2] == r)
		fail("Fields " $2 ": no such description, or fields given already")
	alias[r] = reg_of[$2]
	next_bit = -1
	next
}

where == "Enum" {
	if ($1 == "EndEnum") {
		want(1)
		where = outer
		next
	}
	want(2)
	add_value($1, $2)
	next
}

$1 == "Field" { want(3); add_field($1, $2, $3); next }

$1 == "Enum" || $1 == "SignedEnum" || $1 == "UnsignedEnum" {
	want(3)
	add_field("Enum", $2, $3)
	outer = where
	where = "Enum"
	next
}

$1 == "Res0" || $1 == "Res1" || $1 == "Unkn" { want(2); add_field($1, $2, toupper($1)); next }

{ fail("unknown word " $1) }

END {
	if (failed)
		exit 1
	if (where != "")
		fail("the last " where " is not closed")
	for (i in note)
		fail("the last remark belongs to no register")
	for (r = 1; r <= nreg; r++)
		if (trap[r] ~ /\./) {
			split(trap[r], part, ".")
			if (!((part[1], part[2]) in field_of))
				fail(reg[r] ": trap " trap[r] " is no field of this table")
		} else if (trap[r] !~ /^(EL2ONLY|EL3ONLY|EL12|NONE)?$/) {
			fail(reg[r] ": unknown trap " trap[r])
		}
	for (r = 1; r <= nreg; r++)
		if (present[r] != "")
			check_present()
	emit()
}
