"""A Quixo game in progress: the layout, whose turn it is, what was agreed and what is past."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from engine.errors import OptionError, TextError
from engine.game import Option, Over
from engine.options import YES_NO, expect, read_options, write_options
from engine.quixo.layout import CIRCLE, CROSS, SIZES, Layout
from engine.quixo.words import line_fr, side_en, side_fr

SEATS_OF = {2: ("S", "N"), 4: ("S", "W", "N", "E")}  # clockwise seen from above
PARTNER = {"S": "N", "N": "S", "W": "E", "E": "W"}
FIRST_ROUND_TURNS = 4  # one turn a seat
ON_ILLEGAL = ("take_back", "loses_turn", "stands")


@dataclass(frozen=True, slots=True)
class Options:
    """What the players agreed before the game; the defaults are the rules page's.

    Attributes:
        seats: 2 players, or 4 in two teams.
        size: rows and columns of the board.
        starter: seat that begins.
        crosses: seat that plays crosses, with its partner.
        touch_move: the first cube touched must be played.
        must_announce: a line of one's own counts only when claimed.
        repetition_limit: draw when a position has occurred this often; None for never.
        player_time_s: seconds a seat may use in all; None for no limit.
        first_round_blank_only: four players take blank cubes in the first round.
        partners_may_confer: partners may talk about their moves.
        on_illegal: what follows an illegal move.

    Raises:
        OptionError: for a value out of range.
    """

    seats: int = 2
    size: int = 5
    starter: str = "S"
    crosses: str = "S"
    touch_move: bool = False
    must_announce: bool = False
    repetition_limit: int | None = None
    player_time_s: int | None = None
    first_round_blank_only: bool = True
    partners_may_confer: bool = True
    on_illegal: str = "take_back"

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        expect("seats", self.seats, tuple(SEATS_OF))
        expect("size", self.size, SIZES)
        expect("starter", self.starter, SEATS_OF[self.seats])
        expect("crosses", self.crosses, SEATS_OF[self.seats])
        expect("on_illegal", self.on_illegal, ON_ILLEGAL)
        if self.repetition_limit is not None and self.repetition_limit < 2:
            raise OptionError("option repetition_limit: expected none or a number from 2")
        if self.player_time_s is not None and self.player_time_s < 1:
            raise OptionError("option player_time_s: expected none or seconds from 1")

    @staticmethod
    def read(texts: Mapping[str, str]) -> Options:
        """Return the options of ``name -> text``; names left out keep their default.

        Raises:
            OptionError: for an unknown name or a value that the option does not take.
        """
        return read_options(Options, texts)

    def write(self) -> dict[str, str]:
        """Return the options that differ from their default, as texts."""
        return write_options(self)

    def seat_names(self) -> tuple[str, ...]:
        """Return the seats clockwise from S."""
        return SEATS_OF[self.seats]

    def mark_of(self, seat: str) -> str:
        """Return the mark that ``seat`` plays."""
        return _mark_of(self.crosses, seat, self.seats)

    def team_of(self, mark: str) -> tuple[str, ...]:
        """Return the seats that play ``mark``."""
        return tuple(seat for seat in self.seat_names() if self.mark_of(seat) == mark)

    def next_seat(self, seat: str) -> str:
        """Return the seat whose turn follows that of ``seat``."""
        names = SEATS_OF[self.seats]
        return names[(names.index(seat) + 1) % len(names)]


@cache
def _mark_of(crosses: str, seat: str, seats: int) -> str:
    own = seat == crosses or (seats == 4 and PARTNER[seat] == crosses)
    return CROSS if own else CIRCLE


@dataclass(frozen=True, slots=True)
class Decision:
    """How a game was decided.

    Attributes:
        reason: id of the rule.
        winners: seats, empty for a draw.
        lines: the lines made by the last move as (mark, name of the line).
    """

    reason: str
    winners: tuple[str, ...]
    lines: tuple[tuple[str, str], ...] = ()

    def over(self) -> Over:
        """Return the decision in words."""
        english = ", ".join(f"{name} of {side_en(mark)}" for mark, name in self.lines)
        french = ", ".join(f"{line_fr(name)} {side_fr(mark)}" for mark, name in self.lines)
        return Over(self.winners, self.reason, english, french)

    def write(self) -> str:
        """Return ``reason:winners:lines`` without spaces."""
        lines = "+".join(f"{mark}@{name.replace(' ', '_')}" for mark, name in self.lines)
        return f"{self.reason}:{''.join(self.winners)}:{lines}"

    @staticmethod
    def read(text: str) -> Decision:
        """Read what ``write`` wrote; raises ``TextError``."""
        parts = text.split(":")
        if len(parts) != 3 or not set(parts[1]) <= set("SWNE"):
            raise TextError(f"expected over=rule:seats:lines, not {text!r}")
        lines = []
        for entry in parts[2].split("+") if parts[2] else []:
            mark, at, name = entry.partition("@")
            if not at or mark not in (CROSS, CIRCLE):
                raise TextError(f"expected a line as X@row_1, not {entry!r}")
            if name.partition("_")[0] not in ("row", "column", "diagonal"):
                raise TextError(f"expected row, column or diagonal, not {name!r}")
            lines.append((mark, name.replace("_", " ")))
        return Decision(parts[0], tuple(parts[1]), tuple(lines))


@dataclass(frozen=True, slots=True)
class State:
    """A position with everything that later moves depend on.

    Attributes:
        layout: the board; may hold ``?`` where a photo did not show it.
        seat: seat to move.
        options: what was agreed.
        turn: turns taken since the start, or None when joined in mid-game.
        seen: with a repetition limit, the positions since the last blank cube was taken, which
            no later position can equal, each as often as it occurred.
        used_ms: milliseconds used, a seat.
        decision: how the game ended, or None.
    """

    layout: Layout
    seat: str
    options: Options = field(default_factory=Options)
    turn: int | None = 0
    seen: tuple[str, ...] = ()
    used_ms: tuple[int, ...] = ()
    decision: Decision | None = None

    def __post_init__(self) -> None:
        """Refuse seats and sizes that the options do not have."""
        if self.seat not in SEATS_OF[self.options.seats]:
            raise TextError(
                f"expected a seat of {' '.join(self.options.seat_names())}, not {self.seat!r}"
            )
        if self.layout.size != self.options.size:
            raise TextError(f"expected a board of {self.options.size} rows, not {self.layout.size}")

    def mark(self) -> str:
        """Return the mark of the seat to move."""
        return self.options.mark_of(self.seat)

    def partner(self) -> str:
        """Return the seat opposite."""
        return PARTNER[self.seat]

    def with_dots(self) -> bool:
        """Tell whether dots count: with four players only."""
        return self.options.seats == 4

    def position(self) -> str:
        """Return marks, dots and seat to move in one word, for counting repetitions."""
        return f"{self.layout.write().replace(' ', ';')}@{self.seat}"


OPTIONS = (
    Option("seats", "2", ("2", "4"), "Number of players.", "Nombre de joueurs."),
    Option("size", "5", ("3", "4", "5"), "Rows of the board.", "Rangées du plateau."),
    Option("starter", "S", ("S", "W", "N", "E"), "Seat that begins.", "Place qui commence."),
    Option(
        "crosses",
        "S",
        ("S", "W", "N", "E"),
        "Seat (with its partner) that plays crosses.",
        "Place (avec son partenaire) qui joue les croix.",
    ),
    Option(
        "touch_move",
        "false",
        YES_NO,
        "The first cube touched must be played.",
        "Le premier cube touché doit être joué.",
    ),
    Option(
        "must_announce",
        "false",
        YES_NO,
        "A line of your own counts only when you claim it.",
        "Votre alignement ne compte que si vous l'annoncez.",
    ),
    Option(
        "repetition_limit",
        "none",
        (),
        "Draw when a position has occurred this often.",
        "Partie nulle quand une position est apparue ce nombre de fois.",
    ),
    Option(
        "player_time_s",
        "none",
        (),
        "Seconds a player may use in all.",
        "Secondes accordées en tout à un joueur.",
    ),
    Option(
        "first_round_blank_only",
        "true",
        YES_NO,
        "Four players: in the first round everybody takes a blank cube.",
        "À quatre : au premier tour, chacun prend un cube neutre.",
    ),
    Option(
        "partners_may_confer",
        "true",
        YES_NO,
        "Four players: partners may talk about their moves.",
        "À quatre : les partenaires peuvent se concerter.",
    ),
    Option(
        "on_illegal",
        "take_back",
        ON_ILLEGAL,
        "What follows an illegal move: play again, lose the turn, or keep it as it lies.",
        "Après un coup interdit : rejouer, perdre son tour, ou garder le plateau tel quel.",
    ),
)
