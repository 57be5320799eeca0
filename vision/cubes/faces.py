"""What cells of a live board show: cut, classified, without the word of what glare hides."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.crops import crop_from_quad
from vision.cubes.adapt import adapted
from vision.cubes.classify import FaceScores
from vision.cubes.comparing import Compared
from vision.cubes.find import BoardView
from vision.glare import without_glare
from vision.observe import Models, look_twice


class Faces:
    """Tells faces.

    Args:
        models: The networks, adapted to a set or not.
    """

    def __init__(self, models: Models) -> None:
        self._models = models

    def tell(
        self, image_bgr: NDArray[np.uint8], now: Compared, cells: list[int], *, twice: bool
    ) -> tuple[FaceScores, ...]:
        """Scores of some cells; a blank face under glare is none to be sure of."""
        if not cells:
            return ()
        scores = self._classify(image_bgr, now.view, cells, twice=twice)
        return without_glare(scores, cells, now.zone, now.view.lattice.size)

    def _classify(
        self, image_bgr: NDArray[np.uint8], view: BoardView, cells: list[int], *, twice: bool
    ) -> tuple[FaceScores, ...]:
        """Scores of some cells in one frame."""
        if not cells:
            return ()
        part = replace(view, cells=tuple(view.cells[index] for index in cells))
        crops = np.stack([crop_from_quad(image_bgr, cell.quad_px) for cell in part.cells])
        scores = self._models.classifier.classify(crops)
        if twice:
            scores = look_twice(image_bgr, part, scores, self._models.classifier)
        adaptation = self._models.adaptation
        return scores if adaptation is None else adapted(scores, adaptation)
