# SPDX-License-Identifier: GPL-2.0-only
"""The sums of v9trace report --calls --limit 0 --json against those made here of the branches that
v9trace script --json prints.

  branches.py SCRIPT REPORT [SHOWS]     SHOWS: what the event records: joins, calls, nested

Prints "ok: ..." or the first row that differs. Written from the manual pages, not from the program.
"""
import collections
import json
import sys

NONE = '[not recorded]'
UNKNOWN = '[unknown]'
CALLS = {'call', 'ind_call', 'cond_call'}
ENTERS = CALLS | {'syscall', 'irq', 'serror', 'fault_algn', 'fault_data', 'fault_inst', 'fiq',
                  'debug_halt', 'debug_inst', 'debug_data'}
RETURNS = {'ret', 'sysret', 'cond_ret', 'eret', 'debug_exit'}


class Wrong(Exception):
    """What does not agree"""


def place(e, side):
    """(function, offset, object); all places without a function are one of their object."""
    if side not in e:
        return (NONE, 0, None)
    dso = e.get(side + '_dso', UNKNOWN)
    if side + '_sym' not in e:
        return (UNKNOWN, 0, dso)
    return (e[side + '_sym'], int(e[side + '_offset'], 16), dso)


def function(e, side):
    name, _, dso = place(e, side)
    return (name, dso)


def named(text, dso):
    """A place as the report has it"""
    if text == NONE:
        return (NONE, 0, None)
    if text.startswith('0x'):
        return (UNKNOWN, 0, dso)
    name, plus, offset = text.rpartition('+0x')
    return (name, int(offset, 16), dso) if plus else (text, 0, dso)


def percentile(cycles, percent):
    """The smallest value such that at least so many percent are not greater"""
    cycles = sorted(cycles)
    return cycles[max(0, -(-len(cycles) * percent // 100) - 1)]


class Sums:
    def __init__(self, shows):
        self.shows = shows
        self.branches = collections.defaultdict(lambda: [0, 0, 0, 0, 0])	# n, M, -, timed, cycles
        self.sources = collections.defaultdict(lambda: [0, 0])	# M, n of each address
        self.blocks = collections.defaultdict(list)	# (start, end) -> (cycles, caller)
        self.chains = collections.Counter()
        self.lost = collections.Counter()
        self.samples = 0

    def add(self, stack):
        self.samples += 1
        if not stack:
            self.lost['empty_stacks'] += 1
            return
        calls, older = [], None
        for e in reversed(stack):
            if older is not None and 'joins' in self.shows:
                start, end = older.get('to'), e.get('from')
                length = int(end, 16) - int(start, 16) if start and end else None
                if length is not None and 0 <= length < 65536:
                    self.blocks[place(older, 'to'), place(e, 'from')].append(
                        (e.get('cycles', 0), place(calls[-1], 'from') if calls else None))
                elif start or end:
                    self.lost['holes'] += 1
                    calls = []
            kind = e.get('branch_type')
            b = self.branches[kind, place(e, 'from'), place(e, 'to')]
            b[0] += 1
            b[1] += e.get('prediction') == 'mispredicted'
            b[2] += 'prediction' not in e
            b[3] += 'cycles' in e
            b[4] += e.get('cycles', 0)
            src = self.sources[kind, place(e, 'from'), e.get('from')]
            src[0] += e.get('prediction') == 'mispredicted'
            src[1] += 1
            self.lost['half_branches'] += 'from' not in e or 'to' not in e
            if 'nested' in self.shows or ('calls' in self.shows and kind in ENTERS):
                calls.append(e)
            elif 'calls' in self.shows and kind in RETURNS and calls:
                call = calls.pop()
                back = int(e.get('to', '0'), 16) - int(call.get('from', '0'), 16)
                if not (0 if call['branch_type'] not in CALLS else 1) <= back <= 15:
                    self.lost['misfits'] += 1
                    calls = []
            older = e
        if 'calls' in self.shows or 'nested' in self.shows:
            path = [function(stack[0], 'to')] + [function(c, 'from') for c in reversed(calls)]
            self.chains[tuple(path)] += 1


def equal(what, got, want):
    if got != want:
        raise Wrong(f'{what}: {got}, not {want}')


def near(what, got, want):
    if (got is None) != (want is None) or (got is not None and abs(got - want) > 0.001):
        raise Wrong(f'{what}: {got}, not {want}')


def check_branches(s, rows):
    total = sum(b[0] for b in s.branches.values())
    got = collections.defaultdict(lambda: [0, 0, 0, 0])
    for r in rows:
        key = r['type'], named(r['from'], r['from_dso']), named(r['to'], r['to_dso'])
        b = got[key]
        b[0] += r['branches']
        b[1] += r['mispredicted']
        b[2] += r['unknown_prediction']
        near(f'share of {key}', r['percent'], 100 * r['branches'] / total)
        known = r['branches'] - r['unknown_prediction']
        near(f'mispredicted share of {key}', r['mispredicted_percent'],
             100 * r['mispredicted'] / known if known else None)
        w = s.branches.get(key)
        if w and w[0] == r['branches']:
            near(f'cycles of {key}', r['cycles_mean'], w[4] / w[3] if w[3] else None)
    equal('number of branches', len(got), len(s.branches))
    for key, w in s.branches.items():
        equal(f'branch {key}', got[key][:3], w[:3])
    return total


def check_mispredicts(s, rows):
    want = collections.defaultdict(lambda: [0, 0])
    for (kind, src, _), b in s.sources.items():
        if b[0]:		# several functions may have one name: by address
            want[kind, src][0] += b[0]
            want[kind, src][1] += b[1]
    got = collections.defaultdict(lambda: [0, 0])
    for r in rows:
        key = r['type'], named(r['from'], r['from_dso'])
        got[key][0] += r['mispredicted']
        got[key][1] += r['branches']
    for key, w in want.items():
        if key[1][0] != UNKNOWN:
            equal(f'mispredicted {key}', got.get(key), w)
    equal('mispredicted branches', sum(r['mispredicted'] for r in rows), sum(w[0] for w in want.values()))


def block_of(r):
    start = named(r['block'], r['dso'])
    end = r['end']
    return start, (start[0], int(end[1:], 16), start[2]) if end.startswith('+') else named(end, r['dso'])


def check_blocks(s, rows):
    equal('times of blocks', sum(r['times'] for r in rows), sum(len(b) for b in s.blocks.values()))
    cycles = sum(c for b in s.blocks.values() for c, _ in b)
    equal('cycles of blocks', sum(r['cycles'] for r in rows), cycles)
    n = 0
    names = collections.Counter(block_of(r) for r in rows)
    for r in rows:
        start, end = block_of(r)
        if names[start, end] > 1 or UNKNOWN in (start[0], end[0]) or start[0] != end[0]:
            continue
        b = s.blocks.get((start, end))
        if b is None:
            raise Wrong(f'block {start} {end}: there is none')
        timed = [c for c, _ in b if c]
        key = f'block {start} {end}'
        equal(key, [r['times'], r['timed'], r['cycles'], r['saturated']],
              [len(b), len(timed), sum(timed), sum(c == 65535 for c in timed)])
        for p, name in (50, 'p50'), (90, 'p90'), (99, 'p99'), (100, 'max'):
            equal(f'{key} {name}', r[name], percentile(timed, p) if timed else None)
        n += 1
    return n


def check_block_callers(s, rows, blocks):
    n = 0
    names = collections.Counter((r['block'], r['end']) for r in blocks)
    for r in rows:
        if names[r['block'], r['end']] > 1:
            continue
        start = named(r['block'], UNKNOWN)[:2]
        end = r['end']
        end = (start[0], int(end[1:], 16)) if end.startswith('+') else None
        caller = None if r['caller'] == '[before the stack]' else named(r['caller'], None)[:2]
        found = [b for (x, y), b in s.blocks.items() if x[:2] == start and y[:2] == end]
        if len(found) != 1 or start[0] == UNKNOWN or (caller and caller[0] == UNKNOWN):
            continue
        timed = [c for c, who in found[0] if c and (who and who[:2]) == caller]
        limit = percentile([c for c, _ in found[0] if c], 90)
        key = f'block {start} called from {caller}'
        equal(key, [r['times'], r['limit'], r['slow']], [len(timed), limit, sum(c > limit for c in timed)])
        for p, name in (50, 'p50'), (90, 'p90'), (99, 'p99'), (100, 'max'):
            equal(f'{key} {name}', r[name], percentile(timed, p))
        n += 1
    return n


def check_callers(s, rows):
    want, ends = collections.Counter(), collections.Counter()
    for path, times in s.chains.items():
        ends[path] += times
        for i in range(len(path)):
            want[path[:i + 1]] += times
    got, at, path = collections.Counter(), collections.Counter(), []
    for r in rows:
        if r['symbol'] == '[before the stack]':
            at[tuple(path[:r['depth']])] += r['samples']
            continue
        path = path[:r['depth']] + [(r['symbol'], r['dso'])]
        got[tuple(path)] += r['samples']
    equal('number of paths', len(got), len(want))
    for p in want:
        equal(f'path {p}', (got[p], at[p]), (want[p], ends[p]))
    return len(want)


def main():
    s = Sums(sys.argv[3].split(',') if len(sys.argv) > 3 else ['joins', 'calls'])
    with open(sys.argv[1], encoding='utf-8') as f:
        for line in f:
            sample = json.loads(line)
            if 'branches' in sample:
                s.add(sample['branches'])
    with open(sys.argv[2], encoding='utf-8') as f:
        report = json.load(f)
    total = check_branches(s, report['branches'])
    check_mispredicts(s, report['mispredicts'])
    blocks = check_blocks(s, report['blocks'])
    callers = check_block_callers(s, report['block_callers'], report['blocks'])
    paths = check_callers(s, report['callers'])
    lost = {r['kind']: r['count'] for r in report['lost']}
    for kind in 'empty_stacks', 'half_branches', 'holes', 'misfits':
        equal(kind, lost[kind], s.lost[kind])
    equal('samples', report['summary']['samples'], s.samples)
    print(f'ok: {s.samples} samples, {total} branches, {blocks} blocks, {callers} by caller, {paths} paths')


try:
    main()
except (Wrong, OSError, ValueError) as e:
    print(e)
    sys.exit(1)
