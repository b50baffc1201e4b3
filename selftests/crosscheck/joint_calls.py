# SPDX-License-Identifier: GPL-2.0-only
"""Samples inside the longest calls, and shares of samples, against other witnesses.

joint_calls.py CALLS PLACES TABLES FUNCTION    CALLS is what v9trace report --joint --calls-of FUNCTION --json
printed, PLACES script --joint --json, TABLES report --joint --json

A call has at least the samples that are exact, have FUNCTION in their path and a time inside it, but for the
bounds of the clocks, and at most those with any candidate and a time within the wider bounds. The model samples
one in so many instructions, whichever these are: of five functions with a ratio of the share of samples to that
of instructions, four have 100 % in their interval. Prints what it counted, or the first error with exit status 1.
"""
import json
import sys

SLACK = 2000		# ns: a stamp and its instruction, and the latency


def main():
    with open(sys.argv[1]) as f:
        calls = json.load(f)
    with open(sys.argv[2]) as f:
        places = [json.loads(line) for line in f]
    with open(sys.argv[3]) as f:
        rows = json.load(f)['joint_sampling']
    clocks = calls['joint_clocks'][0]
    inside = 0
    for call in calls['longest_calls']:
        n = sum(r['samples'] for r in calls['joint_call_samples'] if r['call'] == call['call'])
        begin, end = call['begin_ns'], call['begin_ns'] + call['ns']
        least = most = 0
        for p in places:
            early, late = (p['time'] + clocks[f'offset_{which}_ns'] for which in ('least', 'most'))
            most += p['candidates'] > 0 and late >= begin - SLACK and early <= end + SLACK
            least += (p['place'] == 'exact' and sys.argv[4] in p['path'] and p['tid'] == call['tid'] and
                      early >= begin + SLACK and late <= end - SLACK)
        if not least <= n <= most:
            return f'{n} samples, want {least} to {most}: {call}'
        inside += n
    known = [r for r in rows if r['ratio_percent'] is not None]
    fair = [r for r in known if r['ratio_percent_least'] <= 100 <= r['ratio_percent_most']]
    if any((r['n'] >= 30) != (r['ratio_percent'] is not None) for r in rows):
        return 'a ratio of fewer than 30 samples, or none of 30'
    print(f'{inside} samples in {len(calls["longest_calls"])} calls of {sys.argv[4]}, '
          f'{len(fair)} of {len(known)} functions as often as executed')
    if not inside or not known or 5 * len(fair) < 4 * len(known):
        return 'too few'
    return None


error = main()
if error:
    print(error)
    sys.exit(1)
