"""A board of Quinto as the page draws it: tiles, the last play, its lines, supply, hands. Pure."""

from typing import Any

from engine import quinto
from engine.ruling import Ruling
from server.play_lines import lines_view

View = dict[str, Any]


def tiles_view(
    layout: Any, state: Any, before: Any | None, ruling: Ruling[Any] | None
) -> View | None:
    """One entry of a match of Quinto; None for other games.

    Args:
        layout: what is to be shown.
        state: the state from then on.
        before: the state that was ruled from; None for a start or a correction.
        ruling: what the referee said, None likewise.

    Returns:
        ``rows`` of the board; ``start``, its start cell; ``laid``, the tiles of the play as
        ``[row, column, value]``; ``taken``, cells whose tile was taken away or moved; ``changed``,
        cells whose tile shows another value; ``lines`` that the play makes or lengthens, with
        their sums; ``left``, tiles of each value that are not on the board; ``supply``, how many
        lie face down; ``hands`` and what each is worth, in the order of the scores.
    """
    if not isinstance(state, quinto.State):
        return None
    moves: tuple[quinto.Move, ...] = ()
    if ruling is not None and ruling.moves and before is not None:
        moves = ruling.moves[0].moves
    return {
        "rows": rows(layout),
        "start": list(state.options.start()),
        "laid": [list(tile) for move in moves for tile in move.tiles],
        "taken": [list(c) for m in moves for c in (*m.removed, *(source for source, _ in m.moved))],
        "changed": [
            list(c)
            for m in moves
            for c in (*(tile[:2] for tile in m.turned), *(target for _, target in m.moved))
        ],
        "lines": [] if before is None else lines_view(before, moves),
        "divisor": state.options.divisor,
        **supply_view(state),
        "hands": [{"held": hand, "worth": worth(hand)} for hand in state.hands],
        "ended": bool(state.ended),
    }


def rows(layout: quinto.Layout) -> list[str]:
    """The board row by row, as in its text."""
    return layout.write().split("/")


def supply_view(state: quinto.State) -> View:
    """Tiles of each value that are not on the board, of how many, and how many lie face down."""
    cells = state.layout.cells
    of = state.options.supply()
    return {
        "left": [held - cells.count(str(value)) for value, held in enumerate(of)],
        "of": list(of),
        "supply": state.supply_left(),
    }


def worth(hand: str) -> int | None:
    """What the tiles of a hand add up to; None while some are not known."""
    return None if quinto.UNSEEN in hand else sum(map(int, hand))
