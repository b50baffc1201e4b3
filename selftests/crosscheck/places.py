# SPDX-License-Identifier: GPL-2.0-only
"""Places of sampled instructions in the model's list of traced ones.

places.py LOG PCLOG LEAST    LOG is that of -cpu max,v9-log=, PCLOG.0, PCLOG.1 ... are those of v9-pclog=

Each record with at_insn must name an instruction of the list with the address of the record, and those of a
CPU in order. The instruction after a branch must be the one that the record says execution went to, unless
the list has a gap there or an exception came between. At least LEAST records of each CPU must have a place.
Prints what it counted, or the first error with exit status 1.
"""
import json
import os
import struct
import sys

ADDRESS = (1 << 56) - 1		# a record has the Exception level in the top byte


def instructions(path):
    """Of each range its first index and address, and number of instructions; a gap has number 0."""
    first = 0
    with open(path, 'rb') as f:
        while data := f.read(16 << 16):
            for start, end in struct.iter_unpack('<QQ', data[:len(data) & ~15]):
                yield first, start, (end - start) // 4
                first += (end - start) // 4


def check(path, records):
    ranges = instructions(path)
    first, start, n = next(ranges)
    branches = after = 0
    for r in records:
        at, pc = r['at_insn'], int(r['pc'], 16)
        while at >= first + n:
            first, start, n = next(ranges, (1 << 64, 0, 0))
            if first == 1 << 64:
                return f'record {r["n"]}: index {at} is behind the end'
        if at < first:
            return f'record {r["n"]}: index {at} is before that of the one before'
        here = start + 4 * (at - first)
        if here & ADDRESS != pc:
            return f'record {r["n"]}: index {at} is {here:#x}, the record has {pc:#x}'
        if r.get('op') != '0x4a':
            continue
        # Is it the last one of its range? Then the next range goes on where the branch went.
        branches += 1
        want = int(r['tgt'], 16) if 'tgt' in r else pc + 4
        if at + 1 < first + n:
            follows = here + 4
        else:
            first, start, n = next(ranges, (first + n, 0, 0))
            if not n:
                continue
            follows = start
        if follows & ADDRESS != want and follows & 0x7f:
            return f'record {r["n"]}: index {at} goes to {follows:#x}, the record to {want:#x}'
        after += follows & ADDRESS == want
    return branches, after


def main():
    log, pclog, least = sys.argv[1], sys.argv[2], int(sys.argv[3])
    records, without = {}, 0
    with open(log) as f:
        for line in f:
            if '"k":"rec"' not in line:
                continue
            r = json.loads(line)
            if 'at_insn' in r:
                records.setdefault(r['cpu'], []).append(r)
            else:
                without += 1
    cpus = [n for n in range(8) if os.path.exists(f'{pclog}.{n}')]
    for cpu in cpus:
        of = records.get(cpu, [])
        if len(of) < least:
            return f'CPU {cpu}: {len(of)} records have a place'
        result = check(f'{pclog}.{cpu}', of)
        if isinstance(result, str):
            return f'CPU {cpu}, {result}'
        if result[1] < least // 10:
            return f'CPU {cpu}: {result[1]} of {result[0]} branches have an instruction behind them'
        print(f'CPU {cpu}: {len(of)} with a place, {result[0]} branches, {result[1]} with what follows')
    print(f'{without} without a place')
    return None if cpus else 'no list'


error = main()
if error:
    print(error)
    sys.exit(1)
