"""Turns the photographs that may train into a set beside the composed ones.

Dice and number tiles of real tables keep the detector from calling every square thing a cube;
their crops are ``none`` to the classifier of Quixo cells. Credits: see the model card.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.crops import crop_from_quad
from vision.labels import DETECTOR_CLASSES, DOTS, MARKS

LONGEST_PX = 512
"""Longer side of stored pictures: a tenth of the originals' size, still sharper than most dice
in play."""

QUALITY = 80


def write_real_set(real: Path, out: Path) -> int:
    """Write pictures, labels and crops of all photographs that may train weights.

    Args:
        real: folder of the real photographs.
        out: folder of the set.

    Returns:
        Number of pictures.
    """
    for name in ("images", "labels", "crops"):
        (out / name).mkdir(parents=True, exist_ok=True)
    count = 0
    for path, kind, boxes in _pictures(real):
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if image is None:
            continue
        scale = min(1.0, LONGEST_PX / max(image.shape[:2]))
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        cv2.imwrite(
            str(out / "images" / f"{path.stem}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY]
        )
        lines = [_line(kind, np.array(box) * scale, small.shape) for box in boxes]
        (out / "labels" / f"{path.stem}.txt").write_text("\n".join(lines) + "\n")
        count += 1
    write_crops(out)
    return count


def write_crops(out: Path) -> None:
    """Cut the crops of a written set again from its pictures and labels."""
    crops = []
    for path in sorted((out / "labels").glob("*.txt")):
        image = np.asarray(cv2.imread(str(out / "images" / f"{path.stem}.jpg")), np.uint8)
        for line in path.read_text().splitlines():
            if line:
                crops.append(_crop(image, np.array(line.split()[1:5], float)))
    np.savez(
        out / "crops" / "000000.npz",
        images=np.stack(crops),
        marks=np.full(len(crops), MARKS.index("none"), np.uint8),
        dots=np.full(len(crops), DOTS.index("unseen"), np.uint8),
    )


def _pictures(real: Path) -> Iterator[tuple[Path, str, list[list[float]]]]:
    for row in _rows(real / "dice" / "train"):
        if row.get("truth_complete", True):
            boxes = [die["bbox"] for die in row["dice"]]
            yield real / "dice" / "train" / row["file"], "die", boxes
    for row in _rows(real / "number_tiles" / "train"):
        boxes = [tile["box"] for tile in row["truth"]["tiles"]]
        yield real / "number_tiles" / "train" / row["file"], "tile", boxes


def _rows(folder: Path) -> Iterator[dict[str, Any]]:
    with (folder / "labels.jsonl").open(encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def _line(kind: str, box: np.ndarray[Any, Any], shape: tuple[int, ...]) -> str:
    """A label without corners: real boxes say nothing of the upward face."""
    height, width = shape[:2]
    x, y = (box[0] + box[2]) / 2 / width, (box[1] + box[3]) / 2 / height
    w, h = (box[2] - box[0]) / width, (box[3] - box[1]) / height
    return f"{DETECTOR_CLASSES.index(kind)} {x:.5f} {y:.5f} {w:.5f} {h:.5f}" + " 0 0 0" * 4


def _crop(image: np.ndarray[Any, Any], label: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Cut a labelled box; ``label`` is centre, width and height as shares of the picture."""
    height, width = image.shape[:2]
    x, y, w, h = label * (width, height, width, height)
    x0, y0, x1, y1 = (float(v) for v in (x - w / 2, y - h / 2, x + w / 2, y + h / 2))
    return crop_from_quad(image, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)))
