#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Joins the ledger of the architecture's rules with the results of the last run.
#   rules.sh            per unit: how many rules a passed test shows; then each that is not, and why
#   rules.sh --strict   exit status 1 if a named test failed or does not exist, or a
#                       "shows:" remark in selftests/ names no rule
#   rules.sh --json     the same as one JSON array
#   rules.sh --claims   "shows:" remarks whose suite the ledger does not name for that rule
#   --ledger FILE, --results DIR, --tests DIR   instead of the usual places
# Exit status 2: the ledger itself is wrong.

set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
ledger=$top/include/v9trace/tables/rules
results=$top/build/results
tests=$top/selftests
mode=text
strict=0
while [ $# -gt 0 ]; do
	case $1 in
	--strict) strict=1 ;;
	--json) mode=json ;;
	--claims) mode=claims ;;
	--ledger | --results | --tests)
		[ $# -ge 2 ] || { echo "rules.sh: $1 wants a name" >&2; exit 2; }
		case $1 in
		--ledger) ledger=$2 ;;
		--results) results=$2 ;;
		--tests) tests=$2 ;;
		esac
		shift
		;;
	*) echo "usage: rules.sh [--strict] [--json] [--claims]" >&2; exit 2 ;;
	esac
	shift
done
[ -r "$ledger" ] || { echo "rules.sh: cannot read $ledger" >&2; exit 2; }

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# SUITE STATUS NAME WHY: one line per result; a suite of several kernels has several.
# Status "plan": the suite said how many there are, so what is not there does not exist.
if [ -d "$results" ]; then
	find "$results" -name '*.tap' | sort
fi | while read -r file; do
	suite=${file#"$results"/}
	suite=${suite#kernel-*/}
	LC_ALL=C awk -v suite="${suite%.tap}" '
		/^1\.\.[0-9]/ { print suite "\tplan\t\t" }
		/^(not )?ok [0-9]+ / {
			status = $1 == "not" ? "failed" : "passed"
			sub(/^(not )?ok [0-9]+ (- )?/, "")
			why = ""
			if (match($0, / # /)) {
				why = substr($0, RSTART + 3)
				sub(/^# */, "", why)
				$0 = substr($0, 1, RSTART - 1)
			}
			if (status == "passed" && sub(/^SKIP:? */, "", why))
				status = "skipped"
			name = $1
			sub(/^.*\./, "", name)
			print suite "\t" status "\t" name "\t" why
		}' "$file"
done >"$tmp/results"

# RULE FILE-WITHOUT-EXTENSION, from "shows: A B" remarks
grep -rHo 'shows: *\(SPE\|TRBE\|ETE\|BRBE\)-[A-Z0-9_, -]*' "$tests" 2>/dev/null |
	LC_ALL=C awk -v top="$tests/" '{
		file = $0
		sub(/:.*/, "", file)
		file = substr(file, length(top) + 1)
		sub(/\.[a-z]*$/, "", file)
		sub(/^.*shows: */, "")
		gsub(/,/, " ")
		for (i = 1; i <= NF; i++)
			print $i "\t" file
	}' | sort -u >"$tmp/claims"

# suites that exist as source, run or not; a script may write several
(cd "$tests" && find . \( -name '*.c' -o -name '*.sh' \) | sed 's|^\./||; s|\.[a-z]*$||') >"$tmp/sources"
grep -rhoE '[a-z0-9_]+\.tap' "$tests" --include='*.sh' 2>/dev/null | sort -u >>"$tmp/sources"
# and one program may be booted in several places: its suites end in the name of the boot
grep -rhoE '\bboot _[a-z0-9_]+' "$tests" --include='*.sh' 2>/dev/null | sed 's/^boot //' |
	sort -u >>"$tmp/sources"

LC_ALL=C awk -F'\t' -v mode=$mode -v strict=$strict -v ledger="$ledger" '
function bad(msg) {
	print ledger ":" FNR ": " msg > "/dev/stderr"
	wrong = 1
}

function trim(s) {
	gsub(/^[ \t]+|[ \t]+$/, "", s)
	return s
}

function json(s) {
	gsub(/\\/, "\\\\", s)
	gsub(/"/, "\\\"", s)
	gsub(/\t/, " ", s)
	return "\"" s "\""
}

# "suite:name*" is every result that begins so; the worst of them counts
function look_up(t,	id, worst) {
	if (t !~ /[*]$/)
		return
	sub(/[*]$/, "", t)
	worst = ""
	for (id in state) {
		if (index(id, t) != 1 || id ~ /[*]$/)
			continue
		if (worst == "" || state[id] == "failed" || (worst == "passed" && state[id] == "skipped")) {
			worst = state[id]
			why[t "*"] = why[id]
		}
	}
	if (worst != "")
		state[t "*"] = worst
}

# of a unit that has no rows yet
function foreign(id) {
	sub(/-.*/, "", id)
	return !(id in total)
}

# sections of a row, without the ids
function sections(s,	part, m, i, all) {
	m = split(s, part, /; */)
	all = ""
	for (i = 1; i <= m; i++) {
		gsub(/ [RISDX]_[A-Z0-9]+/, "", part[i])
		all = all (all == "" ? "" : ", ") part[i]
	}
	return all
}

# numbers of the rows that an id stands for
function rows_of(id) {
	return ((id in row) ? row[id] : "") also[id]
}

function known(s,  boot) {
	if (s in source)
		return 1
	for (boot in source)
		if (boot ~ /^_/ && substr(s, length(s) - length(boot) + 1) == boot &&
		    substr(s, 1, length(s) - length(boot)) in source)
			return 1
	sub(/^.*\//, "", s)
	return (s ".tap") in source
}

FILENAME ~ /\/results$/ && $2 == "plan" { suite[$1] = 1; next }

FILENAME ~ /\/results$/ {
	id = $1 ":" $3
	if (!(id in state) || $2 == "failed" || (state[id] == "skipped" && $2 == "passed")) {
		state[id] = $2
		why[id] = $4
	}
	next
}

FILENAME ~ /\/claims$/ { claim[++nclaims] = $1; claimed_by[nclaims] = $2; next }

FILENAME ~ /\/sources$/ { source[$1] = 1; next }

/^[ \t]*(#|$)/ { next }

{
	if (split($0, col, /[ \t]*[|][ \t]*/) != 5) {
		bad("five columns, please")
		next
	}
	for (i = 1; i <= 5; i++)
		col[i] = trim(col[i])
	if (col[1] !~ /^[A-Z][A-Z0-9]*-([A-Z]+[0-9]+|[A-Z]_[A-Z0-9]+)$/)
		bad("not an id: " col[1])
	if (col[1] in row)
		bad(col[1] " given twice")
	if (col[2] == "")
		bad(col[1] " has no source")
	if (col[3] !~ /^[DMXC]( [DMXC])*$/)
		bad(col[1] ": who is " col[3])
	if (col[5] == "")
		bad(col[1] " has no wording")
	n++
	rule[n] = col[1]
	row[col[1]] = n
	from[n] = col[2]
	who[n] = col[3]
	tests[n] = col[4]
	wording[n] = col[5]
	unit[n] = col[1]
	sub(/-.*/, "", unit[n])
	# a section of the manual or an older document, then rules; a test may cite any of these
	m = split(col[2], part, /; */)
	for (i = 1; i <= m; i++) {
		if (part[i] !~ /^([A-K][0-9]+(\.[0-9]+)+|00[1-4]|linux|derived)( |$)/)
			bad(col[1] ": not a section: " part[i])
		k = split(part[i], word, / +/)
		for (j = 1; j <= k; j++)
			if (word[j] ~ /^[A-Z]_[A-Z0-9]+$/ && !index(also[unit[n] "-" word[j]] " ", " " n " "))
				also[unit[n] "-" word[j]] = also[unit[n] "-" word[j]] " " n
	}
	if (col[4] ~ /^-/) {
		if (col[4] !~ /^-: ./)
			bad(col[1] ": \"-\" wants \": reason\"")
		next
	}
	if (col[4] == "")
		bad(col[1] " has neither tests nor \"-: reason\"")
	m = split(col[4], test, / +/)
	for (i = 1; i <= m; i++) {
		if (test[i] !~ /^[a-z0-9_\/]+:[a-z0-9_]+[*]?$/)
			bad(col[1] ": not a test: " test[i])
		if ((n, test[i]) in named)
			bad(col[1] " names " test[i] " twice")
		named[n, test[i]] = 1
	}
}

END {
	if (wrong)
		exit 2
	for (i = 1; i <= n; i++) {
		if (!(unit[i] in total))
			units[++nunits] = unit[i]
		total[unit[i]]++
		if (tests[i] ~ /^-/) {
			state_of[i] = "no test"
			reason[i] = substr(tests[i], 4)
			debt[unit[i]]++
			continue
		}
		state_of[i] = "shown"
		m = split(tests[i], test, / +/)
		for (j = 1; j <= m; j++) {
			t = test[j]
			s = t
			sub(/:.*/, "", s)
			text = ""
			look_up(t)
			if (t in state) {
				if (state[t] != "passed")
					text = state[t]
			} else if ((s in suite) || !known(s)) {
				text = "unknown"
			} else {
				text = "not run"
			}
			if (text == "")
				continue
			if (text == "failed" || text == "unknown")
				broken[t " is " text ", wanted by " rule[i]] = 1
			if (state_of[i] == "shown" || text == "failed" || text == "unknown")
				state_of[i] = text
			reason[i] = reason[i] (reason[i] == "" ? "" : "; ") t \
				    (m > 1 ? " " text : "") (why[t] != "" ? " (" why[t] ")" : "")
		}
		if (state_of[i] == "shown")
			shown[unit[i]]++
	}

	if (mode == "json") {
		print "["
		for (i = 1; i <= n; i++) {
			printf "{\"id\":%s,\"source\":%s,\"who\":%s,\"state\":%s,\"tests\":[", json(rule[i]),
			       json(from[i]), json(who[i]), json(state_of[i])
			m = tests[i] ~ /^-/ ? 0 : split(tests[i], test, / +/)
			for (j = 1; j <= m; j++)
				printf "%s%s", (j > 1 ? "," : ""), json(test[j])
			printf "],\"reason\":%s,\"wording\":%s}%s\n", json(reason[i]), json(wording[i]),
			       (i < n ? "," : "")
		}
		print "]"
	} else if (mode == "claims") {
		for (i = 1; i <= nclaims; i++) {
			if (foreign(claim[i]))
				continue
			m = split(rows_of(claim[i]), at, " ")
			if (!m)
				print claim[i] " is no rule, but " claimed_by[i] " shows it"
			for (j = 1; j <= m; j++)
				if (index(" " tests[at[j]], " " claimed_by[i] ":"))
					break
			if (m && j > m)
				print claim[i] " by " claimed_by[i]
		}
	} else {
		for (i = 1; i <= nunits; i++)
			printf "%-5s %d rules: %d shown by tests that passed, %d not (%d of them without a test)\n",
			       units[i], total[units[i]], shown[units[i]],
			       total[units[i]] - shown[units[i]], debt[units[i]]
		for (i = 1; i <= n; i++)
			if (state_of[i] != "shown") {
				if (!headed++)
					print "\nNot shown:"
				printf "  %-9s %-8s %s: %s\n  %19s%s\n", rule[i], state_of[i],
				       sections(from[i]), wording[i], "", reason[i]
			}
	}
	if (strict) {
		for (i = 1; i <= nclaims; i++)
			if (rows_of(claim[i]) == "" && !foreign(claim[i]))
				broken[claimed_by[i] " shows " claim[i] ", which is no rule"] = 1
		for (b in broken) {
			print "rules.sh: " b > "/dev/stderr"
			wrong = 1
		}
		exit wrong
	}
}' "$tmp/results" "$tmp/claims" "$tmp/sources" "$ledger" || {
	status=$?
	# 141: whoever reads this has seen enough (head, a pager).
	[ $status -ne 141 ] || status=0
	exit $status
}
