"""Pages of score sheets."""

from collections.abc import Callable, Sequence
from typing import Final

from server.printing import detrak, qwinto
from server.printing.canvas import Canvas, new_canvas
from server.printing.paper import Block, Paper, block
from server.printing.sheet import Sheet, draw_cuts
from vision.plans.sheets import SheetPlan

DRAW: Final[dict[str, Callable[[Canvas, Sheet], None]]] = {
    "qwinto": qwinto.draw,
    "detrak": detrak.draw,
}
"""Games with a sheet of ours."""

_MARGIN_MM: Final = 4.5
"""A sheet may reach this near to the edge of the paper: its own rim of 4 mm is white."""


def arrangement(plan: SheetPlan, paper: Paper) -> Block:
    """How sheets lie on a page."""
    return block(paper, plan.size_mm, _MARGIN_MM)


def draw_sheets(sheets: Sequence[Sheet], paper: Paper) -> Canvas:
    """A document of sheets, all of one game, as many a page as fit."""
    plan = sheets[0].plan
    places = arrangement(plan, paper)
    canvas = new_canvas(f"Arbitre: {plan.game}, version {plan.version}")
    corners = places.places_mm()
    for index, sheet in enumerate(sheets):
        if index % len(corners) == 0:
            canvas.page(paper)
            draw_cuts(canvas, places)
        DRAW[plan.game](canvas.shifted(*corners[index % len(corners)]), sheet)
    return canvas
