#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""sums.py PPROF SCRIPT: samples of a profile of SPE records (export --to pprof) are the sums of the records of
script --json by address, task, control group, CPU, operation and data source. Both are read here, without the programs'
tables of sums. Of
mappings at 0x400000 (bench/mkspe.c, bench/grow.c) and 0xaaaac0000000 (host/mkcapture.c) the profile has offsets."""
import gzip
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from protobuf import fields, packed

# Bits of the Events packet: level 1 data cache refill, last level cache miss, page table walk, mispredicted
EVENTS = (3, 9, 5, 7)
MAPPINGS = ((0x400000, 0x200000), (0xaaaac0000000, 0x3000))
LATENCIES = ("lat_total", "lat_issue", "lat_translation")


def read_profile(path):
    profile = list(fields(gzip.open(path).read()))
    text = [v.decode() for f, v in profile if f == 6]
    address = {}
    for location in (dict(fields(v)) for f, v in profile if f == 4):
        address[location[1]] = location.get(3, 0)
    sums = {}
    for sample in (list(fields(v)) for f, v in profile if f == 2):
        labels = {}
        for label in (dict(fields(v)) for f, v in sample if f == 3):
            labels[text[label[1]]] = text[label[2]] if 2 in label else str(label.get(3, 0))
        at = [packed(v) for f, v in sample if f == 1][0]
        key = (address[at[0]], *(labels.get(k) for k in ("pid", "tid", "cpu", "operation", "source", "cgroup",
                                                         "container", "unit")))
        if key in sums:
            raise ValueError("two samples of %s" % (key,))
        sums[key] = [packed(v) for f, v in sample if f == 2][0]
    return sums


def parts_of(cgroup):
    """Container and systemd unit of a control group, each of the innermost name that has one."""
    names = cgroup.split("/")[::-1] if cgroup else []
    ids = [m.group(1) for m in (re.fullmatch(r"(?:.*-)?([0-9a-f]{64})(?:\.scope)?", n) for n in names) if m]
    units = [n for n in names if re.fullmatch(r".+\.(service|scope)", n)]
    return ids[0] if ids else None, units[0] if units else None


def read_records(path):
    sums = {}
    for r in (json.loads(line) for line in open(path)):
        if r["type"] != "spe":
            continue
        pc = int(r.get("pc", "0"), 16)
        events = int(r.get("events_value", "0"), 16)
        source = r.get("source", r.get("source_value"))
        start = next((at for at, size in MAPPINGS if at <= pc < at + size), 0)
        key = (pc - start,
               *(None if r.get(k) is None else str(r[k]) for k in ("pid", "tid", "cpu", "op")), source,
               r.get("cgroup"), *parts_of(r.get("cgroup")))
        value = [1, *(r.get(k, 0) for k in LATENCIES), *(events >> e & 1 for e in EVENTS)]
        sums[key] = [a + b for a, b in zip(sums.get(key, [0] * len(value)), value)]
    return sums


got, want = read_profile(sys.argv[1]), read_records(sys.argv[2])
if got != want or not want:
    wrong = [k for k in set(got) | set(want) if got.get(k) != want.get(k)]
    sys.exit("%d of %d sums differ: %s" % (len(wrong), len(want),
             [(k, got.get(k), want.get(k)) for k in sorted(wrong, key=str)[:3]]))
print("%d sums of %d records" % (len(want), sum(v[0] for v in want.values())))
