# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# tables/ete.pkt -> gen/ete_pkt.h, after pkt.awk. Nothing is printed if the table is wrong.

BEGIN {
	n = split("EXT INFO EXC INSTR EXACT S0 S1 L32_0 L32_1 L64_0 L64_1 CTX TS COMMIT CANCEL NIBBLES " \
		  "COUNT20 COUNT32", word, " ")
	for (i = 1; i <= n; i++)
		order[word[i]] = i
	naddr = split("EXACT S0 S1 L32_0 L32_1 L64_0 L64_1", addr, " ")
	nmore = split("CTX TS COMMIT CANCEL NIBBLES COUNT20 COUNT32", more, " ")
	when_value["-"] = 0
	when_value["COMMOPT0"] = when_value["COMMOPT1"] = 0
	when_value["MAXSPEC"] = 1
	when_value["TSMARK"] = 2
	when_value["ITE"] = 3
}

# Several rows may describe one packet; their kinds must agree.
function packet(name, kind, text) {
	if ((name, "kind") in packet_of) {
		if (packet_of[name, "kind"] != kind)
			fail("packet " name " has two kinds")
		return
	}
	packet_of[name_ok(name), "kind"] = name_ok(kind)
	packet_of[name, "text"] = text
	order_of[++npacket] = name
}

# Converts text of E and N, oldest first, to a number with the oldest in bit 0.
function atoms_of(s,	i, v) {
	for (i = length(s); i; i--)
		v = 2 * v + (substr(s, i, 1) == "E")
	return v + 0
}

# Parses the payload column into address, parts and form.
function parse_payload(s,	n, i, p, last) {
	address = parts = form = constant = ""
	if (s == "-")
		return
	if (s ~ /^=/) {
		constant = substr(s, 2)
		if (constant !~ /^([EN]+|EE\*[EN])$/ || length(constant) > 5)
			fail("not atoms: " s)
		return
	}
	n = split(s, p, /\+/)
	for (i = 1; i <= n; i++) {
		if (!(p[i] in order))
			fail("no payload: " p[i])
		if (order[p[i]] <= last)
			fail("payload out of order: " s)
		last = order[p[i]]
		if (p[i] ~ /^(EXT|INFO|EXC|INSTR)$/) {
			if (n > 1)
				fail("payload with a form of its own: " s)
			form = p[i]
		} else if (p[i] ~ /^(EXACT|[SL])/) {
			if (address != "")
				fail("two addresses: " s)
			address = p[i]
		} else {
			parts = parts (parts == "" ? "" : " | ") "V9_ETE_PART_" p[i]
		}
	}
}

function claim(mode, b,	n) {
	if ((mode, b) in kind_of)
		fail("header " hex(b) (mode ? " with" : " without") " COMMOPT belongs to " \
		     (name_of[mode, b] == "-" ? "nobody" : name_of[mode, b]) " already")
	kind_of[mode, b] = kind
	name_of[mode, b] = name
	if (kind == "RESERVED")
		return
	row_addr[mode, b] = address
	row_parts[mode, b] = parts == "" ? 0 : parts
	row_when[mode, b] = when_value[when]
	row_natoms[mode, b] = row_atoms[mode, b] = 0
	if (constant ~ /\*/) {
		n = collect(pattern, b, "c")
		if (count_of(pattern, "c") == 2)
			n += 16
		else if (!count_of(pattern, "c"))
			n = 20
		row_natoms[mode, b] = n + 4
		row_atoms[mode, b] = pow2(n + (constant ~ /E$/ ? 4 : 3)) - 1
	} else if (constant != "") {
		row_natoms[mode, b] = length(constant)
		row_atoms[mode, b] = atoms_of(constant)
	} else if (count_of(pattern, "a")) {
		row_natoms[mode, b] = count_of(pattern, "a")
		row_atoms[mode, b] = collect(pattern, b, "a")
	}
	if (kind != "ATOMS" || mode)
		return
	n = row_natoms[mode, b] SUBSEP row_atoms[mode, b]
	if (n in atom_header)
		fail("headers " hex(atom_header[n]) " and " hex(b) " are the same atoms")
	atom_header[n] = b
}

/^[ \t]*$/ || /^#/ { next }

$1 == "Header" {
	want(7, 99)
	pattern = $2; name = $3; kind = $4; when = $6
	pattern_ok(pattern, "xac")
	if (!(when in when_value))
		fail("unknown condition " when)
	if ((kind == "RESERVED") != (name == "-"))
		fail("reserved ones have no name, others have")
	parse_payload($5)
	if ((constant != "" || pattern ~ /[ac]/) && kind !~ /^(ATOMS|CANCEL|MISPREDICT)$/)
		fail("atoms in a packet of kind " kind)
	if ((pattern ~ /c/) && constant !~ /\*/)
		fail("a count of nothing")
	if (kind != "RESERVED") {
		packet(name, kind, rest(7))
		if (form == "EXT")
			extended = 1
		if (!((name, "first") in packet_of))
			packet_of[name, "first"] = mask_of(pattern, "1")
	}
	for (b = 0; b < 256; b++)
		if (matches(pattern, b))
			for (m = 0; m < 2; m++)
				if (when != "COMMOPT" 1 - m)
					claim(m, b)
	next
}

$1 == "Extension" {
	want(5, 99)
	pattern_ok($2, "x")
	if (($4 == "RESERVED") != ($3 == "-"))
		fail("reserved ones have no name, others have")
	if ($4 != "RESERVED") {
		if ($2 ~ /x/)
			fail("an extension is one byte")
		packet($3, $4, rest(5))
		packet_of[$3, "first"] = 0
	}
	for (b = 0; b < 256; b++)
		if (matches($2, b)) {
			if (b in ext_kind)
				fail("extension " hex(b) " given twice")
			ext_kind[b] = $4
			ext_name[b] = $3
		}
	next
}

$1 == "Exception" {
	want(4, 99)
	if ($2 != hex(nexc))
		fail("exception " hex(nexc) " should come next")
	exc_text[nexc + 0] = rest(4)
	exc_name[nexc++] = $3
	if ($3 != "-")
		once("Exception", name_ok($3))
	next
}

$1 == "Reason" {
	want(3, 99)
	once("Reason", name_ok($2))
	reason[++nreason] = $2
	reason_text[nreason] = rest(3)
	next
}

{ fail("unknown word " $1) }

function check(	b, m) {
	for (b = 0; b < 256; b++) {
		for (m = 0; m < 2; m++)
			if (!((m, b) in kind_of))
				fail("header " hex(b) (m ? " with" : " without") " COMMOPT has no row")
		if (extended && !(b in ext_kind))
			fail("extension " hex(b) " has no row")
	}
	if (nexc != 32)
		fail("exception " hex(nexc) " has no row")
}

function header_row(m, b) {
	if (kind_of[m, b] == "RESERVED")
		return "{ .kind = V9_ETE_RESERVED }"
	return sprintf("{ V9_ETE_%s, V9_ETE_P_%s, V9_ETE_A_%s, %d, %d, %s, 0x%x }", kind_of[m, b],
		       name_of[m, b], row_addr[m, b] == "" ? "NONE" : row_addr[m, b],
		       row_when[m, b], row_natoms[m, b], row_parts[m, b], row_atoms[m, b])
}

END {
	if (failed)
		exit 1
	check()

	print "/* SPDX-License-" "Identifier: GPL-2.0-only OR BSD-2-Clause */"
	print "/*"
	print " * Made by tools/gen/gen.sh from tables/ete.pkt. Do not edit."
	print " *"
	print " * Names, as constants and as rows for whoever prints or matches:"
	print " *   V9_ETE_FOREACH_PACKET(X)     X(NAME, KIND, \"text\")"
	print " *   V9_ETE_FOREACH_EXCEPTION(X)  X(type, NAME, \"text\"); reserved types have no row"
	print " *   V9_ETE_FOREACH_REASON(X)     X(NAME, \"text\")"
	print " */"
	print "#ifndef V9TRACE_GEN_ETE_PKT_H"
	print "#define V9TRACE_GEN_ETE_PKT_H"
	print ""
	print "#include \"../ete.h\""
	print "\n/* Which of the manual's packets: v9_ete_pkt.name */"
	print "enum v9_ete_name {"
	print "\tV9_ETE_P_ANY = V9_ETE_PKT_ANY,"
	for (i = 1; i <= npacket; i++)
		if (order_of[i] != "EXTENSION")
			print "\tV9_ETE_P_" order_of[i] ","
	print "\tV9_ETE_NAMES\n};"
	print "\n#define V9_ETE_FOREACH_PACKET(X) \\"
	for (i = 1; i <= npacket; i++)
		if (order_of[i] != "EXTENSION")
			printf "\tX(%s, %s, \"%s\") \\\n", order_of[i], packet_of[order_of[i], "kind"],
			       packet_of[order_of[i], "text"]
	print "\t/* end */"
	print "\n/* v9_ete_pktdec.reason */"
	print "enum v9_ete_reason {"
	for (i = 1; i <= nreason; i++)
		print "\tV9_ETE_BAD_" reason[i] ","
	print "\tV9_ETE_REASONS\n};"
	print "\n#define V9_ETE_FOREACH_REASON(X) \\"
	for (i = 1; i <= nreason; i++)
		printf "\tX(%s, \"%s\") \\\n", reason[i], reason_text[i]
	print "\t/* end */"
	print "\n#define V9_ETE_FOREACH_EXCEPTION(X) \\"
	for (i = 0; i < 32; i++)
		if (exc_name[i] != "-")
			printf "\tX(%d, %s, \"%s\") \\\n", i, exc_name[i], exc_text[i]
	print "\t/* end */\n"
	for (i = 0; i < 32; i++)
		if (exc_name[i] != "-" && exc_name[i] !~ /^IMPDEF/)
			printf "_Static_assert(V9_ETE_EXC_%s == %d, \"%s\");\n", exc_name[i], i, exc_text[i]

	print "\n#ifdef V9_ETE_DISPATCH"
	print "/* For tools/lib/ete_pkt.c: what a header is, and which header says what */"
	print "enum {\n\tV9_ETE_RESERVED = V9_ETE_KINDS,\n};\n"
	print "enum {\n\tV9_ETE_A_NONE,"
	for (i = 1; i <= naddr; i++)
		print "\tV9_ETE_A_" addr[i] ","
	print "};\n"
	print "enum {"
	for (i = 1; i <= nmore; i++)
		printf "\tV9_ETE_PART_%s = %d,\n", more[i], pow2(i - 1)
	print "};\n"
	print "enum {\n\tV9_ETE_NEEDS_MAXSPEC = 1,\n\tV9_ETE_NEEDS_TSMARK = 2,\n\tV9_ETE_NEEDS_ITE = 3,\n};"
	print "\nstruct v9_ete_header {"
	print "\tuint8_t kind, name, addr, needs, natoms, parts;"
	print "\tuint32_t atoms;"
	print "};"
	print "\n/* By TRCIDR0.COMMOPT and first byte; EXTENSION's name is that of the Alignment Sync */"
	print "#define V9_ETE_P_EXTENSION V9_ETE_P_ALIGNMENT_SYNC"
	print "static const struct v9_ete_header v9_ete_headers[2][256] = {"
	for (m = 0; m < 2; m++) {
		print "\t{"
		for (b = 0; b < 256; b++)
			printf "\t\t/* %s */ %s,\n", hex(b), header_row(m, b)
		print "\t},"
	}
	print "};"
	print "#undef V9_ETE_P_EXTENSION"
	print "\n/* By the same: how a Target Address that says nothing else is sent; 0: it is something else */"
	print "static const uint8_t v9_ete_plain[2][256] = {"
	for (m = 0; m < 2; m++) {
		print "\t{"
		for (b = 0; b < 256; b++)
			if (kind_of[m, b] == "ADDRESS" && row_parts[m, b] == "0")
				printf "\t\t[%s] = V9_ETE_A_%s,\n", hex(b), row_addr[m, b]
		print "\t},"
	}
	print "};"
	print "\n/* Second bytes after 0x00 */"
	print "static const struct v9_ete_extension {"
	print "\tuint8_t byte, kind, name;"
	print "} v9_ete_extensions[] = {"
	for (b = 0; b < 256; b++)
		if (ext_kind[b] != "RESERVED")
			printf "\t{ %s, V9_ETE_%s, V9_ETE_P_%s },\n", hex(b), ext_kind[b], ext_name[b]
	print "};"
	print "\n/* The lowest header of a packet, by name */"
	print "static const uint8_t v9_ete_first[V9_ETE_NAMES] = {"
	for (i = 1; i <= npacket; i++)
		if (order_of[i] != "EXTENSION")
			printf "\t[V9_ETE_P_%s] = %s,\n", order_of[i], hex(packet_of[order_of[i], "first"])
	print "};"
	print "\n/* Up to five atoms: by 1 << n | atoms. 0 where no packet says them. */"
	print "static const uint8_t v9_ete_few_atoms[64] = {"
	for (i = 1; i <= 5; i++)
		for (v = 0; v < pow2(i); v++)
			if ((i, v) in atom_header)
				printf "\t[0x%02x] = %s,\n", pow2(i) + v, hex(atom_header[i, v])
	print "};"
	print "\n/* More atoms, all E but the last: by it and their number */"
	print "static const uint8_t v9_ete_many_atoms[2][V9_ETE_ATOMS_MAX + 1] = {"
	for (m = 0; m < 2; m++) {
		printf "\t{"
		for (i = 0; i <= 24; i++) {
			v = i ? pow2(i - 1 + m) - 1 : 0
			known = i > 5 && ((i, v) in atom_header)
			printf "%s%s,", i % 8 ? " " : "\n\t\t", known ? hex(atom_header[i, v]) : 0
		}
		print "\n\t},"
	}
	print "};"
	print "#endif"
	print "\n#endif"
}
