"""The classifiers of fields and of tiles learn plain strokes, and their exports answer alike.

Runs in the training environment: `make test-train`.
"""

import shutil
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.labels import FIELD_STATES, FIELD_SYMBOLS, TENS, TILE_CLASSES, TURNS
from vision.sheets.classify import OUTPUTS, FieldCalibration, field_planes
from vision.sheets.classify_onnx import OnnxFieldClassifier
from vision.tiles.classify import TileCalibration, tile_planes
from vision.tiles.classify_onnx import OnnxTileClassifier

torch = pytest.importorskip("torch", reason="needs the training environment: make test-train")

from models import (  # noqa: E402  torch
    face_network,
    field_network,
    tile_network,
    train_fields,
    train_tiles,
)
from models.augment import glare, smear  # noqa: E402
from models.errors import LabError  # noqa: E402
from models.halve import halve  # noqa: E402
from models.take_over import take_over  # noqa: E402
from models.train_shares import SharedConfig, mixed  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")

KINDS = (("number", "1"), ("number", "11"), ("symbol", "O"), ("number", ""))
COUNT = 64


def field(kind: str, text: str, rng: np.random.Generator) -> NDArray[np.uint8]:
    """White paper with upright strokes for the digits of 1 and 11, or a ring."""
    image = np.full((64, 64, 3), 230, np.uint8)
    x = int(rng.integers(20, 28))
    if text == "O":
        cv2.circle(image, (x, 24), 11, (40, 40, 40), 2)
    for n in range(text.count("1")):
        cv2.line(image, (x + 9 * n - 4, 12), (x + 9 * n - 4, 36), (40, 40, 40), 2)
    return image


def fields(folder: Path) -> Path:
    rng = np.random.default_rng(4)
    told = [KINDS[index % len(KINDS)] for index in range(COUNT)]
    (folder / "crops").mkdir(parents=True)
    np.savez(
        folder / "crops" / "000000.npz",
        images=np.stack([field(kind, text, rng) for kind, text in told]),
        kinds=np.array([kind for kind, _ in told]),
        texts=np.array([text for _, text in told]),
        states=np.array([int(bool(text)) for _, text in told]),
    )
    return folder


def tiles(folder: Path) -> Path:
    """A bar near one side of a dark tile stands for a digit turned that way; light is no tile."""
    images = np.full((COUNT, 64, 64, 3), 210, np.uint8)
    classes = np.full(COUNT, TILE_CLASSES.index("empty"))
    for n in range(0, COUNT, 2):
        cv2.rectangle(images[n], (8, 8), (56, 56), (25, 25, 25), -1)
        cv2.rectangle(images[n], (16, 12), (48, 22), (240, 240, 240), -1)
        turn = n // 2 % TURNS
        images[n] = np.rot90(images[n], -turn)
        classes[n] = TILE_CLASSES.index(f"7@{turn}")
    (folder / "crops").mkdir(parents=True)
    np.savez(folder / "crops" / "000000.npz", images=images, classes=classes)
    return folder


def config(data: Path, out: Path) -> SharedConfig:
    return SharedConfig((data,), (1.0,), out, minutes=5.0, batch=32, most_steps=300)


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    folder = tmp_path_factory.mktemp("fields")
    data = fields(folder / "set")
    checkpoint = train_fields.train(config(data, folder / "run"))
    made = field_network.export(field_network.load(checkpoint), folder / "sheet_fields.onnx")
    return data, checkpoint, made


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    folder = tmp_path_factory.mktemp("tiles")
    data = tiles(folder / "set")
    checkpoint = train_tiles.train(config(data, folder / "run"))
    made = tile_network.export(tile_network.load(checkpoint), folder / "tile_faces.onnx")
    return data, checkpoint, made


def test_numbers_symbols_and_blanks_are_learnt(read: tuple[Path, Path, Path]) -> None:
    crops = train_fields.load_fields(read[0]).images.numpy()
    scores = OnnxFieldClassifier(read[2], FieldCalibration()).classify(crops)
    for n, score in enumerate(scores):
        kind, text = KINDS[n % len(KINDS)]
        assert FIELD_STATES[int(np.argmax(score.states))] == ("written" if text else "blank")
        if kind == "number" and text:
            assert score.number(int(text)) > 0.5
        if kind == "symbol":
            assert FIELD_SYMBOLS[int(np.argmax(score.symbols))] == "circle"


def test_a_tile_is_learnt_in_all_turns(laid: tuple[Path, Path, Path]) -> None:
    images, classes = train_tiles.load_tiles(laid[0])
    scores = OnnxTileClassifier(laid[2], TileCalibration()).classify(images.numpy())
    got = [int(np.argmax(score.classes)) for score in scores]
    assert got == classes.tolist()


def test_what_is_trained_on_keeps_a_share_of_the_weights_it_began_with(
    laid: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    (tmp_path / "run").mkdir()
    shutil.copy(laid[1], tmp_path / "run")
    begun = tile_network.load(laid[1]).state_dict()
    short = replace(config(laid[0], tmp_path / "run"), most_steps=3, kept=1.0)
    whole = tile_network.load(train_tiles.train(short)).state_dict()
    assert all(torch.equal(whole[name], begun[name]) for name in begun)
    moved = tile_network.load(train_tiles.train(replace(short, kept=0.0))).state_dict()
    half = mixed(begun, moved, 0.5)
    name = "tile.weight"
    assert not torch.equal(moved[name], begun[name])
    assert torch.allclose(half[name], (begun[name] + moved[name]) / 2, atol=1e-6)


@pytest.mark.parametrize("half", [False, True])
def test_training_goes_on_from_an_exported_network(
    laid: tuple[Path, Path, Path], tmp_path: Path, half: bool
) -> None:
    images, classes = train_tiles.load_tiles(laid[0])
    crops, _ = train_tiles.augment(images, classes)
    path = copied(laid[2], tmp_path, half)
    network = tile_network.TileNetwork()
    take_over(network, path, crops)
    planes = torch.tensor(tile_planes(images.numpy()))
    with torch.no_grad():
        again = network.eval()(planes).numpy()
    assert np.allclose(again, OnnxTileClassifier(path, TileCalibration()).logits(images.numpy()),
                       atol=1e-3)  # fmt: skip
    begun = replace(config(laid[0], tmp_path / "run"), start=path, most_steps=1, learning_rate=0.0)
    trained = tile_network.load(train_tiles.train(begun)).state_dict()
    assert torch.allclose(trained["body.0.0.weight"], network.state_dict()["body.0.0.weight"])


def test_training_of_fields_goes_on_from_an_exported_network(
    read: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    crops = train_fields.load_fields(read[0]).images.numpy()[:4]
    begun = replace(config(read[0], tmp_path / "run"), start=read[2], most_steps=1, learning_rate=0)
    network = field_network.load(train_fields.train(begun)).eval()
    with torch.no_grad():
        again = network(torch.tensor(field_planes(crops)))
    wanted = OnnxFieldClassifier(read[2], FieldCalibration()).logits(crops)
    for told, answer in zip(again, wanted, strict=True):
        size = np.abs(answer).max()  # any: the first network was trained for a time, not for steps
        # norms saw one batch since
        np.testing.assert_allclose(told.numpy() / size, answer / size, atol=0.03)


def test_another_form_of_network_is_not_taken_over(
    read: tuple[Path, Path, Path], laid: tuple[Path, Path, Path]
) -> None:
    images, classes = train_tiles.load_tiles(laid[0])
    crops, _ = train_tiles.augment(images, classes)
    with pytest.raises(LabError, match="weights of"):
        take_over(face_network.FaceNetwork(), read[2], crops)
    with pytest.raises(LabError, match=r"\d+ convolutions; this network has \d+"):
        take_over(tile_network.TileNetwork(), read[2], crops)


@pytest.mark.parametrize("half", [False, True])
def test_exports_answer_like_their_networks(
    read: tuple[Path, Path, Path], laid: tuple[Path, Path, Path], tmp_path: Path, half: bool
) -> None:
    crops = train_fields.load_fields(read[0]).images.numpy()[:4]
    path = copied(read[2], tmp_path, half)
    with torch.no_grad():
        wanted = field_network.load(read[1]).eval()(torch.tensor(field_planes(crops)))
    got = OnnxFieldClassifier(path, FieldCalibration()).logits(crops)
    assert len(got) == len(OUTPUTS)
    for one, other in zip(got, wanted, strict=True):
        np.testing.assert_allclose(one, other.numpy(), atol=0.1 if half else 1e-3)
    squares = train_tiles.load_tiles(laid[0])[0].numpy()[:4]
    path = copied(laid[2], tmp_path, half)
    with torch.no_grad():
        answer = tile_network.load(laid[1]).eval()(torch.tensor(tile_planes(squares)))
    logits = OnnxTileClassifier(path, TileCalibration()).logits(squares)
    np.testing.assert_allclose(logits, answer.numpy(), atol=0.1 if half else 1e-3)


def copied(source: Path, folder: Path, half: bool) -> Path:
    path = folder / source.name
    path.write_bytes(source.read_bytes())
    if half:
        halve(path)
    return path


def test_labels_tell_what_a_field_holds() -> None:
    assert train_fields.labels_of("score", "-20", 1) == (1, 1, 0, TENS.index("2"), 0, -1)
    assert train_fields.labels_of("score", "110", 1) == (1, 0, 1, TENS.index("1"), 0, -1)
    assert train_fields.labels_of("symbol", "T", 1) == (1, -1, -1, -1, -1, 4)
    assert train_fields.labels_of("failed", "x", 1) == (1, -1, -1, -1, -1, -1)
    assert train_fields.labels_of("number", "7", 2) == (2, -1, -1, -1, -1, -1)


def test_lamps_blow_out_spots_of_some_crops_and_leave_the_others() -> None:
    torch.manual_seed(8)
    crops = torch.full((400, 3, 64, 64), 0.2)
    lit = glare(crops, 0.5)
    touched = (lit != crops).flatten(1).any(dim=1)
    assert int(touched.sum()) == 200
    assert bool((lit >= crops).all())
    assert float(lit.max()) == 1.0
    blown = (lit.mean(1) > 0.9).float().mean(dim=(1, 2))[touched]
    assert 0.3 < float((blown > 0.01).float().mean()) < 0.9, "veils and spots, some outside"
    assert float(blown.max()) < 0.6, "no spot hides a whole face and what lies around it"


def test_smeared_crops_keep_their_light_and_lose_their_edges() -> None:
    """Half of the crops are blurred; a spot in a crop spreads and keeps its sum and its place."""
    torch.manual_seed(2)
    crops = torch.zeros(40, 3, 64, 64)
    crops[:, :, 32, 32] = 1.0
    blurred = smear(crops, 0.5, 3.0)
    changed = blurred.amax(dim=(1, 2, 3)) < 0.999
    assert 10 < int(changed.sum()) <= 20  # some are blurred by less than a pixel
    assert torch.allclose(blurred[~changed], crops[~changed], atol=2e-3)
    assert torch.allclose(blurred.sum(dim=(2, 3)), torch.ones(40, 3), atol=1e-4)
    rows = torch.arange(64.0)
    middle = (blurred[:, 0].sum(dim=2) * rows).sum(dim=1)
    assert torch.allclose(middle, torch.full((40,), 32.0), atol=1e-2)
    ways = [(blurred[:, 0].sum(dim=axis) * (rows - 32) ** 2).sum(dim=1) for axis in (1, 2)]
    assert bool(((ways[0] / ways[1])[changed].log().abs() > 0.5).any())
