"""What a picture of a board for number tiles really shows, and where it is kept."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from models.compose.tile_scene import compose_tiles
from models.compose.tile_truth import TileScene, TrueTile
from vision.labels import TURNS

EMPTY: Final = "."
BLANK: Final = "blank"
CLEAR: Final = 0.75
"""Share of a cell in view from which it counts as seen; see `models.compose.tile_set`."""


@dataclass(frozen=True, slots=True)
class TileTruth:
    """One board.

    Attributes:
        rows: of the lattice.
        cols: of the lattice.
        turn: quarter turns clockwise of most digits against the lattice.
        cells: row-major, a digit, `EMPTY` or `BLANK` each, in the frame of the lattice.
        hidden: indices of cells that hands, things or the picture's edge hide in part.
        homography: 9 numbers, row-major, from (column, row) on the faces of the tiles to px.
        printed: a board is seen under the tiles.
        facts: conditions, for tables by factor.
    """

    rows: int
    cols: int
    turn: int
    cells: tuple[str, ...]
    hidden: tuple[int, ...]
    homography: tuple[float, ...]
    printed: bool
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def tiles(self) -> int:
        """How many tiles lie on it."""
        return sum(cell != EMPTY for cell in self.cells)


def truth_of(scene: TileScene) -> TileTruth:
    """The truth of a composed board.

    Raises:
        ValueError: the scene shows none.
    """
    board = scene.board
    if board is None:
        raise ValueError("expected a scene with a board")
    on_it = [tile for tile in scene.tiles if tile.row >= 0]
    cells = [EMPTY] * (board.rows * board.cols)
    hidden = set(np.flatnonzero(board.open_shares.ravel() < CLEAR).tolist())
    for tile in on_it:  # a stacked tile comes after the one under it
        index = tile.row * board.cols + tile.col
        cells[index] = BLANK if tile.value is None else str(tile.value)
        if tile.visible < CLEAR:
            hidden.add(index)
    return TileTruth(
        board.rows, board.cols, _turn(on_it), tuple(cells), tuple(sorted(hidden)),
        tuple(board.top_homography.ravel().tolist()), board.printed, dict(scene.facts),
    )  # fmt: skip


def composed(folder: Path, name: str, seed: int, split: str, tier: str) -> tuple[bytes, TileTruth]:
    """A composed board: kept in the folder, else composed and laid there.

    Args:
        folder: delete it after a change of what composes scenes.
        name: of the picture.
        seed: of the scene.
        split: of the assets.
        tier: of the conditions.
    """
    if not (folder / f"{name}.json").exists():
        keep(folder, name, compose_tiles(seed, split, tier, "board"))
    return kept(folder, name)


def keep(folder: Path, name: str, scene: TileScene) -> None:
    """Lay a picture and its truth into a folder."""
    truth = truth_of(scene)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jpg").write_bytes(scene.jpeg)
    known = asdict(truth) | {"facts": {"picture": name, **truth.facts}}
    text = json.dumps(known) + "\n"
    (folder / f"{name}.json").write_text(text, encoding="utf-8")  # last: both are there


def kept(folder: Path, name: str) -> tuple[bytes, TileTruth]:
    """A picture and its truth out of a folder."""
    known = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    for key in ("cells", "hidden", "homography"):
        known[key] = tuple(known[key])
    return (folder / f"{name}.jpg").read_bytes(), TileTruth(**known)


def _turn(tiles: list[TrueTile]) -> int:
    counts = np.bincount([tile.turn for tile in tiles], minlength=TURNS)
    return int(counts.argmax())
