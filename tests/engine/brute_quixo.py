"""A second opinion on Quixo in plain loops; it shares no code with the engine.

A board is a list of rows, each a list of ``[mark, dot]``.
"""


def rules_broken(board, seat, team_game, first_round, act):  # type: ignore[no-untyped-def]
    """Ids of the rules that ``act`` breaks.

    ``act``: row, col, end, face (mark put up), dot (or None), line (row or column pushed).
    """
    size = len(board)
    crosses = ("S", "N") if team_game else ("S",)
    own = "X" if seat in crosses else "O"
    mark, dot = board[act["row"]][act["col"]]
    broken = set()
    if 0 < act["row"] < size - 1 and 0 < act["col"] < size - 1:
        broken.add("quixo.take.edge")
    if team_game:
        if first_round and mark != ".":
            broken.add("quixo.team.first-round")
        if mark != "." and (mark != own or dot != seat):
            broken.add("quixo.team.take-dot")
        partner = {"S": "N", "N": "S", "E": "W", "W": "E"}[seat]
        if act["face"] != "." and act["dot"] != seat and act["dot"] != partner:
            broken.add("quixo.team.dot")
    elif mark != "." and mark != own:
        broken.add("quixo.take.own")
    if act["face"] != own:
        broken.add("quixo.mark")
    sideways = act["end"] == "L" or act["end"] == "R"
    if act["line"] != (act["row"] if sideways else act["col"]):
        broken.add("quixo.push.end")
    elif (
        (act["end"] == "L" and act["col"] == 0)
        or (act["end"] == "R" and act["col"] == size - 1)
        or (act["end"] == "T" and act["row"] == 0)
        or (act["end"] == "B" and act["row"] == size - 1)
    ):
        broken.add("quixo.push.not-same")
    return broken


def board_after(board, team_game, act):  # type: ignore[no-untyped-def]
    """The board when the cube has been pushed in, step by step."""
    size = len(board)
    rows = [[list(cell) for cell in row] for row in board]
    dot = "." if act["face"] == "." else (act["dot"] if team_game and act["dot"] else "?")
    held = [act["face"], dot]
    step_row, step_col = {"L": (0, 1), "R": (0, -1), "T": (1, 0), "B": (-1, 0)}[act["end"]]
    row = {"T": 0, "B": size - 1}.get(act["end"], act["line"])
    col = {"L": 0, "R": size - 1}.get(act["end"], act["line"])
    # The gap swallows what is pushed towards it; in a wrong line the last cube drops out.
    while True:
        held, rows[row][col] = rows[row][col], held
        if row == act["row"] and col == act["col"]:
            break
        row, col = row + step_row, col + step_col
        if not (0 <= row < size and 0 <= col < size):
            rows[act["row"]][act["col"]] = held
            break
    return rows


def winner(before, after, own):  # type: ignore[no-untyped-def]
    """The mark that wins by the lines that were not there before, or None."""
    made = set()
    size = len(after)
    for mark in "XO":
        for number in range(2 * size + 2):
            if all_of(after, number, mark) and not all_of(before, number, mark):
                made.add(mark)
    other = "O" if own == "X" else "X"
    if other in made:
        return other
    return own if own in made else None


def all_of(board, number, mark):  # type: ignore[no-untyped-def]
    """Whether line ``number`` (rows, columns, two diagonals) shows only ``mark``."""
    size = len(board)
    for i in range(size):
        if number < size:
            cell = board[number][i]
        elif number < 2 * size:
            cell = board[i][number - size]
        elif number == 2 * size:
            cell = board[i][i]
        else:
            cell = board[i][size - 1 - i]
        if cell[0] != mark:
            return False
    return True


def legal(state_text, move_text):  # type: ignore[no-untyped-def]
    """Whether a push or a pass breaks no rule; the texts are read anew, letter by letter."""
    words = state_text.split(" ")
    marks, seat = words[0].split("/"), words[2]
    dots = words[1].split("/") if words[1] != "-" else [["?"] * len(row) for row in marks]
    known = dict(word.split("=", 1) for word in words[3:])
    if known.get("crosses", "S") not in ("S", "N" if known.get("seats") == "4" else "S"):
        swap = {"X": "O", "O": "X"}  # the same game with the marks exchanged
        marks = [[swap.get(mark, mark) for mark in row] for row in marks]
    board = [
        [[mark, dot] for mark, dot in zip(one, other, strict=True)]
        for one, other in zip(marks, dots, strict=True)
    ]
    team_game = known.get("seats") == "4"
    if "over" in known:
        return False
    if move_text[1:2] == "/":
        if move_text[0] != seat:
            return False
        move_text = move_text[2:]
    blanks = known.get("first_round_blank_only", "true") == "true"
    first_round = known["turn"] != "-" and int(known["turn"]) < 4 and blanks
    if move_text == "pass":
        return team_game and not could_take(board, seat, first_round)
    act = read_push(move_text, seat, team_game)
    return not rules_broken(board, seat, team_game, first_round, act)


def read_push(text, seat, team_game):  # type: ignore[no-untyped-def]
    """The act that ``a3>R``, ``a3>R2`` or ``a3>R:N`` names."""
    col, row, end = "abcde".index(text[0]), int(text[1]) - 1, text[3]
    assert text[2] == ">"
    crosses = ("S", "N") if team_game else ("S",)
    act = {"row": row, "col": col, "end": end, "dot": None}
    act["face"] = "X" if seat in crosses else "O"
    act["line"] = row if end in "LR" else col
    rest = text[4:]
    if rest[:1] not in ("", ":"):
        act["line"] = int(rest[0]) - 1 if end in "LR" else "abcde".index(rest[0])
        rest = rest[1:]
    if rest:
        assert rest[0] == ":"
        act["dot"] = rest[1:]
    return act


def could_take(board, seat, first_round):  # type: ignore[no-untyped-def]
    """Whether some cube of the border may be taken by ``seat``, with four players."""
    size = len(board)
    for row in range(size):
        for col in range(size):
            act = {"row": row, "col": col, "end": "L" if col else "R", "dot": seat}
            act["face"] = "X" if seat in ("S", "N") else "O"
            act["line"] = row
            if not rules_broken(board, seat, True, first_round, act):
                return True
    return False
