#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The body of a request that pushes a profile, as protocol buffers, on standard output.

push-body.py pyroscope|parca PROFILE NAME=VALUE...

pyroscope: push.v1.PushRequest. parca: parca.profilestore.v1alpha1.WriteRawRequest in the frame of gRPC.
NAME=VALUE are labels. See continuous.rst.
"""
import hashlib
import struct
import sys
import uuid


def varint(n):
    out = b""
    while n > 0x7f:
        out += bytes([n & 0x7f | 0x80])
        n >>= 7
    return out + bytes([n])


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("pyroscope", "parca") or \
            not all("=" in label for label in sys.argv[3:]):
        sys.exit(__doc__)
    with open(sys.argv[2], "rb") as file:
        profile = file.read()
    labels = [field(1, label.split("=", 1)[0].encode()) + field(2, label.split("=", 1)[1].encode())
              for label in sys.argv[3:]]
    raw = field(1, profile)
    if sys.argv[1] == "pyroscope":
        # The same profile has the same ID.
        raw += field(2, str(uuid.UUID(bytes=hashlib.sha256(profile).digest()[:16])).encode())
        series = b"".join(field(1, label) for label in labels) + field(2, raw)
        body = field(1, series)
    else:
        series = field(1, b"".join(field(1, label) for label in labels)) + field(2, raw)
        # 3: addresses are those in the object, as linked
        body = field(2, series) + varint(3 << 3) + varint(1)
        body = struct.pack(">BI", 0, len(body)) + body
    sys.stdout.buffer.write(body)


main()
