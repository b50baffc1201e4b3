#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""What v9trace writes to a pseudo-terminal: width, colours, the pager. Prints TAP.

terminal.py V9TRACE DIR	in DIR there are captures of mkcapture.c
"""
import fcntl
import glob
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

from vt import environment, screen

v9trace = sys.argv[1]
golden = os.path.abspath(os.path.dirname(__file__)) + "/../golden/terminal"
os.chdir(sys.argv[2])
n = 0
BOLD, RED = b"\x1b[1m", b"\x1b[31m"
symbols = ["--symfs", "symfs", "--kallsyms", "kallsyms"]


def result(name, good, why=""):
    global n
    n += 1
    print(f"{'ok' if good else 'not ok'} {n} - {name}" + ("" if good else f" # {str(why)[:250]}"), flush=True)


def resize(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def run(args, columns=80, rows=24, keys=(), **env):
    """Runs it in a terminal. @keys: (what to wait for, what to type). Returns status and output."""
    pid, fd = pty.fork()
    if not pid:
        e = environment(TERM="xterm-256color", PAGER="cat")
        e.update({k: v for k, v in env.items() if v is not None})
        for k in [k for k, v in env.items() if v is None]:
            e.pop(k, None)
        resize(0, columns, rows)
        os.execve(v9trace, [v9trace] + args, e)
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
    _, out = run(report, columns=50, PAGER="./pager A")
    result("pager_width", out.split(b"\n", 1)[1] == run(report, columns=50)[1] + b"end of pager\n", out[:200])
    # Without a name it is less, if there is one.
    os.mkdir("bin")
    os.symlink("../pager", "bin/less")
    _, out = run(report, PAGER=None, PATH="bin:" + os.environ["PATH"])
    result("pager_less", out.startswith(b"pager LESS=FRX LV=-c\n"), out[:80])
    _, out = run(report, PAGER=None, PATH="none")
    result("no_pager_without_less", out == run(report)[1], out[:80])
    # A signal: the pager reads on to the end, then v9trace dies of it.
    for name in "INT", "TERM", "HUP", "QUIT":
        status, out = run(report, PAGER=f"trap '' HUP; kill -{name} $PPID; cat; sleep 0.1; echo end of pager")
        good = status == -signal.Signals["SIG" + name] and out.endswith(b"end of pager\n")
        result(f"pager_SIG{name}", good, f"{status} {out[-80:]}")
    with os.popen(f"PAGER='./pager A' {v9trace} {' '.join(report)}") as f:
        result("no_pager_in_a_pipe", "pager" not in f.read())
    status, _ = run(["report", "none.data"], PAGER="./pager A")
    result("status_behind_pager", status == 1, status)
    # A pager that the user leaves early
    status, out = run(report, PAGER="head -n 1")
    result("pager_left", out.count(b"\n") == 1, f"{status} {out[:100]}")

    view()
    whole_screens()
    print(f"1..{n}")


def sleeps(pid):
    """Do all threads of the processes of a session wait?"""
    for path in glob.glob("/proc/[0-9]*/task/*/stat"):
        try:
            with open(path, encoding="utf-8") as f:
                state, _, _, session = f.read().rpartition(")")[2].split()[:4]
        except (FileNotFoundError, ProcessLookupError):
            continue	# it has ended
        if int(session) == pid and state not in "SZ":
            return False
    return True


def drive(args, keys, **env):
    """Types keys one after the other. After (key, text) it waits until text was printed; (columns, rows) is a
    new size of the terminal, which the program draws anew. Returns the exit status and the screens: before the
    first key and after each key."""
    return walk(args, keys, 100, 30, None, **env)


def walk(args, keys, columns, rows, want, **env):
    """As drive(). @want: the screens, with marks, as far as they are known: it ends with the first other one."""
    pid, fd = pty.fork()
    if not pid:
        resize(0, columns, rows)
        os.execve(v9trace, [v9trace] + args, environment(**env))
    out, screens, ended = b"", [], False

    def shown():
        return screen(out, columns, rows, want is not None)

    def wanted():
        # Behind the last screen the program ends.
        return want and len(screens) < len(want) - 1 and shown() == want[len(screens)]

    def quiet(text=b""):
        """Waits until the program waits for a key, or shows what is wanted."""
        nonlocal out, ended
        end, silence, began = time.monotonic() + 30, 0, len(out)
        while time.monotonic() < end and not wanted():
            if not select.select([fd], [], [], 0.05)[0]:
                silence += 1
                drawn = len(out) > began or want is not None and silence > 20
                # What is wanted comes even if the machine is slow.
                if silence > (200 if want else 6) and drawn and text in out[began:] and sleeps(pid):
                    return True
                continue
            try:
                part = os.read(fd, 65536)
            except OSError:
                part = b""
            ended = not part
            if ended:
                return False
            silence, out = 0, out + part
        return wanted()

    alive = quiet()
    screens.append(shown())
    for k in keys:
        if not alive or want and screens != want[:len(screens)]:
            break
        key, text = k if isinstance(k, tuple) else (k, b"")
        if isinstance(key, int):
            columns, rows, out, text = key, text, b"", b""
            resize(fd, columns, rows)
        else:
            os.write(fd, key)
        alive = quiet(text)
        screens.append(shown())
    if not ended:
        os.kill(pid, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(fd)
    return status, screens


def whole_screens():
    """
    Each screen of a walk through the tables, with attributes, is that of the golden file.
    """
    walks = [
        (["view"] + symbols + ["good.data"], 72, 10, [
            TAB, TAB, b"jjj", b"jjj", b"k", b"b", b" ", b"jk ", b"g", b"G", b"/copy_page\r", b"n", b"N", b"N",
            b"/xyz\x7f\x7f\x7fmatch\r", b"/nowhere\x1bj", b"/\r", b"/absent\r", b"/20.00\r",
            b"gs", b"s", b"sss", b"s", b"sss", b"s",
            ENTER, b"j", b"\r" b"jjjjjjj", b"q", b"1", b"8", b"\x1b[Z", b"\x1b[Z", b"a", b"3", b"q"]),
        (["view", "--symfs", "symfs", "trace.data"], 90, 12, [
            b"5", DOWN, ENTER, b"j", ENTER, b"q", b"q", b"2", b"sG", b"s", ENTER, b"4", b"q"]),
        (["view", "--limit", "3"] + symbols + ["mem.data"], 60, 9, [
            b"4", b"5", b"6", b"7", b"jj", ENTER, b"G", b"q", b"9", ENTER, b"q", b"q"]),
    ]
    for args, columns, rows, keys in walks:
        name = args[-1].split(".")[0]
        path = f"{golden}/{name}.txt"
        heads = [f"== {key.decode()!r}\n" for key in [b"", *keys]]
        text = ""
        if not os.environ.get("UPDATE"):
            with open(path, encoding="utf-8") as f:
                text = f.read()
        want = [part.split("\n", 1)[1].split("\n")[:-1] for part in text.split("== ")[1:-1]]
        status, screens = walk(args, keys, columns, rows, want)
        got = "".join(head + "".join(line + "\n" for line in lines)
                      for head, lines in zip(heads, screens)) + f"== status {status}\n"
        if not text:
            os.makedirs(golden, exist_ok=True)
            with open(path, "w", encoding="utf-8") as f:
                f.write(got)
            text = got
        differ = [b for a, b in zip(text.split("\n"), got.split("\n")) if a != b]
        result(f"screens_of_{name}", got == text, differ[:2])


def has(lines, *words):
    return any(all(w in l for w in words) for l in lines)


def hung_up(args):
    """Does it end when its terminal is gone, and it ignores that signal?"""
    pid, fd = pty.fork()
    if not pid:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.execve(v9trace, [v9trace] + args, environment())
    out = b""
    while b"Lost" not in out:
        out += os.read(fd, 65536)
    os.close(fd)
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if os.waitpid(pid, os.WNOHANG)[0]:
            return True
        time.sleep(0.1)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return False


UP, DOWN, ENTER, TAB, BACK = b"\x1bOA", b"\x1bOB", b"\r", b"\t", b"\x7f"


def view():
    args = ["view"] + symbols + ["good.data"]
    status, s = drive(args, [TAB, TAB, DOWN, ENTER, BACK, b"/", b"copy_page\r", b"n", b"s", b"q"])
    result("view_lost_first", has(s[0][:2], "Lost") and has(s[0], "1", "AUX records with collisions"), s[0][:5])
    result("view_tab", has(s[1][1:2], "Summary") and has(s[2][1:2], "Hottest functions"), s[2][:3])
    result("view_rows", has(s[2], "40.00%", "work", "match") and has(s[2], "10.00%", "copy_page"), s[2][:8])
    result("view_down", has(s[3][-1:], "2 of 8"), s[3][-1])
    result("view_zoom", has(s[4][1:2], "compress") and has(s[4], "samples", "8") and has(s[4], "object", "work"), s[4][:8])
    result("view_back", s[5][1:8] == s[3][1:8], s[5][:4])
    result("view_prompt", has(s[6][-1:], "/"), s[6][-1])
    result("view_search", has(s[7][-1:], "3 of 8"), s[7][-1])
    result("view_next", has(s[8][-1:], "7 of 8"), s[8][-1])
    result("view_sort", has(s[9][-1:], "sorted by share"), s[9][-1])
    result("view_quit", status == 0, status)

    status, s = drive(args, [TAB, TAB, ENTER, b"q", b"q"])
    result("view_zoom_others", has(s[3], "Functions that waited for memory") and status == 0, s[3][:20])

    # "a" runs v9trace annotate, if there is one, and says so if there is none.
    absent = os.system(f"{v9trace} annotate --help >annotate-help 2>&1")
    shown = b"annotate cannot show" if absent else b"back to the tables"
    status, s = drive(args, [TAB, TAB, (b"a", shown), ENTER, b"q", b"q"])
    if absent:
        result("view_annotate", has(s[3][-1:], "annotate cannot show match"), s[3][-2:])
    else:
        result("view_annotate", has(s[3], "Enter: back to the tables") and has(s[3], "match"), s[3][-2:])
    status, s = drive(args, [TAB, TAB, b"/", b"nowhere\r", b"q"])
    result("view_not_found", has(s[4][-1:], "not found: nowhere") and status == 0, s[4][-1])

    # The call tree: zoom is a call with what is below it.
    status, s = drive(["view", "--symfs", "symfs", "trace.data"], [b"5", DOWN, ENTER, b"q", b"q"])
    result("view_tree", has(s[1][1:2], "Call tree") and has(s[1], "_start") and has(s[1], "match"), s[1][:8])
    result("view_subtree", not has(s[3][3:], "_start") and has(s[3][3:], "compress") and has(s[3][3:], "match"), s[2][3:8] + s[3][:8] + s[3][-1:])
    result("view_tree_back", has(s[4][3:], "_start") and status == 0, s[4][:5])

    # A new size: the selected row stays, columns are cut or left out, and come back.
    status, s = drive(args, [TAB, TAB, DOWN, (80, 24), (24, 5), (120, 30), b"q"])
    result("view_narrow", len(s[4]) == 24 and has(s[4][-1:], "2 of 8") and has(s[4][1:2], "Hottest functions") and
           has(s[4][3:5], "40.00%", "match") and "transl" not in s[4][2], s[4][:5])
    result("view_tiny", has(s[5][-1:], "2 of 8") and has(s[5][3:4], "20.00%"), s[5])
    result("view_wide_again", len(s[6]) == 30 and "transl" in s[6][2] and has(s[6][-1:], "2 of 8"), s[6][:5])
    result("view_resized_quit", status == 0, status)

    for name in ("empty", "header_only"):
        with open(f"{name}.data", "wb") as f:
            f.write(b"" if name == "empty" else b"PERFILE2")
        status, out = run(["view", f"{name}.data"])
        result(f"view_{name}", status == 1 and out.startswith(b"v9trace: ") and b"\x1b" not in out, f"{status} {out[:100]}")
    for term in ("unknown-terminal", "dumb"):
        status, out = run(args, TERM=term)
        result(f"view_{term}", status == 1 and b"this terminal cannot show tables" in out and b"\x1b" not in out, f"{status} {out[:100]}")
    result("view_ends_with_its_terminal", hung_up(args))
    with os.popen(f"{v9trace} view good.data 2>&1 </dev/null") as f:
        result("view_needs_terminal", "view needs a terminal" in f.read())


main()
