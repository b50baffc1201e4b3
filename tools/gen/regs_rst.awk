# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# A page of all registers, see gen.sh --registers. After sysreg.awk.

function bits(r, f) {
	return msb[r, f] == lsb[r, f] ? msb[r, f] : msb[r, f] ":" lsb[r, f]
}

function binary_of(v, width,	s) {
	for (; width--; v = int(v / 2))
		s = v % 2 s
	return "0b" s
}

function emit(	s) {
	print ".. SPDX-License-" "Identifier: GPL-2.0-only"
	print ".. Made by tools/gen/gen.sh from include/v9trace/tables/sysreg. Do not edit."
	print ""
	print "Registers"
	print "========="
	print ""
	print "What the project knows about the registers it uses. Bits not listed are"
	print "reserved, or, in control registers, none of its business."
	for (r = 1; r <= nreg; r++) {
		line = reg[r]
		gsub(/./, "-", line)
		print "\n" reg[r] "\n" line "\n"
		if (op0[r] == "")
			print "The layout of several registers."
		else
			print "Encoding " op0[r] ", " op1[r] ", " crn[r] ", " crm[r] ", " op2[r] "." \
			      (unit[r] == "" ? "" : " " access[r] ", needs " feat[r] \
			       ", access decided by " trap[r] ".") \
			      (present[r] == "" ? "" : " Present if " present[r] ".")
		if (alias[r]) {
			if (op0[alias[r]] == "")
				print "Layout: " reg[alias[r]] "."
			else
				print "Another name of " reg[alias[r]] ": same fields."
			continue
		}
		print "\n.. list-table::"
		print "   :header-rows: 1"
		print "   :widths: 10 20 20 50\n"
		row("Bits", "Field", "Needs", "Values")
		for (f = 1; f <= nf[r]; f++) {
			if (!named(f))
				continue
			s = (r, f) in reset_of ? "reset to " reset_of[r, f] "; " : ""
			for (v = 1; v <= nv[r, f]; v++)
				s = s binary_of(vval[r, f, v], msb[r, f] - lsb[r, f] + 1) " " \
				    vname[r, f, v] ", "
			sub(/[,;] $/, "", s)
			row(bits(r, f), fname[r, f] (ftype[r, f] == "View" ? " (view)" : ""),
			    ffeat[r, f], s)
		}
	}
}

function row(a, b, c, d,	s) {
	s = "   * - " a "\n     - " b "\n     - " c "\n     - " d
	gsub(/- \n/, "-\n", s)
	sub(/ $/, "", s)
	print s
}
