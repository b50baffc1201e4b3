#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The model's counters must agree with its log and with each other.
#
#	score.sh LOG
#
# Per CPU: the numbers of logged records and events are those counted. Each sample ended as a record
# that was written, filtered, discarded or dropped, except one that may be in progress. Exit status
# 1, and the differences, if not.
awk '
function key(k) {
	if (!match($0, "\"" k "\":[0-9]+")) { print k " is missing in: " substr($0, 1, 80); bad = 1; return 0 }
	return substr($0, RSTART + length(k) + 3, RLENGTH - length(k) - 3) + 0
}
function equal(what, a, b) {
	if (a != b) { printf "cpu %d: %s: %d and %d\n", cpu, what, a, b; bad = 1 }
}
/"k":"rec"/ { cpu = key("cpu"); recs[cpu]++; bytes[cpu] += key("size") }
/"k":"event"/ { events[key("cpu")]++ }
/"k":"score"/ {
	cpu = key("cpu")
	scores++
	equal("records written, logged", key("written"), recs[cpu] + 0)
	equal("bytes written, logged", key("bytes"), bytes[cpu] + 0)
	equal("management events, logged", key("events"), events[cpu] + 0)
	ended = key("written") + key("filtered") + key("discarded") + key("dropped")
	if (key("samples") < ended || key("samples") > ended + 1)
		equal("samples taken, ended", key("samples"), ended)
	total += key("written")
}
END {
	if (!scores) { print "no score in the log: the platform did not end in order"; bad = 1 }
	if (!total) { print "no record was written"; bad = 1 }
	if (!bad) printf "%d records on %d CPUs, all accounted for\n", total, scores
	exit bad
}' "${1:?usage: score.sh LOG}"
