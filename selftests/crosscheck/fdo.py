#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Profiles for linkers and compilers against the model's list of what was executed (v9-pclog).

    fdo.py llvm LIST NM PROFILE         the file of v9trace export --to llvm
    fdo.py bolt LIST NM FDATA           what perf2bolt made of v9trace export --to bolt
    fdo.py heads LIST NM TEXT           the text of llvm-profdata: entries of each function
    fdo.py better LIST LIST             the second program jumps less and touches less code
    fdo.py costs FILE                   lines "PROGRAM LIST"; those of A.bolt and A.fdo jump less than A

NM is the output of nm of a program that is linked statically. Exit status 0 if the counts are equal.
"""
import array
import bisect
import collections
import re
import sys

from bolt import branches as branches_of, functions


def pairs(path):
    words = array.array("Q")
    with open(path, "rb") as f:
        words.frombytes(f.read())
    if sys.byteorder != "little":
        words.byteswap()
    return zip(words[0::2], words[1::2])


def executed(path):
    """Counts of instructions by address, of taken branches by (from, to), and of gaps by from

    A gap may come after a branch: the list then has no target, or, where the kernel carries out an
    instruction, another one.
    """
    ranges, taken, gaps = collections.Counter(), collections.Counter(), collections.Counter()
    end, gap = 0, False
    for first, after in pairs(path):
        if not first and not after:
            gap = True
            continue
        ranges[first, after] += 1
        if end and first != end:
            if gap:
                gaps[end - 4] += 1
            else:
                taken[end - 4, first] += 1
        end, gap = after, False
    counts = collections.Counter()
    for (first, after), n in ranges.items():
        for pc in range(first, after, 4):
            counts[pc] += n
    return counts, taken, gaps


def first_difference(got, want, what):
    for key in sorted(set(got) | set(want)):
        if got[key] != want[key]:
            sys.exit("%s %s: %d, want %d" % (what, "-".join("%x" % k for k in key), got[key], want[key]))
    if not want:
        sys.exit("nothing to compare")
    print("%d %ss, %d times" % (len(want), what, sum(want.values())))


def compare_branches(got, taken, gaps):
    """Equal, but for branches before gaps, of which the list knows the number at most"""
    sums, want = collections.Counter(), collections.Counter()
    for (source, _), n in got.items():
        sums[source] += n
    for (source, _), n in taken.items():
        want[source] += n
    for source in set(sums) | set(want):
        if not want[source] <= sums[source] <= want[source] + gaps[source]:
            sys.exit("branches at %x: %d, want %d" % (source, sums[source], want[source]))
    for key in set(got) | set(taken):
        if not taken[key] <= got[key] <= taken[key] + gaps[key[0]]:
            sys.exit("branch %x-%x: %d, want %d" % (*key, got[key], taken[key]))
    print("%d branches, %d times, %d before gaps" % (len(got), sum(got.values()),
                                                    sum(got.values()) - sum(taken.values())))


def llvm(listed, nm, profile):
    counts, taken, gaps = executed(listed)
    lines = open(profile).read().split("\n")
    n = int(lines[0])
    got = collections.Counter()
    for line in lines[1:n + 1]:
        first, last, times = re.fullmatch(r"([0-9a-f]+)-([0-9a-f]+):(\d+)", line).groups()
        for pc in range(int(first, 16), int(last, 16) + 4, 4):
            got[(pc,)] += int(times)
    first_difference(got, collections.Counter({(pc,): n for pc, n in counts.items()}), "instruction")
    if int(lines[n + 1]) != len(lines) - n - 3:
        sys.exit("the number of branches is wrong")
    branches = collections.Counter()
    for line in lines[n + 2:-1]:
        source, target, times = re.fullmatch(r"([0-9a-f]+)->([0-9a-f]+):(\d+)", line).groups()
        branches[int(source, 16), int(target, 16)] += int(times)
    # The list does not show a branch to the next instruction as one.
    branches = collections.Counter({k: n for k, n in branches.items() if k[1] != k[0] + 4})
    compare_branches(branches, taken, gaps)


def bolt(listed, nm, fdata):
    """perf2bolt has branches, and for each branch that was not taken where execution went on"""
    counts, taken, gaps = executed(listed)
    at = functions(nm)
    of = collections.Counter()
    for (source, _), n in taken.items():
        of[source] += n
    known = 0
    for source, target, n, _ in branches_of(fdata, at):
        if (source, target) in taken:
            want = taken[source, target]
        elif target == source + 4 and of[source] == counts[source]:
            # After a call; what is there may be reached in another way, too.
            want = min(n, counts[target])
        elif target == source + 4:
            want = counts[source] - of[source] - gaps[source]
        elif gaps[source]:
            want = 0
        else:
            # Fall through between blocks of which the first ends without a branch
            want = counts[source]
        if not want <= n <= want + gaps[source]:
            sys.exit("%x -> %x: %d, want %d" % (source, target, n, want))
        known += n
    print("%d times along branches, of %d taken" % (known, sum(taken.values())))
    if known < sum(taken.values()) * 0.9:
        sys.exit("most branches are missing")


def heads(listed, nm, text):
    counts, taken, gaps = executed(listed)
    at = functions(nm)
    n = 0
    for line in open(text):
        m = re.fullmatch(r"([A-Za-z_0-9.]+):(\d+):(\d+)", line.strip())
        if not m or line.startswith(" "):
            continue
        name, _, head = m.groups()
        # Functions whose entries are calls of other traced functions
        want = sum(k for (_, target), k in taken.items() if target == at[name])
        most = want + sum(gaps[source] for (source, target) in taken if target == at[name])
        if not want <= int(head) <= most:
            sys.exit("%s: %s entries, want %d" % (name, head, want))
        n += 1
        print(name, head)
    if n < 3:
        sys.exit("only %d functions" % n)


def cost(listed):
    counts, taken, _ = executed(listed)
    insns = sum(counts.values())
    jumps = sum(taken.values()) * 1e6 / insns
    # Distinct lines of code in each million instructions, in the mean
    lines, now, left, total, parts = set(), 0, 1000000, 0, 0
    for first, after in pairs(listed):
        lines.update(range(first >> 6, (after + 63 >> 6)))
        left -= (after - first) // 4
        if left <= 0:
            total, parts, left = total + len(lines), parts + 1, left + 1000000
            lines.clear()
    return insns, jumps, total / parts if parts else len(lines)


def better(before, after):
    a, b = cost(before), cost(after)
    text = "%d instructions, %.0f taken branches and %.0f lines of code in a million; then %d, %.0f, %.0f"
    print(text % (a + b))
    if not (b[1] < a[1] and b[2] < a[2]):
        sys.exit("not better: " + text % (a + b))


def costs(path):
    of = {}
    for line in open(path):
        program, listed = line.split()
        of[program] = cost(listed)
        print("%-10s %10d instructions, %8.0f taken branches, %6d of them a million; %4.0f lines of code in a million"
              % (program, of[program][0], of[program][0] / 1e6 * of[program][1], of[program][1], of[program][2]))
    worse = [p for p in of if "." in p and of[p][1] >= of[p.split(".")[0]][1]]
    if worse or len(of) < 2:
        sys.exit("no better than before: " + " ".join(worse))


{"llvm": llvm, "bolt": bolt, "heads": heads, "better": better, "costs": costs}[sys.argv[1]](*sys.argv[2:])
