#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What is in profiles of pprof, by a reader of its own: profiles.py FILE...

Prints, of all files together, NAME NUMBER: files, samples, unmapped (samples without an object), evicted,
kernel, lines (samples with a label cache_line), l1, and "object NUMBER PATH"; exit 1 if a file is not whole,
has no build-id of an object that is a file, no time, or is readable by others.
"""
import gzip
import os
import stat
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from protobuf import fields, packed

sums = dict.fromkeys(("files", "samples", "unmapped", "evicted", "kernel", "lines", "l1"), 0)
objects = {}
for path in sys.argv[1:]:
    if stat.S_IMODE(os.stat(path).st_mode) != 0o600:
        sys.exit(f"{path}: mode {stat.S_IMODE(os.stat(path).st_mode):o}")
    with gzip.open(path) as file:
        top = list(fields(file.read()))
    strings = [value.decode() for number, value in top if number == 6]
    types = [strings[dict(fields(value))[1]] for number, value in top if number == 1]
    mappings, locations, functions = {}, {}, {}
    for number, value in top:
        one = dict(fields(value)) if number in (3, 4, 5) else {}
        if number == 3:
            mappings[one[1]] = one
        elif number == 4:
            locations[one[1]] = one
        elif number == 5:
            functions[one[1]] = strings[one.get(2, 0)]
    if not dict(top).get(9) or not dict(top).get(10):
        sys.exit(f"{path}: no time")
    sums["files"] += 1
    for number, value in top:
        if number != 2:
            continue
        sample = dict(fields(value))
        values = dict(zip(types, packed(sample[2])))
        if values["samples"] == 0:
            sys.exit(f"{path}: a sum of nothing")
        location = locations[packed(sample[1])[0]]
        mapping = mappings.get(location.get(2, 0), {})
        name = strings[mapping.get(5, 0)]
        line = dict(fields(location[4])) if 4 in location else {}
        labels = {strings[dict(fields(v))[1]] for n, v in fields(value) if n == 3}
        n = values["samples"]
        sums["samples"] += n
        sums["l1"] += values["misses"] if "misses" in values else 0
        sums["lines"] += n if "cache_line" in labels else 0
        if functions.get(line.get(1)) == "[evicted]":
            sums["evicted"] += n
        elif not mapping:
            sums["unmapped"] += n
        else:
            if name.startswith("/") and not strings[mapping.get(6, 0)]:
                sys.exit(f"{path}: {name} has no build-id")
            sums["kernel"] += n if name.startswith("[kernel") else 0
            objects[name] = objects.get(name, 0) + n
for name, n in sums.items():
    print(name, n)
for name, n in sorted(objects.items()):
    print("object", n, name)
