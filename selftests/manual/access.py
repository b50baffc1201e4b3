# SPDX-License-Identifier: GPL-2.0-only
"""Who may access which register: the pages' pseudocode, run beside the model on the same values."""
import random
import re
import subprocess

import fields

TOKEN = re.compile(r"\s*('[01x]+'|\"[^\"]*\"|[A-Za-z_][A-Za-z0-9_.]*(?:<[^<>]*>)?|0x[0-9A-Fa-f]+|\d+"
                   r"|&&|\|\||==|!=|>=|<=|[!(){}\[\],;:=<>*+-])")


class Cut(Exception):
    """The code ends where it must not, or holds what is no code"""


class Parser:
    """if, elsif and else without an end: an else or elsif belongs to the innermost if that has no
    else yet, but "elsif PSTATE.EL ==" to the outermost one."""

    def __init__(self, text):
        self.t = []
        at = 0
        text = re.sub(r'//[^\n]*', '', text).strip()
        while at < len(text):
            m = TOKEN.match(text, at)
            if not m:
                raise Cut('at "%s"' % text[at:at + 20])
            self.t.append(m.group(1))
            at = m.end()
        self.i = 0
        self.deep = 0

    def peek(self, n=0):
        return self.t[self.i + n] if self.i + n < len(self.t) else None

    def take(self, want=None):
        t = self.peek()
        if t is None or (want and t != want):
            raise Cut('%s where %s is wanted' % (t, want or 'more'))
        self.i += 1
        return t

    def program(self):
        out = self.block()
        if self.peek() is not None:
            raise Cut('%s without its if' % self.peek())
        return out

    def block(self):
        out = []
        while self.peek() not in (None, 'elsif', 'else'):
            if self.peek() == 'if':
                out.append(self.choice())
                continue
            words = []
            while self.peek() not in (None, ';'):
                if self.peek() in ('elsif', 'else', 'if'):
                    break
                words.append(self.take())
            if self.peek() == ';':
                self.take()
            out.append(('do', ' '.join(words)))
        return out

    def choice(self):
        arms, other = [], None
        self.deep += 1
        self.take('if')
        arms.append(self.arm())
        while self.peek() == 'elsif':
            if self.deep > 1 and self.t[self.i + 1:self.i + 3] == ['PSTATE.EL', '==']:
                break
            self.take()
            arms.append(self.arm())
        if self.peek() == 'else':
            self.take()
            other = self.block()
        self.deep -= 1
        return ('if', arms, other)

    def arm(self):
        c = self.either()
        if self.peek() == 'then':       # the conversion loses some
            self.take()
        return c, self.block()

    def either(self):
        a = self.both()
        while self.peek() == '||':
            self.take()
            a = ('or', a, self.both())
        return a

    def both(self):
        a = self.compare()
        while self.peek() == '&&':
            self.take()
            a = ('and', a, self.compare())
        return a

    def compare(self):
        a = self.one()
        op = self.peek()
        if op in ('==', '!=', '>', '<', '>=', '<='):
            self.take()
            return (op, a, self.one())
        if op == 'IN':
            self.take()
            self.take('{')
            items = []
            while self.peek() != '}':
                items.append(self.one())
                if self.peek() == ',':
                    self.take()
            self.take()
            return ('in', a, items)
        return a

    def one(self):
        if self.peek() == '!':
            self.take()
            return ('not', self.one())
        if self.peek() == '(':
            self.take()
            e = self.either()
            self.take(')')
            return e
        t = self.take()
        if t == 'boolean':              # boolean IMPLEMENTATION_DEFINED "..."
            self.take()
            self.take()
            return ('call', 'IMPDEF', [])
        if self.peek() == '(':
            self.take()
            args = []
            while self.peek() != ')':
                args.append(self.either())
                if self.peek() in (',', ':'):
                    self.take()
            self.take()
            e = ('call', t, args)
        else:
            e = ('value', t)
        while self.peek() in ('*', '+', '-'):
            self.take()
            self.one()
        return e


# field: (register, lowest bit, width); CPTR_EL2.TTA moves with E2H
PLACES = {
    'SCR_EL3.NS': ('scr', 0, 1), 'SCR_EL3.NSE': ('scr', 62, 1), 'SCR_EL3.EEL2': ('scr', 18, 1),
    'MDCR_EL3.NSPB': ('mdcr3', 12, 2), 'MDCR_EL3.NSPBE': ('mdcr3', 11, 1),
    'MDCR_EL3.NSTB': ('mdcr3', 24, 2), 'MDCR_EL3.NSTBE': ('mdcr3', 26, 1),
    'MDCR_EL3.EnPMSN': ('mdcr3', 36, 1), 'MDCR_EL3.EnPMS3': ('mdcr3', 42, 1),
    'MDCR_EL3.EnPMS4': ('mdcr3', 55, 1), 'MDCR_EL3.EnTB2': ('mdcr3', 39, 1),
    'MDCR_EL3.EnITE': ('mdcr3', 47, 1), 'MDCR_EL3.TTRF': ('mdcr3', 19, 1),
    'MDCR_EL3.SBRBE': ('mdcr3', 32, 2),
    'MDCR_EL3.PMSEE': ('mdcr3', 51, 2), 'MDCR_EL3.TRBEE': ('mdcr3', 53, 2),
    'MDCR_EL2.TPMS': ('mdcr2', 14, 1), 'MDCR_EL2.E2PB': ('mdcr2', 12, 2),
    'MDCR_EL2.E2TB': ('mdcr2', 24, 2), 'MDCR_EL2.TTRF': ('mdcr2', 19, 1),
    'HCR_EL2.E2H': ('hcr', 34, 1), 'HCR_EL2.TGE': ('hcr', 27, 1),
    'CPACR_EL1.TTA': ('cpacr', 28, 1), 'CPTR_EL2.TTA': ('cptr2', 20, 1), 'CPTR_EL3.TTA': ('cptr3', 20, 1),
    'PMSCR_EL2.EE': ('pmscr2', 8, 2), 'TRFCR_EL2.EE': ('trfcr2', 8, 2),
}
REGISTERS = ['scr', 'mdcr3', 'mdcr2', 'hcr', 'cpacr', 'cptr2', 'cptr3', 'pmscr2', 'trfcr2']
STATES = {'S': 0, 'N': 1, 'R': 3}

FEATURES = set('''FEAT_SPE FEAT_SPEv1p2 FEAT_SPE_FnE FEAT_SPE_FDS FEAT_SPE_EXC FEAT_SPE_nVM FEAT_SPE_EFT FEAT_TRBE
FEAT_TRBE_EXC FEAT_TRBE_EXT FEAT_TRBE_MPAM FEAT_TRBEv1p1 FEAT_ETE FEAT_TRC_SR FEAT_TRF FEAT_ITE FEAT_VHE FEAT_AA64
FEAT_BRBE
'''.split())


class State:
    """A PE. No fine-grained traps, no debugger, and NV as given: those are looked at elsewhere."""

    def __init__(self, rng, nv='000'):
        f = {k: ''.join(rng.choice('01') for _ in range(w)) for k, (_, _, w) in PLACES.items()}
        self.el3 = rng.random() < 0.85
        self.rme = self.el3 and rng.random() < 0.5
        self.el2 = self.rme or rng.random() < 0.85
        for k in ('MDCR_EL2.E2PB', 'MDCR_EL2.E2TB'):
            f[k] = rng.choice(['00', '10', '11'])       # 01 is reserved
        if not self.rme:
            f['SCR_EL3.NSE'] = '0'
        if f['SCR_EL3.NSE'] == '1':
            f['SCR_EL3.NS'] = '1'                       # {1, 0} is reserved below EL3
        if rng.random() < 0.6:                          # as firmware leaves it
            for k in ('NSPB', 'NSTB'):
                f['MDCR_EL3.' + k] = '1' + f['SCR_EL3.NS'] if f['SCR_EL3.NS'] == '1' else '01'
                f['MDCR_EL3.%sE' % k] = f['SCR_EL3.NSE']
        for k in ('NSPB', 'NSTB'):
            if self.rme and f['MDCR_EL3.%sE' % k] == '1' and f['MDCR_EL3.' + k][0] == '0':
                f['MDCR_EL3.' + k] = '1' + f['MDCR_EL3.' + k][1]        # reserved
        quiet = rng.random()
        if quiet < 0.6:
            for k in ('MDCR_EL3.TTRF', 'CPTR_EL3.TTA', 'CPTR_EL2.TTA', 'CPACR_EL1.TTA', 'MDCR_EL2.TTRF',
                      'MDCR_EL2.TPMS'):
                f[k] = '0'
            for k in ('EnPMSN', 'EnPMS3', 'EnPMS4', 'EnTB2', 'EnITE'):
                f['MDCR_EL3.' + k] = '1'
            if quiet < 0.3:                             # but one of them
                k = rng.choice([k for k in PLACES if PLACES[k][2] == 1 and k[:4] in ('MDCR', 'CPTR', 'CPAC')])
                f[k] = '10'[int(f[k])]
        if self.el3:
            self.ss = {'00': 'S', '01': 'N', '11': 'R'}[f['SCR_EL3.NSE'] + f['SCR_EL3.NS']]
        else:
            self.ss = 'N' if self.el2 else rng.choice('NS')
        self.f, self.nv, self.missing = f, nv, None
        self.el = rng.choice([0, 1, 1, 1, 2, 2, 2, 3, 3])
        if self.el == 3 and not self.el3 or self.el == 2 and not self.el2_on():
            self.el = 1
        if self.el == 1 and self.el2_on():
            f['HCR_EL2.TGE'] = '0'                      # there is no EL1 with it

    def el2_on(self):
        return self.el2 and (self.ss != 'S' or not self.el3 or self.f['SCR_EL3.EEL2'] == '1')

    def line(self):
        regs = dict.fromkeys(REGISTERS, 0)
        for k, (reg, low, _) in PLACES.items():
            if k == 'CPTR_EL2.TTA' and self.f['HCR_EL2.E2H'] == '1':
                low = 28
            regs[reg] |= int(self.f[k], 2) << low
        regs['scr'] |= 1 << 10                          # RW
        return ' '.join('%x' % regs[r] for r in REGISTERS) + ' %d %d %d %d %d' % (
            self.el, STATES[self.ss], self.el2, self.el3, self.rme)

    # the manual's functions, in our own words

    def buffer_trap(self, name):
        """CheckMDCR_EL3_NSPBTrap and its twin: the buffer is another Security state's"""
        f = self.f
        owner = f['MDCR_EL3.' + name]
        if owner[1] == '0' or owner[0] != f['SCR_EL3.NS']:
            return True
        return self.rme and f['MDCR_EL3.%sE' % name] != f['SCR_EL3.NSE']

    def exceptions(self, mine, reg, feat):
        """EffectivePMSCR_EL2_EE and its twin"""
        if feat == self.missing or self.el3 and self.f['MDCR_EL3.' + mine] == '00':
            return '00'
        return self.f[reg + '.EE'] if self.el2_on() else '01'

    def host(self):
        """ELIsInHost(EL2), FEAT_VHE being there"""
        if not self.el2 or self.f['HCR_EL2.E2H'] == '0':
            return False
        return self.el2_on()

    def call(self, name, args):
        a = [x[1] for x in args if x[0] == 'value']
        if name == 'IsFeatureImplemented':
            return a[0] in FEATURES and a[0] != self.missing or a[0] == 'FEAT_RME' and self.rme
        if name == 'HaveEL':
            return {'EL3': self.el3, 'EL2': self.el2}.get(a[0], True)
        if name == 'EL2Enabled':
            return self.el2_on()
        if name in ('EL3SDDUndefPriority', 'EL3SDDUndef', 'HaltingAllowed', 'IMPDEF', 'IsZero'):
            return False
        if name == 'CheckMDCR_EL3_NSPBTrap':
            return self.buffer_trap('NSPB')
        if name == 'CheckMDCR_EL3_NSTBTrap':
            return self.buffer_trap('NSTB')
        if name == 'EffectiveHCR_EL2_NVx':
            return self.nv
        if name == 'ELIsInHost':
            return self.host()
        if name == 'EffectivePMSCR_EL2_EE':
            return self.exceptions('PMSEE', 'PMSCR_EL2', 'FEAT_SPE_EXC')
        if name == 'EffectiveTRFCR_EL2_EE':
            return self.exceptions('TRBEE', 'TRFCR_EL2', 'FEAT_TRBE_EXC')
        if name in ('EffectiveHCR_EL2_TGE', 'EffectiveTGE'):
            return '1' if self.el2_on() and self.f['HCR_EL2.TGE'] == '1' else '0'
        if name == 'SelfHostedTraceEnabled':
            return True
        if name == 'UInt':
            return 0
        raise Cut('unknown function %s' % name)

    def value(self, t):
        if t[0] == "'":
            return t[1:-1]
        if t == 'PSTATE.EL':
            return 'EL%d' % self.el
        if re.match(r'^EL[0-3]$', t):
            return t
        if t in self.f:
            return self.f[t]
        if t in ('TRUE', 'FALSE'):
            return t == 'TRUE'
        if re.match(r'^(HDFG|HFG)\w*\.', t):
            return '1' if '.n' in t else '0'
        if re.match(r'^SCR_EL3\.FGTEn', t):
            return '1'
        if re.match(r'^(OSLSR_EL1|EDSCR2|SCR_EL3\.TID3|HCR_EL2\.TID3|PMSCR_EL1\.EE|TRFCR_EL1\.EE)', t):
            return '0'
        if re.match(r'^(m|NUM_\w+|0x[0-9A-Fa-f]+|\d+)$', t):
            return 0
        raise Cut('unknown value %s' % t)

    def ask(self, e):
        op = e[0]
        if op == 'or':
            return self.ask(e[1]) or self.ask(e[2])
        if op == 'and':
            return self.ask(e[1]) and self.ask(e[2])
        if op == 'not':
            return not self.ask(e[1])
        if op == 'call':
            return self.call(e[1], e[2])
        if op == 'value':
            return self.value(e[1])
        if 'TRCIDR' in repr(e) or 'TRCSSCSR' in repr(e) or 'NUM_TRACE' in repr(e) or 'TRCIMSPEC0' in repr(e):
            return size_guard(e)
        if op == 'in':
            v = self.ask(e[1])
            return any(fits(self.ask(x), v) for x in e[2])
        a, b = self.ask(e[1]), self.ask(e[2])
        if op in ('==', '!='):
            same = fits(b, a) if isinstance(a, str) and isinstance(b, str) else a == b
            return same == (op == '==')
        return False

    def run(self, block):
        """-> UNDEF, EL1, EL2, EL3, OK:register, NVMem:offset, or None"""
        for s in block:
            if s[0] == 'if':
                for cond, inner in s[1]:
                    if self.ask(cond):
                        out = self.run(inner)
                        break
                else:
                    out = self.run(s[2]) if s[2] is not None else None
                if out:
                    return out
                continue
            t = s[1]
            if t == 'UNDEFINED':
                return 'UNDEF'
            m = re.match(r'^AArch64\.SystemAccessTrap ?\( ?(EL\d)', t)
            if m:
                return m.group(1)
            if t.startswith('Halt'):
                return 'HALT'
            m = re.search(r'X \[ t , 64 \] = (.+)$', t) or re.match(r'^(.+) = X \[ t , 64 \]$', t)
            if m:
                n = re.match(r'^NVMem \[ (0x\w+) \]', m.group(1))
                return 'NVMem:' + n.group(1) if n else 'OK:' + m.group(1).strip()
        return None


def size_guard(e):
    """The unit is as large as it takes: "absent" is false, "there" is true"""
    op, text = e[0], repr(e)
    if 'NUM_TRACE' in text:
        return False
    zero = re.search(r"\"'0+'\"|'0x0+'|'0'", text) is not None
    return op in ('>', '>=') or (op == '!=') == zero


def fits(pattern, v):
    return len(pattern) == len(v) and all(p in ('x', c) for p, c in zip(pattern, v))


def parsed(regs, pages, say):
    """(register, access, tree) of all that is registers of a unit; one element for arrays"""
    seen = set()
    for reg in regs.values():
        page, n = fields.page_of(reg.name, pages)
        if not page or not reg.unit or reg.layout + page.name in seen and n not in (None, 0, 2):
            continue
        seen.add(reg.layout + page.name)
        for a, name, enc in fields.accesses_of(reg, page, n):
            if name != reg.name and enc != reg.enc:
                continue
            code = re.sub(r'^\s*integer m = [^;]*;', '', a.code)
            try:
                yield reg, a, Parser(code).program(), page
            except Cut as x:
                say('access %s %s: the code is cut off: %s, %s' % (reg.name, 'W' if a.write else 'R', x, page.where))


def name_of(text):
    """a register's name in an outcome: TRCACVR [ m ] is TRCACVR, BRBINF3_EL1 is BRBINF_EL1"""
    name = re.sub(r'(\s*[\[<].*|\d+)$', '', text.replace('OK:', '')).strip()
    return re.sub(r'^(BRB\w+?)\d+_EL1?$', r'\1_EL1', name)


def compare(regs, pages, harness, say, cases=600):
    rng = random.Random(42)
    jobs, lines = [], []
    for reg, a, tree, page in parsed(regs, pages, say):
        rw = 'W' if a.write else 'R'
        needed(reg, a, tree, page, say)
        for _ in range(cases):
            s = State(rng)
            try:
                want = s.run(tree) or 'nothing'
            except Cut as x:
                say('access %s %s: %s, %s' % (reg.name, rw, x, page.where))
                break
            jobs.append((reg, rw, page, s, want))
            enc = reg.enc[0] << 19 | reg.enc[1] << 16 | reg.enc[2] << 12 | reg.enc[3] << 8 | reg.enc[4] << 5
            lines.append('%x %d %s' % (enc, a.write, s.line()))
    done = subprocess.run([harness], input='\n'.join(lines) + '\n', capture_output=True, text=True, check=True)
    found, cut = {}, {}
    answers = done.stdout.split('\n')
    if len(answers) <= len(jobs):
        raise RuntimeError('the model answered %d of %d' % (len(answers) - 1, len(jobs)))
    for (reg, rw, page, s, want), got in zip(jobs, answers):
        if want.startswith('OK:') and got.startswith('OK:'):
            mine = re.sub(r'_EL12$', '_EL1', got[3:])
            array = mine.startswith('BRB') or not re.search(r'_EL\d$', mine)
            if name_of(want) == name_of(mine) and array or want[3:] == mine:
                continue
        elif want == got:
            continue
        if want == 'nothing':
            cut[reg.name, rw, page.where] = True
            continue
        key = (reg.name, rw, page.where, want, got)
        found.setdefault(key, []).append(s)
    for name, rw, where in cut:
        say('access %s %s: the code is cut off, %s' % (name, rw, where))
    for (name, rw, where, want, got), states in found.items():
        say('access %s %s: manual %s, model %s, %s; %s' % (name, rw, want, got, common(states), where))
    return len(jobs)


def common(states):
    """What all these have in common, of what may be the reason"""
    out = ['EL%s' % '/'.join(str(x) for x in sorted({s.el for s in states}))]
    if len(states) < 6:
        return out[0]
    for k in sorted(PLACES):
        v = {s.f[k] for s in states}
        # those without EL3 or EL2 have no such register
        if len(v) == 1 and k.split('.')[1] not in ('EL',):
            out.append('%s=%s' % (k, v.pop()))
    return ' '.join(out[:5])


def needed(reg, a, tree, page, say):
    """Without which features is it UNDEFINED for everybody?"""
    rng = random.Random(7)
    need = set()
    text = a.code
    for feat in sorted(FEATURES & set(re.findall(r'IsFeatureImplemented\((FEAT_\w+)\)', text))):
        got = set()
        for _ in range(60):
            s = State(rng)
            s.missing = feat
            try:
                got.add(s.run(tree))
            except Cut:
                return
        if got <= {'UNDEF'}:
            need.add(feat)
    need -= set(fields.GRANTED)
    mine = {reg.feat} | fields.IMPLIED.get(reg.feat, set())
    if reg.feat.endswith('_EXC') and reg.trap == 'EL12':
        mine |= {'FEAT_SPE', 'FEAT_TRBE'}
        need.add(reg.feat)      # the heading of the accessor has it, not the code
    if text.lstrip().startswith('integer') or not text.strip():
        need.add(reg.feat)      # the size of an array says it; or there is no code at all
    if not need <= mine or reg.feat not in need:
        say('needs %s %s: table %s, manual %s, %s' % (reg.name, 'W' if a.write else 'R', reg.feat,
                                                    '+'.join(sorted(need)) or 'nothing', page.where))
