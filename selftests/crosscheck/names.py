#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# Names of kernel addresses, compared with a copy of /proc/kallsyms: names.py KALLSYMS FILE...
# FILE is the output of "v9trace script -F el,pc,sym". A line per file: how many addresses have a name
# of the kernel, how many one of a module; how many have another name than in kallsyms; and how many
# have none, although kallsyms has a function of that object below it.
import bisect
import re
import sys

KERNEL = '[kernel.kallsyms]'
LINE = re.compile(r'EL[0-3] ([0-9a-f]{16}) (.*) \((.*)\)$')


def read_kallsyms(path):
    """Returns ascending addresses of functions, and of each the set of (name, owner)."""
    symbols = {}
    with open(path, encoding='ascii') as file:
        for line in file:
            fields = line.split()
            if fields[1] in 'tTwW':
                owner = fields[3] if len(fields) > 3 else KERNEL
                symbols.setdefault(int(fields[0], 16), set()).add((fields[2], owner))
    return sorted(symbols), symbols


def main():
    addresses, symbols = read_kallsyms(sys.argv[1])
    for path in sys.argv[2:]:
        kernel = modules = wrong = missing = 0
        first = ''
        with open(path, encoding='utf-8') as file:
            for line in file:
                match = LINE.match(line)
                if not match or int(match[1], 16) < 1 << 63:
                    continue
                at, place, owner = int(match[1], 16), match[2], match[3]
                below = bisect.bisect_right(addresses, at) - 1
                start = addresses[max(below, 0)]
                have = symbols[start] if below >= 0 else set()
                if place == '[unknown]':
                    missing += any(o == owner for _, o in have)
                    continue
                name, _, offset = place.rpartition('+')
                if (name, owner) not in have or int(offset, 16) != at - start:
                    wrong += 1
                    first = first or f' {at:x} is {sorted(have)}, not {place} ({owner})'
                elif owner == KERNEL:
                    kernel += 1
                else:
                    modules += 1
        print(f'{kernel} {modules} {wrong} {missing}{first}')


main()
