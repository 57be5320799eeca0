"""Two optimiser steps on eight pictures, export, and the same boxes from both runtimes.

Runs in the training environment: `make test-train`.
"""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.bench import demo_picture
from models.errors import LabError
from models.quantise import draw, quantise
from models.train_detector import DetectorConfig, export, train
from vision.detect import Detection, letterbox
from vision.detect_onnx import OnnxDetector
from vision.detect_ultralytics import UltralyticsDetector
from vision.labels import DETECTOR_CLASSES
from vision.onnx_session import OnnxSession
from vision.pictures import load_picture
from vision.weights import MODELS, find_entry, find_weights

torch = pytest.importorskip("torch", reason="needs the training environment: make test-train")

# Other people's libraries warn as they please.
pytestmark = pytest.mark.filterwarnings("default")

SIDE_PX = 160
PICTURES = 8
STEPS = 2
BATCH = 64  # ultralytics steps after this many pictures or, as here, at the end of a pass


def compose(folder: Path, count: int, seed: int) -> Path:
    """A set of pictures with one to three plain turned squares, labelled as cubes."""
    rng = np.random.default_rng(seed)
    (folder / "images").mkdir(parents=True)
    (folder / "labels").mkdir()
    for index in range(count):
        image = rng.integers(60, 110, (SIDE_PX, SIDE_PX, 3), np.uint8)
        lines = [draw_square(image, rng) for _ in range(rng.integers(1, 4))]
        cv2.imwrite(str(folder / "images" / f"{index}.jpg"), image)
        (folder / "labels" / f"{index}.txt").write_text("\n".join(lines), encoding="utf-8")
    return folder


def draw_square(image: NDArray[np.uint8], rng: np.random.Generator) -> str:
    """Draws one square and returns its line: class, box, four corners, in shares of the side."""
    half = rng.uniform(12, 25)
    centre = rng.uniform(40, SIDE_PX - 40, 2)
    angles = rng.uniform(0, np.pi / 2) + np.arange(4) * np.pi / 2
    corners = centre + half * np.column_stack((np.cos(angles), np.sin(angles)))  # (4, 2) px
    colour = tuple(int(level) for level in rng.integers(150, 250, 3))
    cv2.fillPoly(image, [np.round(corners).astype(np.int32)], colour)
    low, high = corners.min(axis=0), corners.max(axis=0)
    numbers = [*(low + high) / 2, *(high - low)]
    for x, y in corners:
        numbers += [x, y]
    shares = [number / SIDE_PX for number in numbers]
    points = " ".join(f"{x:.5f} {y:.5f} 2" for x, y in zip(shares[4::2], shares[5::2], strict=True))
    box = " ".join(f"{share:.5f}" for share in shares[:4])
    return f"{DETECTOR_CLASSES.index('cube')} {box} {points}"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[type]]:
    """Weights after one pass over the pictures, and the optimiser of every step."""
    from torch.optim.optimizer import register_optimizer_step_post_hook

    folder = tmp_path_factory.mktemp("train")
    steps: list[type] = []
    hook = register_optimizer_step_post_hook(lambda optimiser, *_: steps.append(type(optimiser)))
    config = DetectorConfig(
        data=(compose(folder / "set", PICTURES, seed=1),),
        check=compose(folder / "check", 2, seed=2),
        out=folder / "run",
        minutes=0,
        epochs=STEPS,
        picture_px=SIDE_PX,
        batch=BATCH,
    )
    try:
        weights = train(config)
    finally:
        hook.remove()
    return weights, steps


def test_two_steps_change_the_network(trained: tuple[Path, list[type]]) -> None:
    weights, steps = trained
    assert len(steps) == STEPS
    kept = torch.load(weights, map_location="cpu", weights_only=False)
    assert kept["optimizer"] is None
    assert weights.stat().st_size <= 8_000_000


def test_both_runtimes_give_the_same_boxes(
    trained: tuple[Path, list[type]], tmp_path: Path
) -> None:
    """At every one of the network's anchors: after two steps no box stands out."""
    from ultralytics import YOLO

    weights, _ = trained
    image = np.random.default_rng(3).integers(0, 255, (120, SIDE_PX, 3), np.uint8)
    draw_square(image, np.random.default_rng(4))
    square, _ = letterbox(image, SIDE_PX)
    exported = OnnxSession(export(weights, tmp_path / "detector.onnx", SIDE_PX))
    (ours,) = exported.run(square)  # (1, 4 + classes + 12, anchors)
    network = YOLO(str(weights), task="pose").model.eval()
    with torch.no_grad():
        theirs = network(torch.from_numpy(square))[0].numpy()
    assert ours.shape == theirs.shape == (1, 4 + len(DETECTOR_CLASSES) + 12, 525)
    scores = slice(4, 4 + len(DETECTOR_CLASSES))
    assert np.abs(ours[:, scores] - theirs[:, scores]).max() < 1e-5
    assert np.abs(ours[:, :4] - theirs[:, :4]).max() < 0.02  # px
    assert np.ptp(ours[:, :4]) > SIDE_PX / 2  # boxes all over the picture, not one constant


def test_export_takes_any_height_and_width(
    trained: tuple[Path, list[type]], tmp_path: Path
) -> None:
    weights, _ = trained
    exported = OnnxSession(export(weights, tmp_path / "detector.onnx", SIDE_PX))
    assert exported.input_shape[:2] == (1, 3)
    assert not any(isinstance(side, int) for side in exported.input_shape[2:])
    low = np.random.default_rng(5).random((1, 3, 96, SIDE_PX), dtype=np.float32)
    from ultralytics import YOLO

    network = YOLO(str(weights), task="pose").model.eval()
    with torch.no_grad():
        theirs = network(torch.from_numpy(low))[0].numpy()
    (ours,) = exported.run(low)
    assert ours.shape == theirs.shape == (1, 4 + len(DETECTOR_CLASSES) + 12, 315)
    assert np.abs(ours[:, :4] - theirs[:, :4]).max() < 0.02  # px


def test_rounded_to_8_bits_the_network_says_nearly_the_same(
    trained: tuple[Path, list[type]], tmp_path: Path
) -> None:
    weights, _ = trained
    plain = export(weights, tmp_path / "plain.onnx", SIDE_PX)
    folder = compose(tmp_path / "set", 3, seed=6)
    quantise(plain, tmp_path / "rounded.onnx", [folder / "images"])
    image = cv2.imread(str(folder / "images" / "0.jpg"))
    square, _ = letterbox(np.asarray(image, np.uint8), SIDE_PX)
    (before,) = OnnxSession(plain).run(square)
    (after,) = OnnxSession(tmp_path / "rounded.onnx").run(square)
    apart = np.abs(before - after)
    assert after.shape == before.shape
    assert apart[:, 4 : 4 + len(DETECTOR_CLASSES)].max() < 0.05
    assert 0 < apart[:, :4].mean() < 1.5  # px: rounded, and in the same places


def test_pictures_for_rounding_are_drawn_alike_from_every_folder(tmp_path: Path) -> None:
    folders = [compose(tmp_path / name, 6, seed=7) / "images" for name in ("one", "two")]
    drawn = draw(folders, 4)
    assert drawn == draw(folders, 4)
    assert [path.parent for path in drawn] == [folders[0]] * 2 + [folders[1]] * 2
    (tmp_path / "none").mkdir()
    with pytest.raises(LabError, match="no pictures"):
        draw([tmp_path / "none"], 4)


@pytest.mark.weights
def test_shipped_detector_gives_the_same_detections_in_both_runtimes() -> None:
    """Boxes, corners and confidence after each library's own decoding and suppression."""
    image = load_picture(demo_picture()).image_bgr
    ours = OnnxDetector(find_weights("detector")).detect(image, 0.25)
    base = MODELS / find_entry("detector").facts["base"]
    theirs = UltralyticsDetector(base).detect(image, 0.25)
    assert len(ours) == len(theirs) > 20
    for one in ours:
        other = nearest(one, theirs)
        assert one.box_px == pytest.approx(other.box_px, abs=0.5)
        assert one.confidence == pytest.approx(other.confidence, abs=1e-3)
        if one.corners_px is not None:
            assert other.corners_px is not None
            assert np.abs(np.subtract(one.corners_px, other.corners_px)).max() < 0.5


def nearest(wanted: Detection, found: tuple[Detection, ...]) -> Detection:
    def distance(other: Detection) -> float:
        return float(np.abs(np.subtract(other.box_px, wanted.box_px)).max())

    return min((other for other in found if other.kind == wanted.kind), key=distance)
