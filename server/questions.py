"""What a ruling is asked about: boards as seen, who may have moved, what was agreed.

Both the command and the page make a `Question`; `server.rulings` answers it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine import quixo
from server.frames import SOUTH_QUARTERS
from server.sights import Sight, sight_from_json

PLAYERS: Final = "players"
"""Word for the option ``seats`` that players use; both are taken."""

TURNS: Final = (0, 90, 180, 270)
MAX_GLIMPSES: Final = 8
"""More photos during one move than anybody takes; bounds the work a request can ask for."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What no photo shows.

    Attributes:
        options: what the players agreed.
        seat: who moved, or None to try everybody.
        state: the position before the move where it is known, with its history; None to take
            the board from the first photo.
        south: side of the photos at which seat S sits: bottom, left, top or right.
        turn_after: degrees by which to turn the photo after the move clockwise, or None if
            nobody said.
    """

    options: quixo.Options = field(default_factory=quixo.Options)
    seat: str | None = None
    state: quixo.State | None = None
    south: str = "bottom"
    turn_after: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """One move to rule on: boards in their pictures' frames, oldest first."""

    before: Sight
    after: Sight
    during: tuple[Sight, ...] = ()
    terms: Terms = field(default_factory=Terms)


def read_options(texts: Mapping[str, str]) -> quixo.Options:
    """The options of ``name -> text``; ``players`` stands for ``seats``.

    Raises:
        ValueError: an unknown name or an impossible value.
    """
    return quixo.Options.read(
        {"seats" if name == PLAYERS else name: value for name, value in texts.items()}
    )


def seat_of(mover: str | None, options: quixo.Options) -> str | None:
    """The seat of a mover given as a seat, or with two players as a mark.

    Raises:
        ValueError: no such seat, or a mark that two partners share.
    """
    if mover is None or mover in options.seat_names():
        return mover
    team = options.team_of(mover) if mover in (quixo.CROSS, quixo.CIRCLE) else ()
    if len(team) != 1:
        known = [*options.seat_names(), *("XO" if options.seats == 2 else "")]
        raise ValueError(f"mover {mover!r}: expected one of {' '.join(known)}")
    return team[0]


def question_from_json(body: Any) -> Question:
    """A question sent by the page.

    Its form: ``before``, ``after`` and the list ``during`` of boards (`sights.sight_from_json`),
    ``options`` of names and texts, ``to_move``, ``south``, ``turn_after``; all but the first two
    may be left out.

    Raises:
        ValueError: another form; the message says what was expected and where.
    """
    if not isinstance(body, Mapping):
        raise ValueError("expected an object with before and after")
    during = body.get("during", [])
    if not isinstance(during, list) or len(during) > MAX_GLIMPSES:
        raise ValueError(f"during: expected a list of at most {MAX_GLIMPSES} boards")
    question = Question(
        sight_from_json(body.get("before"), "before"),
        sight_from_json(body.get("after"), "after"),
        tuple(sight_from_json(board, f"during[{n}]", gaps=True) for n, board in enumerate(during)),
        _terms_from_json(body),
    )
    size = question.terms.options.size
    for sight in (question.before, question.after, *question.during):
        if sight.layout.size != size:
            raise ValueError(f"expected boards of {size} rows, got one of {sight.layout.size}")
    return question


def _terms_from_json(body: Mapping[str, Any]) -> Terms:
    given = body.get("options", {})
    if not isinstance(given, Mapping):
        raise ValueError(f"options: expected names and values, got {given!r:.80}")
    options = read_options({str(name): str(value) for name, value in given.items()})
    south = body.get("south", "bottom")
    if south not in SOUTH_QUARTERS:
        raise ValueError(f"south: expected one of {', '.join(SOUTH_QUARTERS)}, got {south!r:.80}")
    turn_after = body.get("turn_after")
    if turn_after is not None and turn_after not in TURNS:
        raise ValueError(f"turn_after: expected one of {TURNS}, got {turn_after!r:.80}")
    mover = body.get("to_move")
    seat = seat_of(None if mover is None else str(mover), options)
    return Terms(options, seat, None, south, turn_after)
