"""One side of the comparison with stock ultralytics, run as a process of its own.

    python -m models.bench_stock stock|ours WEIGHTS RUNS PICTURE...

Prints one JSON object: the median time of a picture in ms, the peak memory of this process in MB,
and the boxes found in each picture.
"""

import json
import re
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Boxes = list[list[float]]
Find = Callable[[NDArray[np.uint8]], Boxes]

SURE = 0.4
"""Boxes below this score are left out on both sides: what lies near a limit may fall either way."""
NMS_IOU = 0.6  # that of `vision.detect`, so that both keep the same boxes


def main(argv: Sequence[str]) -> None:
    """Find dice in every picture so often and print what was measured."""
    side, weights, runs, *paths = argv
    find = _stock(Path(weights)) if side == "stock" else _ours(Path(weights))
    pictures = [np.asarray(cv2.imread(path), np.uint8) for path in paths]
    boxes = [find(picture) for picture in pictures]  # warm from here on
    times = []
    for _ in range(int(runs)):
        for picture in pictures:
            start = time.perf_counter()
            find(picture)
            times.append((time.perf_counter() - start) * 1000)
    print(json.dumps({"ms": statistics.median(times), "mb": peak_mb(), "boxes": boxes}))


def peak_mb() -> float:
    """Highest memory of this process so far.

    Linux hands the highest memory of the parent on to ``ru_maxrss`` of a child; the figure of the
    program itself stands in ``/proc``.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii"))
        if found:
            return int(found[1]) / 1e3
    scale = 1e6 if sys.platform == "darwin" else 1e3
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale


def _ours(weights: Path) -> Find:
    from vision.detect_onnx import OnnxDetector

    detector = OnnxDetector(weights)
    return lambda image: [list(found.box_px) for found in detector.detect(image, SURE)]


def _stock(weights: Path) -> Find:
    from models.offline import prepare
    from vision.onnx_session import usable_cores

    prepare(Path("build") / "bench" / "settings", usable_cores())
    from ultralytics import YOLO

    network: Any = YOLO(str(weights))

    def find(image: NDArray[np.uint8]) -> Boxes:
        (result,) = network.predict(image, imgsz=640, conf=SURE, iou=NMS_IOU, verbose=False)
        boxes: Boxes = result.boxes.xyxy.tolist()
        return boxes

    return find


if __name__ == "__main__":
    main(sys.argv[1:])
