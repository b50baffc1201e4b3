#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""An export against v9trace report --json of the same capture: the same numbers under the same names.

    compare.py FORMAT EXPORT REPORT [WEIGHT]

REPORT is that of --calls --limit 0. Of SPE each function of each command has its sum; of ETE each path
of the call tree has its own instructions. Losses are named in the export. Exit status 0 if equal; else
the first difference is printed.
"""
import collections
import csv
import json
import os
import sqlite3
import sys
import xml.etree.ElementTree


def clean(name):
    """A name as a folded stack holds it."""
    return "".join(":" if c == ";" else " " if ord(c) < 32 or ord(c) == 127 else c for c in name)


def same(name):
    return name


def read_folded(path):
    """(thread, levels, weight) of each line, and the text that names losses"""
    stacks, notes = [], []
    for line in open(path, encoding="utf-8", errors="replace", newline="\n"):
        line = line.rstrip("\n")
        if line.startswith("# lost: "):
            notes.append(line)
            continue
        levels, n = line.rsplit(" ", 1)
        thread, *levels = levels.split(";")
        stacks.append((thread, levels, int(n)))
    return stacks, "\n".join(notes)


def read_speedscope(path):
    text = json.load(open(path))
    names = [f["name"] for f in text["shared"]["frames"]]
    stacks = []
    for p in text["profiles"]:
        thread = p["name"].rsplit(" (", 1)[0]
        if p["type"] == "sampled":
            if sum(p["weights"]) != p["endValue"] or len(p["weights"]) != len(p["samples"]):
                raise ValueError("weights and samples of %s do not fit" % p["name"])
            for s, n in zip(p["samples"], p["weights"]):
                stacks.append((thread, [names[i] for i in s], n))
            continue
        now, at = [], p["startValue"]
        for e in p["events"]:
            if e["at"] < at:
                raise ValueError("%s goes back to %d" % (p["name"], e["at"]))
            if now:
                stacks.append((thread, [names[i] for i in now], e["at"] - at))
            at = e["at"]
            if e["type"] == "O":
                now.append(e["frame"])
            elif now.pop() != e["frame"]:
                raise ValueError("%s: functions are not nested at %d" % (p["name"], at))
        if now or at != p["endValue"]:
            raise ValueError("%s does not end" % p["name"])
    return stacks, text["name"]


def read_message(lines):
    """A message as protoc --decode prints it: the values of each field, in lists"""
    message = collections.defaultdict(list)
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith("{"):
            message[line[:-2]].append(read_message(lines))
            continue
        key, value = line.split(": ", 1)
        if value.startswith('"'):
            value = value[1:-1].encode("latin-1").decode("unicode_escape").encode("latin-1").decode()
        message[key].append(value if key == "string_table" else int(value) if value.lstrip("-").isdigit()
                            else value == "true")
    return message


def read_pprof(path):
    p = read_message(iter(open(path, encoding="latin-1").read().splitlines()))
    if any(k.isdigit() for m in [p] + p["sample"] + p["location"] + p["mapping"] for k in m):
        raise ValueError("there are fields that the format does not have")
    text = p["string_table"]

    def one(message, key):
        return message[key][0] if message[key] else 0

    types = [text[one(t, "type")] for t in p["sample_type"]]
    index = types.index(WEIGHT) if WEIGHT else 0
    functions = {one(f, "id"): text[one(f, "name")] for f in p["function"]}
    mappings = {one(m, "id"): text[one(m, "filename")] for m in p["mapping"]}
    mappings[0] = "[unknown]"
    places = {}
    for l in p["location"]:
        name = functions[one(l["line"][0], "function_id")] if l["line"] else "[unknown]"
        places[one(l, "id")] = (mappings[one(l, "mapping_id")], name)
    stacks = []
    for s in p["sample"]:
        if len(s["value"]) != len(types):
            raise ValueError("a sample has %d values" % len(s["value"]))
        levels = [places[i] for i in reversed(s["location_id"])]
        labels = {text[one(l, "key")]: text[one(l, "str")] or one(l, "num") for l in s["label"]}
        # SPE has one level; its object is the mapping.
        stacks.append((labels.get("tid"), levels[0] if "samples" in types else [n for _, n in levels],
                       s["value"][index]))
    return stacks, "\n".join(text[c] for c in p["comment"])


def read_chrome(path):
    """Calls: what each level executed itself. SPE: a stack for each instant"""
    text = json.load(open(path))
    stacks, now, at, threads = [], {}, {}, {}
    for e in text["traceEvents"]:
        key = (e["pid"], e["tid"])
        if e["ph"] == "M":
            threads[key] = e["args"]["name"]
            continue
        if key not in threads:
            raise ValueError("an event of a thread without a name")
        if e["ph"] == "i":
            stacks.append((threads[key], [e["cat"], e["name"]],
                           e["args"].get("latency", 0) if WEIGHT == "latency" else 1))
            continue
        ts = round(e["ts"] * 1000)
        if ts < at.get(key, 0):
            raise ValueError("%s goes back" % threads[key])
        if now.setdefault(key, []):
            stacks.append((threads[key], list(now[key]), ts - at[key]))
        at[key] = ts
        if e["ph"] == "B":
            now[key].append(e["name"])
        elif now[key].pop() != e["name"]:
            raise ValueError("the end of %s is not that of the function that runs" % e["name"])
    if any(now.values()):
        raise ValueError("a function does not end")
    return stacks, text["otherData"]["note"]


def read_firefox(path):
    """Version 60: threads share the tables. All columns of a table must have the same length."""
    text = json.load(open(path))
    t = text["shared"]
    if text["meta"]["preprocessedProfileVersion"] != 60:
        raise ValueError("another version")
    for name, table in list(t.items()) + [(p["name"], p["samples"]) for p in text["threads"]]:
        if name != "stringArray" and {len(c) for c in table.values() if isinstance(c, list)} != {table["length"]}:
            raise ValueError("columns of %s have several lengths" % name)
    strings, stack, frame, func = t["stringArray"], t["stackTable"], t["frameTable"], t["funcTable"]
    entries = {e["label"]: e["value"] for e in text["meta"]["extra"][0]["entries"]}
    spe = entries["weight"] in ("samples", "latency")
    stacks = []
    for p in text["threads"]:
        for at, n in zip(p["samples"]["stack"], p["samples"]["weight"]):
            levels = []
            while at is not None:
                levels.insert(0, func["name"][frame["func"][stack["frame"][at]]])
                last = func["resource"][frame["func"][stack["frame"][at]]]
                prefix = stack["prefix"][at]
                if prefix is not None and prefix >= at:
                    raise ValueError("a stack is before the one that it continues")
                at = prefix
            levels = [strings[i] for i in levels]
            if spe:
                levels = [strings[t["resourceTable"]["name"][last]], levels[0]]
            stacks.append((p["name"], levels, n))
    return stacks, entries["note"]


def clean_xml(name):
    return "".join("?" if ord(c) < 32 or ord(c) == 127 else c for c in name)


def read_svg(path):
    """Own numbers of each level: its width less that of the levels on it"""
    root = xml.etree.ElementTree.parse(path).getroot()
    space = "{http://www.w3.org/2000/svg}"
    path, own = [], collections.Counter()
    for g in root.iter(space + "g"):
        n, x, depth = (int(g.get("data-" + k)) for k in "nxd")
        del path[depth:]
        path.append((g.find(space + "text").get("data-t"), x, n))
        if depth:
            parent = path[depth - 1]
            if x < parent[1] or x + n > parent[1] + parent[2]:
                raise ValueError("%s is not on its caller" % path[-1][0])
            own[tuple(p[0] for p in path[:-1])] -= n
        own[tuple(p[0] for p in path)] += n
    notes = "\n".join(t.text for t in root.iter(space + "text") if t.get("class") == "lost")
    return [(p[1], list(p[2:]), n) for p, n in own.items() if n], notes


def from_rows(tables):
    """Rows of SPE records are stacks; calls, which end before their callers, are walked backwards"""
    stacks, seen = [], {}
    for name in ("ldst", "br", "other"):
        for r in tables.get(name, []):
            n = 1 if WEIGHT != "latency" else int(r["total_lat"] or 0)
            stacks.append((r["tid"], [r["dso"] or "[unknown]", r["symbol"] or "[unknown]"], n))
    for r in reversed(tables.get("calls", [])):
        path = seen.setdefault(r["tid"], [])
        del path[int(r["depth"]):]
        n = int(r["instructions"])
        if path:
            stacks.append((r["tid"], list(path), -n))
        path.append(r["symbol"] or "[unknown]")
        stacks.append((r["tid"], list(path), n))
    if "calls" in tables:
        executed = sum(int(r["instructions"]) for r in tables["ranges"])
        if executed != sum(n for _, _, n in stacks):
            raise ValueError("ranges have %d instructions" % executed)
    return stacks, "\n".join(r["kind"] for r in tables["lost"])


def read_csv(path):
    def table(name):
        with open(os.path.join(path, name), newline="", encoding="utf-8", errors="replace") as f:
            return list(csv.DictReader(f))
    return from_rows({n[:-4]: table(n) for n in os.listdir(path)})


def read_json(path):
    tables = {"lost": []}
    missing = collections.defaultdict(lambda: None)
    for line in open(path):
        row = json.loads(line)
        tables.setdefault(row["table"], []).append(collections.defaultdict(missing.default_factory, row))
    return from_rows(tables)


def read_sqlite(path):
    db = sqlite3.connect(path)
    db.row_factory = sqlite3.Row
    if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
        raise ValueError("the database is damaged")
    names = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return from_rows({n: db.execute("SELECT * FROM " + n).fetchall() for n in names})


WEIGHT = sys.argv[4] if len(sys.argv) > 4 else None
READERS = {"csv": read_csv, "json": read_json, "sqlite": read_sqlite, "chrome": read_chrome, "firefox": read_firefox, "svg": read_svg, "folded": read_folded, "pprof": read_pprof, "speedscope": read_speedscope}


def of_spe(report, weight, text):
    """Sums by object and function of a report: samples, or the latency of all records"""
    want = collections.Counter()
    for f in report["functions"]:
        n = f["samples"]
        if weight == "latency":
            n = f["latency_total"] * n if f["latency_total"] else 0
        want[text(f["dso"] or "[unknown]"), text(f["symbol"])] += n
    return want


def of_ete(report, weight, text):
    """Own numbers by path"""
    want, path = collections.Counter(), []
    for c in report["calls"]:
        if c["total"] is None:
            continue
        del path[c["depth"]:]
        path.append(text(c["symbol"]))
        want[tuple(path)] += c["calls" if weight == "calls" else "self"]
    return want


def compare(format, export, report, weight):
    stacks, notes = READERS[format](export)
    report = json.load(open(report))
    text = {"folded": clean, "svg": clean_xml}.get(format, same)
    ete = "calls" in report
    want = of_ete(report, weight, text) if ete else of_spe(report, weight, text)
    got = collections.Counter()
    for _, levels, n in stacks:
        got[tuple(levels)] += n
    got = collections.Counter({k: n for k, n in got.items() if n})
    want = collections.Counter({k: n for k, n in want.items() if n})
    for key in sorted(set(want) | set(got)):
        if abs(want[key] - got[key]) > 0.001 * (want[key] if weight == "latency" else 0):
            return "%s: %s, want %s" % (";".join(key), got[key], want[key])
    if not sum(want.values()):
        return "there is nothing to compare"
    for l in report["lost"]:
        if l["count"] and l["kind"] not in notes:
            return "does not say what was lost: %s" % l["kind"]
    return None


why = compare(*sys.argv[1:4], WEIGHT)
if why:
    print(why)
    sys.exit(1)
