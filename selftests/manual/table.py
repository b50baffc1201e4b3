# SPDX-License-Identifier: GPL-2.0-only
"""The project's own tables: include/v9trace/tables/sysreg, spe.pkt and ete.pkt."""
import os
import re

KEYS = 'unit feat access reset trap present'.split()


class Field:
    def __init__(self, kind, name, msb, lsb, line, feats=(), view_of=None):
        self.kind, self.name, self.msb, self.lsb, self.line = kind, name, msb, lsb, line
        self.feats, self.view_of, self.values = set(feats), view_of, {}

    @property
    def bits(self):
        return set(range(self.lsb, self.msb + 1))


class Reg:
    def __init__(self, name, enc, notes, line):
        self.name, self.enc, self.line = name, enc, line
        self.fields, self.layout = [], name
        self.unit, self.trap, self.access = notes.get('unit'), notes.get('trap'), notes.get('access')
        self.feat = notes.get('feat')
        self.present = notes['present'].split(',') if 'present' in notes else []
        self.reset = dict((k, int(v)) for k, v in
                          (x.split('=') for x in notes.get('reset', '').split(',') if x))

    def named(self):
        return [f for f in self.fields if f.name]


def read(path):
    """-> {name: Reg} of everything that has an encoding"""
    regs, layouts, notes, feats, reg, enum = {}, {}, {}, [], None, None
    with open(path, encoding='utf-8') as f:
        lines = f.read().split('\n')
    for no, l in enumerate(lines, 1):
        w = l.split()
        if l.startswith('#:'):
            if reg is None:
                for i in range(1, len(w) - 1, 2):
                    if w[i] in KEYS:
                        notes[w[i]] = w[i + 1]
            elif w[1] == 'feat':
                feats = w[2].split(',')
            elif w[1] == 'view':
                hi, lo = (w[2].split(':') * 2)[:2]
                base = [x for x in reg.fields if not x.view_of][-1]
                reg.fields.append(Field('View', w[3], int(hi), int(lo), no, (), base))
            elif w[1] == 'value':
                reg.fields[-1].values[w[2]] = w[3]
            continue
        if not w or w[0].startswith('#'):
            continue
        if w[0] in ('Sysreg', 'SysregFields'):
            reg = Reg(w[1], tuple(int(x) for x in w[2:7]) or None, notes, no)
            layouts[w[1]] = reg
            if w[0] == 'Sysreg':
                regs[w[1]] = reg
            notes = {}
        elif w[0] in ('EndSysreg', 'EndSysregFields'):
            reg = None
        elif w[0] == 'Fields':
            reg.layout = w[1]
            reg.fields = layouts[w[1]].fields
        elif w[0] == 'EndEnum':
            enum = None
        elif w[0].startswith('0b') and enum is not None:
            enum.values[w[0]] = w[1]
        else:
            hi, lo = (w[1].split(':') * 2)[:2]
            f = Field(w[0], w[2] if len(w) > 2 else None, int(hi), int(lo), no, feats)
            reg.fields.append(f)
            feats = []
            enum = f if 'Enum' in w[0] else None
    return regs


def rows(path):
    """Lines of a packet table as lists of words; None where there is no such table"""
    if not os.path.exists(path):
        return None
    with open(path, encoding='utf-8') as f:
        return [(no, l.split()) for no, l in enumerate(f, 1) if l.strip() and not l.startswith('#')]


def matches(pattern, byte):
    """A pattern of eight characters: 0, 1, and anything else for "either\""""
    return all(p not in '01' or (byte >> (7 - i) & 1) == int(p) for i, p in enumerate(pattern))


def encoding(text, n=0):
    """op0 to op2 as the manual writes them: 0b101, m[2:0]:0b0, 0b01:m[3] -> number"""
    bits = ''
    for part in text.replace(' ', '').split(':0b'):
        part = part if part[:2] in ('0b',) or part[0] in 'nm' else '0b' + part
        for p in re.findall(r'0b[01]+|[nm]\[\d+(?::\d+)?\]', part):
            m = re.match(r'[nm]\[(\d+)(?::(\d+))?\]', p)
            if m:
                for b in range(int(m.group(1)), int(m.group(2) or m.group(1)) - 1, -1):
                    bits += str(n >> b & 1)
            else:
                bits += p[2:]
    return int(bits, 2)
