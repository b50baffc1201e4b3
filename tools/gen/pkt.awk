# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#
# Shared by the generators of packet headers: patterns of eight bits, error messages.

function fail(msg) {
	if (failed)
		exit 1
	print FILENAME ":" FNR ": " msg > "/dev/stderr"
	failed = 1
	exit 1
}

function want(least, most) {
	if (NF < least || NF > most)
		fail($1 " takes " (least - 1) (most > least ? " or more" : "") " words")
}

function name_ok(s) {
	if (s !~ /^[A-Z][A-Z0-9_]*$/)
		fail("not a name: " s)
	return s
}

function once(space, s) {
	if ((space, s) in seen)
		fail(space " " s " given twice")
	seen[space, s] = 1
}

# no ^ in every busybox
function pow2(n,	v) {
	for (v = 1; n > 0; n--)
		v *= 2
	return v
}

# Returns the eight bits of a byte as text, from a cache.
function bits_of(byte,	i, s) {
	if (!(byte in bits_kept)) {
		for (i = 7; i >= 0; i--)
			s = s int(byte / pow2(i)) % 2
		bits_kept[byte] = s
	}
	return bits_kept[byte]
}

# Returns bit i (7..0) of a pattern or of the text of a byte.
function letter(pattern, i) {
	return substr(pattern, 8 - i, 1)
}

function bit(byte, i) {
	return letter(bits_of(byte), i) + 0
}

function matches(pattern, byte,	s) {
	if (!(pattern in shape)) {
		s = pattern
		gsub(/[^01]/, ".", s)
		shape[pattern] = s
	}
	return bits_of(byte) ~ shape[pattern]
}

# Returns the number that is formed by the bits of a byte at the letters c of the pattern.
function collect(pattern, byte, c,	i, v) {
	for (i = 7; i >= 0; i--)
		if (letter(pattern, i) == c)
			v = 2 * v + bit(byte, i)
	return v + 0
}

function count_of(pattern, c) {
	return gsub(c, c, pattern)
}

# Returns a byte with a 1 at each letter of the pattern that is in the set.
function mask_of(pattern, set,	i, v) {
	for (i = 7; i >= 0; i--)
		v = 2 * v + (index(set, letter(pattern, i)) > 0)
	return v
}

function pattern_ok(p, letters) {
	if (length(p) != 8 || p ~ ("[^01" letters "]"))
		fail("not a pattern of eight bits: " p)
}

function hex(v) {
	return sprintf("0x%02x", v)
}

# words of the line from n on
function rest(n,	i, s) {
	for (i = n; i <= NF; i++)
		s = s (i > n ? " " : "") $i
	if (s ~ /["\\]/)
		fail("no quotes, please")
	return s
}
