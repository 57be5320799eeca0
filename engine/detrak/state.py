"""A game of Détrak in progress: the sheets, the roll that holds, and who still owes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.detrak.layout import EMPTY, SEATS, START, SYMBOLS, UNSEEN, Sheet, Symbols, in_order
from engine.errors import TextError
from engine.game import Option, Over
from engine.options import YES_NO, expect

ROUNDS = 12  # 24 cells beside the start cell, two a round
DICE = 2
COCKED_DICE = ("reroll", "stands")
SOLO_15_16 = ("higher", "lower")
ON_ILLEGAL = ("take_back", "loses_turn", "stands")


@dataclass(frozen=True, slots=True)
class Options:
    """What the players agreed before the game; the defaults are the rules page's.

    Attributes:
        seats: 1 to 6 players.
        advanced: the diagonal counts twice, and lines worth nothing cost 5.
        diagonal_penalty: with the advanced rules a diagonal worth nothing costs 5 in each box.
        tie_counts_diagonal: with the advanced rules the diagonal may be the best line of a tie.
        solo_15_16: rank of 15 and 16 points, of which the rulebook prints both.
        cocked_dice: a die that does not lie flat is thrown again, or stands.
        on_illegal: what follows an illegal act.

    Raises:
        OptionError: for a value out of range.
    """

    seats: int = 2
    advanced: bool = False
    diagonal_penalty: bool = False
    tie_counts_diagonal: bool = False
    solo_15_16: str = "higher"
    cocked_dice: str = "reroll"
    on_illegal: str = "take_back"

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        expect("seats", self.seats, tuple(range(1, len(SEATS) + 1)))
        expect("solo_15_16", self.solo_15_16, SOLO_15_16)
        expect("cocked_dice", self.cocked_dice, COCKED_DICE)
        expect("on_illegal", self.on_illegal, ON_ILLEGAL)

    def seat_names(self) -> tuple[str, ...]:
        """Return the seats clockwise from A."""
        return SEATS[: self.seats]


@dataclass(frozen=True, slots=True)
class Decision:
    """How a game was decided.

    Attributes:
        reason: id of the rule.
        winners: seats; several share the win.
        where_en, where_fr: the number that decided, in words.
    """

    reason: str
    winners: tuple[str, ...]
    where_en: str
    where_fr: str

    def over(self) -> Over:
        """Return the decision as the value that rulings carry."""
        return Over(self.winners, self.reason, self.where_en, self.where_fr)


@dataclass(frozen=True, slots=True)
class State:
    """A position with everything that later acts depend on.

    Attributes:
        sheets: one a seat, in seat order.
        options: what was agreed.
        rounds: rolls that held so far.
        roll: the two symbols rolled last, in the order of ``SYMBOLS``, or None before the first.
        owing: seats that can write the roll and have not; in seat order.
        out: seats that are out for good, since no two empty cells of theirs touched.
        decision: how the game ended, or None.  It follows from the rest.

    Raises:
        TextError: for values that do not belong together.
    """

    sheets: tuple[Sheet, ...]
    options: Options = field(default_factory=Options)
    rounds: int = 0
    roll: Symbols | None = None
    owing: tuple[str, ...] = ()
    out: tuple[str, ...] = ()
    decision: Decision | None = None

    def __post_init__(self) -> None:
        """Refuse values that do not belong together."""
        if len(self.sheets) != self.options.seats:
            raise TextError(f"expected {self.options.seats} sheets, not {len(self.sheets)}")
        if self.roll is not None:
            if len(self.roll) != DICE or set(self.roll) - set(SYMBOLS):
                raise TextError(f"expected a roll of two symbols, not {''.join(self.roll)!r}")
            object.__setattr__(self, "roll", in_order(self.roll))
        if not 0 <= self.rounds <= ROUNDS:
            raise TextError(f"expected 0 to {ROUNDS} rounds, not {self.rounds}")
        if (self.roll is None) != (self.rounds == 0):
            raise TextError(f"{self.rounds} rounds do not fit the roll {self.roll}")
        if self.roll is None and self.owing:
            raise TextError("nobody owes a roll before the first")
        for seats in (self.owing, self.out):
            if list(seats) != [seat for seat in self.seat_names() if seat in seats]:
                expected = " ".join(self.seat_names())
                raise TextError(f"expected some seats of {expected} in order, not {seats}")

    def seat_names(self) -> tuple[str, ...]:
        """Return the seats clockwise from A."""
        return self.options.seat_names()

    def sheet(self, seat: str) -> Sheet:
        """Return the sheet of ``seat``."""
        return self.sheets[SEATS.index(seat)]

    def unstarted(self) -> tuple[str, ...]:
        """Return the seats whose start cell is empty."""
        return tuple(s for s in self.seat_names() if self.sheet(s).cells[START] == EMPTY)

    def start_symbols(self) -> Iterator[tuple[str, str]]:
        """Yield seat and symbol of every start cell that was made out."""
        for seat in self.seat_names():
            symbol = self.sheet(seat).cells[START]
            if symbol not in (EMPTY, UNSEEN):
                yield seat, symbol

    def thrower(self) -> str:
        """Return the seat that throws next; the rules leave it open, so it goes round."""
        return SEATS[self.rounds % self.options.seats]

    def last_thrower(self) -> str:
        """Return the seat that threw last; before the first roll, who would throw last."""
        return SEATS[(self.rounds - 1) % self.options.seats]

    def can_write(self, seat: str) -> bool:
        """Tell whether ``seat`` is still in and has two empty cells side by side."""
        return seat not in self.out and self.sheet(seat).has_room()


OPTIONS = (
    Option("seats", "2", tuple("123456"), "Number of players.", "Nombre de joueurs."),
    Option(
        "advanced",
        "false",
        YES_NO,
        "The diagonal counts twice, and a row or column worth nothing costs 5.",
        "La diagonale compte double, et une ligne ou colonne sans point en coûte 5.",
    ),
    Option(
        "diagonal_penalty",
        "false",
        YES_NO,
        "Advanced rules: a diagonal worth nothing costs 5 in each of its two boxes.",
        "Règles avancées : une diagonale sans point coûte 5 dans chacune de ses deux cases.",
    ),
    Option(
        "tie_counts_diagonal",
        "false",
        YES_NO,
        "Advanced rules: in a tie the diagonal may be the best line.",
        "Règles avancées : à égalité, la diagonale peut être la meilleure ligne.",
    ),
    Option(
        "solo_15_16",
        "higher",
        SOLO_15_16,
        "One player: 15 and 16 points belong to the higher or to the lower rank.",
        "En solo : 15 et 16 points relèvent du rang supérieur ou inférieur.",
    ),
    Option(
        "cocked_dice",
        "reroll",
        COCKED_DICE,
        "A die that does not lie flat is thrown again, or stands.",
        "Un dé cassé est relancé, ou reste valable.",
    ),
    Option(
        "on_illegal",
        "take_back",
        ON_ILLEGAL,
        "What follows an illegal act: do it again, lose the roll, or keep it as it lies.",
        "Après un acte interdit : le refaire, perdre le lancer, ou garder tel quel.",
    ),
)
