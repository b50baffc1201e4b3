#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Contexts of calls: a walk through a program, and profiles of it for LLVM.

    contexts.py walk PREFIX PROGRAM SOURCE STEPS WANT   writes steps for mktrace, and the counts of the walk
    contexts.py text PROFILE WANT ROUNDS                v9trace export --to llvm-contexts has these counts
    contexts.py flat PROFILE CONTEXTS                   --to llvm executed the instructions of the contexts
    contexts.py profgen TEXT WANT ROUNDS                so has what llvm-profgen makes of it, a line for each context

The walk starts in main(), takes conditional branches at random and returns to where it was called from. Then
trace is lost, and lost() runs, whose callers are not known, as those of main(). PREFIX is that of objdump and addr2line, which
says where an instruction is in SOURCE. Exit status 0 if equal; else the first difference is printed.
"""
import collections
import json
import random
import re
import subprocess
import sys


def base(discriminator):
    """What LLVM takes of a discriminator"""
    if discriminator & 1:
        return 0
    d = discriminator >> 1
    return d >> 1 & 0xfe0 | d & 0x1f if d & 0x20 else d & 0x1f


class Program:
    def __init__(self, prefix, path, source):
        text = [line.rstrip() for line in open(source)]
        self.line = {m.group(1): n for n, line in enumerate(text, 1)
                     for m in [re.fullmatch(r"[a-zA-Z].*?\b([a-z_]+)\([a-z].*\)", line)] if m}
        self.insn, self.start, self.of, name = {}, {}, {}, None
        for line in subprocess.check_output([prefix + "objdump", "-d", path], text=True).splitlines():
            m = re.fullmatch(r"([0-9a-f]+) <(.*)>:", line)
            if m:
                name = m.group(2) if m.group(2) in self.line else None
                if name:
                    self.start[int(m.group(1), 16)] = name
            m = re.match(r" *([0-9a-f]+):\t[0-9a-f]+ *\t(\S+)\t?(.*)", line)
            if m and name:
                to = re.search(r"\b([0-9a-f]+) <", m.group(3))
                self.insn[int(m.group(1), 16)] = (m.group(2), int(to.group(1), 16) if to else None)
                self.of[int(m.group(1), 16)] = name
        self.spots = {}
        table = subprocess.run([prefix + "addr2line", "-a", "-i", "-f", "-e", path],
                               input="".join("%x\n" % a for a in self.insn), text=True,
                               stdout=subprocess.PIPE, check=True).stdout.splitlines()
        lines = iter(table)
        for line in lines:
            if line.startswith("0x"):
                now = self.spots.setdefault(int(line, 16), [])
                continue
            m = re.search(r":(\d+|\?)(?: \(discriminator (\d+)\))?$", next(lines))
            now.insert(0, (line, 0 if m.group(1) == "?" else int(m.group(1)), int(m.group(2) or 0)))

    def spot(self, addr, last):
        """FUNCTION:LINE @ ... of an instruction; last: with the line of the innermost function"""
        chain = []
        for i, (name, line, discriminator) in enumerate(self.spots[addr]):
            at = "%s:%d" % (name, line - self.line[name]) + (".%d" % base(discriminator) if base(discriminator) else "")
            chain.append(at if last or i + 1 < len(self.spots[addr]) else name)
        return " @ ".join(chain)


    def leaf(self, addr):
        """The line of an instruction in the innermost function"""
        return self.spot(addr, True).rsplit(":", 1)[1]


class Walk:
    def __init__(self, program, seed):
        self.p, self.random = program, random.Random(seed)
        self.steps, self.ran, self.called = [], collections.Counter(), collections.Counter()
        self.folded, self.tails, self.fell = 0, 0, set()

    def text(self, context, addr):
        return " @ ".join([self.p.spot(site, True) for site, _ in context[1:]] + [self.p.spot(addr, False)])

    def call(self, context, site, to):
        """The context of what is called: in a recursion the call that was made there before stands for this one"""
        new = context + ((site, self.p.start[to]),)
        child = "" if self.p.spots[site][-1][2] else self.text(new, to)
        self.called[self.text(context, site), child, site, to] += 1
        self.folded += new[-1] in context
        return new[:new.index(new[-1]) + 1]

    def run(self, function, limit):
        """Returns false if the walk does not end."""
        pc = next(a for a, n in self.p.start.items() if n == function)
        others = sorted(a for a, n in self.p.start.items() if n.startswith("on_"))
        context, stack = ((None, function),), []
        self.steps.append("S %x" % pc)
        while len(self.steps) < limit:
            what, to = self.p.insn[pc]
            if what == "ret" and not stack:
                self.steps += ["X %x" % pc, "O"]
                return True
            self.ran[self.text(context, pc), self.p.leaf(pc), pc] += 1
            taken = what in ("b", "bl", "blr", "br", "ret")
            if what in ("cbz", "cbnz", "tbz", "tbnz") or what.startswith("b."):
                taken = self.random.random() < 0.5
                self.steps += [] if taken else ["N"]
            if not taken:
                pc += 4
                if pc in self.p.start:
                    # Into the next function, which nobody called
                    if self.p.of[last] == self.p.of[pc - 4]:
                        self.fell.add(self.p.of[last])
                    context = ((None, self.p.start[pc]),)
                continue
            last = pc
            if what in ("blr", "br"):
                to = self.random.choice(others)
            if what in ("bl", "blr"):
                stack.append((pc + 4, context))
                context = self.call(context, pc, to)
            elif what == "ret":
                to, context = stack.pop()
            elif to in self.p.start and self.p.start[to] != self.p.of[pc]:
                self.tails += 1
                context = self.call(context, pc, to)
            self.steps.append("I %x" % to if what in ("blr", "br", "ret") else "E")
            pc = to
        return False


def walk(prefix, program, source, steps, want):
    p = Program(prefix, program, source)
    for seed in range(10000):
        w = Walk(p, seed)
        if not w.run("main", 3000) or len(w.steps) < 100 or w.folded < 3 or w.tails < 3 or len(w.fell) < 2 or \
           set(p.start.values()) - {"lost"} - {p.of[pc] for *_, pc in w.ran}:
            continue
        if w.run("lost", 3000):
            break
    else:
        sys.exit("no walk is long enough")
    open(steps, "w").write("\n".join(w.steps) + "\n")
    json.dump({"ran": [(*k, n) for k, n in w.ran.items()], "called": [(*k, n) for k, n in w.called.items()]},
              open(want, "w"))
    print("%d steps, %d contexts, %d folded, %d tail calls" % (
        len(w.steps), len({c for c, *_ in w.ran}), w.folded, w.tails))


def read(profile):
    """Counts of instructions by (context, address), of calls by (context, from, to)"""
    ran, called, context = collections.Counter(), collections.Counter(), ""
    lines = iter(open(profile).read().splitlines())
    for line in lines:
        if line.startswith("["):
            context = line[1:-1]
            line = next(lines)
        for i in range(int(line)):
            first, last, n = re.fullmatch(r" *([0-9a-f]+)-([0-9a-f]+):(\d+)", next(lines)).groups()
            for addr in range(int(first, 16), int(last, 16) + 4, 4):
                ran[context, addr] += int(n)
        for i in range(int(next(lines))):
            source, to, n = re.fullmatch(r" *([0-9a-f]+)->([0-9a-f]+):(\d+)", next(lines)).groups()
            called[context, int(source, 16), int(to, 16)] += int(n)
    return ran, called


def differ(got, want, what):
    for key in sorted(set(got) | set(want), key=str):
        if got[key] != want[key]:
            sys.exit("%s %s: %d, want %d" % (what, " ".join("%x" % k if isinstance(k, int) else k for k in key),
                                             got[key], want[key]))
    if not want:
        sys.exit("nothing to compare")


def wanted(path, rounds):
    w = json.load(open(path))
    return [collections.Counter({tuple(k): n * int(rounds) for *k, n in w[what]}) for what in ("ran", "called")]


def text(profile, want, rounds):
    ran, called = read(profile)
    want_ran, want_called = wanted(want, rounds)
    differ(ran, collections.Counter({(c, a): n for (c, _, a), n in want_ran.items()}), "instruction")
    differ(called, collections.Counter({(c, a, b): n for (c, _, a, b), n in want_called.items()}), "call")


def flat(profile, contexts):
    sums = []
    for path in profile, contexts:
        by_address = collections.Counter()
        for (_, addr), n in read(path)[0].items():
            by_address[addr,] += n
        sums.append(by_address)
    for addr in set(sums[0]) - set(sums[1]):
        del sums[0][addr]    # without a line
    differ(*sums, "instruction")


def profgen(got, want, rounds):
    """Entries and lines of each context

    The count of a line is that of its most executed instruction. llvm-profgen adds to it for a function that
    was called there and has no entries: because it is inlined, or because the call has a discriminator, for
    which llvm-profgen keeps entries apart.
    """
    ran, called = wanted(want, rounds)
    heads, lines = collections.Counter(), collections.Counter()
    contexts = {c for c, *_ in ran}
    for (_, child, _, _), n in called.items():
        if child:
            heads[child,] += n
    for (context, leaf, _), n in ran.items():
        lines[context, leaf] = max(n, lines[context, leaf])
    for context in contexts:
        if " @ " in context and not heads[context,]:
            del lines[tuple(context.rsplit(" @ ", 1)[0].rsplit(":", 1))]
    got_heads, got_lines, context = collections.Counter(), collections.Counter(), None
    for line in open(got):
        m = re.fullmatch(r"\[(.*)\]:\d+:(\d+)", line.strip())
        if m:
            context = m.group(1)
            got_heads[context,] = int(m.group(2))
        m = re.match(r" ([0-9.]+): (\d+)", line)
        if m and (context, m.group(1)) in lines:
            got_lines[context, m.group(1)] = int(m.group(2))
    for context in contexts - {c for c, in got_heads}:
        sys.exit("there is no context " + context)
    differ(got_lines, lines, "line")
    differ(collections.Counter({k: n for k, n in got_heads.items() if k in heads}), heads, "entries of")
    print("%d contexts, %d lines, %d entries" % (len(contexts), len(lines), sum(heads.values())))


if __name__ == "__main__":
    {"walk": walk, "text": text, "flat": flat, "profgen": profgen}[sys.argv[1]](*sys.argv[2:])
