# SPDX-License-Identifier: GPL-2.0-only
# What v9trace annotate --json says of each instruction, against programs of others. For annotate.sh.
#   annotate.py objdump JSON PROGRAM    the text of each, by llvm-objdump
#   annotate.py lines JSON PROGRAM      file, line and inlined functions of each, by llvm-addr2line
#   annotate.py records JSON RECORDS    what was measured, from the records that mkcode took
#   annotate.py groups JSON PROGRAM RECORDS     report --group-by line: samples of each line
#   annotate.py spread JSON RECORDS     report --group-by comm --histogram: percentiles, buckets
# Prints nothing if all are equal, and fails if nothing was compared.
import json
import re
import subprocess
import sys

what, report, other = sys.argv[1:4]
tables = json.load(open(report))
rows = {int(r["address"], 16): r for r in tables.get("instructions", [])}


def differ(addr, ours, theirs):
    print(f"{addr:x}: {ours!r}, not {theirs!r}")
    sys.exit(1)


# LLVM's C interface has no text for encodings with bits that should be 0 and are not; llvm-mc warns.
def is_undefined(word):
    code = " ".join(f"0x{b:02x}" for b in int(word, 16).to_bytes(4, "little"))
    err = subprocess.run(["llvm-mc", "--disassemble", "--triple=aarch64", "--mattr=+all"], input=code,
                         capture_output=True, text=True).stderr
    return "potentially undefined instruction encoding" in err


def objdump():
    out = subprocess.run(["llvm-objdump", "-d", "--print-imm-hex", other], capture_output=True,
                         text=True, check=True).stdout
    for line in out.splitlines():
        m = re.match(r"\s*([0-9a-f]+): ([0-9a-f]{8})\s+(.*)$", line)
        if not m or int(m[1], 16) not in rows:
            continue
        addr, text = int(m[1], 16), re.sub(r"\s*(//.*)?$", "", m[3])
        row = rows[addr]
        if row["word"] != m[2]:
            differ(addr, row["word"], m[2])
        if text == "<unknown>":
            text = f".inst 0x{m[2]}"
        text = " ".join(re.sub(r" <[^>]*>$", "", text).split())
        ours = re.sub(r"\s*//.*$", "", row["instruction"])
        if ours == f".inst 0x{m[2]}" != text and is_undefined(m[2]):
            continue
        yield addr, ours, text


def lines():
    addrs = sorted(rows)
    out = subprocess.run(["llvm-addr2line", "-a", "-f", "-i", "-C", "-e", other],
                         input="".join(f"0x{a:x}\n" for a in addrs), capture_output=True, text=True,
                         check=True).stdout.splitlines()
    at = 0
    for addr in addrs:
        assert int(out[at], 16) == addr
        at += 1
        names, first = [], None
        while at < len(out) and not out[at].startswith("0x"):
            names.append(out[at])
            first = first or out[at + 1].split(" ")[0]
            at += 2
        row = rows[addr]
        inlined = row["inlined"].split(" < ") if row["inlined"] else []
        place = f"{row['file']}:{row['line']}" if row["line"] else "??:0"
        yield addr, (place, inlined), (first.replace(":?", ":0"), names[:-1])


def records():
    sums = {}
    for line in open(other):
        pc, total, issue, xlat, events, kind, _ = line.split()
        s = sums.setdefault(int(pc, 16), [])
        s.append((int(total), int(issue), int(xlat), int(events, 16), int(kind, 16)))
    samples = sum(len(s) for s in sums.values())
    share = lambda n, of: round(100 * n / of, 3) if of else None
    for addr, row in rows.items():
        s = sums.get(addr, [])
        bit = lambda n: sum(r[3] >> n & 1 for r in s)
        xlat = [r[2] for r in s if r[2]]
        branches = [r for r in s if r[4] == 2]
        mean = lambda v: round(sum(v) / len(v), 3) if v else None
        yield (addr, [row[k] for k in ("samples", "percent", "latency_total", "latency_issue",
                                       "latency_translation", "l1_miss_percent", "llc_miss_percent",
                                       "walk_percent", "mispredicted_percent")],
               [len(s) or None, share(len(s), samples) if s else None, mean([r[0] for r in s]),
                mean([r[1] for r in s]), mean(xlat), share(bit(3), bit(2)), share(bit(9), bit(8)),
                share(bit(5), bit(4)), share(sum(r[3] >> 7 & 1 for r in branches), len(branches))])


def groups():
    counts, at = {}, {}
    for line in open(sys.argv[4]):
        addr = line.split()[0]
        counts[addr] = counts.get(addr, 0) + 1
    out = subprocess.run(["llvm-addr2line", "-e", other], input="".join(f"0x{a}\n" for a in counts),
                         capture_output=True, text=True, check=True).stdout.split("\n")
    for samples, line in zip(counts.values(), out):
        line = line.split(" ")[0]
        at[line] = at.get(line, 0) + samples
    ours = {r["line"] or "??:0": r["samples"] for r in tables["groups"]}
    for line in sorted(set(at) | set(ours)):
        yield 0, (line, ours.get(line)), (line, at.get(line))


# Values are kept with their six highest bits.
def spread():
    lat = sorted(int(line.split()[1]) for line in open(other))
    kept = lambda v: v >> max(v.bit_length() - 6, 0) << max(v.bit_length() - 6, 0)
    rank = lambda p: max(kept(lat[-(-len(lat) * p // 100) - 1]), lat[0])
    row, = tables["groups"]
    yield 0, (row["p50"], row["p90"], row["p99"], row["max"]), (rank(50), rank(90), rank(99), lat[-1])
    for h in tables["group_histograms"]:
        yield 0, h["samples"], sum(h["from"] <= v <= h["to"] for v in lat)
    yield 0, sum(h["samples"] for h in tables["group_histograms"]), len(lat)


n = 0
for addr, ours, theirs in {"objdump": objdump, "lines": lines, "records": records,
                           "groups": groups, "spread": spread}[what]():
    if what == "records":
        same = all(a == b or (a is not None and b is not None and abs(a - b) < 0.0011)
                   for a, b in zip(ours, theirs))
    else:
        same = ours == theirs
    if not same:
        differ(addr, ours, theirs)
    n += 1
if n < (5 if what in ("groups", "spread") else 20):
    print(f"only {n} instructions were compared")
    sys.exit(1)
