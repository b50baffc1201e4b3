#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares inlined functions and lines in an export of inlined.data or steps.data with those of addr2line -a -i -f.

    lines.py FORMAT EXPORT TABLE RECORDS

TABLE is the output of addr2line. RECORDS has a line for each record, which begins with its address. FORMAT
is folded, pprof, firefox, or top: the output of pprof -top -lines, which has only the innermost function of
each instruction. Exit status 0 if equal; else the first difference is printed.
"""
import collections
import gzip
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import protobuf


def wanted(table, records):
    """Counter of the records' stacks: tuples of (function, FILE:LINE), outermost function first"""
    levels, now = {}, None
    lines = iter(open(table).read().splitlines())
    for line in lines:
        if line.startswith("0x"):
            now = levels.setdefault(int(line, 16), [])
            continue
        place = next(lines).split(" (discriminator")[0]
        path, number = place.rsplit(":", 1)
        if number == "?":  # without debug information: the export has no line
            path, number = "", "0"
        now.insert(0, (line, os.path.basename(path) + ":" + number))
    return collections.Counter(tuple(levels[int(r.split()[0], 16)]) for r in open(records))


def read_folded(path):
    got = collections.Counter()
    for line in open(path):
        if line.startswith("#"):
            continue
        stack, n = line.rsplit(" ", 1)
        got[tuple(stack.split(";")[2:])] += int(n)
    return got


def fields(b):
    """Fields of a protobuf message: number -> list of values, integers or bytes"""
    got = collections.defaultdict(list)
    for number, value in protobuf.fields(b):
        got[number].append(value)
    return got


def one(message, field):
    return message[field][0] if message[field] else 0


def read_pprof(path):
    p = fields(gzip.open(path).read())
    text = [s.decode() for s in p[6]]
    functions = {one(f, 1): f for f in map(fields, p[5])}
    places = {}
    for l in map(fields, p[4]):
        levels = []
        for line in map(fields, l[4]):
            f = functions[one(line, 1)]
            levels.insert(0, (text[one(f, 2)], "%s:%d" % (os.path.basename(text[one(f, 4)]), one(line, 2))))
        places[one(l, 1)] = tuple(levels)
    got = collections.Counter()
    for s in map(fields, p[2]):
        got[places[protobuf.packed(s[1][0])[0]]] += protobuf.packed(s[2][0])[0]
    return got


def read_firefox(path):
    t = json.load(open(path))
    s, stack, frame, func = t["shared"]["stringArray"], *(t["shared"][k] for k in ("stackTable", "frameTable", "funcTable"))
    got = collections.Counter()
    for p in t["threads"]:
        for at, n in zip(p["samples"]["stack"], p["samples"]["weight"]):
            levels = []
            while at is not None:
                f = stack["frame"][at]
                name = s[t["shared"]["sources"]["filename"][func["source"][frame["func"][f]]]]
                levels.insert(0, (s[func["name"][frame["func"][f]]], "%s:%d" % (os.path.basename(name), frame["line"][f])))
                at = stack["prefix"][at]
                if (frame["inlineDepth"][f] == 0) != (at is None):
                    raise ValueError("depth of %s" % levels[0][0])
            got[tuple(levels)] += n
    return got


def read_top(path):
    got, on = collections.Counter(), False
    for line in open(path):
        if on and line.strip():
            flat, *_, name, place = line.replace(" (inline)", "").split()
            if int(flat):
                got[name, os.path.basename(place)] += int(flat)
        on = on or "flat%" in line
    return got


format, export, table, records = sys.argv[1:]
want = wanted(table, records)
if format == "folded":
    text = collections.Counter()
    for levels, n in want.items():
        text[tuple(f for f, _ in levels) + (levels[-1][1],)] += n
    got, want = read_folded(export), text
elif format in ("pprof", "firefox"):
    got = {"pprof": read_pprof, "firefox": read_firefox}[format](export)
else:
    text = collections.Counter()
    for levels, n in want.items():
        text[levels[-1]] += n
    got, want = read_top(export), text
if max(map(len, want)) < 2 or len(want) < 5:
    sys.exit("there is nothing to compare")
for k in sorted(set(got) | set(want)):
    if got[k] != want[k]:
        print("%s: %d, want %d" % (k, got[k], want[k]))
        sys.exit(1)
