# SPDX-License-Identifier: GPL-2.0-only
# Prints the address of each instruction in the output of "v9trace script --insn": the field after
# the Exception level (of "el", if that is given) and the flags. A regular expression for the whole
# line would take thirty times as long. With -v gaps=1 lines about gaps are printed, too.
gaps && / gap: / { print; next }
{
	for (i = 3; i < NF - 1; i++)
		if ((el ? $i == el : $i ~ /^el[0-3]$/) && (length($(i + 1)) == 8 || length($(i + 1)) == 4) &&
		    $(i + 1) ~ /^[0-9a-f-]+$/) {
			print $(i + 2)
			break
		}
}
