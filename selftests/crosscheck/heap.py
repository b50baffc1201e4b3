#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""heap.py LOG SCRIPT: the heap blocks of SPE records, by "v9trace script --json", against the log of heap.cc.

A record in use_X() accesses a block of make_X(), which the program logged with address and size. Prints
what differs, last the number of records of each X; exit status 1 if anything differs."""
import collections
import json
import sys

log, script = sys.argv[1:]
blocks = set()
makers = set()
for name in log, log + ".child":
    for line in open(name):
        who, at, size = line.split()
        blocks.add((who, int(at, 16), int(size)))
        makers.add(who)
seen = collections.Counter()
used = set()
wrong = []
for line in open(script):
    record = json.loads(line)
    who = record.get("sym", "")[len("use_"):]
    if not record.get("sym", "").startswith("use_") or "va" not in record:
        continue
    seen[who] += 1
    name = record.get("alloc", "no block")
    at = int(record.get("block", "0"), 16)
    used.add((who, at))
    if name.partition("+")[0] != "make_" + who:
        wrong.append(f"{line[:300]}: {name}")
    elif not record.get("alloc_line", "").split("/")[-1].startswith("heap.cc:"):
        wrong.append(f"{line[:300]}: line {record.get('alloc_line')}")
    elif (who, at, record["alloc_size"]) not in blocks:
        wrong.append(f"{line[:300]}: not in the log: {at:#x}, {record['alloc_size']} bytes")
print("\n".join(wrong[:20]))
print(f"{len(wrong)} of {sum(seen.values())} records are wrong; "
      f"without a record: {' '.join(sorted(makers - set(seen))) or 'none'}")
print(" ".join(f"{who}:{n}" for who, n in sorted(seen.items())))
# Memory that was used for several: else this shows nothing of time.
again = {at for who, at in used if len({w for w, a in used if a == at}) > 1}
if not again:
    print("no address was used for two of them")
sys.exit(bool(wrong) or makers != set(seen) or not again)
