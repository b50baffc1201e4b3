# SPDX-License-Identifier: GPL-2.0-only
"""Opens the pages below a directory in headless Chromium and uses them. Prints TAP."""
import hashlib
import json
import os
import sys
import tempfile
import time

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin

WIDTH, HEIGHT = 1280, 900
out = sys.argv[1]
n = 0


def result(name, good, why=""):
    global n
    n += 1
    print(f"{'ok' if good else 'not ok'} {n} - {name}" + ("" if good else f" # {str(why)[:300]}"), flush=True)


def start(profile):
    o = Options()
    for a in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
              "--force-color-profile=srgb", f"--window-size={WIDTH},{HEIGHT}", f"--user-data-dir={profile}"):
        o.add_argument(a)
    o.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    d = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=o)
    d.set_script_timeout(60)
    return d


def wait(what, seconds=30):
    """Returns the first true value of a function, or its last one."""
    end = time.monotonic() + seconds
    while True:
        got = what()
        if got or time.monotonic() > end:
            return got
        time.sleep(0.05)


def load(d, page, tab=""):
    d.get("about:blank")
    d.get(f"file://{out}/{page}.html#{tab}")
    return wait(lambda: d.execute_script("return document.body && document.body.dataset.ready"))


def tab(d, name):
    d.execute_script("location.hash = arguments[0]", name)
    wait(lambda: d.execute_script("return document.body.dataset.tab === arguments[0]", name))
    d.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")


def find(d, css):
    return d.find_elements(By.CSS_SELECTOR, css)


def say(d):
    return d.execute_script("return document.querySelector('#main .status').textContent")


def found(d):
    return d.execute_script("return document.querySelector('#main .found').textContent")


def pixels(d, css):
    """A hash of what is drawn in the first canvas of that selector"""
    url = d.execute_script("return document.querySelector(arguments[0]).toDataURL()", css)
    return hashlib.sha256(url.encode()).hexdigest()


def picture(d, name):
    """From the top of the page to the end of the first chart or table"""
    end = d.execute_script("return document.querySelector('#main .card').getBoundingClientRect().bottom + scrollY")
    outside = d.execute_script("return outerHeight - innerHeight")
    d.set_window_size(WIDTH, int(end) + 20 + outside)
    time.sleep(0.5)
    d.save_screenshot(f"{out}/{name}.png")
    d.set_window_size(WIDTH, HEIGHT)


def theme(d, name):
    for _ in range(3):
        b = d.find_element(By.ID, "theme")
        if b.text == name:
            return
        b.click()


def typed(d, text):
    e = find(d, "#main input[type=search]")[0]
    e.send_keys(Keys.CONTROL, "a")
    e.send_keys(text, Keys.NULL)
    return e


# ---- what each page must do

def clean(d, page):
    """No error, nothing asked of a server, nothing that runs but the page's own scripts"""
    errors = [e["message"] for e in d.get_log("browser") if e["level"] == "SEVERE"]
    result(f"{page}_no_errors", not errors, errors)
    asked = []
    for e in d.get_log("performance"):
        m = json.loads(e["message"])["message"]
        if m["method"] == "Network.requestWillBeSent":
            url = m["params"]["request"]["url"]
            if not url.startswith(("file://" + out, "data:", "about:", "chrome")):
                asked.append(url)
    result(f"{page}_asks_nobody", not asked, asked)


def no_overflow(d, page, where):
    wide = d.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    result(f"{page}_{where}_fits", wide <= 0, f"{wide} pixels too wide")


def tables(d, page):
    tab(d, "tables")
    card = next((c for c in find(d, "section.card") if c.find_elements(By.CSS_SELECTOR, "input[type=search]")), None)
    if not card:
        return
    before = len(card.find_elements(By.CSS_SELECTOR, "tbody tr"))
    word = card.find_elements(By.CSS_SELECTOR, "tbody td.t:not(.none)")[-1].text
    box = card.find_element(By.CSS_SELECTOR, "input[type=search]")
    box.send_keys("no such words")
    none = len(card.find_elements(By.CSS_SELECTOR, "tbody tr"))
    box.clear()
    box.send_keys(word.split("…")[0])
    some = [r.text for r in card.find_elements(By.CSS_SELECTOR, "tbody tr")]
    result(f"{page}_filter", before > 0 and none == 0 and 0 < len(some) <= before and
           all(word.split("…")[0].lower() in r.lower() for r in some), f"{before}, {none}, {some[:3]}")
    head = card.find_elements(By.CSS_SELECTOR, "th")[0]
    head.click()
    down = head.get_attribute("aria-sort")
    head.click()
    result(f"{page}_sort", {down, head.get_attribute("aria-sort")} == {"ascending", "descending"}, down)


def flame(d, page, where):
    tab(d, where)
    frames = wait(lambda: find(d, ".d3-flame-graph g"))
    result(f"{page}_{where}", len(frames) > 2, len(frames))
    name = d.execute_script("return arguments[0].__data__.data.name", frames[-1])
    wide = lambda: d.execute_script(
        "return [...document.querySelectorAll('.d3-flame-graph g')].filter(g => g.__data__.data.name === arguments[0])"
        ".map(g => +g.getAttribute('width')).reduce((a, b) => Math.max(a, b), 0)", name)
    small = wide()
    d.execute_script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", frames[-1])
    zoomed = wait(lambda: wide() > small * 1.01 or small > 1000, 5)
    result(f"{page}_{where}_zooms", zoomed, f"{name}: {small} then {wide()}")
    # Away from the frames: what is below the pointer is described, too.
    ActionChains(d).move_to_element(d.find_element(By.ID, "title")).perform()
    typed(d, name[:4])
    result(f"{page}_{where}_searches", wait(lambda: "frames found" in found(d) and not found(d).startswith("0 "), 5), found(d))
    no_overflow(d, page, where)
    return name[:4]


def timeline(d, page, word):
    tab(d, "timeline")
    result(f"{page}_timeline", wait(lambda: find(d, "#main canvas")))
    d.execute_async_script("setTimeout(arguments[0], 200)")
    canvas = find(d, "#main canvas")[0]
    d.execute_script("arguments[0].scrollIntoView({ block: 'center' })", canvas)
    before = pixels(d, "#main canvas")
    ActionChains(d).scroll_from_origin(ScrollOrigin.from_element(canvas, 60, 60), 0, -400).perform()
    zoomed = wait(lambda: pixels(d, "#main canvas") != before, 5)
    result(f"{page}_timeline_zooms", zoomed, "the wheel changes nothing")
    d.execute_script("[...document.querySelectorAll('#main button')].find(b => b.textContent === 'Reset').click()")
    d.execute_async_script("setTimeout(arguments[0], 300)")
    canvas = find(d, "#main canvas")[0]
    whole = pixels(d, "#main canvas")
    # There are gaps between calls: try pixels of the second row until one is in a call. Marks are above them.
    for x, y in ((x, y) for y in (116, 230) for x in (0, 4, 9, 15)):
        call = ActionChains(d).move_to_element_with_offset(canvas, x, y - canvas.size["height"] // 2).pause(0.2)
        call.click().perform()
        if "instructions from" in say(d):
            break
    call.click().perform()
    result(f"{page}_timeline_two_clicks", "instructions from" in say(d) and wait(lambda: pixels(d, "#main canvas") != whole, 5), say(d))
    after = pixels(d, "#main canvas")
    box = typed(d, word)
    result(f"{page}_timeline_searches", wait(lambda: "calls found" in found(d) and not found(d).startswith("0 "), 5), found(d))
    box.send_keys(Keys.ENTER)
    result(f"{page}_timeline_goes_to_call", wait(lambda: "instructions from" in say(d), 5), say(d))
    result(f"{page}_timeline_redraws", wait(lambda: pixels(d, "#main canvas") != after, 5))
    no_overflow(d, page, "timeline")


def marks(d, page):
    """Phases, numbers and moments above the calls: drawn, found, described"""
    tab(d, "timeline")
    wait(lambda: find(d, "#main canvas"))
    d.execute_async_script("setTimeout(arguments[0], 200)")
    text = d.execute_script("return document.querySelector('#main .say').textContent")
    result(f"{page}_marks_named", "Marks of the program" in text, text)
    much = page == "marked-much"
    result(f"{page}_marks_left_out", all((t in text) == much for t in (
        "bars of marks with fewer than", "moments have no flag", "are not drawn: they have")), text)
    # Away from the bars: what is below the pointer is described, too.
    ActionChains(d).move_to_element(d.find_element(By.ID, "title")).perform()
    plain = pixels(d, "#main canvas")
    for word, kinds in (("id 42", ("number",)), ("send", ("phase", "moment"))):
        box = typed(d, word)
        result(f"{page}_marks_found_{word[0]}", wait(lambda: "; " in found(d) and not found(d).endswith("; 0 marks"), 5), found(d))
        result(f"{page}_marks_tinted_{word[0]}", wait(lambda: pixels(d, "#main canvas") != plain, 5))
        before = pixels(d, "#main canvas")
        box.send_keys(Keys.ENTER)
        result(f"{page}_marks_gone_to_{word[0]}", wait(lambda: any(f" · {k}" in say(d) for k in kinds) and
                                                       (not much or pixels(d, "#main canvas") != before), 5), say(d))
    # Pixels of the rows of bars, where a phase was gone to
    typed(d, "parse").send_keys(Keys.ENTER)
    wait(lambda: " · phase" in say(d), 5)
    canvas = find(d, "#main canvas")[0]
    seen = set()
    for y in range(118, 166, 6):
        for x in (0, 37, -41):
            ActionChains(d).move_to_element_with_offset(canvas, x, y - canvas.size["height"] // 2).pause(0.1).click().perform()
            seen.update(k for k in ("number", "phase", "moment") if f" · {k}" in say(d))
    result(f"{page}_marks_under_the_pointer", "number" in seen or "phase" in seen, seen)


def heat(d, page):
    tab(d, "heat")
    result(f"{page}_heat", wait(lambda: find(d, ".u-over")))
    d.execute_async_script("setTimeout(arguments[0], 200)")
    over = find(d, ".u-over")[0]
    d.execute_script("arguments[0].scrollIntoView({ block: 'center' })", over)
    size = over.size
    scales = lambda: d.execute_script("const s = document.querySelector('.chart').plot.scales; return [s.x.min, s.x.max, s.y.min, s.y.max]")
    before = scales()
    (ActionChains(d).move_to_element_with_offset(over, -size["width"] // 4, -size["height"] // 4).click_and_hold()
     .move_by_offset(size["width"] // 3, size["height"] // 3).release().perform())
    zoomed = wait(lambda: scales() != before, 5)
    result(f"{page}_heat_zooms", zoomed, before)
    ActionChains(d).double_click(over).perform()
    result(f"{page}_heat_goes_back", wait(lambda: scales() == before, 5), f"{before}, then {scales()}")
    no_overflow(d, page, "heat")


def listing(d, function):
    """Shows a function in the tab of sources. Returns its source lines and its instructions: lists of cells."""
    for o in find(d, "#main select option"):
        if o.text.startswith(function + " ("):
            o.click()
    rows = d.execute_script("return [...document.querySelectorAll('#main .listing tbody tr')].map(r =>"
                            "[r.className, ...[...r.querySelectorAll('td')].map(c => c.textContent)])")
    return [r[1:] for r in rows if r[0] == "source"], [r[1:] for r in rows if r[0] != "source"]


def sources(d, page):
    """Functions and counts of the two captures of which this is known; source lines are those of the files."""
    tab(d, "source")
    if page == "steps":
        with open(f"{out}/auto.c") as f:
            text = f.read().splitlines()
        lines, insns = listing(d, "leaf")
        heads = [h.text for h in find(d, "#main .listing th")]
        counts = {r[heads.index("executed")] for r in insns if r[heads.index("executed")]}
        result("steps_source_executed", counts == {"300"} and len(insns) > 3, insns)
        shown = {" ".join(r[1].split()) for r in lines}
        at = next(n for n, line in enumerate(text) if "x * 3" in line)
        want = {f"auto.c:{at + 1} {text[at].strip()}", f"auto.c:{at + 2}{text[at + 1]}"}
        result("steps_source_lines", shown == want, f"{shown}, want {want}")
        other = listing(d, "work")
        result("steps_source_other_function", other[1] and other[1] != insns and any("inlined: twice" in r[1] for r in other[0]), other[0])
        find(d, "#main .controls input[type=checkbox]")[0].click()
        result("steps_source_without_lines", listing(d, "work") == ([], other[1]), other[0][:1])
    if page == "inlined":
        with open(f"{out}/inlined.records") as f:
            want = sum(1 for _ in f)
        lines, insns = listing(d, "sum")
        at = [h.text for h in find(d, "#main .listing th")].index("samples")
        got = sum(int(r[at].replace(",", "") or 0) for r in insns)
        result("inlined_source_samples", got == want > 5, f"{got}, want {want}")
        result("inlined_source_says_what_is_inlined", any("inlined: add" in r[1] for r in lines), lines)
    no_overflow(d, page, "source")


def cache_lines(d, page):
    """Each access has a mark at its bytes of the line, in the colour of its thread."""
    tab(d, "lines")
    cards = d.execute_script("""return [...document.querySelectorAll('#main .sharing')].map(c => [...c.querySelectorAll('tbody tr')].map(r =>
        [[...r.querySelectorAll('.bytes i')].map(i => i.style.background), ...[...r.querySelectorAll('td')].slice(1).map(t => t.textContent)]))""")
    wrong, colours = [], set()
    for rows in cards:
        for marks, offsets, *rest in rows:
            at = [i for i, c in enumerate(marks) if c]
            if len(marks) != 64 or at != sorted(int(o, 16) for o in offsets.split(",")):
                wrong.append((at, offsets))
            colours.add((rest[3].split()[-1], *{c for c in marks if c}))
    result(f"{page}_lines", cards and all(cards) and not wrong, wrong or cards)
    threads = {c[0] for c in colours}
    result(f"{page}_lines_a_colour_for_each_thread", len(threads) > 1 and all(len(c) == 2 for c in colours) and
           len({c[1] for c in colours}) == len(colours) == len(threads), colours)
    no_overflow(d, page, "lines")


def drawn(d, css):
    """How many colours a canvas has"""
    return d.execute_script("""
        const c = document.querySelector(arguments[0]), p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, s = new Set();
        for (let i = 0; i < p.length; i += 4) if (p[i + 3]) s.add(p[i] << 16 | p[i + 1] << 8 | p[i + 2]);
        return s.size""", css)


def first_paint(d, page):
    ms = wait(lambda: d.execute_script("const e = performance.getEntriesByName('first-contentful-paint')[0]; return e && e.startTime"), 5)
    ready = d.execute_script("return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
    size = os.path.getsize(f"{out}/{page}.html")
    print(f"# bench html_first_paint_{page} ours={(ms or 0) / 1e3:.3f} read={ready / 1e3:.3f} unit=s page={size / 1e6:.1f}MB", flush=True)
    result(f"{page}_size", size <= 20e6, size)


def try_page(d, page):
    result(f"{page}_loads", load(d, page), "not ready")
    first_paint(d, page)
    lost = d.find_element(By.ID, "lost").text
    result(f"{page}_lost_on_top", "Lost" in lost or "lost" in lost, lost)
    for theme_name in ("Light", "Dark"):
        theme(d, theme_name)
        tab(d, "overview")
        no_overflow(d, page, f"overview_{theme_name.lower()}")
    theme(d, "Light")
    tables(d, page)
    if page == "evil":
        tab(d, "tables")
        text = d.find_element(By.ID, "main").text
        result("evil_names_are_text", "</script><script>" in text and "<svg/onload=window.ran=1>" in text, text)
        tab(d, "icicle")
        wait(lambda: find(d, ".d3-flame-graph g"))
        tab(d, "heat")
        tab(d, "overview")
        ran = d.execute_script("return [window.ran, document.querySelectorAll('#main svg[onload], img').length]")
        result("evil_names_do_not_run", ran == [None, 0], ran)
    if find(d, "#tabs a[href='#flame']"):
        timeline(d, page, flame(d, page, "flame"))
    if page.startswith("marked"):
        marks(d, page)
        d.save_screenshot(f"{out}/{page}-marks.png")
    if find(d, "#tabs a[href='#heat']"):
        flame(d, page, "icicle")
        if d.execute_script("return JSON.parse(document.getElementById('heat').textContent).cells.length > 8"):
            heat(d, page)
            result(f"{page}_heat_drawn", drawn(d, ".uplot canvas") > 8, drawn(d, ".uplot canvas"))
    if page == "shared":
        cache_lines(d, page)
    if page in ("steps", "inlined"):
        sources(d, page)
    if page == "both":
        tab(d, "joint")
        cards = [c.text.split("\n")[0] for c in find(d, "#main section.card")]
        result("both_joint", any("Samples on the traced path" in c for c in cards) and len(cards) >= 4, cards)
        no_overflow(d, page, "joint")
    clean(d, page)


def main():
    have = lambda p: os.path.exists(f"{out}/{p}.html")
    with tempfile.TemporaryDirectory() as profile:
        d = start(profile)
        for page in ("evil", "both", "steady", "marked", "marked-much", "damaged", "shared", "many", "steps", "inlined", "demo", "trace", "model",
                     "forty", "spe4"):
            if not have(page):
                continue
            try:
                try_page(d, page)
            except WebDriverException as e:
                result(f"{page}_whole", False, e.msg)
        pictures(d, have)
        d.quit()
    print(f"1..{n}")


def pictures(d, have):
    for page, tabs in (("demo", ("overview", "heat", "icicle", "lines", "memory")), ("trace", ("overview", "flame", "timeline"))):
        if not have(page):
            continue
        for t, name in ((t, name) for t in tabs for name in ("Light", "Dark")):
            load(d, page, t)
            theme(d, name)
            time.sleep(0.4)
            picture(d, f"{page}-{t}-{name.lower()}")
        if page == "trace":
            load(d, page, "timeline")
            picture(d, "doc-timeline")
        else:
            load(d, page, "heat")
            picture(d, "doc-heat")


main()
