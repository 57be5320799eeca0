"""A second opinion on Quinto in plain loops; it shares no code with the engine.

A board is a list of rows, each a list of one-letter strings; a move is a dictionary.
"""

# mypy: ignore-errors

from itertools import permutations

PLASTIC = [7, 6, 6, 7, 10, 6, 10, 14, 12, 12]
SETS = {
    "plastic-1964": (13, 17, "i7", PLASTIC),
    "wood-1964": (15, 15, "h8", [6, 5, 5, 6, 9, 5, 9, 14, 12, 12]),
    "1968": (13, 18, "i7", PLASTIC),
    "custom": (13, 17, "i7", PLASTIC),
}


def legal(state_text, move_text):
    """Whether the move breaks no rule."""
    state = read_state(state_text)
    seat, rest = state["seat"], move_text
    if rest[1:2] == "/":
        seat, rest = rest[0], rest[2:]
    if rest.startswith("hand "):
        return hand_can_be(state, seat, rest[5:].strip("- "))
    return not rules_broken(state, read_move(move_text))


def hand_can_be(state, seat, tiles):
    """Whether ``seat`` can hold these tiles: as many as due, and none that is elsewhere."""
    if len(tiles) != len(state["hands"][seat]):
        return False
    known = "".join(symbol for row in state["board"] for symbol in row) + tiles
    known += "".join(hand for name, hand in state["hands"].items() if name != seat)
    return all(known.count(v) <= state["set"][int(v)] for v in tiles if v != "?")


def read_state(text):
    words = text.split(" ")
    state = {"board": [list(row) for row in words[0].split("/")], "seat": words[1]}
    given = {}
    for word in words[2:]:
        name, value = word.split("=")
        given[name] = value
    rows, columns, start, tiles = SETS[given.get("edition", "plastic-1964")]
    if len(state["board"]) != rows or len(state["board"][0]) != columns:
        rows, columns = len(state["board"]), len(state["board"][0])
        outside = int(start[1:]) > rows or ord(start[0]) - 97 >= columns
        if given["edition"] == "custom" or outside:
            start = "abcdefghijklmnopqrstuvwxyz"[columns // 2] + str(rows // 2 + 1)
    start = given.get("start_cell", start)
    state["start"] = (int(start[1:]) - 1, ord(start[0]) - 97)
    state["set"] = [int(n) for n in given["tiles"].split(",")] if "tiles" in given else tiles
    state["divisor"] = int(given.get("divisor", "5"))
    state["zero"] = given.get("zero_total_ok", "true") == "true"
    state["close"] = given.get("require_contiguous", "true") == "true"
    state["free"] = given.get("free_pass", "false") == "true"
    state["turn"] = given["turn"]
    state["over"] = "over" in given
    state["hands"] = dict(zip("ABCD", given["hands"].split(","), strict=False))
    return state


def read_cell(text):
    return int(text[1:]) - 1, ord(text[0]) - 97


def read_move(text):  # noqa: C901 - plain on purpose
    """The move as a dictionary: who, pass, tiles (cell to value), said, drawn, score, gone, put."""
    move = {"who": None, "pass": False, "tiles": {}, "said": {}}
    move.update({"drawn": None, "score": None, "gone": [], "put": {}})
    if text[1:2] == "/":
        move["who"], text = text[0], text[2:]
    for word in text.split():
        if word == "pass":
            move["pass"] = True
        elif word[0] == "+":
            move["drawn"] = word[1:]
        elif word[0] == "=":
            move["score"] = int(word[1:])
        elif word[0] == "-":
            move["gone"].append(read_cell(word[1:]))
        elif ":" in word:
            cell, value = word.split(":")
            move["gone"].append(read_cell(cell))
            move["put"][read_cell(cell)] = value
        elif "=" in word:
            cell, value = word.split("=")
            move["tiles"][read_cell(cell)] = int(value[0])
            if "~" in value:
                move["said"][read_cell(cell)] = int(value[2])
        elif "~" in word:
            source, target = word.split("~")
            move["gone"].append(read_cell(source))
            move["put"][read_cell(target)] = source
        else:
            read_run(word, move)
    return move


def read_run(word, move):
    at = 1
    while word[at] in "0123456789":
        at += 1
    row, column = read_cell(word[:at])
    for symbol in word[at + 1 :]:
        if symbol != ".":
            move["tiles"][(row, column)] = int(symbol)
        if word[at] == "v":
            row += 1
        else:
            column += 1


def rules_broken(state, move):
    """Ids of the rules that a play or a pass breaks."""
    broken = set()
    if state["over"]:
        broken.add("quinto.end")
    if move["who"] is not None and move["who"] != state["seat"]:
        broken.add("quinto.turn")
    hand = state["hands"][move["who"] or state["seat"]]
    lying = [symbol for row in state["board"] for symbol in row if symbol != "."]
    if state["turn"] == "0" and lying:
        broken.add("quinto.setup")
    if move["pass"]:
        if move["drawn"] is not None and len(move["drawn"]) > 0:
            broken.add("quinto.refill")
        if not state["free"] and can_play(state, hand):
            broken.add("quinto.pass")
        return broken
    if move["gone"] or move["put"]:
        broken.add("quinto.board.fixed")
    broken |= by_tiles(state, move, hand)
    if move["tiles"]:
        broken |= by_place(state, move, lying)
        after = board_after(state, move)
        broken |= by_lines(state, move, after, lying)
    return broken


def board_after(state, move):
    board = [list(row) for row in state["board"]]
    put = {}
    for cell, value in move["put"].items():
        if len(value) > 1:
            row, column = read_cell(value)
            value = state["board"][row][column]
        put[cell] = value
    for row, column in move["gone"]:
        board[row][column] = "."
    for (row, column), value in put.items():
        if value != ".":
            board[row][column] = value
    for (row, column), value in move["tiles"].items():
        board[row][column] = str(value)
    return board


def by_tiles(state, move, hand):  # noqa: C901 - plain on purpose
    broken = set()
    count = len(move["tiles"])
    left = list(hand)
    for value in move["tiles"].values():
        if str(value) in left:
            left.remove(str(value))
        elif "?" in left:
            left.remove("?")
        else:
            broken.add("quinto.play.count")
    if count > 5:
        broken.add("quinto.play.count")
    for cell, value in move["said"].items():
        if move["tiles"][cell] != value:
            broken.add("quinto.tile.value")
    after = board_after(state, move)
    lying = [symbol for row in after for symbol in row if symbol != "."]
    if move["drawn"] is not None:
        kept = max(0, len(hand) - count)
        others = sum(len(h) for h in state["hands"].values()) - len(hand)
        supply = max(0, sum(state["set"]) - len(lying) - others - kept)
        if len(move["drawn"]) != min(5 - kept, supply):
            broken.add("quinto.refill")
    new = [str(v) for v in move["tiles"].values()]
    new += [v for v in move["put"].values() if len(v) == 1]
    for value in new:
        if lying.count(value) > state["set"][int(value)]:
            broken.add("quinto.supply")
    for value in move["drawn"] or "":
        if value != "?":
            known = lying.count(value) + move["drawn"].count(value) + left.count(value)
            for seat, other in state["hands"].items():
                if seat != (move["who"] or state["seat"]):
                    known += other.count(value)
            if known > state["set"][int(value)]:
                broken.add("quinto.supply")
    return broken


def by_place(state, move, lying):  # noqa: C901 - plain on purpose
    broken = set()
    board, cells = state["board"], sorted(move["tiles"])
    for row, column in cells:
        if board[row][column] != "." and (row, column) not in move["gone"]:
            broken.add("quinto.play.empty")
    for target, source in move["put"].items():
        if len(source) > 1 and board[target[0]][target[1]] != "." and target not in move["gone"]:
            broken.add("quinto.play.empty")
    if len({row for row, _ in cells}) > 1 and len({column for _, column in cells}) > 1:
        broken.add("quinto.play.line")
    elif state["close"]:
        after = board_after(state, move)
        for row in range(cells[0][0], cells[-1][0] + 1):
            for column in range(cells[0][1], cells[-1][1] + 1):
                if after[row][column] == ".":
                    broken.add("quinto.play.line")
    if not lying:
        if state["start"] not in cells:
            broken.add("quinto.play.start")
    elif not any(beside(board, cell, cells) for cell in cells):
        broken.add("quinto.play.contact")
    return broken


def beside(board, cell, laid):
    for down, right in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        row, column = cell[0] + down, cell[1] + right
        inside = 0 <= row < len(board) and 0 <= column < len(board[0])
        if inside and board[row][column] != "." and (row, column) not in laid:
            return True
    return False


def lines_made(board, cells):
    """Every run of two or more tiles through one of the cells, as a tuple of its cells."""
    found = set()
    for row, column in cells:
        for down, right in ((0, 1), (1, 0)):
            r, c = row, column
            while r >= down and c >= right and board[r - down][c - right] != ".":
                r, c = r - down, c - right
            run = []
            while r < len(board) and c < len(board[0]) and board[r][c] != ".":
                run.append((r, c))
                r, c = r + down, c + right
            if len(run) > 1:
                found.add(tuple(run))
    return found


def total(board, run):
    points = 0
    for row, column in run:
        points += int(board[row][column])
    return points


def score(state, move):
    after = board_after(state, move)
    lying = [symbol for row in state["board"] for symbol in row if symbol != "."]
    if not lying and len(move["tiles"]) == 1:
        return next(iter(move["tiles"].values()))
    return sum(total(after, run) for run in lines_made(after, move["tiles"]))


def by_lines(state, move, after, lying):
    broken = set()
    for run in lines_made(after, move["tiles"]):
        if len(run) > 5:
            broken.add("quinto.line.length")
        points = total(after, run)
        if points % state["divisor"] != 0 or (points == 0 and not state["zero"]):
            broken.add("quinto.line.multiple")
    if not lying and len(move["tiles"]) == 1:
        value = next(iter(move["tiles"].values()))
        if value % state["divisor"] != 0 or (value == 0 and not state["zero"]):
            broken.add("quinto.first.single")
    if move["score"] is not None and move["score"] != score(state, move):
        broken.add("quinto.score.lines")
    return broken


def can_play(state, hand):
    """Try the known tiles of a hand in every order, from every cell, in both directions."""
    known = [tile for tile in hand if tile != "?"]
    orders = {order for n in range(1, len(known) + 1) for order in permutations(known, n)}
    for order in sorted(orders):
        for row in range(len(state["board"])):
            for column in range(len(state["board"][0])):
                for down, right in ((0, 1), (1, 0)):
                    tiles = lay(state["board"], order, (row, column), (down, right))
                    if tiles is not None and fits(state, tiles):
                        return True
    return False


def lay(board, order, cell, step):
    """The tiles laid one after the other on empty cells from ``cell`` on, or None."""
    (row, column), tiles = cell, {}
    for value in order:
        while row < len(board) and column < len(board[0]) and board[row][column] != ".":
            row, column = row + step[0], column + step[1]
        if row >= len(board) or column >= len(board[0]):
            return None
        tiles[(row, column)] = int(value)
        row, column = row + step[0], column + step[1]
    return tiles


def fits(state, tiles):
    move = read_move("")
    move["tiles"] = tiles
    lying = [symbol for row in state["board"] for symbol in row if symbol != "."]
    after = board_after(state, move)
    rules = by_place(state, move, lying) | by_lines(state, move, after, lying)
    laid = [symbol for row in after for symbol in row]
    for value in tiles.values():
        if laid.count(str(value)) > state["set"][value]:
            return False
    return not rules
