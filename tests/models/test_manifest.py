"""Shipped networks: files and checksums agree, classes are the labels, sizes stay in bounds."""

import hashlib
from pathlib import Path

import pytest

from models import manifest
from models.ship import DETECTOR, FACES, LARGEST_BASE_BYTES, LARGEST_BYTES, WEIGHTS
from vision.labels import DETECTOR_CLASSES, DOTS, MARKS
from vision.observe import CLASSIFIER
from vision.observe import DETECTOR as DETECTOR_NAME

ALL_BYTES = 30_000_000
"""Bound on all shipped weights together."""


@pytest.mark.parametrize("row", manifest.read(), ids=lambda row: row["name"])
def test_file_is_the_one_noted(row: dict[str, object]) -> None:
    data = (manifest.MANIFEST.parent / str(row["file"])).read_bytes()
    assert len(data) == row["bytes"]
    assert hashlib.sha256(data).hexdigest() == row["sha256"]


def test_classes_are_the_labels() -> None:
    rows = {row["name"]: row for row in manifest.read()}
    assert tuple(rows[DETECTOR]["classes"]) == DETECTOR_CLASSES
    assert tuple(rows[FACES]["classes"]["mark"]) == MARKS
    assert tuple(rows[FACES]["classes"]["dot"]) == DOTS


def test_names_are_those_the_program_asks_for() -> None:
    assert (DETECTOR, FACES) == (DETECTOR_NAME, CLASSIFIER)


def test_faces_are_calibrated() -> None:
    row = next(row for row in manifest.read() if row["name"] == FACES)
    assert 0.3 < row["mark_temperature"] < 5
    assert 0.3 < row["dot_temperature"] < 5
    assert 0.5 <= row["mark_threshold"] < 1
    assert 0.5 <= row["dot_threshold"] < 1


def test_weights_stay_small() -> None:
    sizes = {path.name: path.stat().st_size for path in WEIGHTS.iterdir()}
    assert max(sizes.values()) <= LARGEST_BYTES
    assert sizes["pieces.pt"] <= LARGEST_BASE_BYTES
    assert sum(sizes.values()) <= ALL_BYTES


def test_manifest_keeps_what_is_not_changed(tmp_path: Path) -> None:
    """Facts are added to an entry without touching its file, and read back as written."""
    path = tmp_path / "manifest.toml"
    file = tmp_path / "a.onnx"
    file.write_bytes(b"weights")
    manifest.put("a", file, {"classes": {"x": ["1", "2"]}, "said": 'a "quote" \\'}, path)
    manifest.put("a", None, {"temperature": 1.25}, path)
    manifest.put("b", None, {"classes": []}, path)
    first, second = manifest.read(path)
    assert first["sha256"] == hashlib.sha256(b"weights").hexdigest()
    assert first["said"] == 'a "quote" \\'
    assert first["temperature"] == 1.25
    assert first["classes"] == {"x": ["1", "2"]}
    assert second == {"name": "b", "classes": []}
