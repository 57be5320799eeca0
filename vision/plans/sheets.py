"""Plans of score sheets: every field, marker and code of a sheet, in millimetres.

Two sheets a game: ``printed``, which this product prints, and ``commercial``, as sold. They serve
the reader, the synthetic renderer, the printed PDF and the overlay in the browser alike.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, get_args

Edition = Literal["printed", "commercial"]
Kind = Literal["number", "bonus", "blank", "failed", "strip", "symbol", "score"]
Shape = Literal["disc", "pentagon", "box"]
Pair = tuple[float, float]

EDITIONS: Final[tuple[Edition, ...]] = get_args(Edition)
SHAPES: Final[dict[str, Shape]] = {"number": "disc", "bonus": "pentagon"}
"""Shapes of the fields of a lattice; all others are boxes."""

_PENTAGON: Final = ((0.0, -0.5), (0.5, -0.11), (0.36, 0.5), (-0.36, 0.5), (-0.5, -0.11))
# Corners of a pentagon in a box of side 1, clockwise from the tip, y down; our own drawing.


@dataclass(frozen=True, slots=True)
class Field:
    """A place of a sheet that somebody may write in, or must not.

    Attributes:
        path: Its place in a reading, such as ``orange[3]`` or ``boxes.total``.
        kind: What belongs there.
        shape: Its outline.
        centre_mm: Middle of its outline, x and y from the top left of the sheet.
        size_mm: Width and height of its outline.
        row: Row of the lattice; None for fields beside it.
        column: Column of the lattice; None for fields beside it.
    """

    path: str
    kind: Kind
    shape: Shape
    centre_mm: Pair
    size_mm: Pair
    row: int | None = None
    column: int | None = None

    def outline_mm(self) -> tuple[Pair, ...]:
        """Corners of its outline, clockwise; of a disc those of the square around it."""
        (x, y), (width, height) = self.centre_mm, self.size_mm
        corners = _PENTAGON if self.shape == "pentagon" else _SQUARE
        return tuple((x + dx * width, y + dy * height) for dx, dy in corners)


_SQUARE: Final = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


@dataclass(frozen=True, slots=True)
class Square:
    """A marker or a code: a square of print with white around it.

    Attributes:
        centre_mm: Its middle, x and y from the top left of the sheet.
        side_mm: Its side, without the white margin.
    """

    centre_mm: Pair
    side_mm: float

    def outline_mm(self) -> tuple[Pair, ...]:
        """Its corners, clockwise from the top left."""
        (x, y), side = self.centre_mm, self.side_mm
        return tuple((x + dx * side, y + dy * side) for dx, dy in _SQUARE)


@dataclass(frozen=True, slots=True)
class Bar:
    """The coloured bar under a row of fields.

    Attributes:
        row: Row of the lattice.
        box_mm: x and y of its top left corner, width, height.
        colour: As printed, ``#rrggbb``.
    """

    row: int
    box_mm: tuple[float, float, float, float]
    colour: str


@dataclass(frozen=True, slots=True)
class SheetPlan:
    """A score sheet.

    Attributes:
        game: Id of the game.
        edition: Whose sheet it is.
        version: Of the printed geometry, 1 and up; 0 for sheets as sold.
        size_mm: Width and height.
        rows: Names of the rows of the lattice.
        fields: All fields; those of a reading's list stand in its order.
        bars: Coloured bars, top to bottom; empty where there are none.
        markers: Clockwise from the top left; empty on sheets as sold.
        qr: The code that names the sheet; None on sheets as sold.
        name_mm: Where the player's name stands: x, y, width, height; None where unknown.
    """

    game: str
    edition: Edition
    version: int
    size_mm: Pair
    rows: tuple[str, ...]
    fields: tuple[Field, ...]
    bars: tuple[Bar, ...]
    markers: tuple[Square, ...]
    qr: Square | None
    name_mm: tuple[float, float, float, float] | None

    def of_kind(self, *kinds: Kind) -> tuple[Field, ...]:
        """The fields of these kinds, in the plan's order."""
        return tuple(field for field in self.fields if field.kind in kinds)

    def field(self, path: str) -> Field:
        """The field at a place of a reading.

        Raises:
            KeyError: The sheet has no such field.
        """
        for field in self.fields:
            if field.path == path:
                return field
        raise KeyError(path)


@cache
def sheet_plan(game_id: str, edition: Edition = "printed") -> SheetPlan:
    """The plan of a game's score sheet.

    Raises:
        FileNotFoundError: The game has no plan.
        KeyError: Its plan is not one of a sheet.
    """
    text = resources.files("vision.plans").joinpath(f"{game_id}.toml").read_text(encoding="utf-8")
    whole = tomllib.loads(text)
    table = whole[edition]
    markers = table.get("markers", {"side_mm": 0, "centres_mm": []})
    qr, name = table.get("qr"), table.get("name_mm")
    return SheetPlan(
        game=game_id,
        edition=edition,
        version=int(table["version"]),
        size_mm=_pair(table["size_mm"]),
        rows=tuple(whole["rows"]),
        fields=(*_lattice(whole, table), *_beside(table)),
        bars=tuple(_bar(bar, table) for bar in table.get("bars", ())),
        markers=tuple(
            Square(_pair(centre), float(markers["side_mm"])) for centre in markers["centres_mm"]
        ),
        qr=None if qr is None else Square(_pair(qr["centre_mm"]), float(qr["side_mm"])),
        name_mm=None if name is None else (name[0], name[1], name[2], name[3]),
    )


def _pair(values: list[float]) -> Pair:
    x, y = values
    return float(x), float(y)


def _lattice(whole: dict[str, Any], table: dict[str, Any]) -> Iterator[Field]:
    """The fields that stand on the lattice of rows and columns."""
    bonus = whole.get("bonus", {"cells": []})["cells"]
    for group in whole["groups"]:
        for index, cell in enumerate(group["cells"]):
            kind: Kind = "bonus" if cell in bonus else group["kind"]
            row, column = cell
            yield Field(
                path=group["path"].format(index),
                kind=kind,
                shape=SHAPES.get(kind, "box"),
                centre_mm=(float(table["x_mm"][column]), float(table["y_mm"][row])),
                size_mm=_pair(table["sizes_mm"][kind]),
                row=row,
                column=column,
            )


def _beside(table: dict[str, Any]) -> Iterator[Field]:
    """The fields that stand beside the lattice."""
    for group in table.get("boxes", ()):
        for index, centre in enumerate(group["centres_mm"]):
            path = group["path"].format(index)
            size = _pair(group["size_mm"])
            yield Field(path, group["kind"], group["shape"], _pair(centre), size)


def _bar(bar: dict[str, Any], table: dict[str, Any]) -> Bar:
    first, last = (float(table["x_mm"][column]) for column in bar["columns"])
    pitch = float(table["x_mm"][1]) - float(table["x_mm"][0])
    y, height = float(table["y_mm"][bar["row"]]), float(bar["height_mm"])
    box = (first - pitch / 2, y - height / 2, last - first + pitch, height)
    return Bar(int(bar["row"]), box, str(bar["colour"]))
