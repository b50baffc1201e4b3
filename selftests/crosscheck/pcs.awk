# SPDX-License-Identifier: GPL-2.0-only
# The address of each instruction that "v9trace script --insn" prints: behind the Exception level,
# of "el" if that is given, and the flags. A pattern for the whole line takes thirty times as long.
{
	for (i = 3; i < NF - 1; i++)
		if ((el ? $i == el : $i ~ /^el[0-3]$/) && length($(i + 1)) == 8 &&
		    $(i + 1) ~ /^[0-9a-f-]+$/) {
			print $(i + 2)
			break
		}
}
