# SPDX-License-Identifier: GPL-2.0-only
"""tables/spe.pkt against D18, tables/ete.pkt against D5 and D4.4."""
import os
import re

import page
import table
import words

# what the table calls the parts of an operation's payload
PARTS = {'ASE': 'ASE', 'FP': 'FP', 'COND': 'COND', 'EVL': 'EVL', 'PRED': 'PRED', 'LDST': 'STORE', 'AR': 'ACQ_REL',
         'EXCL': 'EXCL', 'AT': 'ATOMIC', 'SG': 'GATHER', 'COMM': 'COMMON', 'CR': 'CR', 'GCS': 'GCS', 'IND': 'INDIRECT'}
KINDS = {'Padding': 'PADDING', 'End': 'END', 'Timestamp': 'TIMESTAMP', 'Events': 'EVENTS',
         'Data Source': 'DATA_SOURCE', 'Context': 'CONTEXT', 'Operation Type': 'OP_TYPE', 'Address': 'ADDRESS',
         'Counter': 'COUNTER'}
SIZES = ['Byte', 'Halfword', 'Word', 'Doubleword']


def lines(base, name):
    path = os.path.join(base, name)
    if not os.path.exists(path):
        return None
    with open(path, encoding='utf-8') as f:
        return [page.plain(l) for l in f]


def sections(text, start):
    """{title: lines} of headings "## D18.2.3 Counter packet\""""
    out, cur = {}, None
    for l in text:
        m = re.match(r'^## %s\d* ?(.*)$' % re.escape(start), l)
        if m:
            cur = m.group(1)
            out[cur] = []
        elif cur is not None:
            out[cur].append(l)
    return out


def spe(base, top, say):
    rows = table.rows(os.path.join(top, 'include/v9trace/tables/spe.pkt'))
    overview, all_packets = lines(base, 'D18.1.md'), lines(base, 'D18.2.md')
    if rows is None or overview is None or all_packets is None:
        return 0
    parts = sections(all_packets, 'D18.2.')
    n = spe_headers(rows, overview, parts, say)
    n += spe_indices(rows, parts, say)
    n += spe_events(rows, parts.get('Events packet', []), say)
    n += spe_operations(rows, parts.get('Operation Type packet', []), say)
    return n


def first_values(text, title, width):
    """the values in a table with that title, whose row may have lost its bars: {bits: sentence}"""
    out, inside = {}, False
    for l in text:
        if re.match(r'^\| *%s\b' % title, l):
            inside = True
        elif not l.startswith('|') and l.strip():
            inside = False
        m = inside and re.match(r'^\| *0b([01x]{%d}) *\|? *(.*?) *\|?$' % width, l)
        if m:
            out[m.group(1)] = m.group(2)
    return out


def spe_headers(rows, overview, parts, say):
    """Each byte that the manual gives to a packet, and each that the table does"""
    manual = []                                 # (name, pattern of byte 0 or None, pattern)
    for l in overview:
        c = page.cells(l) if l.startswith('|') else []
        if len(c) == 9 and all(re.match('^[01x]$', x) for x in c[:8]):
            manual.append((c[8], None, ''.join(c[:8])))
        if len(c) == 17 and all(re.match('^[01x]$', x) for x in c[:16]):
            manual.append((c[16], ''.join(c[:8]), ''.join(c[8:16])))
    manual = [(re.sub(r' packet.*| \(.*', '', n), a, b) for n, a, b in manual]
    sizes = {}
    for title, text in parts.items():
        name = re.sub(' packet$', '', title)
        found = {v: t for v, t in first_values(text, 'SZ', 2).items()}
        if found:
            sizes[KINDS.get(name, name)] = {int(v, 2) for v in found}
    allowed = {}                                # of the low bits where not all are given
    for title, key in (('Context packet', 'INDEX'), ('Operation Type packet', 'CLASS')):
        allowed[KINDS[re.sub(' packet$', '', title)]] = \
            {int(v, 2) for v in first_values(parts.get(title, []), key, 2)}
    n = 0
    for two in (False, True):
        mine = [w for _, w in rows if w[0] == ('Byte1' if two else 'Byte0')]
        for first in (range(0x20, 0x40) if two else [None]):
            for b in range(256):
                n += 1
                theirs = {KINDS.get(x, x) for x, a, p in manual
                          if bool(a) == two and table.matches(p, b) and (not two or table.matches(a, first))}
                kind = next(iter(theirs)) if len(theirs) == 1 else None
                if kind in sizes and (b >> 4 & 3) not in sizes[kind]:
                    kind = None
                if kind in allowed and allowed[kind] and (b & 3) not in allowed[kind]:
                    kind = None
                ours = [w for w in mine if table.matches(w[2] if two else w[1], b) and
                        (not two or table.matches(w[1], first))]
                have = ours[0][3 if two else 2] if ours else None
                have = None if have in ('UNKNOWN', 'PREFIX') else have
                if have != kind:
                    at = '0x%02x 0x%02x' % (first, b) if two else '0x%02x' % b
                    say('spe header %s: table %s, manual %s, D18.1.4' % (at, have, kind))
    return n


def spe_indices(rows, parts, say):
    n = 0
    for title, word in (('Address packet', 'Address'), ('Counter packet', 'Counter')):
        theirs = {}
        for v, t in first_values(parts.get(title, []), 'INDEX', 5).items():
            for x in expand(v):
                theirs[x] = t
        for _, w in rows:
            if w[0] != word:
                continue
            hi, lo = (w[1].split(':') * 2)[:2]
            for i in range(int(lo), int(hi) + 1):
                n += 1
                t = theirs.get(i)
                kind = 'RESERVED' if t is None else 'IMPDEF' if t.startswith('IMPLEMENTATION') else None
                what = 'spe %s %d: table %s, ' % (word.lower(), i, w[2])
                if kind and kind != w[2] or not kind and w[2] in ('RESERVED', 'IMPDEF'):
                    say(what + 'manual %s, D18.2' % (kind or '"%s"' % t[:40]))
                elif not kind:
                    best = max(theirs, key=lambda k: words.score(w[2], theirs[k]))
                    if words.score(w[2], theirs[best]) > words.score(w[2], t) or not words.score(w[2], t):
                        say(what + 'manual "%s", D18.2' % t[:40])
    return n


def expand(v):
    m = re.search('x', v)
    if not m:
        return [int(v, 2)]
    return expand(v[:m.start()] + '0' + v[m.end():]) + expand(v[:m.start()] + '1' + v[m.end():])


def spe_events(rows, text, say):
    """E[n] with its byte and bit, what it needs, and whether it is one event at all"""
    theirs, cur = {}, None
    # the conversion puts some headings into the middle of a line, of some only the table is left
    for l in '\n'.join(re.sub(r' (?=E\[\d+(?::\d+)?\], byte)', '\n', l) for l in text).split('\n'):
        l = re.sub('^## ', '', l)
        m = re.match(r'^\| *E\[(\d+)\] *\|', l)
        if m:
            cur = (int(m.group(1)),) * 2
            theirs.setdefault(cur, [])
        m = re.match(r'^E\[(\d+)(?::(\d+))?\] ?, ?(?:byte (\d+) bit ?s? ?\[(\d+)(?::(\d+))?\])?', l)
        if m:
            hi, lo = int(m.group(1)), int(m.group(2) or m.group(1))
            cur = (hi, lo)
            theirs[cur] = [l[m.end():]]
            if m.group(3) and hi == lo and int(m.group(3)) * 8 + int(m.group(4)) != hi:
                say('spe event %d: the manual has it in byte %s bit %s' % (hi, m.group(3), m.group(4)))
        elif cur:
            theirs[cur].append(l)
    n = 0
    for _, w in rows:
        if w[0] != 'Event':
            continue
        hi, lo = (w[1].split(':') * 2)[:2]
        n += 1
        what = 'spe event %s %s' % (w[1], w[2])
        found = theirs.get((int(hi), int(lo)))
        if found is None:
            if w[2] == 'RESERVED' and not any(a >= int(lo) and b <= int(hi) for a, b in theirs):
                continue
            near = ['%d:%d' % k for k in theirs if k[0] >= int(lo) and k[1] <= int(hi)]
            say('%s: the manual has %s, D18.2.6' % (what, ', '.join(near) or 'no such heading'))
            continue
        if w[2] in ('RESERVED', 'IMPDEF'):
            continue
        said = ' '.join(found)
        if 'reads-as-zero' in said and not re.search(r'When|\|', said):
            say('%s: the manual has it read as zero, D18.2.6' % what)
            continue
        mine = ' '.join([w[2].replace('_', ' ')] + w[5:])
        if words.score(mine, said) < 0.3:
            say('%s: manual "%s", D18.2.6' % (what, ' '.join(said.split())[:50]))
        feats = {m for m in re.findall(r'When (FEAT_SPEv1p\d) is implemented', said)}
        since = w[3].split('+')[0]
        if feats and 'FEAT_SPE' + since not in feats and '+' not in w[3] and since != 'v1p0':
            say('%s: table since %s, manual %s, D18.2.6' % (what, since, '+'.join(sorted(feats))))
    return n


def spe_operations(rows, text, say):
    theirs, cls, pattern = {}, None, None       # (class, pattern) -> {part: bits}
    for l in text:
        m = re.match(r'^## Operation Type packet payload \((.*)\)', l)
        if m:
            t = m.group(1)
            cls, pattern = 1 if t.startswith('Load') else 2 if t.startswith('Branch') else 0, []
        m = re.match(r'^\| *0b([01x]{8}) *\|', l)
        if m and cls is not None:
            theirs.setdefault((cls, m.group(1)), {})
            pattern.append(m.group(1))
        m = re.match(r'^(?:## )?([A-Z]+) ?, ?byte 0 bits? ?\[([0-9:,]+)\]', l)
        if m and cls is not None:
            bits = set()
            for r in m.group(2).split(','):
                hi, lo = (r.split(':') * 2)[:2]
                bits |= set(range(int(lo), int(hi) + 1))
            for p in pattern:
                theirs[cls, p][m.group(1)] = bits
    ours, cur = {}, None
    for _, w in rows:
        if w[0] == 'Op':
            cur = (int(w[1]), re.sub('[^01]', 'x', w[2]))
            ours[cur] = (w[3], w[2], {})
        elif w[0] == 'OpField':
            _, letters, parts = ours[cur]
            parts[w[2]] = {7 - i for i, x in enumerate(letters) if x == w[1]}
    for k in sorted(set(ours) - set(theirs)):
        say('spe operation %d %s %s: not in the manual, D18.2.7' % (k + (ours[k][0],)))
    for k in sorted(set(theirs) - set(ours)):
        say('spe operation %d %s: not in the table, D18.2.7' % k)
    for k in sorted(set(theirs) & set(ours)):
        parts = dict(ours[k][2])
        if 'ETS_HI' in parts:
            parts['ETS'] = parts.pop('ETS_HI') | parts.pop('ETS_LO', set())
        want = {}
        for name, bits in theirs[k].items():
            if all(ours[k][1][7 - b] not in '01' for b in bits):        # a part of this one of the section
                want[PARTS.get(name, name)] = bits
        if parts != want:
            say('spe operation %d %s %s: parts %s in the table, %s in the manual, D18.2.7' %
                (k + (ours[k][0], show(parts), show(want))))
    return len(ours)


def show(parts):
    return ' '.join('%s[%s]' % (n, ','.join(str(b) for b in sorted(v, reverse=True))) for n, v in sorted(parts.items()))


def plain_name(text):
    """Both tables' names as words: Qwith count Packet is {q, count}"""
    t = text.lower().replace('_', ' ').replace('qwith', 'q with').replace('qshort', 'q short').replace('q32', 'q 32')
    t = re.sub(r'([a-z])packet', r'\1 packet', t)
    drop = {'packet', 'with', 'address', 'bit', 'format', 'the', 'match', 'commit', 'commits', 'small', 'large', 'few',
            'many', 'element', 'unchanged', 'same'}
    return frozenset(w for w in re.findall(r'[a-z]+\d*|\d+', t) if w not in drop)


def ete(base, top, say):
    rows = table.rows(os.path.join(top, 'include/v9trace/tables/ete.pkt'))
    text, packets = lines(base, 'D5.2.md'), lines(base, 'D5.3.md')
    if rows is None or text is None:
        return 0
    manual = []
    for l in text:
        c = page.cells(l) if l.startswith('|') else []
        if len(c) >= 2 and re.match(r'^[01x]{8}$', c[0].replace(' ', '')):
            manual.append((c[0].replace(' ', ''), c[1]))
    n = 0
    for b in range(256):
        n += 1
        hits = [(p, name) for p, name in manual if table.matches(p, b)]
        most = min([p.count('x') for p, _ in hits], default=0)
        theirs = {plain_name(x) for p, x in hits if p.count('x') == most or b >> 4 == 1}
        ours = {plain_name(' '.join(w[6:])) for _, w in rows
                if w[0] == 'Header' and table.matches(w[1], b) and w[3] != 'RESERVED'}
        if bool(theirs) != bool(ours):
            say('ete header 0x%02x: table %s, manual %s, D5.2' % (b, 'has it' if ours else 'reserved',
                                                               ' / '.join(x for _, x in hits) or 'nothing'))
        elif theirs and not all(any(o & t or o <= t for t in theirs) for o in ours):
            say('ete header 0x%02x: table %s, manual %s, D5.2' % (b, names(ours), ' / '.join(x for _, x in hits)))
        elif theirs and len(theirs) == 1 and len(ours) == 1 and b != 6 and not same(*theirs, *ours):
            say('ete header 0x%02x: table %s, manual %s, D5.2' % (b, names(ours), ' / '.join(x for _, x in hits)))
    if packets:
        n += ete_exceptions(rows, packets, say)
        n += ete_atoms(rows, packets, say)
    return n


def names(s):
    return ' / '.join(' '.join(sorted(x)) for x in s)


def same(a, b):
    """Equal but for what only one of them says of several headers of one packet"""
    return a <= b or b <= a


def ete_exceptions(rows, packets, say):
    """The number of each type"""
    theirs, inside = {}, False
    for l in packets:
        if re.match(r'^\| *TYPE', l):
            inside = True
        elif l.strip() and not l.startswith('|'):
            inside = False
        m = inside and re.match(r'^\| *0b([01]{5}) *\| *(.*?) *\|$', l)
        if m:
            theirs.setdefault(int(m.group(1), 2), m.group(2))
    if not theirs:
        say('ete exception: no table of types found, D5.3')
    n = 0
    for _, w in rows:
        if w[0] != 'Exception':
            continue
        n += 1
        i, t = int(w[1], 16), theirs.get(int(w[1], 16))
        if (t is None) != (w[2] == '-'):
            say('ete exception 0x%02x: table %s, manual %s, D5.3' % (i, w[2], t or 'reserved'))
        elif t is not None:
            mine = ' '.join(w[3:])
            best = max(theirs, key=lambda k: words.score(mine, theirs[k]))
            if words.score(mine, theirs[best]) > words.score(mine, t) or not words.score(mine, t):
                say('ete exception 0x%02x: table %s, manual %s, D5.3' % (i, w[2], t))
    return n


def ete_atoms(rows, packets, say):
    """What a header of atoms stands for; rows that the conversion shortened are left out"""
    n = 0
    for title, text in sections(packets, 'D5.3.').items():
        m = re.match(r'^Atom Format (\d)(?:\.(\d))? Packet', title)
        if not m or m.group(1) == '6':
            continue
        count = int(m.group(1))
        heads = [w for _, w in rows if w[0] == 'Header' and w[2] == 'ATOM_F%d' % count]
        low = None
        for l in text:
            v = re.match(r'^\| *0b([01]+) *\| *(.*?) *\|', l)
            if not v:
                continue
            atoms = ''.join(x[-1] for x in re.findall(r'(?:\d\. ?|[Oo]ne ?)([NE])', v.group(2)))
            if len(atoms) != count:
                continue
            low = v.group(1)
            n += 1
            fits = [w for w in heads if w[1][8 - len(low):].replace('a', 'x') and
                    table.matches(w[1][8 - len(low):].rjust(8, 'x'), int(low, 2))]
            have = set()
            for w in fits:
                have.add(w[4][1:] if w[4].startswith('=') else
                         ''.join('NE'[int(x)] for x in reversed(low)))
            if atoms not in have:
                say('ete atoms format %d 0b%s: table %s, manual %s, D5.3' %
                    (count, low, '/'.join(sorted(have)) or 'nothing', atoms))
    return n


# the class in ESR_ELx of what the manual's table of exceptions names
CLASSES = {
    'Branch Target exception': [0x0d], 'Breakpoint': [0x30, 0x31], 'EXLOCK': [], 'HVC': [0x12, 0x16],
    'Instruction Abort': [0x20, 0x21], 'Illegal execution state': [0x0e], 'MemCopy or MemSet': [0x27],
    'Misaligned PC': [0x22], 'PAC Fail': [0x1c], 'SError exception': [0x2f], 'Exceptions due to SME': [0x1d],
    'SVC other than': [0x11, 0x15], 'SMC other than': [0x13], 'Software Breakpoint Instruction': [0x38, 0x3c],
    'Software Step': [0x32, 0x33], 'Stack Pointer Misalignment': [0x26], 'Synchronous Data Abort': [0x24, 0x25],
    'UNDEFINED instruction': [0x00], 'Watchpoint': [0x34, 0x35],
    'Instruction or event trapped': [0x01, 0x07, 0x18, 0x19],
}


def exceptions(base, top, say):
    """Which type an exception has (Table D4-19), against ete.pkt's names and the model's classes"""
    text = lines(base, 'D4.4.md')
    rows = table.rows(os.path.join(top, 'include/v9trace/tables/ete.pkt'))
    path = os.path.join(top, 'selftests/model/branch.c')
    if text is None or rows is None or not os.path.exists(path):
        return 0
    types = {}
    for _, w in rows:
        if w[0] == 'Exception' and w[2] != '-':
            types[' '.join(w[3:]).lower().replace('instruction', 'inst')] = w[2]
    with open(path, encoding='utf-8') as f:
        source = f.read()
    classes = {}
    for lo, hi, t in re.findall(r'\[(0x[0-9a-f]+)(?: \.\.\. (0x[0-9a-f]+))?\] = V9_ETE_EXC_(\w+)', source):
        for c in range(int(lo, 16), int(hi or lo, 16) + 1):
            classes[c] = t
    inside, n = False, 0
    for l in text:
        if 'Table D4-19' in l and not l.startswith('|'):
            inside = True
        elif 'Table D4-20' in l:
            inside = False
        c = page.cells(l) if inside and l.startswith('|') else []
        if len(c) != 2 or c[0] == 'Reason' or c[0].startswith('-'):
            continue
        n += 1
        want = None
        for name, t in types.items():
            if name == c[1].lower().replace('instruction', 'inst'):
                want = t
        if want is None:
            say('exception type "%s": "%s" is no type of the table, D4.4.4' % (c[0][:40], c[1]))
            continue
        spaced = re.sub(r'^(SMC|SVC)(other|due)', r'\1 \2', c[0])
        for name, ecs in CLASSES.items():
            if not spaced.startswith(name):
                continue
            for ec in ecs:
                if classes.get(ec, 'TRAP') != want:
                    say('exception class 0x%02x (%s): model %s, manual %s, D4.4.4' %
                        (ec, c[0][:30], classes.get(ec, 'TRAP'), want))
    if not n:
        say('exception type: Table D4-19 not found, D4.4.4')
    return n
