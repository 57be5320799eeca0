"""Rounds a detector to whole numbers of 8 bits, weights and what flows between the layers alike.

Processors multiply four such numbers where they multiply one of 32 bits. How far each layer's
numbers reach is measured on pictures. The first and the last layers stay in 32 bits, since scores
and boxes hang on fractions of theirs.
"""

import random
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.errors import LabError
from vision.detect import letterbox

PICTURES: Final = 24
"""Pictures that ranges are measured on."""
SEED: Final = 5
KINDS: Final = ("Conv", "Sigmoid", "Mul", "Concat", "Add", "MaxPool", "Resize", "Split")
"""Layers that are rounded: convolutions, and what lies between them, so that nothing is widened on
the way. With convolutions alone a picture takes a third longer."""
FINE: Final = re.compile(r"/model\.([01]/|23/(?!cv[24]\.\d/cv[24]\.\d\.[01]/))")
"""Names of the layers of YOLO11 that stay in 32 bits: the first two, whose errors all others hand
on, the branch of the head that tells classes, and the head from its last convolutions on. They take
no longer, and scores are off by a third of what they are with those layers rounded as well."""


def quantise(source: Path, target: Path, folders: Sequence[Path], count: int = PICTURES) -> None:
    """Write the rounded network; needs the training environment.

    Args:
        source: the exported ``.onnx`` in 32 bits.
        target: where the rounded one goes.
        folders: of pictures like those it will see; as many are drawn from each.
        count: pictures in all.

    Raises:
        LabError: a folder holds no picture, or the network is no detector of ours.
    """
    import onnx

    pictures = draw(folders, count)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        quant_pre_process(str(source), str(plain), skip_symbolic_shape=True)
        names = [node.name for node in onnx.load(str(plain)).graph.node]
        fine = [name for name in names if FINE.match(name)]
        if not any("/model.23/" in name for name in fine):
            raise LabError(f"{source} has no head of YOLO11: only detectors are rounded")
        quantize_static(
            str(plain),
            str(target),
            Pictures(pictures),
            op_types_to_quantize=list(KINDS),
            nodes_to_exclude=fine,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            calibrate_method=CalibrationMethod.MinMax,
        )


def draw(folders: Sequence[Path], count: int) -> list[Path]:
    """Pictures from folders, as many from each, always the same ones.

    Raises:
        LabError: a folder holds none.
    """
    rng = random.Random(SEED)
    drawn: list[Path] = []
    for folder in folders:
        found = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".jpg", ".png"))
        if not found:
            raise LabError(f"{folder} holds no pictures")
        drawn += rng.sample(found, min(len(found), -(-count // len(folders))))
    return drawn[:count]


class Pictures(CalibrationDataReader):  # type: ignore[misc] # the library has no types
    """Pictures one after the other, as the detector is given them."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._tensors = self._read(paths)

    @staticmethod
    def _read(paths: Sequence[Path]) -> Iterator[NDArray[np.float32]]:
        for path in paths:
            yield letterbox(np.asarray(cv2.imread(str(path)), np.uint8), square=False)[0]

    def get_next(self) -> dict[str, Any] | None:
        """The next picture; None after the last."""
        tensor = next(self._tensors, None)
        return None if tensor is None else {"images": tensor}
