#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Branch stacks of one program, recorded by different drivers, and as perf2bolt counts them.

    brbe_kernels.py same NM STACKS STACKS...    equal branches, blocks and cycles; equal shares
    brbe_kernels.py bolt NM STACKS FDATA        perf2bolt has each branch of the stacks, as often

NM is the output of nm of the program, which is linked statically. STACKS: perf script -F brstack. Exit
status 0 if they agree.
"""
import collections
import sys

from bolt import branches, functions, symbols

# Branches and blocks that one recording has less often may be missing in another: none has all branches.
OFTEN = 100
# Shares of a branch of all branches in two files: their largest permitted difference, and that of half
# the sum of all differences
SHARE, SHARES = 0.01, 0.05


class Program:
    def __init__(self, path):
        addresses = [address for _, address in symbols(path)]
        self.at = functions(path)
        self.first, self.last = min(addresses), max(addresses)

    def has(self, *addresses):
        return all(self.first <= a < self.last for a in addresses)


def stacks(path):
    """The entries (from, to, flag, cycles, type) of each sample, oldest first"""
    for line in open(path):
        stack = []
        for word in line.split():
            field = word.split("/")
            if len(field) < 7:
                continue
            stack.append((int(field[0], 16), int(field[1], 16), field[2][0], int(field[5]), field[6]))
        if stack:
            yield stack[::-1]


class Seen:
    def __init__(self, program, path):
        self.branches, self.blocks = collections.Counter(), collections.Counter()
        cycles = collections.defaultdict(collections.Counter)
        for stack in stacks(path):
            for i, (source, target, _, cc, kind) in enumerate(stack):
                if not program.has(source, target):
                    continue
                self.branches[source, target, kind] += 1
                before = i and stack[i - 1]
                if before and program.has(*before[:2]):
                    self.blocks[before[1], source] += 1
                    cycles[before[1], source][cc] += 1
        # The most frequent number: interrupts add cycles to some blocks.
        self.cycles = {k: n.most_common(1)[0][0] for k, n in cycles.items()}

    def often(self, what):
        return {k for k, n in getattr(self, what).items() if n >= OFTEN}


def text(key):
    return "-".join("%x" % k if isinstance(k, int) else k for k in key)


def same(nm, *paths):
    program = Program(nm)
    seen = [Seen(program, path) for path in paths]
    for what in ("branches", "blocks"):
        often = set().union(*(s.often(what) for s in seen))
        if len(often) < 20:
            sys.exit("only %d %s" % (len(often), what))
        for s, path in zip(seen, paths):
            missing = sorted(often - set(getattr(s, what)))
            if missing:
                sys.exit("%s: no %s %s, and %d others" % (path, what, text(missing[0]), len(missing) - 1))
    for key in sorted(often):
        got = [s.cycles[key] for s in seen]
        if len(set(got)) > 1 or not got[0]:
            sys.exit("block %s: cycles %s" % (text(key), got))
    totals = [sum(s.branches.values()) for s in seen]
    for s, total, path in zip(seen[1:], totals[1:], paths[1:]):
        off = {k: s.branches[k] / total - seen[0].branches[k] / totals[0]
               for k in set(s.branches) | set(seen[0].branches)}
        most = max(off, key=lambda k: abs(off[k]))
        if abs(off[most]) > SHARE or sum(map(abs, off.values())) / 2 > SHARES:
            sys.exit("%s: share of %s differs by %.3f, in sum %.3f" %
                     (path, text(most), off[most], sum(map(abs, off.values())) / 2))
    print("%d branches and %d blocks of %s recorded" %
          (len(seen[0].often("branches")), len(often), ", ".join(map(str, totals))))


def bolt(nm, path, fdata):
    """Compares all branches but returns: perf2bolt does not list these."""
    program = Program(nm)
    want, missed = collections.Counter(), collections.Counter()
    for stack in stacks(path):
        for source, target, flag, _, kind in stack:
            if kind == "RET":
                continue
            want[source, target] += 1
            missed[source, target] += flag == "M"
    known = 0
    for source, target, *got in branches(fdata, program.at):
        key = source, target
        if key not in want:
            # A pair that is no branch record: code that was executed between two branches
            if key[1] < key[0]:
                sys.exit("%s is in no stack" % text(key))
            continue
        if got != [want[key], missed[key]]:
            sys.exit("%s: %d times, %d mispredicted; want %d, %d" %
                     (text(key), *got, want[key], missed[key]))
        known += got[0]
    total = sum(n for key, n in want.items() if program.has(*key))
    print("%d of %d branches" % (known, total))
    if not total or known < total * 0.9:
        sys.exit("most branches are missing")


{"same": same, "bolt": bolt}[sys.argv[1]](*sys.argv[2:])
