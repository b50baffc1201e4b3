#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Adds up what v9trace script prints, or what a program wrote, and compares.

  views.py sums SCRIPT REPORT		report --json --limit 0 of SPE against the records of script --json
  views.py groups KEYS SCRIPT REPORT	its groups by these keys of the records, such as cpu,op
  views.py lines LOG SCRIPT TEXT	records of script --json against the log of mkrecords.c, and the fields
					el,pc,va,pa,lat,ctx,ts,offset of script as text
  views.py mem SCRIPT MEM		mem --json --limit 0 of loads and stores against the records of script --json
  views.py places LOG SCRIPT		places of script --joint --json against the log of mkwide.c

Written from the manual pages, not from the program. Prints "ok: ..." or what differs.
"""
import collections
import json
import sys

UNKNOWN = "[unknown]"
LATENCIES = "total", "issue", "translation"
# of the program of mkcapture.c
OBJECTS = (("limits", 0xaaaac0000900, 0xaaaac0000910), ("counters", 0xaaaac0001c00, 0xaaaac0001c10),
           ("table", 0xaaaac0001c80, 0xaaaac0001cc0))


class Wrong(Exception):
    """What does not agree"""


def equal(what, got, want):
    if got != want:
        raise Wrong(f"{what}: {got}, not {want}"[:300])


def or_unknown(value):
    return UNKNOWN if value is None else value


def near(what, got, want):
    if (got is None) != (want is None) or (got is not None and abs(got - want) > 0.001):
        raise Wrong(f"{what}: {got}, not {want}")


def load(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return json.load(file)


def records(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        found = [json.loads(line) for line in file]
    for r in found:
        r.setdefault("source", r.get("source_value", UNKNOWN))	# a value without a name stands for itself
    return [r for r in found if r["type"] == "spe"]


def mean(values):
    return sum(values) / len(values) if values else None


def known(rs, key):
    return [r[key] for r in rs if key in r]


def share(n, of):
    return 100 * n / of if of else None


def by(rs, *keys):
    found = collections.defaultdict(list)
    for r in rs:
        found[tuple(r.get(k, UNKNOWN) for k in keys)].append(r)
    return found


def check_rows(name, rows, want, key, check):
    """One row for each key of want, with what check(row, records) wants"""
    got = {key(r): r for r in rows}
    equal(f"rows of {name}", len(got), len(rows))
    equal(f"rows of {name}", sorted(map(str, set(got) ^ set(want))), [])
    for k, rs in want.items():
        check(got[k], rs)
    return len(rows)


def check_sums(script, report):
    rs, t = records(script), load(report)
    n = len(rs)

    def numbers(row, some):
        equal(f"samples of {row}", row["samples"], len(some))
        near(f"share of {row}", row["percent"], share(len(some), n))
        for lat in LATENCIES:
            near(f"latency of {row}", row["latency_" + lat], mean(known(some, "lat_" + lat)))

    count = check_rows("functions", t["functions"], by(rs, "comm", "dso", "sym"),
                       lambda r: (or_unknown(r["comm"]), r["dso"], r["symbol"]), numbers)

    def latency(row, some):
        values = sorted(known(some, "lat_" + row["latency"]))
        equal(f"records of {row}", row["records"], len(values))
        near(f"mean of {row}", row["mean"], mean(values))
        for name, percent in ("p50", 50), ("p90", 90), ("p99", 99), ("max", 100):
            equal(f"{name} of {row}", row[name],
                  values[max(0, -(-len(values) * percent // 100) - 1)] if values else None)
        limit = 4095 if not values or values[-1] <= 4095 else 65535	# counters of 12 or of 16 bits
        equal(f"saturated of {row}", row["saturated"], values.count(limit))

    count += check_rows("latencies", t["latencies"], {lat: rs for lat in LATENCIES},
                        lambda r: r["latency"], latency)

    ops = by([r for r in rs if "op" in r], "op")

    def op(row, some):
        equal(f"samples of {row}", row["samples"], len(some))
        near(f"share of {row}", row["percent"], share(len(some), sum(map(len, ops.values()))))
        near(f"latency of {row}", row["latency_total"], mean(known(some, "lat_total")))

    count += check_rows("operations", t["operations"], ops, lambda r: (r["operation"],), op)

    having = [r for r in rs if "events" in r]
    events = collections.Counter(e for r in having for e in r["events"])
    for row in t["events"]:
        equal(f"samples of {row}", row["samples"], events.get(row["event"], 0))
        near(f"share of {row}", row["percent"], share(row["samples"], len(having)))
        if row["of"] and row["of"] in events:
            near(f"ratio of {row}", row["percent_of"], share(row["samples"], events[row["of"]]))
    equal("events", sorted(r["event"] for r in t["events"] if r["samples"]), sorted(events))

    with_source = [r for r in rs if "source_value" in r]

    def source(row, some):
        equal(f"samples of {row}", row["samples"], len(some))
        near(f"share of {row}", row["percent"], share(len(some), len(with_source)))

    count += check_rows("data_sources", t["data_sources"], by(with_source, "source_value", "source"),
                        lambda r: (r["value"], r["source"] or r["value"]), source)
    times = known(rs, "time")
    s = t["summary"]
    equal("records", s["records"], n)
    equal("cpus", s["cpus"], len(set(known(rs, "cpu"))))
    equal("tasks", s["tasks"] or 0, len(set(known(rs, "tid"))))
    if times:
        equal("times", [s["first_ns"], s["covered_ns"]], [min(times), max(times) - min(times)])
    return f"{n} records, {count + len(t['events'])} rows"


def check_groups(keys, script, report):
    rs, rows = records(script), load(report)["groups"]
    keys = keys.split(",")
    names = [{"sym": "symbol"}.get(k, k) for k in keys]

    def numbers(row, some):
        equal(f"samples of {row}", row["samples"], len(some))
        near(f"share of {row}", row["percent"], share(len(some), len(rs)))
        for lat in LATENCIES:
            near(f"latency of {row}", row["latency_" + lat], mean(known(some, "lat_" + lat)))

    def key(row):
        return tuple(or_unknown(row[n]) for n in names)

    return f"{check_rows('groups', rows, by(rs, *keys), key, numbers)} groups of {len(rs)} records"


def check_mem(script, mem):
    """Each table, but for the order of its rows"""
    rs, t = [r for r in records(script) if r.get("op_class") == 1], load(mem)
    for r in rs:
        op = int(r["op_value"], 16)
        atomic = op & 6 == 6
        r["store"] = op & 1 or atomic
        r["line"] = hex(int(r["va"], 16) & ~63)
        r["data"] = r["pid"], "page " + hex(int(r["va"], 16) & ~4095)
        for name, start, end in OBJECTS:
            if r["pid"] == 100 and start <= int(r["va"], 16) < end:
                r["data"] = UNKNOWN, name
        r["kind"] = "atomic" if atomic else "store" if r["store"] else "load"
    cycles = sum(r["lat_total"] for r in rs)

    def numbers(row, some):
        got = [row["samples"], row["loads"], row["stores"]]
        stores = sum(bool(r["store"]) for r in some)
        equal(f"samples of {row}", got, [len(some), len(some) - stores, stores])
        near(f"share of {row}", row["percent"], share(sum(r["lat_total"] for r in some), cycles))
        near(f"latency of {row}", row["latency_total"], mean(known(some, "lat_total")))
        if "latency_translation" in row:
            near(f"translation of {row}", row["latency_translation"], mean(known(some, "lat_translation")))
        events = collections.Counter(e for r in some for e in r["events"])
        if "l1_miss_percent" in row:
            near(f"misses of {row}", row["l1_miss_percent"], share(events["l1d_refill"], events["l1d_access"]))
        elif "l1_misses" in row:
            equal(f"misses of {row}", row["l1_misses"], events["l1d_refill"])

    def line(row, some):
        numbers(row, some)
        got = [row["threads"], row["cpus"], row["instructions"]]
        equal(f"users of {row}", got, [len({r[k] for r in some}) for k in ("tid", "cpu", "pc")])
        words = [word for word in by(some, "va").values() if any(r["store"] for r in word)]
        first = {k[0]: min(r["time"] for r in rs) for k, rs in by(some, "tid").items()}
        last = {k[0]: max(r["time"] for r in rs) for k, rs in by([r for r in some if r["store"]], "tid").items()}
        # Who writes only before all others use the line initialises it.
        writers = [t for t in last if any(last[t] >= first[o] for o in first if o != t)]
        want = "no" if row["threads"] == 1 else \
            "true" if any(len({r["tid"] for r in word}) > 1 for word in words) else \
            "false" if writers else "read"
        equal(f"sharing of {row}", row["sharing"], want)

    def latency(row, some):
        values = sorted(known(some, "lat_" + row["latency"]))
        equal(f"records of {row}", [row["records"], row["max"]], [len(values), values[-1]])
        near(f"mean of {row}", row["mean"], mean(values))
        for name, percent in ("p50", 50), ("p90", 90), ("p99", 99):
            equal(f"{name} of {row}", row[name], values[max(0, -(-len(values) * percent // 100) - 1)])

    count = check_rows("lines", t["lines"], by(rs, "pid", "line"), lambda r: (int(r["pid"]), r["line"]), line)
    count += check_rows("data", t["data"], by(rs, "data"),
                        lambda r: ((int(r["pid"]) if r["pid"] else UNKNOWN, r["data"]),), numbers)
    count += check_rows("symbols", t["symbols"], by(rs, "comm", "dso", "sym"),
                        lambda r: (r["comm"], r["dso"], r["symbol"]), numbers)
    kinds = {(k[0], lat): some for k, some in by(rs, "kind").items() for lat in LATENCIES}
    count += check_rows("latencies", t["latencies"], kinds, lambda r: (r["operation"], r["latency"]), latency)
    got = collections.Counter()
    for row in t["sources"]:
        got[row["value"] or UNKNOWN] += row["samples"]
    equal("sources", got, collections.Counter(r.get("source_value", UNKNOWN) for r in rs))
    equal("summary", [t["summary"]["records"], t["summary"]["cycles"]], [len(rs), cycles])
    return f"{len(rs)} records, {count} rows"


def text_of(r):
    """A line of script -F el,pc,va,pa,lat,ctx,ts,offset"""
    def number(key):
        return str(r.get(key, "-"))

    parts = [f"EL{r['el']}" if "el" in r else " - ", (r["pc"][2:] if "pc" in r else "-").rjust(16)]
    parts += [f"{key}={r[key]}" for key in ("va", "pa") if key in r]
    latencies = ["lat_" + lat for lat in LATENCIES]
    if any(key in r for key in latencies):
        parts.append("lat=" + "/".join(map(number, latencies)))
    contexts = [f"ctx{i}={int(r[f'ctx_el{i}'], 16)}" for i in (1, 2) if f"ctx_el{i}" in r]
    if contexts:
        parts.append(" ".join(contexts))
    if "ts" in r:
        parts.append(f"ts={int(r['ts'], 16)}")
    return " ".join(parts + [f"@{r['offset']:#x}"])


def check_lines(log, script, text):
    """Within a buffer records have the order of the log."""
    with open(log, encoding="utf-8") as file:
        want = [json.loads(line) for line in file]
    rs = records(script)
    with open(text, encoding="utf-8") as file:
        lines = file.read().splitlines()
    equal("lines", lines, [text_of(r) for r in rs])
    rs.sort(key=lambda r: (r["cpu"], r["offset"]))
    want.sort(key=lambda w: w["cpu"])
    equal("records", len(rs), len(want))
    for r, w in zip(rs, want):
        va, target = int(w.get("va", "0"), 16), w.get("tgt")
        members = {
            "cpu": w["cpu"], "pc": w.get("pc"), "el": w.get("el"), "target": target, "target_el": w.get("tel"),
            "op_class": int(w["op"], 16) & 3 if "op" in w else None, "op_value": w.get("opc"),
            "va_top": hex(va >> 56) if va else None, "events_value": w["ev"], "source_value": w.get("ds"),
            "pa": w.get("pa"), "ctx_el1": w.get("ctx1"), "ctx_el2": w.get("ctx2"), "ts": w.get("ts"),
        }
        members |= {"lat_" + name: n for name, n in zip(LATENCIES, w.get("lat", []))}
        for key, value in members.items():
            got = r.get(key)
            if key in ("pc", "target") and got:	# bits 63 to 56 of an address are bit 55
                equal(f"{key} of {w}", int(got, 16) >> 55 in (0, 0x1ff), True)
                got = hex(int(got, 16) & (1 << 56) - 1)
            equal(f"{key} of {w}", got, value)
        if va:
            equal(f"va of {w}", int(r["va"], 16) & (1 << 56) - 1, va & (1 << 56) - 1)
        equal(f"events of {w}", len(r["events"]), bin(int(w["ev"], 16)).count("1"))
        equal(f"latencies of {w}", sum(key.startswith("lat_") for key in r), len(w.get("lat", [])))
    return f"{len(rs)} records"


def check_places(log, script):
    """The instruction that was sampled is among the candidates, or it is in a gap if it was not traced."""
    want, found = {}, collections.Counter()
    with open(log, encoding="utf-8") as file:
        for line in file:
            cpu, ts, pc, index = line.split()
            want[int(cpu), int(ts)] = pc, index
    with open(script, encoding="utf-8") as file:
        for line in file:
            r = json.loads(line)
            pc, index = want.pop((r["cpu"], int(r["ts"], 16)))
            equal(f"address of {r}", r["pc"], "0x" + pc)
            if r["place"] == "exact":
                equal(f"bounds of {r}", r["first"], r["last"])
            if index == "-":
                equal(f"gaps of {r}", r["gaps"] > 0, True)
            elif not r.get("first", -1) <= int(index) <= r.get("last", -1):
                raise Wrong(f"{r}: it is instruction {index}")
            found[r["place"]] += 1
    return ", ".join(f"{n} {place}" for place, n in sorted(found.items()))


def main():
    how, *files = sys.argv[1:]
    print("ok: " + {"sums": check_sums, "groups": check_groups, "lines": check_lines,
                    "places": check_places, "mem": check_mem}[how](*files))


try:
    main()
except (Wrong, OSError, ValueError, KeyError) as e:
    print(f"{type(e).__name__}: {e}")
    sys.exit(1)
