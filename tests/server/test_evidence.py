"""`arbitre export --as zip` and `verify`: the pack proves a match, and shows every alteration."""

import contextlib
import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from server.cli import main
from server.data import DataFolder
from server.evidence import NotEvidence, check_pack
from server.store import Store
from server.store.chain import FIRST, hash_of
from server.store.rows import StoredEvent
from tests.server.played import keep_match

PICTURES = [bytes([0xFF, 0xD8, number]) * 50 for number in range(3)]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    """A data folder with a match of six rulings, three of them with pictures."""
    return keep_match(DataFolder(tmp_path_factory.mktemp("data")), 6, 4, PICTURES)


@pytest.fixture(scope="module")
def packed(kept: DataFolder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its evidence pack."""
    path = tmp_path_factory.mktemp("packs") / "match.zip"
    words = ["--data", str(kept.path), "--out", str(path)]
    assert main(["export", "last", "--as", "zip", *words]) == 0
    return path


def verified(capsys: pytest.CaptureFixture[str], path: Path, *words: str) -> tuple[int, Any]:
    """Status and answer of `arbitre verify --json`."""
    capsys.readouterr()
    status = main(["verify", str(path), "--json", *words])
    return status, json.loads(capsys.readouterr().out)


def files_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def test_a_pack_holds_what_was_packed(capsys: pytest.CaptureFixture[str], packed: Path) -> None:
    status, told = verified(capsys, packed)
    assert status == 0
    assert told["holds"]
    assert not told["ruled_otherwise"]
    assert (told["events"], told["pictures"], told["dropped"]) == (13, 3, 0)
    files = files_of(packed)
    assert told["hash"] in files["README.txt"].decode()
    assert "Preuves" in files["README.txt"].decode()
    assert sorted(files[name] for name in files if name.startswith("frames/")) == sorted(PICTURES)


def test_the_same_match_gives_the_same_bytes(
    capsys: pytest.CaptureFixture[str], kept: DataFolder, packed: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.zip"
    main(["export", "last", "--as", "zip", "--data", str(kept.path), "--out", str(again)])
    assert str(again) in capsys.readouterr().out
    assert again.read_bytes() == packed.read_bytes()


def test_a_noted_hash_binds_the_record(capsys: pytest.CaptureFixture[str], packed: Path) -> None:
    record = json.loads(files_of(packed)["match.json"])
    noted = record["events"][3]["hash"]
    assert verified(capsys, packed, "--hash", noted[:12].upper())[1]["noted"] == 4
    status, told = verified(capsys, packed, "--hash", "0123456789")
    assert status == 1
    assert not told["holds"]
    assert told["noted"] is None


def test_a_record_written_anew_needs_the_noted_hash(
    capsys: pytest.CaptureFixture[str], packed: Path, tmp_path: Path
) -> None:
    files = files_of(packed)
    record = json.loads(files["match.json"])
    noted, before = record["events"][4]["hash"], FIRST
    record["events"][2]["at"] = "2020-01-01T00:00:00+00:00"
    for event in record["events"]:
        event["previous"] = before
        told = {**event, "frames": tuple(event["frames"])}
        event["hash"] = before = hash_of(StoredEvent(**told))
    files["match.json"] = json.dumps(record).encode()
    del files["SHA256SUMS"]
    lines = [f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in files.items()]
    forged = zipped(tmp_path / "forged.zip", {**files, "SHA256SUMS": "".join(lines).encode()})
    assert verified(capsys, forged)[0] == 0  # nothing inside can tell
    assert verified(capsys, forged, "--hash", noted)[0] == 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda f: f | {"moves.csv": f["moves.csv"] + b"x"}, "file_changed"),
        (lambda f: {n: c for n, c in f.items() if n != "moves.csv"}, "file_missing"),
        (lambda f: f | {"more.txt": b"x"}, "file_unknown"),
        (lambda f: {n: c for n, c in f.items() if not n.startswith("frames/")}, "picture_missing"),
        (lambda f: {n: b"x" if n[0] == "f" else c for n, c in f.items()}, "picture_changed"),
        (lambda f: f | {"match.json": f["match.json"].replace(b'"at": "2', b'"at": "1')}, "chain"),
    ],
)
def test_alterations_are_named(
    capsys: pytest.CaptureFixture[str], packed: Path, tmp_path: Path, change: Any, why: str
) -> None:
    altered = zipped(tmp_path / "altered.zip", change(files_of(packed)))
    status, told = verified(capsys, altered)
    assert status == 1
    assert why in {fault["why"] for fault in told["faults"]}
    assert main(["verify", str(altered), "--lang", "fr"]) == 1
    assert "ce n’est PAS" in capsys.readouterr().out


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_no_byte_can_be_changed_unseen(packed: Path, data: st.DataObject) -> None:
    files = files_of(packed)
    name = data.draw(st.sampled_from(sorted(files)))
    at = data.draw(st.integers(0, len(files[name]) - 1))
    mask = data.draw(st.integers(1, 255))
    content = bytearray(files[name])
    content[at] ^= mask
    pack = io.BytesIO()
    with zipfile.ZipFile(pack, "w") as archive:
        for other in files:
            archive.writestr(other, bytes(content) if other == name else files[other])
    if name == "match.json":
        with contextlib.suppress(NotEvidence):  # no record of ours any more
            assert check_pack(pack).faults
    else:
        assert check_pack(pack).faults


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(at=st.floats(0, 1, exclude_max=True), mask=st.integers(1, 255))
def test_a_damaged_zip_is_said_or_holds(packed: Path, at: float, mask: int) -> None:
    content = bytearray(packed.read_bytes())
    content[int(at * len(content))] ^= mask
    try:
        checked = check_pack(io.BytesIO(bytes(content)))
    except NotEvidence:
        return
    if not checked.faults:  # a byte of the zip's own that says nothing about the files
        files = check_pack(io.BytesIO(packed.read_bytes()))
        assert checked.hashes == files.hashes


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main(["verify", *words, "--lang", "en"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "fault in Arbitre" not in line
    return line


def test_what_is_no_pack(capsys: pytest.CaptureFixture[str], packed: Path, tmp_path: Path) -> None:
    text = tmp_path / "a.zip"
    text.write_text("no zip")
    assert "no zip" in refused(capsys, str(text))
    half = tmp_path / "half.zip"
    half.write_bytes(packed.read_bytes()[:-200])
    assert "damaged" in refused(capsys, str(half))
    assert "no evidence pack" in refused(capsys, str(zipped(tmp_path / "b.zip", {"x": b"y"})))
    sums = {"match.json": b'{"format": "arbitre match 1", "match": 3}', "SHA256SUMS": b""}
    assert "no evidence pack" in refused(capsys, str(zipped(tmp_path / "c.zip", sums)))
    assert "nix.zip" in refused(capsys, str(tmp_path / "nix.zip"))
    assert "at least 8" in refused(capsys, str(packed), "--hash", "12ab")


def test_a_bomb_is_not_opened(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.evidence.MOST_BYTES", 1 << 20)
    bomb = tmp_path / "bomb.zip"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("match.json", b"0" * (2 << 20))
        archive.writestr("SHA256SUMS", b"")
    assert "not opened" in refused(capsys, str(bomb))


def test_lost_pictures_are_said_when_packing(
    capsys: pytest.CaptureFixture[str], kept: DataFolder, tmp_path: Path
) -> None:
    store = Store(kept.url, kept.frames)
    path = store.frames.path(store.frames.put(PICTURES[1]))
    store.close()
    jpeg = path.read_bytes()
    path.write_bytes(b"painted over")
    pack = tmp_path / "lost.zip"
    words = ["--data", str(kept.path), "--out", str(pack), "--lang", "en"]
    try:
        assert main(["export", "last", "--as", "zip", *words]) == 1
    finally:
        path.write_bytes(jpeg)
    assert "1 pictures are missing" in capsys.readouterr().err
    status, told = verified(capsys, pack)
    assert (status, told["pictures"], told["dropped"]) == (0, 2, 1)


def test_a_pack_that_cannot_be_written(
    capsys: pytest.CaptureFixture[str], kept: DataFolder, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way")
    out = tmp_path / "file" / "match.zip"
    words = ["--data", str(kept.path), "--out", str(out), "--lang", "en"]
    assert main(["export", "last", "--as", "zip", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert str(out) in line
