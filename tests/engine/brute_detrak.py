"""A second opinion on Détrak in plain loops; it shares no code with the engine.

It reads the same texts of states and moves, by itself.
"""

# mypy: ignore-errors


def parse(state_text):
    """A state as a dict: sheets by seat as rows of lists, and the words behind them."""
    state = {"sheets": {}, "round": 0, "roll": None, "owe": "", "out": "", "options": {}}
    for word in state_text.split(" "):
        if len(word) > 2 and word[1] == ":":
            grid = word[2:].split(";")[0]
            state["sheets"][word[0]] = [list(row) for row in grid.split("|")]
            continue
        key, _, value = word.partition("=")
        if key == "round":
            state["round"] = int(value)
        elif key in ("roll", "owe", "out"):
            state[key] = value
        else:
            state["options"][key] = value
    return state


def touching_empties(rows):
    for r in range(5):
        for c in range(5):
            if rows[r][c] == ".":
                if c < 4 and rows[r][c + 1] == ".":
                    return True
                if r < 4 and rows[r + 1][c] == ".":
                    return True
    return False


def is_over(state):
    if state["owe"]:
        return False
    if state["round"] == 12:
        return True
    for seat, rows in state["sheets"].items():
        if seat not in state["out"] and touching_empties(rows):
            return False
    return True


def rules_broken(state_text, move_text):
    """Ids of the rules that a move breaks."""
    state = parse(state_text)
    words = move_text.split(" ")
    if words[0] in ("roll", "reroll"):
        return throw_broken(state, words[0], words[1])
    seat = words[0][0]
    rows = state["sheets"][seat]
    over = is_over(state)
    if words[1] == "hide":
        return {"detrak.open"}
    if words[1] == "sums":
        return {"detrak.sheet.sums"} if sums_wrong(state, seat, words[2:]) else set()
    broken = set()
    if over:
        broken.add("detrak.end")
    if words[1].startswith("start="):
        return broken | start_broken(state, seat, words[1][6])
    if not over and rows[0][0] == ".":
        broken.add("detrak.start")
    if words[1] == "pass":
        if seat in state["owe"]:
            broken.add("detrak.place.must")
        return broken
    return broken | writing_broken(state, seat, words[1:], over)


def start_broken(state, seat, symbol):
    if state["sheets"][seat][0][0] != ".":
        return {"detrak.start"}
    for other, theirs in state["sheets"].items():
        if other != seat and theirs[0][0] == symbol:
            return {"detrak.start"}
    return set()


def throw_broken(state, kind, text):
    dice, _, called = text.partition("!")
    cocked = dice.endswith("~")
    dice = sorted(dice.rstrip("~").replace(".", ""))
    called = sorted(called) if called else dice
    broken = set()
    over = is_over(state)
    if over:
        broken.add("detrak.end")
    else:
        for rows in state["sheets"].values():
            if rows[0][0] == ".":
                broken.add("detrak.start")
    if len(dice) != 2 or kind == "reroll":
        broken.add("detrak.roll")
    if not over and state["round"] == 12:
        broken.add("detrak.roll")
    if called != dice:
        broken.add("detrak.roll.announce")
    if cocked and state["options"].get("cocked_dice", "reroll") == "reroll":
        broken.add("detrak.roll.cocked")
    if kind == "roll" and state["owe"]:
        broken.add("detrak.place.time")
    return broken


def writing_broken(state, seat, words, over):
    rows = state["sheets"][seat]
    written, cells, broken = marks_broken(rows, words)
    if not written:
        return broken
    if len(cells) == 2:
        distance = abs(cells[0][0] - cells[1][0]) + abs(cells[0][1] - cells[1][1])
        if distance > 1:
            broken.add("detrak.place.adjacent")
    if seat in state["out"]:
        broken.add("detrak.stuck")
    elif not over and rows[0][0] != ".":
        due = sorted(state["roll"]) if state["roll"] and seat in state["owe"] else None
        if sorted(written) != due:
            broken.add("detrak.place.pair")
    return broken


def marks_broken(rows, words):
    """Symbols written, their cells, and the rules broken by where they stand."""
    written, cells, broken = [], [], set()
    for word in words:
        column, row, rest = "abcde".find(word[0]), int(word[1]) - 1, word[2:]
        if rest[0] == ">":
            broken.add("detrak.place.permanent")
            continue
        written.append(rest)
        if column < 0 or row < 0 or row > 4:
            broken.add("detrak.place.field")
            continue
        if rows[row][column] not in ".?" or (row, column) in cells:
            broken.add("detrak.place.free")
        cells.append((row, column))
    return written, cells, broken


def worth(symbols):
    """The points of one line."""
    points, i = 0, 0
    while i < len(symbols):
        j = i
        while j < len(symbols) and symbols[j] == symbols[i]:
            j += 1
        if symbols[i] not in ".?":
            if j - i == 2:
                points += 2
            if j - i == 3:
                points += 3
            if j - i == 4:
                points += 8
            if j - i == 5:
                points += 10
        i = j
    return points


def numbers(rows, options):
    """Box name -> right number."""
    advanced = options.get("advanced") == "true"
    boxes, total = {}, 0
    for i in range(5):
        across = worth(rows[i])
        down = worth([rows[r][i] for r in range(5)])
        if advanced and across == 0:
            across = -5
        if advanced and down == 0:
            down = -5
        boxes[f"f{i + 1}"] = across
        boxes["abcde"[i] + "6"] = down
        total += across + down
    slope = 0
    if advanced:
        slope = worth([rows[4][0], rows[3][1], rows[2][2], rows[1][3], rows[0][4]])
        if slope == 0 and options.get("diagonal_penalty") == "true":
            slope = -5
        total += slope + slope
    boxes["06"] = boxes["f0"] = slope
    boxes["f6"] = total
    return boxes


def sums_wrong(state, seat, words):
    rows = state["sheets"][seat]
    right = numbers(rows, state["options"])
    for word in words:
        box, _, number = word.partition("=")
        if int(number) != right[box] and not may_grow(rows, box):
            return True
    return False


def may_grow(rows, box):
    if box == "f6":
        cells = [(r, c) for r in range(5) for c in range(5)]
    elif box in ("06", "f0"):
        cells = [(4, 0), (3, 1), (2, 2), (1, 3), (0, 4)]
    elif box[0] == "f":
        cells = [(int(box[1]) - 1, c) for c in range(5)]
    else:
        cells = [(r, "abcde".index(box[0])) for r in range(5)]
    for r, c in cells:
        for rr, cc in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
            inside = 0 <= rr < 5 and 0 <= cc < 5
            if rows[r][c] == "." and inside and rows[rr][cc] == ".":
                return True
    return False


def winners(state_text):
    """Seats that win a finished game."""
    state = parse(state_text)
    best, who = None, []
    for seat, rows in state["sheets"].items():
        right = numbers(rows, state["options"])
        lines = [right[f"f{i + 1}"] for i in range(5)] + [right[f"{c}6"] for c in "abcde"]
        if (
            state["options"].get("tie_counts_diagonal") == "true"
            and state["options"].get("advanced") == "true"
        ):
            lines.append(right["f0"])
        key = (right["f6"], max(lines))
        if best is None or key > best:
            best, who = key, [seat]
        elif key == best:
            who.append(seat)
    return who


def legal(state_text, move_text):
    """Whether a move breaks no rule."""
    return not rules_broken(state_text, move_text)


def explainable(rows, rolls):
    """Whether some way to place exactly the first rolls, each once, gives the sheet.

    Rolls are taken off the sheet one after the other, at every place where they fit.
    """
    count = 0
    for r in range(5):
        for c in range(5):
            count += (r, c) != (0, 0) and rows[r][c] != "."
    if count % 2 or count // 2 > len(rolls):
        return False
    if count // 2 < len(rolls) and touching_empties(rows):
        return False
    left = [list(row) for row in rows]
    left[0][0] = "."
    return take_off(left, rolls[: count // 2])


def take_off(rows, rolls):
    """Take the pair at the first filled cell off, with any roll that fits it."""
    for r in range(5):
        for c in range(5):
            if rows[r][c] == ".":
                continue
            for rr, cc in ((r, c + 1), (r + 1, c)):
                if rr > 4 or cc > 4 or rows[rr][cc] == ".":
                    continue
                pair = sorted((rows[r][c], rows[rr][cc]))
                for i in range(len(rolls)):
                    if sorted(rolls[i]) == pair:
                        one, other = rows[r][c], rows[rr][cc]
                        rows[r][c] = rows[rr][cc] = "."
                        if take_off(rows, rolls[:i] + rolls[i + 1 :]):
                            return True
                        rows[r][c], rows[rr][cc] = one, other
                        break
            return False
    return True


def smallest_left_over(rows, rolls):
    """All smallest sets of cells that have to be left over, as sorted lists of (row, col)."""
    filled = [(r, c) for r in range(5) for c in range(5) if rows[r][c] != "." and (r, c) != (0, 0)]
    rolls = rolls[: (len(filled) + 1) // 2]
    for size in range(len(filled) + 1):
        found = []
        for chosen in subsets(filled, size):
            left = [list(row) for row in rows]
            left[0][0] = "."
            for r, c in chosen:
                left[r][c] = "."
            if take_off(left, rolls):
                found.append(chosen)
        if found:
            return found
    return []


def subsets(things, size):
    """All lists of ``size`` things, in order."""
    if size == 0:
        yield []
        return
    for i in range(len(things)):
        for rest in subsets(things[i + 1 :], size - 1):
            yield [things[i], *rest]
