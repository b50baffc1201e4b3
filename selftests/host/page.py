#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares the data in a page of v9trace html with report --json and mem --json.

page.py PAGE REPORT MEM LISTINGS	the last two may be empty
page.py --lines PAGE PROGRAM	its icicle has the inlined functions and lines of the program
page.py --calls N PAGE	the timeline keeps at most N calls, none shorter than it says
page.py --marks PAGE SCRIPT	the timeline has the marks that script --json printed
page.py --few-marks PAGE SCRIPT	likewise, but there are more than it keeps: it counts the others
"""
import json
import subprocess
import sys
from html.parser import HTMLParser


class Page(HTMLParser):
    """Collects the elements with JSON as a browser finds them."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.charts, self.scripts, self.now = [], {}, 0, None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        self.now = None
        if tag == "script" and a.get("type") == "application/json":
            self.now = (a.get("class"), a.get("id"), [])
        elif tag == "script":
            self.scripts += 1

    def handle_data(self, data):
        if self.now:
            self.now[2].append(data)

    def handle_endtag(self, tag):
        if not self.now:
            return
        kind, name, text = self.now
        data = json.loads("".join(text))
        if kind == "table":
            self.tables.append(data)
        else:
            self.charts[name] = data
        self.now = None


def as_json(tables):
    """Tables of the page in the form of --json"""
    out = {}
    for t in tables:
        names = [c[0] for c in t["cols"]]
        if t["shape"] == "keyed":
            out[t["name"]] = {r[0]: r[3] if r[3] is not None else r[2] for r in t["rows"]}
        else:
            out[t["name"]] = [dict(zip(names, r)) for r in t["rows"]]
    return out


def same(what, ours, theirs):
    assert list(ours) == list(theirs), f"{what}: tables {list(ours)}, want {list(theirs)}"
    for name in theirs:
        assert ours[name] == theirs[name], f"{what}: table {name} differs: {ours[name]!r:.200} {theirs[name]!r:.200}"


def rows(report, name):
    return next((t for n, t in report.items() if n == name or n.endswith("_" + name)), [])


def check_spe(page, report, mem):
    """Charts against the tables of report: each record is in them, or is counted as missing."""
    fn = report.get("spe_functions", report.get("functions"))
    samples = sum(r["samples"] for r in fn)
    heat = page.charts["heat"]
    n = sum(heat["cells"][2::4])
    assert n + heat["without"] == samples, f"heat: {n} + {heat['without']} of {samples}"
    assert n or not rows(report, "data_sources"), "heat: empty"
    loads = mem["summary"] if mem else {"loads": 0, "stores": 0, "atomics": 0, "without_address": 0}
    if n and not loads["without_address"] and n == loads["loads"] + loads["stores"] + loads["atomics"]:
        assert sum(heat["cells"][3::4]) == loads["cycles"], "heat: cycles"
    cells = list(zip(heat["cells"][0::4], heat["cells"][1::4]))
    assert len(set(cells)) == len(cells) <= 40000, "heat: cells"
    assert len({c[0] for c in cells}) == len(heat["rows"]) // 3 <= 320, "heat: rows"
    assert len({c[1] for c in cells}) <= 400 and min([c[1] for c in cells], default=0) == 0, "heat: columns"
    order = [(r if r >= 0 else 1 << 32, int(a, 16)) for a, r in zip(heat["rows"][0::3], heat["rows"][1::3])]
    assert order == sorted(order) and all(a % heat["addr_step"] == 0 for _, a in order), "heat: addresses"
    assert all(0 <= r < len(heat["rows"]) // 3 for r in heat["cells"][0::4]), "heat: row"
    total = next(r for r in report.get("spe_latencies", report.get("latencies")) if r["latency"] == "total")
    lat = page.charts["latencies"]
    assert lat["more"] == 0
    assert sum(sum(f[4]) for f in lat["funcs"]) == total["records"], "latencies"
    cycles = sum(f[3] for f in lat["funcs"])
    if total["records"]:
        assert abs(cycles / total["records"] - total["mean"]) < 0.002, "mean latency"
    for f in lat["funcs"]:
        least = sum(n * b for n, b in zip(f[4], lat["begin"]))
        most = sum(n * b for n, b in zip(f[4], lat["begin"][1:] + [65536]))
        assert least <= f[3] <= most, f"latencies of {f[0]} are in wrong classes"
        want = sum(r["samples"] for r in fn if r["symbol"] == f[0] and r["dso"] == f[1])
        assert f[2] == want, f"{f[0]}: {f[2]} samples, want {want}"
    nodes = page.charts["icicle"]["nodes"]
    child = {}
    for i in range(0, len(nodes), 5):
        parent, kind, _, count, cyc = nodes[i:i + 5]
        assert parent <= i // 5, "icicle: a child before its parent"
        s = child.setdefault(parent, [0, 0])
        s[0] += count
        s[1] += cyc
        if parent:
            above = nodes[5 * (parent - 1) + 1]
            assert kind > above or kind == above == 3, "icicle: kinds in a wrong order"
    assert child.get(0, [0, 0]) == [samples, cycles], "icicle: total"
    for parent, s in child.items():
        if parent:
            assert s == nodes[5 * parent - 2:5 * parent], f"icicle: children of {parent}"


def check_ete(page, report):
    """The flame graph against the call tree, the timeline against the flame graph."""
    flame, calls = page.charts["flame"], report.get("ete_calls", report.get("calls"))
    names, funcs, nodes = flame["names"], flame["funcs"], flame["nodes"]
    paths, ours = [()], {}
    for i in range(0, len(nodes), 5):
        parent, func, own, total, count = nodes[i:i + 5]
        path = paths[parent] + ((names[funcs[2 * func]], names[funcs[2 * func + 1]]),)
        paths.append(path)
        old = ours.get(path, (0, 0, 0))
        ours[path] = (old[0] + total, old[1] + own, old[2] + count)
    stack, want = [], {}
    for r in calls:
        if r["unfollowed_branches"] is not None:
            continue
        del stack[r["depth"]:]
        stack.append((r["symbol"], r["dso"]))
        want[tuple(stack)] = (r["total"], r["self"], r["calls"])
    for path, w in want.items():
        assert ours.get(path) == w, f"flame graph: {path} {ours.get(path)}, want {w}"
    assert flame["total"] == sum(v[0] for p, v in ours.items() if len(p) == 1), "flame graph: total"
    summary = report.get("ete_summary", report.get("summary"))
    assert flame["total"] == summary["instructions"], "flame graph: instructions"

    line = page.charts["timeline"]
    assert sum(t["insns"] for t in line["threads"]) == summary["instructions"], "timeline: instructions"
    entered, inclusive = 0, {}
    for t in line["threads"]:
        check_thread(t)
        assert t["dropped"] == 0
        c = t["calls"]
        for i in range(0, len(c), 4):
            if c[i] == 0:
                entered += c[i + 3]
            name = line["names"][line["funcs"][2 * c[i + 1]]]
            inclusive[name] = inclusive.get(name, 0) + c[i + 3]
    assert entered == summary["instructions"], f"timeline: outermost calls have {entered} of {summary['instructions']}"
    want = {}
    for path, v in ours.items():
        want[path[-1][0]] = want.get(path[-1][0], 0) + v[0]
    assert inclusive == want, f"timeline: {inclusive}, want {want}"


def check_thread(t):
    """Calls are inside their callers and do not overlap."""
    c, ends = t["calls"], []
    for i in range(0, len(c), 4):
        depth, _, begin, size = c[i:i + 4]
        while ends and ends[-1][0] >= depth:
            ends.pop()
        assert not ends or begin + size <= ends[-1][1], f"timeline: call {i // 4} ends after its caller"
        assert begin + size <= t["insns"], "timeline: after the end"
        ends.append((depth, begin + size))
    at = t["times"][0::2], t["times"][1::2]
    assert list(at[0]) == sorted(at[0]) and list(at[1]) == sorted(at[1]), "timeline: times"


PHASE, OPEN, NUMBER, CUT = 1, 2, 3, 4


def bars_of(marks):
    """Depth, kind and text of each phase and number, in their order; texts of moments; ends without a begin"""
    bars, opened, flags, unbegun = [], [], [], 0
    for m in marks:
        if m["kind"] == "point":
            flags.append(m["text"])
            continue
        if m["kind"] == "end":
            i = max((i for i, b in enumerate(opened) if b[1] in (PHASE, OPEN) and b[2] == m["text"]), default=None)
            if i is None:
                unbegun += 1
                continue
            opened[i][1] = PHASE
            del opened[i:i + 1 + (len(opened) > i + 1 and opened[i + 1][1] >= NUMBER)]
            continue
        if m["kind"] == "id" and opened and opened[-1][1] >= NUMBER:
            opened.pop()
        kind = OPEN if m["kind"] == "begin" else CUT if "cut" in m else NUMBER
        opened.append([opened[-1][0] + 1 if opened else 0, kind, m.get("text", m.get("id", 0))])
        bars.append(opened[-1])
    return bars, flags, unbegun


def check_marks(page, script, few):
    line, threads, all_marks = page.charts["timeline"], {}, 0
    for text in script:
        r = json.loads(text)
        if r.get("type") == "mark":
            threads.setdefault(r["tid"], []).append(r)
            all_marks += 1
    assert all_marks, "the script has no mark"
    assert set(threads) <= {t["tid"] for t in line["threads"]}, "a thread is missing"
    kept = dropped = 0
    for t in line["threads"]:
        bars, flags, unbegun = bars_of(threads.get(t["tid"], []))
        b, at = t["bars"], -1
        got = []
        for i in range(0, len(b), 5):
            depth, kind, name, begin, insns = b[i:i + 5]
            got.append([depth, kind, line["names"][name] if kind < NUMBER else name])
            assert begin >= at and begin + insns <= t["insns"], f"bar {i // 5}: at {begin}, {insns} instructions"
            assert insns >= line["least_bar"], "a short bar is left"
            at = begin
        marked = [line["names"][n] for n in t["flags"][0::2]]
        places = t["flags"][1::2]
        assert places == sorted(places) and all(p <= t["insns"] for p in places), "places of flags"
        assert t["unbegun"] == unbegun, f"{t['unbegun']} ends without a begin, want {unbegun}"
        assert len(got) + t["bars_dropped"] == len(bars), f"{len(got)} bars and {t['bars_dropped']}, want {len(bars)}"
        assert len(marked) + t["flags_dropped"] == len(flags), f"{len(marked)} flags and {t['flags_dropped']}, want {len(flags)}"
        kept += len(got) + len(marked)
        dropped += t["bars_dropped"] + t["flags_dropped"]
        if few:
            rest = iter(bars)
            assert all(any(x == y for y in rest) for x in got), "bars that the script does not have"
            assert len(marked) <= 2000 and len(got) <= 20000, f"{len(got)} bars, {len(marked)} flags"
        else:
            assert got == bars, f"bars {got}, want {bars}"
            assert marked == flags, f"flags {marked}, want {flags}"
    assert kept and (dropped > 0) == few, f"{kept} kept, {dropped} dropped"


def check_lines(page, program):
    """Paths of the icicle below functions against llvm-symbolizer"""
    icicle = page.charts["icicle"]
    names, nodes = icicle["names"], icicle["nodes"]
    starts = {}
    for line in subprocess.run(["llvm-nm", program], capture_output=True, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "tT":
            starts[words[2]] = int(words[0], 16)
    paths, want, seen = [()], {}, 0
    for i in range(0, len(nodes), 5):
        parent, kind, name = nodes[i:i + 3]
        paths.append(paths[parent] + ((kind, name if isinstance(name, str) else names[name]),))
    insns = [p for p in paths if p and p[-1][0] == 5 and len(p) > 3 and p[2][0] == 2]
    addresses = [starts[p[2][1]] + int(p[-1][1][1:], 16) for p in insns]
    out = subprocess.run(["llvm-symbolizer", "--inlines", "--basenames", f"--obj={program}"], text=True, check=True,
                         input="".join(f"{a:#x}\n" for a in addresses), capture_output=True).stdout
    answers = out.rstrip("\n").split("\n\n")
    assert len(answers) == len(insns) > 10, f"{len(insns)} instructions, {len(answers)} answers"
    for path, answer in zip(insns, answers):
        lines = answer.split("\n")
        functions, place = lines[0::2], lines[1].rsplit(":", 1)[0]
        want = [(2, functions[-1])] + [(3, f) for f in reversed(functions[:-1])]
        if not place.endswith(":0"):
            want.append((4, place))
        assert list(path[2:-1]) == want, f"{path[2:]}, want {want}"
        seen += len(functions) > 1
    assert seen, "nothing is inlined"


def main():
    if sys.argv[1] == "--lines":
        check_lines(Page(open(sys.argv[2], encoding="utf-8").read()), sys.argv[3])
        return
    if sys.argv[1] == "--calls":
        most, page = int(sys.argv[2]), Page(open(sys.argv[3], encoding="utf-8").read())
        line = page.charts["timeline"]
        n = sum(len(t["calls"]) // 4 for t in line["threads"])
        dropped = sum(t["dropped"] for t in line["threads"])
        assert 0 < n <= most and dropped and line["least"] > 0, f"{n} calls, {dropped} dropped"
        for t in line["threads"]:
            check_thread(t)
            assert all(s >= line["least"] for s in t["calls"][3::4]), "a short call is left"
        return
    if sys.argv[1] in ("--marks", "--few-marks"):
        with open(sys.argv[3], encoding="utf-8") as script:
            check_marks(Page(open(sys.argv[2], encoding="utf-8").read()), script, sys.argv[1] == "--few-marks")
        return
    page = Page(open(sys.argv[1], encoding="utf-8").read())
    report = json.load(open(sys.argv[2], encoding="utf-8"))
    mem = open(sys.argv[3], encoding="utf-8").read()
    assert page.scripts == 5, f"{page.scripts} scripts run"
    assert page.charts["capture"]["path"], "no path"
    same("report", as_json(t for t in page.tables if t["view"] == "report"), report)
    if mem:
        # The objects without symbols are in the report.
        want = {n: t for n, t in json.loads(mem).items() if n != "nameless"}
        same("mem", as_json(t for t in page.tables if t["view"] == "mem"), want)
    assert mem or "heat" not in page.charts or not rows(report, "data_sources"), "no memory tables"
    listing = open(sys.argv[4], encoding="utf-8").read()
    # What was lost, and the objects without symbols or code, are in the report.
    want = {n: t for n, t in json.loads(listing or "{}").items() if not n.endswith(("lost", "nameless", "codeless"))}
    got = as_json(t for t in page.tables if t["view"] == "annotate")
    if listing:
        same("annotate", got, want)
    else:
        assert not got.get("functions"), "listings that the command does not have"
    joint = open(sys.argv[5], encoding="utf-8").read()
    want = {n: t for n, t in json.loads(joint or "{}").items() if n != "nameless"}
    same("joint", as_json(t for t in page.tables if t["view"] == "joint"), want)
    if "heat" in page.charts:
        check_spe(page, report, json.loads(mem) if mem else None)
    if "flame" in page.charts:
        check_ete(page, report)


main()
