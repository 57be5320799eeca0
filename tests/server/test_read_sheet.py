"""`arbitre read --part sheet`: printed sheets through the command, in JSON and for human eyes."""

import argparse
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pillow_heif
import pytest
from PIL import Image

from server.cli import main, read
from server.cli.pictures import Session
from server.reading import Request
from server.settings import Settings
from server.web import create_app
from tests.vision.coloured_sheets import models_for, sheet_image
from vision.pictures import Picture
from vision.read import PictureReading, read_picture
from vision.sheets.models import FieldModels

Captured = pytest.CaptureFixture[str]
QWINTO = {"orange[1]": "15", "yellow[0]": "3", "failed[2]": "x", "strip.total": "-4"}
DETRAK = {"grid[0][0]": "T", "grid[0][1]": "X", "boxes.total": "12"}


@dataclass
class PatchReader:
    """Reads patches of colour for writing, through everything but the network."""

    models: FieldModels = field(default_factory=models_for)

    def __call__(self, picture: Picture, request: Request) -> PictureReading:
        return read_picture(
            picture, request.game_id, request.part, models=self.models,
            corners_px=request.corners_px,
        )  # fmt: skip


def save(path: Path, image_bgr: np.ndarray, **options: Any) -> str:
    Image.fromarray(np.ascontiguousarray(image_bgr[:, :, ::-1])).save(path, **options)
    return str(path)


def run(game: str, *files: str, as_json: bool = True, models: FieldModels | None = None,
        out: Path | None = None, lang: str = "en") -> int:  # fmt: skip
    words = {"files": list(files), "game": game, "json": as_json, "out": out, "lang": lang}
    reader = PatchReader(models or models_for())
    return read.read_all(
        argparse.Namespace(**words),
        Session(reader, Request(game, "sheet"), "fr" if lang == "fr" else "en"),
    )


def test_one_object_a_file(tmp_path: Path, capsys: Captured) -> None:
    files = [
        save(tmp_path / "qwinto.png", sheet_image("qwinto", QWINTO)),
        save(tmp_path / "other.png", sheet_image("detrak", {})),
    ]
    assert run("qwinto", *files) == 1
    good, other = map(json.loads, capsys.readouterr().out.splitlines())
    assert (good["game"], good["part"]) == ("qwinto", "sheet")
    assert good["reading"]["orange"] == [0, 15, 0, 0, 0, 0, 0, 0, 0]
    assert good["reading"]["failed"] == 1
    assert good["doubts"] == []
    assert other["reading"] is None
    assert other["refused"]["reason"] == "sheet-of-detrak"


def test_qwinto_for_human_eyes(tmp_path: Path, capsys: Captured) -> None:
    path = save(tmp_path / "a.png", sheet_image("qwinto", QWINTO))
    assert run("qwinto", path, as_json=False, models=models_for(unsure=["15"])) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{path}: Qwinto score sheet, 1 in doubt, ")
    assert lines[1] == "   sheet no. 1"
    assert lines[3].split() == ["orange", ".", "[15]", *"......."]
    assert lines[4].split() == ["yellow", "3", *"........"]
    assert lines[4].index("3") == lines[2].index(" 1 ") + 1
    assert (
        "failed throws: 1; written sums: rows . . ., bonuses . . . . ., penalty ., total -4"
        in lines[6]
    )
    assert lines[-1].startswith("   in doubt: o3: 15 41%, ")
    assert lines[-1].endswith("(orange[1])")


def test_detrak_for_human_eyes_in_french(tmp_path: Path, capsys: Captured) -> None:
    path = save(tmp_path / "a.png", sheet_image("detrak", DETRAK))
    assert run("detrak", path, as_json=False, lang="fr", models=models_for(unsure=["12"])) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{path} : feuille de score de Détrak, 1 en doute, ")
    assert lines[3].split() == ["T", "X", *"...."]
    assert lines[8].split()[-1] == "[12]"
    assert lines[-1].startswith("   en doute : total : 12 ")


def test_drawings_are_written(tmp_path: Path, capsys: Captured) -> None:
    path = save(tmp_path / "a.png", sheet_image("qwinto", QWINTO))
    out = tmp_path / "out"
    assert run("qwinto", path, as_json=False, out=out) == 0
    assert "drawn in" in capsys.readouterr().out
    with Image.open(out / "a.read.jpg") as drawn, Image.open(path) as plain:
        assert drawn.size == plain.size


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_turned_by_exif(orientation: int, tmp_path: Path, capsys: Captured) -> None:
    image = sheet_image("qwinto", QWINTO)
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = save(tmp_path / "a.jpg", image, quality=95, subsampling=0, exif=exif)
    assert run("qwinto", path) == 0
    reading = json.loads(capsys.readouterr().out)["reading"]
    assert reading["orange"][1] == 15
    assert reading["strip"]["total"] == -4


def test_heic(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "photo.heic"
    image = Image.fromarray(np.ascontiguousarray(sheet_image("detrak", DETRAK)[:, :, ::-1]))
    pillow_heif.from_pillow(image).save(path, quality=95, chroma="444")
    assert run("detrak", str(path)) == 0
    assert json.loads(capsys.readouterr().out)["reading"]["grid"][0] == "TX..."


def test_fifty_megapixels(tmp_path: Path, capsys: Captured) -> None:
    image = sheet_image("qwinto", QWINTO)
    large = Image.fromarray(np.ascontiguousarray(image[:, :, ::-1])).resize((10_000, 5_000))
    large.save(tmp_path / "large.jpg", quality=85)
    assert run("qwinto", str(tmp_path / "large.jpg")) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["reading"]["orange"][1] == 15


def test_missing_networks_are_one_line(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    from server.reading import NetworkReader

    (tmp_path / "manifest.toml").write_text("weights = []\n")
    path = save(tmp_path / "a.png", sheet_image("qwinto", {}))
    session = Session(NetworkReader(tmp_path), Request("qwinto", "sheet"), "en")
    words = {"files": [path], "game": "qwinto", "json": False, "out": None, "lang": "en"}
    assert read.read_all(argparse.Namespace(**words), session) == 2
    error = capsys.readouterr().err
    assert "sheet_fields" in error
    assert error.count("\n") == 1


def test_corners_that_are_no_quadrilateral_are_one_line(tmp_path: Path, capsys: Captured) -> None:
    path = save(tmp_path / "a.png", sheet_image("qwinto", {}))
    words = ["read", path, "--game", "qwinto", "--part", "sheet", "--corners", "1,2 3"]
    assert main([*words, "--lang", "en"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_page_is_told_values_and_places_of_a_sheet(tmp_path: Path) -> None:
    path = save(tmp_path / "a.png", sheet_image("qwinto", QWINTO))
    client = create_app(Settings(), PatchReader()).test_client()
    with Path(path).open("rb") as file:
        data = {"picture": (file, "a.png"), "game": "qwinto", "part": "sheet"}
        answer = client.post("/api/read", data=data)
    assert answer.status_code == 200
    (sheet,) = answer.get_json()["boards"]
    assert sheet["board"]["orange"][1] == 15
    fields = {field["where"]: field for field in sheet["fields"]}
    assert fields["orange[1]"]["value"] == 15
    assert fields["strip.penalty"]["value"] is None
    assert len(fields["orange[1]"]["quad"]) == 4
