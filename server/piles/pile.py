"""A pile of score sheets as values: photos, the sheets read in them, and what people said. Pure.

What was read is never changed: answers stand beside it, by the path of the field.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from engine import games
from vision.homography import Quad, as_quad
from vision.readers import sheets
from vision.readers.sheets import SheetLayout

GAMES: Final = ("qwinto", "detrak")
"""Games that are written on sheets, in the order of the choice."""

OPTIONS: Final = {
    "qwinto": (),
    "detrak": ("advanced", "diagonal_penalty", "tie_counts_diagonal", "solo_15_16"),
}
"""Options that the score of a final sheet or the ranking depends on."""

LONGEST_NAME: Final = 40  # letters, as for the players of a match


@dataclass(frozen=True, slots=True)
class ReadField:
    """One field as it was read.

    Attributes:
        path: its place in the reading, such as ``orange[3]``.
        text: the most likely value.
        candidates: values with the reader's probabilities, most likely first.
        asked: the program asks rather than vouch for it.
        quad_px: where it lies in the photo as kept, clockwise from its own top left.
    """

    path: str
    text: str
    candidates: tuple[tuple[str, float], ...]
    asked: bool
    quad_px: Quad


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a photo.

    Attributes:
        id: unique in its pile.
        edition: whose print it is, as `vision.plans.sheets` names it.
        fields: everything that was read.
        outline_px: its corners in the photo as kept, clockwise from its own top left.
        flat: scale (px a mm) and margin (mm) of its picture laid flat; None without one.
        stray: paths of places where something is written though nothing belongs there.
        code: what its own code says, number and player; None without a code.
        name: what people called it; None before they did.
        answers: values that people gave, by path.
    """

    id: str
    edition: str
    fields: tuple[ReadField, ...]
    outline_px: Quad
    flat: tuple[float, float] | None = None
    stray: tuple[str, ...] = ()
    code: tuple[int, str] | None = None
    name: str | None = None
    answers: Mapping[str, str] = field(default_factory=dict)

    @property
    def open(self) -> tuple[str, ...]:
        """Paths that are asked about and not answered yet, in reading order."""
        return tuple(f.path for f in self.fields if f.asked and f.path not in self.answers)

    @property
    def called(self) -> str:
        """Whose sheet it is: as people said, or as its code says; empty where neither does."""
        if self.name is not None:
            return self.name
        return "" if self.code is None else self.code[1]

    def layout(self, game: str, *, answered: bool = True) -> SheetLayout:
        """The sheet as read, with people's answers put in or left out.

        Raises:
            ValueError: a text that its field cannot hold.
        """
        texts = {one.path: one.text for one in self.fields}
        texts |= self.answers if answered else {}
        if game == "detrak":
            return sheets.detrak_of(texts)
        return replace(sheets.qwinto_of(texts), stray=self.stray)


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a photo or a sheet of it, in one line, and what to do.

    Attributes:
        reason: stable id, such as ``no-sheet`` or ``picture``.
        text_en: one or two sentences; likewise ``text_fr``.
    """

    reason: str
    text_en: str
    text_fr: str


@dataclass(frozen=True, slots=True)
class Photo:
    """One photo.

    Attributes:
        sha256: of the file as it came: the same file is read once.
        name: what the file was called.
        size_px: width and height of the photo as kept; (0, 0) where none is.
        sheets: what was read, left to right.
        problems: why it, or a sheet of it, was not read.
    """

    sha256: str
    name: str
    size_px: tuple[int, int]
    sheets: tuple[Sheet, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Pile:
    """Sheets of one game that are counted together.

    Attributes:
        id: its name.
        table: id of the table.
        game: id of the game.
        begun_s: when it was begun, seconds since 1970.
        options: options of the game that differ from the usual.
        photos: oldest first.
    """

    id: str
    table: str
    game: str
    begun_s: float
    options: Mapping[str, str] = field(default_factory=dict)
    photos: tuple[Photo, ...] = ()

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """All sheets, in the order of the photos."""
        return tuple(sheet for photo in self.photos for sheet in photo.sheets)

    def photo(self, sha256: str) -> Photo | None:
        """The photo of that content."""
        return next((photo for photo in self.photos if photo.sha256 == sha256), None)

    def sheet(self, sheet_id: str) -> Sheet | None:
        """The sheet of that id."""
        return next((sheet for sheet in self.sheets if sheet.id == sheet_id), None)

    def with_photo(self, photo: Photo) -> Pile:
        """The pile with a photo added, or read anew: names that people gave stay."""
        if self.photo(photo.sha256) is None:
            return replace(self, photos=(*self.photos, photo))
        names = {sheet.id: sheet.name for sheet in self.sheets}
        kept = tuple(replace(s, name=names.get(s.id, s.name)) for s in photo.sheets)
        new = replace(photo, sheets=kept)
        return replace(
            self, photos=tuple(new if p.sha256 == new.sha256 else p for p in self.photos)
        )

    def without(self, sha256: str) -> Pile:
        """The pile without a photo and its sheets."""
        return replace(self, photos=tuple(p for p in self.photos if p.sha256 != sha256))

    def answered(self, sheet_id: str, values: Mapping[str, str | None]) -> Pile:
        """The pile with values given, or taken back (None), for fields of a sheet.

        Raises:
            ValueError: no such sheet or field, or a value that the field cannot hold.
        """
        sheet = self.sheet(sheet_id)
        if sheet is None:
            raise ValueError(f"no sheet {sheet_id!r:.40} in this pile")
        known = {one.path for one in sheet.fields}
        answers = dict(sheet.answers)
        for path, text in values.items():
            if path not in known:
                raise ValueError(f"this sheet has no field {path!r:.40}")
            answers.pop(path, None)
            if text is not None:
                answers[path] = allowed(self.game, path, text)
        return self._with_sheet(replace(sheet, answers=answers))

    def named(self, sheet_id: str, name: str) -> Pile:
        """The pile with a sheet called by a name; raises ``ValueError`` for an unknown sheet."""
        sheet = self.sheet(sheet_id)
        if sheet is None:
            raise ValueError(f"no sheet {sheet_id!r:.40} in this pile")
        tidy = " ".join(name.split())[:LONGEST_NAME]
        return self._with_sheet(replace(sheet, name=tidy))

    def played(self, game: str, options: Mapping[str, str]) -> Pile:
        """The pile as one of that game and those options.

        Raises:
            ValueError: no such game or option, or sheets of another game lie in it.
        """
        if game not in GAMES:
            raise ValueError(f"expected a game of {', '.join(GAMES)}, not {game!r:.40}")
        if game != self.game and self.sheets:
            raise ValueError(f"sheets of {self.game} lie in this pile")
        usual = {option.name: option for option in games.get(game).options}
        for name, value in options.items():
            if name not in OPTIONS[game] or value not in usual[name].values:
                raise ValueError(f"{game}: no option {name!r:.40} = {value!r:.40}")
        chosen = {n: v for n, v in options.items() if v != usual[n].default}
        return replace(self, game=game, options=chosen)

    def _with_sheet(self, sheet: Sheet) -> Pile:
        photos = tuple(
            replace(photo, sheets=tuple(sheet if s.id == sheet.id else s for s in photo.sheets))
            for photo in self.photos
        )
        return replace(self, photos=photos)


def allowed(game: str, path: str, text: str) -> str:
    """The text of a value that people gave for a field.

    Raises:
        ValueError: the field cannot hold it.
    """
    tidy = text.strip()
    try:
        of = sheets.detrak_of if game == "detrak" else sheets.qwinto_of
        written = sheets.texts_of(of({path: tidy}))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    if tidy == sheets.UNSEEN or path not in written:
        raise ValueError(f"{path}: cannot hold {tidy!r:.40}")
    return written[path]


def to_json(pile: Pile) -> dict[str, Any]:
    """A pile as it is kept in its file."""
    return {"version": 1, **asdict(pile)}


def from_json(raw: Mapping[str, Any]) -> Pile:
    """A pile from its file.

    Raises:
        ValueError: another form.
    """
    try:
        if raw["version"] != 1:
            raise ValueError(f"a pile of version {raw['version']!r:.20}, not 1")
        return Pile(
            id=str(raw["id"]),
            table=str(raw["table"]),
            game=str(raw["game"]),
            begun_s=float(raw["begun_s"]),
            options=dict(raw["options"]),
            photos=tuple(_photo(photo) for photo in raw["photos"]),
        )
    except (KeyError, TypeError) as fault:
        raise ValueError(f"not a pile of sheets: {fault!r}") from fault


def _photo(raw: Mapping[str, Any]) -> Photo:
    width, height = raw["size_px"]
    return Photo(
        raw["sha256"],
        raw["name"],
        (int(width), int(height)),
        tuple(_sheet(sheet) for sheet in raw["sheets"]),
        tuple(Problem(**problem) for problem in raw["problems"]),
    )


def _sheet(raw: Mapping[str, Any]) -> Sheet:
    fields = tuple(
        ReadField(
            one["path"],
            one["text"],
            tuple((text, float(share)) for text, share in one["candidates"]),
            bool(one["asked"]),
            as_quad(one["quad_px"]),
        )
        for one in raw["fields"]
    )
    flat, code = raw["flat"], raw["code"]
    return Sheet(
        raw["id"],
        raw["edition"],
        fields,
        as_quad(raw["outline_px"]),
        None if flat is None else (float(flat[0]), float(flat[1])),
        tuple(raw["stray"]),
        None if code is None else (int(code[0]), str(code[1])),
        raw["name"],
        dict(raw["answers"]),
    )
