"""A match on paper: who played, every ruling with the rules it rests on, and the newest hash.

An illegal move stands with the picture that shows it, where that was kept.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from engine import Ruling, Verdict
from engine.game import Game, Over
from engine.match import Match
from server.printing.canvas import Canvas, Ink, Type, missing_letters, new_canvas
from server.printing.paper import Paper
from server.records import match_of, rulings_of
from server.store.rows import MatchRow, StoredEvent
from server.texts import Lang, text

Picture = Callable[[str], bytes | None]

SIDE_MM: Final = 18.0  # margins for punched holes
FOOT_MM: Final = 16.0
LINE_MM: Final = 6.0
COLUMNS_MM: Final = (0.0, 12.0, 50.0, 112.0)
"""Where number, player, move and ruling begin; a play of Quinto has up to 40 characters."""
PICTURE_MM: Final = (64.0, 36.0)
"""Box of a picture: 16 to 9, as cameras give them, legible at arm's length."""

SIDES: Final = ("S", "W", "N", "E")
"""Seats that are sides of the table, see `engine.quixo`."""

TITLE: Final = Type(5.0, "Black")
HEAD: Final = Type(2.2, "Bold", "#555555")
BODY: Final = Type(2.3)
STRONG: Final = Type(2.3, "Bold")
SMALL: Final = Type(1.9, "Regular", "#555555")
_COLOURS: Final = {
    Verdict.LEGAL: "#1f6b4f",
    Verdict.ILLEGAL: "#a3261d",
    Verdict.UNDECIDED: "#7a5c00",
}
_HAIR: Final = Ink(line="#cccccc", width_mm=0.2)


@dataclass(frozen=True, slots=True)
class Subject:
    """What is printed.

    Attributes:
        game: of the match.
        row: the match.
        events: all of it, in order.
        picture: gives the JPEG of a SHA-256; None where it is not there.
        paper: to print on.
        lang: of the words.
    """

    game: Game[Any, Any, Any]
    row: MatchRow
    events: Sequence[StoredEvent]
    picture: Picture
    paper: Paper
    lang: Lang


@dataclass(slots=True)
class _Pen:
    """Where the next line goes; begins a page when one is full."""

    canvas: Canvas
    paper: Paper
    foot: str
    y: float = field(default=1e9)

    @property
    def width(self) -> float:
        """Width between the margins, mm."""
        return self.paper.size_mm[0] - 2 * SIDE_MM

    def room(self, height: float) -> None:
        """Make room for something of a height, mm."""
        if self.y + height > self.paper.size_mm[1] - FOOT_MM - SIDE_MM / 2:
            self.canvas.page(self.paper)
            number = str(len(self.canvas.pdf.pages))
            low = self.paper.size_mm[1] - FOOT_MM
            self.canvas.words((SIDE_MM, low), self.foot, SMALL)
            right = Type(SMALL.caps_mm, "Regular", SMALL.colour, "right")
            self.canvas.words((SIDE_MM + self.width, low), number, right)
            self.y = SIDE_MM

    def write(self, words: str, kind: Type, left: float = 0.0) -> None:
        """One paragraph from a place on, broken where it is too wide."""
        for line in wrapped(self.canvas, words, kind, self.width - left):
            self.room(LINE_MM)
            self.canvas.words((SIDE_MM + left, self.y), line, kind)
            self.y += LINE_MM


def print_record(subject: Subject) -> Canvas:
    """The document; the same match gives the same bytes."""
    lang, game = subject.lang, subject.game
    title = game.title_fr if lang == "fr" else game.title_en
    canvas = new_canvas(f"{title}, {subject.row.id}")
    newest = subject.events[-1].hash if subject.events else "-"
    pen = _Pen(canvas, subject.paper, f"{subject.row.id} · {newest}")
    pen.room(0.0)
    pen.y += 2
    pen.write(title, TITLE)
    pen.y += 2
    match = match_of(game, subject.events)
    names = _names(game, match, lang)
    for line in _facts(subject, match, names):
        pen.write(line, BODY)
    pen.y += 3
    _row(pen, [text(f"record.{n}", lang) for n in ("n", "who", "move", "ruling")], (HEAD,) * 4)
    canvas.line((SIDE_MM, pen.y - 3), (SIDE_MM + pen.width, pen.y - 3), _HAIR)
    pen.y += 1
    for n, (ruling, _, seen) in enumerate(rulings_of(game, subject.events), start=1):
        _ruling(pen, subject, (n, names.get(ruling.seat, ruling.seat)), ruling, seen)
    pen.y += 3
    pen.write(text("record.proof", lang, hash=newest), SMALL)
    return canvas


def _facts(subject: Subject, match: Match[Any], names: dict[str, str]) -> Iterator[str]:
    lang, row = subject.lang, subject.row
    yield text("record.begun", lang, match=row.id, day=row.at[:10], hour=row.at[11:16])
    yield text("record.players", lang, names=", ".join(names.values()))
    over = subject.game.over(subject.game.read(match.state))
    if over is None:
        yield _sentence(text("live.match_open", lang))
    else:
        yield _ended(over, names, lang)


def _ended(over: Over, names: dict[str, str], lang: Lang) -> str:
    if not over.known:
        return _sentence(text("live.over_open", lang))
    where = over.where_fr if lang == "fr" else over.where_en
    winners = ", ".join(names.get(seat, seat) for seat in over.winners)
    told = text("live.won_by", lang, winners=winners) if winners else text("live.draw", lang)
    return _sentence(f"{told} ({where})" if where else told)


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _names(game: Game[Any, Any, Any], match: Match[Any], lang: Lang) -> dict[str, str]:
    """What each seat is called."""
    seats = game.seat_names(game.read(match.state))
    given = dict(zip(seats, match.players, strict=False))
    words = {seat: _seat(seat, lang) for seat in seats}
    return {seat: f"{given[seat]} ({words[seat]})" if given.get(seat) else words[seat]
            for seat in seats}  # fmt: skip


def _seat(seat: str, lang: Lang) -> str:
    """A side of the table by its name; seats that are numbered keep their number."""
    return text(f"page.mover_{seat}", lang) if seat in SIDES else seat


def _row(pen: _Pen, words: Sequence[str], kinds: Sequence[Type]) -> None:
    pen.room(LINE_MM)
    for place, word, kind in zip(COLUMNS_MM, words, kinds, strict=True):
        pen.canvas.words((SIDE_MM + place, pen.y), shown(word), kind)
    pen.y += LINE_MM


def _ruling(
    pen: _Pen, subject: Subject, who: tuple[int, str], ruling: Ruling[Any], seen: StoredEvent
) -> None:
    lang = subject.lang
    illegal = ruling.verdict is Verdict.ILLEGAL
    jpeg = subject.picture(seen.frames[-1]) if illegal and seen.frames and seen.frames[-1] else None
    pen.room(LINE_MM * (2 + len(ruling.findings)) + (PICTURE_MM[1] + 4 if jpeg else 0))
    verdict = text(f"page.verdict_{ruling.verdict.value}", lang)
    coloured = Type(STRONG.caps_mm, "Bold", _COLOURS[ruling.verdict])
    words = (str(who[0]), who[1], ruling.move or "–", verdict)
    _row(pen, words, (BODY, BODY, STRONG, coloured))
    if ruling.verdict is Verdict.LEGAL:
        return
    for finding in ruling.findings:
        told = finding.text_fr if lang == "fr" else finding.text_en
        pen.write(f"{told} [{finding.rule}]", SMALL, COLUMNS_MM[1])
    if jpeg is not None:
        place = (SIDE_MM + COLUMNS_MM[1], pen.y - 2, *PICTURE_MM)
        pen.canvas.picture(place, io.BytesIO(jpeg))
        pen.y += PICTURE_MM[1] + 4


def wrapped(canvas: Canvas, words: str, kind: Type, width: float) -> list[str]:
    """Lines of a paragraph, none wider than a width in mm; a word that is wider stands alone."""
    lines: list[str] = []
    for word in shown(words).split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and canvas.width(longer, kind) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def shown(words: str) -> str:
    """Words with what the font lacks written as a question mark."""
    lacking = set(missing_letters(words))
    return "".join("?" if letter in lacking else letter for letter in words)
