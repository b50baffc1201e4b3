# SPDX-License-Identifier: GPL-2.0-only
"""What only QEMU's part of the model has: fine-grained traps, the NV2 page, TRCIT (selftests/model/qemu/glue.c)."""
import os
import re

import access
import fields
import table

GLUE = 'selftests/model/qemu/glue.c'


def places(text):
    """{ "NAME", FGT(1), 0x800 | FLAG } -> rows of (name, kind, bit, offset, flags)"""
    out = []
    for m in re.finditer(r'\{ "(\w+)", (?:(FGT\w*)\((\d+)\)|0)(?:, ([^}]*?))? \}', text):
        nv2 = m.group(4) or ''
        off = re.search(r'0x[0-9a-fA-F]+', nv2)
        out.append((m.group(1), m.group(2), m.group(3) and int(m.group(3)), off and int(off.group(0), 16), nv2))
    return out


def place_of(name, rows):
    for r in rows:
        if name.startswith(r[0]):
            return r
    return (name, None, None, None, '')


def trap_bits(pages):
    """HDFGRTR_EL2.PMSCR_EL1 -> 26"""
    out = {}
    for name, page in pages.items():
        if re.match(r'^H[DF]FG', name) or name.startswith('HFGI'):
            for f in page.fields:
                if f.name:
                    out[name + '.' + f.name] = f.msb
    return out


def fine_grained(reg, a, page, row, bits, say):
    """The page's bit, and whether 0 or 1 traps, against the row's"""
    rw = 'W' if a.write else 'R'
    found = set(re.findall(r"(HDFG[RW]TR2?_EL2)\.(\w+) == '([01])'", a.code))
    _, kind, bit, _, _ = row
    ours = kind and ('FGT_NOT' in kind, bit)
    if kind == 'FGT_WRITE' and not a.write:
        ours = None
    theirs = None
    for r, f, trapping in sorted(found):
        b = bits.get(r + '.' + f)
        if b is None:
            say('fgt %s %s: %s.%s has no page, %s' % (reg.name, rw, r, f, page.where))
            continue
        if (r[4] == 'R') == a.write:
            say('fgt %s %s: the manual asks %s, %s' % (reg.name, rw, r, page.where))
        theirs = (trapping == '0', b) if not r.endswith('2_EL2') else (r, f, b)
    if ours != theirs:
        def show(x):
            return 'none' if not x else '%s.%s[%d]' % x if len(x) == 3 else \
                'bit %d, traps if %d' % (x[1], not x[0])
        say('fgt %s %s: manual %s, %s %s, %s' % (reg.name, rw, show(theirs), GLUE, show(ours), page.where))


def nv2(reg, a, tree, page, row, always, say):
    """Offset in the NV2 page, and for which of HCR_EL2.{NV2,NV1,NV} there"""
    import random
    rw = 'W' if a.write else 'R'
    rng = random.Random(3)
    where, offsets = set(), set()
    for nv in ('001', '011', '101', '111'):
        hits, all_on = set(), True
        for _ in range(150):
            s = access.State(rng, nv)
            s.el = 1
            s.el2, s.el3, s.ss = True, True, 'N'
            s.f.update({'MDCR_EL3.NSPB': '11', 'MDCR_EL3.NSTB': '11', 'MDCR_EL3.NSPBE': '0', 'MDCR_EL3.NSTBE': '0',
                        'MDCR_EL2.E2PB': '11', 'MDCR_EL2.E2TB': '11', 'MDCR_EL2.TPMS': '0', 'MDCR_EL2.TTRF': '0',
                        'SCR_EL3.NS': '1', 'SCR_EL3.NSE': '0', 'MDCR_EL3.TTRF': '0', 'MDCR_EL3.EnITE': '1',
                        'MDCR_EL3.EnPMSN': '1', 'MDCR_EL3.EnPMS3': '1', 'MDCR_EL3.EnPMS4': '1',
                        'MDCR_EL3.EnTB2': '1', 'MDCR_EL3.SBRBE': '11', 'CPTR_EL3.TTA': '0', 'CPTR_EL2.TTA': '0', 'CPACR_EL1.TTA': '0'})
            try:
                out = s.run(tree)
            except access.Cut:
                return
            if out and out.startswith('NVMem:'):
                hits.add(int(out[6:], 16))
        if hits:
            where.add(nv)
            offsets |= hits
    theirs = (sorted(offsets), sorted(where)) if offsets else None
    off, flags = row[3], row[4] + always
    ours = None
    if off:
        nvs = ['111'] if 'NV2_REDIR_NV1' in flags else ['101'] if 'NV2_REDIR_NO_NV1' in flags else ['101', '111']
        ours = ([off], nvs)
    if ours != theirs:
        def show(x):
            return 'none' if not x else '%s at %s' % ('+'.join('0x%x' % o for o in x[0]), '/'.join(x[1]))
        say('nv2 %s %s: manual %s, %s %s, %s' % (reg.name, rw, show(theirs), GLUE, show(ours), page.where))


def compare(regs, pages, top, say):
    path = os.path.join(top, GLUE)
    if not os.path.exists(path):
        return
    with open(path, encoding='utf-8') as f:
        text = f.read()
    rows = places(text)
    if not rows:
        say('fgt: no rows found in %s' % GLUE)
    m = re.search(r'ri\.nv2_redirect_offset = ([^;]*);', text)
    always = m.group(1) if m else ''
    bits = trap_bits(pages)
    for reg, a, tree, page in access.parsed(regs, pages, lambda x: None):
        if reg.name.endswith('_EL12'):
            continue
        row = place_of(reg.name, rows)
        fine_grained(reg, a, page, row, bits, say)
        nv2(reg, a, tree, page, row, always, say)
    instructions(pages, text, say)


def instructions(pages, text, say):
    """TRCIT is a row among QEMU's registers"""
    page = pages.get('TRCIT')
    if not page:
        say('page TRCIT: the manual has none')
        return
    m = re.search(r'\.name = "TRCIT".*?\.opc0 = (\d+), \.opc1 = (\d+), \.crn = (\d+), \.crm = (\d+), \.opc2 = (\d+)',
                  text, re.S)
    ours = m and tuple(int(x) for x in m.groups())
    for a in page.accesses:
        theirs = tuple(table.encoding(x) for x in a.ops)
        if ours != theirs:
            say('instruction TRCIT: manual %s, %s %s, %s' % (theirs, GLUE, ours, page.where))
    if not page.accesses:
        say('instruction TRCIT: no encoding, %s' % page.where)
