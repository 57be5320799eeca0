"""A network is found, missing or altered; and what opens is what was written."""

import hashlib
import struct
from pathlib import Path

import numpy as np
import pytest

from vision.dice.models import DiceThresholds
from vision.errors import VisionError, WeightsAltered, WeightsMissing
from vision.onnx_session import OnnxSession, usable_cores
from vision.weights import (
    MODELS,
    WeightsEntry,
    find_entry,
    find_weights,
    read_manifest,
    sha256_of,
)

BODY = b"the numbers of a network"


def shipped(folder: Path, body: bytes = BODY) -> Path:
    """A folder with one network called 'faces', as in the manifest of ``models``."""
    (folder / "weights").mkdir()
    (folder / "weights" / "faces.onnx").write_bytes(body)
    (folder / "manifest.toml").write_text(
        "[[weights]]\n"
        'name = "faces"\n'
        'file = "weights/faces.onnx"\n'
        f'sha256 = "{hashlib.sha256(BODY).hexdigest()}"\n'
        f"bytes = {len(BODY)}\n"
        'classes = ["blank", "cross"]\n'
        "input_size = [64, 64]\n",
        encoding="utf-8",
    )
    return folder


def assert_one_clear_line(error: VisionError) -> None:
    for line in (error.reason_en, error.reason_fr):
        assert line.isprintable()
        assert "; " in line
    assert error.reason_en != error.reason_fr


def test_found(tmp_path: Path) -> None:
    assert find_weights("faces", shipped(tmp_path)) == tmp_path / "weights" / "faces.onnx"
    entry = find_entry("faces", tmp_path)
    assert entry.facts == {"classes": ["blank", "cross"], "input_size": [64, 64]}


def test_figures_of_the_manifest_replace_the_usual_ones(tmp_path: Path) -> None:
    facts = {"face_threshold": 0.8, "colour": 0.1, "flat_threshold": "unknown"}
    entry = WeightsEntry("net", tmp_path / "net.onnx", "0" * 64, 1, facts)
    said = entry.figures(
        DiceThresholds(face=0.9, large_face=0.91, colour=0.92, flat=0.93), "_threshold"
    )
    assert said == DiceThresholds(face=0.8, large_face=0.91, colour=0.92, flat=0.93)


def test_checksum_of_a_file(tmp_path: Path) -> None:
    shipped(tmp_path)
    assert sha256_of(tmp_path / "weights" / "faces.onnx") == hashlib.sha256(BODY).hexdigest()


@pytest.mark.parametrize("gone", ["manifest.toml", "weights/faces.onnx"])
def test_missing_file(tmp_path: Path, gone: str) -> None:
    shipped(tmp_path)
    (tmp_path / gone).unlink()
    with pytest.raises(WeightsMissing, match=gone) as caught:
        find_weights("faces", tmp_path)
    assert_one_clear_line(caught.value)


def test_unknown_name_lists_the_known(tmp_path: Path) -> None:
    with pytest.raises(WeightsMissing, match=r"'dice' \(there: faces\)") as caught:
        find_weights("dice", shipped(tmp_path))
    assert_one_clear_line(caught.value)


@pytest.mark.parametrize("body", [BODY[:-1] + b"X", BODY + b" and more", b""])
def test_altered_file(tmp_path: Path, body: bytes) -> None:
    with pytest.raises(WeightsAltered, match="not the network 'faces'") as caught:
        find_weights("faces", shipped(tmp_path, body))
    assert_one_clear_line(caught.value)


def test_alteration_after_a_first_look_is_seen(tmp_path: Path) -> None:
    path = find_weights("faces", shipped(tmp_path))
    path.write_bytes(BODY[::-1])
    with pytest.raises(WeightsAltered):
        find_weights("faces", tmp_path)


@pytest.mark.parametrize(
    "text", ["[[weights]", "", '[[weights]]\nname = "faces"\n', "weights = 3\n", "weights = [1]\n"]
)
def test_damaged_manifest(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.toml").write_text(text, encoding="utf-8")
    with pytest.raises(WeightsAltered, match="damaged") as caught:
        read_manifest(tmp_path)
    assert_one_clear_line(caught.value)


@pytest.mark.weights
def test_every_shipped_network_is_unaltered_and_within_its_size() -> None:
    entries = read_manifest()
    assert entries
    for entry in entries:
        assert find_weights(entry.name) == entry.path
        if entry.path.suffix == ".onnx":
            assert entry.size_bytes <= 12_000_000
            assert OnnxSession(entry.path).input_shape
    assert sum(entry.size_bytes for entry in entries) <= 30_000_000


def test_manifest_lies_beside_the_package() -> None:
    assert (MODELS / "__init__.py").is_file()


# A network by hand: the default environment has no tool to write one. Protocol buffer fields are
# (number << 3 | kind, value): kind 0 a number, kind 2 bytes after their length.


def number(field: int, value: int) -> bytes:
    return struct.pack("BB", field << 3, value)


def block(field: int, body: bytes) -> bytes:
    assert len(body) < 128
    return struct.pack("BB", field << 3 | 2, len(body)) + body


def doubling_network() -> bytes:
    """``y = x + x`` over float32 (1, 3), opset 13, with the metadata ``made=here``."""

    def value(name: bytes) -> bytes:
        shape = block(1, number(1, 1)) + block(1, number(1, 3))
        tensor = number(1, 1) + block(2, shape)
        return block(1, name) + block(2, block(1, tensor))

    node = block(1, b"x") + block(1, b"x") + block(2, b"y") + block(4, b"Add")
    graph = block(1, node) + block(2, b"g") + block(11, value(b"x")) + block(12, value(b"y"))
    opset = block(8, number(2, 13))
    metadata = block(14, block(1, b"made") + block(2, b"here"))
    return number(1, 8) + block(7, graph) + opset + metadata


def test_session_runs_a_network(tmp_path: Path) -> None:
    path = tmp_path / "double.onnx"
    path.write_bytes(doubling_network())
    session = OnnxSession(path)
    assert session.input_shape == (1, 3)
    assert session.metadata == {"made": "here"}
    (output,) = session.run(np.array([[1, 2, 3]], np.float32))
    assert output.tolist() == [[2, 4, 6]]


@pytest.mark.parametrize("body", [b"", b"no network", doubling_network()[:-40]])
def test_session_of_something_else_is_refused(
    tmp_path: Path, body: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.onnx"
    path.write_bytes(body)
    with pytest.raises(WeightsAltered, match=r"broken\.onnx") as caught:
        OnnxSession(path)
    assert_one_clear_line(caught.value)
    assert capfd.readouterr().out == ""


def test_at_least_one_core() -> None:
    assert usable_cores() >= 1
