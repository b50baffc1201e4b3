#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Joins the table of the architecture's rules with the results of the last run.
#   rules.sh            per unit: how many rules tests that passed show for each who honours them
#                       (D driver, M model, X decoder, C collector); then each that is not, and why
#   rules.sh --find ID  the rows of one rule of the manual (R_HLXGD), one row of ours (SPE-PB3) or
#                       one section (D17.7.4), with the state of each test
#   rules.sh --strict   exit status 1 if a named test failed or does not exist, if a row names a
#                       letter with neither a test of that kind nor a reason, or if a "shows:"
#                       remark in selftests/ names no rule
#   rules.sh --json     the same as one JSON array
#   rules.sh --claims   "shows:" remarks whose suite the table does not name for that rule
#   --rules FILE, --kinds FILE, --results DIR, --tests DIR   instead of the usual places
# Exit status 2: the table is invalid.

set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
table=$top/include/v9trace/tables/rules
kinds=$top/include/v9trace/tables/kinds
results=$top/build/results
tests=$top/selftests
mode=text
find=
strict=0
while [ $# -gt 0 ]; do
	case $1 in
	--strict) strict=1 ;;
	--json) mode=json ;;
	--claims) mode=claims ;;
	--find | --rules | --kinds | --results | --tests)
		[ $# -ge 2 ] || { echo "rules.sh: $1 wants a name" >&2; exit 2; }
		case $1 in
		--find) mode=find find=$2 ;;
		--rules) table=$2 ;;
		--kinds) kinds=$2 ;;
		--results) results=$2 ;;
		--tests) tests=$2 ;;
		esac
		shift
		;;
	*) echo "usage: rules.sh [--strict] [--json] [--claims] [--find ID]" >&2; exit 2 ;;
	esac
	shift
done
for file in "$table" "$kinds"; do
	[ -r "$file" ] || { echo "rules.sh: cannot read $file" >&2; exit 2; }
done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# SUITE STATUS NAME WHY: one line per result; a suite that runs on several kernels has several.
# Status "plan": the suite has printed its number of results, so a result that is missing does not
# exist.
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

# Prints RULE FILE-WITHOUT-EXTENSION for each "shows: A B" remark.
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

# Suites that exist as source, whether they have run or not; a script may write several.
(cd "$tests" && find . \( -name '*.c' -o -name '*.sh' \) | sed 's|^\./||; s|\.[a-z]*$||') >"$tmp/sources"
grep -rhoE '[a-z0-9_]+\.tap' "$tests" --include='*.sh' 2>/dev/null | sort -u >>"$tmp/sources"
# A program may be booted in several guests: the names of its suites end in the name of the boot.
grep -rhoE '\bboot _[a-z0-9_]+' "$tests" --include='*.sh' 2>/dev/null | sed 's/^boot //' |
	sort -u >>"$tmp/sources"

# Without comments: PATTERN LETTERS [made]
LC_ALL=C awk -v kinds="$kinds" '
	/^[ \t]*(#|$)/ { next }
	NF < 2 || NF > 3 || $1 !~ /^[a-z0-9_\/]+[*]?(:[a-z0-9_]+[*]?)?$/ || $2 !~ /^(-|[DMXC]+)$/ ||
	(NF == 3 && $3 != "made") {
		print kinds ":" FNR ": suite[:test], letters and perhaps \"made\", please" > "/dev/stderr"
		exit 2
	}
	{ print $1 "\t" $2 "\t" $3 }' "$kinds" >"$tmp/kinds" || exit 2

LC_ALL=C awk -F'\t' -v mode=$mode -v find="$find" -v strict=$strict -v table="$table" '
function bad(msg) {
	print table ":" FNR ": " msg > "/dev/stderr"
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

# "suite:name*" is every result that begins so; the worst of them counts.
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

# The numbers of the rows that an id stands for
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

# Returns the letters that a test is about: those of the last matching line. Sets made if the test
# injects the event.
function kind_of(t,	i, p, s, of_what, kind) {
	s = t
	sub(/:.*/, "", s)
	kind = ""
	made = 0
	for (i = 1; i <= nkinds; i++) {
		p = pattern[i]
		of_what = index(p, ":") ? t : s
		if (p ~ /[*]$/ ? index(of_what, substr(p, 1, length(p) - 1)) == 1 : p == of_what) {
			kind = letters[i]
			made = made_up[i]
		}
	}
	return kind
}

# Returns the state of a test: shown, skipped, not run, failed, unknown.
function outcome(t,	s) {
	s = t
	sub(/:.*/, "", s)
	look_up(t)
	if (t in state)
		return state[t] == "passed" ? "shown" : state[t]
	return (s in suite) || !known(s) ? "unknown" : "not run"
}

function worse(a, b) {
	return rank[a] > rank[b] ? a : b
}

# sections of a row, without the ids
function sections(s,	part, m, i, w, all) {
	m = split(s, part, /; */)
	all = ""
	for (i = 1; i <= m; i++) {
		w = part[i]
		gsub(/ [RISDX]_[A-Z0-9]+/, "", w)
		all = all (all == "" ? "" : ", ") w
	}
	return all
}

FILENAME ~ /\/kinds$/ { pattern[++nkinds] = $1; letters[nkinds] = $2; made_up[nkinds] = $3 == "made"; next }

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

# ids of the manual that need no row
/^# no row: / {
	m = split($0, word, /[ ;]+/)
	for (i = 4; i <= m; i++)
		explains[word[i]] = word[4]
	next
}

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
	wording[n] = col[5]
	unit[n] = col[1]
	sub(/-.*/, "", unit[n])
	# A section of the manual or of an older document, then rules; a test may refer to any of
	# these.
	m = split(col[2], part, /; */)
	for (i = 1; i <= m; i++) {
		if (part[i] !~ /^([A-K][0-9]+(\.[0-9]+)+|00[1-4]|linux|derived)( |$)/)
			bad(col[1] ": not a section: " part[i])
		k = split(part[i], word, / +/)
		for (j = 1; j <= k; j++)
			if (word[j] ~ /^[A-Z]_[A-Z0-9]+$/ && !index(also[unit[n] "-" word[j]] " ", " " n " "))
				also[unit[n] "-" word[j]] = also[unit[n] "-" word[j]] " " n
	}
	if (col[4] ~ /^-:/ || col[4] == "-") {
		if (col[4] !~ /^-: ./)
			bad(col[1] ": \"-\" wants \": reason\"")
		reason[n] = substr(col[4], 4)
		next
	}
	# "; -M: why" at the end: no test of this kind
	while (match(col[4], /(^|; *)-[^;:]*:[^;]*$/)) {
		part[1] = substr(col[4], RSTART)
		col[4] = trim(substr(col[4], 1, RSTART - 1))
		sub(/^; */, "", part[1])
		letter = substr(part[1], 2, 1)
		if (part[1] !~ /^-[DMXC]: ./)
			bad(col[1] ": not \"-LETTER: reason\": " part[1])
		else if (!index(who[n], letter))
			bad(col[1] ": a reason for " letter ", who is not there")
		else if ((n, letter) in excuse)
			bad(col[1] ": two reasons for " letter)
		excuse[n, letter] = substr(part[1], 5)
	}
	tests[n] = col[4]
	if (col[4] == "") {
		m = split(col[3], word, " ")
		for (i = 1; i <= m; i++)
			if (!((n, word[i]) in excuse))
				bad(col[1] " has neither tests nor \"-: reason\"")
		next
	}
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
	rank["shown"] = 0
	rank["skipped"] = 1
	rank["not run"] = 2
	rank["no test"] = 3
	rank["unknown"] = 4
	rank["failed"] = 5
	for (i = 1; i <= n; i++) {
		if (!(unit[i] in total))
			units[++nunits] = unit[i]
		total[unit[i]]++
		state_of[i] = "shown"
		honest[i] = 0			# shown by a test of something that came about by itself
		nwho = split(who[i], part, " ")
		if (tests[i] == "") {
			state_of[i] = "no test"
			for (j = 1; j <= nwho; j++) {
				of[i, part[j]] = "no test"
				lacks[unit[i], part[j]]++
				if ((i, part[j]) in excuse)
					reason[i] = reason[i] (reason[i] == "" ? "" : "; ") part[j] ": " \
						    excuse[i, part[j]]
			}
			debt[unit[i]]++
			continue
		}
		m = split(tests[i], test, / +/)
		others = 0
		for (j = 1; j <= m; j++) {
			t = test[j]
			kind = kind_of(t)
			text = outcome(t)
			what[i, t] = text
			if (kind == "")
				broken[t " has no kind, wanted by " rule[i]] = 1
			if (kind ~ /[DM]/)
				others++
			for (k = 1; k <= nwho; k++)
				if (index(kind, part[k])) {
					of[i, part[k]] = (i, part[k]) in of ? worse(of[i, part[k]], text) : text
					if (!made)
						natural[i, part[k]] = 1
				}
			if (text == "shown")
				continue
			if (text == "failed" || text == "unknown")
				broken[t " is " text ", wanted by " rule[i]] = 1
			reason[i] = reason[i] (reason[i] == "" ? "" : "; ") t \
				    (m > 1 ? " " text : "") (why[t] != "" ? " (" why[t] ")" : "")
			state_of[i] = worse(state_of[i], text)
		}
		for (j = 1; j <= nwho; j++) {
			if ((i, part[j]) in excuse)
				text = excuse[i, part[j]]
			else if ((i, part[j]) in of)
				text = ""
			else {
				text = "no test of this kind"
				broken[rule[i] " names no test of kind " part[j] ", and no reason"] = 1
			}
			if (text != "") {
				of[i, part[j]] = "no test"
				reason[i] = reason[i] (reason[i] == "" ? "" : "; ") part[j] ": " text
			}
			if (of[i, part[j]] != "shown")
				lacks[unit[i], part[j]]++
			state_of[i] = worse(state_of[i], of[i, part[j]])
		}
		if (state_of[i] == "shown")
			shown[unit[i]]++
		if (!others && who[i] ~ /[DM]/) {
			decoder[i] = 1
			ndecoder[unit[i]]++
		}
		if (of[i, "M"] == "shown" && !((i, "M") in natural)) {
			injected[i] = 1
			ninjected[unit[i]]++
		}
	}

	if (mode == "json") {
		print "["
		for (i = 1; i <= n; i++) {
			printf "{\"id\":%s,\"source\":%s,\"who\":%s,\"state\":%s,\"letters\":{", json(rule[i]),
			       json(from[i]), json(who[i]), json(state_of[i])
			m = split(who[i], part, " ")
			for (j = 1; j <= m; j++)
				printf "%s%s:%s", (j > 1 ? "," : ""), json(part[j]), json(of[i, part[j]])
			printf "},\"tests\":["
			m = tests[i] == "" ? 0 : split(tests[i], test, / +/)
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
	} else if (mode == "find") {
		for (i = 1; i <= n; i++) {
			m = split(from[i], word, /[ ;]+/)
			hit = rule[i] == find
			for (j = 1; j <= m; j++)
				if (word[j] == find || unit[i] "-" word[j] == find ||
				    (find ~ /^[A-K][0-9]/ && index(word[j], find ".") == 1))
					hit = 1
			if (!hit)
				continue
			found = 1
			printf "%s (%s): %s\n", rule[i], from[i], wording[i]
			m = split(who[i], part, " ")
			for (j = 1; j <= m; j++)
				printf "  %s %s\n", part[j], of[i, part[j]] \
				       ((i, part[j]) in excuse ? ": " excuse[i, part[j]] : "")
			m = tests[i] == "" ? 0 : split(tests[i], test, / +/)
			for (j = 1; j <= m; j++)
				printf "  %-4s %-8s %s\n", kind_of(test[j]), what[i, test[j]], test[j]
			if (!m && reason[i] != "")
				printf "  no test: %s\n", reason[i]
		}
		if (!found && find in explains)
			print find " explains or illustrates, and needs no row"
		else if (!found) {
			print "rules.sh: no row for " find > "/dev/stderr"
			exit 1
		}
	} else {
		for (i = 1; i <= nunits; i++) {
			u = units[i]
			printf "%-5s %d rules: %d shown for all whom they concern, %d not", u, total[u],
			       shown[u], total[u] - shown[u]
			m = split("D M X C", part, " ")
			text = ""
			for (j = 1; j <= m; j++)
				if (lacks[u, part[j]])
					text = text (text == "" ? "" : ", ") part[j] " " lacks[u, part[j]]
			printf "%s\n      %d without a test, %d by decoders only, %d by events that were injected\n",
			       text == "" ? "" : " (" text ")", debt[u], ndecoder[u], ninjected[u]
		}
		for (i = 1; i <= n; i++)
			if (state_of[i] != "shown") {
				if (!headed++)
					print "\nNot shown:"
				text = ""
				m = split(who[i], part, " ")
				for (j = 1; j <= m; j++)
					if (of[i, part[j]] != "shown")
						text = text part[j]
				printf "  %-9s %-8s %-4s %s: %s\n  %19s%s\n", rule[i], state_of[i], text,
				       sections(from[i]), wording[i], "", reason[i]
			}
		headed = 0
		for (i = 1; i <= n; i++)
			if (i in decoder) {
				if (!headed++)
					print "\nBy decoders only:"
				printf "  %-9s %s: %s\n", rule[i], sections(from[i]), wording[i]
			}
		headed = 0
		for (i = 1; i <= n; i++)
			if (i in injected) {
				if (!headed++)
					print "\nOf the model by events that were injected:"
				printf "  %-9s %s: %s\n", rule[i], sections(from[i]), wording[i]
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
}' "$tmp/kinds" "$tmp/results" "$tmp/claims" "$tmp/sources" "$table" || {
	status=$?
	# 141: the reader has closed the pipe (head, a pager).
	[ $status -ne 141 ] || status=0
	exit $status
}
