"""The lines of a play of tiles with their sums, as the page and the commands give them. Pure."""

from collections.abc import Iterable
from typing import Any

from engine import quinto
from engine.quinto.lines import lines_of
from engine.quinto.move import result
from engine.quinto.repairs import fails
from engine.quinto.state import LINE_LENGTH
from engine.quinto.words import line_fr


def lines_view(before: quinto.State, moves: Iterable[quinto.Move]) -> list[dict[str, Any]]:
    """Every line that plays make or lengthen, legal or not, with what it comes to.

    ``over`` is how much it is beyond the next lower multiple; ``fits`` says whether total and
    length are allowed.
    """
    found: list[dict[str, Any]] = []
    layout = before.layout
    for move in moves:
        for line in lines_of(layout, move):
            found.append(
                {
                    "where_en": line.name,
                    "where_fr": line_fr(line),
                    "cells": [list(cell) for cell in line.cells()],
                    "values": line.values,
                    "total": line.total,
                    "over": line.total % before.options.divisor,
                    "fits": not fails(before, line) and len(line.values) <= LINE_LENGTH,
                }
            )
        layout = result(layout, move)
    return found
