# SPDX-License-Identifier: GPL-2.0-only
"""What a terminal shows, for tests of programs that use ncurses"""
import os


def environment(**env):
    """
    The environment of a program in a terminal: PATH, HOME (the current directory), TERM, those of this process for the
    counters of gcov, and @env.
    """
    counters = {name: value for name, value in os.environ.items() if name.startswith("GCOV_")}
    return {"PATH": os.environ["PATH"], "TERM": "xterm", "HOME": os.getcwd(), **counters, **env}


PENS = {1: "b", 2: "d", 7: "r", 31: "R", 33: "Y"}	# bold, dim, reverse, red, yellow


def marked(cells):
    """The text of a line, with {} where attributes change, and those of the next character in it; not of spaces"""
    line, pen = "", ""
    for cell in cells:
        now = cell[:-1]
        if cell[-1] == " " and "r" not in now:
            now = "" if "r" in pen else pen
        line += ("{" + now + "}" if now != pen else "") + cell[-1]
        pen = now
    return line.rstrip()


def screen(out, columns=100, rows=30, marks=False):
    """What a terminal shows after these bytes: the sequences that ncurses writes for an xterm. @marks: as marked()"""
    pen = ""
    grid = [[" "] * columns for _ in range(rows)]
    y = x = i = 0
    top, bottom = 0, rows - 1

    def scroll(at, by):
        """Moves the lines from @at to the end of the region up, by < 0 down"""
        for _ in range(abs(by)):
            if by > 0:
                del grid[at]
                grid.insert(bottom, [" "] * columns)
            else:
                del grid[bottom]
                grid.insert(at, [" "] * columns)

    text = out.decode(errors="replace")
    while i < len(text):
        c = text[i]
        if c == "\x1b" and text[i + 1:i + 2] == "[":
            j = i + 2
            while not text[j].isalpha() and text[j] not in "@`":
                j += 1
            args, code = text[i + 2:j], text[j]
            nums = [int(a) if a.isdigit() else 1 for a in args.lstrip("?>").split(";")] if args else []
            a = nums[0] if nums else 1
            if code == "m":
                for n in nums or [0]:
                    if n == 0:
                        pen = ""
                    elif n == 39:
                        pen = pen.replace("R", "").replace("Y", "")
                    elif n == 27:
                        pen = pen.replace("r", "")
                    elif n in PENS and PENS[n] not in pen:
                        pen += PENS[n]
            elif code == "H":
                y, x = (nums + [1, 1])[0] - 1, (nums + [1, 1])[1] - 1
            elif code == "A":
                y -= a
            elif code == "B":
                y += a
            elif code == "C":
                x += a
            elif code == "D":
                x -= a
            elif code == "G":
                x = a - 1
            elif code == "d":
                y = a - 1
            elif code == "K":
                span = range(0, x + 1) if args == "1" else range(x, columns)
                for k in span:
                    grid[y][k] = " "
            elif code == "J":
                for r in range(y if args != "2" else 0, rows):
                    for k in range(x if r == y and args != "2" else 0, columns):
                        grid[r][k] = " "
            elif code == "X":
                for k in range(x, min(x + a, columns)):
                    grid[y][k] = " "
            elif code == "P":
                grid[y] = grid[y][:x] + grid[y][x + a:] + [" "] * a
            elif code == "@":
                grid[y] = (grid[y][:x] + [" "] * a + grid[y][x:])[:columns]
            elif code in "LM":
                scroll(y, a if code == "M" else -a)
            elif code in "ST":
                scroll(top, a if code == "S" else -a)
            elif code == "r":
                top, bottom = (nums[0] - 1, nums[1] - 1) if len(nums) > 1 else (0, rows - 1)
            elif code == "b" and x:
                for k in range(a):
                    if x < columns:
                        grid[y][x] = grid[y][x - 1]
                        x += 1
            i = j + 1
            continue
        if c == "\x1b":
            if text[i + 1:i + 2] == "M":
                if y == top:
                    scroll(top, -1)
                else:
                    y -= 1
            i += 3 if text[i + 1:i + 2] in "()" else 2
            continue
        if c == "\r":
            x = 0
        elif c == "\n":
            if y == bottom:
                scroll(top, 1)
            else:
                y = min(y + 1, rows - 1)
        elif c == "\b":
            x -= 1
        elif c >= " ":
            if x >= columns:
                x, y = 0, min(y + 1, rows - 1)
            grid[y][x] = pen + c
            x += 1
        i += 1
    return [marked(r) if marks else "".join(c[-1] for c in r).rstrip() for r in grid]
