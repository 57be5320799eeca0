"""A Qwinto game in progress: every sheet, the open roll, who has answered it, what was agreed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from engine.errors import TextError
from engine.game import Option
from engine.options import YES_NO, expect, read_options, write_options
from engine.qwinto.layout import BOXES, EMPTY, FIELDS, FIELDS_A_ROW, Layout, Sheet, Throw

SEATS = ("A", "B", "C", "D", "E", "F")  # clockwise
ON_ILLEGAL = ("take_back", "loses_turn", "stands")
COCKED = ("reroll", "stands")
FULL_ROWS_THAT_END = 2  # qwinto.end
NO_FIELD = -1  # stands for a number written outside the number fields


@dataclass(frozen=True, slots=True)
class Options:
    """What the players agreed before the game; the defaults are the rules page's.

    Attributes:
        seats: 1 to 6 players.
        starter: seat that throws first.
        cocked_dice: a die that does not lie flat is thrown again (``reroll``) or ``stands``.
        late_erasure_costs_failed: an entry erased after the next first throw costs a failed throw.
        final_roll_for_all: the others still answer the roll on which somebody ends the game.
        on_illegal: what follows an illegal act.

    Raises:
        OptionError: for a value out of range.
    """

    seats: int = 2
    starter: str = "A"
    cocked_dice: str = "reroll"
    late_erasure_costs_failed: bool = False
    final_roll_for_all: bool = True
    on_illegal: str = "take_back"

    def __post_init__(self) -> None:
        """Refuse values out of range."""
        expect("seats", self.seats, tuple(range(1, len(SEATS) + 1)))
        expect("starter", self.starter, self.seat_names())
        expect("cocked_dice", self.cocked_dice, COCKED)
        expect("on_illegal", self.on_illegal, ON_ILLEGAL)

    @staticmethod
    def read(texts: Mapping[str, str]) -> Options:
        """Return the options of ``name -> text``; raises ``OptionError``."""
        return read_options(Options, texts)

    def write(self) -> dict[str, str]:
        """Return the options that differ from their default, as texts."""
        return write_options(self)

    def seat_names(self) -> tuple[str, ...]:
        """Return the seats clockwise."""
        return SEATS[: self.seats]

    def next_seat(self, seat: str) -> str:
        """Return the seat that throws after ``seat``."""
        return SEATS[(SEATS.index(seat) + 1) % self.seats]


@dataclass(frozen=True, slots=True)
class Player:
    """A sheet, and what its player has done about the open roll.

    Attributes:
        sheet: what is written.
        order: places of the fields in the order they were written, as far as it is known.
        fresh: places written on the open roll, ``NO_FIELD`` for a number beside the fields.
        marked: failed throws marked on the open roll, the price of late erasures aside.
        erased: numbers erased on the open roll that had been written on earlier ones.
        passed: has said to write nothing on the open roll.
        barred: has lost the right to write on the open roll.
    """

    sheet: Sheet = field(default_factory=Sheet)
    order: tuple[int, ...] = ()
    fresh: tuple[int, ...] = ()
    marked: int = 0
    erased: tuple[int, ...] = ()
    passed: bool = False
    barred: bool = False

    def acted(self) -> bool:
        """Tell whether the sheet answers the open roll already."""
        return bool(self.fresh) or self.marked > 0

    def ends(self) -> bool:
        """Tell whether the sheet ends the game: two full rows or all boxes marked."""
        if self.sheet.failed == BOXES:
            return True
        if self.sheet.numbers.count(EMPTY) > FIELDS_A_ROW:
            return False  # two full rows leave fewer fields empty; asked at every act
        return len(self.sheet.full_rows()) >= FULL_ROWS_THAT_END

    def closed(self) -> Player:
        """Return the player at the next first throw: nothing done yet."""
        return Player(self.sheet, self.order)


@dataclass(frozen=True, slots=True)
class State:
    """A position with everything that later acts depend on.

    Attributes:
        players: one a seat, clockwise.
        active: seat that threw the open roll, or that throws first.
        throws: throws of the open roll, the last counts; empty before the first.
        before: the throw that counted on the roll before, where it is known.
        options: what was agreed.
        turn: rolls begun since the start, or None when joined in mid-game.
        over: the game has ended.

    Raises:
        TextError: for a seat, a sheet or a field that cannot be.
    """

    players: tuple[Player, ...]
    active: str
    throws: tuple[Throw, ...] = ()
    before: Throw | None = None
    options: Options = field(default_factory=Options)
    turn: int | None = 0
    over: bool = False

    def __post_init__(self) -> None:
        """Refuse seats and fields that the game does not have."""
        names = self.options.seat_names()
        if self.active not in names:
            raise TextError(f"expected a seat of {' '.join(names)}, not {self.active!r}")
        if len(self.players) != len(names):
            raise TextError(f"expected {len(names)} sheets, not {len(self.players)}")
        for player in self.players:
            written = (*player.order, *player.fresh)
            if written and not NO_FIELD <= min(written) <= max(written) < FIELDS:
                raise TextError("a field outside the sheet cannot have been written")

    def seat_names(self) -> tuple[str, ...]:
        """Return the seats clockwise."""
        return self.options.seat_names()

    def player(self, seat: str) -> Player:
        """Return what lies before ``seat``."""
        return self.players[SEATS.index(seat)]

    @property
    def throw(self) -> Throw | None:
        """The throw that counts now, or None when no roll is open."""
        return self.throws[-1] if self.throws else None

    def thrower(self) -> str:
        """Return the seat that makes the next first throw."""
        return self.options.next_seat(self.active) if self.throws else self.active

    def from_active(self) -> Iterator[str]:
        """Yield the seats clockwise from the one that threw."""
        names = self.seat_names()
        first = names.index(self.active)
        yield from names[first:] + names[:first]

    def layout(self) -> Layout:
        """Return what a camera would see."""
        return Layout(self.throw, tuple(player.sheet for player in self.players))


OPTIONS = (
    Option(
        "seats", "2", ("1", "2", "3", "4", "5", "6"), "Number of players.", "Nombre de joueurs."
    ),
    Option("starter", "A", SEATS, "Seat that throws first.", "Place qui lance en premier."),
    Option(
        "cocked_dice",
        "reroll",
        COCKED,
        "A die that does not lie flat is thrown again, or counts as it lies.",
        "Un dé qui n'est pas à plat est relancé, ou compte tel quel.",
    ),
    Option(
        "late_erasure_costs_failed",
        "false",
        YES_NO,
        "A number erased after the next first throw costs a failed throw.",
        "Un nombre effacé après le lancer suivant coûte un lancer raté.",
    ),
    Option(
        "final_roll_for_all",
        "true",
        YES_NO,
        "The others still answer the roll on which somebody ends the game.",
        "Les autres répondent encore au lancer sur lequel quelqu'un finit la partie.",
    ),
    Option(
        "on_illegal",
        "take_back",
        ON_ILLEGAL,
        "What follows an illegal act: take it back, lose the roll, or keep it as it lies.",
        "Après un acte interdit : le reprendre, perdre ce lancer, ou le garder tel quel.",
    ),
)
