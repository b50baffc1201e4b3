#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Prints an AutoFDO profile of version 2 as text: a line for each count.

    afdo.py FILE        FUNCTION entered N / FUNCTION[@LINE INLINED...] LINE N [-> CALLEE N...]
"""
import struct
import sys


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def word(self):
        self.at += 4
        return struct.unpack_from("<I", self.data, self.at - 4)[0]

    def counter(self):
        return self.word() | self.word() << 32

    def string(self):
        n = self.word()
        text = self.data[self.at:self.at + n]
        self.at += n
        if text[-1:] != b"\0":
            raise ValueError("a string without its end")
        return text[:-1].decode()

    def section(self, tag):
        if self.word() != tag:
            raise ValueError("no section %x" % tag)
        n = self.word()
        return self.at + n


def function(r, names, path):
    name = path + names[r.word()]
    lines, callees = r.word(), r.word()
    for _ in range(lines):
        line, targets, n = r.word(), r.word(), r.counter()
        if line & 0xffff:
            raise ValueError("a discriminator")
        called = []
        for _ in range(targets):
            r.word()
            called.append(" -> %s %d" % (names[r.counter()], r.counter()))
        print(name, line >> 16, str(n) + "".join(sorted(called)))
    for _ in range(callees):
        function(r, names, "%s@%d " % (name, r.word() >> 16))
    return name


r = Reader(open(sys.argv[1], "rb").read())
if (r.word(), r.word(), r.word()) != (0x67636461, 2, 0):
    sys.exit("not AutoFDO's version 2")
end = r.section(0xaa000000)
names = [r.string() for _ in range(r.word())]
if r.at != end:
    raise ValueError("names end at %d, not %d" % (r.at, end))
end = r.section(0xac000000)
for _ in range(r.word()):
    entered = r.counter()
    print(function(r, names, ""), "entered", entered)
if r.at != end:
    raise ValueError("functions end at %d, not %d" % (r.at, end))
end = r.section(0xae000000)
if r.word() or r.at != end or end != len(r.data):
    raise ValueError("the last section")
