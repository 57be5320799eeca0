"""Cuts small windows out of a set's pictures, so that a detector learns quickly from large ones.

A step at 320 px costs a quarter of one at 640 px. Whole pictures shrunk to that hold dice smaller
than in play, so each gives a shrunk one and windows at its own scale: together they show pieces at
every size a network with an input of 640 px meets.
"""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.render.progress import Progress

LEAST_SEEN = 0.5
"""Share of a piece's box in the window under which it is no example; half a die still is one."""
QUALITY = 88
"""JPEG quality of windows: the scenes' own artefacts stay the stronger ones."""
EMPTY_SHARE = 0.1
"""Part of the windows drawn anywhere; the others are drawn around a piece."""

Rows = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WindowsConfig:
    """What to cut.

    Attributes:
        source: set with ``images`` and ``labels``.
        out: set to write.
        side_px: edge of the windows.
        each: windows of a picture at its own scale, besides the shrunk one.
        seed: of their places.
    """

    source: Path
    out: Path
    side_px: int = 320
    each: int = 2
    seed: int = 1


def write_windows(config: WindowsConfig) -> int:
    """Write all windows; returns their number."""
    for name in ("images", "labels"):
        (config.out / name).mkdir(parents=True, exist_ok=True)
    paths = sorted((config.source / "images").glob("*.jpg"))
    if not paths:
        raise FileNotFoundError(f"no pictures in {config.source / 'images'}: compose the set first")
    progress, count = Progress(len(paths), "windows"), 0
    for path in paths:
        rng = np.random.default_rng((config.seed, len(path.stem), *path.stem.encode()))
        image = np.asarray(cv2.imread(str(path)), np.uint8)
        rows = read_labels(config.source / "labels" / f"{path.stem}.txt")
        for index, box in enumerate(_boxes(rng, image, rows, config)):
            window, kept = cut(image, rows, box, config.side_px)
            name = f"{path.stem}_{index}"
            cv2.imwrite(
                str(config.out / "images" / f"{name}.jpg"),
                window,
                [cv2.IMWRITE_JPEG_QUALITY, QUALITY],
            )
            text = "".join(" ".join(f"{v:.5g}" for v in row) + "\n" for row in kept)
            (config.out / "labels" / f"{name}.txt").write_text(text)
            count += 1
        progress.step()
    return count


def read_labels(path: Path) -> Rows:
    """(n, 17) class, box, four times x, y, visible, as shares of the picture; none without file."""
    lines = path.read_text().splitlines() if path.exists() else []
    rows = [[float(value) for value in line.split()] for line in lines if line.strip()]
    return np.array(rows, np.float64).reshape(-1, 17)


def _boxes(
    rng: np.random.Generator, image: NDArray[np.uint8], rows: Rows, config: WindowsConfig
) -> list[tuple[int, int, int]]:
    """Left, top and side of the windows, px; the whole picture first."""
    height, width = image.shape[:2]
    longer = max(height, width)
    found = [((width - longer) // 2, (height - longer) // 2, longer)]
    for _ in range(config.each if longer > config.side_px else 0):
        side = int(min(config.side_px * rng.uniform(0.7, 1.3), longer))
        middle = rng.uniform(0, 1, 2) * (width, height)
        if len(rows) and rng.random() >= EMPTY_SHARE:
            piece = rows[int(rng.integers(len(rows)))]
            middle = piece[1:3] * (width, height) + rng.normal(0, side / 5, 2)
        left, top = (middle - side / 2).round().astype(int).tolist()
        found.append((_held(left, side, width), _held(top, side, height), side))
    return found


def _held(start: int, side: int, length: int) -> int:
    """A window's start, moved so that it lies in the picture, or centred where it is larger."""
    return (length - side) // 2 if side >= length else max(0, min(start, length - side))


def cut(
    image: NDArray[np.uint8], rows: Rows, box: tuple[int, int, int], side_px: int
) -> tuple[NDArray[np.uint8], Rows]:
    """One window and the labels of what lies in it.

    Args:
        image: (H, W, 3).
        rows: (n, 17), shares of the picture.
        box: left, top and side of the square, px; it may reach beyond the picture.
        side_px: edge of the result.

    Returns:
        (side_px, side_px, 3), grey beyond the picture, and (m, 17), shares of the window.
    """
    left, top, side = box
    height, width = image.shape[:2]
    square = np.full((side, side, 3), 114, np.uint8)  # the grey of ultralytics
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(left + side, width), min(top + side, height)
    square[y0 - top : y1 - top, x0 - left : x1 - left] = image[y0:y1, x0:x1]
    method = cv2.INTER_AREA if side > side_px else cv2.INTER_LINEAR
    window = cv2.resize(square, (side_px, side_px), interpolation=method)
    kept = [moved for row in rows if (moved := _moved(row, (width, height), box)) is not None]
    return np.asarray(window, np.uint8), np.array(kept, np.float64).reshape(-1, 17)


def _moved(row: Rows, size: tuple[int, int], box: tuple[int, int, int]) -> Rows | None:
    left, top, side = box
    start, scale = np.array([left, top], np.float64), np.array(size, np.float64)
    middle, half = row[1:3] * scale, row[3:5] * scale / 2
    low, high = (middle - half - start) / side, (middle + half - start) / side
    inner_low, inner_high = low.clip(0, 1), high.clip(0, 1)
    inner = (inner_high - inner_low).clip(0)
    if inner.prod() < LEAST_SEEN * max((high - low).prod(), 1e-9) or inner.min() * side < 3:
        return None
    corners = row[5:].reshape(4, 3).copy()
    corners[:, :2] = (corners[:, :2] * scale - start) / side
    outside = (corners[:, :2] < 0).any(axis=1) | (corners[:, :2] > 1).any(axis=1)
    corners[outside | (corners[:, 2] == 0)] = 0
    return np.concatenate([row[:1], (inner_low + inner_high) / 2, inner, corners.ravel()])
