"""The classifier alone: the single-face photographs, and how honest its confidence is."""

import json
from typing import Any

import cv2
import numpy as np

from models.calibrate import calibration_error, collect
from models.evaluate.plots import reliability
from models.evaluate.run import EVALUATION_SEED, EvaluateConfig
from models.evaluate.table import write_rows
from models.places import real_pictures
from vision.crops import crop_from_quad
from vision.cubes.classify import Calibration
from vision.homography import as_quad, clockwise
from vision.labels import DOTS, MARK_TEXT, MARKS
from vision.observe import CLASSIFIER
from vision.pictures import load_picture
from vision.read import Models, load_models
from vision.weights import find_entry

SCENES = 120
"""Scenes a tier for the reliability diagrams: about 9 000 cells."""

OUTLINE_BLUR_PX = 4.0
"""Blur before a bright cube is parted from its dark table: wood grain is finer, bevels coarser."""


def measure_faces(config: EvaluateConfig) -> None:
    """Single faces to ``faces.csv``; calibration to ``calibration.csv`` and two diagrams."""
    models = load_models()
    measure_singles(config, models)
    facts = find_entry(CLASSIFIER).facts
    calibration = Calibration(facts["mark_temperature"], facts["dot_temperature"])
    cells = collect(config.bank, "evaluation", SCENES, EVALUATION_SEED + 500_000, config.workers)
    scores = cells.settled(calibration)
    lines = []
    for part, labels in (("marks", cells.marks), ("dots", cells.dots)):
        table = np.array([getattr(score, part) for score in scores])
        error, bins = calibration_error(table, labels)
        lines += [
            {
                "part": part,
                "error": round(error, 5),
                "confidence": round(c, 4),
                "accuracy": round(a, 4),
                "cells": n,
            }
            for c, a, n in bins
        ]
        print(f"expected calibration error of {part}: {error:.4f} over {len(labels)} cells")
        cv2.imwrite(str(config.out / f"reliability_{part}.png"), reliability(bins, part, error))
    write_rows(config.out / "calibration.csv", lines)


def _labels() -> list[dict[str, Any]]:
    path = real_pictures() / "quixo" / "dev" / "labels.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["truth"] and "face" in row["truth"]]


def measure_singles(config: EvaluateConfig, models: Models) -> None:
    """Read the photographs of single faces; one row each in ``faces.csv``."""
    rows = [_single(models, label) for label in _labels()]
    write_rows(config.out / "faces.csv", rows)
    right = sum(row["mark"] == row["true_mark"] and row["dot"] == row["true_dot"] for row in rows)
    print(f"single faces right: {right}/{len(rows)}")


def _single(models: Models, label: dict[str, Any]) -> dict[str, Any]:
    """Cut the one cube of a photograph by its outline and let the classifier read it.

    The detector is left out on purpose: it was trained on boards, and these photographs show one
    cube from so near that it fills the picture.
    """
    image = load_picture(real_pictures() / "quixo" / "dev" / label["file"]).image_bgr
    crop = crop_from_quad(image, as_quad(_outline(image)))
    scores = models.classifier.classify(crop[None])[0]
    mark = int(np.argmax(scores.marks))
    dot = int(np.argmax(scores.dots[:4]))
    return {
        "picture": label["file"].rsplit(".", 1)[0],
        "true_mark": label["truth"]["face"],
        "true_dot": label["truth"]["dot"] or ".",
        "mark": MARK_TEXT[MARKS[mark]],
        "dot": DOTS[dot] if MARKS[mark] in ("cross", "circle") else ".",
        "mark_confidence": round(scores.marks[mark], 4),
        "dot_confidence": round(scores.dots[dot], 4),
    }


def _outline(image_bgr: Any) -> Any:
    """(4, 2) rectangle around the bright cube, px, clockwise from the corner at the top left."""
    bright = cv2.GaussianBlur(image_bgr.max(axis=2), (0, 0), OUTLINE_BLUR_PX)
    _, inside = cv2.threshold(bright, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    contours = cv2.findContours(inside, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    points = cv2.boxPoints(cv2.minAreaRect(max(contours, key=cv2.contourArea)))
    quad = np.array(clockwise(as_quad(points)))
    return np.roll(quad, -int(np.argmin(quad.sum(axis=1))), axis=0)
