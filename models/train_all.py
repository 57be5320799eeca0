"""Trains both networks in one go: compose the sets, then train side by side, then export.

    arbitre-lab train all --device cuda --workers 16 --minutes 6 --scenes 9000

Made for a short lease of a machine with a GPU and many cores; on a small machine run the parts
one after the other (``compose``, ``train faces``, ``train detector``).
"""

import multiprocessing
from dataclasses import dataclass
from pathlib import Path

from models.compose.dataset import SetConfig, write_set
from models.real_set import write_crops
from models.train_classifier import FacesConfig
from models.train_detector import DetectorConfig

CHECK_SCENES = 150
"""Scenes of the calibration split for the detector's curves: enough to see a failed run."""


@dataclass(frozen=True, slots=True)
class AllConfig:
    """One run.

    Attributes:
        bank: path-traced stills.
        real: set of real training pictures, or None to do without.
        sets: folder for the composed sets.
        out: folder for both trainings and their exports.
        scenes: composed training scenes.
        first_seed: seed of the first of them.
        minutes: wall clock of the detector's training.
        face_minutes: wall clock of the classifier's training, at the same time.
        workers: processes for composing and for reading pictures.
        device: ``cpu`` or ``cuda``.
        batch: pictures a step of the detector.
        start: weights (.pt) the detector goes on from, or None to begin anew.
        rate: highest learning rate of the detector.
    """

    bank: Path
    real: Path | None
    sets: Path
    out: Path
    scenes: int = 4000
    first_seed: int = 1_000_000
    minutes: float = 60.0
    face_minutes: float = 20.0
    workers: int = 2
    device: str = "cpu"
    batch: int = 16
    start: Path | None = None
    rate: float = 2e-3


def train_all(config: AllConfig) -> None:
    """Compose, train both networks and export them to ``out``."""
    train_set, check_set = config.sets / "train", config.sets / "check"
    write_set(
        SetConfig(train_set, config.bank, "train", config.first_seed, config.scenes, config.workers)
    )
    write_set(SetConfig(check_set, config.bank, "calibration", 1, CHECK_SCENES, config.workers))
    data = [train_set]
    if config.real is not None:
        if not (config.real / "crops" / "000000.npz").exists():
            (config.real / "crops").mkdir(exist_ok=True)
            write_crops(config.real)
        data.append(config.real)
    faces = FacesConfig(tuple(data), config.out / "faces", config.face_minutes, 1024, config.device)
    detector = DetectorConfig(
        data=tuple(data),
        check=check_set,
        out=config.out / "detector",
        start=config.start,
        learning_rate=config.rate,
        minutes=config.minutes,
        batch=config.batch,
        device="0" if config.device == "cuda" else config.device,
        workers=config.workers if config.workers > 4 else 0,
        threads=config.workers,
        mixed=config.device == "cuda",
    )
    context = multiprocessing.get_context("spawn")
    side = context.Process(target=train_faces, args=(faces, config.out / "faces.onnx"))
    side.start()
    train_detector(detector, config.out)
    side.join()


def train_faces(config: FacesConfig, target: Path) -> None:
    """Train the classifier and export it."""
    import torch

    from models.face_network import FaceNetwork, export
    from models.train_classifier import train

    network = FaceNetwork()
    network.load_state_dict(
        torch.load(train(config), weights_only=True, map_location="cpu")["weights"]
    )
    export(network, target)


def train_detector(config: DetectorConfig, out: Path, name: str = "pieces") -> None:
    """Train a detector, keep its ``.pt`` and export it, both under the name."""
    from models.train_detector import export, train

    weights = train(config)
    (out / f"{name}.pt").write_bytes(weights.read_bytes())
    export(weights, out / f"{name}.onnx")
