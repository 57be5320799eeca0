"""Traced dice as triangles and textures: rounded cubes with drilled, printed or engraved faces.

Drawings, proportions and shapes are this renderer's own; the composed dice that networks train on
have others.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.noise import fractal
from models.render.solids import Mesh
from models.render.textures import linear

Array = NDArray[np.float64]
Picture = NDArray[np.float32]
Colour = tuple[float, float, float]

PIPS: Final = ("1", "2", "3", "4", "5", "6")
SYMBOLS: Final = ("bar", "cross", "triple", "hash", "triangle", "circle")

FACE_PX: Final = 128
GRID: Final = 40
"""Cells of the mesh along an edge: a drilled pip of a tenth of the edge takes eight of them."""
ATLAS: Final = (3, 2)
"""Columns and rows of the sheet of six faces."""

PIP_PLACES: Final = {
    "1": ((0, 0),),
    "2": ((-1, -1), (1, 1)),
    "3": ((-1, -1), (0, 0), (1, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
"""Middles of pips, in spacings from the middle of the face."""

AXES: Final = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    ((0, 1, 0), (0, 0, 1), (1, 0, 0)),
    ((0, -1, 0), (0, 0, 1), (-1, 0, 0)),
    ((-1, 0, 0), (0, 0, 1), (0, 1, 0)),
    ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
)
"""For each face: where its drawing's x and y go, and where it looks; z is up, right-handed."""


@dataclass(frozen=True, slots=True)
class DieStyle:
    """How a whole set of dice is made.

    Attributes:
        name: of the style.
        rounding: radius of edges and corners, in edges.
        ball: radius of the ball that a tumbled cube was ground to, in edges; 0.87 leaves it whole.
        depth: of pips or strokes below the face, in edges; 0 for printed ones.
        mark: width of a pip or stroke, in edges.
        spread: spacing of pips, or half the size of symbols, in edges.
        square: square pips, or symbols with square ends.
        gloss: 0 matt to 1 polished.
    """

    name: str
    rounding: float
    ball: float
    depth: float
    mark: float
    spread: float
    square: bool
    gloss: float


STYLES: Final = (
    DieStyle("tumbled", 0.12, 0.70, 0.035, 0.19, 0.25, False, 0.7),
    DieStyle("casino", 0.02, 0.87, 0.0, 0.17, 0.27, False, 1.0),
    DieStyle("soft", 0.18, 0.76, 0.03, 0.17, 0.23, False, 0.4),
    DieStyle("wooden", 0.07, 0.82, 0.03, 0.15, 0.25, False, 0.1),
    DieStyle("moulded", 0.10, 0.78, 0.045, 0.21, 0.26, False, 0.5),
    DieStyle("blocky", 0.05, 0.87, 0.0, 0.16, 0.26, True, 0.3),
)
SYMBOL_STYLES: Final = (
    DieStyle("engraved_bold", 0.10, 0.78, 0.03, 0.12, 0.30, False, 0.5),
    DieStyle("printed_fine", 0.06, 0.87, 0.0, 0.08, 0.29, False, 0.8),
    DieStyle("engraved_fine", 0.14, 0.74, 0.025, 0.09, 0.26, True, 0.4),
    DieStyle("burnt_wood", 0.06, 0.84, 0.015, 0.10, 0.31, False, 0.1),
    DieStyle("printed_bold", 0.11, 0.80, 0.0, 0.13, 0.28, True, 0.6),
)


def face_mask(style: DieStyle, value: str, size: int = FACE_PX) -> Picture:
    """(size, size) float32 0-1: where a face is drilled, engraved or printed."""
    scale = 4
    side = size * scale
    mask = np.zeros((side, side), np.uint8)
    if value in PIP_PLACES:
        for x, y in PIP_PLACES[value]:
            _pip(mask, style, x * style.spread, y * style.spread)
    else:
        for stroke in _strokes(value, style.spread):
            _stroke(mask, style, stroke)
        if value == "circle":
            middle, radius = (side // 2, side // 2), round(0.95 * style.spread * side)
            cv2.circle(mask, middle, radius, 255, round(style.mark * side), cv2.LINE_AA)
    return cv2.resize(mask, (size, size), interpolation=cv2.INTER_AREA).astype(np.float32) / 255


def _pip(mask: NDArray[np.uint8], style: DieStyle, x: float, y: float) -> None:
    side = mask.shape[0]
    column, row = round((x + 0.5) * side), round((y + 0.5) * side)
    half = round(style.mark / 2 * side)
    if style.square:
        cv2.rectangle(mask, (column - half, row - half), (column + half, row + half), 255, -1)
    else:
        cv2.circle(mask, (column, row), half, 255, -1, cv2.LINE_AA)


def _strokes(value: str, reach: float) -> list[tuple[float, float, float, float]]:
    """Straight strokes x0, y0, x1, y1 of a symbol, in edges from the middle of the face."""
    near = 0.42 * reach
    if value == "bar":
        return [(-reach, reach, reach, -reach)]
    if value == "cross":
        return [(-reach, -reach, reach, reach), (-reach, reach, reach, -reach)]
    if value == "triple":
        return [(x, -reach, x, reach) for x in (-0.8 * reach, 0.0, 0.8 * reach)]
    if value == "hash":
        lines = [(x, -reach, x, reach) for x in (-near, near)]
        return lines + [(-reach, y, reach, y) for y in (-near, near)]
    if value == "triangle":
        left, right, top = (-reach, 0.75 * reach), (reach, 0.75 * reach), (0.0, -0.95 * reach)
        return [(*left, *right), (*right, *top), (*top, *left)]
    return []


def _stroke(
    mask: NDArray[np.uint8], style: DieStyle, stroke: tuple[float, float, float, float]
) -> None:
    side = mask.shape[0]
    x0, y0, x1, y1 = ((v + 0.5) * side for v in stroke)
    half = style.mark / 2 * side
    along = np.array([x1 - x0, y1 - y0]) / max(np.hypot(x1 - x0, y1 - y0), 1e-9)
    across = np.array([-along[1], along[0]]) * half
    start, end = np.array([x0, y0]), np.array([x1, y1])
    quad = np.array([start + across, end + across, end - across, start - across])
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), 255, cv2.LINE_AA)
    if not style.square:
        for middle in (start, end):
            cv2.circle(mask, np.round(middle).astype(int).tolist(), round(half), 255, -1)


def die_mesh(style: DieStyle, faces: tuple[str, ...]) -> Mesh:
    """A die of edge 1 around the origin, z up; ``faces`` in the order of `AXES`."""
    line = np.linspace(-0.5, 0.5, GRID + 1)
    u, v = np.meshgrid(line, line)
    vertices: list[Array] = []
    triangles: list[NDArray[np.int64]] = []
    texture: list[Array] = []
    for index, (value, axes) in enumerate(zip(faces, AXES, strict=True)):
        right, up, out = (np.array(axis, np.float64) for axis in axes)
        flat = u[..., None] * right + v[..., None] * up + 0.5 * out
        points = _rounded(flat, style)
        if style.depth > 0:
            wall = cv2.GaussianBlur(face_mask(style, value), (0, 0), 1.5)[::-1]
            deep = cv2.resize(wall, (GRID + 1, GRID + 1), interpolation=cv2.INTER_AREA)
            points = points - style.depth * deep[..., None] * out
        number = np.arange((GRID + 1) ** 2).reshape(GRID + 1, GRID + 1) + len(vertices) * u.size
        a, b, c, d = number[:-1, :-1], number[:-1, 1:], number[1:, 1:], number[1:, :-1]
        triangles += [
            np.stack([a, b, c], -1).reshape(-1, 3),
            np.stack([a, c, d], -1).reshape(-1, 3),
        ]
        vertices.append(points.reshape(-1, 3))
        column, row = index % ATLAS[0], index // ATLAS[0]
        place = np.stack([(column + 0.5 + 0.98 * u) / ATLAS[0],
                          1.0 - (row + 0.5 - 0.98 * v) / ATLAS[1]], -1)  # fmt: skip
        texture.append(place.reshape(-1, 2))
    return Mesh(
        np.concatenate(vertices),
        np.concatenate(triangles).astype(np.uint32),
        np.concatenate(texture),
    )


def _rounded(points: Array, style: DieStyle) -> Array:
    """Points (..., 3) of a cube's surface drawn in to its rounded edges and its ball."""
    core = np.clip(points, -(0.5 - style.rounding), 0.5 - style.rounding)
    away = points - core
    length = np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-9)
    points = core + away / length * style.rounding
    far = np.linalg.norm(points, axis=-1, keepdims=True)
    return points * np.minimum(1.0, style.ball / far)


def die_atlas(
    rng: np.random.Generator, style: DieStyle, faces: tuple[str, ...], body: Colour, ink: Colour
) -> Picture:
    """(2 P, 3 P, 3) float32 linear RGB of the six faces, colours as sRGB shares."""
    columns, rows = ATLAS
    atlas = np.zeros((rows * FACE_PX, columns * FACE_PX, 3), np.float32)
    grainy = style.name in ("wooden", "burnt_wood")
    for index, value in enumerate(faces):
        cells = (30, 4) if grainy else (4, 4)
        tone = 1 + (0.16 if grainy else 0.04) * (fractal(rng, (FACE_PX, FACE_PX), cells, 3) - 0.5)
        mask = face_mask(style, value)[..., None]
        face = np.array(body) * tone[..., None] * (1 - mask) + np.array(ink) * mask
        column, row = index % columns, index // columns
        atlas[row * FACE_PX : (row + 1) * FACE_PX, column * FACE_PX : (column + 1) * FACE_PX] = face
    return linear(np.clip(atlas, 0, 1))
