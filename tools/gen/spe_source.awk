# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# tables/spe.source -> gen/spe_source.h, after pkt.awk. Nothing is printed if the table is wrong.

function number_ok(s, digits) {
	if (s !~ /^0x[0-9a-f]+$/ || length(s) - 2 > digits)
		fail("not a number of up to " digits " hexadecimal digits: " s)
	return s
}

function close_set() {
	if (nset && !sources_of[nset])
		fail("Set " set[nset] " has no Source")
	if (nset && !cores_of[nset])
		fail("Set " set[nset] " has no Core")
}

function in_set() {
	if (!nset)
		fail($1 " before Set")
}

/^[ \t]*$/ || /^#/ { next }

$1 == "Set" {
	want(3, 99)
	close_set()
	once("Set", name_ok($2))
	set[++nset] = $2
	set_text[nset] = rest(3)
	next
}

$1 == "Source" {
	want(4, 99)
	in_set()
	once("Source of " set[nset], number_ok($2, 4))
	once("Source of " set[nset], name_ok($3))
	sources_of[nset]++
	src[++nsrc] = sprintf("X(%s, %s, %s, \"%s\")", set[nset], $2, $3, rest(4))
	next
}

$1 == "Core" {
	want(4, 4)
	in_set()
	once("Core", number_ok($2, 2) " " number_ok($3, 3))
	once("Core", name_ok($4))
	cores_of[nset]++
	core[++ncore] = sprintf("X(%s, %s, %s, %s)", set[nset], $2, $3, $4)
	next
}

{ fail("unknown word " $1) }

function rows(name, row, n,	i) {
	print "\n#define V9_SPE_FOREACH_" name "(X) \\"
	for (i = 1; i <= n; i++)
		print "\t" row[i] " \\"
	print "\t/* end */"
}

END {
	if (failed)
		exit 1
	close_set()
	if (!nset)
		fail("no Set")
	print "/* SPDX-License-" "Identifier: GPL-2.0-only OR BSD-2-Clause */"
	print "/*"
	print " * Made by tools/gen/gen.sh from tables/spe.source. Do not edit."
	print " *"
	print " * Data sources by core. V9_SPE_FOREACH_<TABLE>(X) makes one X(...) per row."
	print " *   CORE    X(SET, implementer, part, NAME)"
	print " *   SOURCE  X(SET, value, NAME, \"text\")"
	print " */"
	print "#ifndef V9TRACE_GEN_SPE_SOURCE_H"
	print "#define V9TRACE_GEN_SPE_SOURCE_H"
	print "\nenum {\n\tV9_SPE_SET_UNKNOWN,"
	for (i = 1; i <= nset; i++)
		printf "\tV9_SPE_SET_%s,\t/* %s */\n", set[i], set_text[i]
	print "\tV9_SPE_SETS\n};"
	rows("CORE", core, ncore)
	rows("SOURCE", src, nsrc)
	print "\n#endif"
}
