"""Keeps the lines of OpenCV and FFmpeg from between ours. Imported before either is used.

Both read these variables once, when they first open something, and offer no other way.
"""

import os

import cv2

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # AV_LOG_QUIET
os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "5")
"""Seconds that a read of a hanging camera may block; see `vision.sources.live.STALL_S`."""


def quiet() -> None:
    """Silence OpenCV's own log; other code may have turned it up."""
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
