"""Pictures of figures, drawn with OpenCV so that every environment can make them."""

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE_PX = 480
EDGE_PX = 60
INK = (60, 50, 40)
BLUE = (180, 110, 40)


def reliability(
    bins: list[tuple[float, float, int]], title: str, error: float
) -> NDArray[np.uint8]:
    """(SIDE_PX, SIDE_PX, 3) reliability diagram: accuracy over confidence, dots as large as full.

    Args:
        bins: mean confidence, accuracy and count of each bin that has any.
        title: what was measured.
        error: expected calibration error.
    """
    image = np.full((SIDE_PX, SIDE_PX, 3), 255, np.uint8)
    span = SIDE_PX - 2 * EDGE_PX

    def place(x: float, y: float) -> tuple[int, int]:
        return EDGE_PX + round(x * span), SIDE_PX - EDGE_PX - round(y * span)

    for tick in np.linspace(0, 1, 6):
        cv2.line(image, place(tick, 0), place(tick, 1), (225, 225, 225), 1)
        cv2.line(image, place(0, tick), place(1, tick), (225, 225, 225), 1)
        _text(image, f"{tick:.1f}", (place(tick, 0)[0] - 10, SIDE_PX - EDGE_PX + 18))
        _text(image, f"{tick:.1f}", (EDGE_PX - 34, place(0, tick)[1] + 4))
    cv2.line(image, place(0, 0), place(1, 1), (170, 170, 170), 1, cv2.LINE_AA)
    total = sum(count for _, _, count in bins)
    for confidence, accuracy, count in bins:
        radius = round(4 + 10 * (count / total) ** 0.25)
        cv2.circle(image, place(confidence, accuracy), radius, BLUE, 2, cv2.LINE_AA)
        _text(
            image,
            str(count),
            (place(confidence, accuracy)[0] + radius + 2, place(0, accuracy)[1] + 4),
        )
    _text(image, f"{title}: {total} cells, expected calibration error {error:.4f}", (EDGE_PX, 30))
    _text(image, "confidence", (SIDE_PX // 2 - 40, SIDE_PX - 12))
    _text(image, "accuracy", (4, EDGE_PX - 14))
    return image


def _text(image: NDArray[np.uint8], text: str, place: tuple[int, int]) -> None:
    cv2.putText(image, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.42, INK, 1, cv2.LINE_AA)
