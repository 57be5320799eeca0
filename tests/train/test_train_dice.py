"""The classifier of dice learns to tell two plain faces, and its export answers alike.

Runs in the training environment: `make test-train`.
"""

import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.dice.classify import DieCalibration, both_sides
from vision.dice.classify_onnx import OnnxDieClassifier
from vision.labels import DIE_COLOURS, DIE_FACES

torch = pytest.importorskip("torch", reason="needs the training environment: make test-train")

from models.die_network import export, load  # noqa: E402  torch may be missing
from models.halve import halve  # noqa: E402
from models.train_dice import UNKNOWN, load_dice, train  # noqa: E402
from models.train_shares import SharedConfig  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")

COUNT = 64
IVORY = DIE_COLOURS.index("ivory")


def compose(folder: Path, *, photographs: bool) -> Path:
    """Crops of ivory squares, every other one with a black spot: the face 1."""
    rng = np.random.default_rng(3)
    images = np.full((COUNT, 64, 64, 3), 90, np.uint8)
    for index, image in enumerate(images):
        cv2.rectangle(image, (8, 8), (56, 56), (170, 215, 235), -1)
        if index % 2:
            cv2.circle(image, rng.integers(28, 36, 2).tolist(), 9, (10, 10, 10), -1)
    faces = np.where(np.arange(COUNT) % 2, DIE_FACES.index("1"), DIE_FACES.index("other"))
    told: dict[str, Any] = {"photographs": np.True_} if photographs else {}
    (folder / "crops").mkdir(parents=True)
    np.savez(
        folder / "crops" / "000000.npz",
        images=images,
        faces=faces,
        colours=np.full(COUNT, IVORY),
        flat=np.ones(COUNT),
        **told,
    )
    return folder


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    folder = tmp_path_factory.mktemp("dice")
    data = compose(folder / "set", photographs=True)
    checkpoint = train(
        SharedConfig((data,), (1.0,), folder / "run", minutes=5.0, batch=16, most_steps=400)
    )
    return data, checkpoint, export(load(checkpoint), folder / "die_faces.onnx")


def test_two_faces_are_learnt(exported: tuple[Path, Path, Path]) -> None:
    data, _, path = exported
    crops = load_dice(data)
    scores = OnnxDieClassifier(path, DieCalibration()).classify(crops.images.numpy())
    answers = np.array([np.argmax(score.faces) for score in scores])
    assert (answers == crops.faces.numpy()).mean() >= 0.9
    assert np.mean([score.flat for score in scores]) > 0.5


def test_the_export_answers_like_the_network(exported: tuple[Path, Path, Path]) -> None:
    data, checkpoint, path = exported
    crops = load_dice(data).images.numpy()[:4]
    with torch.no_grad():
        wanted = [part.numpy() for part in load(checkpoint).eval()(torch.tensor(both_sides(crops)))]
    for got, want in zip(
        OnnxDieClassifier(path, DieCalibration()).logits(crops), wanted, strict=True
    ):
        np.testing.assert_allclose(got, want, atol=1e-3)


def test_half_the_room_keeps_the_answers(exported: tuple[Path, Path, Path], tmp_path: Path) -> None:
    data, _, whole = exported
    path = Path(shutil.copy(whole, tmp_path / "half.onnx"))
    crops = load_dice(data).images.numpy()[:4]
    before, room = OnnxDieClassifier(path, DieCalibration()).logits(crops), path.stat().st_size
    halve(path)
    assert path.stat().st_size < 0.6 * room
    after = OnnxDieClassifier(path, DieCalibration()).logits(crops)
    for got, want in zip(after, before, strict=True):
        np.testing.assert_allclose(got, want, atol=0.05)


def test_scenes_do_not_tell_ivory(tmp_path: Path) -> None:
    scenes = load_dice(compose(tmp_path / "scenes", photographs=False))
    photographs = load_dice(compose(tmp_path / "photographs", photographs=True))
    assert (scenes.colours == UNKNOWN).all()
    assert (photographs.colours == IVORY).all()


def test_what_is_trained_on_keeps_a_share_of_what_it_began_with(
    exported: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    data, checkpoint, _ = exported
    begun = load(checkpoint).state_dict()
    moved: dict[float, dict[str, Any]] = {}
    for share in (1.0, 0.0):
        out = tmp_path / str(share)
        out.mkdir()
        shutil.copy(checkpoint, out)
        config = SharedConfig((data,), (1.0,), out, minutes=5.0, batch=8, most_steps=3, kept=share)
        moved[share] = load(train(config)).state_dict()
    assert all(torch.equal(moved[1.0][name], begun[name]) for name in begun)
    assert not torch.equal(moved[0.0]["face.weight"], begun["face.weight"])
