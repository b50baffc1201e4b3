# SPDX-License-Identifier: GPL-2.0-only
"""The registers' pages of the Arm manual (chapter D24) as Markdown: fields, values, resets, accesses."""
import glob
import os
import re

HEAD = re.compile(r'^## (D\d+\.\d+\.\d+) ([A-Za-z0-9_<>]+), (.*)$')
OTHER_HEAD = re.compile(r'^## (D\d+\.\d+|Chapter )')
FIELD = re.compile(r'^(?:## )?(?:- )?(?:([A-Za-z_][A-Za-z0-9_<>]*(?:\[[^\]]*\])?) ?, ?)?'
                   r'[Bb]its? ?\[([^\]]*)\](?: ?, ?for m ?= ?(\d+) to (\d+))? ?:?$')
MNEMONIC = re.compile(r'\b(MRS) <Xt>, ?([A-Z0-9a-z_<>]+)|\b(MSR) ([A-Z0-9a-z_<>]+) ?, ?<Xt>|^(?:## )?(TRCIT) <Xt>')
RESET = re.compile(r'^[-·•] (?:On an? (.*?) ?(?:reset|Reset)|When (.*?)|(Otherwise))(?:, this field resets to (.*?))? ?[.:]?$')


def plain(line):
    for a, b in (('\u037e', ';'), ('\uff1b', ';'), ('\\_', '_'), ('\\*', '*'), ('&lt;', '<'), ('&gt;', '>'),
                 ('&amp;', '&'), ('&#124;', '|'), ('\u21aa', ' '), ('\u2192', ' ')):
        line = line.replace(a, b)
    return line.rstrip()


def bare(name):
    """A field's name without its index: INSTEN[<m>] and E[63] are INSTEN and E."""
    return 'IMPDEF' if name == 'IMPLEMENTATIONDEFINED' else re.sub(r'\[.*\]|<m>', '', name)


class Field:
    def __init__(self, name, msb, lsb, line, conds, parts=None):
        self.name, self.msb, self.lsb, self.line = name, msb, lsb, line
        self.conds, self.parts = conds, parts   # parts: both ranges of a field in two places
        self.values, self.text, self.resets = {}, [], []
        self.holder = None                      # the field that this one is a view of
        self.given = None                       # condition of all its views

    @property
    def bits(self):
        return set(range(self.lsb, self.msb + 1))

    @property
    def reserved(self):
        """RES0 or RES1 where these bits have no name"""
        if self.name:
            return None
        m = re.search(r'Reserved, ?(RES[01]|RAZ)', ' '.join(self.text))
        return m.group(1) if m else 'RES0'


class Access:
    def __init__(self, name, write, ops, code, line):
        self.name, self.write, self.ops, self.code, self.line = name, write, ops, code, line


class Page:
    def __init__(self, section, name, path, line):
        self.section, self.name, self.path, self.line = section, name, path, line
        self.fields, self.accesses, self.lines = [], [], []
        self.present = ''
        self.gaps = []          # bits that no heading speaks of

    @property
    def where(self):
        return self.section

    def top(self):
        return [f for f in self.fields if not f.holder]


def parse_bits(text, hi, lo):
    """'13:12, 30:28' -> [(13, 12), (30, 28)]; 'm+24' for m = hi to lo"""
    out = []
    for part in text.split(','):
        part = part.strip()
        if hi is not None:
            m = re.match(r'^m ?(?:\+ ?(\d+))?$', part)
            if not m:
                return None
            o = int(m.group(1) or 0)
            out.append((int(hi) + o, int(lo) + o))
            continue
        m = re.match(r'^(\d+)(?: ?: ?(\d+))?$', part)
        if not m:
            return None
        out.append((int(m.group(1)), int(m.group(2) or m.group(1))))
    return out


def cells(line):
    return [c.strip() for c in line.strip().strip('|').split('|')]


def read_fields(page, lines):
    """lines: (number, text) of the part about fields"""
    cond, field, header, pending, cond_fresh = None, None, None, [], False
    for no, l in lines:
        m = FIELD.match(l)
        ranges = m and parse_bits(m.group(2), m.group(3), m.group(4))
        if ranges:
            name = None if m.group(1) == 'Reserved' else m.group(1)
            if cond and cond_fresh and field is not None and cond != 'Otherwise':
                pending = [field.conds.pop()]   # it spoke of what follows, or of all parts
                field.given = pending[0]
            for n, (msb, lsb) in enumerate(ranges):
                f = Field(name, msb, lsb, no, list(pending), ranges if len(ranges) > 1 else None)
                page.fields.append(f)
            field, header, cond, pending, cond_fresh = f, None, None, [], False
            continue
        t = re.sub(r'^## ', '', l)
        if re.match(r'^(When .*|Otherwise):$', t) and not l.startswith('-'):
            cond, cond_fresh = t.rstrip(':'), True
            if field is not None:
                field.conds.append(cond)
            else:
                pending = [cond]
            continue
        cond_fresh = cond_fresh and (not l.strip() or l.startswith('<!--'))
        if field is None:
            continue
        if l.startswith('|'):
            c = cells(l)
            if all(re.match(r'^[-: ]*$', x) for x in c):
                continue
            if len(c) > 1 and c[1] in ('Meaning', 'Description'):
                header = c[0]
                continue
            v = re.match(r'^(0b[01xX]+|0x[0-9A-Fa-f]+)$', c[0])
            if v and len(c) > 1:
                of = field
                if header and bare(header) != bare(field.name or ''):
                    same = [f for f in page.fields if f.name and bare(f.name) == bare(header)]
                    of = same[-1] if same else field
                of.values.setdefault(c[0], c[1])
            continue
        m = RESET.match(l)
        if m and 'reset' in l or m and field.resets:
            kind = m.group(1) or (field.resets[-1][0] if field.resets else None)
            when = m.group(2) or ('otherwise' if m.group(3) else None)
            field.resets.append((kind, when, m.group(4)))
            continue
        m = re.search(r'\b(FEAT_\w+) implements the functionality identified by the value (0b[01]+)', l)
        if m and m.group(2) in field.values:
            field.values[m.group(2)] += ' (%s)' % m.group(1)
        if l.strip():
            field.text.append(l)
    arrange(page)


def arrange(page):
    """Headings go down from bit 63; what does not fit there describes a part of the field before."""
    nxt, holder = 63, None
    for i, f in enumerate(page.fields):
        if f.parts:         # in two places: takes part in the order where it fits
            if f.msb == nxt:
                nxt = f.lsb - 1
            continue
        if f.msb == nxt:
            holder, nxt = f, f.lsb - 1
            while any(g.parts and g.msb == nxt for g in page.fields):
                nxt = next(g.lsb for g in page.fields if g.parts and g.msb == nxt) - 1
            continue
        later = nxt >= 0 and any(g.msb == nxt for g in page.fields[i + 1:])
        if not later and f.msb == 63:           # another layout of the register
            holder, nxt = f, f.lsb - 1
            continue
        if not later and 0 <= f.msb < nxt and not (holder and f.msb - f.lsb < 1 and nxt < 0):
            page.gaps.append((nxt, f.msb + 1))
            holder, nxt = f, f.lsb - 1
            continue
        f.holder = holder
        if holder and not (f.lsb >= holder.lsb and f.msb <= holder.msb) and f.msb + holder.lsb <= holder.msb:
            f.msb, f.lsb = f.msb + holder.lsb, f.lsb + holder.lsb
        if holder and not f.conds:
            f.conds = [holder.given] if holder.given else holder.conds[:1]
    if nxt >= 0 and page.fields:
        page.gaps.append((nxt, 0))
    page.gaps = [g for g in page.gaps if not any(f.lsb <= g[1] and f.msb >= g[0] for f in page.fields)]


def read_accesses(page):
    """One for each table of op0 to op2; its code stands in pieces behind it."""
    L = page.lines
    i = 0
    while i < len(L):
        no, l = L[i]
        c = cells(l) if l.startswith('|') else []
        if len(c) != 5 or not all(re.match(r'^(0b[01]+|[nm]\[)', x) for x in c):
            i += 1
            continue
        name, write = None, None
        for _, b in reversed(L[max(0, i - 10):i]):
            m = MNEMONIC.search(b)
            if m:
                name, write = m.group(2) or m.group(4) or m.group(5), not m.group(1)
                break
        code, fenced, j = [], False, i + 1
        while j < len(L):
            b = L[j][1]
            if b.startswith('```'):
                fenced = not fenced
            elif b.startswith('|') or b.startswith('## ') or MNEMONIC.search(b):
                break
            elif fenced or re.match(r'^(then|else|elsif|if|UNDEFINED|AArch64\.|X\[|\w+ = X\[)', b):
                code.append(b)
            j += 1
        text = ' '.join(code)
        if write is None:
            write = bool(re.search(r'= X\[t, 64\]', text))
        page.accesses.append(Access(name, write, c, text, no))
        i = j


def read_file(path, pages):
    page = None
    with open(path, encoding='utf-8') as f:
        for no, l in enumerate(f, 1):
            l = plain(l)
            m = HEAD.match(l)
            if m:
                page = Page(m.group(1), m.group(2), os.path.basename(path), no)
                pages[page.name] = page
            elif OTHER_HEAD.match(l):
                page = None
            if page:
                page.lines.append((no, l))


def read_all(base):
    """-> {name: Page} of all the files of D24 in folder base"""
    pages = {}
    for path in sorted(glob.glob(os.path.join(base, 'D24.*.md'))):
        read_file(path, pages)
    for page in pages.values():
        part, fields = None, []
        for no, l in page.lines:
            if l.startswith('## Configuration'):
                part = 'configuration'
            elif l.startswith('## Attributes'):
                part = None
            elif l.startswith('## Field descriptions'):
                part = 'fields'
            elif l.startswith('## Accessing'):
                part = None
            elif part == 'fields':
                fields.append((no, l))
            m = re.search(r'present only when (.*?)\. Otherwise', l)
            if m:
                page.present = m.group(1)
        read_fields(page, fields)
        read_accesses(page)
    return pages


if __name__ == '__main__':
    import sys
    for name, page in read_all(sys.argv[1]).items():
        if name not in sys.argv[2:]:
            continue
        print(page.section, name, 'present:', page.present, 'gaps', page.gaps)
        for f in page.fields:
            print('  ', '  ' if f.holder else '', f.name, (f.msb, f.lsb), f.reserved, f.conds, dict(list(f.values.items())[:4]), f.resets)
        for a in page.accesses:
            print('  ', a.name, 'W' if a.write else 'R', a.ops, len(a.code), a.line)
