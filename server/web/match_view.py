"""What the page is told about a match: every step with its ruling, turn, scores and controls."""

from dataclasses import asdict, dataclass
from typing import Any, Final

from engine import games
from engine.events import Corrected, Moved, Played, Reread, Started
from engine.game import Over, Reckoned
from engine.games import AnyGame
from engine.match import Match, Step
from engine.quinto import Layout as QuintoLayout
from engine.quinto import State as QuintoState
from engine.quixo import Layout as QuixoLayout
from engine.quixo import State as QuixoState
from engine.ruling import Ruling, Verdict
from server.boards import to_json
from server.store.rows import MatchRow, StoredEvent
from server.web.sheets_view import enter_view, roll_view, sheets_view
from server.web.tiles_view import rows, tiles_view

CONTROLS: Final = ("next", "stand", "wrong", "undo", "redo", "play", "hand")

SIDES: Final = ("bottom", "left", "top", "right")
"""Sides of the picture clockwise, as seats are counted clockwise from S."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A match folded up to an event.

    Attributes:
        match: where it stands.
        seen: the newest event in which a camera saw a move, for its pictures; None before.
        event: the newest event.
        question: number of the event since which the move seen last is the one that people may
            put right; it stays while that move is only committed. None without such a move.
    """

    match: Match[Any]
    event: StoredEvent
    seen: StoredEvent | None = None
    question: int | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """One entry of a match before it is written: what took effect, or waits to do so.

    Attributes:
        kind: kind of the event, such as ``moved``.
        ruling: what the referee said; None for a start or a correction.
        state: the state from then on.
        layout: what is to be shown.
        lies: the layout shows the move: it was legal, is not committed yet, or was kept.
        provisional: it waits to be committed.
        reckoned: what the move scored.
        before: the state that it was ruled from; None for a start.
    """

    kind: str
    ruling: Ruling[Any] | None
    state: Any
    layout: Any
    lies: bool
    provisional: bool = False
    reckoned: tuple[Reckoned, ...] = ()
    before: Any | None = None


def entries(game: AnyGame, match: Match[Any]) -> list[Shown]:
    """Everything that took effect, oldest first, and the move that waits, if there is one."""
    shown: list[Shown] = []
    for step in match.steps:
        shown.append(_shown(game, step, shown[-1].state if shown else None))
    if match.pending is not None and match.provisional is not None:
        state = game.read(match.provisional.state_text)
        layout = game.read_layout(match.pending.after)
        before = game.read(match.state)
        shown.append(
            Shown("moved", match.provisional, state, layout, True, provisional=True, before=before)
        )
    return shown


def _shown(game: AnyGame, step: Step[Any], before: Any | None) -> Shown:
    kinds = {Started: "started", Corrected: "corrected", Played: "played"}
    state, event, ruling = game.read(step.state), step.event, step.ruling
    lies = ruling is not None and ruling.verdict is Verdict.LEGAL
    if ruling is not None and not lies and isinstance(event, Moved | Reread):
        lies = game.unchanged(state, game.read_layout(event.after))
    kind, layout = kinds.get(type(event), "moved"), game.visible(state)
    reckoned = _reckoned(game, before, ruling)
    return Shown(kind, ruling, state, layout, lies, reckoned=reckoned, before=before)


def _reckoned(
    game: AnyGame, before: Any | None, ruling: Ruling[Any] | None
) -> tuple[Reckoned, ...]:
    """What a legal move scored, line by line."""
    if before is None or ruling is None or ruling.verdict is not Verdict.LEGAL:
        return ()
    moves = ruling.moves[0].moves if ruling.moves else ()
    return game.reckoning(before, moves[0]) if len(moves) == 1 else ()


def match_view(row: MatchRow, followed: Followed) -> dict[str, Any]:
    """A match as JSON: all entries, and what can be done now."""
    game, match = games.get(row.game), followed.match
    shown = entries(game, match)
    views = [entry_view(game, entry) for entry in shown]
    state = game.read(match.state)
    return {
        "id": row.id,
        "table": row.table_id,
        "game": game.id,
        "title": game.title_en,
        "example": game.example,
        "camera": bool(match.south),
        "commit": row.commit,
        "begun": row.at,
        "closed": match.closed,
        "version": followed.event.seq,
        "event": followed.event.seq,
        "question": followed.question,
        "hash": followed.event.hash,
        "seats": seats_view(game, state, match),
        "dots": isinstance(state, QuixoState) and state.with_dots(),
        "entries": views,
        "sync": sync_view(game, match),
        "asked": bool(match.doubts),
        "waits": waits(match, state),
        "can": controls(game, match),
        "acts": acts(state),
        "enter": None if match.closed else enter_view(game, state),
        "rules": rules_view(game, views),
    }


def controls(game: AnyGame, match: Match[Any]) -> dict[str, bool]:
    """Which controls do something where the match stands."""
    if match.closed:
        return dict.fromkeys(CONTROLS, False)
    pending, ruling = match.pending is not None, match.provisional
    decided = ruling is not None and ruling.verdict is not Verdict.UNDECIDED
    seen = pending or isinstance(match.steps[-1].event, Moved | Reread)
    return {
        "next": pending and decided,
        "stand": pending or match.left_lying is not None,
        "wrong": seen,
        "undo": pending or len(match.steps) > 1,
        "redo": bool(match.undone) and not pending,
        "play": game.over(state := game.read(match.state)) is None,
        "hand": isinstance(state, QuintoState),
    }


def waits(match: Match[Any], state: Any) -> bool:
    """True while a seen roll cannot be judged before people say what was written on the last."""
    pending = match.pending
    unwatched = isinstance(pending, Moved) and pending.unwatched
    return unwatched and not match.doubts and sheets_view(state) is not None


def sync_view(game: AnyGame, match: Match[Any]) -> dict[str, Any] | None:
    """Both boards while table and match do not agree; None while they do.

    ``lost``: nothing explains what is seen. ``lying``: a foul was taken back in the match, but
    lies on the table until people put cubes or tiles back; dice have no place to be put back to.
    """
    seen = match.left_lying
    kind = "lying"
    if not match.in_sync and match.pending is not None:
        seen, kind = match.pending.after, "lost"
    if seen is None or match.closed or game.over(game.read(match.state)) is not None:
        return None
    layout, expected = game.read_layout(seen), game.read(match.state)
    if game.unchanged(expected, layout) or (kind == "lying" and drawn(layout) is None):
        return None
    return {
        "kind": kind,
        "expected": drawn(game.visible(expected)),
        "seen": drawn(layout),
    }


def entry_view(game: AnyGame, shown: Shown) -> dict[str, Any]:
    """One entry as JSON; the layout is a board where the page can draw one, else text."""
    ruling = shown.ruling
    view: dict[str, Any] = {
        "kind": shown.kind,
        "provisional": shown.provisional,
        "board": board_view(shown.layout),
        "board_text": game.write_layout(shown.layout),
        "tiles": tiles_view(shown.layout, shown.state, shown.before, ruling),
        "sheets": sheets_view(shown.state),
        "roll": roll_view(shown.state),
        "turn": game.seat(shown.state),
        "scores": list(game.scores(shown.state)),
        "over": over_view(game.over(shown.state)),
        "moved": shown.lies,
    }
    if ruling is not None:
        kept = shown.lies and not shown.provisional and ruling.verdict is not Verdict.LEGAL
        view |= {
            "seat": ruling.seat,
            "verdict": ruling.verdict.value,
            "move": ruling.move,
            "findings": [finding.to_json() for finding in ruling.findings],
            "excluded": [entry.to_json() for entry in ruling.excluded],
            "kept": kept,
            "reckoned": [asdict(part) for part in shown.reckoned],
        }
    return view


def board_view(layout: Any) -> dict[str, list[str]] | None:
    """The layout as a board that the page can draw; None for games it has no drawing of."""
    return to_json(layout) if isinstance(layout, QuixoLayout) else None


def drawn(layout: Any) -> dict[str, list[str]] | None:
    """The layout as a board of cubes or of tiles; None for games it has no drawing of."""
    return {"rows": rows(layout)} if isinstance(layout, QuintoLayout) else board_view(layout)


def over_view(over: Over | None) -> dict[str, Any] | None:
    """How the game ended, with the rule apart from what decided."""
    if over is None:
        return None
    return {
        "winners": list(over.winners),
        "rule": over.reason,
        "where_en": over.where_en,
        "where_fr": over.where_fr,
        "known": over.known,
    }


def seats_view(game: AnyGame, state: Any, match: Match[Any]) -> list[dict[str, str | None]]:
    """Every seat in the order of the scores: its name, its mark, its side of the picture."""
    return [
        {
            "seat": seat,
            "name": match.players[at] if at < len(match.players) else None,
            "mark": state.options.mark_of(seat) if isinstance(state, QuixoState) else None,
            "side": side_of(seat, match.south) if isinstance(state, QuixoState) else None,
        }
        for at, seat in enumerate(game.seat_names(state))
    ]


def side_of(seat: str, south: str) -> str | None:
    """The side of the picture at which a seat sits; None without a camera."""
    if south not in SIDES:
        return None
    return SIDES[(SIDES.index(south) + "SWNE".index(seat)) % len(SIDES)]


def acts(state: Any) -> list[str]:
    """Moves that no board shows and players may declare, in notation."""
    if isinstance(state, QuintoState):
        return ["pass"]
    if not isinstance(state, QuixoState):
        return []
    found = ["pass"] if state.options.seats == 4 else []
    return [*found, "claim"] if state.options.must_announce else found


def rules_view(game: AnyGame, views: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """Title and text of every rule that the entries cite, by id."""
    cited = {finding["rule"] for view in views for finding in view.get("findings", ())}
    cited |= {view["over"]["rule"] for view in views if view["over"]}
    return {
        rule.id: {
            "title_en": rule.title_en,
            "title_fr": rule.title_fr,
            "text_en": rule.text_en,
            "text_fr": rule.text_fr,
        }
        for rule in game.rules
        if rule.id in cited
    }
