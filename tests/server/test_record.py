"""`arbitre export --as pdf`: a match on paper."""

import io
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from engine.games import GAMES
from engine.quixo import GAME
from server.cli import main
from server.data import DataFolder
from server.printing.canvas import Type, new_canvas
from server.printing.paper import PAPERS
from server.printing.record import Subject, print_record, shown, wrapped
from server.store import Store
from tests.server.played import keep_match
from tests.server.store.conftest import begin


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> DataFolder:
    """A data folder with a match whose illegal moves have a picture."""
    red = np.full((720, 1280, 3), (20, 20, 220), np.uint8)
    jpeg = cv2.imencode(".jpg", red)[1].tobytes()
    return keep_match(DataFolder(tmp_path_factory.mktemp("data")), 40, 6, [jpeg] * 80)


def pages(pdf: bytes) -> list[str]:
    """The words of each page."""
    document = pypdfium2.PdfDocument(pdf)
    return [document[n].get_textpage().get_text_bounded() for n in range(len(document))]


def exported(kept: DataFolder, path: Path, *words: str) -> bytes:
    main(["export", "last", "--as", "pdf", "--data", str(kept.path), "--out", str(path), *words])
    return path.read_bytes()


def test_every_ruling_stands_on_paper_with_its_rules(kept: DataFolder, tmp_path: Path) -> None:
    table = tmp_path / "moves.csv"
    main(["export", "last", "--as", "csv", "--data", str(kept.path), "--out", str(table)])
    rows = [line.split(",") for line in table.read_text().splitlines()[1:]]
    illegal = [row for row in rows if row[3] == "illegal"]
    assert illegal
    told = pages(exported(kept, tmp_path / "match.pdf", "--lang", "en"))
    words = "\n".join(told)
    assert len(told) > 1
    for row in rows:
        assert row[2] in words
    assert words.count("Illegal") == len(illegal)
    for row in illegal:
        assert f"[{row[4].split()[0]}]" in words
    assert "South" in words
    french = "\n".join(pages(exported(kept, tmp_path / "partie.pdf", "--lang", "fr")))
    assert french.count("Illégal") == len(illegal)
    assert "Nord" in french


def test_the_newest_hash_stands_on_every_page(kept: DataFolder, tmp_path: Path) -> None:
    store = Store(kept.url, kept.frames)
    newest = store.matches.all()[0].hash
    store.close()
    assert newest
    assert all(newest in page for page in pages(exported(kept, tmp_path / "match.pdf")))


def test_pictures_stand_beside_illegal_moves(kept: DataFolder, tmp_path: Path) -> None:
    document = pypdfium2.PdfDocument(exported(kept, tmp_path / "match.pdf"))
    image = np.asarray(document[0].render(scale=1).to_pil())
    red = (image[..., 0] > 180) & (image[..., 1] < 60) & (image[..., 2] < 60)
    assert red.sum() > 10_000  # 64 by 36 mm at 72 dots an inch are 18 500


def test_the_same_match_gives_the_same_bytes(kept: DataFolder, tmp_path: Path) -> None:
    assert exported(kept, tmp_path / "a.pdf") == exported(kept, tmp_path / "b.pdf")


def test_nothing_stands_beside_the_page(kept: DataFolder, tmp_path: Path) -> None:
    for paper in PAPERS:
        document = pypdfium2.PdfDocument(exported(kept, tmp_path / "m.pdf", "--paper", paper))
        for page in document:
            image = np.asarray(page.render(scale=1).to_pil().convert("L"))
            rim = np.concatenate(
                [image[:, :20].ravel(), image[:, -20:].ravel(), image[:20].ravel()]
            )
            assert rim.min() == 255


def test_matches_of_every_game_without_a_move(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'a.sqlite'}", tmp_path / "frames")
    row = begin(store)
    events = store.events.since(row.id)
    store.close()
    assert row.game in GAMES
    subject = Subject(GAME, row, events, lambda _: None, PAPERS["a4"], "en")
    (page,) = pages(print_record(subject).to_bytes())
    assert "Not finished." in page


def test_words_are_broken_where_they_are_too_wide() -> None:
    canvas, kind = new_canvas("words"), Type(2.3)
    lines = wrapped(canvas, "a bishop is no cube " * 20, kind, 60.0)
    assert len(lines) > 3
    assert all(canvas.width(line, kind) <= 60.0 for line in lines)
    assert " ".join(lines) == " ".join(["a bishop is no cube"] * 20)
    assert wrapped(canvas, "x" * 400, kind, 60.0) == ["x" * 400]
    assert shown("Zoë 将") == "Zoë ?"
    canvas.to_bytes()  # lets go of the fonts' files


def test_what_is_no_picture_is_said() -> None:
    canvas = new_canvas("picture")
    canvas.page(PAPERS["a4"])
    with pytest.raises(OSError, match="cannot identify"):
        canvas.picture((0, 0, 10, 10), io.BytesIO(b"no picture"))
    canvas.to_bytes()  # lets go of the fonts' files
