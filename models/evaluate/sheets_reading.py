"""Composes pictures of score sheets, keeps them, and sends them through ``arbitre read``'s code."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from models.compose.sheet_scene import SheetScene
from models.evaluate.sheets_score import SheetTruth, left_for, score_sheet, truth_of
from models.evaluate.workers import Row, loaded
from vision.pictures import decode_picture
from vision.read import read_picture
from vision.weights import MODELS, find_entry


def weights_name(weights: Path = MODELS) -> str:
    """The network by the first eight digits of its checksum."""
    return find_entry("sheet_fields", weights).sha256[:8]


def kept(
    folder: Path, name: str, compose: Callable[[], SheetScene], advanced: bool = False
) -> tuple[bytes, list[SheetTruth]]:
    """A composed picture and its truths: from the folder where they lie, else composed and laid.

    Args:
        folder: for pictures and truths; delete it after a change of what composes them.
        name: of the picture.
        compose: makes it.
        advanced: Détrak is added up by its advanced rules.
    """
    path = folder / f"{name}.json"
    if path.exists():
        truths = [_from_json(one) for one in json.loads(path.read_text(encoding="utf-8"))]
        return path.with_suffix(".jpg").read_bytes(), truths
    scene = compose()
    truths = [truth_of(sheet, {"picture": name, **scene.facts}) for sheet in scene.sheets]
    if advanced:
        truths = [_from_json(asdict(truth) | {"advanced": True}) for truth in truths]
    folder.mkdir(parents=True, exist_ok=True)
    path.with_suffix(".jpg").write_bytes(scene.jpeg)
    path.write_text(json.dumps([asdict(truth) for truth in truths]), encoding="utf-8")
    return scene.jpeg, truths


def _from_json(known: dict[str, Any]) -> SheetTruth:
    known["outline_px"] = tuple((x, y) for x, y in known["outline_px"])
    known["clear"] = tuple(known["clear"])
    return SheetTruth(**known)


def read_rows(jpeg: bytes, truths: Sequence[SheetTruth], known: Row) -> list[Row]:
    """Read one picture in a process of `models.evaluate.workers`, and compare each of its sheets.

    Coordinates of truths are those of the stored picture, as those of readings are.
    """
    picture = decode_picture(jpeg, "sheet.jpg")
    answer = read_picture(picture, truths[0].game, "sheet", models=loaded())
    reason = answer.refused.reason if answer.refused else ""
    return [
        {**known, **score_sheet(left_for(truth, answer.readings, truths), truth, reason)}
        | {"ms": answer.ms}
        for truth in truths
    ]
