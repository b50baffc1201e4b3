# SPDX-License-Identifier: GPL-2.0-only
"""shards.py CAPTURE.shard LIVE.shard: the second, of sums that were made while SPE records were recorded, equals
the first, of their capture, but for what its sums do not have: operations, data sources, branches and their
places, the id of the capture. Prints the number of sums of the second; exits with 1 and a message if not."""
import collections
import sys


def load(path):
    """Rows by word, with what their numbers refer to in place of these."""
    rows = collections.defaultdict(list)
    with open(path) as file:
        for line in file:
            word, *rest = line.split()
            if word in ("segment", "function", "place"):
                rest[0] = tuple(rows["object"][int(rest[0]) - 1])
            elif word == "s":
                rest[0] = tuple(rows["source"][int(rest[0]) - 1])
                rest[1] = tuple(rows["place"][int(rest[1]) - 1])
            rows[word].append(rest)
    return rows


def sums(rows):
    total = collections.Counter()
    for source, place, _, _, *values in rows["s"]:
        for i, value in enumerate(values):
            total[source, place, i] += int(value)
    return total


want, got = load(sys.argv[1]), load(sys.argv[2])
known = {tuple(row[2:4]) for row in got["s"]} - {("-", "-")}
if known:
    sys.exit(f"operations and data sources {known}")
if got["b"] or got["c"] or got["paths"]:
    sys.exit("branches or call paths")
if len(got["capture"]) != 1:
    sys.exit(f"captures {got['capture']}")
for word in ("v9trace-shard", "time", "source", "object", "segment", "lost"):
    if want[word] != got[word]:
        sys.exit(f"{word}: {want[word]} in the capture, {got[word]} live")
if sums(want) != sums(got):
    sys.exit(f"sums: {dict(list((sums(want) - sums(got)).items())[:2])} too few, "
             f"{dict(list((sums(got) - sums(want)).items())[:2])} too many")
# Of branches the capture knows more places and functions.
used = {row[1] for row in got["s"]}
if {tuple(row) for row in got["place"]} != used:
    sys.exit("a place without a sum")
missing = [row for row in got["function"] if row not in want["function"]]
if missing or (not want["b"] and want["function"] != got["function"]):
    sys.exit(f"functions {got['function']} are not those of the capture: {want['function']}")
print(len(got["s"]))
