"""What people wish of a match, as events. Pure; part of `server.refereeing`.

What cannot be done is refused with a reason in both languages; nothing then changes.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from engine import Verdict, quinto, quixo
from engine.errors import EngineError
from engine.events import (
    Closed,
    Committed,
    Corrected,
    Event,
    Moved,
    Played,
    Redone,
    Reread,
    Seated,
    Started,
    Stood,
    Undone,
)
from engine.match import Match, advance
from engine.match import Seen as SeenEvent
from server.boards import place
from server.commands import COMMIT, Refused, Wish
from server.frames import SOUTH_QUARTERS
from server.observing import SOUTH
from server.refereeing import AnyGame, Noted, Step, Table, Tray, take
from server.rolling import reread_roll, went_on
from server.sights import with_mark
from server.texts import both
from server.tile_looking import events_doubts, may_show, with_symbol

NO_CAMERA: Final = ""
"""South of a match by hand: no picture shows it."""

Obey = Callable[[AnyGame, Table, Match[Any], Mapping[str, Any]], tuple[Event, ...]]


def obey(game: AnyGame, table: Table, wish: Wish) -> Step:
    """Carry out a wish.

    Raises:
        Refused: it is unknown, its values do not fit, or the match does not stand so.
    """
    body = wish.body
    if not isinstance(body, Mapping):
        raise _refused("values", reason="expected an object")
    try:
        if wish.name == "start":
            events = _start(game, table, body)
            table = replace(table, commit=_commit_of(body, table), pending=None, frame=None)
        elif wish.name in _OBEY:
            if table.match is None or table.match.closed:
                raise _refused("no_match")
            events = _OBEY[wish.name](game, table, table.match, body)
        else:
            raise _refused("unknown", name=wish.name)
        noted = tuple(_noted(table, event) for event in events)
        after = take(game, table, noted)
    except (EngineError, ValueError, KeyError, TypeError) as error:
        reason = f"{error}" if not isinstance(error, KeyError) else f"{error} is missing"
        raise _refused("values", reason=reason) from error
    if wish.name == "seats":
        after = replace(after, frame=None, shown=None)
    if wish.name in ("start", "play", "undo", "correct"):  # people know what lies in the tray
        after = replace(after, tray=Tray(seen=after.tray.seen))
    waits = after.match is not None and after.match.pending is not None
    return replace(after, pending=after.pending if waits else None), noted


def _noted(table: Table, event: Event) -> Noted:
    """An event that people asked for; a roll that is judged again keeps its picture."""
    return table.tray.noted(event) if isinstance(event, Moved) else Noted(event)


def _refused(key: str, **values: object) -> Refused:
    return Refused(*both(f"command.{key}", **values))


def _commit_of(body: Mapping[str, Any], table: Table) -> str:
    commit = str(body.get("commit", table.commit))
    if commit not in COMMIT:
        raise ValueError(f"commit: expected one of {', '.join(COMMIT)}, not {commit!r}")
    return commit


def _start(game: AnyGame, table: Table, body: Mapping[str, Any]) -> tuple[Event, ...]:
    """A new match; the one that is on is closed."""
    if body.get("game", game.id) != game.id:
        raise ValueError(f"this table plays {game.id}, not {body['game']!r}")
    south = _south(body) if "south" in body else (_south_now(table))
    players = tuple(str(name) for name in body.get("players", ()))
    state = _first_state(game, table, body)
    names = game.seat_names(state)
    if players and len(players) != len(names):
        raise ValueError(f"players: expected {len(names)} names, not {len(players)}")
    return (Started(game.id, game.write(state), south, players),)


def _south_now(table: Table) -> str:
    return table.match.south if table.match is not None and table.match.south else SOUTH


def _south(body: Mapping[str, Any]) -> str:
    south = str(body["south"])
    if south not in (*SOUTH_QUARTERS, NO_CAMERA):
        raise ValueError(f"south: expected one of {', '.join(SOUTH_QUARTERS)}, not {south!r}")
    return south


def _first_state(game: AnyGame, table: Table, body: Mapping[str, Any]) -> Any:
    if body.get("state"):
        return game.read(str(body["state"]))
    options = {str(name): str(value) for name, value in dict(body.get("options", {})).items()}
    seats = int(options.pop("seats", min(game.seats)))
    if seats not in game.seats:
        expected = ", ".join(map(str, game.seats))
        raise ValueError(f"option seats: expected one of {expected}, not {seats}")
    state = game.start(seats, options)
    if not body.get("as_lies"):
        return _to_move(state, body)
    if isinstance(state, quinto.State) and table.tiles is not None:
        seat = str(body.get("to_move") or state.seat)
        return quinto.GAME.join(table.tiles.layout, seat, state.options)
    if not isinstance(state, quixo.State | quinto.State):
        raise _refused("no_joining")
    if table.shown is None or isinstance(state, quinto.State):
        raise _refused("nothing_shown")
    layout = table.shown.after.layout
    return quixo.GAME.join(layout, str(body.get("to_move") or state.seat), state.options)


def _to_move(state: Any, body: Mapping[str, Any]) -> Any:
    """The state with another seat to move, if one is named."""
    if not body.get("to_move"):
        return state
    if not isinstance(state, quixo.State | quinto.State):
        raise _refused("no_turn")
    return replace(state, seat=str(body["to_move"]))


def _next(
    _game: AnyGame, _table: Table, match: Match[Any], _body: Mapping[str, Any]
) -> tuple[Event, ...]:
    if match.provisional is None:
        raise _refused("nothing_pending")
    if match.provisional.verdict is Verdict.UNDECIDED:
        raise _refused("undecided")
    return (Committed(),)


def _undo(
    _game: AnyGame, _table: Table, match: Match[Any], _body: Mapping[str, Any]
) -> tuple[Event, ...]:
    if match.pending is None and len(match.steps) == 1:
        raise _refused("nothing_to_undo")
    return (Undone(),)


def _redo(
    _game: AnyGame, _table: Table, match: Match[Any], _body: Mapping[str, Any]
) -> tuple[Event, ...]:
    if not match.undone:
        raise _refused("nothing_to_redo")
    return (Redone(),)


def _stand(
    _game: AnyGame, table: Table, match: Match[Any], _body: Mapping[str, Any]
) -> tuple[Event, ...]:
    if match.pending is None and match.left_lying is None:
        raise _refused("nothing_pending")
    again = _open_foul(table, match)
    return (Stood(),) if again is None else (again,)


def _open_foul(table: Table, match: Match[Any]) -> Moved | None:
    """A foul with tiles in doubt, as a question: if it stands, their values count."""
    last, lying = match.steps[-1].event, match.left_lying
    if table.tiles is None or lying is None or not isinstance(last, Moved):
        return None
    doubts = events_doubts(table.tiles, table.tiles.doubts)
    if last.doubts or not doubts or not may_show(table.tiles, quinto.GAME.read_layout(lying)):
        return None
    return replace(last, doubts=doubts)


def _resume(
    game: AnyGame, table: Table, match: Match[Any], body: Mapping[str, Any]
) -> tuple[Event, ...]:
    """Go on from the table as it lies; the seat to move may be named."""
    if match.pending is None:
        raise _refused("nothing_pending")
    stood = advance(game, match, Stood())
    if not body.get("to_move"):
        return (Stood(),)
    return (Stood(), Corrected(game.write(_to_move(game.read(stood.state), body))))


def _reread(
    game: AnyGame, table: Table, match: Match[Any], body: Mapping[str, Any]
) -> tuple[Event, ...]:
    """A reading put right: what is named is certain now, and so is what was read beside it."""
    last = match.pending if match.pending is not None else match.steps[-1].event
    if not isinstance(last, SeenEvent):
        raise _refused("nothing_read")
    if "roll" in body:
        return reread_roll(game, table, match, last, str(body["roll"]))
    values = {str(where): str(value) for where, value in dict(body["values"]).items()}
    if game.id == "quinto":
        return _settled(game, table, match, _reread_tiles(last, values))
    during = [quixo.Layout.read(text) for text in last.during]
    after = quixo.Layout.read(last.after)
    for where, value in values.items():
        picture, _, inner = where.rpartition(".")
        if picture.startswith("during[") and picture[7:-1].isdigit():
            number = int(picture[7:-1])
            if number >= len(during):
                raise ValueError(f"{where}: there were {len(during)} glimpses")
            during[number] = _put(during[number], inner, value)
        elif picture in ("", "after"):
            after = _put(after, inner, value)
        else:
            raise ValueError(f"expected a place such as rows[2][4], got {where!r}")
    if quixo.GAP in after.marks:
        raise ValueError("a gap can only be seen during a move")
    texts = tuple(layout.write() for layout in during)
    event = Reread(texts, after.write(), last.one_turn)
    return _settled(game, table, match, event)


def _reread_tiles(last: SeenEvent, values: Mapping[str, str]) -> Reread:
    """A board of tiles with the values that people named."""
    after = quinto.Layout.read(last.after)
    for where, value in values.items():
        after = with_symbol(after, where, value)
    return Reread((), after.write(), last.one_turn)


def _settled(game: AnyGame, table: Table, match: Match[Any], event: Reread) -> tuple[Event, ...]:
    """The reading put right, which takes effect when the move before it had, or would have."""
    ruling = advance(game, match, event).provisional
    decided = ruling is not None and ruling.verdict is not Verdict.UNDECIDED
    at_once = table.commit != "button" or match.pending is None
    return (event, Committed()) if decided and at_once else (event,)


def _put(layout: quixo.Layout, where: str, value: str) -> quixo.Layout:
    """The layout with one value replaced; ``rows`` a mark, ``dots`` a side."""
    kind, row, column = place(where)
    if max(row, column) >= layout.size:
        raise ValueError(f"{where} is not on a board of {layout.size} rows")
    if kind == "rows":
        return with_mark(layout, (row, column), value)
    index = row * layout.size + column
    dots = (*layout.dots[:index], value, *layout.dots[index + 1 :])
    return quixo.Layout(layout.size, layout.marks, dots)


def _play(
    game: AnyGame, table: Table, match: Match[Any], body: Mapping[str, Any]
) -> tuple[Event, ...]:
    return went_on(game, table, match, Played(str(body["move"])))


def _correct(
    game: AnyGame, _table: Table, match: Match[Any], body: Mapping[str, Any]
) -> tuple[Event, ...]:
    if "state" in body:
        return (Corrected(str(body["state"])),)
    state = game.read(match.state)
    if "layout" in body:
        if not isinstance(state, quixo.State):
            raise _refused("no_turn")
        joined = quixo.GAME.join(quixo.Layout.read(str(body["layout"])), state.seat, state.options)
        state = replace(joined, turn=state.turn, used_ms=state.used_ms)
    elif not body.get("to_move"):
        raise KeyError("state, layout or to_move")
    return (Corrected(game.write(_to_move(state, body))),)


def _seats(
    _game: AnyGame, _table: Table, _match: Match[Any], body: Mapping[str, Any]
) -> tuple[Event, ...]:
    return (Seated(_south(body)),)


def _close(
    _game: AnyGame, _table: Table, _match: Match[Any], _body: Mapping[str, Any]
) -> tuple[Event, ...]:
    return (Closed(),)


_OBEY: Final[dict[str, Obey]] = {
    "next": _next,
    "undo": _undo,
    "redo": _redo,
    "stand": _stand,
    "resume": _resume,
    "reread": _reread,
    "play": _play,
    "correct": _correct,
    "seats": _seats,
    "close": _close,
}
