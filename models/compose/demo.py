"""The photos that `arbitre demo` shows: a winning move, before and after, composed by us.

arbitre-lab compose --demo server/demo
"""

from dataclasses import replace
from pathlib import Path

from models.compose.assets import load_assets
from models.compose.composed import EVALUATION, Shown
from models.compose.scene import compose
from models.compose.tiers import CLEAN

SEED = 8_000_017
"""Chosen by eye among a few: the orange-red round board of a real set, on gravel."""

TIER = replace(
    CLEAN,
    tilt_deg=(24.0, 30.0),
    px_per_cell=(95.0, 105.0),
    glare_share=(0.0, 0.0),
    shadow_depth=(0.1, 0.25),
    clutter_objects=(1, 3),
)
"""Calm light and large cubes: it is the first picture people see."""

BEFORE = ("X..O.", "X.O..", "XO...", "X...O", ".....")
AFTER = ("X..O.", "X.O..", "XO...", "X...O", "X....")
DOTS = "NESWSNWESNESWNSEWNSENWSEN"
WORDS = {".": "blank", "X": "cross", "O": "circle"}


def write_demo(folder: Path, bank: Path, seed: int = SEED) -> None:
    """Write ``before.jpg`` and ``after.jpg``."""
    assets = load_assets(bank, "evaluation", fresh=True)
    folder.mkdir(parents=True, exist_ok=True)
    for take, (name, rows) in enumerate({"before": BEFORE, "after": AFTER}.items()):
        faces = "".join(rows)
        dots = tuple(
            "unseen" if face == "." else side for face, side in zip(faces, DOTS, strict=True)
        )
        shown = Shown(tuple(WORDS[face] for face in faces), dots, take)
        path = folder / f"{name}.jpg"
        path.write_bytes(compose(seed, TIER, EVALUATION, assets, shown).jpeg)
