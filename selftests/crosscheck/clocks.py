# SPDX-License-Identifier: GPL-2.0-only
"""Shares of the classes of places, by program, with what joint.py checks of each sample.

clocks.py LOG PLACES NAMES [SHARE]    LOG and PLACES: see joint.py; NAMES: of programs, with commas

A sample of the kernel is of the program "kernel", others are of the program whose thread it is. Samples of other
programs are compared, too. Each program has samples. Prints a line for each program: its name, its samples, and the
percentage of each class; or the first error with exit status 1. With SHARE at least so many percent of the samples of
all programs that were traced are exact or path exact.
"""
import json
import sys

import joint

CLASSES = ('exact', 'path exact', 'ambiguous', 'in a gap of the trace', 'outside of the trace', 'not in the trace',
           'not executed')


def main():
    log, names = joint.records(sys.argv[1]), sys.argv[3].split(',')
    share = float(sys.argv[4]) if sys.argv[4:] else 0
    counts = {name: dict.fromkeys(CLASSES, 0) for name in names}
    certain = traced = 0
    for place, truth, why in joint.compare(log, sys.argv[2]):
        if why:
            return why
        name = 'kernel' if place['el'] else place.get('comm')
        if name not in counts:
            continue
        counts[name][place['place']] += 1
        if truth is not None:
            traced += 1
            certain += place['place'] in ('exact', 'path exact')
    for name, classes in counts.items():
        n = sum(classes.values())
        if not n:
            return f'{name} has no samples'
        print(f'{name}: {n} samples:', ', '.join(f'{c} {100 * k / n:.1f} %' for c, k in classes.items() if k))
    print(f'{certain} of {traced} samples that were traced are exact or path exact: {100 * certain / max(traced, 1):.1f} %')
    if 100 * certain < share * traced or not traced:
        return f'want {share} %'
    return None


error = main()
if error:
    print(error)
    sys.exit(1)
