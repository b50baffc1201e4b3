# SPDX-License-Identifier: GPL-2.0-only
"""Branch stacks of perf against what the model recorded, and against the instructions of a trace.

  stacks.py log LOG STACKS...   each stack is a state of the buffer in the model's LOG, and they come
                                in the order of the log, those of one file after another.
                                STACKS=TYPE,TYPE: of each state, only the records of these types
  stacks.py path PCS STACKS     each stack is a part of the path PCS, cycles included, in this order

STACKS: perf script -F cpu,brstack of a session with --sample-cpu. PCS: perf script --itrace=i1i -F ip, all of one task. One line of
output for each file: "ok: ..." or why not.
"""
import json
import sys

# How the driver of Linux tells the types of D24.8.6; it leaves out the records of all others.
PERF_TYPE = {
    0x00: 'UNCOND', 0x01: 'IND', 0x02: 'CALL', 0x03: 'IND_CALL', 0x05: 'RET', 0x07: 'ERET',
    0x08: 'COND', 0x22: 'SYSCALL', 0x23: 'IRQ', 0x24: 'SERROR', 0x2a: 'FAULT_ALGN',
    0x2b: 'FAULT_INST', 0x2c: 'FAULT_DATA', 0x2e: 'IRQ',
}


class Wrong(Exception):
    """What does not agree"""


def cycles(inf):
    """The cycle count of BRBINF<n>_EL1 as perf has it: 0 if unknown, at most 16 bits"""
    e, m = inf >> 40 & 0x3f, inf >> 32 & 0xff
    if inf >> 46 & 1:
        return 0
    return min((256 + m) << (e - 1) if e else m, 0xffff)


def entry(inf, src, tgt):
    kind = PERF_TYPE.get(inf >> 8 & 0x3f)
    how = '-' if not inf & 2 else 'M' if inf >> 5 & 1 else 'P'	# no source: not known
    return kind and (src, tgt, how, cycles(inf), kind)


def stops(path):
    """CPU -> stacks at each pause, oldest first"""
    found = {}
    with open(path, encoding='ascii') as f:
        for line in f:
            if '"k":"branches"' not in line:
                continue
            stop = json.loads(line)
            stack = [entry(*(int(x, 16) for x in rec)) for rec in stop['rec']]
            found.setdefault(stop['cpu'], []).append([e for e in stack if e])
    return found


def stacks(path):
    """(CPU, stack) of each sample"""
    with open(path, encoding='ascii') as f:
        for line in f:
            words = line.split()
            stack = []
            for w in words[1:]:
                src, tgt, how, _, _, count, kind = w.split('/')[:7]
                stack.append((int(src, 16), int(tgt, 16), how, int(count), kind))
            if words:
                yield int(words[0].strip('[]')), stack


def against_log(log, path, places):
    path, _, only = path.partition('=')
    if only:
        log = {cpu: [[e for e in stack if e[4] in only.split(',')] for stack in all_of]
               for cpu, all_of in log.items()}
    n = entries = 0
    for cpu, stack in stacks(path):
        if not stack:
            continue		# it claims nothing
        here = log.get(cpu, [])
        at = places.get(cpu, 0)
        while at < len(here) and here[at] != stack:
            at += 1
        if at == len(here):
            raise Wrong(f'sample {n}: its stack of {len(stack)} is not in the log of CPU {cpu} '
                        'after those before it')
        places[cpu] = at + 1
        n += 1
        entries += len(stack)
    if not entries:
        raise Wrong('no stack at all')
    return f'{n} stacks of {entries} branches'


def path_of(file):
    """The path as taken branches: [from, to], and for each the instructions up to it"""
    taken, before, last, n = [], [], None, 0
    with open(file, encoding='ascii') as f:
        for line in f:
            pc = int(line, 16)
            if last is not None and pc != last + 4:
                taken.append((last, pc))
                before.append(n)
            last = pc
            n += 1
    return taken, before


def against_path(file, path):
    """An instruction is a cycle; entries with an unknown count follow a visit to the kernel."""
    taken, before = path_of(file)
    numbers = {}

    def emulated(e, after):
        """The kernel emulated the instruction at the target (MRS of an ID register)."""
        return numbers.get((e[0], e[1] + 4)) if not after or not after[3] else None

    code = b''.join(numbers.setdefault(t, len(numbers)).to_bytes(4, 'little') for t in taken)
    n = entries = counted = start = 0
    for _, stack in stacks(path):
        if not stack:
            continue
        old = stack[::-1]
        want = [numbers.get(e[:2], emulated(e, after)) for e, after in zip(old, old[1:] + [None])]
        if None in want:
            raise Wrong(f'sample {n}: the path has no branch {old[want.index(None)][0]:#x}')
        want = b''.join(w.to_bytes(4, 'little') for w in want)
        at = code.find(want, start)
        while at >= 0 and (at % 4 or not all(
                not e[3] or e[3] == before[at // 4 + i] - before[at // 4 + i - 1]
                for i, e in enumerate(old) if i)):
            at = code.find(want, at + 1)
        if at < 0:
            raise Wrong(f'sample {n}: its stack of {len(stack)} is no part of the rest of the path')
        start = at
        n += 1
        entries += len(old)
        counted += sum(1 for e in old[1:] if e[3])
    if not entries:
        raise Wrong('no stack at all')
    if counted * 2 < entries:
        raise Wrong(f'only {counted} of {entries} branches have cycles')
    return f'{n} stacks of {entries} branches, {counted} with cycles'


def main():
    how, first, rest = sys.argv[1], sys.argv[2], sys.argv[3:]
    log, places = (stops(first), {}) if how == 'log' else (None, None)
    bad = False
    for path in rest:
        try:
            said = against_log(log, path, places) if log is not None else against_path(first, path)
            print('ok:', said)
        except (Wrong, ValueError, OSError) as e:
            print(e)
            bad = True
    return bad


if __name__ == '__main__':
    sys.exit(main())
