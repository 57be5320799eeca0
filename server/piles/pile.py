"""A pile of score sheets as a value: what was read of its photos, and what people said. Pure.

What was read is never changed: answers stand beside it, by sheet and by the path of the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any, Final, TypeVar

from engine import games
from engine.log import Log, read_log
from engine.options import write_options
from server.tally import record as records
from server.tally.books import BOOKS
from server.tally.merging import Counted, Key, Result, Terms, merge
from server.tally.reading import Value
from server.tally.record import PhotoRecord, SheetRecord

GAMES: Final = ("qwinto", "detrak")
"""Games that are written on sheets, in the order of the choice."""

OPTIONS: Final = {
    "qwinto": (),
    "detrak": ("advanced", "diagonal_penalty", "tie_counts_diagonal", "solo_15_16"),
}
"""Options that the score of a final sheet or the ranking depends on."""

LONGEST_NAME: Final = 40  # letters, as for the players of a match
VERSION: Final = 1

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Pile:
    """Sheets of one game that are counted together.

    Attributes:
        id: its name.
        table: id of the table.
        game: id of the game.
        begun_s: when it was begun, seconds since 1970.
        options: options of the game that differ from the usual.
        photos: what was read, oldest first; ``path`` is the name that a photo came with.
        answers: what people said about fields, by sheet and path.
        names: what people called sheets, by sheet.
        log: rolls to compare the sheets with, in notation; empty without.
        rolls: where the log is from: id of a match, or name of a file.
    """

    id: str
    table: str
    game: str
    begun_s: float
    options: Mapping[str, str] = field(default_factory=dict)
    photos: tuple[PhotoRecord, ...] = ()
    answers: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    log: str = ""
    rolls: str = ""

    @property
    def terms(self) -> Terms:
        """What a tally is asked for."""
        book, log = BOOKS[self.game], _read_log(self.game, self.log) if self.log else None
        agreed = {} if log is None else write_options(log.start.options)
        kept = {name: value for name, value in agreed.items() if name not in OPTIONS[self.game]}
        return Terms(book, book.read_options({**kept, **self.options}), log=log)

    def counted(self) -> Result:
        """Everything added up, with people's answers and names."""
        said = {key_of(sheet): values for sheet, values in self.answers.items()}
        terms = self.terms
        found = merge(self.photos, terms, said)
        if terms.log is not None and self.names:  # a seat of the log may be found by its name
            names = tuple(self._called(found.sheets[n]) for n in found.distinct)
            found = merge(self.photos, replace(terms, names=names), said)
        named = tuple(
            replace(one, player=self.names.get(sheet_id(one.key), one.player) or None)
            for one in found.sheets
        )
        return replace(found, sheets=named)

    def _called(self, sheet: Counted) -> str:
        coded = "" if sheet.tally is None else sheet.tally.reading.player or ""
        return self.names.get(sheet_id(sheet.key), coded)

    def photo(self, sha256: str) -> PhotoRecord | None:
        """The photo of that content."""
        return next((photo for photo in self.photos if photo.sha256 == sha256), None)

    def sheet(self, sheet: str) -> tuple[PhotoRecord, SheetRecord] | None:
        """The sheet of that id and its photo; None where there is none that was read."""
        for photo in self.photos:
            for at, one in enumerate(photo.sheets):
                if sheet_id((photo.sha256, at)) == sheet and one.fields:
                    return photo, one
        return None

    @property
    def read(self) -> bool:
        """Whether any sheet was read."""
        return any(sheet.fields for photo in self.photos for sheet in photo.sheets)

    def with_photo(self, photo: PhotoRecord) -> Pile:
        """The pile with a photo added, or read anew: then names stay and answers go."""
        if self.photo(photo.sha256) is None:
            return replace(self, photos=(*self.photos, photo))
        photos = tuple(photo if p.sha256 == photo.sha256 else p for p in self.photos)
        return replace(self, photos=photos, answers=_without(self.answers, photo.sha256))

    def without(self, sha256: str) -> Pile:
        """The pile without a photo and what people said about its sheets."""
        return replace(
            self,
            photos=tuple(photo for photo in self.photos if photo.sha256 != sha256),
            answers=_without(self.answers, sha256),
            names=_without(self.names, sha256),
        )

    def answered(self, sheet: str, values: Mapping[str, str | None]) -> Pile:
        """The pile with values given, or taken back (None), for fields of a sheet.

        Raises:
            ValueError: no such sheet or field, or a value that the field cannot hold.
        """
        found = self.sheet(sheet)
        if found is None:
            raise ValueError(f"no sheet {sheet!r:.40} in this pile")
        known = {one.where for one in found[1].fields}
        answers = dict(self.answers.get(sheet, {}))
        for path, text in values.items():
            if path not in known:
                raise ValueError(f"this sheet has no field {path!r:.40}")
            answers.pop(path, None)
            if text is not None:
                answers[path] = BOOKS[self.game].form.parse(path, text)
        return replace(self, answers={**self.answers, sheet: answers})

    def named(self, sheet: str, name: str) -> Pile:
        """The pile with a sheet called by a name; raises ``ValueError`` for an unknown sheet."""
        if self.sheet(sheet) is None:
            raise ValueError(f"no sheet {sheet!r:.40} in this pile")
        tidy = " ".join(name.split())[:LONGEST_NAME]
        return replace(self, names={**self.names, sheet: tidy})

    def compared(self, log: str, rolls: str) -> Pile:
        """The pile compared with a log of rolls, whose options it takes on; empty for none.

        Raises:
            ValueError: not a log of this game.
        """
        if not log:
            return replace(self, log="", rolls="")
        agreed = write_options(_read_log(self.game, log).start.options)
        options = {name: agreed[name] for name in OPTIONS[self.game] if name in agreed}
        return replace(self.played(self.game, options), log=log, rolls=rolls)

    def played(self, game: str, options: Mapping[str, str]) -> Pile:
        """The pile as one of that game and those options.

        Raises:
            ValueError: no such game or option, or sheets of another game lie in it.
        """
        if game not in GAMES:
            raise ValueError(f"expected a game of {', '.join(GAMES)}, not {game!r:.40}")
        if game != self.game and self.read:
            raise ValueError(f"sheets of {self.game} lie in this pile")
        usual = {option.name: option for option in games.get(game).options}
        for name, value in options.items():
            if name not in OPTIONS[game] or value not in usual[name].values:
                raise ValueError(f"{game}: no option {name!r:.40} = {value!r:.40}")
        chosen = {n: v for n, v in options.items() if v != usual[n].default}
        log = (self.log, self.rolls) if game == self.game else ("", "")
        return replace(self, game=game, options=chosen, log=log[0], rolls=log[1])


@lru_cache(maxsize=8)
def _read_log(game: str, text: str) -> Log[Any, Any]:
    """A log of rolls; raises ``ValueError`` with the first place that does not hold."""
    reading = read_log(text, games.get(game))
    if reading.log is None or reading.errors:
        raise ValueError(str(reading.errors[0]))
    log: Log[Any, Any] = reading.log
    return log


def sheet_id(key: Key) -> str:
    """The id of a sheet within its pile; it may stand in an address."""
    return f"{key[0]}-{key[1]}"


def key_of(sheet: str) -> Key:
    """The photo's hash, and the place in the photo."""
    sha256, _, at = sheet.partition("-")
    return sha256, int(at)


def _without(by_sheet: Mapping[str, V], sha256: str) -> dict[str, V]:
    return {sheet: value for sheet, value in by_sheet.items() if key_of(sheet)[0] != sha256}


def to_json(pile: Pile) -> dict[str, Any]:
    """A pile as it is kept in its file."""
    return {
        "version": VERSION,
        "id": pile.id,
        "table": pile.table,
        "game": pile.game,
        "begun_s": pile.begun_s,
        "options": dict(pile.options),
        "photos": [records.to_json(photo) for photo in pile.photos],
        "answers": {sheet: dict(values) for sheet, values in pile.answers.items()},
        "names": dict(pile.names),
        "log": pile.log,
        "rolls": pile.rolls,
    }


def from_json(raw: Mapping[str, Any]) -> Pile:
    """A pile from its file.

    Raises:
        ValueError: another form.
    """
    try:
        if raw["version"] != VERSION:
            raise ValueError(f"a pile of version {raw['version']!r:.20}, not {VERSION}")
        return Pile(
            id=str(raw["id"]),
            table=str(raw["table"]),
            game=str(raw["game"]),
            begun_s=float(raw["begun_s"]),
            options=dict(raw["options"]),
            photos=tuple(records.from_json(photo) for photo in raw["photos"]),
            answers={sheet: dict(values) for sheet, values in raw["answers"].items()},
            names=dict(raw["names"]),
            log=str(raw.get("log", "")),
            rolls=str(raw.get("rolls", "")),
        )
    except (KeyError, TypeError, AttributeError) as fault:
        raise ValueError(f"not a pile of sheets: {fault!r}") from fault
