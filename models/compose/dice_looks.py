"""Draws how dice look: pips, symbols, other faces, and things that are no dice."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from models.compose.dice_lists import DiceLists, Row, between, one_of, rgb
from models.compose.surface import linear_bgr
from models.render.dice.look import (
    DieLook,
    Material,
    face_relief,
    face_sheet,
    standard_faces,
)
from models.render.dice.marks import (
    SIDE,
    MarkStyle,
    Mask,
    blank,
    draw_other,
    draw_pips,
    draw_symbol,
)
from models.render.dice.solid import Solid, polyhedron, rounded_box

SYMBOLS: Final = ("bar", "cross", "triple", "hash", "triangle", "circle")
TWO_COLOURS: Final = 0.35
"""Share of marbled dice of two hues: their colour is ``other``."""
TINT: Final = 0.05
"""Spread of a body's colour around its listed one: batches of plastic differ about that much."""
WOODS: Final = Material("bare_wood", "wood", 0.05)
METAL: Final = Material("metal", "metal", 0.8)


@dataclass(frozen=True, slots=True)
class Make:
    """One batch of dice: the same but for their colours.

    Attributes:
        shape: row of its shape.
        style: of its marks.
        material: what it is made of.
        marks: ``pips``, ``symbols`` or ``other``.
    """

    shape: Row
    style: MarkStyle
    material: Material
    marks: str


def draw_make(rng: np.random.Generator, lists: DiceLists, marks: str) -> Make:
    """A make of dice that show pips, symbols or other things."""
    row = one_of(rng, lists.pips if marks == "pips" else lists.symbols)
    style = MarkStyle(
        row["name"], between(rng, row, "size"), between(rng, row, "spread"), row["shape"],
        row.get("wobble", 0.0), row["depth"] * rng.uniform(0.5, 1.3),
        row.get("first", 1.0) * rng.uniform(0.9, 1.1), row.get("slim", 1.0),
    )  # fmt: skip
    made = one_of(rng, lists.materials)
    material = Material(
        made["name"], made["kind"], between(rng, made, "gloss"), between(rng, made, "veins"),
        between(rng, made, "clear"),
    )  # fmt: skip
    return Make(one_of(rng, lists.shapes), style, material, marks)


def draw_look(
    rng: np.random.Generator, lists: DiceLists, make: Make, colour: str | None = None
) -> DieLook:
    """A die of a make; of a named colour, or of any."""
    rows = tuple(row for row in lists.bodies if colour in (None, row["colour"]))
    names = sorted({row["colour"] for row in rows})
    named = str(rng.choice(names))
    row = one_of(rng, tuple(row for row in rows if row["colour"] == named))
    solid = rounded_box(
        rounding=between(rng, make.shape, "rounding"), ball=between(rng, make.shape, "ball")
    )
    faces, masks = _faces(rng, make)
    second = one_of(rng, lists.bodies)
    if make.material.kind == "marble" and second["colour"] != row["colour"]:
        row = {**row, "second": second["body"]}
    return _finish(rng, make, (solid, faces, masks), row)


def _faces(rng: np.random.Generator, make: Make) -> tuple[tuple[str, ...], list[Mask]]:
    if make.marks == "pips":
        faces = standard_faces(rng)
        return faces, [draw_pips(make.style, int(f), bool(rng.random() < 0.5)) for f in faces]
    if make.marks == "symbols":
        faces = tuple(str(name) for name in rng.permutation(SYMBOLS))
        return faces, [_turned(rng, draw_symbol(make.style, name, rng)) for name in faces]
    same = str(rng.choice(["digit", "letter", "", "", "", "strokes"]))
    return ("other",) * 6, [_turned(rng, draw_other(make.style, rng, same)) for _ in range(6)]


def _turned(rng: np.random.Generator, mask: Mask) -> Mask:
    """The mark at one of its four quarter turns, and a little askew."""
    mask = np.ascontiguousarray(np.rot90(mask, int(rng.integers(4))))
    matrix = cv2.getRotationMatrix2D((SIDE / 2, SIDE / 2), float(rng.normal(0, 2.5)), 1.0)
    matrix[:, 2] += rng.normal(0, 0.012 * SIDE, 2)
    return np.asarray(cv2.warpAffine(mask, matrix, (SIDE, SIDE)), np.uint8)


def _finish(
    rng: np.random.Generator, make: Make, shape: tuple[Solid, tuple[str, ...], list[Mask]], row: Row
) -> DieLook:
    solid, faces, masks = shape
    material = make.material
    if row.get("wood") or row.get("metal"):
        material = WOODS if row.get("wood") else METAL
    body = linear_bgr(rgb(row["body"])) * np.exp(rng.normal(0, TINT, 3)).astype(np.float32)
    body *= np.float32(np.exp(rng.normal(0, 0.06)))
    ink = linear_bgr(rgb(str(rng.choice(row["inks"]))))
    inks = [ink] * len(masks)
    light = float(body.mean()) > 0.3
    if make.style.first > 1.3 and light and make.marks == "pips":  # as dice of the Far East have
        red = linear_bgr((190, 20, 25))
        inks = [red if face in ("1", "4") else ink for face in faces]
    seed, colour = int(rng.integers(1 << 31)), row["colour"]
    vein = np.clip(body * np.float32(rng.choice([0.55, 0.7, 1.5])), 0, 0.95)
    if material.kind in ("pearl", "marble") and row["colour"] != "black" and rng.random() < 0.5:
        vein = np.clip(body + np.float32(0.25), 0, 0.95)
    if "second" in row and colour not in ("white", "black") and rng.random() < TWO_COLOURS:
        vein, colour = linear_bgr(rgb(row["second"])), "other"
    return DieLook(
        solid, faces, face_sheet(masks, body, inks, material, seed),
        face_relief(masks, make.style.depth), material, body, vein.astype(np.float32), seed,
        colour, f"{make.style.name}/{material.name}/{row['name']}",
    )  # fmt: skip


def draw_polyhedron(rng: np.random.Generator, lists: DiceLists, make: Make) -> DieLook:
    """A die of 8, 10, 12 or 20 numbered faces."""
    solid = polyhedron(int(rng.choice([8, 10, 12, 20])))
    count = len(solid.out)
    masks = []
    for _ in range(count):
        mask = draw_other(make.style, rng, "digit")
        small = cv2.resize(mask, (SIDE // 2, SIDE // 2), interpolation=cv2.INTER_AREA)
        mask = blank()
        mask[SIDE // 4 : SIDE // 4 + SIDE // 2, SIDE // 4 : SIDE // 4 + SIDE // 2] = small
        masks.append(mask)
    return _finish(rng, make, (solid, ("other",) * count, masks), one_of(rng, lists.bodies))


def draw_box(rng: np.random.Generator, lists: DiceLists, make: Make) -> DieLook:
    """Something like a box that is no die: domino, brick, eraser, tile, wooden block, counter."""
    kind = str(rng.choice(["domino", "domino", "tile", "block", "brick"]))
    half = {
        "domino": (0.6, 1.2, rng.uniform(0.15, 0.3)),
        "tile": (rng.uniform(0.4, 0.7), rng.uniform(0.4, 0.8), rng.uniform(0.06, 0.18)),
        "block": (0.5, 0.5, 0.5),
        "brick": tuple(rng.uniform(0.3, 1.4, 3)),
    }[kind]
    solid = rounded_box(half, float(rng.uniform(0.015, min(half) * 0.5)))
    masks = [blank() for _ in range(6)]
    if kind == "domino":
        masks[4] = _domino(rng, make)
    elif kind == "tile" and rng.random() < 0.8:
        masks[4] = draw_other(make.style, rng)
    elif kind == "block" and rng.random() < 0.5:
        masks = [draw_other(make.style, rng) for _ in range(6)]
    return _finish(rng, make, (solid, ("other",) * 6, masks), one_of(rng, lists.bodies))


def draw_wall(
    rng: np.random.Generator, body: Row, half: tuple[float, float, float], rounding: float
) -> DieLook:
    """A plain wall of a tray, lengths in edges of a die."""
    make = Make({}, MarkStyle("wall", 0.05, 0.2), Material("wall", "plain", 0.2), "other")
    solid = rounded_box(half, min(rounding, min(half) * 0.9))
    return _finish(rng, make, (solid, ("other",) * 6, [blank() for _ in range(6)]), body)


def _domino(rng: np.random.Generator, make: Make) -> Mask:
    ends = []
    for _ in range(2):
        count = int(rng.integers(0, 10))
        ends.append(draw_pips(make.style, count, False) if count else blank())
        if rng.random() < 0.5:
            ends[-1] = np.ascontiguousarray(np.rot90(ends[-1]))
    whole = np.concatenate(ends)
    whole[SIDE - 2 : SIDE + 2, 12:-12] = 255
    return np.asarray(cv2.resize(whole, (SIDE, SIDE), interpolation=cv2.INTER_AREA), np.uint8)
