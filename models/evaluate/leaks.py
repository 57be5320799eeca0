"""Whether a photograph that trained is also one that is measured on."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.evaluate.run import EvaluateConfig
from models.evaluate.table import write_rows
from models.places import real_pictures

HASH_SIDE: Final = 16
"""Bits of a row of the difference hash (Krawetz 2013), doubled from 8: fixed cameras take pictures
that differ by two dice only, and are told apart by 256 bits but not by 64."""

NEAR_BITS: Final = 12
"""Pictures whose hashes differ by at most so many of the 256 bits count as near duplicates: below
5 %, where rescaled and recompressed copies of one photograph come out."""


@dataclass(frozen=True, slots=True, eq=False)
class Photo:
    """One photograph and what it is compared by.

    Attributes:
        path: the file.
        source: repository it is from.
        sha256: of the file's bytes.
        bits: (HASH_SIDE^2,) bool, difference hash of the decoded picture.
    """

    path: Path
    source: str
    sha256: str
    bits: NDArray[np.bool_]


def measure_leaks(config: EvaluateConfig) -> None:
    """Same and near photographs by source, into ``leaks.csv``."""
    trained, measured = photos(real_pictures(), "train"), photos(real_pictures(), "dev")
    same, near = same_content(trained, measured), near_duplicates(trained, measured)
    lines: list[dict[str, Any]] = [
        {
            "source": source,
            "evaluation_pictures": sum(photo.source == source for photo in measured),
            "training_pictures": sum(photo.source == source for photo in trained),
            "same_content": sum(b.source == source for _, b in same),
            "near_duplicates": len({b.path for _, b in near if b.source == source}),
        }
        for source in dict.fromkeys(photo.source for photo in measured)
    ]
    write_rows(config.out / "leaks.csv", lines)
    for line in lines:
        if line["training_pictures"] or line["near_duplicates"]:
            print(line)


def photos(real: Path, split: str) -> tuple[Photo, ...]:
    """All labelled photographs of a split, ``train`` or ``dev``, over all kinds."""
    return tuple(_photo(*item) for item in _files(real, split))


def same_content(
    trained: Sequence[Photo], measured: Sequence[Photo]
) -> tuple[tuple[Photo, Photo], ...]:
    """Pairs of the same bytes."""
    known = {photo.sha256: photo for photo in trained}
    return tuple((known[photo.sha256], photo) for photo in measured if photo.sha256 in known)


def near_duplicates(
    trained: Sequence[Photo], measured: Sequence[Photo], bits: int = NEAR_BITS
) -> tuple[tuple[Photo, Photo], ...]:
    """Each measured photograph with the nearest that trained, where they differ by few bits."""
    table = np.stack([photo.bits for photo in trained])
    pairs = []
    for photo in measured:
        apart = (table != photo.bits).sum(axis=1)
        index = int(np.argmin(apart))
        if apart[index] <= bits:
            pairs.append((trained[index], photo))
    return tuple(pairs)


def difference_hash(image_bgr: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """(HASH_SIDE^2,) whether each cell of a small grey copy is darker than its right neighbour."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    small = cv2.resize(grey, (HASH_SIDE + 1, HASH_SIDE), interpolation=cv2.INTER_AREA)
    return np.asarray(small[:, :-1] < small[:, 1:]).reshape(-1)


def _files(real: Path, split: str) -> Iterator[tuple[Path, str]]:
    for labels in sorted(real.glob(f"*/{split}/labels.jsonl")):
        for line in labels.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield labels.parent / row["file"], row["source_repo"]


def _photo(path: Path, source: str) -> Photo:
    data = path.read_bytes()
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError(f"{path.name} is no picture")
    sha = hashlib.sha256(data).hexdigest()
    return Photo(path, source, sha, difference_hash(np.asarray(image, np.uint8)))
