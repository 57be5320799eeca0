"""The classifier alone: the single-face photographs, and how honest its confidence is."""

import json
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from models.calibrate import calibration_error, collect
from models.evaluate.plots import reliability
from models.evaluate.run import EVALUATION_SEED, EvaluateConfig
from models.evaluate.table import write_rows
from models.places import real_pictures
from vision.classify import Calibration
from vision.crops import crop_from_quad
from vision.homography import as_quad
from vision.labels import DOTS, MARK_TEXT, MARKS
from vision.observe import CLASSIFIER
from vision.pictures import load_picture
from vision.read import Models, load_models
from vision.weights import find_entry

SCENES = 120
"""Scenes a tier for the reliability diagrams: about 9 000 cells."""

SHRUNK_PX = 160
"""Longer side to which single-face photographs are shrunk: a cube of 90 px, as in a near view."""


def measure_faces(config: EvaluateConfig) -> None:
    """Single faces to ``faces.csv``; calibration to ``calibration.csv`` and two diagrams."""
    models = load_models()
    rows = [_single(models, label) for label in _labels()]
    write_rows(config.out / "faces.csv", rows)
    right = sum(row["mark"] == row["true_mark"] and row["dot"] == row["true_dot"] for row in rows)
    print(f"single faces right: {right}/{len(rows)}")
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


def _single(models: Models, label: dict[str, Any]) -> dict[str, Any]:
    """Find the cube, cut its top face, read it."""
    picture = load_picture(real_pictures() / "quixo" / "dev" / label["file"])
    scale = SHRUNK_PX / max(picture.image_bgr.shape[:2])
    small = cv2.resize(picture.image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    padded = cv2.copyMakeBorder(small, 80, 80, 80, 80, cv2.BORDER_REFLECT_101)
    cubes = [d for d in models.detector.detect(padded, 0.2) if d.kind == "cube" and d.corners_px]
    middle = np.array(padded.shape[1::-1]) / 2

    def away(corners: Any) -> float:
        return float(np.abs(np.array(corners).mean(axis=0) - middle).max())

    best = min(cubes, key=lambda cube: away(cube.corners_px), default=None)
    found = {"picture": label["file"].rsplit(".", 1)[0], "true_mark": label["truth"]["face"]}
    found["true_dot"] = label["truth"]["dot"] or "."
    if best is None or best.corners_px is None:
        return found | {"mark": "", "dot": "", "mark_confidence": 0.0, "dot_confidence": 0.0}
    quad = _upright(best.corners_px)
    scores = replace(models, adaptation=None).classifier.classify(
        crop_from_quad(padded, as_quad(quad))[None]
    )[0]
    mark = int(np.argmax(scores.marks))
    dot = int(np.argmax(scores.dots[:4]))
    return found | {
        "mark": MARK_TEXT[MARKS[mark]],
        "dot": DOTS[dot] if MARKS[mark] in ("cross", "circle") else ".",
        "mark_confidence": round(scores.marks[mark], 4),
        "dot_confidence": round(scores.dots[dot], 4),
    }


def _upright(corners: Any) -> Any:
    """The corners from the one nearest to the picture's top left on, clockwise."""
    points = np.array(corners)
    first = int(np.argmin(points.sum(axis=1)))
    return np.roll(points, -first, axis=0)
