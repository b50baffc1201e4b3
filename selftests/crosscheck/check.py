# SPDX-License-Identifier: GPL-2.0-only
"""What v9trace record --check wrote, against the counters of the model.

check.py BOOT DIR V9TRACE    DIR has model.json, NAME.json (summaries) and NAME.data of a boot of check.sh

Prints a line "ok NAME" or "no NAME WHY" for each comparison.
"""
import glob
import json
import os
import struct
import subprocess
import sys

COUNTS = 244			# PD_COUNTS, perfdata.h
HEADER = 104			# bytes of perf's header; bit maps of sections from byte 72 on
FILTRATE = 0x4002
# counter of the model for each event, summed over the CPUs
SCORE = {'SAMPLE_POP': 'pop', 'SAMPLE_FEED': 'samples', 'SAMPLE_FILTRATE': 'passed', 'SAMPLE_COLLISION': 'collided'}
# The flag of a collision: arm_spe_pmu sets it only where the unit ended a window, for collisions since the last one.
LATE = 'SAMPLE_COLLISION'
# options of units from FEAT_SPEv1p2 on; arm_spe_pmu of Linux 6.1 has neither
LATER = {'discard', 'inv_event_filter'}
# events that are as many as the records, because the filter of that recording is alone
FILTERS = {'loads': 'SAMPLE_FEED_OP', 'slow': 'SAMPLE_FEED_LAT', 'missed': 'SAMPLE_FEED_EVENT'}


def tell(name, right, why=''):
    print(f'ok {name}' if right else f'no {name} {why}')


def read(path):
    with open(path) as f:
        return json.load(f)


def rows_of(v9trace, path):
    """The rows of the report, of both kinds of trace"""
    out = subprocess.run([v9trace, 'report', '--json', path], capture_output=True, text=True).stdout
    tables = json.loads(out)
    return [row for name in ('spe_check', 'ete_check', 'check') for row in tables.get(name, [])]


def section(data):
    """Offset of the section PD_COUNTS in a capture"""
    words = struct.unpack_from('<4Q', data, HEADER - 32)
    before = sum(bin(word).count('1') for word in words[:COUNTS // 64])
    before += bin(words[COUNTS // 64] & ((1 << COUNTS % 64) - 1)).count('1')
    start, size = struct.unpack_from('<2Q', data, 40)
    return struct.unpack_from('<2Q', data, start + size + 16 * before)[0]


def altered(path, to):
    """A copy of a capture, in which SAMPLE_FILTRATE has counted 1000 more"""
    with open(path, 'rb') as f:
        data = bytearray(f.read())
    at = section(data)
    count = struct.unpack_from('<I', data, at + 4)[0]
    for row in range(at + 48, at + 48 + 16 * count, 16):
        event, state, value = struct.unpack_from('<IIQ', data, row)
        if event == FILTRATE:
            struct.pack_into('<Q', data, row + 8, value + 1000)
    with open(to, 'wb') as f:
        f.write(data)


def model(path):
    """Sums of the counters of all CPUs"""
    total = dict.fromkeys([*SCORE.values(), 'written'], 0)
    with open(path) as f:
        for line in f:
            if '"k":"score"' in line:
                score = json.loads(line)
                for key in total:
                    total[key] += score[key]
    return total


def check_sums(recordings, score, later):
    for event, key in SCORE.items():
        counted = sum(row['counted'] for rows in recordings.values() for row in rows.values()
                      if row['event'] == event)
        tell(f'{event.lower()}_is_the_models', counted == score[key], f'{counted}, the model {score[key]}')
    written = sum(rows['SAMPLE_FILTRATE']['recorded'] for rows in recordings.values())
    tell('records_are_the_models', written == score['written'], f'{written}, the model {score["written"]}')
    for name, event in FILTERS.items():
        rows = recordings[name]
        if not later:
            tell(f'{name}_are_not_known', 'its driver does not tell' in rows[event]['why'], str(rows[event]))
            continue
        tell(f'{name}_are_counted', rows[event]['counted'] == rows['SAMPLE_FILTRATE']['counted'] > 0 and
             rows[event]['counted'] < rows['SAMPLE_FEED']['counted'], str(rows[event]))


def main():
    boot, path, v9trace = sys.argv[1:]
    recordings = {}
    with open(f'{path}/format') as f:
        later = LATER & set(f.read().split())
    for file in sorted(glob.glob(f'{path}/*.json')):
        name = os.path.basename(file)[:-5]
        if name == 'model':
            continue
        summary = read(file)['check']
        recordings[name] = {row['event']: row for row in summary}
        tell(f'{name}_report_is_the_summary', rows_of(v9trace, f'{path}/{name}.data') == summary and summary)
        if name != 'busy':
            bad = [row for row in summary if row['verdict'] != 'fits' and (boot, row['event']) != ('intree', LATE) and
                   (later or row['event'] not in FILTERS.values())]
            tell(f'{name}_fits', summary and not bad, str(bad))
        with open(f'{path}/{name}.err') as f:
            text = f.read()
        tell(f'{name}_says_it', text.count('check: ') == len(summary), text.replace('\n', ' ')[:200])
    if boot != 'tasks':
        check_sums(recordings, model(f'{path}/model.json'), later)
        altered(f'{path}/all.data', f'{path}/altered')
        row = rows_of(v9trace, f'{path}/altered')[0]
        tell('altered_count_is_seen', row['verdict'] == 'more' and row['event'] == 'SAMPLE_FILTRATE', str(row))
    if boot == 'cpus':
        # Samples of one in 256 operations collide, and records of the AUX area say so.
        collisions = recordings['dense']['SAMPLE_COLLISION']
        tell('collisions_are_recorded', collisions['counted'] > 0 and collisions['recorded'] > 0, str(collisions))
        wraps = recordings['beside']['TRB_WRAP']
        tell('wraps_are_counted', wraps['counted'] > 0, str(wraps))
    if boot == 'tasks':
        unused = [row for row in recordings['busy'].values() if row['verdict'] == 'not counted' and
                  'other events' in row['why'] and row['counted'] is None]
        tell('shared_counters_are_not_used', len(unused) == 4, str(recordings['busy']))


main()
