"""What people answered, kept with the crop it was about: the user's own examples.

    DIR/examples/sheets/crops/ab/ab….png   64 px crops, named by their content
    DIR/examples/sheets/answers.jsonl      one answer a line, appended, never edited

A later line about the same crop holds. Crops are cut with the function that readers and trainers
cut with, so that a recogniser may learn from them as they are. Nothing is sent anywhere.
"""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from server.spool import write_aside

if TYPE_CHECKING:
    from vision.crops import Image
    from vision.homography import Quad
    from vision.observation import Candidates, Field

FOLDER: Final = "examples"
ANSWERS: Final = "answers.jsonl"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person said about one field.

    Attributes:
        game: id of the game.
        edition: whose print the sheet is.
        where: path of the field, such as ``orange[3]``.
        text: what is written there, as the person said.
        read: what was read there.
        candidates: values with the reader's probabilities, most likely first.
        asked: the program had asked, rather than the person looking by themselves.
    """

    game: str
    edition: str
    where: str
    text: str
    read: str
    candidates: "Candidates"
    asked: bool

    @staticmethod
    def about(field: "Field", value: int | str | None, *, game: str, edition: str) -> "Answer":
        """What a person said about a field that was read; None for a box without a number."""
        where, read, text = field.where, field.value, "" if value is None else str(value)
        return Answer(game, edition, where, text, read, field.candidates, field.asked)


class Examples:
    """The answers of one data folder. Threads may share it.

    Args:
        data: the data folder.
        clock: seconds since 1970.
    """

    def __init__(self, data: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = data / FOLDER / "sheets"
        self._clock = clock
        self._lock = threading.Lock()

    def keep(self, answers: Sequence[tuple[Answer, bytes]]) -> None:
        """Keep answers, each with the crop it is about as a PNG file; raises `OSError`."""
        lines = []
        for answer, png in answers:
            name = hashlib.sha256(png).hexdigest()
            path = self._path / "crops" / name[:2] / f"{name}.png"
            if not path.is_file():
                write_aside(path, png)
            told = {"crop": name, **asdict(answer), "at_s": round(self._clock(), 3)}
            lines.append(json.dumps(told, ensure_ascii=False) + "\n")
        if not lines:
            return
        self._path.mkdir(parents=True, exist_ok=True)
        with self._lock, (self._path / ANSWERS).open("a", encoding="utf-8") as file:
            file.write("".join(lines))


def crop_png(image_bgr: "Image", answer: Answer, quad_px: "Quad") -> bytes:
    """The field of an answer as readers see it; of failed throws all boxes together.

    Args:
        image_bgr: (H, W, 3), the picture that was read.
        answer: what was said about the field.
        quad_px: its corners, px, clockwise from the field's own top left.
    """
    return _png(_crop(image_bgr, answer, quad_px))


def _crop(image_bgr: "Image", answer: Answer, quad_px: "Quad") -> "Image":
    import cv2
    import numpy as np

    from vision.crops import crop_field
    from vision.homography import project

    width, height = _size_mm(answer)
    corners_mm = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    to_px = cv2.getPerspectiveTransform(corners_mm, np.array(quad_px, np.float32))
    middle = (width / 2, height / 2)
    return crop_field(image_bgr, lambda points: project(to_px, points), middle, (width, height))


def _size_mm(answer: Answer) -> tuple[float, float]:
    from vision.plans.sheets import sheet_plan

    edition = "commercial" if answer.edition == "commercial" else "printed"
    plan = sheet_plan(answer.game, edition)
    if answer.where != "failed":
        return plan.field(answer.where).size_mm
    boxes = plan.of_kind("failed")
    (left, top), (right, bottom) = boxes[0].outline_mm()[0], boxes[-1].outline_mm()[2]
    return right - left, bottom - top


def _png(image_bgr: "Image") -> bytes:
    import cv2

    done, content = cv2.imencode(".png", image_bgr)
    assert done  # only a picture without pixels cannot be encoded
    return content.tobytes()
