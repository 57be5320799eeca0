"""What every game offers: the ``Game`` protocol and the values that pass through it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from engine.rules import Finding, Rule

if TYPE_CHECKING:
    from engine.ruling import Excluded

S = TypeVar("S")
L = TypeVar("L")
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Change(Generic[L]):
    """What a camera saw of one move.

    Attributes:
        during: layouts glimpsed while the move was made, oldest first; may be empty.
        after: the layout that lay there when the table was quiet again.
    """

    during: tuple[L, ...]
    after: L


@dataclass(frozen=True, slots=True)
class Explanation(Generic[M]):
    """Moves in order, legal or not, that lead from a state to a seen change.

    Attributes:
        moves: one move, or two where a board in between was missed.
        strain: 0 for the usual act at a table; more the less usual it is (a missed board, a cube
            turned in passing).  Of explanations that break as many rules the least strained is
            the nearest: see ``engine.referee``.
    """

    moves: tuple[M, ...]
    strain: int = 0


@dataclass(frozen=True, slots=True)
class Over:
    """How a game ended.

    Attributes:
        winners: seats that won, empty for a draw.
        reason: id of the rule that ended it.
        where_en, where_fr: the line or count that decided, in words; may be empty.
        known: who has won is known; False while something that decides it was not shown.
    """

    winners: tuple[str, ...]
    reason: str
    where_en: str = ""
    where_fr: str = ""
    known: bool = True

    def to_json(self) -> dict[str, object]:
        """Return ``{"winners", "reason"}``; the reason is ``rule id: what decided``."""
        reason = f"{self.reason}: {self.where_en}" if self.where_en else self.reason
        return {"winners": list(self.winners), "reason": reason}


@dataclass(frozen=True, slots=True)
class Reckoned:
    """One part of what a move scores.

    Attributes:
        where_en, where_fr: the line or field that scores, in words.
        points: what it scores.
    """

    where_en: str
    where_fr: str
    points: int


@dataclass(frozen=True, slots=True)
class Option:
    """One agreed option of a game, for forms and messages.

    Attributes:
        name: the key in texts, ``touch_move``.
        default: its value when nothing is said, as text.
        values: all texts it takes, or empty for a number.
        text_en, text_fr: what it decides, one sentence.
    """

    name: str
    default: str
    values: tuple[str, ...]
    text_en: str
    text_fr: str


class Game(Protocol[S, L, M]):
    """A game: values in, values out.  S is its state, L its layout, M its move."""

    @property
    def id(self) -> str:
        """Stable id, also the first part of every rule id."""

    @property
    def title_en(self) -> str:
        """Name in English."""

    @property
    def title_fr(self) -> str:
        """Name in French."""

    @property
    def seats(self) -> tuple[int, ...]:
        """Numbers of players that can play."""

    @property
    def example(self) -> str:
        """A move in notation, shown where one was expected."""

    @property
    def rules(self) -> tuple[Rule[S, M], ...]:
        """Every rule, in the order of the rules page."""

    @property
    def options(self) -> tuple[Option, ...]:
        """Every option with its default."""

    def start(self, seats: int = 2, options: Mapping[str, str] | None = None) -> S:
        """Return the state before the first move; raises ``OptionError``."""

    def visible(self, state: S) -> L:
        """Return the layout that a camera would see."""

    def seat(self, state: S) -> str:
        """Return the seat to move."""

    def mover(self, state: S, move: M) -> str:
        """Return the seat that a ruling on ``move`` names: who acted, where several may act."""

    def seat_names(self, state: S) -> tuple[str, ...]:
        """Return the seats in the order of ``scores``."""

    def moves(self, state: S) -> Iterable[M]:
        """Return all legal moves; none when the game is over."""

    def play(self, state: S, move: M) -> S:
        """Return the state after ``move``; trusts the caller that the move is legal."""

    def settle_illegal(self, state: S, moves: tuple[M, ...], after: L | None) -> S:
        """Return the state that the option ``on_illegal`` makes of an illegal change."""

    def stand(self, state: S, moves: tuple[M, ...], after: L | None) -> S:
        """Return the state when players agree to keep what lies there."""

    def fill(self, state: S, after: L) -> S:
        """Return the state with its unseen parts taken from ``after``."""

    def common(self, states: tuple[S, ...]) -> S | None:
        """Return the state that all ``states`` show alike, or None if they differ visibly."""

    def unchanged(self, state: S, after: L) -> bool:
        """Tell whether ``after`` shows exactly what ``state`` would show."""

    def explain(self, state: S, change: Change[L]) -> tuple[Explanation[M], ...]:
        """Return what could have led to ``change``, legal or not; may be empty."""

    def findings(self, state: S, move: M) -> tuple[Finding, ...]:
        """Return every rule that ``move`` breaks."""

    def unproven(self, state: S, move: M) -> tuple[Excluded, ...]:
        """Return what of a legal ``move`` cannot be told without what players hide."""

    def reckoning(self, state: S, move: M) -> tuple[Reckoned, ...]:
        """Return what ``move`` scores, part by part; empty where it scores nothing by itself."""

    def scores(self, state: S) -> tuple[int, ...]:
        """Return one score a seat."""

    def over(self, state: S) -> Over | None:
        """Return how the game ended, or None while it goes on."""

    def write(self, state: S) -> str:
        """Return the state in one line of text."""

    def read(self, text: str) -> S:
        """Return the state that ``write`` wrote; raises ``TextError``."""

    def write_move(self, move: M) -> str:
        """Return the move in notation."""

    def read_move(self, state: S, text: str) -> M:
        """Return the move that ``text`` names; raises ``TextError``."""

    def write_layout(self, layout: L) -> str:
        """Return the layout in one line of text."""

    def read_layout(self, text: str) -> L:
        """Return the layout that ``write_layout`` wrote; raises ``TextError``."""
