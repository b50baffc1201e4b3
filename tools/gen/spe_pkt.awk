# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# tables/spe.pkt -> gen/spe_pkt.h, after pkt.awk. Nothing is printed if the table is wrong.

function size_ok(pattern, size) {
	if (size !~ /^[01248s-]$/ || (size == "s") != (count_of(pattern, "s") > 0))
		fail("size " size " does not suit " pattern)
	if (size == "s" && count_of(pattern, "s") != 2)
		fail("s wants two bits")
}

function size_of(pattern, byte, size) {
	return size == "s" ? pow2(collect(pattern, byte, "s")) : size == "-" ? 255 : size
}

function parse_range(s, most,	p) {
	if (s ~ /^[0-9]+$/) {
		hi = lo = s + 0
	} else if (s ~ /^[0-9]+:[0-9]+$/) {
		split(s, p, ":")
		hi = p[1] + 0
		lo = p[2] + 0
	} else {
		fail("not a range: " s)
	}
	if (hi > most || lo > hi)
		fail("impossible range: " s)
}

function mask64(hi, lo,	i, bits) {
	for (i = lo; i <= hi; i++)
		bits[i] = 1
	return hex64(bits)
}

function hex64(bits,	i, s) {
	for (i = 60; i >= 0; i -= 4)
		s = s sprintf("%x", 8 * bits[i + 3] + 4 * bits[i + 2] + 2 * bits[i + 1] + bits[i])
	return "UINT64_C(0x" s ")"
}

# "v1p4" -> 5, the value of PMSVer for that version
function version(s) {
	if (s !~ /^v1p[0-5]$/)
		fail("not a version: " s)
	return substr(s, 4) + 1
}

function parse_since(s,	p) {
	feature = ""
	if (split(s, p, "+") > 2)
		fail("not a version: " s)
	if (p[2] != "")
		feature = name_ok(p[2])
	return version(p[1])
}

/^[ \t]*$/ || /^#/ { next }

$1 == "Byte0" {
	want(4, 5)
	pattern_ok($2, "xsi")
	name_ok($3)
	size_ok($2, $4)
	for (b = 0; b < 256; b++) {
		if (!matches($2, b))
			continue
		if (b in kind0)
			fail("header " hex(b) " belongs to " kind0[b] " already")
		kind0[b] = $3
		size0[b] = size_of($2, b, $4)
		index0[b] = NF == 5 ? $5 + 0 : collect($2, b, "i")
	}
	if ($3 == "PREFIX")
		prefix_pattern = $2
	else if ($3 != "UNKNOWN")
		encode_rows($3, $2, $4, 0, NF == 5 ? $5 : 0, count_of($2, "i"), "00000000")
	next
}

$1 == "Byte1" {
	want(5, 5)
	pattern_ok($2, "xi")
	pattern_ok($3, "xsi")
	name_ok($4)
	size_ok($3, $5)
	if (prefix_pattern == "")
		fail("Byte1 before PREFIX")
	claimed = 0
	for (p = 0; p < 256; p++) {
		if (!matches($2, p))
			continue
		if (!matches(prefix_pattern, p))
			fail("prefix " hex(p) " is no prefix")
		for (b = 0; b < 256; b++) {
			if (!matches($3, b))
				continue
			if ((p, b) in kind1)
				fail("header " hex(p) " " hex(b) " belongs to " kind1[p, b] " already")
			kind1[p, b] = $4
			size1[p, b] = size_of($3, b, $5)
		}
	}
	if ($4 != "UNKNOWN") {
		if ($2 !~ /^0010*i*$/)
			fail("an index in the prefix must be its low bits, the others zero")
		for (b = 0; b < 256; b++) {
			if (!matches($3, b))
				continue
			known1[b] = $4
			fixed1[b] = 31 - mask_of($2, "i")
			index1[b] = collect($3, b, "i")
			shift1[b] = count_of($3, "i")
		}
		encode_rows($4, $3, $5, 32, 0, count_of($2 $3, "i"), $2)
	}
	next
}

# The table of the encoder: one row per kind, range of indexes, and size
function encode_rows(kind, pattern, size, prefix, first, index_bits, prefix_pattern,	s, base) {
	base = mask_of(pattern, "1")
	for (s = 0; s < (size == "s" ? 4 : 1); s++) {
		nenc++
		enc[nenc] = sprintf("\t{ V9_SPE_%s, %d, %d, %d, %s, %s, %d },", kind, first,
				    pow2(index_bits), size == "s" ? pow2(s) : size,
				    prefix ? hex(prefix) : "0x00", hex(base + 16 * s * (size == "s")),
				    count_of(pattern, "i"))
	}
}

$1 == "Payload" {
	want(4, 4)
	parse_range($3, 63)
	once("Payload", name_ok($2) "_" name_ok($4))
	npay++
	pay[npay] = sprintf("#define %-31s %s", "V9_SPE_" $2 "_" $4, mask64(hi, lo))
	next
}

$1 == "Address" || $1 == "Counter" {
	want(3, 99)
	parse_range($2, 31)
	name_ok($3)
	if ($3 !~ /^(IMPDEF|RESERVED)$/) {
		once($1, $3)
		if (hi != lo)
			fail("a name for one index, please")
	}
	for (i = lo; i <= hi; i++) {
		once($1, i)
		which[$1, i] = $3
		text[$1, i] = rest(4)
	}
	next
}

$1 == "Event" {
	want(5, 99)
	parse_range($2, 63)
	name_ok($3)
	if ($3 !~ /^(IMPDEF|RESERVED)$/) {
		once("Event", $3)
		if (hi != lo)
			fail("a name for one bit, please")
	}
	v = parse_since($4)
	named_feature = feature
	feature = ""
	filter_version = $5 == "-" ? 0 : parse_since($5)
	for (i = lo; i <= hi; i++) {
		once("Event", i)
		which["Event", i] = $3 == "IMPDEF" ? $3 i : $3
		text["Event", i] = rest(6)
		since[i] = v
		needs[i] = named_feature
		filter[i] = filter_version
		filter_needs[i] = feature
	}
	next
}

$1 == "Op" {
	want(6, 99)
	if ($2 !~ /^[012]$/)
		fail("class " $2)
	pattern_ok($3, "a-z")
	once("Op", name_ok($4))
	nop++
	op[nop] = $4
	op_class[nop] = $2
	op_pattern[nop] = $3
	op_since[nop] = parse_since($5)
	op_needs[nop] = feature
	op_text[nop] = rest(6)
	for (b = 0; b < 256; b++) {
		if (!matches($3, b))
			continue
		if (($2, b) in op_of)
			fail("class " $2 " payload " hex(b) " is " op_of[$2, b] " already")
		op_of[$2, b] = $4
	}
	next
}

$1 == "OpField" {
	want(3, 3)
	if (!nop || length($2) != 1 || !index(op_pattern[nop], $2) || $2 !~ /[a-z]/)
		fail("the Op above has no " $2)
	once("OpField " op[nop], name_ok($3))
	once("OpField " op[nop], $2)
	op_letter[nop, $2] = $3
	nfield[nop]++
	field[nop, nfield[nop]] = $3
	field_mask[nop, nfield[nop]] = mask_of(op_pattern[nop], $2)
	next
}

$1 == "OpValue" {
	want(4, 4)
	if (!nop || !((nop, $2) in op_letter))
		fail("the Op above has no field " $2)
	if ($3 !~ /^[0-9]+$/ || $3 + 0 >= pow2(count_of(op_pattern[nop], $2)))
		fail("value " $3 " is too large")
	once("OpValue " op[nop] $2, $3)
	once("OpValue " op[nop] $2, name_ok($4))
	nval++
	val[nval] = sprintf("#define V9_SPE_OP_%s_%s_%s %d", op[nop], op_letter[nop, $2], $4, $3)
	next
}

{ fail("unknown word " $1) }

function complete(space, n,	i) {
	for (i = 0; i < n; i++)
		if (!((space, i) in seen))
			fail(space " " i " has no row")
}

function check_headers(	p, b, c) {
	for (b = 0; b < 256; b++) {
		if (!(b in kind0))
			fail("header " hex(b) " has no row")
		if (!matches(prefix_pattern, b))
			continue
		for (c = 0; c < 256; c++) {
			if (!((b, c) in kind1))
				fail("header " hex(b) " " hex(c) " has no row")
			if (c in size_after && size_after[c] != size1[b, c])
				fail("second byte " hex(c) " has two sizes, by prefix")
			size_after[c] = size1[b, c]
		}
	}
	for (i = 1; i <= nop; i++)
		for (b = 1; b <= 8; b++) {
			c = substr(op_pattern[i], b, 1)
			if (c ~ /[a-z]/ && !((i, c) in op_letter))
				fail("Op " op[i] ": field " c " has no name")
		}
}

function names(space, prefix, n,	i) {
	print ""
	print "enum {"
	for (i = 0; i < n; i++)
		if (which[space, i] !~ /^(IMPDEF|RESERVED)/)
			printf "\tV9_SPE_%s_%s = %d,\n", prefix, which[space, i], i
	print "};"
}

function rows(space, n,	i) {
	printf "\n#define V9_SPE_FOREACH_%s(X) \\\n", toupper(space)
	for (i = 0; i < n; i++)
		if (which[space, i] !~ /^(IMPDEF|RESERVED)$/)
			printf "\tX(%d, %s, \"%s\") \\\n", i, which[space, i], text[space, i]
	print "\t/* end */"
}

# Masks of the events that can be filtered: by version, each including those before it; events that
# need a feature have masks of their own
function filter_masks(	v, i, f, bits, list, n) {
	print ""
	for (v = 1; v <= 6; v++) {
		split("", bits)
		for (i = 0; i < 64; i++)
			if (filter[i] && filter[i] <= v && filter_needs[i] == "")
				bits[i] = 1
		printf "#define %-31s %s\n", "V9_SPE_FILTER_V1P" v - 1, hex64(bits)
	}
	for (i = 0; i < 64; i++)
		if (filter_needs[i] != "" && !(filter_needs[i] in list)) {
			list[filter_needs[i]] = 1
			split("", bits)
			for (f = i; f < 64; f++)
				if (filter_needs[f] == filter_needs[i])
					bits[f] = 1
			printf "#define %-31s %s\n", "V9_SPE_FILTER_" filter_needs[i], hex64(bits)
		}
	split("", bits)
	for (i = 0; i < 64; i++)
		if (which["Event", i] ~ /^IMPDEF/)
			bits[i] = 1
	printf "#define %-31s %s\n", "V9_SPE_EV_IMPDEF", hex64(bits)
}

END {
	if (failed)
		exit 1
	check_headers()
	complete("Address", 32)
	complete("Counter", 32)
	complete("Event", 64)

	print "/* SPDX-License-" "Identifier: GPL-2.0-only OR BSD-2-Clause */"
	print "/*"
	print " * Made by tools/gen/gen.sh from tables/spe.pkt. Do not edit."
	print " *"
	print " * Names of what is in packets, as constants and as rows for whoever prints or"
	print " * matches: V9_SPE_FOREACH_<TABLE>(X) makes one X(...) per row."
	print " *   ADDRESS, COUNTER  X(index, NAME, \"text\")"
	print " *   EVENT             X(bit, NAME, PMSVer of its first version, \"feature or empty\","
	print " *                       PMSVer that can filter on it or 0, \"text\")"
	print " *   OP                X(class, NAME, mask, value, PMSVer, \"feature\", \"text\"): a payload p is"
	print " *                       NAME if (p & mask) == value; never two of them"
	print " *   OP_FIELD          X(class, OP, FIELD, mask in the payload)"
	print " */"
	print "#ifndef V9TRACE_GEN_SPE_PKT_H"
	print "#define V9TRACE_GEN_SPE_PKT_H"
	print ""
	print "#include \"../spe.h\""
	print ""
	print "/* Parts of payloads, in place */"
	for (i = 1; i <= npay; i++)
		print pay[i]

	names("Address", "ADDR", 32)
	rows("Address", 32)
	names("Counter", "CNT", 32)
	rows("Counter", 32)

	print "\n/* Bit numbers in the payload of Events and in PMSEVFR_EL1, PMSNEVFR_EL1 */"
	print "enum {"
	for (i = 0; i < 64; i++)
		if (which["Event", i] !~ /^(IMPDEF|RESERVED)/)
			printf "\tV9_SPE_EV_%s = %d,\n", which["Event", i], i
	print "};"
	filter_masks()
	print "\n#define V9_SPE_FOREACH_EVENT(X) \\"
	for (i = 0; i < 64; i++)
		if (which["Event", i] != "RESERVED")
			printf "\tX(%d, %s, %d, \"%s\", %d, \"%s\") \\\n", i, which["Event", i], since[i],
			       needs[i], filter[i], text["Event", i]
	print "\t/* end */"

	print "\n/* Operation Type: index of the packet is the class */"
	print "enum {\n\tV9_SPE_OP_CLASS_OTHER,\n\tV9_SPE_OP_CLASS_LDST,\n\tV9_SPE_OP_CLASS_BRANCH,\n};\n"
	for (i = 1; i <= nop; i++) {
		printf "#define %-31s 0x%02x\n", "V9_SPE_OP_" op[i], mask_of(op_pattern[i], "1")
		for (f = 1; f <= nfield[i]; f++)
			printf "#define %-31s 0x%02x\n", "V9_SPE_OP_" op[i] "_" field[i, f], field_mask[i, f]
	}
	for (i = 1; i <= nval; i++)
		print val[i]
	print "\n#define V9_SPE_FOREACH_OP(X) \\"
	for (i = 1; i <= nop; i++)
		printf "\tX(%d, %s, 0x%02x, 0x%02x, %d, \"%s\", \"%s\") \\\n", op_class[i], op[i],
		       mask_of(op_pattern[i], "01"), mask_of(op_pattern[i], "1"), op_since[i],
		       op_needs[i], op_text[i]
	print "\t/* end */"
	print "\n#define V9_SPE_FOREACH_OP_FIELD(X) \\"
	for (i = 1; i <= nop; i++)
		for (f = 1; f <= nfield[i]; f++)
			printf "\tX(%d, %s, %s, 0x%02x) \\\n", op_class[i], op[i], field[i, f], field_mask[i, f]
	print "\t/* end */"

	print "\n#ifdef V9_SPE_DISPATCH"
	print "/* For tools/lib/spe_pkt.c: what a header is, and which header says what */"
	print "#define V9_SPE_PREFIX V9_SPE_KINDS"
	print "#define V9_SPE_NO_SIZE 255"
	print "\nstruct v9_spe_header {"
	print "\tuint8_t kind, size, index;"
	print "\tuint8_t fixed;\t/* byte 1: bits of the prefix that are 0, or the packet is UNKNOWN */"
	print "\tuint8_t shift;\t/* byte 1: where the other bits of the prefix go in the index */"
	print "};"
	print "\nstatic const struct v9_spe_header v9_spe_byte0[256] = {"
	for (b = 0; b < 256; b++)
		printf "\t/* %s */ { V9_SPE_%s, %d, %d, 0, 0 },\n", hex(b), kind0[b], size0[b], index0[b]
	print "};"
	print "\nstatic const struct v9_spe_header v9_spe_byte1[256] = {"
	for (b = 0; b < 256; b++)
		printf "\t/* %s */ { V9_SPE_%s, %d, %d, %s, %d },\n", hex(b),
		       b in known1 ? known1[b] : "UNKNOWN", size_after[b], index1[b], hex(fixed1[b]), shift1[b]
	print "};"
	print "\nstruct v9_spe_how {"
	print "\tuint8_t kind, first, count, size, prefix, header, shift;"
	print "};"
	print "\nstatic const struct v9_spe_how v9_spe_how[] = {"
	for (i = 1; i <= nenc; i++)
		print enc[i]
	print "};"
	print "#endif"
	print "\n#endif"
}
