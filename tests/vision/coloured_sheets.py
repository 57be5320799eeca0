"""Our own printed sheets with patches of colour for handwriting, and what reads the patches.

The print is the real one and goes through the real finder; only the network is replaced by a look
at the middle of each crop. A patch without blue stands for a text, any paper or print for none.
"""

import io
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from numpy.typing import NDArray

from server.printing.paper import PAPERS
from server.printing.sheets import arrangement
from tests.server.pages import PX_PER_MM, printed, rendered
from tests.vision.field_scores import scores
from vision.pictures import Picture
from vision.plans.sheets import sheet_plan
from vision.sheets.classify import FieldScores
from vision.sheets.models import FieldModels, FieldThresholds

Image = NDArray[np.uint8]

SCALE = 0.6
"""Of 300 dpi: a field of 12 mm has 85 px, as near as a telephone comes."""
PATCH_MM = 3.0
TEXTS = (*map(str, range(-20, 121)), *"/X=#TO", "x")
_LEVELS = 15
_STEP = 17


def code_of(text: str) -> tuple[int, int, int]:
    """The colour, BGR, of a text."""
    high, low = divmod(TEXTS.index(text), _LEVELS)
    return 0, high * _STEP + 5, low * _STEP + 5


class Patches:
    """Reads patches as a network reads writing.

    Args:
        sure: Probability of state and of each digit.
        unsure: Texts that are read with a probability of 0.8.
    """

    def __init__(self, sure: float = 0.999, unsure: Sequence[str] = ()) -> None:
        self.sure, self.unsure = sure, unsure

    def classify(self, crops_bgr: Image) -> tuple[FieldScores, ...]:
        """Scores of crops (N, 64, 64, 3)."""
        return tuple(self._one(crop) for crop in crops_bgr)

    def _one(self, crop: Image) -> FieldScores:
        blue, green, red = np.median(crop[30:34, 30:34].reshape(-1, 3), axis=0)
        if blue > 60:
            return scores(sure=self.sure)
        place = round((green - 5) / _STEP) * _LEVELS + round((red - 5) / _STEP)
        text = TEXTS[min(max(place, 0), len(TEXTS) - 1)]
        value = 0.8 if text in self.unsure else self.sure
        return scores(text, "written", self.sure, value)


def models_for(sure: float = 0.999, unsure: Sequence[str] = ()) -> FieldModels:
    """A model of patches with even thresholds."""
    return FieldModels(Patches(sure, unsure), FieldThresholds(0.9, 0.9, 0.9, 0.9, 0.9))


@cache
def page(game: str) -> Image:
    """A page of empty sheets of ours, (H, W, 3) BGR; not to be written on."""
    with TemporaryDirectory() as folder, redirect_stdout(io.StringIO()):
        pdf = printed(Path(folder), "--game", game, "--what", "sheet", "--paper", "a4")
    white = rendered(pdf, scale=SCALE)[..., :3]
    return np.ascontiguousarray(white // 5 * 4)  # paper as photographed; see `gain_of`


def sheet_image(game: str, texts: Mapping[str, str], edge_px: int = 60) -> Image:
    """One printed sheet with patches, cut out of its page, on a grey table.

    Args:
        game: Whose sheet.
        texts: What is written, by path; boxes of failed throws as ``failed[0]`` with ``x``.
        edge_px: Width of the table around it.
    """
    plan = sheet_plan(game)
    x, y = (round(v * px()) for v in arrangement(plan, PAPERS["a4"]).places_mm()[0])
    width, height = (round(v * px()) for v in plan.size_mm)
    sheet = page(game)[y : y + height, x : x + width].copy()
    for path, text in texts.items():
        at = tuple(round(v * px()) for v in plan.field(path).centre_mm)
        cv2.circle(sheet, at, round(PATCH_MM * px()), code_of(text), -1)
    table = np.full((height + 2 * edge_px, width + 2 * edge_px, 3), (96, 104, 110), np.uint8)
    table[edge_px:-edge_px, edge_px:-edge_px] = sheet
    return table


def px() -> float:
    """Px per mm of the pictures."""
    return PX_PER_MM * SCALE


def picture_of(image: Image, scale: float = 1.0) -> Picture:
    """A picture that was reduced by a factor when it was decoded."""
    height, width = image.shape[:2]
    return Picture(image, (round(width / scale), round(height / scale)), scale, Path("sheet.jpg"))
