# SPDX-License-Identifier: GPL-2.0-only
"""Does a name of ours mean what the manual's sentence says? By the words that both have."""
import re

# what our short names stand for
SHORT = {
    'va': 'virtual', 'pa': 'physical', 'cid': 'context identifier', 'vmid': 'virtual context identifier',
    'gpf': 'granule protection fault', 'gpc': 'granule protection check', 'sync': 'synchronous',
    'async': 'asynchronous', 'irq': 'interrupt', 'walk': 'translation table walk', 'tlb': 'tlb',
    'l0': 'level 0', 'l1': 'level 1', 'l2': 'level 2', 'l3': 'level 3', 'lm1': 'level -1', 'lm2': 'level -2',
    'extin': 'external input', 'sscc': 'single-shot', 'sac': 'single address', 'arc': 'address range',
    'el1': 'el1', 'el2': 'el2', 'el3': 'el3', 'spe': 'statistical profiling', 'off': 'disabled',
    'ro': 'read-only', 'rw': 'read/write', 'none': 'not',
}


def words(text):
    return set(re.findall(r'[a-z]+|-?\d+', re.sub(r'(\d),(\d)', r'\1\2', text.lower())))


def stems(label):
    """What a label promises, each in its own words and as SHORT has it"""
    out = []
    for part in re.findall(r'[A-Za-z]+\d*[a-z]*\d*|\d+', label.replace('_', ' ')):
        low = part.lower()
        out.append((words(low), words(SHORT.get(low, low))))
    return out


def alike(a, b):
    """IMPLEMENTED and implements, GENERATED and generates"""
    if a == b or {a, b} == {'implemented', 'supported'}:
        return True
    n = min(len(a), len(b))
    return a.isalpha() and b.isalpha() and n >= 4 and a[:max(4, n - 3)] == b[:max(4, n - 3)]


def score(label, text):
    """how much of the label is said by the text, 0 to 1"""
    have = words(text)
    parts = stems(label)
    if not parts:
        return 0
    hits = 0
    for p in parts:
        hits += max(sum(any(alike(w, h) for h in have) for w in way) / len(way) for way in p)
    if 'implemented' in label.lower() and bool(have & {'not', 'no'}) != ('not' in label.lower()):
        hits *= 0.5
    return hits / len(parts)


def compare(labels, texts):
    """labels {value: name}, texts {value: sentence} -> [(value, name, why)] that look wrong"""
    out = []
    for v, name in labels.items():
        if v not in texts:
            continue
        mine = score(name, texts[v])
        best = max(texts, key=lambda t: score(name, texts[t]))
        if mine == 0:
            out.append((v, name, 'no word of it in "%s"' % texts[v][:60]))
        elif score(name, texts[best]) > mine + 1e-9 and best not in (v,):
            out.append((v, name, '%s fits better, "%s"' % (best, texts[best][:60])))
    return out
