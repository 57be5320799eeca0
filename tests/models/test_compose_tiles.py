"""Composed scenes of number tiles: splits, truth, crops and labels."""

import tomllib
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.compose.assets import LISTS
from models.compose.tiers import CLEAN
from models.compose.tile_layouts import LONGEST, SUPPLY, random_position
from models.compose.tile_lists import load_tile_lists, require_fonts
from models.compose.tile_scene import compose_tiles
from models.compose.tile_set import (
    BARE,
    CELL_TIERS,
    MOST_OF_BARE,
    MOST_OF_PATCH,
    crops,
    label_lines,
    write_cell_set,
    write_tile_set,
)
from models.compose.tile_still import ShownTile, TileTable
from models.compose.tile_truth import TileScene
from models.errors import LabError
from models.render.tiles import digits
from models.render.tiles.digits import missing
from vision.homography import project
from vision.labels import DETECTOR_CLASSES, TILE_CLASSES

GROUPS = ("digits", "sets", "boards")


@pytest.fixture(scope="module")
def window() -> TileScene:
    """A training window that shows tiles on a board."""
    return compose_tiles(1205, "train", "training", "board", "plastic-1964", fresh=False)


def test_figures_on_other_fonts_than_listed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    row = next(row for row in load_tile_lists("evaluation").digits if "font" in row)
    away = {"font": "No-Such.ttf"}
    assert missing([row, away, away, {"square": 2.0}])[-1] == away["font"]
    monkeypatch.setattr(digits, "font_files", dict)
    with pytest.raises(LabError, match="install the packages of"):
        require_fonts("evaluation")


def test_splits_share_no_name_and_no_font() -> None:
    """No set, font or board that is trained on is measured on."""
    with (LISTS / "tiles.toml").open("rb") as stream:
        lists = tomllib.load(stream)
    assert sorted(lists) == sorted(GROUPS)
    for group in GROUPS:
        seen: dict[str, str] = {}
        for row in lists[group]:
            for key in filter(None, (row["name"], row.get("font"))):
                assert seen.setdefault(key, row["split"]) == row["split"]
        assert set(seen.values()) == {"train", "calibration", "evaluation"}


def test_each_split_knows_digits_of_which_only_the_outline_is_drawn() -> None:
    """What is measured on is trained on in other fonts, and calibrated on."""
    with (LISTS / "tiles.toml").open("rb") as stream:
        rows = tomllib.load(stream)["digits"]
    shares = {}
    for split in ("train", "calibration", "evaluation"):
        odds = [(row.get("odds", 1.0), row.get("hollow", False)) for row in rows
                if row["split"] == split]  # fmt: skip
        shares[split] = sum(one for one, open_ in odds if open_) / sum(one for one, _ in odds)
    assert shares["calibration"] > 0.03
    assert shares["train"] > 2 * shares["evaluation"] > 0


def test_small_boards_are_seen_as_badly_as_those_of_the_hard_tier(tmp_path: Path) -> None:
    """Cells that train the classifier are drawn from every tier, here one from the hard one."""
    seed = 21_000_001
    write_cell_set(tmp_path, "train", seed, 1, workers=1)
    with np.load(tmp_path / "crops" / "000000.npz") as file:
        edge_px = file["edge_px"]
    assert set(CELL_TIERS) == {"training", "everyday", "hard"}
    found = {}
    for tier in CELL_TIERS:
        rng = np.random.default_rng([seed, 5])
        rng.choice(list(CELL_TIERS), p=list(CELL_TIERS.values()))
        assert rng.random() >= BARE, "a board"
        scene = compose_tiles(seed, "train", tier, "patch", fresh=False)
        expected = crops(scene, rng, MOST_OF_PATCH).edge_px
        found[tier] = np.array_equal(edge_px, expected)
    assert found == {"training": False, "everyday": False, "hard": True}


def test_some_small_boards_are_bare_tables_with_more_cells_between_their_tiles(
    tmp_path: Path,
) -> None:
    write_cell_set(tmp_path, "train", 21_000_002, 12, workers=1)
    bare = [seed for seed in range(21_000_002, 21_000_014) if _draws(seed)[1] < BARE]
    assert 0 < len(bare) < 12
    empty = TILE_CLASSES.index("empty")
    with np.load(tmp_path / "crops" / "000000.npz") as file:
        count = int((file["classes"] == empty).sum())
    assert MOST_OF_PATCH["empty"] * 12 < count <= MOST_OF_BARE["empty"] * 12


def _draws(seed: int) -> tuple[str, float]:
    """The tier of a small board, and the draw that makes it a bare table."""
    rng = np.random.default_rng([seed, 5])
    return str(rng.choice(list(CELL_TIERS), p=list(CELL_TIERS.values()))), float(rng.random())


def test_same_seed_same_picture() -> None:
    """A scene follows from its seed."""
    one, other = (compose_tiles(7, "evaluation", "hard", "loose") for _ in range(2))
    assert one.jpeg == other.jpeg
    assert one.tiles == other.tiles
    assert one.jpeg != compose_tiles(8, "evaluation", "hard", "loose").jpeg


def test_positions_keep_the_rules_of_laying() -> None:
    """Lines of five at most, all connected to the start, no value more often than it exists."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        position = random_position(rng, (13, 17), (6, 8), 90, even=False)
        assert (6, 8) in position
        reached, edge = {(6, 8)}, [(6, 8)]
        while edge:
            row, col = edge.pop()
            for cell in ((row + 1, col), (row - 1, col), (row, col + 1), (row, col - 1)):
                if cell in position and cell not in reached:
                    reached.add(cell)
                    edge.append(cell)
        assert reached == set(position)
        counts = np.bincount(list(position.values()), minlength=10)
        assert (counts <= SUPPLY).all()
        grid = np.zeros((15, 19), int)
        for row, col in position:
            grid[row + 1, col + 1] = 1
        for line in [*grid, *grid.T]:
            runs = "".join(map(str, line)).split("0")
            assert max(map(len, runs)) <= LONGEST


def test_digits_differ_and_six_is_marked() -> None:
    """Our own strokes tell all digits apart; a line or dot stands under 6 and 9 only."""
    style = digits.DigitStyle("test", "", 0.55, under="line")
    bare = digits.DigitStyle("test", "", 0.55)
    rng = np.random.default_rng(1)
    drawn = [digits.draw(bare, str(value), rng).astype(int) for value in range(10)]
    for value, mask in enumerate(drawn):
        assert 300 < (mask > 127).sum() < 6000
        for other in drawn[value + 1 :]:
            assert np.abs(mask - other).mean() > 5
        marked = digits.draw(style, str(value), rng).astype(int)
        assert (np.abs(marked - mask).max() > 100) == (value in (6, 9))
    turned = np.rot90(drawn[6], 2)
    assert np.abs(np.roll(turned, 1, (0, 1)) - drawn[9]).mean() < 2


def test_quads_lie_on_their_cells(window: TileScene) -> None:
    """A tile's corners, its cell in the lattice of faces, and its turn agree."""
    board = window.board
    assert board is not None
    tiles = [tile for tile in window.tiles if tile.row >= 0 and tile.odd in ("", "turned")]
    assert len(tiles) >= 5
    for tile in tiles:
        quad = np.array(tile.quad_px)
        middle = project(board.top_homography, [(tile.col + 0.5, tile.row + 0.5)])[0]
        assert np.hypot(*(quad.mean(axis=0) - middle)) < 0.2 * tile.edge_px
        unit = np.add([[0, 0], [1, 0], [1, 1], [0, 1]], (tile.col, tile.row))
        # turned once clockwise, the digit's top left is the cell's top right
        first = np.roll(project(board.top_homography, unit), -tile.turn, axis=0)[0]
        distances = np.hypot(*(quad - first).T)
        assert distances.argmin() == 0


def test_crops_turned_back_show_upright_digits(window: TileScene) -> None:
    """Turned back by their classes, crops of one digit agree better than turned otherwise."""
    cut = crops(window, np.random.default_rng(3))
    assert cut.images.shape[1:] == (64, 64, 3)
    groups: dict[int, list[np.ndarray]] = {}
    for image, index in zip(cut.images, cut.classes, strict=True):
        name = TILE_CLASSES[index]
        if "@" in name and name[0] not in "08":
            upright = np.rot90(image, int(name[2])).astype(np.float32).mean(axis=2)
            middle = cv2.GaussianBlur(upright[14:50, 14:50], (0, 0), 2)
            groups.setdefault(int(name[0]), []).append(middle - middle.mean())
    agree = np.zeros(4)
    for group in groups.values():
        for first in group:
            for second in group:
                agree += [(first * np.rot90(second, k)).sum() for k in range(4)]
    assert agree.argmax() == 0
    assert agree[0] > 1.5 * agree[1:].max()


def test_labels_name_tiles_and_board(window: TileScene) -> None:
    """Lines of YOLO pose with boxes inside of the picture."""
    lines = [line.split() for line in label_lines(window)]
    kinds = {DETECTOR_CLASSES[int(line[0])] for line in lines}
    assert "tile" in kinds
    for line in lines:
        x, y, width, height = (float(value) for value in line[1:5])
        assert len(line) == 17
        assert x - width / 2 + 1e-4 >= 0
        assert x + width / 2 <= 1.0001
        assert y - height / 2 + 1e-4 >= 0
        assert y + height / 2 <= 1.0001


def test_negatives_teach_nothing_to_find() -> None:
    """Letters and other games bear no label and give no crop."""
    scene = compose_tiles(31, "train", "training", "negative", fresh=False)
    assert all(line.startswith(f"{DETECTOR_CLASSES.index('hand')} ") for line in label_lines(scene))
    assert len(crops(scene, np.random.default_rng(1)).classes) == 0


def test_evaluation_shows_the_whole_board() -> None:
    """Every cell of a tier's scene lies in the picture."""
    scene = compose_tiles(3, "evaluation", "hard", "board", "1968")
    board = scene.board
    assert board is not None
    assert (board.rows, board.cols) == (13, 18)
    assert board.in_view == 1.0
    corners = project(board.homography, [(0, 0), (18, 0), (18, 13), (0, 13)])
    assert (corners >= 0).all()
    assert (corners <= scene.image_bgr.shape[1::-1]).all()


def test_unknown_names_are_refused() -> None:
    """One clear word for each wrong choice."""
    for wrong in ({"kind": "heap"}, {"tier": "easy"}, {"split": "test"}, {"edition": "2020"}):
        with pytest.raises(ValueError, match="unknown"):
            compose_tiles(1, **{"split": "train", **wrong})  # type: ignore[arg-type]


def test_a_set_is_resumable(tmp_path: Path) -> None:
    """Shards that are there stay as they are."""
    write_tile_set(tmp_path, "calibration", 40, 2, workers=1)
    shard = tmp_path / "crops" / "000000.npz"
    assert len(list((tmp_path / "labels").glob("*.txt"))) == 2
    before = shard.stat().st_mtime_ns
    (tmp_path / "images" / "000001.jpg").unlink()
    write_tile_set(tmp_path, "calibration", 40, 2, workers=1)
    assert shard.stat().st_mtime_ns == before
    assert not (tmp_path / "images" / "000001.jpg").exists()
    with np.load(shard) as file:
        assert len(file["images"]) == len(file["classes"]) == len(file["edge_px"])


def test_a_table_is_painted_alike_again_and_again() -> None:
    """Films: the same tiles give the same picture, a new tile changes only its surroundings."""
    table = TileTable(5, "evaluation", CLEAN, "wood-1964", (640, 480))
    tiles = [ShownTile(7, 7, 5, 1), ShownTile(7, 8, 0, 1)]
    first, again = table.paint(tiles), table.paint(tiles)
    assert np.array_equal(first, again)
    more = table.paint([*tiles, ShownTile(2, 3, 9, 1)])
    changed = np.abs(more - first).max(axis=2) > 1e-4
    spot = table.to_px(np.array([[3.5, 2.5]]))[0]
    rows, columns = np.nonzero(changed)
    assert changed.sum() > 0.3 * table.px**2
    assert np.abs(rows - spot[1]).max() < 3 * table.px
    assert np.abs(columns - spot[0]).max() < 3 * table.px
    corners = table.to_px(np.array([[0, 0], [15, 0], [15, 15], [0, 15]]))
    assert (corners > 0).all()
    assert (corners < (640, 480)).all()


def test_a_set_of_cells_holds_crops_alone(tmp_path: Path) -> None:
    """Small boards give cells of every group, and no pictures."""
    write_cell_set(tmp_path, "calibration", 10, 4, workers=1)
    assert [path.name for path in tmp_path.iterdir()] == ["crops"]
    with np.load(tmp_path / "crops" / "000000.npz") as file:
        names = [TILE_CLASSES[index] for index in file["classes"]]
        assert file["images"].shape == (len(names), 64, 64, 3)
    assert sum("@" in name for name in names) > 20
    assert "empty" in names
