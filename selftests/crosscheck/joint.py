# SPDX-License-Identifier: GPL-2.0-only
"""Places of samples in the trace against the model's.

joint.py LOG PLACES LEAST [LIKELY]    LOG is that of -cpu max,v9-log=, PLACES what v9trace script --joint --json printed

Each sample that is called exact must be of the instruction that the log names, and be traced. The sampled
instruction must be among the candidates of any other sample that has some and no gap; of one with neither it
must not be traced. At least LEAST samples must be exact. An instruction that is called likely must be the sampled one.
At least LIKELY samples must have one; without LIKELY none must, because the interval has a random part. Prints what it
counted, or the first error with exit status 1.
"""
import json
import sys

ADDRESS = (1 << 56) - 1		# a record has the Exception level in the top byte
NOT_EXECUTED = 'not executed'


def records(log):
    found = {}
    with open(log) as f:
        for line in f:
            if '"k":"rec"' not in line:
                continue
            r = json.loads(line)
            if 'ts' in r and 'pc' in r:
                found.setdefault((r['cpu'], int(r['ts'], 16), int(r['pc'], 16) & ADDRESS), []).append(r)
    return found


def wrong(p, truth):
    """Why the place is wrong, or None."""
    if p['place'] == 'exact' and (truth != p['first'] or p['candidates'] != 1):
        return 'it is called exact'
    if 'likely' in p and truth != p['likely']:
        return 'another one is called likely'
    if p['place'] == NOT_EXECUTED or p['gaps']:
        return None
    if truth is None:
        return 'it was not traced' if p['candidates'] else None
    if not p['candidates']:
        return 'it was traced'
    return None if p['first'] <= truth <= p['last'] else 'it is no candidate'


def compare(log, places):
    """Yields each place with the number of the instruction that was sampled (None: not traced) and what is wrong."""
    with open(places) as f:
        for line in f:
            p = json.loads(line)
            of = log.get((p['cpu'], int(p['ts'], 16), int(p['pc'], 16) & ADDRESS), [])
            if not of:
                yield p, None, f'the log has no such record: {line}'
                return
            truth = of.pop(0).get('at_insn')
            why = wrong(p, truth)
            yield p, truth, why and f'the instruction is {truth}, and {why}: {line}'


def main():
    log, places, least = records(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    least_likely = int(sys.argv[4]) if sys.argv[4:] else 0
    classes, traced, likely = {}, 0, 0
    for p, truth, why in compare(log, places):
        if why:
            return why
        classes[p['place']] = classes.get(p['place'], 0) + 1
        traced += truth is not None
        likely += 'likely' in p
    print(', '.join(f'{n} {c}' for c, n in sorted(classes.items())), f'; {traced} traced; {likely} likely')
    n = classes.get('exact', 0)
    if likely < least_likely or (likely and not least_likely):
        return f'{likely} are likely, want {least_likely}'
    return None if n >= least else f'{n} are exact, want {least}'


if __name__ == '__main__':
    error = main()
    if error:
        print(error)
        sys.exit(1)
