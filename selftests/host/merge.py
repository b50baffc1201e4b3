# SPDX-License-Identifier: GPL-2.0-only
"""merge.py SHARD.json CAPTURE.json...: the functions and losses of a shard, as v9trace report prints
them, have the numbers of the captures. Exits with 1 and a message if not."""
import collections
import json
import sys


def load(path):
    with open(path, errors="replace") as f:
        return json.load(f)


def table(doc, name):
    """The rows of a table of records and traces, with or without the prefix of the kind."""
    return [row for k in (name, "spe_" + name, "ete_" + name) for row in doc.get(k, [])]


shard, captures = load(sys.argv[1]), [load(p) for p in sys.argv[2:]]
samples, executed, want_samples, want_executed = (collections.Counter() for _ in range(4))
for row in shard.get("functions", []):
    samples[row["dso"], row["symbol"]] += row["samples"]
for row in shard.get("executed", []):
    if row["kind"] == "ete" and row["instructions"]:
        executed[row["dso"], row["symbol"]] += row["instructions"]
lost, want_lost = collections.Counter(), collections.Counter()
for row in shard["lost"]:
    lost[row["kind"]] += row["count"]
for doc in captures:
    for row in table(doc, "functions"):
        if "samples" in row:
            want_samples[row["dso"], row["symbol"]] += row["samples"]
        elif row.get("instructions"):
            want_executed[row["dso"], row["symbol"]] += row["instructions"]
    for row in table(doc, "lost"):
        want_lost[row["kind"]] += row["count"]
lost, want_lost = +lost, +want_lost
# What a shard says beyond the tables "lost" of its captures
for kind in list(lost):
    if kind in ("no_code", "unfollowed_branches", "targetless", "empty_stacks", "half_branches", "holes",
                "wrong_path", "call_stacks", "incomplete_captures", "full_sums"):
        del lost[kind]
for name, got, want in (("samples", samples, want_samples), ("instructions", executed, want_executed),
                        ("lost", lost, want_lost)):
    if got != want:
        sys.exit(f"{name}: {dict(got - want)} too many, {dict(want - got)} too few")
if not samples and not executed:
    sys.exit("nothing to compare")
