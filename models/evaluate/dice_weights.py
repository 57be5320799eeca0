"""Which pair of networks is measured: the shipped ones, or those of a folder."""

import tempfile
from pathlib import Path
from typing import Final

from models.errors import LabError
from models.manifest import put, read
from vision.dice.models import CLASSIFIER, DETECTOR
from vision.weights import MODELS, find_entry

FILES: Final = {DETECTOR: "dice.onnx", CLASSIFIER: "die_faces.onnx"}
"""Names in the manifest, and of the files in a folder of weights that has no manifest."""


def weights_folder(weights: Path | None) -> Path:
    """A folder with a manifest.

    Args:
        weights: a folder with ``manifest.toml``, or just with ``dice.onnx`` and
            ``die_faces.onnx``, which then take temperatures and thresholds of the shipped ones;
            None for the shipped ones.

    Raises:
        LabError: neither is there.
    """
    if weights is None:
        return MODELS
    if (weights / "manifest.toml").exists():
        return weights
    lacking = [file for file in FILES.values() if not (weights / file).exists()]
    if lacking:
        raise LabError(f"{weights}: no manifest.toml and no {' and no '.join(lacking)}")
    folder = Path(tempfile.mkdtemp(prefix="arbitre-weights-"))
    shipped = {row["name"]: row for row in read()}
    for name, file in FILES.items():
        copy = folder / file
        copy.write_bytes((weights / file).read_bytes())
        known = shipped.get(name, {})
        facts = {k: v for k, v in known.items() if k not in ("name", "file", "sha256", "bytes")}
        put(name, copy, facts, folder / "manifest.toml")
    return folder


def weights_name(folder: Path) -> str:
    """Detector and classifier by the first eight digits of their checksums."""
    return "+".join(find_entry(name, folder).sha256[:8] for name in FILES)
