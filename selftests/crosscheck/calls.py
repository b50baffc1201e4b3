#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Is the call tree of "v9trace report --calls --limit 0 --json" what the program wrote down?

calls.py NM LOG REPORT: output of nm, the log of calls.cc, the report; or, if its name ends in .lines,
"v9trace script --calls-timeline --json", whose begins make the same paths. Functions that the program
does not log are taken out of the tree: what they call counts for their callers. Prints each path
whose number of calls differs, and a line "N calls, N paths, N differ"; status 1 if any does, or if
there are few.
"""
import collections
import json
import re
import sys

# A clone, or what the linker or a demangler makes of it, has the name of its function.
CLONE = re.compile(r"(\.(constprop|isra|part|cold)(\.\d+)?)+$")


def plain(name):
    return CLONE.sub("", name)


def logged(nm, log):
    names = {}
    for line in open(nm):
        addr, kind, name = line.split()[:3]
        if kind in "tTwW":
            names.setdefault(int(addr, 16), plain(name))
    paths = collections.Counter()
    for line in open(log):
        paths[tuple(names[int(a, 16)] for a in line.split())] += 1
    return paths


def traced(report, known):
    paths = collections.Counter()
    stack = []          # a path of logged functions for each depth
    for row in json.load(open(report))["calls"]:
        name = plain(row["symbol"] or "")
        del stack[row["depth"]:]
        path = stack[-1] if stack else ()
        if name in known:
            path += (name,)
            paths[path] += row["calls"]
        stack.append(path)
    return paths


def timeline(lines, known):
    paths = collections.Counter()
    stacks = collections.defaultdict(list)
    for line in open(lines):
        row = json.loads(line)
        if not row["type"].startswith("call_"):
            continue
        stack = stacks[row.get("tid")]
        if len(stack) < row["depth"] + (row["type"] == "call_end"):
            return collections.Counter({("an end without a begin",): 1})
        del stack[row["depth"]:]
        if row["type"] == "call_end":
            continue
        name = plain(row["symbol"])
        path = stack[-1] if stack else ()
        if name in known:
            path += (name,)
            paths[path] += row["how"] in ("call", "tail call", "handler", "exception")
        stack.append(path)
    return paths


def main():
    want = logged(sys.argv[1], sys.argv[2])
    read = timeline if sys.argv[3].endswith(".lines") else traced
    have = read(sys.argv[3], {path[-1] for path in want})
    differ = 0
    for path in sorted(want.keys() | have.keys()):
        if want[path] != have[path]:
            differ += 1
            print(" ".join(path), "logged", want[path], "traced", have[path])
    calls = sum(want.values())
    print(f"{calls} calls, {len(want)} paths, {differ} differ")
    return differ > 0 or calls < 500 or len(want) < 50


sys.exit(main())
