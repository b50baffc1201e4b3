# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# gen/regs_desc.h: one row per register of a unit. After sysreg.awk.

function emit(	a, i, n, need) {
	print "/* SPDX-License-" "Identifier: GPL-2.0-only OR BSD-2-Clause */"
	print "/*"
	print " * Made by tools/gen/gen.sh from tables/sysreg. Do not edit."
	print " *"
	print " * Rows for whoever walks registers: define one or more of the macros, include this"
	print " * file (as often as wanted; it undefines them at its end). Needs gen/regs.h"
	print " * for the names used in the rows."
	print " *"
	print " * V9_REGDESC(unit, name, encoding, access, res0, res1, reset_known_mask,"
	print " *            reset_value, trap, feat)"
	print " *   unit    bare word: SPE, TRBE, ETE (enum v9_unit has V9_UNIT_SPE)"
	print " *   name    bare word: PMSCR_EL1"
	print " *   access  bare word: RW, RO or WO"
	print " *   res0, res1    masks of reserved bits"
	print " *   reset_known_mask, reset_value   bits outside the mask reset to UNKNOWN"
	print " *   trap    enum v9_trap: NONE never; TPMS MDCR_EL2.TPMS; E2PB MDCR_EL2.E2PB;"
	print " *           E2TB, TTRF of MDCR_EL2; TTA of CPACR_EL1, CPTR_EL2, CPTR_EL3;"
	print " *           EnITE MDCR_EL3.EnITE;"
	print " *           EL2ONLY undefined at EL1; EL3ONLY below EL3; EL12 exists only at EL2"
	print " *           and up with E2H=1"
	print " *   feat    enum v9_feat"
	print " *"
	print " * V9_FIELDDESC(unit, reg, field, shift, width, feat)"
	print " * V9_FIELDALSO(unit, reg, field, shift, width, feat): the field of the row before needs"
	print " * this feature as well"
	print " *"
	print " * V9_PRESENTDESC(unit, reg, idreg, field, mask, least): reg exists only if the field of"
	print " * idreg, mask in place, is at least that, in each of its rows; a register without such a"
	print " * row needs nothing but its feat"
	print " */"
	print "#ifndef V9_REGDESC"
	print "#define V9_REGDESC(...)"
	print "#endif"
	print "#ifndef V9_FIELDDESC"
	print "#define V9_FIELDDESC(...)"
	print "#endif"
	print "#ifndef V9_FIELDALSO"
	print "#define V9_FIELDALSO(...)"
	print "#endif"
	print "#ifndef V9_PRESENTDESC"
	print "#define V9_PRESENTDESC(...)"
	print "#endif"
	for (r = 1; r <= nreg; r++) {
		if (unit[r] == "")
			continue
		print ""
		printf "V9_REGDESC(%s, %s, V9_SYS_%s, %s,\n", unit[r], reg[r], reg[r], access[r]
		printf "\t   V9_%s_RES0, V9_%s_RES1,\n", reg[r], reg[r]
		printf "\t   %s, %s,\n", reset_word(r, 0), reset_word(r, 1)
		printf "\t   %s, V9_%s)\n", trap_name(trap[r]), feat[r]
		for (i = 1; i <= np[r]; i++)
			printf "V9_PRESENTDESC(%s, %s, %s, %s, %s, %d)\n", unit[r], reg[r],
			       present_reg[r, i], present_field[r, i], present_mask[r, i],
			       present_least[r, i]
		a = alias[r] ? alias[r] : r
		for (f = 1; f <= nf[a]; f++)
			if (ftype[a, f] ~ /Field|Enum/) {
				n = split(ffeat[a, f] ? ffeat[a, f] : feat[r], need, ",")
				for (i = 1; i <= n; i++)
					printf "V9_FIELD%s(%s, %s, %s, %d, %d, V9_%s)\n",
					       i == 1 ? "DESC" : "ALSO", unit[r], reg[r], fname[a, f],
					       lsb[a, f], msb[a, f] - lsb[a, f] + 1, need[i]
			}
	}
	print ""
	print "#undef V9_REGDESC"
	print "#undef V9_FIELDDESC"
	print "#undef V9_FIELDALSO"
	print "#undef V9_PRESENTDESC"
}
