"""One small check a rule: a state and a move to a ``Breach``, or None when the rule is kept."""

from __future__ import annotations

from engine.grid import border, cell_name
from engine.quixo.ending import standing_lines
from engine.quixo.layout import BLANK, UNSEEN
from engine.quixo.move import Kind, Move, push_for
from engine.quixo.state import FIRST_ROUND_TURNS, PARTNER, State
from engine.quixo.words import face_en, face_fr, seat_en, seat_fr, side_en, side_fr
from engine.rules import Breach

TEAMS = 4  # seats from which on partners face each other


def mover(state: State, move: Move) -> str:
    """Return the seat that made ``move``."""
    return move.seat or state.seat


def taken_index(state: State, move: Move) -> int:
    """Return the index of the cube taken."""
    row, col = move.taken()
    return row * state.layout.size + col


def may_take(state: State, index: int, seat: str) -> bool:
    """Tell whether ``seat`` may take the border cube at ``index``; unseen faces are allowed."""
    mark, dot = state.layout.marks[index], state.layout.dots[index]
    if mark in (BLANK, UNSEEN):
        return True
    if mark != state.options.mark_of(seat):
        return False
    if state.options.seats < TEAMS:
        return True
    return not in_blank_round(state) and dot in (seat, UNSEEN)


def in_blank_round(state: State) -> bool:
    """Tell whether everybody must take a blank cube: first round of a team game."""
    return (
        state.options.seats == TEAMS
        and state.options.first_round_blank_only
        and state.turn is not None
        and state.turn < FIRST_ROUND_TURNS
    )


def check_no_breach(_state: State, _move: Move) -> Breach | None:
    """Keep every move: the rule decides who wins, not what may be done."""
    return None


def check_setup(state: State, _move: Move) -> Breach | None:
    """``quixo.setup``: a game begins with blank faces only."""
    if state.turn != 0:
        return None
    for index, mark in enumerate(state.layout.marks):
        if mark not in (BLANK, UNSEEN):
            cell = cell_name(divmod(index, state.layout.size))
            return Breach(
                cell,
                f"The game began with {face_en(mark)} on {cell}, not with blank faces only.",
                f"La partie a commencé avec {face_fr(mark)} en {cell}, pas avec des faces neutres.",
            )
    return None


def check_turn(state: State, move: Move) -> Breach | None:
    """``quixo.turn``: two players alternate and never pass."""
    if state.options.seats == TEAMS:
        return None
    if move.kind is Kind.PASS:
        return Breach(
            "pass",
            f"{seat_en(state.seat)} passed; every player must move.",
            f"{seat_fr(state.seat)} a passé ; chacun doit jouer.",
        )
    return _out_of_turn(state, move)


def check_team_turn(state: State, move: Move) -> Breach | None:
    """``quixo.team.turn``: four players move clockwise."""
    return _out_of_turn(state, move) if state.options.seats == TEAMS else None


def _out_of_turn(state: State, move: Move) -> Breach | None:
    seat = mover(state, move)
    if seat == state.seat:
        return None
    if move.kind is Kind.CLAIM and state.options.next_seat(seat) == state.seat:
        return None  # who has just moved may claim until the next cube is taken
    return Breach(
        f"seat {seat}",
        f"{seat_en(seat)} moved, but it was the turn of {seat_en(state.seat)}.",
        f"{seat_fr(seat)} a joué, mais c'était le tour de {seat_fr(state.seat)}.",
    )


def check_touch(state: State, move: Move) -> Breach | None:
    """``quixo.touch``: the cube touched first is played, where agreed."""
    if not state.options.touch_move or move.touched is None or move.touched == move.cube:
        return None
    cell = cell_name(move.touched)
    return Breach(
        cell,
        f"The cube at {cell} was touched first, so it had to be played.",
        f"Le cube en {cell} a été touché le premier : il fallait le jouer.",
    )


def check_untouched(_state: State, move: Move) -> Breach | None:
    """``quixo.board.untouched``: no other cube is turned."""
    if not move.turned:
        return None
    cells = ", ".join(cell_name(other.cell) for other in move.turned)
    return Breach(
        cells,
        f"Another cube was turned: {cells}.",
        f"Un autre cube a été tourné : {cells}.",
    )


def check_take_edge(state: State, move: Move) -> Breach | None:
    """``quixo.take.edge``: the cube comes from the border."""
    if move.kind is not Kind.PUSH or taken_index(state, move) in border(state.layout.size):
        return None
    cell = cell_name(move.taken())
    return Breach(
        cell,
        f"The cube at {cell} is not on the border.",
        f"Le cube en {cell} n'est pas sur le bord.",
    )


def check_take_own(state: State, move: Move) -> Breach | None:
    """``quixo.take.own``: with two players the cube is blank or of one's own mark."""
    if state.options.seats == TEAMS or move.kind is not Kind.PUSH:
        return None
    mark = state.layout.marks[taken_index(state, move)]
    if mark in (BLANK, UNSEEN, state.options.mark_of(mover(state, move))):
        return None
    cell = cell_name(move.taken())
    return Breach(
        cell,
        f"The cube at {cell} shows {face_en(mark)}, the opponent's mark.",
        f"Le cube en {cell} montre {face_fr(mark)}, le signe de l'adversaire.",
    )


def check_mark(state: State, move: Move) -> Breach | None:
    """``quixo.mark``: the mover's own mark is put up."""
    own = state.options.mark_of(mover(state, move))
    if move.kind is not Kind.PUSH or move.face in (None, own):
        return None
    cell = _target_name(state, move)
    if move.face == BLANK:
        return Breach(
            cell,
            f"The cube put back at {cell} shows a blank face, not {face_en(own)}.",
            f"Le cube remis en {cell} montre une face neutre, pas {face_fr(own)}.",
        )
    shown = move.face or own
    return Breach(
        cell,
        f"The cube put back at {cell} shows {face_en(shown)}, but it was the turn of "
        f"{face_en(own)}: the wrong face is up, or the other side moved.",
        f"Le cube remis en {cell} montre {face_fr(shown)}, mais c'était le tour de "
        f"{face_fr(own)} : mauvaise face, ou l'autre camp a joué.",
    )


def check_push_end(state: State, move: Move) -> Breach | None:
    """``quixo.push.end``: the line that lost the cube is the one pushed."""
    if move.kind is not Kind.PUSH or not move.wrong_line():
        return None
    cell = cell_name(move.taken())
    return Breach(
        _target_name(state, move),
        f"The cube from {cell} was pushed into a line that it did not come from.",
        f"Le cube pris en {cell} a été poussé dans une ligne d'où il ne venait pas.",
    )


def check_not_same(state: State, move: Move) -> Breach | None:
    """``quixo.push.not-same``: the cube does not go back to its place."""
    if move.kind is not Kind.PUSH:
        return None
    push = push_for(move, state.layout.size)
    if push.source != push.target:
        return None
    cell = cell_name(move.taken())
    return Breach(
        cell,
        f"The cube from {cell} was put back where it was taken.",
        f"Le cube pris en {cell} a été remis à la même place.",
    )


def check_announce(state: State, move: Move) -> Breach | None:
    """``quixo.announce``: only a line that lies there is claimed."""
    if move.kind is not Kind.CLAIM and not (move.claim and state.options.must_announce):
        return None
    own = state.options.mark_of(mover(state, move))
    if any(mark == own for mark, _ in standing_lines(state, move)):
        return None
    return Breach(
        "claim",
        f"A line of {side_en(own)} was claimed, but there is none.",
        f"Un alignement {side_fr(own)} a été annoncé, mais il n'y en a pas.",
    )


def check_end(state: State, _move: Move) -> Breach | None:
    """``quixo.end``: nobody moves after the end."""
    if state.decision is None:
        return None
    return Breach(
        "",
        "The game is over; nobody moves any more.",
        "La partie est terminée ; plus personne ne joue.",
    )


def check_first_round(state: State, move: Move) -> Breach | None:
    """``quixo.team.first-round``: only blank cubes in the first round, unless agreed."""
    if move.kind is not Kind.PUSH or not in_blank_round(state):
        return None
    if state.layout.marks[taken_index(state, move)] in (BLANK, UNSEEN):
        return None
    cell = cell_name(move.taken())
    return Breach(
        cell,
        f"In the first round everybody takes a blank cube; {cell} is marked.",
        f"Au premier tour chacun prend un cube neutre ; {cell} est marqué.",
    )


def check_take_dot(state: State, move: Move) -> Breach | None:
    """``quixo.team.take-dot``: the cube is blank, or the team's and points at the mover."""
    if state.options.seats != TEAMS or move.kind is not Kind.PUSH:
        return None
    index = taken_index(state, move)
    mark, dot = state.layout.marks[index], state.layout.dots[index]
    seat = mover(state, move)
    if mark in (BLANK, UNSEEN):
        return None
    cell = cell_name(move.taken())
    if mark != state.options.mark_of(seat):
        return Breach(
            cell,
            f"The cube at {cell} shows {face_en(mark)}, the other team's mark.",
            f"Le cube en {cell} montre {face_fr(mark)}, le signe de l'autre équipe.",
        )
    if dot in (seat, UNSEEN):
        return None
    return Breach(
        cell,
        f"The dot at {cell} points at {seat_en(dot)}, not at {seat_en(seat)}.",
        f"Le point en {cell} désigne {seat_fr(dot)}, pas {seat_fr(seat)}.",
    )


def check_team_dot(state: State, move: Move) -> Breach | None:
    """``quixo.team.dot``: the dot points at the mover or the partner."""
    if state.options.seats != TEAMS or move.kind is not Kind.PUSH or move.face == BLANK:
        return None
    seat = mover(state, move)
    if move.dot in (seat, PARTNER[seat], UNSEEN):
        return None
    cell = _target_name(state, move)
    if move.dot is None:
        return Breach(
            cell,
            f"Nothing says where the dot of the cube put back at {cell} points.",
            f"Rien ne dit où pointe le point du cube remis en {cell}.",
        )
    return Breach(
        cell,
        f"The dot of the cube put back at {cell} points at {seat_en(move.dot)}, "
        f"neither at {seat_en(seat)} nor at the partner.",
        f"Le point du cube remis en {cell} désigne {seat_fr(move.dot)}, "
        f"ni {seat_fr(seat)} ni son partenaire.",
    )


def check_team_pass(state: State, move: Move) -> Breach | None:
    """``quixo.team.pass``: a pass only when no border cube may be taken."""
    if state.options.seats != TEAMS or move.kind is not Kind.PASS:
        return None
    seat = mover(state, move)
    for index in border(state.layout.size):
        if may_take(state, index, seat):
            cell = cell_name(divmod(index, state.layout.size))
            return Breach(
                cell,
                f"{seat_en(seat)} passed, but may take the cube at {cell}.",
                f"{seat_fr(seat)} a passé, mais peut prendre le cube en {cell}.",
            )
    return None


def check_confer(state: State, move: Move) -> Breach | None:
    """``quixo.team.confer``: partners do not talk about moves, where agreed."""
    if state.options.seats != TEAMS or state.options.partners_may_confer or not move.confer:
        return None
    return Breach(
        "",
        "The partners talked about the move; this was agreed to be forbidden.",
        "Les partenaires se sont concertés ; il était convenu que non.",
    )


def _target_name(state: State, move: Move) -> str:
    return cell_name(divmod(push_for(move, state.layout.size).target, state.layout.size))
