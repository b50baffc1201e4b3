# SPDX-License-Identifier: GPL-2.0-only
"""Each register of the table against its page: encoding, presence, fields, values, resets."""
import re

import table
import words
from page import bare

# what a feature brings along, and what this project takes for granted
IMPLIED = {
    'FEAT_ITE': {'FEAT_ETE'},
    'FEAT_TRBE': {'FEAT_TRF'},
}
GRANTED = ('FEAT_AA64', 'FEAT_VHE', 'FEAT_TRC_SR')
# sizes of fields in presence conditions
WIDTH = {'TRCIDR0.TSSIZE': 5}


def page_of(name, pages):
    """-> (page, n): the page of TRCACVR3 is that of TRCACVR<n>"""
    if name in pages:
        return pages[name], None
    if name.endswith('_EL12') and name[:-1] in pages:
        return pages[name[:-1]], None
    m = re.match(r'^(.*?)(\d+)(_EL1)?$', name)
    array = m and m.group(1) + '<n>' + (m.group(3) or '')
    if array in pages:
        return pages[array], int(m.group(2))
    return None, None


def accesses_of(reg, page, n):
    """What the page says about this accessor"""
    out = []
    for a in page.accesses:
        name = re.sub(r'<[nm]>(?=$|_EL1$)', '' if n is None else str(n), a.name or '')
        enc = tuple(table.encoding(x, n or 0) for x in a.ops)
        if name == reg.name or enc == reg.enc:
            out.append((a, name, enc))
    return out


def encodings(regs, pages, say):
    for reg in regs.values():
        page, n = page_of(reg.name, pages)
        if not page:
            say('page %s: the manual has none' % reg.name)
            continue
        found = accesses_of(reg, page, n)
        if not found:
            say('encoding %s: no accessor of that name or encoding, %s' % (reg.name, page.where))
        for a, name, enc in found:
            if name != reg.name and name in (reg.name, ''):
                continue
            if name == reg.name and enc != reg.enc:
                say('encoding %s: table %s, manual %s, %s' % (reg.name, reg.enc, enc, page.where))
            if name != reg.name and name:
                say('encoding %s: the manual gives it to %s, %s' % (reg.name, name, page.where))
        if reg.access:
            can = ('R' if any(not a.write for a, _, _ in found) else '') + \
                  ('W' if any(a.write for a, _, _ in found) else '')
            want = {'RW': 'RW', 'RO': 'R', 'WO': 'W'}[reg.access]
            if can != want:
                say('direction %s: table %s, manual %s, %s' % (reg.name, want, can or 'none', page.where))


def conjuncts(text):
    """'A, B, and C' -> [A, B, C]; commas within parentheses stay"""
    out, depth, cur = [], 0, ''
    for part in re.split(r'(\(|\)|, and |, | and )', text):
        if part == '(':
            depth += 1
        elif part == ')':
            depth -= 1
        if depth == 0 and part in (', and ', ', ', ' and '):
            out.append(cur.strip())
            cur = ''
        else:
            cur += part
    return [x for x in out + [cur.strip()] if x]


def least(term, n):
    """'UInt(TRCIDR4.NUMPC) > 0' -> ('TRCIDR4.NUMPC', 1); None if it is nothing like that"""
    m = re.findall(r'[A-Z][A-Z0-9]*(?:<n>)?\.[A-Za-z0-9]+', term)
    if len(set(m)) != 1:
        return None
    field = m[0]
    expr = term.replace('UInt(%s)' % field, 'v').replace(field, 'v')
    expr = re.sub(r"'([01]+)'", lambda x: str(int(x.group(1), 2)), expr)
    expr = re.sub(r'\bn\b', str(n or 0), expr.replace('<n>', ''))
    if not re.match(r'^[v0-9x()+*<>=! ]+$', expr):
        return None
    good = [v for v in range(32) if eval(expr, {'v': v})]   # digits, v and operators only, see above
    if not good or good == list(range(32)):
        return None
    return field.replace('<n>', str(n)), good[0]


def presence(regs, pages, say):
    for reg in regs.values():
        page, n = page_of(reg.name, pages)
        if not page or not reg.unit or reg.name.endswith('_EL12'):
            continue
        feats, sizes, other = set(), set(), []
        for t in conjuncts(page.present):
            m = re.match(r'^(FEAT_\w+) is implemented$', t)
            size = least(t, n)
            if m:
                feats.add(m.group(1))
            elif size:
                sizes.add('%s>=%d' % size)
            elif t == 'EL3 is implemented' and reg.trap == 'EL3ONLY':
                pass
            elif not t.startswith('System register access to the trace unit registers is'):
                other.append(t)
        # ">= 1" of a field whose other values are reserved is "== its value"
        mine = {reg.feat} | IMPLIED.get(reg.feat, set())
        feats -= set(GRANTED)
        if not feats <= mine or reg.feat not in feats:
            say('present %s: table %s, manual %s, %s' % (reg.name, reg.feat, '+'.join(sorted(feats)) or 'always',
                                                        page.where))
        for x in sorted(sizes - set(reg.present)):
            say('present %s: the manual also wants %s, %s' % (reg.name, x, page.where))
        for x in sorted(set(reg.present) - sizes):
            say('present %s: only the table wants %s, %s' % (reg.name, x, page.where))
        for x in other:
            say('present %s: the manual also wants "%s", %s' % (reg.name, x.replace('|', '/'), page.where))


def features_of(conds):
    """-> (features that are all needed, whether that is all the condition says)"""
    for c in conds:
        if c == 'Otherwise':
            continue
        terms = conjuncts(re.sub('^When ', '', c))
        feats = [re.match(r'^(FEAT_\w+) is implemented$', t) for t in terms]
        return set(m.group(1) for m in feats if m), all(feats)
    return set(), True


def holds_for(field, n):
    """False if the manual has the field in other elements of the array only"""
    for c in field.conds:
        m = re.match(r'^When \(n MOD 2\) (==|!=) 0$', c)
        if m and n is not None:
            return (n % 2 == 0) == (m.group(1) == '==')
    return True


def span(f):
    return '[%d]' % f.msb if f.msb == f.lsb else '[%d:%d]' % (f.msb, f.lsb)


def alias(name):
    """our names for the two places of one field"""
    return re.sub(r'_(HIGH|LOW)$', '', name)


def find(f, page, n):
    """The manual's fields that are the table's f: [], or one, or the parts of it"""
    live = [g for g in page.fields if g.name and holds_for(g, n)]
    same = [g for g in live if bare(g.name) == f.name and (g.msb, g.lsb) == (f.msb, f.lsb)]
    if same:
        return same
    for g in live:
        if g.parts and bare(g.name) == alias(f.name) and (g.msb, g.lsb) == (f.msb, f.lsb):
            if f.name.endswith('_HIGH' if (g.msb, g.lsb) == g.parts[0] else '_LOW'):
                return [g]
    parts = [g for g in live if bare(g.name) == f.name and g.bits <= f.bits]
    return parts


def expand(v):
    """0b0x1 -> 0b001, 0b011"""
    m = re.search('[xX]', v)
    if not m:
        return [v]
    return expand(v[:m.start()] + '0' + v[m.end():]) + expand(v[:m.start()] + '1' + v[m.end():])


def values(reg, f, found, page, say):
    texts = {}
    for g in found:
        for v, t in g.values.items():
            if v.startswith('0x'):
                v = '0b' + bin(int(v, 16))[2:].zfill(f.msb - f.lsb + 1)
            if v.startswith('0b') and len(v) - 2 == f.msb - f.lsb + 1:
                for x in expand(v):
                    texts.setdefault(x, t)
    for v in sorted(set(f.values) - set(texts)):
        say('value %s.%s %s: table %s, not in the manual, %s' % (reg.layout, f.name, v, f.values[v], page.where))
    for v in sorted(set(texts) - set(f.values)):
        say('value %s.%s %s: manual "%s", not in the table, %s' %
            (reg.layout, f.name, v, texts[v][:40].strip().replace('|', '/'), page.where))
    for v, name, why in words.compare(f.values, texts):
        say('meaning %s.%s %s: table %s, %s, %s' % (reg.layout, f.name, v, name, why.replace('|', '/'), page.where))


def kind_of(reg, field):
    """The rule in the head of tables/sysreg"""
    if reg.trap == 'CPACR_EL1.TTA':
        return 'Trace unit'
    if reg.unit == 'TRBE' and (reg.name, field) != ('TRBLIMITR_EL1', 'E'):
        return 'Cold'
    if re.match(r'^BRB(INF|SRC|TGT)\d', reg.name):
        return 'Cold'
    return 'Warm'


# with FEAT_TRBE_EXT on the one, without it on the other
BOTH = {('TRBMAR_EL1', 'SH'), ('TRBMAR_EL1', 'Attr')}


def number(text):
    m = re.match(r"^'([01]+)'", text) or re.match(r'^0x([0-9A-Fa-f]+)', text)
    if not m:
        return None
    return int(m.group(1), 2 if text[0] == "'" else 16)


def resets(reg, f, found, page, say):
    what = '%s.%s' % (reg.layout, f.name)
    known, kinds, conditional = set(), set(), []
    for g in found:
        for kind, when, text in g.resets:
            if kind:
                kinds.add(kind)
            if text is None:
                continue
            v = number(text)
            if when and v is not None:
                conditional.append((when, v))
            elif not when:
                known.add(v)
    mine = reg.reset.get(f.name)
    if None in known and len(known) > 1:
        say('reset %s: the manual has %s' % (what, sorted(map(str, known))))
        return
    theirs = known.pop() if len(known) == 1 else None
    if mine != theirs:
        say('reset %s: table %s, manual %s, %s' % (what, 'UNKNOWN' if mine is None else mine,
                                                  'UNKNOWN' if theirs is None else theirs, page.where))
    for when, v in conditional:
        say('reset %s: manual %d when %s, %s' % (what, v, when, page.where))
    # controls of branch records: with FEAT_BRBEv1p1 on the one, without it on the other
    if ((reg.name, f.name) in BOTH or reg.unit == 'BRBE') and kinds == {'Cold', 'Warm'}:
        kinds = set()
    for k in sorted(kinds - {kind_of(reg, f.name)}):
        say('reset %s: table on a %s reset, manual on a %s reset, %s' % (what, kind_of(reg, f.name), k, page.where))


def registers(regs, pages, say):
    for reg in regs.values():
        page, n = page_of(reg.name, pages)
        if not page or reg.name.endswith('_EL12'):
            continue
        used = set()
        quiet = set()           # bits of which the table says nothing
        for f in reg.fields:
            if f.kind == 'Unkn':
                quiet |= f.bits
        for f in reg.named():
            found = find(f, page, n)
            if not found:
                views = [v for v in reg.fields if v.view_of is f]
                if views and set().union(*(v.bits for v in views)) == f.bits and \
                   all(find(v, page, n) for v in views):
                    found = [g for v in views for g in find(v, page, n)]
            if not found:
                by = [bare(g.name) + span(g) for g in page.fields
                      if g.name and holds_for(g, n) and (g.bits & f.bits or bare(g.name) == f.name)]
                say('field %s.%s%s: not in the manual, which has %s, %s' %
                    (reg.layout, f.name, span(f), ', '.join(by[:4]) or 'nothing there', page.where))
                continue
            used |= {id(g) for g in found}
            if set().union(*(g.bits for g in found)) != f.bits:
                missing = f.bits - set().union(*(g.bits for g in found))
                say('field %s.%s%s: bits %s are not its in the manual, %s' %
                    (reg.layout, f.name, span(f), runs(missing), page.where))
            if reg.unit and not f.view_of:
                features(reg, f, found, page, say)
                resets(reg, f, found, page, say)
            if f.values:
                values(reg, f, found, page, say)
        missing_fields(reg, page, n, used, quiet, say)
        reserved(reg, page, n, say)
        for hi, lo in page.gaps:
            if not set(range(lo, hi + 1)) <= quiet:
                say('gap %s[%d:%d]: no heading for these bits, %s' % (reg.layout, hi, lo, page.where))


def runs(bits):
    out, b = [], sorted(bits, reverse=True)
    while b:
        hi = lo = b.pop(0)
        while b and b[0] == lo - 1:
            lo = b.pop(0)
        out.append('%d:%d' % (hi, lo) if hi > lo else str(hi))
    return ', '.join(out)


def features(reg, f, found, page, say):
    mine = f.feats - {reg.feat}
    for g in found[:1]:
        theirs, complete = features_of(g.conds)
        theirs -= {reg.feat} | set(GRANTED)
        if mine != theirs or (mine and not complete):
            say('feature %s.%s: table %s, manual "%s", %s' %
                (reg.layout, f.name, '+'.join(sorted(mine)) or 'none',
                 (g.conds or ['always'])[0].replace('|', '/'), page.where))


def missing_fields(reg, page, n, used, quiet, say):
    for g in page.fields:
        if not g.name or id(g) in used or not holds_for(g, n) or g.bits <= quiet:
            continue
        if any(f.name == bare(g.name) and g.bits <= f.bits for f in reg.named()):
            continue
        if bare(g.name) == 'IMPDEF' and g.holder:
            continue
        parts = [v for v in page.fields if v.holder is g and v.name]
        if parts and all(id(v) in used for v in parts) and set().union(*(v.bits for v in parts)) == g.bits:
            continue
        here = [f.name or f.kind for f in reg.fields if f.bits & g.bits and not f.view_of]
        say('missing %s.%s%s: table has %s, %s' % (reg.layout, bare(g.name), span(g), ', '.join(here), page.where))


def reserved(reg, page, n, say):
    """What is RES0 or RES1 here must not be anything else there, and the other way round"""
    theirs = {}
    for g in page.top():
        for b in g.bits:
            kind = g.reserved if not g.name else ('field' if holds_for(g, n) else 'RES0')
            theirs.setdefault(b, set()).add(kind)
    wrong = {}
    for f in reg.fields:
        if f.kind not in ('Res0', 'Res1'):
            continue
        for b in f.bits:
            want = f.kind.upper()
            have = theirs.get(b, {'nothing'})
            if want not in have and have != {'field'}:      # a field is reported as missing
                wrong.setdefault((want, ' or '.join(sorted(have))), set()).add(b)
    for (want, have), bits in sorted(wrong.items()):
        if have != 'nothing':
            say('reserved %s[%s]: table %s, manual %s, %s' % (reg.layout, runs(bits), want, have, page.where))
