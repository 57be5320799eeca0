"""The large picture that reading is timed with."""

from pathlib import Path

import cv2
import numpy as np

SIZE_PX = (4000, 3000)
NOISE_SIGMA = 6.0  # grey levels; a telephone indoors, and what makes the file large
JPEG_QUALITY = 95
MIN_BYTES = 3_000_000
SEED = 20


def large_jpeg(picture: Path) -> bytes:
    """A shipped picture as a telephone of 12 megapixels in poor light would store it."""
    image = cv2.imread(str(picture))
    if image is None:
        raise FileNotFoundError(f"no picture to measure with at {picture}")
    height, width = image.shape[:2]
    scale = min(SIZE_PX[0] / width, SIZE_PX[1] / height)
    inner = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    across, down = SIZE_PX[0] - inner.shape[1], SIZE_PX[1] - inner.shape[0]
    edge = (down // 2, down - down // 2, across // 2, across - across // 2)
    # its last row goes on: mirrored, the border would show the sheet or board a second time
    large = cv2.copyMakeBorder(inner, *edge, cv2.BORDER_REPLICATE)  # (3000, 4000, 3)
    rng = np.random.default_rng(SEED)
    patch = rng.normal(0, NOISE_SIGMA, (1000, 1000, 3)).astype(np.int16)
    noise = np.tile(patch, (SIZE_PX[1] // 1000, SIZE_PX[0] // 1000, 1))  # (3000, 4000, 3)
    noisy = np.add(large, noise).clip(0, 255).astype(np.uint8)
    _, data = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if len(data) < MIN_BYTES:
        raise ValueError(f"{len(data)} bytes, expected at least {MIN_BYTES}: more noise is needed")
    return data.tobytes()
