"""Composed scenes: the same seed, the same picture; labels are the state that was painted."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from models.compose.assets import Assets, rows
from models.compose.scene import EVALUATION, SIZE, TRAINING, Shown, compose
from models.compose.stills import Still, Wood
from models.compose.surface import KINDS
from models.compose.tiers import CLEAN, HARD, TIERS
from models.compose.tiers import TRAINING as TRAINING_TIER
from vision.crops import face_crops
from vision.labels import DOTS

SPLITS = ("train", "calibration", "evaluation")


def still(level: int) -> Still:
    """A flat top with a darker square in its north-east quarter, of one brightness."""
    albedo = np.full((160, 160, 3), level, np.uint8)
    albedo[24:72, 88:136] = level // 4
    flat = np.full((160, 160), 200, np.uint8)
    return Still(albedo, flat, np.full((160, 160, 8), 164, np.uint8), np.full_like(flat, 255), 0.08)


@pytest.fixture(scope="module")
def assets() -> Assets:
    """Real lists with plain cubes: blank light, cross middling, circle dark."""
    from models.compose.assets import _board, _surface, read_hand

    wood = Wood("plain", {"blank": (still(230),), "cross": (still(200),), "circle": (still(50),)})
    return Assets(
        (wood,),
        tuple(_surface(row) for row in rows("tables", "table", "train"))[:6],
        tuple(_board(row) for row in rows("boards", "board", "train"))[:6],
        tuple(read_hand(row) for row in rows("hands", "hand", "train")),
        fresh=True,
    )


@pytest.mark.parametrize("tier", [*TIERS.values(), TRAINING_TIER], ids=lambda tier: tier.name)
def test_the_same_seed_gives_the_same_picture(assets: Assets, tier: object) -> None:
    recipe = TRAINING if tier is TRAINING_TIER else EVALUATION
    first, second = (compose(11, tier, recipe, assets) for _ in range(2))  # type: ignore[arg-type]
    assert first.jpeg == second.jpeg
    assert first.pieces == second.pieces
    assert compose(12, tier, recipe, assets).jpeg != first.jpeg  # type: ignore[arg-type]


def test_labels_are_the_faces_painted(assets: Assets) -> None:
    """Through the true homography the cells that say circle are dark, and no others."""
    rng = np.random.default_rng(4)
    marks = tuple(str(mark) for mark in rng.choice(["cross", "circle"], SIZE * SIZE))
    without_glare = replace(CLEAN, glare_share=(0.0, 0.0))
    scene = compose(3, without_glare, EVALUATION, assets, Shown(marks, ("N",) * (SIZE * SIZE)))
    assert scene.homography is not None
    crops = face_crops(scene.image_bgr, scene.homography)
    inner = crops[:, 40:52, 12:24].astype(float).mean(axis=(1, 2, 3))  # away from the dark square
    dark = inner < 0.6 * np.percentile(inner, 75)
    assert scene.marks == marks
    assert ["circle" if cell else "cross" for cell in dark] == list(marks)


def test_dots_turn_the_still_clockwise(assets: Assets) -> None:
    """The dark square, drawn in the north-east, follows the side of the dot."""
    for turn, dot in enumerate(DOTS[:4]):
        shown = Shown(("cross",) * 25, (dot,) * 25)
        scene = compose(5, CLEAN, EVALUATION, assets, shown)
        assert scene.homography is not None
        crops = face_crops(scene.image_bgr, scene.homography).astype(float).mean(axis=(0, 3))
        corners = [
            crops[14:24, 40:50],
            crops[40:50, 40:50],
            crops[40:50, 14:24],
            crops[14:24, 14:24],
        ]
        assert int(np.argmin([corner.mean() for corner in corners])) == turn


def test_pieces_lie_where_the_homography_says(assets: Assets) -> None:
    scene = compose(8, HARD, EVALUATION, assets)
    cubes = [piece for piece in scene.pieces if piece.kind == "cube"]
    assert len(cubes) == SIZE * SIZE
    assert scene.homography is not None
    for index, cube in enumerate(cubes):
        assert cube.corners_px is not None
        row, column = divmod(index, SIZE)
        point = scene.homography @ np.array([column + 0.5, row + 0.5, 1.0])
        centre = np.mean(cube.corners_px, axis=0)
        cell = np.sqrt((cube.box_px[2] - cube.box_px[0]) * (cube.box_px[3] - cube.box_px[1]))
        assert np.linalg.norm(point[:2] / point[2] - centre) < 0.25 * cell


@pytest.mark.parametrize(
    ("file", "key"),
    [("woods", "wood"), ("tables", "table"), ("boards", "board"), ("hands", "hand")],
)
def test_no_asset_is_on_two_sides(file: str, key: str) -> None:
    names = {split: {row["name"] for row in rows(file, key, split)} for split in SPLITS}
    assert all(names.values())
    assert sum(map(len, names.values())) == len(set().union(*names.values()))


def test_every_table_has_a_known_kind() -> None:
    for split in SPLITS:
        for row in rows("tables", "table", split):
            assert row["kind"] in KINDS, row["name"]


def test_sets_can_be_taken_up_again(assets: Assets, tmp_path: Path) -> None:
    """A shard that is there is not composed again."""
    from models.compose import dataset

    config = dataset.SetConfig(tmp_path, tmp_path, "train", 1, 2, 1)
    for name in ("images", "labels", "crops"):
        (tmp_path / name).mkdir()
    dataset._worker = (config, assets)
    dataset._write_shard(0)
    crops = tmp_path / "crops" / "000000.npz"
    before = crops.stat().st_mtime_ns
    dataset.write_set(config)
    assert crops.stat().st_mtime_ns == before
    with np.load(crops) as file:
        assert len(file["images"]) == len(file["marks"]) == len(file["dots"])
    labels = (tmp_path / "labels" / "000000w.txt").read_text().split("\n")
    assert all(len(line.split()) == 17 for line in labels if line)
