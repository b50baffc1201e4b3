#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What v9trace writes to a pseudo-terminal: width, colours, the pager. Prints TAP.

terminal.py V9TRACE DIR	in DIR there are captures of mkcapture.c
"""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

v9trace = sys.argv[1]
os.chdir(sys.argv[2])
n = 0
BOLD, RED = b"\x1b[1m", b"\x1b[31m"
symbols = ["--symfs", "symfs", "--kallsyms", "kallsyms"]


def result(name, good, why=""):
    global n
    n += 1
    print(f"{'ok' if good else 'not ok'} {n} - {name}" + ("" if good else f" # {str(why)[:250]}"), flush=True)


def run(args, columns=80, rows=24, keys=(), **env):
    """Runs it in a terminal. @keys: (what to wait for, what to type). Returns status and output."""
    pid, fd = pty.fork()
    if not pid:
        e = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "HOME": os.getcwd(), "PAGER": "cat"}
        e.update({k: v for k, v in env.items() if v is not None})
        for k in [k for k, v in env.items() if v is None]:
            e.pop(k, None)
        os.execve(v9trace, [v9trace] + args, e)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    out, keys, end = b"", list(keys), time.monotonic() + 60
    while time.monotonic() < end:
        if keys and keys[0][0] in out:
            os.write(fd, keys.pop(0)[1])
        if not select.select([fd], [], [], 0.05)[0]:
            continue
        try:
            part = os.read(fd, 65536)
        except OSError:
            break
        if not part:
            break
        out += part
    else:
        os.kill(pid, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(fd)
    return status, out.replace(b"\r\n", b"\n")


def plain(out):
    for code in (BOLD, RED, b"\x1b[0m"):
        out = out.replace(code, b"")
    return out.decode()


def too_wide(out, columns):
    """Lines of tables; not the names of columns that are left out"""
    return [l for l in plain(out).splitlines() if len(l) > columns and "not shown" not in l]


def main():
    report = ["report"] + symbols + ["good.data"]

    status, out = run(report)
    text = plain(out)
    result("status", status == 0, status)
    result("fits_80", text and all(len(l) <= 80 for l in text.splitlines()), max(text.splitlines(), key=len))
    result("colours", BOLD + b"Summary" in out and RED in out, out[:100])
    for value, wanted in (("1", False), ("", True)):
        _, out = run(report, NO_COLOR=value)
        result(f"NO_COLOR_{value or 'empty'}", (BOLD in out) == wanted, out[:80])
    _, out = run(report + ["--no-color"])
    result("no_color", b"\x1b" not in out, out[:80])

    # Columns are left out in the order of use, and the rest says so; --wide shows all.
    _, narrow = run(["mem"] + symbols + ["mem.data"], columns=72)
    text = plain(narrow)
    result("fits_72", not too_wide(narrow, 72), too_wide(narrow, 72))
    text = text[text.index("Functions that waited"):]
    result("dropped", "  not shown: issue, transl, command (--wide)" in text, text[:600])
    _, wide = run(["mem", "--wide"] + symbols + ["mem.data"], columns=72)
    with os.popen(f"{v9trace} mem {' '.join(symbols)} mem.data") as f:
        piped = f.read()
    result("wide_is_as_piped", plain(wide) == piped, "differs")
    _, out = run(report, COLUMNS="68")
    result("columns_win", not too_wide(out, 68), too_wide(out, 68))

    # The pager: which, when, and what it is given
    with open("pager", "w") as f:
        f.write("#!/bin/sh\necho pager $1 LESS=$LESS LV=$LV; cat; echo end of pager\n")
    os.chmod("pager", 0o755)
    _, out = run(report, PAGER="./pager A")
    result("pager", out.startswith(b"pager A LESS=FRX LV=-c\n") and out.endswith(b"end of pager\n") and BOLD in out, out[:80])
    _, out = run(report, PAGER="./pager A", V9TRACE_PAGER="./pager B", LESS="S")
    result("own_pager", out.startswith(b"pager B LESS=S "), out[:80])
    _, out = run(report, PAGER="./pager A", V9TRACE_PAGER="")
    result("no_pager_empty", b"pager" not in out, out[:80])
    _, out = run(["--no-pager"] + report, PAGER="./pager A")
    result("no_pager_option", b"pager" not in out and BOLD in out, out[:80])
    _, out = run(["--version"], PAGER="./pager A")
    result("no_pager_short", b"pager" not in out, out[:80])
    _, out = run(report, columns=70, PAGER="./pager A")
    result("pager_width", out and not too_wide(out, 70), too_wide(out, 70))
    with os.popen(f"PAGER='./pager A' {v9trace} {' '.join(report)}") as f:
        result("no_pager_in_a_pipe", "pager" not in f.read())
    status, _ = run(["report", "none.data"], PAGER="./pager A")
    result("status_behind_pager", status == 1, status)
    # A pager that the user leaves early
    status, out = run(report, PAGER="head -n 1")
    result("pager_left", out.count(b"\n") == 1, f"{status} {out[:100]}")

    print(f"1..{n}")


main()
