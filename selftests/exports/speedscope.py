# SPDX-License-Identifier: GPL-2.0-only
"""Exports opened by speedscope in headless Chromium: it says what it takes the file for, and its table of
functions has the numbers of report. Pictures stay beside the files. Prints TAP.

    speedscope.py DIR PACKAGES
"""
import base64
import collections
import json
import os
import sys
import tempfile
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

work, packages = sys.argv[1:]
page = packages + "/node_modules/speedscope/dist/release/index.html"
n = 0


def result(name, why):
    global n
    n += 1
    print(f"not ok {n} - {name} # {str(why)[:300]}" if why else f"ok {n} - {name}", flush=True)


def start(profile):
    o = Options()
    for a in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--enable-unsafe-swiftshader",
              "--use-gl=angle", "--use-angle=swiftshader", "--allow-file-access-from-files",
              "--window-size=1280,900", f"--user-data-dir={profile}"):
        o.add_argument(a)
    o.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    d = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=o)
    d.set_script_timeout(60)
    return d


def wait(what, seconds=60):
    end = time.monotonic() + seconds
    while True:
        got = what()
        if got or time.monotonic() > end:
            return got
        time.sleep(0.1)


def wanted(name, clean):
    """Own numbers by function: of ETE of the thread, of SPE of the first profile's"""
    with open(f"{work}/{name}.report") as f:
        report = json.load(f)
    sums = collections.Counter()
    for f in report["functions"]:
        sums[clean(f["symbol"])] += f.get("samples") or f.get("instructions") or 0
    return sums


def table(d):
    """Rows of the sandwich view: name -> own number"""
    rows = d.execute_script(
        "return [...document.querySelectorAll('tr')].map(r => [...r.querySelectorAll('td')].map(c => c.textContent))")
    got = collections.Counter()
    for r in rows:
        if len(r) >= 3 and r[-1]:
            got[r[-1]] += float(r[1].split("(")[0].split()[0].replace(",", "").rstrip("%") or 0) if r[1] else 0
    return got


def opened(d, name, format, says):
    """Loads a file as speedscope's own command does: by a script beside the page"""
    with open(f"{work}/{name}.{format}", "rb") as f:
        data = base64.b64encode(f.read()).decode()
    script = f"{work}/{name}.{format}.js"
    with open(script, "w") as f:
        f.write("speedscope.loadFileFromBase64(%s, %s)" % (json.dumps(f"{name}.{format}"), json.dumps(data)))
    d.get("about:blank")
    d.get_log("browser")
    d.get(f"file://{page}#localProfilePath={script}")
    console = []

    def imported():
        console.extend(e["message"] for e in d.get_log("browser"))
        return any("Importing as" in m for m in console)
    if not wait(imported):
        return None, "not imported: " + " ".join(console)[:200]
    if not any(says in m for m in console):
        return None, "taken for something else: " + " ".join(console)[:200]
    time.sleep(0.5)
    d.save_screenshot(f"{work}/{name}.{format}.png")
    return console, None


def check(d, name, format, says, clean=str):
    _, why = opened(d, name, format, says)
    if why:
        return why
    # 3: the table of functions
    d.execute_script("window.dispatchEvent(new KeyboardEvent('keydown', {key: '3'}));"
                     "window.dispatchEvent(new KeyboardEvent('keypress', {key: '3'}))")
    got = wait(lambda: table(d), 20)
    if not got:
        return "no table of functions: " + d.execute_script("return document.body.innerText")[:200]
    want = wanted(name, clean)
    d.save_screenshot(f"{work}/{name}.{format}.table.png")
    for k, v in want.items():
        if v and got[k] != v:
            return f"{k!r}: {got[k]}, want {v}; rows {dict(got)}"
    return None


def folded(s):
    return "".join(":" if c == ";" else " " if ord(c) < 32 or ord(c) == 127 else c for c in s)


with tempfile.TemporaryDirectory() as profile:
    d = start(profile)
    try:
        for name in ("spe", "spe_hostile", "ete", "ete_hostile"):
            result(f"speedscope_folded_{name}", check(d, name, "folded", "collapsed stack", folded))
        for name in ("ete", "ete_hostile"):
            result(f"speedscope_own_{name}", check(d, name, "speedscope", "speedscope json"))
        result("speedscope_own_spe", opened(d, "spe", "speedscope", "speedscope json")[1])
        result("speedscope_chrome_ete", opened(d, "ete", "chrome", "Trace Event Format")[1])
        for name in ("spe", "ete"):
            result(f"speedscope_pprof_{name}", opened(d, name, "pprof", "protobuf encoded pprof")[1])
    finally:
        d.quit()
print(f"1..{n}")
