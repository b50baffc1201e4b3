# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# gen/regs.h: encodings, masks, values. After sysreg.awk.

function define(name, value) {
	printf "#define %-47s %s\n", "V9_" name, value
}

function enumerate(title, prefix, list, n, count_name,	i) {
	print "\n/* " title " */"
	print "enum v9_" prefix " {"
	for (i = 1; i <= n; i++)
		print "\t" list[i] ","
	if (count_name != "")
		print "\t" count_name
	print "};"
}

function emit(	n, m, sum, p, i, need) {
	print "/* SPDX-License-" "Identifier: GPL-2.0-only OR BSD-2-Clause */"
	print "/*"
	print " * Made by tools/gen/gen.sh from tables/sysreg. Do not edit."
	print " *"
	print " * V9_SYS_<REG>            op0<<19 | op1<<16 | CRn<<12 | CRm<<8 | op2<<5"
	print " * V9_<REG>_<FIELD>        mask in place (for V9_GET and V9_PUT)"
	print " * V9_<REG>_<FIELD>_<NAME> value of a field, not shifted"
	print " * V9_<REG>_RES0, _RES1    reserved bits; _UNKN: bits this project says nothing about"
	print " */"
	print "#ifndef V9TRACE_GEN_REGS_H"
	print "#define V9TRACE_GEN_REGS_H"
	print ""
	print "#include \"../base.h\""

	for (r = 1; r <= nreg; r++) {
		print ""
		if (op0[r] != "")
			define("SYS_" reg[r], encoding(r))
		if (alias[r]) {
			define(reg[r] "_RES0", "V9_" reg[alias[r]] "_RES0")
			define(reg[r] "_RES1", "V9_" reg[alias[r]] "_RES1")
			define(reg[r] "_UNKN", "V9_" reg[alias[r]] "_UNKN")
			continue
		}
		sum = ""
		for (f = 1; f <= nf[r]; f++) {
			if (!named(f))
				continue
			p = reg[r] "_" fname[r, f]
			define(p, mask(msb[r, f], lsb[r, f]))
			for (v = 1; v <= nv[r, f]; v++)
				define(p "_" vname[r, f, v], sprintf("0x%x", vval[r, f, v]))
			if (ftype[r, f] != "View")
				sum = sum "V9_" p " +\n\t       "
		}
		define(reg[r] "_RES0", kind_mask(r, "Res0"))
		define(reg[r] "_RES1", kind_mask(r, "Res1"))
		define(reg[r] "_UNKN", kind_mask(r, "Unkn"))
		p = "V9_" reg[r]
		print "_Static_assert(" sum p "_RES0 + " p "_RES1 + " p "_UNKN =="
		print "\t       UINT64_C(0xffffffffffffffff),"
		print "\t       \"" reg[r] ": every bit once\");"
	}

	n = m = u = 0
	for (r = 1; r <= nreg; r++) {
		if (unit[r] == "")
			continue
		once("V9_UNIT_" unit[r], units)
		once(trap_name(trap[r]), traps)
		once("V9_" feat[r], feats)
		for (f = 1; f <= nf[r]; f++)
			for (i = split(ffeat[r, f], need, ","); i; i--)
				once("V9_" need[i], feats)
	}
	enumerate("What a register belongs to", "unit", units, count[units[1]], "V9_UNITS")
	enumerate("What decides between access and trap", "trap", traps, count[traps[1]])
	enumerate("What a register or field needs", "feat", feats, count[feats[1]])
	print "\n#endif"
}

# Appends s to the list unless it contains s. count[first element] is its length.
function once(s, list,	i, n) {
	n = (1 in list) ? count[list[1]] : 0
	for (i = 1; i <= n; i++)
		if (list[i] == s)
			return
	list[n + 1] = s
	count[list[1]] = n + 1
}
