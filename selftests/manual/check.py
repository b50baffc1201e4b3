#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
Holds the project's tables against a copy of the Arm manual as Markdown.

check.py --manual DIR [--top DIR] [--explained FILE] [--model PROGRAM] [--verbose] [PART...]
  --model    the program made of access.c; without it no access is tried
  PART       encodings presence registers access traps packets; all if none is named

Prints each difference that the list of explained ones does not have, each line of that list that
is met by no difference, and at last "N differences, N explained". Exit status 0 iff that is
all; 2 if the manual cannot be read.
"""
import argparse
import os
import re
import sys

import access
import fields
import packets
import page
import table
import traps

HERE = os.path.dirname(os.path.abspath(__file__))
PARTS = 'encodings presence registers access traps packets'.split()


def explanations(path):
    """-> [(line number, pattern, reason)]; a pattern's * stands for anything"""
    out = []
    with open(path, encoding='utf-8') as f:
        for no, l in enumerate(f, 1):
            if not l.strip() or l.startswith('#'):
                continue
            pattern, bar, reason = l.partition(' | ')
            if not bar or not reason.strip():
                raise SystemExit('%s:%d: a difference, " | " and a reason, please' % (path, no))
            out.append((no, pattern.strip(), reason.strip()))
    return out


def matches(pattern, line):
    return re.fullmatch('.*'.join(re.escape(x) for x in pattern.split('*')), line) is not None


def main():
    p = argparse.ArgumentParser()
    p.add_argument('--manual', required=True)
    p.add_argument('--top', default=os.path.join(HERE, '../..'))
    p.add_argument('--explained', default=os.path.join(HERE, 'explained'))
    p.add_argument('--model')
    p.add_argument('--verbose', action='store_true')
    p.add_argument('part', nargs='*')
    a = p.parse_args()
    for x in a.part:
        if x not in PARTS:
            p.error('no such part: ' + x)
    parts = a.part or PARTS
    regs = table.read(os.path.join(a.top, 'include/v9trace/tables/sysreg'))
    pages = page.read_all(a.manual)
    if not regs or not pages:
        print('check.py: no register pages (D24.*.md) in %s' % a.manual, file=sys.stderr)
        return 2

    found = []

    def say(line):
        if line not in found:
            found.append(line)

    counts = ['%d registers' % len(regs), '%d pages' % len(pages)]
    if 'encodings' in parts:
        fields.encodings(regs, pages, say)
    if 'presence' in parts:
        fields.presence(regs, pages, say)
    if 'registers' in parts:
        fields.registers(regs, pages, say)
    if 'access' in parts and a.model:
        counts.append('%d accesses' % access.compare(regs, pages, a.model, say))
    if 'traps' in parts:
        traps.compare(regs, pages, a.top, say)
    if 'packets' in parts:
        counts.append('%d headers and values of SPE' % packets.spe(a.manual, a.top, say))
        counts.append('%d of ETE' % packets.ete(a.manual, a.top, say))
        counts.append('%d exceptions' % packets.exceptions(a.manual, a.top, say))

    known = explanations(a.explained)
    met, explained = set(), 0
    for line in found:
        why = [(no, reason) for no, pattern, reason in known if matches(pattern, line)]
        met |= {no for no, _ in why}
        explained += bool(why)
        if not why:
            print(line)
        elif a.verbose:
            print('%s | %s' % (line, why[0][1]))
    stale = [(no, pattern) for no, pattern, _ in known if no not in met] if parts == PARTS else []
    for no, pattern in stale:
        print('stale: %s:%d: %s' % (os.path.relpath(a.explained), no, pattern))
    if a.verbose:
        print('# ' + ', '.join(counts))
    print('%d differences, %d explained' % (len(found), explained))
    return 0 if explained == len(found) and not stale else 1


if __name__ == '__main__':
    sys.exit(main())
