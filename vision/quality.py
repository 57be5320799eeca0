"""How good a picture is for reading, in figures that lead to advice.

Sharpness, exposure and glare are measured on the board where it is known, else on the whole
picture; size of cells and tilt need the board.
"""

import math
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.homography import project

_WINDOW_PX: Final = 1000  # side of the part sharpness is measured on: enough edges, 10 ms
_FINE_PX: Final = 1.0  # the two blurs whose gradients are compared; 1 px calms sensor noise,
_COARSE_PX: Final = 2.0  # 2 px stays narrower than the strokes of a mark
_OWN_BLUR: Final = 2**2 / 12 + 1 / 12  # px^2: variance of a difference over 2 px, and of a pixel
_EDGE_SHARE: Final = 0.02  # strongest gradients: the outlines of marks and cubes, not the grain
_FLAT: Final = 1.0  # grey levels per px; below it the strongest edge is noise
_BLOWN: Final = 250  # of 255 in all channels: the sensor or the JPEG has no detail left there

# Where advice starts. Each is the far end of the "hard" tier our readers are measured on.
_DARK: Final = 0.10  # about 4 stops below a grey card: 0.18 / 2**4 in linear light is 0.10 in sRGB
_BRIGHT: Final = 0.92  # 0.83 in linear light: half of the board is within 0.3 stops of white
_GLARE_SHARE: Final = 0.10
_SMALL_PX: Final = 16.0
_TILT_DEG: Final = 60.0
_BLUR_OF_CELL: Final = 0.15  # 2.4 px of blur at 16 px a cell
_BLUR_PX: Final = 4.0  # without a board: 0.15 of 26 px, the small end of the everyday tier


@dataclass(frozen=True, slots=True)
class Quality:
    """Figures of one picture.

    Attributes:
        sharpness: 1 / (1 + blur), where blur is the standard deviation, in px, of the Gaussian
            that would soften ideal edges as much; 1 is as sharp as pixels can be, 0 has no edge.
        exposure: median grey level, 0 black to 1 white, sRGB-coded.
        glare_share: share of the area that is blown out, 0 to 1.
        px_per_cell: side, in px, of a square as large as the cell at the board's centre.
        tilt_deg: angle between the line of sight and the board's normal at its centre, 0 to 90.
    """

    sharpness: float
    exposure: float
    glare_share: float
    px_per_cell: float | None
    tilt_deg: float | None

    def to_json(self) -> dict[str, float | None]:
        """The figures under their names, rounded to what they are worth."""
        return {
            "sharpness": round(self.sharpness, 3),
            "exposure": round(self.exposure, 3),
            "glare_share": round(self.glare_share, 4),
            "px_per_cell": None if self.px_per_cell is None else round(self.px_per_cell, 1),
            "tilt_deg": None if self.tilt_deg is None else round(self.tilt_deg, 1),
        }


@dataclass(frozen=True, slots=True)
class Advice:
    """What would make the next picture better.

    Attributes:
        id: ``too_dark``, ``too_bright``, ``blurred``, ``glare``, ``too_small`` or ``tilted``.
        text_en: one sentence in English.
        text_fr: the same in French.
    """

    id: str
    text_en: str
    text_fr: str


TOO_DARK: Final = Advice(
    "too_dark",
    "The picture is too dark: turn on a light or come nearer to a window.",
    "La photo est trop sombre : allumez une lampe ou rapprochez-vous d’une fenêtre.",
)
TOO_BRIGHT: Final = Advice(
    "too_bright",
    "The picture is too bright: tap on the table so that the camera measures there.",
    "La photo est trop claire : touchez la table à l’écran pour que l’exposition s’y règle.",
)
BLURRED: Final = Advice(
    "blurred",
    "The picture is blurred: hold the camera still and let it focus on the table.",
    "La photo est floue : tenez l’appareil immobile et laissez-le faire la mise au point.",
)
GLARE: Final = Advice(
    "glare",
    "A lamp or window is reflected on what lies there: move a little to the side.",
    "Une lampe ou une fenêtre se reflète sur la table : décalez-vous un peu.",
)
TOO_SMALL: Final = Advice(
    "too_small",
    "What lies there is too small in the picture: come nearer.",
    "Ce qui est posé est trop petit sur la photo : approchez-vous.",
)
TILTED: Final = Advice(
    "tilted",
    "The table is seen too much from the side: hold the camera higher above it.",
    "La table est vue trop de côté : tenez l’appareil plus haut au-dessus d’elle.",
)


def measure(
    image_bgr: NDArray[np.uint8],
    homography: ArrayLike | None = None,
    size: tuple[int, int] = (5, 5),
) -> Quality:
    """Measures one picture.

    Args:
        image_bgr: (H, W, 3) uint8.
        homography: (3, 3), lattice coordinates (column, row) in cells to px of the picture, or
            None where no board was found.
        size: columns and rows of the lattice.
    """
    part, mask = _board_part(image_bgr, homography, size)
    grey = np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)  # (h, w)
    blown = cv2.inRange(part, np.full(3, _BLOWN), np.full(3, 255))  # (h, w), 0 or 255
    centre = None if homography is None else _jacobian(homography, (size[0] / 2, size[1] / 2))
    return Quality(
        sharpness=_sharpness(grey),
        exposure=_median(grey, mask) / 255,
        glare_share=cv2.mean(blown, mask)[0] / 255,
        px_per_cell=None if centre is None else math.sqrt(abs(np.linalg.det(centre))),
        tilt_deg=None if centre is None else _tilt_deg(centre),
    )


def advise(quality: Quality) -> tuple[Advice, ...]:
    """What to do better, the gravest first; empty where the picture is good enough to be read.

    Args:
        quality: from `measure`.
    """
    blur_px = 1 / quality.sharpness - 1 if quality.sharpness > 0 else math.inf
    cell_px = quality.px_per_cell
    limit_px = _BLUR_PX if cell_px is None else _BLUR_OF_CELL * cell_px
    found = (
        (quality.exposure < _DARK, TOO_DARK),
        (quality.exposure > _BRIGHT, TOO_BRIGHT),
        (cell_px is not None and cell_px < _SMALL_PX, TOO_SMALL),
        (blur_px > limit_px, BLURRED),
        (quality.tilt_deg is not None and quality.tilt_deg > _TILT_DEG, TILTED),
        # A white table around an unknown board is no glare.
        (cell_px is not None and quality.glare_share > _GLARE_SHARE, GLARE),
    )
    return tuple(advice for wanted, advice in found if wanted)


def _board_part(
    image_bgr: NDArray[np.uint8], homography: ArrayLike | None, size: tuple[int, int]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The rectangle around the board, (h, w, 3), and the board's area in it, (h, w), 0 or 255."""
    height, width = image_bgr.shape[:2]
    whole = image_bgr, np.full((height, width), 255, np.uint8)
    if homography is None:
        return whole
    columns, rows = size
    corners = project(homography, ((0, 0), (columns, 0), (columns, rows), (0, rows)))  # (4, 2)
    if not np.isfinite(corners).all():
        return whole
    corners = corners.clip((0, 0), (width, height))
    x0, y0 = np.floor(corners.min(axis=0)).astype(int)
    x1, y1 = np.ceil(corners.max(axis=0)).astype(int)
    mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
    if mask.size == 0:
        return whole
    cv2.fillConvexPoly(mask, np.round(corners - (x0, y0)).astype(np.int32), 255)
    return (image_bgr[y0:y1, x0:x1], mask) if mask.any() else whole


def _median(grey: NDArray[np.uint8], mask: NDArray[np.uint8]) -> float:
    """Median grey level, 0 to 255, where the mask is set."""
    counts = cv2.calcHist([grey], [0], mask, [256], [0, 256]).ravel()  # (256,)
    return float(np.searchsorted(counts.cumsum(), counts.sum() / 2))


def _sharpness(grey: NDArray[np.uint8]) -> float:
    """See `Quality.sharpness`.

    An ideal edge softened by b has a gradient ~ 1 / sqrt(b^2 + s^2) after a further blur by s, so
    the ratio of its gradients after two known blurs gives b (as Zhuo and Sim, Pattern Recognition
    44, 2011, with one blur; two calm the noise).
    """
    height, width = grey.shape
    top, left = max(0, height - _WINDOW_PX) // 2, max(0, width - _WINDOW_PX) // 2
    window = grey[top : top + _WINDOW_PX, left : left + _WINDOW_PX].astype(np.float32)
    fine = _squared_gradient(window, _FINE_PX)  # (h, w)
    coarse = _squared_gradient(window, _COARSE_PX)
    edge = np.quantile(fine[::2, ::2], 1 - _EDGE_SHARE)  # every fourth pixel: enough, and quick
    if edge < _FLAT**2:
        return 0.0
    strong = fine >= edge
    ratio = float(fine[strong].sum() / coarse[strong].sum())
    if ratio <= 1:
        return 0.0
    blur_squared = (_COARSE_PX**2 - ratio * _FINE_PX**2) / (ratio - 1) - _OWN_BLUR
    return 1 / (1 + math.sqrt(max(0.0, blur_squared)))


def _squared_gradient(grey: NDArray[np.float32], blur_px: float) -> NDArray[np.float32]:
    """Squared slope after a blur, (h, w), in (grey levels per px)^2."""
    soft = cv2.GaussianBlur(grey, (0, 0), blur_px)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)  # 1/8: the sum of Sobel's weights
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(across * across + down * down, np.float32)


def _jacobian(homography: ArrayLike, at: tuple[float, float]) -> NDArray[np.float64]:
    """Derivative (2, 2) of the map at a point: px right and down per column and row."""
    matrix = np.asarray(homography, np.float64)
    u, v, w = matrix @ (at[0], at[1], 1.0)
    top = matrix[:2, :2] * w - np.outer((u, v), matrix[2, :2])
    return np.asarray(top / w**2, np.float64)


def _tilt_deg(jacobian: NDArray[np.float64]) -> float:
    """Tilt from foreshortening: a square cell seen at angle t is cos(t) as deep as it is wide.

    Needs no focal length, so cropped pictures are judged as well. Exact at the centre of the
    picture; below 10 degrees the cosine is too flat to tell much.
    """
    long, short = np.linalg.svd(jacobian, compute_uv=False)
    return math.degrees(math.acos(min(1.0, float(short / long)))) if long > 0 else 90.0
