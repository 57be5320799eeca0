"""The bank of rendered cube tops that the compositor pastes: format, reading and writing.

One ``<wood>.npz`` a wood, written by `models.render.faces`. This module needs only numpy and cv2,
so it runs where no renderer is installed.

In the file: ``meta`` is JSON as UTF-8 bytes; ``albedo``, ``normal`` and ``light`` are JPEG streams
laid end to end, cut at ``albedo_ends`` and so on (noise and slow shading do not deflate well);
a ``light`` picture is sky, sky_packed and the eight suns one above the other; ``alpha`` and ``ink``
are plain arrays.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

FORMAT = 1
MARKS = ("blank", "cross", "circle")
SUN_AZIMUTHS_DEG = (0, 45, 90, 135, 180, 225, 270, 315)
"""Where each sun stands: 0 is N (picture up), 90 is E (right), clockwise."""
SUN_ELEVATION_DEG = 40.0
_PLAIN = ("alpha", "ink")
_JPEG_QUALITY = 92
_LIGHT_QUALITY = 86  # shading is smooth: a third smaller, errors below 2 of 255 on average


@dataclass(frozen=True, slots=True)
class FaceBank:
    """Stills of cube tops seen straight from above, dot towards N (picture up); N stills.

    Each picture shows the whole top with its chamfers: the cube's edge is the picture's side.

    Attributes:
        woods: (N,) name of each still's wood.
        marks: (N,) ``blank``, ``cross`` or ``circle``.
        designs: (N,) name of the drawing, unique over all woods; empty for blanks.
        gloss: (N,) float32, 0 raw wood to 1 lacquer.
        chamfer: (N,) float32, width of the chamfer as a share of the edge.
        rounded: (N,) bool, tumbled cubes, rounded like a die.
        albedo_bgr: (N, S, S, 3) uint8, sRGB-encoded colour without any light.
        normal_xy: (N, S, S, 2) uint8, (value - 128) / 127 is x (right), y (down) of the unit
            normal; z towards the viewer follows.
        sky: (N, S, S) uint8, light under a uniform sky, cube alone, 255 = open level plane.
        sky_packed: (N, S, S) uint8, the same with eight neighbour cubes touching.
        suns: (N, 8, S, S) uint8, cosine times visibility for each of `SUN_AZIMUTHS_DEG`;
            255 = the light falls square on, so an open level plane has 255 sin 40 degrees = 164.
        alpha: (N, S, S) uint8, share of the pixel inside the silhouette.
        ink: (N, S, S) uint8, share of the colour that is the mark's.
    """

    woods: NDArray[np.str_]
    marks: NDArray[np.str_]
    designs: NDArray[np.str_]
    gloss: NDArray[np.float32]
    chamfer: NDArray[np.float32]
    rounded: NDArray[np.bool_]
    albedo_bgr: Bytes
    normal_xy: Bytes
    sky: Bytes
    sky_packed: Bytes
    suns: Bytes
    alpha: Bytes
    ink: Bytes

    def __len__(self) -> int:
        return len(self.woods)

    def pick(self, wood: str | None = None, mark: str | None = None) -> NDArray[np.intp]:
        """Indices of the stills of a wood and a mark; None means any."""
        keep = np.ones(len(self), bool)
        if wood is not None:
            keep &= self.woods == wood
        if mark is not None:
            keep &= self.marks == mark
        return np.flatnonzero(keep)


def load_bank(folder: Path | str, split: str | None = None) -> FaceBank:
    """All stills of one split (``train``, ``calibration``, ``evaluation``), or of all.

    Raises:
        FileNotFoundError: there is no finished wood of that split in the folder.
    """
    parts: list[dict[str, Any]] = []
    for path in sorted(Path(folder).glob("*.npz")):
        with np.load(path) as file:
            meta = json.loads(bytes(file["meta"]).decode())
            if split is None or meta["split"] == split:
                parts.append(_read(file, meta))
    if not parts:
        raise FileNotFoundError(
            f"no face stills{f' of split {split}' if split else ''} in {folder}: "
            "run `arbitre-lab render faces` first"
        )
    return FaceBank(**{key: np.concatenate([part[key] for part in parts]) for key in parts[0]})


def _read(file: Any, meta: dict[str, Any]) -> dict[str, Any]:
    stills = meta["stills"]
    part: dict[str, Any] = {
        "woods": np.array([meta["wood"]] * len(stills)),
        "marks": np.array([still["mark"] for still in stills]),
        "designs": np.array([still["design"] for still in stills]),
        "gloss": np.full(len(stills), meta["gloss"], np.float32),
        "chamfer": np.array([still["chamfer"] for still in stills], np.float32),
        "rounded": np.array([still["rounded"] for still in stills], bool),
        "albedo_bgr": _decode(file["albedo"], file["albedo_ends"]),
        "normal_xy": _decode(file["normal"], file["normal_ends"])[..., :2].copy(),
    }
    light = _decode(file["light"], file["light_ends"], cv2.IMREAD_GRAYSCALE)
    light = light.reshape(len(stills), 2 + len(SUN_AZIMUTHS_DEG), -1, light.shape[-1])
    part |= {"sky": light[:, 0], "sky_packed": light[:, 1], "suns": light[:, 2:]}
    return part | {key: file[key] for key in _PLAIN}


def save_wood(path: Path, meta: dict[str, Any], stills: Iterable[dict[str, Bytes]]) -> None:
    """Write one wood; the file appears whole or not at all.

    Args:
        path: the ``.npz`` to write.
        meta: ``wood``, ``split``, ``seed``, ``gloss`` and ``stills``, a list of ``mark``,
            ``design``, ``chamfer``, ``rounded``.
        stills: channel arrays of each still: ``albedo_bgr``, ``normal_xy`` and the plain ones.
    """
    stills = list(stills)
    albedo, albedo_ends = _encode([still["albedo_bgr"] for still in stills])
    normal, normal_ends = _encode([_with_blue(still["normal_xy"]) for still in stills])
    light, light_ends = _encode([_column(still) for still in stills], _LIGHT_QUALITY)
    plain: dict[str, Any] = {key: np.stack([still[key] for still in stills]) for key in _PLAIN}
    text = json.dumps(meta | {"format": FORMAT}).encode()
    aside = path.with_suffix(".part")
    with aside.open("wb") as file:
        np.savez_compressed(
            file,
            meta=np.frombuffer(text, np.uint8),
            albedo=albedo,
            albedo_ends=albedo_ends,
            normal=normal,
            normal_ends=normal_ends,
            light=light,
            light_ends=light_ends,
            **plain,
        )
    aside.replace(path)


def read_meta(path: Path) -> dict[str, Any]:
    """The description of one wood's file, without its pictures."""
    with np.load(path) as file:
        meta: dict[str, Any] = json.loads(bytes(file["meta"]).decode())
    return meta


def _with_blue(xy: Bytes) -> Bytes:
    return np.concatenate([xy, np.full_like(xy[..., :1], 255)], axis=-1)


def _column(still: dict[str, Bytes]) -> Bytes:
    return np.concatenate([still["sky"], still["sky_packed"], *still["suns"]])


def _encode(pictures: list[Bytes], quality: int = _JPEG_QUALITY) -> tuple[Bytes, NDArray[np.int64]]:
    options = [
        cv2.IMWRITE_JPEG_QUALITY,
        quality,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
    ]
    streams = [cv2.imencode(".jpg", picture, options)[1].ravel() for picture in pictures]
    return np.concatenate(streams), np.cumsum([len(stream) for stream in streams])


def _decode(data: Bytes, ends: NDArray[np.int64], flags: int = cv2.IMREAD_COLOR) -> Bytes:
    pictures = [np.asarray(cv2.imdecode(part, flags)) for part in np.split(data, ends[:-1])]
    return np.stack(pictures).astype(np.uint8)
