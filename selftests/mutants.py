#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Mutants by rule: changes of one token or one statement in the body of a function.

  mutants.py draw -n N [-s SEED] [-r ROOM] [FILE...]
      prints N mutants as JSON lines: seed, room, file, line, column, rule, before, after.
      before and after are the whole line. Each room gives the same number; within a room each line
      that a rule applies to is as likely as any other. The same seed gives the same mutants of the
      same files.
  mutants.py left LOG KNOWN
      reads drawn mutants from standard input, writes to KNOWN the results that LOG has of them, and
      prints the others: a run that was stopped goes on.
  mutants.py reach TREE OUT
      builds the host tests and v9trace in TREE with counters, runs each test once, and writes which
      tests run which lines, and how long each takes, as JSON to OUT. A test that fails there is
      left out, with a line that says so.
  mutants.py flags
      prints the flags for the compiler with which the trees of "run" are built.
  mutants.py listed
      makes mutants of lines FILE~WHAT~SED~TESTS~REASON on standard input, as mutate.sh lists them: SED
      is a script for the file, TESTS are tried instead of those that run the line, REASON says why
      no test can notice, if so.
  mutants.py run [--reach REACH] TREE...
      reads mutants from standard input and tries them, one at a time in each TREE (a copy of the
      project that is already built). Prints each with its result and the test that noticed.
  mutants.py apply TREE / restore TREE
      one mutant from standard input is written to TREE, or taken back.
  mutants.py show
      prints results from standard input as text.
  mutants.py score LOG [SURVIVED]
      reads results, leaves out those of files that have changed since, and prints the score of each
      room. Those that survived, and are not listed as equivalent, are written to SURVIVED.

Only the tests that run the line of a mutant are tried, the shortest first, until one fails. Results are
printed in the order in which they are known. Where a
statement that frees memory is dropped, those of them that leaks.sh has run once more with it.

Results: "killed" (a test failed), "hang" (a test had to be stopped), "late" (only a test of "make
test ALL=1" failed), "survived", "equivalent" (it survived and is listed in mutants.equivalent),
"unbuilt" (does not compile; not counted), "gone" (SED changed nothing). The score is what was
killed or hung, divided by all that built and is not listed as equivalent.
"""

import argparse
import collections
import glob
import hashlib
import json
import os
import queue
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

# Where the code of each room is. selftests/model/qemu is compiled by QEMU's build alone.
ROOMS = {
    "drivers": ["drivers/*.c", "drivers/lib/*.c"],
    "model": ["selftests/model/*.c"],
    "decoders": ["tools/lib/*.c", "tools/capture/*.c"],
    "reports": ["tools/*.c", "tools/collect/*.c", "tools/report/*.c", "tools/export/*.c",
                "tools/joint/*.c", "tools/live/*.c", "tools/top/*.c", "tools/doctor/*.c",
                "tools/driver/*.c", "tools/stat/*.c"],
}

# A mutant may leave a function or a variable unused.
CFLAGS = "-O1 -g1 " + " ".join(f"-Wno-error={name}" for name in (
    "unused-function", "unused-variable", "unused-but-set-variable", "unused-parameter",
    "unused-but-set-parameter", "unused-value", "unused-label", "maybe-uninitialized", "uninitialized",
    "parentheses", "return-type", "empty-body", "implicit-fallthrough"))

# A statement whose loss changes no result, but leaves memory behind.
RELEASE = re.compile(r"^\t+\w*(?:free|freez|close|destroy|end|done)\(")
OPERATORS = re.compile(r"<<=|>>=|<=|>=|==|!=|<<|>>|&&|\|\||->|\+\+|--|[-+*/%&|^]=|[<>=]|[-+&|]")
NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])")
WORD = re.compile(r"\b(true|false|min|max)\b")
# Ahead of a number that changes nothing: the first element in sizeof(), the length of a local array.
SIZE_OF_ARRAY = re.compile(r"sizeof\([\w.>-]+\[$|"
                           r"^\t+(?!return\b)(?:(?:static|const|unsigned|struct) )*\w+ "
                           r"(?:\w+(?:\[\w+\])*, )*\w+\[(?:\w+ \+ )*$")
# Ahead of the number of minus one, which says that there is none: other negative numbers say so, too.
MINUS = re.compile(r"(?:[=(,?:]|return) -$")
# A buffer that grows by a factor, and what is done at each Nth step alone (to look whether to stop).
FACTOR_OF_ROOM = re.compile(r"\broom (?:\*= 2;|= (?:.*room \? |2 \* ))")
EACH_NTH = re.compile(r"^\t+if \(!\(\+*\w+(?:\+\+)? % \d+\)")
# Ahead of a number that makes an allocation larger
LARGER_ROOM = re.compile(r"\bv9_(?:re)?alloc\((?:[^;()]|\([^()]*\))*\(?(?:[^;()]|\([^()]*\))*\+ $")
# Ahead of the width of a number: it has a digit at least.
WIDTH = re.compile(r"\bv9_put_(?:number|hex)\(.*, $")
# What a kernel's developer reads alone
LOGGING = re.compile(r"^\t+(?:dev|pr)_dbg\(")
# A function that only gives back what an object has.
RELEASING = re.compile(r"_(?:free|close|release|unmap)\(")
CLEARING = re.compile(r"^\t+(?:memset\(.*\);|.* = (?:NULL|0|-1|false);|.* = \([\w ]+\)\{ (?:0|NULL)? ?\};)$")
# The order in which columns leave a narrow table
DROP = re.compile(r"V9_DROP\($")
# Ahead of whether a narrow terminal cuts a column of a table: no number is cut.
COLUMN_OF_NUMBERS = re.compile(r"^\t+\{ .*, V9_(COUNT|PERCENT|MEAN), $")
# The smaller or the larger of two values: it makes no difference which is taken if they are equal.
EXTREME = re.compile(r"(?<![-+*/%^] )(?<! & )(?<! [|] )(?<!<< )(?<!>> )(?<![\w.>-])(TERM(?: [-+] TERM)*) ([<>]=?) (TERM(?: [-+] TERM)*) "
                     r"\? (?:\1 : \3|\3 : \1)(?! [-+*/%&|^?<>=]|[\w.\[(>-])".replace("TERM", r"[\w.\[\]>-]+"))
LIMIT = re.compile(r"^\t+(?:\} else )?if \((\S+) ([<>]=?) (.+)\)$")
# Whether there is a file. No test starts a program without standard input, whose number is 0.
IS_OPEN = re.compile(r"\bfd (?:<|>=) 0\b")
CONDITION = re.compile(r"^\t+(?:\} else )?if \((.*)\)(?: \{)?$")
# A call or an assignment that is a whole line. A declaration has a type before the name. va_end() does nothing here.
STATEMENT = re.compile(r"^\t+(?!return\b|goto\b|case\b|default\b)"
                       r"(?:[\w.\[\]>*()-]+ (?:[-+|&^*/]|<<|>>)?= .*;|(?!va_end)\w+\(.*\);|"
                       r"[\w.\[\]>-]+(?:\+\+|--);|\+\+[\w.>-]+;|--[\w.>-]+;|break;|continue;)$")

SWAPPED = {
    "off by one": {"<": "<=", "<=": "<", ">": ">=", ">=": ">"},
    "inverted condition": {"==": "!=", "!=": "==", "&&": "||", "||": "&&"},
    "other operator": {"+": "-", "-": "+", "<<": ">>", ">>": "<<", "&": "|", "|": "&",
                       "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|="},
}
OTHER_WORD = {"true": "false", "false": "true", "min": "max", "max": "min"}


def without_text(source):
    """The source with comments, strings and characters replaced by spaces, of the same length."""
    out = list(source)
    pattern = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
    for match in pattern.finditer(source):
        for i in range(*match.span()):
            if out[i] != "\n":
                out[i] = " "
    return "".join(out)


def in_functions(lines):
    """
    Numbers of the lines (from 0) between the braces of a function, without those that clear an object
    that is given back.
    """
    inside, releasing = False, False
    for number, line in enumerate(lines):
        if line == "{":
            inside = True
            releasing = bool(RELEASING.search(lines[number - 1]))
        elif line.startswith("}"):
            inside = False
        elif inside and not line.lstrip().startswith("#") and not (releasing and CLEARING.match(line)):
            yield number


def ends_switch(lines, number):
    """True for a "break;" that is the last statement of a switch"""
    indent = lines[number][:-len("break;")]
    if lines[number] != indent + "break;" or not indent or lines[number + 1] != indent[:-1] + "}":
        return False
    while lines[number].startswith(indent) or not lines[number]:
        number -= 1
    return bool(re.match(r"\t*(?:case\b|default:)", lines[number]))


def changes(line, bare, behind):
    """
    All mutants of a line: (rule, column, line after). bare is the line without text, behind are the two
    lines after it.
    """
    found = []
    if EACH_NTH.match(bare) or LOGGING.match(bare):
        return found

    def put(rule, start, end, new):
        found.append((rule, start, line[:start] + new + line[end:]))

    condition = CONDITION.match(bare)
    if condition and condition.group(1).count("(") == condition.group(1).count(")"):
        put("inverted condition", *condition.span(1), "!(" + line[slice(*condition.span(1))] + ")")
    if STATEMENT.match(bare):
        start = len(bare) - len(bare.lstrip("\t"))
        put("dropped statement", start, len(line), "(void)0;")
    extremes = {match.start(2) for match in EXTREME.finditer(bare)}
    limit = LIMIT.match(bare)
    if limit and "else" not in behind[1] and \
            behind[0].strip() in (f"{limit.group(1)} = {limit.group(3)};", f"{limit.group(3)} = {limit.group(1)};"):
        extremes.add(limit.start(2))
    files = [match.span() for match in IS_OPEN.finditer(bare)]
    for begin, end in files:
        extremes |= set(range(begin, end))
    for match in OPERATORS.finditer(bare):
        if match.start() in extremes:
            continue
        old = match.group()
        binary = bare[match.start() - 1:match.start()] == " " and \
            bare[match.end():match.end() + 1] == " "
        for rule, swapped in SWAPPED.items():
            if old in swapped and (binary or rule != "other operator"):
                put(rule, *match.span(), swapped[old])
    for match in NUMBER.finditer(bare):
        ahead = bare[:match.start()]
        if any(begin <= match.start() < end for begin, end in files):
            continue
        if SIZE_OF_ARRAY.search(ahead) or DROP.search(ahead) or FACTOR_OF_ROOM.search(bare) or \
                LARGER_ROOM.search(ahead):
            continue
        value = int(match.group(1), 16 if match.group(1).startswith("0x") else 10)
        if not value and WIDTH.search(ahead) and bare[match.end():] == ");":
            continue
        new = hex(value ^ 1) if match.group(1).startswith("0x") else \
            "0" if value == 1 and MINUS.search(ahead) else str(value + 1)
        put("swapped constant", *match.span(1), new)
    for match in WORD.finditer(bare):
        if COLUMN_OF_NUMBERS.search(bare[:match.start()]):
            continue
        put("swapped constant", *match.span(), OTHER_WORD[match.group()])
    return found


def mutants_of(path):
    """{line number from 1: [(rule, column, before, after)]}"""
    source = read(path)
    lines, bare = source.split("\n"), without_text(source).split("\n")
    found = {}
    for number in in_functions(lines):
        if ends_switch(lines, number):
            continue
        all_changes = changes(lines[number], bare[number].rstrip(), lines[number + 1:number + 3])
        if all_changes:
            found[number + 1] = [(rule, column, lines[number], after)
                                 for rule, column, after in all_changes]
    return found


def files_of(room):
    return sorted(path for pattern in ROOMS[room] for path in glob.glob(pattern))


def digest(path):
    try:
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()[:16]
    except OSError:
        return ""


def draw(args):
    seed = args.seed if args.seed is not None else random.SystemRandom().randrange(1, 1000000)
    rooms = [args.room] if args.room else list(ROOMS)
    for at, room in enumerate(rooms):
        chance = random.Random(f"{seed} {room}")
        lines = []
        for path in files_of(room):
            if not args.files or path in args.files:
                lines += [(path, number, found) for number, found in mutants_of(path).items()]
        share = args.n // len(rooms) + (at < args.n % len(rooms))
        for path, number, found in chance.sample(lines, min(share, len(lines))):
            rule, column, before, after = chance.choice(found)
            print(json.dumps({"seed": seed, "room": room, "file": path, "digest": digest(path),
                              "line": number, "column": column, "rule": rule,
                              "before": before, "after": after}))


def left(args):
    drawn = ("seed", "file", "digest", "line", "column", "rule", "after")
    tried = {}
    if os.path.exists(args.log):
        for line in read(args.log).splitlines():
            got = json.loads(line)
            tried[tuple(got.get(name) for name in drawn)] = line
    known = []
    for line in sys.stdin:
        got = json.loads(line)
        result = tried.get(tuple(got[name] for name in drawn))
        if result:
            known.append(result)
        else:
            print(line, end="")
    write(args.known, "".join(line + "\n" for line in known))


def host_tests(tree):
    """Names of the host tests: programs, and scripts that run v9trace or a program with parts of it."""
    programs, scripts = [], []
    for path in sorted(glob.glob(f"{tree}/selftests/host/*")):
        name, suffix = os.path.splitext(os.path.basename(path))
        if suffix == ".c":
            if "tap_done()" in read(path):
                programs.append(name)
        elif suffix == ".sh":
            if re.search("V9TRACE|-s .*STATIC=1|^simulated |/units.inc", read(path), re.M):
                scripts.append(name)
    return programs, scripts


def make(tree, *words):
    """Runs make; what it printed if it failed, else nothing."""
    done = subprocess.run(["make", "-s", *words], cwd=tree, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return done.stdout + "make failed" if done.returncode else ""


def build_program(tree, name, *words):
    return make(tree, "-C", "selftests/host", f"OUT={tree}/build/host", f"T={name}", "all", *words)


def build_tools(tree, *words):
    """Builds v9trace; without words for make also the one that reports memory leaks."""
    return make(tree, "-C", "tools", "STATIC=1", *words) if words else make(tree, "-C", "selftests/host", "tools")


def first_failure(tree, name, script, limit, ignored="", **environment):
    """
    Runs a test: the name of its first test that fails and is not ignored, "complete" if it ended
    early or badly, "hang", or nothing.
    """
    command = [f"./{name}.sh"] if script else [f"{tree}/build/host/bin/{name}"]
    env = dict(os.environ, V9TRACE=f"{tree}/build/tools/host/v9trace",
               V9TRACE_LEAKS=f"{tree}/build/tools/leaks/v9trace", **environment)
    # pylint: disable=consider-using-with,subprocess-popen-preexec-fn
    test = subprocess.Popen(command, cwd=f"{tree}/selftests/host", env=env,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, text=True, errors="replace",
                            start_new_session=True)
    late = []

    def stop():
        late.append(True)
        os.killpg(test.pid, signal.SIGKILL)

    timer = threading.Timer(limit, stop)
    timer.start()
    failed, planned, passed_over = "", False, False
    for line in test.stdout:
        planned = planned or bool(re.match(r"1\.\.[1-9]", line))
        bad = re.match(r"not ok \d+ - (\S+)", line)
        if bad and bad.group(1) != ignored:
            failed = f"{name}:{bad.group(1)}"
            break
        passed_over = passed_over or bool(bad)
    if failed:
        os.killpg(test.pid, signal.SIGKILL)
    status = test.wait()
    timer.cancel()
    try:
        os.killpg(test.pid, signal.SIGTERM)
    except ProcessLookupError:
        pass
    test.stdout.close()
    if late:
        return "hang"
    # A program that leaves memory behind ends badly after its plan.
    return failed or ("" if planned and (passed_over or not status) else f"{name}:complete")


def lines_run(tree, counts):
    """Lines that the counters below a directory say were run: {(file, line)}"""
    found = set()
    data = []
    for path, _, names in os.walk(counts):
        for name in names:
            if name.endswith(".gcda"):
                data.append(os.path.join(path, name))
                note = os.path.join(path, name[:-5] + ".gcno")
                if not os.path.exists(note):
                    os.symlink(note[len(counts):], note)
    for at in range(0, len(data), 50):
        out = subprocess.run(["gcov", "--json-format", "--stdout", *data[at:at + 50]],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=tree,
                             text=True, errors="replace", check=False).stdout
        for text in out.splitlines():
            if not text.startswith("{"):
                continue
            noted = json.loads(text)
            for file in noted["files"]:
                path = os.path.normpath(os.path.join(noted["current_working_directory"],
                                                     file["file"]))
                if path.startswith(tree + "/"):
                    found |= {(path[len(tree) + 1:], line["line_number"])
                              for line in file["lines"] if line["count"]}
    return found


def reach(args):
    tree = os.path.abspath(args.tree)
    programs, scripts = host_tests(tree)
    flags = "-O1 -g1 --coverage"
    words = [f"-j{os.cpu_count()}", f"CFLAGS={flags}"]
    failed = make(tree, "-C", "selftests/host", f"OUT={tree}/build/host", "all", *words) or \
        build_tools(tree, *words)
    if failed:
        sys.exit(f"mutants.py: the tree does not build with counters:\n{failed[-2000:]}")

    def measure(test):
        name, script = test
        counts = f"{tree}/build/counts/{name}"
        began = time.monotonic()
        # A test that builds a program of its own builds it with counters, too.
        bad = first_failure(tree, name, script, 1800, GCOV_PREFIX=counts,
                            MAKEFLAGS="CFLAGS=" + flags.replace(" ", "\\ "))
        took = round(time.monotonic() - began, 2)
        lines = set() if bad else lines_run(tree, counts)
        shutil.rmtree(counts, ignore_errors=True)
        return name, script, took, bad, lines

    seconds, tests = {}, collections.defaultdict(list)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, script, took, bad, lines in pool.map(
                measure, [(name, True) for name in scripts] + [(name, False) for name in programs]):
            if bad:
                print(f"left out: {bad} fails with counters", flush=True)
                continue
            seconds[name] = [took, script]
            for file, line in lines:
                tests[f"{file}:{line}"].append(name)
    write(args.out, json.dumps({"seconds": seconds, "tests": tests}))
    print(f"{len(seconds)} tests run {len(tests)} lines")


def with_line(text, mutant, before, after):
    """The text with the mutant's line replaced; an error if it is another line."""
    lines = text.split("\n")
    if lines[mutant["line"] - 1] != mutant[before]:
        sys.exit(f"mutants.py: {mutant['file']}:{mutant['line']} is another line")
    lines[mutant["line"] - 1] = mutant[after]
    return "\n".join(lines)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def apply(args):
    mutant = json.load(sys.stdin)
    path = f"{args.tree}/{mutant['file']}"
    write(path, with_line(read(path), mutant, "before", "after"))


def restore(args):
    mutant = json.load(sys.stdin)
    path = f"{args.tree}/{mutant['file']}"
    write(path, with_line(read(path), mutant, "after", "before"))


def listed(_args):
    for line in sys.stdin:
        path, what, script, tests, reason = line.rstrip("\n").split("~")
        print(json.dumps({"file": path, "what": what, "sed": script, "tests": tests.split(),
                          "reason": reason}))


def equivalents():
    """Keys (file, before, after) of selftests/mutants.equivalent; lines are without their indent."""
    found = set()
    for block in re.split(r"\n\n+", read("selftests/mutants.equivalent")):
        lines = [line for line in block.split("\n") if line and not line.startswith("#")]
        if len(lines) >= 4:
            found.add((lines[0], lines[1].removeprefix("- ").strip(),
                       lines[2].removeprefix("+ ").strip()))
    return found


def key(mutant):
    return mutant["file"], mutant["before"].strip(), mutant["after"].strip()


def tests_of(mutant, reached):
    """
    The tests that run the line, or the nearest line above that has a counter: of the lines of a table
    in a function, that may be any.
    """
    most = 200 if re.match(r"\t+[{\[\"]", mutant["before"]) else 8
    for line in range(mutant["line"], max(mutant["line"] - most, 0), -1):
        names = reached["tests"].get(f"{mutant['file']}:{line}")
        if names:
            return sorted(names, key=lambda name: reached["seconds"][name][0])
    return []


def first_leak(tree, names):
    """
    Runs those of the tests that leaks.sh has, one after the other: the name of the first that
    leaves memory behind, or nothing.
    """
    path = f"{tree}/build/results/mutant.tap"
    for name in names:
        if os.path.exists(path):
            os.remove(path)
        subprocess.run(["sh", f"{tree}/selftests/leaks.sh", "mutant", name],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        found = re.search(r"^not ok \d+ - (\S+)", read(path), re.M) if os.path.exists(path) else None
        if found:
            return f"leaks:{found.group(1)}"
    return ""


def attempt(tree, mutant, reached):
    """Tries one mutant, which is in the tree: (result, test that noticed or why there is none)."""
    names = mutant["tests"] if "tests" in mutant else tests_of(mutant, reached)
    if not names:
        return "survived", "no test runs the line"
    # A count of all barriers fails for each that is taken out, and says nothing of its place.
    ignored = "barriers_in_all" if "sed" in mutant else ""
    built = False
    for name in names:
        seconds, script = reached["seconds"].get(name, (0, False))
        if not script:
            failed = build_program(tree, name)
        elif built:
            failed = ""
        else:
            failed, built = build_tools(tree), True
        if failed:
            return "unbuilt", failed.split("\n", maxsplit=1)[0]
        bad = first_failure(tree, name, script, 30 + 4 * seconds, ignored)
        if bad:
            return ("hang" if bad == "hang" else "killed"), (name if bad == "hang" else bad)
    if mutant.get("rule") == "dropped statement" and RELEASE.match(mutant["before"]):
        bad = first_leak(tree, names)
        if bad:
            return "late", bad
    if mutant.get("reason") or ("before" in mutant and key(mutant) in equivalents()):
        return "equivalent", ""
    return "survived", ""


def run(args):
    os.environ["CFLAGS"] = CFLAGS
    reached = json.loads(read(args.reach)) if args.reach else {"seconds": {}, "tests": {}}
    trees = queue.Queue()
    for tree in args.trees:
        trees.put(os.path.abspath(tree))

    def attempt_in_a_tree(line):
        mutant = json.loads(line)
        tree = trees.get()
        path = f"{tree}/{mutant['file']}"
        original = read(path)
        if "sed" in mutant:
            changed = subprocess.run(["sed", mutant["sed"]], input=original, text=True,
                                     stdout=subprocess.PIPE, check=True).stdout
        else:
            changed = with_line(original, mutant, "before", "after")
        try:
            write(path, changed)
            mutant["result"], mutant["test"] = \
                attempt(tree, mutant, reached) if changed != original else ("gone", "")
        finally:
            write(path, original)
            trees.put(tree)
        return mutant

    with ThreadPoolExecutor(len(args.trees)) as pool:
        for done in as_completed([pool.submit(attempt_in_a_tree, line) for line in sys.stdin]):
            print(json.dumps(done.result()), flush=True)


def show_listed(got):
    """A line of mutate.sh: seen, equal or NOT SEEN."""
    why = {"killed": f"host/{got['test']}", "hang": f"host/{got['test']}: it does not end",
           "equivalent": got["reason"], "gone": "there is no such line any more",
           "unbuilt": f"it does not compile: {got['test']}", "survived": got["test"]}[got["result"]]
    word = {"killed": "seen", "hang": "seen", "equivalent": "equal"}.get(got["result"], "NOT SEEN")
    print(f"{word:9s} {got['file']}: {got['what']}" + (f": {why}" if why else ""))


def show(_args):
    for line in sys.stdin:
        got = json.loads(line)
        if "what" in got:
            show_listed(got)
        else:
            show_drawn(got)


def show_drawn(got):
    test = f" by {got['test']}" if got["result"] in ("killed", "hang", "late") else \
        f" ({got['test']})" if got["test"] else ""
    print(f"{got['result']:10s} {got['file']}:{got['line']}: {got['rule']}{test}")
    if got["result"] != "killed":
        print(f"    - {got['before'].strip()}\n    + {got['after'].strip()}")


def score(args):
    latest, listed_ones = {}, equivalents()
    for line in read(args.log).splitlines():
        got = json.loads(line)
        if got["result"] == "survived" and key(got) in listed_ones:
            got["result"] = "equivalent"
        if got["digest"] == digest(got["file"]):
            latest[got["file"], got["line"], got["column"], got["rule"]] = got
    count = collections.Counter((got["room"], got["result"]) for got in latest.values())
    for room in list(ROOMS) + ["all"]:
        of = {result: sum(n for (r, what), n in count.items()
                          if what == result and room in (r, "all"))
              for result in ("killed", "hang", "late", "survived", "equivalent", "unbuilt")}
        counted = of["killed"] + of["hang"] + of["late"] + of["survived"]
        share = f"{100 * (of['killed'] + of['hang']) / counted:3.0f} %" if counted else "  - "
        print(f"{room:9s} {share} of {counted} mutants: {of['killed']} killed, {of['hang']} hung, "
              f"{of['late']} noticed by ALL=1 alone, {of['survived']} survived; {of['equivalent']} equivalent, "
              f"{of['unbuilt']} do not compile")
    if args.survived:
        write(args.survived, "".join(json.dumps(got) + "\n" for got in latest.values()
                                     if got["result"] == "survived"))


def main():
    parser = argparse.ArgumentParser(description="mutants by rule")
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("-n", type=int, required=True)
    drawing.add_argument("-s", "--seed", type=int)
    drawing.add_argument("-r", "--room", choices=list(ROOMS))
    drawing.add_argument("files", nargs="*")
    drawing.set_defaults(run=draw)
    leaving = commands.add_parser("left")
    leaving.add_argument("log")
    leaving.add_argument("known")
    leaving.set_defaults(run=left)
    reaching = commands.add_parser("reach")
    reaching.add_argument("tree")
    reaching.add_argument("out")
    reaching.set_defaults(run=reach)
    running = commands.add_parser("run")
    running.add_argument("--reach")
    running.add_argument("trees", nargs="+")
    running.set_defaults(run=run)
    for name, function in (("apply", apply), ("restore", restore)):
        changing = commands.add_parser(name)
        changing.add_argument("tree")
        changing.set_defaults(run=function)
    flags = commands.add_parser("flags")
    flags.set_defaults(run=lambda _args: print(CFLAGS))
    listing = commands.add_parser("listed")
    listing.set_defaults(run=listed)
    showing = commands.add_parser("show")
    showing.set_defaults(run=show)
    scoring = commands.add_parser("score")
    scoring.add_argument("log")
    scoring.add_argument("survived", nargs="?")
    scoring.set_defaults(run=score)
    args = parser.parse_args()
    if getattr(args, "n", 1) < 1:
        sys.exit("mutants.py: -n wants at least 1")
    args.run(args)


if __name__ == "__main__":
    main()
