#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Does a decoder read from captures what the model says it wrote?
#
#	compare.sh v9trace|perf LOG CAPTURE...
#
# LOG is what QEMU wrote for -cpu max,v9-spe=on,v9-log=LOG; the captures, of v9trace or of
# stock perf, are all that were made while it ran, in their order. Per CPU and in order,
# each field of each record is compared: with v9trace script, or with the text of stock
# perf report -D, which shares no line with us. Prints TAP, one result per field; the last
# line sums up. V9TRACE and PERF name other programs than build/tools/host/v9trace and the
# build root's perf (older ones than 6.12 do not know metadata of version 2). A perf refuses
# captures of a much newer one: if CAPTURE.dump exists, it is the text of perf report -D, made
# where the capture was made.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
case ${1:-} in
v9trace|perf) ;;
*) set -- ;;
esac
[ $# -ge 3 ] || { echo "usage: $0 v9trace|perf LOG CAPTURE..." >&2; exit 2; }
who=$1
log=$2
shift 2
V9TRACE=${V9TRACE:-$top/build/tools/host/v9trace}
if [ -z "${PERF:-}" ]; then
	if [ -e /.v9trace-root ]; then PERF=perf; else PERF="$top/selftests/lab/root.sh run -- perf"; fi
fi

dir=$(mktemp -d "$top/build/compare.XXXXXX") || exit 2
trap 'rm -rf "$dir"' EXIT

# Both are converted to lines of the same columns, "-" where a record does not have the field.
columns="cpu pc el op events target target_el va tag pa total issue translation context_el1 context_el2 source timestamp"

common='
# Splits a hexadecimal number into the low 56 bits and the byte above, without leading zeros.
function low(s)  { sub(/^0x/, "", s); if (length(s) > 14) s = substr(s, length(s) - 13); return trim(s) }
function top(s)  { sub(/^0x/, "", s); return trim(length(s) > 14 ? substr(s, 1, length(s) - 14) : "0") }
function trim(s) { sub(/^0+/, "", s); return s == "" ? "0" : tolower(s) }
function clear(  i) { for (i = 0; i < 17; i++) v[i] = "-" }
function put(  i, s) { s = v[0]; for (i = 1; i < 17; i++) s = s " " v[i]; print s; clear() }
# Returns the value of a key of flat JSON, "" if there is none.
function key(k,  s) {
	if (!match($0, "\"" k "\":(\"[^\"]*\"|[0-9]+)")) return ""
	s = substr($0, RSTART + length(k) + 3, RLENGTH - length(k) - 3)
	gsub(/"/, "", s)
	return s
}
function set(i, s) { if (s != "") v[i] = s }
function hex(i, s) { if (s != "") v[i] = trim(substr(s, 3)) }
function dec(s) { return sprintf("%x", s) }
BEGIN { clear() }
'

awk "$common"'
/"k":"rec"/ {
	v[0] = key("cpu")
	s = key("pc"); if (s != "") { v[1] = low(s); v[2] = key("el") }
	s = key("op"); if (s != "") v[3] = index("89a", substr(s, length(s))) - 1 "/" trim(substr(key("opc"), 3))
	hex(4, key("ev"))
	s = key("tgt"); if (s != "") v[5] = low(s)
	s = key("tel"); if (s != "") v[6] = s
	s = key("va"); if (s != "") { v[7] = low(s); v[8] = top(s) }
	s = key("pa"); if (s != "") v[9] = low(s)
	if (match($0, /"lat":\[[0-9,nul]*/)) {
		n = split(substr($0, RSTART + 7, RLENGTH - 7), lat, ",")
		for (i = 1; i <= n; i++) if (lat[i] != "null") v[9 + i] = lat[i]
	}
	hex(13, key("ctx1")); hex(14, key("ctx2")); hex(15, key("ds")); hex(16, key("ts"))
	put()
}' "$log" >"$dir/model"

by_v9trace() {
	for capture; do
		"$V9TRACE" script --json "$capture" || echo "cannot read $capture" >&2
	done | awk "$common"'
/"type":"spe"/ {
	v[0] = key("cpu")
	s = key("pc"); if (s != "") { v[1] = low(s); v[2] = key("el") }
	s = key("op_class"); if (s != "") v[3] = s "/" trim(substr(key("op_value"), 3))
	hex(4, key("events_value"))
	s = key("target"); if (s != "") { v[5] = low(s); v[6] = key("target_el") }
	s = key("va"); if (s != "") { v[7] = low(s); v[8] = trim(substr(key("va_top"), 3)) }
	s = key("pa"); if (s != "") v[9] = low(s)
	set(10, key("lat_total")); set(11, key("lat_issue")); set(12, key("lat_translation"))
	hex(13, key("ctx_el1")); hex(14, key("ctx_el2")); hex(15, key("source_value"))
	hex(16, key("ts"))
	put()
}'
}

# Converts perf's words to bits.
by_perf() {
	for capture; do
		if [ -e "$capture.dump" ]; then
			cat "$capture.dump"
			continue
		fi
		$PERF report -D -i "$capture" 2>/dev/null || echo "perf cannot read $capture" >&2
	done | awk "$common"'
BEGIN {
	n = split("EXCEPTION-GEN RETIRED L1D-ACCESS L1D-REFILL TLB-ACCESS TLB-REFILL NOT-TAKEN " \
		  "MISPRED LLC-ACCESS LLC-REFILL REMOTE-ACCESS ALIGNMENT", w, " ")
	for (i = 1; i <= n; i++) bit[w[i]] = 2 ^ (i - 1)
	bit["SVE-PARTIAL-PRED"] = 2 ^ 17; bit["SVE-EMPTY-PRED"] = 2 ^ 18
	split("GP-REG 0 SIMD-FP 4 UNSPEC-REG 16 MTE-TAG 20 NV-SYSREG 48 MEMCPY 32 MEMSET 36 " \
	      "AT 6 EXCL 10 AR 18 COND 1 IND 2 COND-SELECT 1 INSN-OTHER 0 PRED 4 FP 2 SG 128", w, " ")
	for (i = 1; i in w; i += 2) op[w[i]] = w[i + 1]
}
# Bitwise or of numbers below 256, which awk does not have
function or8(a, b,  r, i) {
	for (i = 1; i < 256; i *= 2) if (int(a / i) % 2 || int(b / i) % 2) r += i
	return r + 0
}
# Payload bits of an SVE vector length
function evl(bits,  n) {
	for (n = 0; bits > 32; bits /= 2) n++
	return 8 + 16 * n
}
function ops(class, store,  i, r) {
	r = store
	for (i = f + 1; i <= NF; i++) {
		if ($i == "EVLEN") { r = or8(r, evl($(++i))); continue }
		if (!($i in op)) { r = "?" $i; break }
		r = or8(r, op[$i])
	}
	v[3] = class "/" (r ~ /^\?/ ? r : dec(r))
}
/PERF_RECORD_AUXTRACE size/ { cpu = $NF }
/ARM SPE data/ { spe = 1; next }
!/^\. / { spe = 0 }
!spe { next }
{
	# offset and bytes, then words
	for (f = 3; f <= NF && $f ~ /^[0-9a-f][0-9a-f]$/; f++) ;
	if ($f == "PC") { v[1] = low($(f + 1)); v[2] = substr($(f + 2), 3) }
	else if ($f == "TGT") { v[5] = low($(f + 1)); v[6] = substr($(f + 2), 3) }
	else if ($f == "VA") { v[7] = low($(f + 1)); v[8] = top($(f + 1)) }
	else if ($f == "PA") v[9] = low($(f + 1))
	else if ($f == "LAT") v[$(f + 2) == "TOT" ? 10 : $(f + 2) == "ISSUE" ? 11 : 12] = $(f + 1)
	else if ($f == "CONTEXT") v[$(f + 2) == "el1" ? 13 : 14] = trim(substr($(f + 1), 3))
	else if ($f == "DATA-SOURCE") v[15] = dec($(f + 1))
	else if ($f == "EV") {
		e = 0
		for (i = f + 1; i <= NF; i++) e += bit[$i]
		v[4] = dec(e)
	}
	else if ($f == "OTHER" || $f == "SVE-OTHER") ops(0, 0)
	else if ($f == "LD") ops(1, 0)
	else if ($f == "ST") ops(1, 1)
	else if ($f == "B") ops(2, 0)
	else if ($f == "TS") { v[0] = cpu; ts = $(f + 1); v[16] = bighex(ts); put() }
	else if ($f == "END") { v[0] = cpu; put() }
}
# Converts a decimal number of 64 bits to hexadecimal; numbers of awk are exact up to 2^53 only.
function bighex(s,  out, r, i, q, d) {
	while (s != "" && s != "0") {
		r = 0; q = ""
		for (i = 1; i <= length(s); i++) {
			d = r * 10 + substr(s, i, 1)
			if (q != "" || d >= 16) q = q int(d / 16)
			r = d % 16
		}
		out = substr("0123456789abcdef", r + 1, 1) out
		s = q
	}
	return out == "" ? "0" : out
}'
}

"by_$who" "$@" >"$dir/decoded" 2>"$dir/err"
sed 's/^/# /' "$dir/err"

awk -v columns="$columns" -v who="$who" '
# perf has no words for events 12 to 15, and 24 and above. Returns what it can show of a hexadecimal number.
function named(s) {
	s = "000000" s
	s = substr(s, length(s) - 5, 2) "0" substr(s, length(s) - 2)
	sub(/^0+/, "", s)
	return s == "" ? "0" : s
}
BEGIN { cols = split(columns, name, " ") }
NR == FNR { want[$1, ++wants[$1]] = $0; total++; next }
{
	got++
	if (!(($1, ++gots[$1]) in want)) next
	split(want[$1, gots[$1]], w, " ")
	split($0, g, " ")
	for (i = 2; i <= cols; i++) {
		if (who == "perf" && name[i] == "events" && w[i] != "-") w[i] = named(w[i])
		# The log does not have the EL of the target.
		if (w[i] != g[i] && !(name[i] == "target_el" && w[i] == "-") && !bad[i]++)
			first[i] = "cpu " $1 " record " gots[$1] ": " g[i] ", model wrote " w[i]
	}
}
function result(ok, what, why) {
	printf "%sok %d - %s%s\n", ok ? "" : "not ", ++n, what, ok ? "" : " # " why
	if (!ok && !failed) sum = what ": " why
	failed += !ok
}
END {
	result(total > 0, "model_wrote_records", "the log has none")
	result(got == total, "records", got + 0 " decoded, " total + 0 " written")
	for (i = 2; i <= cols; i++)
		result(!bad[i], name[i], bad[i] " differ; " first[i])
	print "1.." n
	print "# " (failed ? sum : total " records, all fields equal")
	exit failed > 0
}' "$dir/model" "$dir/decoded"
