# SPDX-License-Identifier: GPL-2.0-only
"""What nm and perf2bolt print of a program that is linked statically"""


def symbols(path):
    """(name, address) of each function in the output of nm"""
    for line in open(path):
        word = line.split()
        if len(word) == 3 and word[1] in "tTwW" and not word[2].startswith("$"):
            yield word[2], int(word[0], 16)


def functions(path):
    """name -> address of the functions whose name is unique"""
    found = {}
    for name, address in symbols(path):
        found.setdefault(name, set()).add(address)
    # Static functions may have equal names.
    return {name: at.pop() for name, at in found.items() if len(at) == 1}


def branches(path, at):
    """(source, target, times, mispredicted) of each branch in fdata between functions of @at"""
    for line in open(path):
        word = line.split()
        if len(word) != 8 or word[0] != "1" or word[3] != "1":
            continue
        # BOLT names functions that have equal names NAME/1.
        names = [w.split("/")[0] for w in (word[1], word[4])]
        if any(w not in at or "*" in x for w, x in zip(names, (word[1], word[4]))):
            continue
        yield at[names[0]] + int(word[2], 16), at[names[1]] + int(word[5], 16), int(word[7]), int(word[6])
