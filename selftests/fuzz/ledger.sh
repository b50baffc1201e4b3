# SPDX-License-Identifier: GPL-2.0-only
# The ledger of fuzz runs: a file with one line of JSON for each target that ended. Sourced by bash.

# ledger_add FILE DATE COMMIT TARGET SECONDS EXECUTIONS FINDINGS: SECONDS are of the processor.
ledger_add() {
	printf '{"date":"%s","commit":"%s","target":"%s","seconds":%s,"executions":%s,"findings":%s}\n' \
		"$2" "$3" "$4" "$5" "$6" "$7" >>"$1"
}

# ledger_totals FILE: prints a line for each target, in the order of their names, and one for all. Lines
# without each of these numbers, as a full disk can leave them, are not counted.
ledger_totals() {
	awk '
	function value(name,	text) {
		if (!match($0, "\"" name "\":\"?[^,}\"]+"))
			return ""
		text = substr($0, RSTART, RLENGTH)
		sub(/^"[a-z]*":"?/, "", text)
		return text
	}
	function number(name,	text) {
		text = value(name)
		if (text !~ /^[0-9]+(\.[0-9]+)?$/)
			broken = 1
		return text
	}
	function line(name, runs, seconds, executions, findings) {
		return sprintf("fuzz total: %s %.2f processor hours, %.0f executions, %d findings, %d runs",
			       name, seconds / 3600, executions, findings, runs)
	}
	{
		broken = !/^[{][^{}]*[}]$/
		target = value("target")
		s = number("seconds"); e = number("executions"); f = number("findings")
		if (broken || target == "")
			next
		runs[target]++; seconds[target] += s; executions[target] += e; findings[target] += f
		all_runs++; all_s += s; all_e += e; all_f += f
	}
	END {
		for (target in runs)
			print line(target ":", runs[target], seconds[target], executions[target],
				   findings[target]) | "sort"
		close("sort")
		print line("all:", all_runs, all_s, all_e, all_f)
	}' "$1"
}

# Seconds of the processor that ended children of this shell used. No subshell: it would have none.
children_seconds() {	# FILE: gets the number
	local LC_ALL=C
	times >"$1.times"
	awk -F '[ms ]+' 'NR == 2 { printf "%.2f\n", $1 * 60 + $2 + $3 * 60 + $4 }' "$1.times" >"$1"
	rm "$1.times"
}

# ledger_begin DIR ... ledger_end FILE COMMIT TARGET DIR EXECUTIONS FINDINGS: the line has the seconds of
# the processor between the two.
ledger_begin() {
	children_seconds "$1/before"
}

ledger_end() {
	local seconds
	children_seconds "$4/after"
	seconds=$(cat "$4/before" "$4/after" | awk 'NR == 1 { b = $1 } END { printf "%.2f", $1 - b }')
	ledger_add "$1" "$(date -u +%FT%TZ)" "$2" "$3" "$seconds" "$5" "$6"
	rm "$4/before" "$4/after"
}

# ledger_run FILE COMMIT TARGET DIR COMMAND...: runs libFuzzer, which writes its findings to DIR and its
# output to DIR/log, and adds the line. After SIGINT, SIGTERM or SIGHUP it ends the fuzzer, adds the line and sets
# $stopped to the exit status for the script: 128 and the number of the signal. Returns the status of COMMAND.
stopped=
ledger_run() {
	local file=$1 commit=$2 target=$3 dir=$4 fuzzer rc=0 runs found
	shift 4
	ledger_begin "$dir"
	# In the background, as a trap runs only after a command in the foreground has ended
	"$@" >"$dir/log" 2>&1 &
	fuzzer=$!
	trap 'stopped=130; kill -TERM $fuzzer 2>/dev/null || :' INT
	trap 'stopped=143; kill -TERM $fuzzer 2>/dev/null || :' TERM
	trap 'stopped=129; kill -TERM $fuzzer 2>/dev/null || :' HUP
	wait $fuzzer || rc=$?
	while [ -n "$stopped" ] && kill -0 $fuzzer 2>/dev/null; do
		rc=0
		wait $fuzzer || rc=$?
	done
	trap - INT TERM HUP
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/log")
	found=$(find "$dir" -maxdepth 1 -newer "$dir/before" \( -name 'crash-*' -o -name 'timeout-*' \
		-o -name 'oom-*' -o -name 'leak-*' \) | wc -l)
	ledger_end "$file" "$commit" "$target" "$dir" "${runs:-0}" "$found"
	return $rc
}
