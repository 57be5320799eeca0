"""Cuts the photographed number tiles that may train: crops for the classifier, pictures as well.

The photographs tell a box and a value, no rotation. A tile whose box is as slender as the tile
itself lies straight, and the digit of these tall tiles stands in its upper half: where the ink is
tells which end is up. All other tiles only serve the detector, which needs no turn.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.compose.dice_set import pose_line
from vision.crops import crop_from_quad
from vision.labels import TILE_CLASSES, TURNS

SLENDER: Final = (1.24, 1.58)
"""Long side of a straight tile's box against its short one: these tiles are 1.4 times as high as
wide, and a tile turned by 12 degrees has a box of 1.2."""
LEAST_PX: Final = 14.0
OFF_MIDDLE: Final = 0.09
"""Distance of the ink's middle from the tile's, in sides, from which its end is told; across the
tile it must be less."""
INK: Final = 60.0
"""Distance of ink from the tile's own colour, of 255: printed digits differ by 100 and more."""
MOST_RIM: Final = 0.05
"""Share of ink on the rim over which it is a shadow or a neighbour rather than a digit."""
SHIFT: Final = 0.03
"""Standard error of a cut's corners, in sides."""
VIEW_QUALITY: Final = 88

Bytes = NDArray[np.uint8]
Quad = NDArray[np.float64]


def write_real_tiles(real: Path, out: Path, copies: int = 6, seed: int = 1) -> int:
    """Write a set of the number tiles in photographs: pictures, labels, and crops.

    Args:
        real: folder of the real photographs.
        out: folder of the set.
        copies: cuts of each straight tile with one figure.
        seed: of turns and errors.

    Returns:
        Number of crops.

    Raises:
        FileNotFoundError: the photographs are not there.
    """
    rng = np.random.default_rng(seed)
    for name in ("images", "labels", "crops"):
        (out / name).mkdir(parents=True, exist_ok=True)
    images: list[Bytes] = []
    classes: list[int] = []
    edges: list[float] = []
    for name, image, tiles in photographs(real / "number_tiles" / "train"):
        _write_view(out, name, image, tiles)
        for tile in tiles:
            lone = len(str(tile["value"])) == 1 and str(tile["value"]).isdigit()
            quad = straight_quad(image, tile["box"]) if lone else None
            if quad is None:
                continue
            for _ in range(copies):
                crop, turn = cut(rng, image, quad)
                images.append(crop)
                classes.append(TILE_CLASSES.index(f"{tile['value']}@{turn}"))
                edges.append(float(np.hypot(*(quad[1] - quad[0]))))
    np.savez(
        out / "crops" / "000000.npz",
        images=np.stack(images),
        classes=np.array(classes, np.int16),
        edge_px=np.array(edges, np.float32),
        photographs=np.True_,
    )
    return len(images)


def photographs(folder: Path) -> Iterator[tuple[str, Bytes, list[dict[str, Any]]]]:
    """Name, picture and boxed tiles of every photograph with boxes.

    Raises:
        FileNotFoundError: the folder holds no labels.
    """
    labels = folder / "labels.jsonl"
    if not labels.exists():
        raise FileNotFoundError(f"no photographs of tiles in {folder}: set ARBITRE_REAL")
    with labels.open(encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            truth = row["truth"]
            image = cv2.imread(str(folder / row["file"]), cv2.IMREAD_COLOR)
            tiles = truth.get("tiles") or [{}] if isinstance(truth, dict) else [{}]
            if image is not None and "box" in tiles[0]:
                yield Path(row["file"]).stem, np.asarray(image, np.uint8), tiles


def straight_quad(image: Bytes, box: list[float]) -> Quad | None:
    """Corners (4, 2) of a tall tile that lies straight, the first at the top left of its digit.

    None where its turn is in doubt.
    """
    x0, y0, x1, y1 = box
    width, height = x1 - x0, y1 - y0
    long, short = max(width, height), max(min(width, height), 1e-6)
    if short < LEAST_PX or not SLENDER[0] <= long / short <= SLENDER[1]:
        return None
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)
    middle = _ink_middle(image, box)
    if middle is None:
        return None
    off, aside = (middle[1], middle[0]) if height > width else middle
    if abs(off) < OFF_MIDDLE or abs(aside) > OFF_MIDDLE:
        return None
    # a digit's top that points to the left is turned three quarters
    turn = (0 if off < 0 else 2) if height > width else (3 if off < 0 else 1)
    return np.roll(corners, -turn, axis=0)


def _ink_middle(image: Bytes, box: list[float]) -> tuple[float, float] | None:
    """Middle of the ink against the box's middle, in its sides; None where there is hardly any."""
    x0, y0, x1, y1 = (round(value) for value in box)
    part = image[max(y0, 0) : y1, max(x0, 0) : x1].astype(np.float32)
    height, width = part.shape[:2]
    if min(height, width) < LEAST_PX:
        return None
    rim_y, rim_x = round(0.1 * height), round(0.1 * width)
    inner = part[rim_y : height - rim_y, rim_x : width - rim_x]
    body = np.percentile(inner.reshape(-1, 3), 60, axis=0)
    ends = [inner[y, x] for y in (slice(3), slice(-3, None)) for x in (slice(3), slice(-3, None))]
    if max(float(np.abs(end.mean(axis=(0, 1)) - body).max()) for end in ends) > INK:
        return None  # the table, or a neighbour, in a corner of the box: the tile lies askew
    ink = np.abs(inner - body).max(axis=2) > INK
    rim = np.concatenate([ink[0], ink[-1], ink[:, 0], ink[:, -1]])
    if not 0.02 < ink.mean() < 0.3 or rim.mean() > MOST_RIM:
        return None
    rows, columns = np.nonzero(ink)
    return (
        float(columns.mean() / ink.shape[1] - 0.5) * 0.8,
        float(rows.mean() / ink.shape[0] - 0.5) * 0.8,
    )


def cut(rng: np.random.Generator, image: Bytes, quad: Quad) -> tuple[Bytes, int]:
    """One crop of a tile in a frame of any quarter turn, and the digit's turn in it.

    Half of the cuts hold the whole tall tile, squeezed as a cell would be; half are the square of
    its digit.
    """
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    if rng.random() < 0.5:
        aspect = float(np.hypot(*down) / max(np.hypot(*across), 1e-6))
        low = quad[0] + down * rng.uniform(-0.02, 0.08)
        quad = np.stack([low, low + across, low + across + down / aspect, low + down / aspect])
    side = float(np.hypot(*across))
    noisy = quad + rng.normal(0, SHIFT * side, (4, 2)) + rng.normal(0, SHIFT * side, 2)
    angle = rng.normal(0, np.radians(3))
    cos, sin = np.cos(angle), np.sin(angle)
    middle = noisy.mean(axis=0)
    turned = (noisy - middle) @ np.array([[cos, sin], [-sin, cos]]) * rng.uniform(0.95, 1.1)
    quarter = int(rng.integers(TURNS))
    crop = crop_from_quad(image, np.roll(turned + middle, -quarter, axis=0))
    return np.asarray(crop, np.uint8), -quarter % TURNS


def _write_view(out: Path, name: str, image: Bytes, tiles: list[dict[str, Any]]) -> None:
    height, width = image.shape[:2]
    quality = [cv2.IMWRITE_JPEG_QUALITY, VIEW_QUALITY]
    cv2.imwrite(str(out / "images" / f"{name}.jpg"), image, quality)
    lines = [pose_line("tile", tuple(tile["box"]), None, (width, height)) for tile in tiles]
    (out / "labels" / f"{name}.txt").write_text("".join(line + "\n" for line in lines))
