#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Are the waits of "v9trace report --waits --json" those that waits.c wrote down?

waits.py LOG REPORT: prints each difference; status 1 if there is one. The number of sleeps at each call
site is the same. The second thread saw the first asleep from SEEN to BEFORE, and the first was in the
wait from START to END at most: the sleep in the report is at least as long as the one, and no longer
than the other. A sleep that the second thread ended was over by AFTER.
"""
import json
import sys

wrong = []


def check(what, fine):
    if not fine:
        wrong.append(what)


log = {}
for line in open(sys.argv[1]):
    site, *times = line.split()
    log.setdefault(site, []).append([int(t) for t in times])
report = json.load(open(sys.argv[2]))


def rows_in(name, function):
    return [r for r in report[name]
            if function in [r["symbol"]] + (r["callers"] or "").split(" < ")]


check("three sites", sorted(log) == ["site_lock", "site_pipe", "site_sleep"])
for site, waits in log.items():
    rows = [r for r in rows_in("waits", site) if r["state"] == "asleep"]
    count, total, asleep = (sum(r[k] for r in rows) for k in ("waits", "total_ns", "asleep_ns"))
    most = sum(end - start for start, _, _, _, end in waits)
    check(f"{site}: {count} waits, logged {len(waits)}", count == len(waits))
    check(f"{site}: {total} ns, logged at most {most}", 0 < total <= most)
    check(f"{site}: {asleep} of {total} ns asleep", 0 < asleep <= total)
    if site != "site_sleep":
        least = sum(before - seen for _, seen, before, _, _ in waits)
        most = sum(after - start for start, _, _, after, _ in waits)
        check(f"{site}: {asleep} ns asleep, logged {least} to {most}", least <= asleep <= most)
for function, site in (("wakes_pipe", "site_pipe"), ("wakes_lock", "site_lock")):
    rows = rows_in("wakers", function)
    count = sum(r["wakeups"] for r in rows)
    check(f"{function}: {count} wake-ups, logged {len(log[site])}", count == len(log[site]))
    check(f"{function}: by {rows}", len({r["waker_tid"] for r in rows}) == 1 and
          all(r["waker_tid"] != r["tid"] for r in rows))
# Timers wake the first thread from an interrupt.
first = {r["tid"] for r in rows_in("wakers", "wakes_pipe")}
count = sum(r["wakeups"] for r in report["wakers"] if r["waker"] == "[interrupt]" and r["tid"] in first)
check(f"{count} wake-ups by timers, logged {len(log['site_sleep'])}", count == len(log["site_sleep"]))
unknown = {r["kind"]: r["count"] for r in report["uncounted_waits"]}
check(f"not known: {unknown}", not unknown["lost_switches"] and not unknown["unwoken"])
print("; ".join(wrong))
sys.exit(bool(wrong))
