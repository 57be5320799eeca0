"""A table of Quinto by notices alone: boards at rest, hands in between, no picture."""

from collections.abc import Mapping

from engine import quinto
from engine.events import Started
from engine.match import Match
from server.commands import Wish
from server.live.telling import Teller
from server.refereeing import Noted, Table, step, take
from vision.observation import Candidates, Field, Reading
from vision.quality import Quality
from vision.readers.quinto import DIGITS, SHOWN, TilesOnBoard
from vision.resting import Rested
from vision.settle import HandIn, HandOut, Settled

GAME = quinto.GAME
QUALITY = Quality(1.0, 0.5, 0.0, 40.0, 0.0)
QUAD = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def reading_of(
    layout: quinto.Layout,
    doubts: Mapping[str, Candidates] | None = None,
    vouched: Mapping[str, Candidates] | None = None,
) -> Reading[TilesOnBoard]:
    """A reading of a board whose cells are all vouched for, but those of the doubts.

    Args:
        layout: what lies there.
        doubts: place -> what it may show, asked about.
        vouched: the same for what is not asked about.
    """
    asked = doubts or {}
    fields = []
    for index, symbol in enumerate(layout.cells):
        row, column = divmod(index, layout.columns)
        where = f"tiles[{row}][{column}]"
        sure = ((symbol, 0.999), *((v, 0.001 / 12) for v in SHOWN if v != symbol))
        ranked = asked.get(where) or (vouched or {}).get(where, sure)
        fields.append(Field(where, ranked[0][0], ranked[0][1], ranked, where in asked, QUAD))
    tiles = tuple(
        (*divmod(index, layout.columns), field.value)
        for index, field in enumerate(fields)
        if field.value in DIGITS
    )
    board = TilesOnBoard(tiles, (layout.rows, layout.columns))
    return Reading(board, tuple(fields), QUAD, QUALITY)


class Played:
    """A match that a camera follows; `lay` puts tiles on the table and lets the hand go.

    Args:
        commit: when plays take effect.
        options: of the game.
    """

    def __init__(self, commit: str = "stable", **options: str) -> None:
        state = GAME.start(2, options)
        started = Noted(Started("quinto", GAME.write(state), "bottom"))
        self.table = take(GAME, Table(commit=commit), (started,))
        self.layout = state.layout
        self.at_s = 0.0
        self.told: list[str] = []
        self.teller = Teller(GAME)
        self.rulings: list[tuple[str, str | None]] = []
        self.hear(started)
        self.look()

    @property
    def match(self) -> Match[quinto.Move]:
        assert self.table.match is not None
        return self.table.match

    @property
    def state(self) -> quinto.State:
        return GAME.read(self.match.state)

    def happen(self, happening: object) -> tuple[Noted, ...]:
        self.table, noted = step(GAME, self.table, happening)  # type: ignore[arg-type]
        self.told += [type(one.event).__name__ for one in noted]
        self.hear(*noted)
        return noted

    def hear(self, *noted: Noted) -> None:
        """Note verdict and move of what the teller tells."""
        told = self.teller.tell(noted)
        self.rulings += [(one.ruling.verdict.value, one.ruling.move) for one in told]

    def wish(self, name: str, **body: object) -> None:
        self.happen(Wish(name, body))

    def look(
        self,
        doubts: Mapping[str, Candidates] | None = None,
        *,
        touched: bool = True,
        vouched: Mapping[str, Candidates] | None = None,
    ) -> tuple[Noted, ...]:
        """The table is at rest."""
        seen = reading_of(self.layout, doubts, vouched)
        settled = Settled((), seen, self.at_s, 1, (1,), self.at_s, touched)
        return self.happen(settled)

    def lay(
        self,
        *tiles: quinto.Tile,
        without: tuple[tuple[int, int], ...] = (),
        after_s: float = 5.0,
        doubts: Mapping[str, Candidates] | None = None,
        vouched: Mapping[str, Candidates] | None = None,
    ) -> tuple[Noted, ...]:
        """A hand lays tiles and takes others away."""
        self.at_s += after_s
        self.happen(HandIn(self.at_s))
        self.at_s += 1.0
        self.layout = self.layout.having(tiles, without)
        self.happen(HandOut(self.at_s))
        self.at_s += 0.4
        return self.look(doubts, vouched=vouched)

    def rest(self) -> None:
        """Nothing moves for a while."""
        self.at_s += 4.0
        self.happen(Rested(self.at_s))
