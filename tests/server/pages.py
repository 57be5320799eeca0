"""Printed pages as pictures, and what is found on them, for the tests of printing."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from server.cli import main
from vision.plans.marks import DICTIONARY
from vision.plans.sheets import SheetPlan, Square

DPI = 300
PX_PER_MM = DPI / 25.4

Points = NDArray[np.float32]


def printed(out: Path, *words: str) -> bytes:
    """The PDF that the command writes."""
    path = out / "printed.pdf"
    assert main(["print", *words, "--out", str(path)]) == 0
    return path.read_bytes()


def rendered(
    pdf: bytes, page: int = 0, scale: float = 1.0, grey: bool = False
) -> NDArray[np.uint8]:
    """A page as a printer with that scale puts it on paper: (height, width[, 3]) BGR."""
    document = pypdfium2.PdfDocument(pdf)
    bitmap = document[page].render(scale=DPI / 72 * scale, grayscale=grey)
    image = np.array(bitmap.to_numpy())
    document.close()
    return image


def words_of(pdf: bytes) -> list[str]:
    """The text of every page."""
    document = pypdfium2.PdfDocument(pdf)
    found = [page.get_textpage().get_text_bounded() for page in document]
    document.close()
    return found


def sizes_mm(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of every page."""
    document = pypdfium2.PdfDocument(pdf)
    found = [page.get_size() for page in document]
    document.close()
    return [(width / 72 * 25.4, height / 72 * 25.4) for width, height in found]


def find_markers(image: NDArray[np.uint8]) -> dict[int, Points]:
    """Corners of every marker, (4, 2) float32 px from the outer edges of pixels, clockwise."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(image)
    if ids is None:
        return {}
    # OpenCV counts from the middle of the first pixel.
    return {int(i): c.reshape(4, 2) + 0.5 for i, c in zip(ids.ravel(), corners, strict=True)}


def read_code(image: NDArray[np.uint8]) -> tuple[str, Points]:
    """Text and corners of the one QR code, by either of OpenCV's two detectors."""
    for detector in (cv2.QRCodeDetectorAruco(), cv2.QRCodeDetector()):
        text, corners, _ = detector.detectAndDecode(image)
        if text:
            return str(text), np.asarray(corners, np.float32).reshape(4, 2)
    return "", np.zeros((4, 2), np.float32)


def outlines_mm(squares: tuple[Square, ...]) -> Points:
    """Corners of squares, one after the other: (4 n, 2) float32."""
    return np.array([corner for one in squares for corner in one.outline_mm()], np.float32)


def sheet_to_px(found: dict[int, Points], ids: tuple[int, ...], plan: SheetPlan) -> Points:
    """The homography from millimetres of a sheet to pixels, from those of its markers found."""
    pairs = [(square, found[i]) for i, square in zip(ids, plan.markers, strict=True) if i in found]
    squares = outlines_mm(tuple(square for square, _ in pairs))
    matrix, _ = cv2.findHomography(squares, np.concatenate([corners for _, corners in pairs]))
    return np.asarray(matrix, np.float32)


def mapped(matrix: Points, points: Points) -> Points:
    """Points through a homography."""
    moved = cv2.perspectiveTransform(points.reshape(1, -1, 2).astype(np.float32), matrix)
    return np.asarray(moved.reshape(-1, 2), np.float32)


def pale_box_px(grey: NDArray[np.uint8], centre_px: tuple[float, float]) -> tuple[float, ...]:
    """The pale area around a point up to its outline: x0, y0, x1, y1 px."""
    seed = (int(centre_px[0]), int(centre_px[1]))
    mask = np.zeros((grey.shape[0] + 2, grey.shape[1] + 2), np.uint8)
    flags = 4 | cv2.FLOODFILL_MASK_ONLY | cv2.FLOODFILL_FIXED_RANGE | (255 << 8)
    _, _, _, (x, y, width, height) = cv2.floodFill(grey, mask, seed, 0, 10, 10, flags)
    return x, y, x + width, y + height
