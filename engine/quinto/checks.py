"""One small check a rule: a state and a move to a ``Breach``, or None when the rule is kept."""

from __future__ import annotations

from engine.grid import cell_name
from engine.quinto.hands import mover, takes_turn
from engine.quinto.layout import DIGITS, EMPTY, UNSEEN
from engine.quinto.lines import lines_of, multiple, name_of, neighbours, points_of
from engine.quinto.move import Kind, Move, result
from engine.quinto.plays import first_play
from engine.quinto.repairs import fails, repairs
from engine.quinto.state import HAND_SIZE, LINE_LENGTH, State
from engine.quinto.words import (
    at_start,
    either_en,
    either_fr,
    line_fr,
    seat_en,
    seat_fr,
    tiles_en,
    tiles_fr,
)
from engine.rules import Breach

SCORING = frozenset({"quinto.score.lines", "quinto.line.extend", "quinto.first.single"})


def check_no_breach(_state: State, _move: Move) -> Breach | None:
    """Keep every move: the rule decides the score, not what may be done."""
    return None


def check_setup(state: State, move: Move) -> Breach | None:
    """``quinto.setup``: a game begins on a bare board."""
    tiles = state.layout.tiles()
    if state.turn != 0 or not tiles or not takes_turn(move):
        return None
    cell = cell_name(tiles[0][:2])
    return Breach(
        cell,
        f"The game began with a tile on {cell}, not on a bare board.",
        f"La partie a commencé avec une tuile en {cell}, pas sur un plateau vide.",
    )


def check_turn(state: State, move: Move) -> Breach | None:
    """``quinto.turn``: players move clockwise, and who holds no tile is skipped."""
    seat = mover(state, move)
    if seat == state.seat or not takes_turn(move):
        return None
    return Breach(
        f"seat {seat}",
        f"Player {seat} moved, but it was the turn of {seat_en(state.seat)}.",
        f"Le joueur {seat} a joué, mais c'était le tour du joueur {state.seat}.",
    )


def check_count(state: State, move: Move) -> Breach | None:
    """``quinto.play.count``: one to five tiles, and from the hand."""
    if move.kind is not Kind.PLAY:
        return None
    seat, count = mover(state, move), len(move.tiles)
    if count == 0 and move.disturbs():
        return None  # what was done to the board is another rule's matter
    if not 1 <= count <= HAND_SIZE:
        return Breach(
            name_of(tile[:2] for tile in move.tiles),
            f"{tiles_en(count)} were laid; a play has one to {HAND_SIZE}.",
            f"{tiles_fr(count)} posées ; on en joue de une à {HAND_SIZE}.",
        )
    strange = _not_held(state.hand(seat), move.values())
    if not strange:
        return None
    missing = ", ".join(map(str, strange))
    return Breach(
        name_of(tile[:2] for tile in move.tiles if tile[2] in strange),
        f"{at_start(seat_en(seat))} did not hold {missing}.",
        f"{at_start(seat_fr(seat))} n'avait pas {missing} en main.",
    )


def _not_held(hand: str, values: tuple[int, ...]) -> tuple[int, ...]:
    """Return the values that certainly did not come from ``hand``."""
    strange = []
    for value in values:
        digit = DIGITS[value]
        held = digit if digit in hand else UNSEEN
        if held not in hand:
            strange.append(value)
        hand = hand.replace(held, "", 1)
    return tuple(strange)


def check_empty(state: State, move: Move) -> Breach | None:
    """``quinto.play.empty``: tiles go on empty cells."""
    freed = {*move.removed, *(source for source, _ in move.moved)}
    laid = [*(tile[:2] for tile in move.tiles), *(target for _, target in move.moved)]
    taken = [c for c in laid if state.layout.at(*c) in DIGITS and c not in freed]
    if not taken:
        return None
    cells = name_of(taken)
    return Breach(
        cells, f"A tile already lay on {cells}.", f"Il y avait déjà une tuile en {cells}."
    )


def check_value(_state: State, move: Move) -> Breach | None:
    """``quinto.tile.value``: a tile counts what it shows."""
    shown = {tile[:2]: tile[2] for tile in move.tiles}
    wrong = [said for said in move.said if shown.get(said.cell) != said.value]
    if not wrong:
        return None
    first = wrong[0]
    cell, value = cell_name(first.cell), shown.get(first.cell, "")
    return Breach(
        name_of(said.cell for said in wrong),
        f"The tile on {cell} shows {value} and was counted as {first.value}.",
        f"La tuile en {cell} montre {value} et a été comptée pour {first.value}.",
    )


def check_line(state: State, move: Move) -> Breach | None:
    """``quinto.play.line``: all in one row or column, without a gap unless agreed."""
    cells = [tile[:2] for tile in move.tiles]
    rows, columns = {row for row, _ in cells}, {column for _, column in cells}
    if len(rows) > 1 and len(columns) > 1:
        return Breach(
            name_of(cells),
            f"The tiles on {name_of(cells)} lie neither in one row nor in one column.",
            f"Les tuiles en {name_of(cells)} ne sont ni sur une rangée ni sur une colonne.",
        )
    if not cells or not state.options.require_contiguous:
        return None
    after = result(state.layout, move)
    (row, column), (last_row, last_column) = cells[0], cells[-1]
    holes = [
        (r, c)
        for r in range(row, last_row + 1)
        for c in range(column, last_column + 1)
        if after.at(r, c) == EMPTY
    ]
    if not holes:
        return None
    return Breach(
        name_of(holes),
        f"The tiles leave a gap at {name_of(holes)}.",
        f"Les tuiles laissent un trou en {name_of(holes)}.",
    )


def check_start(state: State, move: Move) -> Breach | None:
    """``quinto.play.start``: the first play covers the start cell."""
    start = state.options.start()
    if not move.tiles or not state.layout.is_bare() or start in {tile[:2] for tile in move.tiles}:
        return None
    cell = cell_name(start)
    return Breach(
        cell,
        f"The first play does not cover the start cell {cell}.",
        f"Le premier coup ne couvre pas la case de départ {cell}.",
    )


def check_contact(state: State, move: Move) -> Breach | None:
    """``quinto.play.contact``: a later play touches a tile edge to edge."""
    layout = state.layout
    if not move.tiles or layout.is_bare():
        return None
    cells = [tile[:2] for tile in move.tiles]
    laid = set(cells)
    for cell in cells:
        for other in neighbours(layout, cell):
            if other not in laid and layout.at(*other) != EMPTY:
                return None
    return Breach(
        name_of(cells),
        "No tile of the play touches a tile that lay there before.",
        "Aucune tuile du coup ne touche une tuile déjà posée.",
    )


def check_multiple(state: State, move: Move) -> Breach | None:
    """``quinto.line.multiple``: every line made or lengthened totals a multiple."""
    wrong = [line for line in lines_of(state.layout, move) if fails(state, line)]
    if not wrong:
        return None
    divisor = state.options.divisor
    english, french = [], []
    for line in wrong:
        over = line.total % divisor
        if not over:
            english.append(f"{line.name} totals 0, which was agreed not to count.")
            french.append(f"{line_fr(line)} fait 0, ce qui a été exclu.")
            continue
        short = divisor - over
        english.append(
            f"{line.name} totals {line.total}, no multiple of {divisor}: "
            f"{over} too many or {short} too few."
        )
        french.append(
            f"{line_fr(line)} fait {line.total}, pas un multiple de {divisor} : "
            f"{over} de trop ou {short} de moins."
        )
    better = repairs(state, move)
    if better:
        tiles = "; ".join(f"{either_en(values)} on {cell_name(cell)}" for cell, values in better)
        tuiles = " ; ".join(f"{either_fr(values)} en {cell_name(cell)}" for cell, values in better)
        english.append(f"One other tile would make it legal: {tiles}.")
        french.append(f"Une seule autre tuile le rendrait juste : {tuiles}.")
    else:
        english.append("No other tile on a single cell makes it legal.")
        french.append("Aucune autre tuile sur une seule case ne le rendrait juste.")
    return Breach(", ".join(line.name for line in wrong), _sentence(english), _sentence(french))


def _sentence(parts: list[str]) -> str:
    return " ".join(map(at_start, parts))


def check_length(state: State, move: Move) -> Breach | None:
    """``quinto.line.length``: no line is longer than five tiles."""
    long = [line for line in lines_of(state.layout, move) if len(line.values) > LINE_LENGTH]
    if not long:
        return None
    english = [
        f"{line.name} has {len(line.values)} tiles, not at most {LINE_LENGTH}." for line in long
    ]
    french = [
        f"{line_fr(line)} a {len(line.values)} tuiles, plus que {LINE_LENGTH}." for line in long
    ]
    return Breach(", ".join(line.name for line in long), _sentence(english), _sentence(french))


def check_fixed(_state: State, move: Move) -> Breach | None:
    """``quinto.board.fixed``: tiles on the board stay as they are."""
    if not move.disturbs():
        return None
    shifted = [source for source, _ in move.moved]
    cells = name_of((*move.removed, *shifted, *(tile[:2] for tile in move.turned)))
    return Breach(
        cells,
        f"Tiles that lay on the board were taken, moved or turned: {cells}.",
        f"Des tuiles du plateau ont été prises, déplacées ou changées : {cells}.",
    )


def check_single(state: State, move: Move) -> Breach | None:
    """``quinto.first.single``: a lone first tile is itself a multiple."""
    if len(move.tiles) != 1 or not state.layout.is_bare():
        return None
    row, column, value = move.tiles[0]
    options = state.options
    if multiple(value, options.divisor, zero_ok=options.zero_total_ok):
        return None
    cell = cell_name((row, column))
    fitting = [v for v in range(10) if multiple(v, options.divisor, zero_ok=options.zero_total_ok)]
    return Breach(
        cell,
        f"The lone first tile is {value}; it would be legal with {either_en(fitting)}.",
        f"La première tuile, seule, vaut {value} ; ce serait juste avec {either_fr(fitting)}.",
    )


def check_pass(state: State, move: Move) -> Breach | None:
    """``quinto.pass``: no pass while able, unless agreed."""
    if move.kind is not Kind.PASS or state.options.free_pass:
        return None
    seat = mover(state, move)
    tiles = first_play(state.layout, state.hand(seat), state.options)
    if tiles is None:
        return None
    play = ", ".join(f"{value} on {cell_name((r, c))}" for r, c, value in tiles)
    french = ", ".join(f"{value} en {cell_name((r, c))}" for r, c, value in tiles)
    return Breach(
        "pass",
        f"{at_start(seat_en(seat))} passed, but could play {play}.",
        f"{at_start(seat_fr(seat))} a passé, mais pouvait jouer {french}.",
    )


def check_score(state: State, move: Move) -> Breach | None:
    """``quinto.score.lines``: the points announced are those of the lines."""
    if move.score is None or move.kind is not Kind.PLAY:
        return None
    points = points_of(state.layout, move, SCORING)
    if points == move.score:
        return None
    lines = lines_of(state.layout, move)
    english = ", ".join(f"{line.name} = {line.total}" for line in lines)
    french = ", ".join(f"{line_fr(line)} = {line.total}" for line in lines)
    return Breach(
        str(move.score),
        f"{move.score} points were written; the play scores {points} ({english}).",
        f"{move.score} points notés ; le coup en vaut {points} ({french}).",
    )


def check_end(state: State, move: Move) -> Breach | None:
    """``quinto.end``: nobody moves after the end; hands may still be shown."""
    if not state.ended or move.kind is Kind.HAND:
        return None
    return Breach(
        "",
        "The game is over; nobody plays any more.",
        "La partie est terminée ; plus personne ne joue.",
    )
