"""A second opinion on Qwinto in plain loops; it shares no code with the engine.

It reads the text of a state and of an act itself.  A sheet is a dictionary from (row, column) to
a number, for the cells that can be written.
"""

# mypy: ignore-errors

ROW_LETTERS = "oyp"
CELLS = {
    "o": [2, 3, 4, 6, 7, 8, 9, 10, 11],
    "y": [1, 2, 3, 4, 5, 7, 8, 9, 10],
    "p": [0, 1, 2, 3, 5, 6, 7, 8, 9],
}
PENTAGONS = [("p", 2), ("o", 3), ("o", 7), ("y", 8), ("p", 9)]


def legal(state_text, move_text):
    return not rules_broken(state_text, move_text)


def cell(name):
    return name[0], int(name[1:])


def read_dice(text):
    """Colours, sum, whether one is cocked."""
    colours, total, cocked = "", 0, False
    for at, letter in enumerate(text):
        if letter in ROW_LETTERS:
            colours += letter
            total += int(text[at + 1])
        if letter == "~":
            cocked = True
    return colours, total, cocked


def read_state(text):
    words = text.split()
    state = {"throws": [] if words[0] == "-" else words[0].split(">"), "sheets": [], "failed": []}
    at = 1
    while "/" in words[at]:
        rows = words[at].split("/")
        sheet = {}
        for letter, row in zip(ROW_LETTERS, rows, strict=False):
            for column, number in zip(CELLS[letter], row.split(","), strict=True):
                if number != ".":
                    sheet[(letter, column)] = int(number)
        state["sheets"].append(sheet)
        state["failed"].append(int(rows[3]))
        at += 1
    count = len(state["sheets"])
    state["seats"] = "ABCDEF"[:count]
    state["active"] = words[at]
    options = {}
    for word in words[at + 1 :]:
        key, value = word.split("=", 1)
        options[key] = value
    state["options"] = options
    blank = "|" * (count - 1)
    for key in ("order", "fresh"):
        state[key] = [
            [] if part == "" else [n if n == "beside" else cell(n) for n in part.split(",")]
            for part in options.get(key, blank).split("|")
        ]
    state["marked"] = [int(p or 0) for p in options.get("marked", blank).split("|")]
    state["gone"] = [
        [int(n) for n in part.split(",")] if part else []
        for part in options.get("erased", blank).split("|")
    ]
    return state


def clash(one, two, sheet):
    """Whether two written cells break a placement rule together."""
    if one == two or one not in sheet or two not in sheet:
        return False
    if one[0] == two[0]:
        if one[1] < two[1]:
            return sheet[one] >= sheet[two]
        return sheet[one] <= sheet[two]
    return one[1] == two[1] and sheet[one] == sheet[two]


def full_rows(sheet):
    count = 0
    for letter in ROW_LETTERS:
        filled = 0
        for column in CELLS[letter]:
            if (letter, column) in sheet:
                filled += 1
        if filled == 9:
            count += 1
    return count


def points(sheet, failed):
    """Row points, bonuses in column order, price of failed throws, total."""
    rows = []
    for letter in ROW_LETTERS:
        filled = [column for column in CELLS[letter] if (letter, column) in sheet]
        rows.append(sheet[(letter, filled[-1])] if len(filled) == 9 else len(filled))
    bonus = []
    for letter, column in PENTAGONS:
        complete = True
        for other in ROW_LETTERS:
            if (other, column) not in sheet:
                complete = False
        bonus.append(sheet[(letter, column)] if complete else 0)
    return rows, bonus, 5 * failed, sum(rows) + sum(bonus) - 5 * failed


def rules_broken(state_text, move_text):
    """Ids of the rules that an act breaks."""
    state = read_state(state_text)
    words = move_text.split()
    seat = None
    if words[0].endswith(":"):
        seat = words.pop(0)[:-1]
    broken = set()
    if "hidden" in words:
        broken.add("qwinto.open")
        words.remove("hidden")
    for word in words:
        if word.startswith("full="):
            broken.add("qwinto.full-row")
    over = "over" in state["options"]
    if words[0] == "sums":
        return broken | wrong_sums(state, seat, words[1:])
    if words[0] == "wins":
        return broken | wrong_winners(state, words[1:], over)
    if over:
        return broken | {"qwinto.end"}
    if words[0] in ("roll", "reroll"):
        return broken | wrong_throw(state, seat, words)
    return broken | wrong_change(state, seat, words)


def is_ending(state):
    for sheet, failed in zip(state["sheets"], state["failed"], strict=True):
        if failed == 4 or full_rows(sheet) >= 2:
            return True
    return False


def wrong_sums(state, seat, boxes):
    who = "ABCDEF".index(seat)
    rows, bonus, penalty, total = points(state["sheets"][who], state["failed"][who])
    right = [*rows, *bonus, penalty, total]
    written = [None if box == "." else int(box) for box in boxes]
    broken = set()
    for number in range(10):
        shown = written[number]
        if shown is None:
            continue
        if number == 8:
            shown = abs(shown)
        if shown == right[number]:
            continue
        broken.add("qwinto.sheet.sums")
        if number < 3:
            broken.add("qwinto.score.row")
        elif number < 8:
            broken.add("qwinto.score.bonus")
        elif number == 8:
            broken.add("qwinto.score.failed")
    if None not in written and sum(written[:8]) - abs(written[8]) != written[9]:
        broken.add("qwinto.total")
    return broken


def wrong_winners(state, named, over):
    if not over:
        return {"qwinto.end"}
    totals = []
    for sheet, failed in zip(state["sheets"], state["failed"], strict=True):
        totals.append(points(sheet, failed)[3])
    best = [s for s, total in zip(state["seats"], totals, strict=True) if total == max(totals)]
    for seat in named:
        if seat not in best:
            return {"qwinto.total"}
    return set() if len(named) == len(best) else {"qwinto.tie"}


def wrong_throw(state, seat, words):  # noqa: C901 - plain on purpose
    broken = set()
    throws, options = state["throws"], state["options"]
    colours, total, _ = read_dice(words[1])
    for letter in ROW_LETTERS:
        if colours.count(letter) > 1:
            broken.add("qwinto.dice")
    for word in words:
        if word.startswith("says=") and int(word[5:]) != total:
            broken.add("qwinto.sum.announce")
    if is_ending(state):
        broken.add("qwinto.end")
    somebody = False
    for fresh, marked in zip(state["fresh"], state["marked"], strict=True):
        if fresh or marked:
            somebody = True
    active = state["seats"].index(state["active"])
    if words[0] == "roll":
        due = (active + 1) % len(state["seats"]) if throws else active
        if seat is not None and seat != state["seats"][due]:
            broken.add("qwinto.turn")
        silent = not state["fresh"][active] and not state["marked"][active]
        if throws and silent and not is_ending(state):
            broken.add("qwinto.failed")
        return broken
    if seat is not None and seat != state["active"]:
        broken.add("qwinto.turn")
    stands = options.get("cocked_dice") == "stands"
    counted = 0
    for throw in throws:
        if stands or not read_dice(throw)[2]:
            counted += 1
    last = read_dice(throws[-1]) if throws else ("", 0, False)
    again = last[2] and not stands  # a cocked throw does not count and has to be repeated
    spent = (somebody or counted > 1) and not again
    if not throws or spent or sorted(last[0]) != sorted(colours):
        broken.add("qwinto.reroll")
    return broken


def wrong_change(state, seat, words):
    """Everything about one seat's change of its sheet, or its pass."""
    who = "ABCDEF".index(seat)
    act = read_change(words)
    act["who"], act["seat"] = who, seat
    act["sheet"], act["fresh"] = state["sheets"][who], state["fresh"][who]
    act["thrown"] = bool(state["throws"])
    last = state["throws"][-1] if act["thrown"] else ""
    act["colours"], act["total"], act["cocked"] = read_dice(last)
    broken = wrong_erasures(state, act)
    find_answers(state, act, broken)
    wrong_answers(act, broken)
    wrong_places(act, broken)
    wrong_counts(state, act, broken)
    return broken


def read_change(words):
    act = {"passes": words[0] == "pass", "late": "late" in words, "marks": 0}
    act["writes"], act["erasures"] = [], []
    for word in words:
        if word in ("pass", "late"):
            continue
        if "x" in word:
            act["marks"] = word.count("x") * (-1 if word[0] == "-" else 1)
        elif word[0] == "-":
            name, _, number = word[1:].partition("=")
            act["erasures"].append((cell(name), int(number) if number else None))
        else:
            name, _, number = word.partition("=")
            act["writes"].append((cell(name), int(number)))
    return act


def wrong_erasures(state, act):
    """Which erasures does the rule about errors allow?"""
    sheet, broken = act["sheet"], set()
    act["bad"], act["allowed_late"] = [], []
    for place, number in act["erasures"]:
        if place not in sheet or (number is not None and sheet[place] != number):
            broken.add("qwinto.permanent")
            act["bad"].append((place, sheet.get(place, number)))
            continue
        rivals = [other for other in sheet if clash(place, other, sheet)]
        if may_go(place, rivals, state["order"][act["who"]]):
            if place not in act["fresh"]:
                act["allowed_late"].append((place, sheet[place]))
            continue
        broken.add("qwinto.late-error" if rivals else "qwinto.permanent")
        act["bad"].append((place, sheet[place]))
    return broken


def may_go(place, rivals, order):
    """Of two numbers the one logged later goes; either when nobody knows."""
    for other in rivals:
        if place in order and (other not in order or order.index(other) < order.index(place)):
            return True
        if place not in order and other not in order:
            return True
    return False


def find_answers(state, act, broken):
    """Which numbers are answers to the open roll, which only stand elsewhere now?"""
    act["answers"] = []
    for place, number in act["writes"]:
        if act["late"] or any(place == other for other, _ in act["bad"]):
            continue
        fits = act["thrown"] and number == act["total"] and place[0] in act["colours"]
        came_from = number in state["gone"][act["who"]]
        for _, old in act["bad"] + act["allowed_late"]:
            if old == number:
                came_from = True
        if fits or not came_from:
            act["answers"].append((place, number))
        elif "qwinto.permanent" not in broken:
            broken.add("qwinto.late-error")


def wrong_answers(act, broken):
    """Time, sum, colour."""
    if act["writes"] and (act["late"] or not act["thrown"]):
        broken.add("qwinto.entry.time")
    for place, number in act["answers"]:
        if act["thrown"] and number != act["total"]:
            broken.add("qwinto.sum")
        if act["thrown"] and place[0] not in act["colours"]:
            broken.add("qwinto.entry.colour")


def wrong_places(act, broken):
    erased = [place for place, _ in act["erasures"]]
    after = {place: n for place, n in act["sheet"].items() if place not in erased}
    for place, number in act["writes"]:
        if place[1] not in CELLS[place[0]]:
            broken.add("qwinto.entry.field")
            continue
        if place in act["sheet"] and place not in erased:
            broken.add("qwinto.entry.free")
        after[place] = number
    for place, number in act["writes"]:
        if place not in after:
            continue
        probe = {**after, place: number}
        for other in after:
            if other != place and clash(place, other, probe):
                same_row = other[0] == place[0]
                broken.add("qwinto.row.ascending" if same_row else "qwinto.column.distinct")


def wrong_counts(state, act, broken):  # noqa: C901 - plain on purpose
    """How many numbers, how many marks."""
    erased = [place for place, _ in act["erasures"]]
    answers, passes, seat = act["answers"], act["passes"], act["seat"]
    standing = 0
    for place in act["fresh"]:
        if place not in erased:
            standing += 1
    too_many = (answers and standing + len(answers) > 1) or (passes and standing)
    if act["thrown"] and (too_many or (answers and seat in state["options"].get("barred", ""))):
        broken.add("qwinto.entry")
    price = 0
    if state["options"].get("late_erasure_costs_failed") == "true":
        price = len(act["allowed_late"])
    if price and act["marks"] < price:
        broken.add("qwinto.late-error")
    rest = max(act["marks"] - price, 0) if price else act["marks"]
    marked = state["marked"][act["who"]] + rest
    if rest < 0 or (rest and not (act["thrown"] and seat == state["active"])):
        broken.add("qwinto.failed")
    elif seat == state["active"] and act["thrown"]:
        new = rest or answers or passes
        if new and (marked > 1 or (marked and standing + len(answers) > 0)):
            broken.add("qwinto.failed")
        if passes and not standing and not marked:
            broken.add("qwinto.failed")
    reroll_first = act["cocked"] and state["options"].get("cocked_dice") != "stands"
    if reroll_first and (answers or rest):
        broken.add("qwinto.dice.cocked")
