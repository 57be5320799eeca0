"""Turns composed scenes into what the two networks train on.

The detector sees the picture as the running program shows it: once whole, once enlarged around
the block. The classifier sees crops cut by the very function that cuts them in play, through a
homography that is as wrong as a fitted one may be.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.camera import homography
from models.compose.scene import SIZE, Composed, Piece
from vision.crops import crop_from_quad, face_crops
from vision.homography import Quad, as_quad
from vision.labels import DETECTOR_CLASSES, DOTS, MARKS

INPUT_PX = 640
"""Edge of the detector's input."""

SEEN_SHARE = 0.4
"""Open share of a face under which its label is ``none``: the ring of a mark covers the middle
60 % of a face, so that with less than two fifths in view a mark may hide."""

DOT_SEEN_SHARE = 0.6
"""Open share of the dot's place under which the dot is unseen."""

Bytes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One input of the detector and its labels.

    Attributes:
        image_bgr: (INPUT_PX, INPUT_PX, 3) uint8.
        lines: one line a piece in the format of YOLO pose: class, box, four times x, y, visible.
    """

    image_bgr: Bytes
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Crops:
    """Inputs of the classifier: (N, 64, 64, 3) uint8, (N,) mark index and (N,) dot index."""

    images: Bytes
    marks: NDArray[np.int64]
    dots: NDArray[np.int64]


def whole_view(scene: Composed) -> View:
    """The whole picture, shrunk into the square input."""
    height, width = scene.image_bgr.shape[:2]
    return view(scene, (0.0, 0.0, float(width), float(height)))


def near_view(scene: Composed, rng: np.random.Generator) -> View:
    """A square around the block, as the second pass cuts it; a random square without a block."""
    height, width = scene.image_bgr.shape[:2]
    boards = [piece for piece in scene.pieces if piece.kind == "cube_board"]
    cubes = [piece for piece in scene.pieces if piece.kind == "cube"]
    if boards or cubes:
        chosen = (boards or cubes)[0]
        x0, y0, x1, y1 = chosen.box_px
        side = max(x1 - x0, y1 - y0) / rng.uniform(0.35, 0.95)
        if not boards:
            side *= 4
        x, y = (
            (x0 + x1) / 2 + rng.normal(0, 0.06) * side,
            (y0 + y1) / 2 + rng.normal(0, 0.06) * side,
        )
    else:
        side = rng.uniform(0.3, 1.0) * min(height, width)
        x, y = rng.uniform(0, width), rng.uniform(0, height)
    return view(scene, (x - side / 2, y - side / 2, x + side / 2, y + side / 2))


def view(scene: Composed, box_px: tuple[float, float, float, float]) -> View:
    """Cut a window, letterbox it to the input, and move the labels along."""
    height, width = scene.image_bgr.shape[:2]
    x0, y0 = max(0, round(box_px[0])), max(0, round(box_px[1]))
    x1, y1 = min(width, round(box_px[2])), min(height, round(box_px[3]))
    if x1 - x0 < 16 or y1 - y0 < 16:
        x0, y0, x1, y1 = 0, 0, width, height
    part = scene.image_bgr[y0:y1, x0:x1]
    scale = INPUT_PX / max(part.shape[:2])
    size = (max(1, round(part.shape[1] * scale)), max(1, round(part.shape[0] * scale)))
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(part, size, interpolation=method)
    left, top = (INPUT_PX - size[0]) // 2, (INPUT_PX - size[1]) // 2
    image = np.full((INPUT_PX, INPUT_PX, 3), 114, np.uint8)  # the grey of ultralytics
    image[top : top + size[1], left : left + size[0]] = small
    move = (scale, left - x0 * scale, top - y0 * scale)
    limits = (left, top, left + size[0], top + size[1])
    lines = [line for piece in scene.pieces if (line := _line(piece, move, limits))]
    return View(image, tuple(lines))


def _line(
    piece: Piece, move: tuple[float, float, float], limits: tuple[int, int, int, int]
) -> str | None:
    scale, dx, dy = move
    box = np.array(piece.box_px) * scale + (dx, dy, dx, dy)
    whole = (box[2] - box[0]) * (box[3] - box[1])
    clipped = np.array([*np.maximum(box[:2], limits[:2]), *np.minimum(box[2:], limits[2:])])
    width, height = clipped[2] - clipped[0], clipped[3] - clipped[1]
    least = 0.9 if piece.kind == "cube_board" else 0.5  # half a cube still is one, half a block not
    if width <= 2 or height <= 2 or width * height < least * whole:
        return None
    values = [(clipped[0] + clipped[2]) / 2, (clipped[1] + clipped[3]) / 2, width, height]
    for x, y in piece.corners_px or ((-1.0, -1.0),) * 4:
        x, y = x * scale + dx, y * scale + dy
        inside = piece.corners_px and limits[0] <= x <= limits[2] and limits[1] <= y <= limits[3]
        values += [x, y, 2.0 * INPUT_PX] if inside else [0.0, 0.0, 0.0]
    text = " ".join(f"{value / INPUT_PX:.5g}" for value in values)
    return f"{DETECTOR_CLASSES.index(piece.kind)} {text}"


def crops(scene: Composed, rng: np.random.Generator) -> Crops:
    """All 25 cells of a scene's block, and a few windows that are no face at all."""
    if scene.homography is None:
        return _no_faces(scene, rng, 6)
    # of a cell, at the corners: fits of cells under 26 px were 0.1 off, some 0.2 and more
    spread = float(rng.choice([0.02, 0.05, 0.1, 0.16], p=[0.35, 0.4, 0.17, 0.08]))
    square = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], np.float64)
    shifted = np.column_stack([square + rng.normal(0, spread * 1.6, (4, 2)), np.ones(4)])
    image = shifted @ scene.homography.T
    matrix = homography(square, image[:, :2] / image[:, 2:])
    own = _own_quads(scene, rng) if rng.random() < 0.5 else None
    images = face_crops(scene.image_bgr, matrix, SIZE, own)
    marks, dots = zip(*(cell_labels(scene, i) for i in range(SIZE * SIZE)), strict=True)
    other = _no_faces(scene, rng, 2)
    return Crops(
        np.concatenate([images, other.images]),
        np.concatenate([np.array(marks), other.marks]),
        np.concatenate([np.array(dots), other.dots]),
    )


def cell_labels(scene: Composed, index: int) -> tuple[int, int]:
    """Mark and dot index of one cell as the picture shows it: covered faces are ``none``."""
    mark, dot = scene.marks[index], scene.dots[index]
    if scene.visible[index] < SEEN_SHARE:
        mark, dot = "none", "unseen"
    elif scene.dot_visible[index] < DOT_SEEN_SHARE:
        dot = "unseen"
    return MARKS.index(mark), DOTS.index(dot)


def _own_quads(scene: Composed, rng: np.random.Generator) -> list[Quad | None]:
    """Each cube's own corners with the error of a detector, for the cells that have a cube."""
    quads: list[Quad | None] = [None] * (SIZE * SIZE)
    cubes = iter(piece for piece in scene.pieces if piece.kind == "cube")
    whole = [mark != "none" for mark in scene.marks]
    pieces = list(cubes)
    if len(pieces) < sum(whole):
        return quads  # the picture's edge cut some of them off
    place = iter(pieces)
    for index, stands in enumerate(whole):
        if stands:
            corners = np.array(next(place).corners_px)
            side = np.sqrt(cv2.contourArea(corners.astype(np.float32)))
            noisy = corners + rng.normal(0, 0.03 * side, (4, 2))
            quads[index] = as_quad(noisy)
    return quads


def _no_faces(scene: Composed, rng: np.random.Generator, count: int) -> Crops:
    """Windows of table, board and hand; between four cubes when there is a block."""
    height, width = scene.image_bgr.shape[:2]
    images = []
    for index in range(count):
        if scene.homography is not None and index == 0:
            corner = rng.integers(1, SIZE, 2) - 0.5 + rng.uniform(-0.08, 0.08, 2)
            unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) + corner
            flat = np.column_stack([unit, np.ones(4)]) @ scene.homography.T
            images.append(crop_from_quad(scene.image_bgr, flat[:, :2] / flat[:, 2:]))
            continue
        middle = _away_from_cubes(scene, rng, (width, height))
        side, angle = rng.uniform(16, 110), rng.uniform(0, np.pi / 2)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2
        images.append(crop_from_quad(scene.image_bgr, unit @ turn.T + middle))
    return Crops(
        np.stack(images),
        np.full(count, MARKS.index("none")),
        np.full(count, DOTS.index("unseen")),
    )


def _away_from_cubes(
    scene: Composed, rng: np.random.Generator, size_px: tuple[int, int]
) -> NDArray[np.float64]:
    place = rng.uniform(0, 1, 2) * size_px
    for _ in range(20):
        boxes = [p.box_px for p in scene.pieces if p.kind == "cube"]
        if not any(
            b[0] - 20 < place[0] < b[2] + 20 and b[1] - 20 < place[1] < b[3] + 20 for b in boxes
        ):
            break
        place = rng.uniform(0, 1, 2) * size_px
    return np.asarray(place, np.float64)
