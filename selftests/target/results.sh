#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# results.sh DIR LOG...: converts the output of run_kselftest.sh to DIR/PROGRAM.tap, the tests of
# one program each. If the result that the runner printed differs from the results of the tests,
# that is a failure. The last line is "# N passed, N failed, N skipped"; the exit status is 0 if
# none failed.
[ $# -ge 2 ] || { echo "usage: results.sh DIR LOG..." >&2; exit 2; }
dir=$1
shift
mkdir -p "$dir" || exit 2

# "# ok 3 insn_mix.conditions # SKIP why" becomes "ok 3 - conditions # SKIP why". A failure gets its
# first failed expectation as the reason. Comments of the programs are kept.
cat -- "$@" | tr -d '\r' | awk -v dir="$dir" '
function result(bad, name, why) {
	printf "%sok %d - %s%s\n", bad ? "not " : "", ++n, name, why == "" ? "" : " # " why >tap
	fails += bad
}

# The result that the runner printed must agree with the tests of the program.
function finish(outcome, why,    ran) {
	if (tap == "")
		return
	if (plan < n)
		plan = n
	ran = n - skips
	if (n < plan)
		result(1, "complete", why == "" ? "the program broke off" : why)
	else if (outcome == "bad" && !fails)
		result(1, "agrees_with_its_tests", why == "" ? "it failed, and no test did" : why)
	else if (outcome == "ok" && (fails || !ran))
		result(1, "agrees_with_its_tests", "it passed, " (fails ? "and a test failed" : "and no test did"))
	else if (outcome == "skip" && ran)
		result(1, "agrees_with_its_tests", "it was skipped, and a test was not")
	if (outcome == "skip" && !n) {
		result(0, program, "SKIP " (reason == "" ? "no reason" : reason))
		skips++
	}
	print "1.." n >tap
	close(tap)
	passed += n - fails - skips
	failed += fails
	skipped += skips
	tap = ""
}

/^# selftests: v9trace[^ ]*: [^ ]*\.sh$/ {
	finish("", "")
	program = $NF
	sub(/\.sh$/, "", program)
	tap = dir "/" program ".tap"
	n = plan = fails = skips = 0
	why = reason = ""
	next
}
/^(not )?ok [0-9]+ selftests: / {
	match($0, / # .*/)
	rest = RSTART ? substr($0, RSTART + 3) : ""
	count[$1 == "not" ? "fail" : rest ~ /^SKIP/ ? "skip" : "pass"]++
	if (tap == "") {
		print "not ok - " $0 " # without a header"
		failed++
		next
	}
	finish($1 == "not" ? "bad" : rest ~ /^SKIP/ ? "skip" : "ok", rest)
	next
}
/^# Totals: / {
	for (i = 3; i <= NF; i++) {
		split($i, of, ":")
		if (of[1] in count || of[2] + 0)
			if (count[of[1]] + 0 != of[2] + 0) {
				print "not ok - totals # " of[1] " is " count[of[1]] + 0 ", not " of[2]
				failed++
			}
	}
	next
}
tap == "" { next }
{ sub(/^# ?/, "") }
/^1\.\.0 # SKIP / { reason = substr($0, 13); next }
/^1\.\.[0-9]+/ { plan = substr($1, 4) + 0; next }
/^#  *RUN / { why = "" }
/^# [^ ]+:[0-9]+:[^:]*:Expected/ && why == "" { why = substr($0, 3) }
/^# [^ ]+: Test (terminated|ended|exited)/ && why == "" { why = substr($0, 3) }
/^(not )?ok [0-9]+ / {
	bad = $1 == "not"
	name = bad ? $4 : $3
	if (name == "-") name = bad ? $5 : $4
	sub(/^.*\./, "", name)
	skip = index($0, "# SKIP") ? substr($0, index($0, "# SKIP") + 2) : ""
	result(bad, name, bad ? why : skip)
	skips += !bad && skip != ""
	why = ""
	next
}
{ print >tap }
END {
	finish("", "the machine ended early")
	printf "# %d passed, %d failed, %d skipped\n", passed, failed, skipped
	exit failed > 0 || !(passed + skipped)
}'
