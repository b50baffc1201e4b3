# SPDX-License-Identifier: GPL-2.0-only
# Rows of bench-drivers.sh, bench/collect.sh, bench/joint.sh and bench/branches.sh

# Returns the values of all fields with this name, separated by spaces.
function fields(k,  line, s, all) {
	for (line = " " $0; match(line, " " k "=[^ ]*"); line = substr(line, RSTART + RLENGTH)) {
		s = substr(line, RSTART + length(k) + 2, RLENGTH - length(k) - 2)
		all = all " " s
	}
	return all
}
function field(k,  s) {
	if (!match($0, "(^| )" k "=[^ ]*")) return ""
	s = substr($0, RSTART, RLENGTH)
	sub(/^ ?[^=]*=/, "", s)
	return s
}
function per(a, b) { return b ? a / b : 0 }
function row(name, ours, peer, goal) {
	printf "bench %s ours=%.6g peer=%.6g ratio=%s goal=%s\n", name, ours, peer,
	       peer ? sprintf("%.2f", ours / peer) : "-", goal
}
function number(x) { return sprintf(x < 100000 ? "%.6g" : "%d", x) }
# Returns "least,median,most" of the numbers in a text.
function spread(text,  v, n, i, j, t) {
	n = split(text, v, " ")
	for (i = 2; i <= n; i++) {
		t = v[i] + 0
		for (j = i - 1; j > 0 && v[j] + 0 > t; j--)
			v[j + 1] = v[j]
		v[j + 1] = t
	}
	t = n % 2 ? v[(n + 1) / 2] : (v[n / 2] + v[n / 2 + 1]) / 2
	return number(v[1]) "," number(t) "," number(v[n])
}
# A row of two spreads
function row_of(name, ours, peer, goal,  o, p, least, most, ratio, limit, nothing) {
	split(ours, o, ","); split(peer, p, ",")
	limit = goal
	sub(/^[<=]*/, "", limit)
	least = per(o[1], p[3]); most = per(o[3], p[1]); ratio = per(o[2], p[2])
	nothing = most - least > (ratio > limit ? ratio - limit : limit - ratio)
	printf "bench %s ours=%s peer=%s ratio=%.2f goal=%s ours_spread=%s peer_spread=%s range=%.2f..%.2f%s\n",
	       name, o[2], p[2], ratio, goal, ours, peer, least, most,
	       nothing ? " says=nothing" : ""
}
