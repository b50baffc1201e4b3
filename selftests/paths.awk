# SPDX-License-Identifier: GPL-2.0-only
# Prints what can be executed from some functions on, from disassembled modules with relocations
# (objdump -dr).
#
#	awk -v from="FUNCTION..." -f paths.awk DISASSEMBLY...
#
# One line each: "calls FUNCTION BY" for a function outside of these modules, "jumps HOW BY" for an
# indirect call, "reads REGISTER BY" for a system register. Jumps within a function (switch) are not
# printed: compilers use other registers than x16 and x17 for them. Code that the compiler separates
# as unlikely (__cold) is not followed.

/^Disassembly of section/ { section = $4; next }
/^[0-9a-f]+ <.*>:$/ {
	fn = $2
	gsub(/[<>:]/, "", fn)
	sub(/-0x.*/, "", fn)
	if (section !~ /unlikely/)
		ours[fn]
	else
		cold[fn]
	next
}

# A call out of the section: the line before has the target without the relocation.
/R_AARCH64_(CALL26|JUMP26)/ {
	sub(/\+0x.*/, "", $3)
	calls[fn, n[fn]] = $3
	next
}
$2 == "bl" || $2 ~ /^(b|b\..*|cbn?z|tbn?z)$/ {
	to = $NF == "none" || $NF == "any" ? $(NF - 2) : $NF
	if (to !~ /^<.*>$/)
		next
	gsub(/[<>]/, "", to)
	sub(/[+-]0x.*/, "", to)
	if ($2 == "bl" || to != fn)
		calls[fn, ++n[fn]] = to
	next
}
$2 ~ /^blr/ || $2 ~ /^bra/ || ($2 == "br" && $3 ~ /^x1[67]$/) {
	jumps[fn] = jumps[fn] " " $2
	next
}
$2 == "mrs" { reads[fn] = reads[fn] " " $4 }

function of_each(what, list, by,  part, k, i) {
	k = split(list, part, " ")
	for (i = 1; i <= k; i++)
		print what, part[i], by
}

END {
	last = split(from, queue, " ")
	for (i = 1; i <= last; i++)
		met[queue[i]]
	for (i = 1; i <= last; i++) {
		fn = queue[i]
		if (!(fn in ours)) {
			print "calls", fn, "-"	# one of those to begin with
			continue
		}
		of_each("jumps", jumps[fn], fn)
		of_each("reads", reads[fn], fn)
		for (k = 1; k <= n[fn]; k++) {
			to = calls[fn, k]
			if (to in cold || to ~ /^\.text\.unlikely/)
				continue
			if (!(to in ours))
				print "calls", to, fn
			else if (!(to in met)) {
				met[to]
				queue[++last] = to
			}
		}
	}
}
