#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""v9trace top in a pseudo-terminal. Prints TAP.

top.py MKTOP DIR	in DIR there are captures of exports/captures.sh
"""
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import vt

mktop = sys.argv[1]
os.chdir(sys.argv[2])
n = 0
UP, DOWN, RIGHT, LEFT, NPAGE = b"\x1bOA", b"\x1bOB", b"\x1bOC", b"\x1bOD", b"\x1b[6~"


def result(name, good, why=""):
    global n
    n += 1
    print(f"{'ok' if good else 'not ok'} {n} - {name}" + ("" if good else f" # {str(why)[:400]}"), flush=True)


class Top:
    """mktop on a terminal of its own"""

    def __init__(self, *args, capture="good.data", columns=80, rows=24, shell=False, **env):
        self.columns, self.rows, self.out, self.all = columns, rows, b"", b""
        self.master, self.slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        self.pid = os.fork()
        if not self.pid:
            os.setsid()
            os.close(self.master)
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for fd in range(3):
                os.dup2(self.slave, fd)
            if shell:
                self.be_a_shell()
            os.execve(mktop, [mktop, capture, "50", "0", "--symfs", "symfs", "-d", "0.2"] + list(args),
                      vt.environment(**env))

    def be_a_shell(self):
        """Ctrl-Z stops only what has a parent in the same session. That ends as its child does; after its child
        has stopped it lets it go on when it gets SIGUSR1."""
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        signal.signal(signal.SIGUSR1, lambda *_: os.kill(child, signal.SIGCONT))
        child = os.fork()
        if not child:
            os.setpgid(0, 0)
            os.tcsetpgrp(0, os.getpid())
            signal.signal(signal.SIGTTOU, signal.SIG_DFL)
            return
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        while True:
            _, status = os.waitpid(child, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                os._exit(os.waitstatus_to_exitcode(status))
            os.write(1, b"[stopped]")

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, timeout):
        """Returns false if there is nothing."""
        if not select.select([self.master], [], [], timeout)[0]:
            return False
        try:
            part = os.read(self.master, 65536)
        except OSError:
            return False
        self.out += part
        self.all += part
        return bool(part)

    def screen(self):
        return vt.screen(self.out, self.columns, self.rows)

    def wait(self, good, seconds=20):
        """Until the screen is good. Returns the last screen."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.1)
            while self.read(0.03):
                pass
            s = self.screen()
            if good(s):
                return s
        return self.screen()

    def type(self, keys):
        os.write(self.master, keys)

    def end(self, seconds=20):
        """Waits for its end. Returns the exit status; None: it did not end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.read(0.05)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return None

    def restored(self):
        """The terminal has the settings of before, and the screen of before."""
        return termios.tcgetattr(self.slave) == self.before and b"\x1b[?1049l" in self.all

    def close(self):
        os.close(self.slave)
        os.close(self.master)


def has(lines, *words):
    return any(all(w in l for w in words) for l in lines)


def by(s, what):
    return has(s, f"records by {what};")


def samples(s):
    """Of the row of match; 0: there is none"""
    for l in s:
        if "match" in l and "%" in l:
            return int(l.split()[1])
    return 0


def keys():
    t = Top()
    s = t.wait(lambda s: has(s, "match") and has(s, "a warning"))
    result("lost_is_first", s[0].startswith("lost: 1 times samples (collision)"), s[0])
    result("head", has(s[1:2], "records/s; own cost", "% CPU; 0:00:0", "arm_spe_0// 1/1024, all CPUs"), s[1])
    result("titles", has(s[3:4], "share samples  latency L1miss  object", "symbol"), s[3])
    result("rows", has(s[4:5], "50.00%", "work", "match"), s[4])
    result("fits_80", max(len(l) for l in s) <= 80 and len(s) == 24, max(s, key=len))
    result("warning", has(s[-1:], "v9trace: warning: a warning of the recorder"), s[-1])
    first = samples(s)
    s = t.wait(lambda s: samples(s) > first)
    result("sums_grow", samples(s) > first, first)
    t.type(b" ")
    s = t.wait(lambda s: has(s, "PAUSED"))
    first = samples(s)
    time.sleep(0.7)
    t.read(0.1)
    result("pause", has(s, "PAUSED") and samples(t.screen()) == first, s[1])
    t.type(b"p")
    s = t.wait(lambda s: samples(s) > first)
    result("goes_on", samples(s) > first and not has(s, "PAUSED"), s[1])
    first = samples(s)
    t.type(b"z")
    s = t.wait(lambda s: samples(s) < first)
    result("zero", samples(s) < first and not has(s, "lost:"), s[0])
    for key, what, shown in ((RIGHT, "line", "source line"), (b"g", "object", "/opt/work"),
                             (b"\t", "source", "data source"), (RIGHT, "latency", "latency, cycles"),
                             (RIGHT, "function", "symbol"), (LEFT, "latency", "latency, cycles"),
                             (b"G", "source", "data source")):
        t.type(key)
        s = t.wait(lambda s: by(s, what) and has(s, shown))
        result(f"by_{what}", by(s, what) and has(s, shown), s[:4])
    t.type(RIGHT + RIGHT)
    t.wait(lambda s: by(s, "function"))
    t.type(b"T")
    s = t.wait(lambda s: has(s, "share of cycles of latency"))
    result("order_by_latency", has(s, "share of cycles of latency") and has(s[-1:], "order: latency"), s[:3])
    t.type(b"s")
    s = t.wait(lambda s: has(s, "by average latency"))
    result("next_order", has(s, "by average latency"), s[:3])
    t.type(b"SS")
    s = t.wait(lambda s: has(s[-1:], "order: samples"))
    result("orders_before", has(s[-1:], "order: samples"), s[-1])
    t.type(b"M")
    s = t.wait(lambda s: has(s, "share of L1 misses"))
    result("order_by_misses", has(s, "share of L1 misses"), s[:3])
    t.type(b"/COMPX\x7f")
    s = t.wait(lambda s: has(s[-1:], "Filter: COMP"))
    result("prompt", s[-1] == "Filter: COMP", s[-1])
    t.type(b"\r")
    s = t.wait(lambda s: has(s, "filter COMP") and has(s, "compress"))
    result("filter", has(s, "filter COMP") and has(s, "compress") and not has(s, "match"), s[:7])
    t.type(b"/\r")
    s = t.wait(lambda s: has(s, "match"))
    result("no_filter", has(s, "match"), s[:7])
    t.type(b"/match\x1b")		# Escape: as if it had not been asked
    time.sleep(0.3)
    s = t.wait(lambda s: has(s[-1:], "q quit"))
    result("escape", has(s[-1:], "q quit") and not has(s, "; filter"), s[2:4] + s[-1:])
    t.type(b"/mat\xffch\x08\x08\x08\x7f\x7f\x7f\x7f\x7f\x7fCOM")
    s = t.wait(lambda s: has(s[-1:], "COM"))
    result("all_is_erased", s[-1] == "Filter: COM", s[-1])
    t.type(b"\x1bOM")		# Enter of the keypad
    s = t.wait(lambda s: has(s, "filter COM;"))
    result("enter_of_the_keypad", has(s, "filter COM;"), s[:5])
    t.type(b"/" + b"x" * 70 + b"\n")
    s = t.wait(lambda s: has(s, "0 rows"))
    result("longest_filter", has(s, "filter " + "x" * 10) and has(s[-1:], "q quit"), s[2:4] + s[-1:])
    t.type(b"/\r")
    t.wait(lambda s: has(s, "match"))
    t.type(b"d0\r")
    s = t.wait(lambda s: has(s[-1:], "wanted are seconds"))
    result("bad_delay", has(s[-1:], "0: wanted are seconds from 0.1 on"), s[-1])
    t.type(b"d600\r")
    s = t.wait(lambda s: has(s[-1:], "q quit"))
    first = t.screen()[1]
    time.sleep(0.7)
    t.read(0.1)
    result("delay", t.screen()[1] == first, t.screen()[1])
    t.type(b"h")
    s = t.wait(lambda s: has(s, "zero: forget all"))
    result("help", has(s, "zero: forget all") and not has(s, "match"), s[4:8])
    t.type(b"?")
    s = t.wait(lambda s: has(s, "match"))
    result("help_ends", has(s, "match"), s[4:8])
    t.type(b"q")
    status = t.end()
    result("quit", status == 0, status)
    result("quit_restores", t.restored(), t.all[-80:])
    result("messages_stay", b"warning: a warning of the recorder\r\n" in t.all[max(t.all.rfind(b"\x1b[?1049l"), 0):], t.all[-120:])
    t.close()


def sizes():
    t = Top("--by", "line", capture="inlined.data", rows=8)
    s = t.wait(lambda s: has(s, "inlined.h:6") and has(s[-1:], "q quit"))
    rows = [l for l in s if "inlined." in l]
    result("small_screen", len(rows) == 4 and has(s[-1:], "q quit"), s)
    for key in (DOWN, DOWN, DOWN, DOWN, DOWN):
        t.type(key)
    s = t.wait(lambda s: not has(s, "inlined.h:6"))
    result("scrolled", not has(s, "inlined.h:6"), s)
    t.type(UP * 5)
    s = t.wait(lambda s: has(s, "inlined.h:6"))
    result("scrolled_back", has(s, "inlined.h:6"), s)
    t.type(NPAGE)
    s = t.wait(lambda s: not has(s, "inlined.h:6"))
    result("page_down", not has(s, "inlined.h:6"), s)
    t.out = b""
    t.resize(120, 20)
    s = t.wait(lambda s: has(s, "mispr.") and has(s, "inlined.h:6") and has(s[-1:], "q quit"))
    result("resize", has(s, "L1miss LLmiss  walks mispr.") and has(s, "inlined.h:6") and has(s[-1:], "q quit"), s)
    t.out = b""
    t.resize(10, 2)
    t.wait(lambda s: len("".join(s)) > 5)
    t.out = b""
    t.resize(80, 24)
    s = t.wait(lambda s: has(s, "inlined.h:6") and has(s[-1:], "q quit"))
    result("after_a_tiny_screen", has(s, "inlined.h:6"), s)
    t.type(b"\x03")
    status = t.end()
    result("ctrl_c", status == 0 and t.restored(), f"{status} {t.all[-80:]}")
    t.close()


def ends():
    for name, number in (("sigterm", signal.SIGTERM), ("sighup", signal.SIGHUP)):
        t = Top()
        t.wait(lambda s: has(s, "match"))
        os.kill(t.pid, number)
        status = t.end()
        result(name, status == 0 and t.restored(), f"{status} {t.all[-80:]}")
        t.close()
    t = Top(shell=True)
    t.wait(lambda s: has(s, "match"))
    t.type(b"\x1a")		# Ctrl-Z: it stops, and the terminal is usable
    t.wait(lambda s: b"[stopped]" in t.all)
    result("ctrl_z", b"[stopped]" in t.all and t.restored(), t.all[-80:])
    t.out = b""
    os.kill(t.pid, signal.SIGUSR1)
    s = t.wait(lambda s: has(s, "match") and has(s[-1:], "q quit"))
    result("goes_on_after_ctrl_z", has(s, "match"), s)
    t.type(b"q")
    result("quit_after_ctrl_z", t.end() == 0, "")
    t.close()
    t = Top(shell=True)
    t.wait(lambda s: has(s, "match"))
    os.close(t.slave)
    os.close(t.master)		# the terminal is gone, and nobody but a shell that ignores it gets a signal
    end, gone = time.monotonic() + 20, 0
    while time.monotonic() < end and not gone:
        gone = os.waitpid(t.pid, os.WNOHANG)[0]
        time.sleep(0.05)
    if not gone:
        os.kill(t.pid, signal.SIGKILL)
        os.waitpid(t.pid, 0)
    result("terminal_gone", gone, "it goes on")
    t = Top(TERM="dumb")
    status = t.end()
    result("terminal_that_cannot", status == 1 and b"TERM=dumb" in t.all, f"{status} {t.all}")
    t.close()
    t = Top("-b", "-n", "1")
    status = t.end()
    result("batch_on_a_terminal", status == 0 and b"match\r\n" in t.all and b"\x1b" not in t.all, t.all[:200])
    t.close()
    t = Top("-n", "1")
    status = t.end()
    result("iterations_need_batch", status == 2 and b"give --batch" in t.all, t.all[:200])
    t.close()


class Recorder:
    """A recorder that top attaches to"""

    def __init__(self):
        env = vt.environment(V9_SERVE=os.path.abspath("attached/v9trace.socket"), V9_PERIOD="2048")
        self.run = subprocess.Popen(["recorder/v9trace", "good.data", "50", "0", "-b", "-d", "100", "-a"], env=env,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 10
        while not os.path.exists("attached/v9trace.socket") and time.monotonic() < end:
            time.sleep(0.05)
        self.pid = self.run.pid

    def end(self):
        self.run.terminate()
        self.run.wait()


def attached():
    r = Recorder()
    t = Top()
    s = t.wait(lambda s: has(s, "match"))
    result("attached", has(s[1:2], f"attached to PID {r.pid} (sh -c work); ", "records/s; cost"), s[1])
    result("attached_fits_80", max(len(l) for l in s) <= 80, max(s, key=len))
    first = samples(s)
    t.type(b"z")
    s = t.wait(lambda s: has(s[-1:], "the sums are those of the recorder"))
    result("attached_is_not_zeroed", has(s[-1:], "the sums are those of the recorder") and samples(s) >= first, s)
    t.type(LEFT)
    t.wait(lambda s: by(s, "latency"))
    t.type(LEFT + LEFT)		# not by data: there are no cache lines
    s = t.wait(lambda s: by(s, "object"))
    result("attached_without_data", by(s, "object"), s[:4])
    t.type(RIGHT)
    s = t.wait(lambda s: by(s, "source") and has(s, "level 2 cache"))
    result("attached_by_source", has(s, "level 2 cache"), s[:6])
    t.type(RIGHT + RIGHT)
    r.end()
    s = t.wait(lambda s: has(s, "has ended; waiting"))
    result("recorder_has_ended", has(s, f"the recorder (PID {r.pid}) has ended; waiting for one"), s[:3])
    result("rows_stay", has(s, "match"), s)
    old, r = r.pid, Recorder()
    s = t.wait(lambda s: has(s, f"attached to PID {r.pid} (sh -c work); "))
    result("next_recorder", has(s, f"attached to PID {r.pid} (sh -c work); ") and r.pid != old, s[:3])
    t.type(b"q")
    status = t.end()
    result("attached_quit", status == 0 and t.restored(), status)
    t.close()
    t = Top("--attach")
    t.wait(lambda s: has(s, "match"))
    t.type(b"\x03")
    status = t.end()
    result("attached_ctrl_c", status == 0 and t.restored(), status)
    t.close()
    result("recorder_goes_on", r.run.poll() is None, r.run.poll())
    r.end()


keys()
sizes()
ends()
attached()
print(f"1..{n}")
