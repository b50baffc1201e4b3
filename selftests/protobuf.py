# SPDX-License-Identifier: GPL-2.0-only
"""Messages of protobuf, read without a description of their fields. For tests that read profiles of pprof."""


def number_at(data, at):
    """The number at an offset, and the offset after it. IndexError if it is not whole"""
    n = shift = 0
    while True:
        n |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            return n, at


def fields(data):
    """Number and value of each field of a message: an integer or bytes. ValueError if it is damaged"""
    at = 0
    while at < len(data):
        key, at = number_at(data, at)
        value, at = number_at(data, at)
        if key & 7 == 2:
            if at + value > len(data):
                raise ValueError("a field ends behind its message")
            value, at = data[at:at + value], at + value
        elif key & 7:
            raise ValueError(f"wire type {key & 7}")
        yield key >> 3, value


def packed(data):
    """List of the numbers of a packed field"""
    out, at = [], 0
    while at < len(data):
        n, at = number_at(data, at)
        out.append(n)
    return out
