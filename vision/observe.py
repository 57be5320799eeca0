"""Picture in, observation out: find the boards, cut their faces, classify them. Knows no game."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision import quality
from vision.crops import crop_from_quad, face_crops
from vision.cubes.adapt import Adaptation, adapted, estimate
from vision.cubes.agreement import is_confirmed
from vision.cubes.classify import Calibration, FaceClassifier, FaceScores
from vision.cubes.classify_onnx import OnnxFaceClassifier
from vision.cubes.find import BoardView, board_at, find_boards
from vision.cubes.nudges import NUDGES, is_doubtful, merged, nudged
from vision.detect import Detector
from vision.detect_onnx import OnnxDetector
from vision.errors import PictureError
from vision.homography import Quad
from vision.observation import Observation, SeenBoard, Thresholds
from vision.pictures import Picture
from vision.weights import MODELS, find_entry, find_weights

DETECTOR: Final = "detector"
CLASSIFIER: Final = "quixo_faces"
"""Names of the networks in the manifest."""


@dataclass(frozen=True, slots=True, eq=False)
class Models:
    """The networks, loaded, and what is known about them.

    Attributes:
        detector: Finds pieces.
        classifier: Tells faces.
        thresholds: When to ask.
        adaptation: To the user's own set; see `adapt_to`.
    """

    detector: Detector
    classifier: FaceClassifier
    thresholds: Thresholds
    adaptation: Adaptation | None = None


def load_models(folder: Path = MODELS) -> Models:
    """Load the shipped networks.

    Args:
        folder: Where ``manifest.toml`` lies.

    Raises:
        WeightsMissing: The manifest or a file is not there.
        WeightsAltered: A file differs from the manifest or does not load.
    """
    known = find_entry(CLASSIFIER, folder)
    calibration = known.figures(Calibration(1.0, 1.0))
    return Models(
        OnnxDetector(find_weights(DETECTOR, folder)),
        OnnxFaceClassifier(find_weights(CLASSIFIER, folder), calibration),
        known.figures(Thresholds(), "_threshold"),
    )


def observe(
    image_bgr: NDArray[np.uint8], models: Models, corners_px: Quad | None = None, size: int = 5
) -> Observation:
    """Find and classify all boards in a picture.

    Args:
        image_bgr: (H, W, 3).
        models: The networks.
        corners_px: Corners of the block of cubes given by hand, px of this picture, any order.
        size: Cubes along one side.

    Raises:
        ValueError: The corners given are no convex quadrilateral.
    """
    if corners_px is None:
        search = find_boards(image_bgr, models.detector, size)
    else:
        search = board_at(corners_px, image_bgr, size)
    views, reason = search.views, search.reason
    if corners_px is None and views:
        views = tuple(v for v in views if is_confirmed(image_bgr, v, models.detector))
        reason = None if views else "unsure"
    boards = tuple(_classify(image_bgr, view, models) for view in views)
    overall = boards[0].quality if boards else quality.measure(image_bgr)
    return Observation(boards, reason, overall)


def adapt_to(picture: Picture, models: Models, size: int = 5) -> Models:
    """Networks adapted to a set, from a picture of its start position: blank faces only.

    Raises:
        PictureError: The picture does not show one board with blank faces only.
    """
    seen = observe(picture.image_bgr, replace(models, adaptation=None), size=size)
    if len(seen.boards) != 1:
        count = len(seen.boards)
        raise PictureError(
            str(picture.path),
            f"{count} boards found; a picture of the start position shows one",
            f"{count} plateau(x) trouvé(s) ; la photo de la position de départ doit en montrer un",
        )
    try:
        return replace(models, adaptation=estimate(seen.boards[0].scores))
    except ValueError as fault:
        raise PictureError(
            str(picture.path),
            f"not the start position ({fault}); turn all blank faces up",
            "ce n’est pas la position de départ ; tournez toutes les faces vierges vers le haut",
        ) from fault


def _classify(image_bgr: NDArray[np.uint8], view: BoardView, models: Models) -> SeenBoard:
    """Cut the board's faces, classify them in one batch, and look again at the doubtful ones."""
    size = view.lattice.size
    homography = view.lattice.homography
    crops = face_crops(image_bgr, homography, size, [cell.quad_px for cell in view.cells])
    figures = quality.measure(image_bgr, homography, (size, size))
    scores = look_twice(image_bgr, view, models.classifier.classify(crops), models.classifier)
    if models.adaptation is not None:
        scores = adapted(scores, models.adaptation)
    return SeenBoard(view, scores, figures)


def look_twice(
    image_bgr: NDArray[np.uint8],
    view: BoardView,
    first: tuple[FaceScores, ...],
    classifier: FaceClassifier,
) -> tuple[FaceScores, ...]:
    """Scores of all cells, those of doubtful ones merged with the cuts of `vision.cubes.nudges`.

    Args:
        image_bgr: (H, W, 3).
        view: The board, one cell for each of `first`.
        first: Scores of the first look.
        classifier: Tells faces.
    """
    doubtful = [index for index, scores in enumerate(first) if is_doubtful(scores)]
    if not doubtful:
        return first
    quads = [quad for index in doubtful for quad in nudged(view.cells[index].quad_px)]
    further = classifier.classify(np.stack([crop_from_quad(image_bgr, quad) for quad in quads]))
    scores = list(first)
    for place, index in enumerate(doubtful):
        looks = further[place * len(NUDGES) : (place + 1) * len(NUDGES)]
        scores[index] = merged([first[index], *looks])
    return tuple(scores)
