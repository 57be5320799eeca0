"""What one board alone tells: lines, connection, start cell and supply; never the scores.

Scores depend on the order of the plays, which no board shows: they come from the log.
"""

from __future__ import annotations

from engine.grid import cell_name
from engine.quinto.layout import DIGITS, EMPTY, Layout
from engine.quinto.lines import all_lines, multiple, name_of, neighbours
from engine.quinto.rules import RULES
from engine.quinto.state import LINE_LENGTH, Options
from engine.quinto.words import line_fr
from engine.rules import Finding


def position_findings(layout: Layout, options: Options | None = None) -> tuple[Finding, ...]:
    """Return what no game by the rules can leave on a board, in the order of the rules.

    Cells not seen accuse nobody: lines that run into them are left out, and they connect.
    """
    agreed = options if options is not None else Options()
    found = {
        finding.rule: finding
        for finding in (
            _start(layout, agreed),
            _contact(layout),
            _multiple(layout, agreed),
            _length(layout),
            _single(layout, agreed),
            _supply(layout, agreed),
        )
        if finding is not None
    }
    return tuple(found[rule.id] for rule in RULES if rule.id in found)


def _start(layout: Layout, options: Options) -> Finding | None:
    if layout.is_bare() or layout.at(*options.start()) != EMPTY:
        return None
    cell = cell_name(options.start())
    return Finding(
        "quinto.play.start",
        cell,
        f"No tile covers the start cell {cell}.",
        f"Aucune tuile ne couvre la case de départ {cell}.",
    )


def _contact(layout: Layout) -> Finding | None:
    """Find tiles that no chain of neighbours joins to the first one."""
    lying = {divmod(i, layout.columns) for i, s in enumerate(layout.cells) if s != EMPTY}
    tiles = [tile[:2] for tile in layout.tiles()]
    if not tiles:
        return None
    reached, edge = {tiles[0]}, [tiles[0]]
    while edge:
        for other in neighbours(layout, edge.pop()):
            if other in lying and other not in reached:
                reached.add(other)
                edge.append(other)
    apart = [cell for cell in tiles if cell not in reached]
    if not apart:
        return None
    return Finding(
        "quinto.play.contact",
        name_of(apart),
        f"Not joined to the other tiles: {name_of(apart)}.",
        f"Sans lien avec les autres tuiles : {name_of(apart)}.",
    )


def _multiple(layout: Layout, options: Options) -> Finding | None:
    wrong = [
        line
        for line in all_lines(layout)
        if not line.open
        and not multiple(line.total, options.divisor, zero_ok=options.zero_total_ok)
    ]
    if not wrong:
        return None
    return Finding(
        "quinto.line.multiple",
        ", ".join(line.name for line in wrong),
        f"No multiple of {options.divisor}: "
        + ", ".join(f"{line.name} = {line.total}" for line in wrong)
        + ".",
        f"Pas un multiple de {options.divisor} : "
        + ", ".join(f"{line_fr(line)} = {line.total}" for line in wrong)
        + ".",
    )


def _length(layout: Layout) -> Finding | None:
    long = [line for line in all_lines(layout) if len(line.values) > LINE_LENGTH]
    if not long:
        return None
    return Finding(
        "quinto.line.length",
        ", ".join(line.name for line in long),
        f"Longer than {LINE_LENGTH} tiles: {', '.join(line.name for line in long)}.",
        f"Plus de {LINE_LENGTH} tuiles : {', '.join(line_fr(line) for line in long)}.",
    )


def _single(layout: Layout, options: Options) -> Finding | None:
    tiles = layout.tiles()
    if len(tiles) != 1 or len(layout.cells.strip(EMPTY)) != 1:
        return None
    row, column, value = tiles[0]
    if multiple(value, options.divisor, zero_ok=options.zero_total_ok):
        return None
    cell = cell_name((row, column))
    return Finding(
        "quinto.first.single",
        cell,
        f"The only tile, {value} on {cell}, is no multiple of {options.divisor}.",
        f"La seule tuile, {value} en {cell}, n'est pas un multiple de {options.divisor}.",
    )


def _supply(layout: Layout, options: Options) -> Finding | None:
    over = [
        (digit, layout.cells.count(digit), held)
        for digit, held in zip(DIGITS, options.supply(), strict=True)
        if layout.cells.count(digit) > held
    ]
    if not over:
        return None
    return Finding(
        "quinto.supply",
        name_of(tile[:2] for tile in layout.tiles() if str(tile[2]) == over[0][0]),
        "; ".join(f"{n} tiles of value {d}, the set holds {held}" for d, n, held in over) + ".",
        "; ".join(f"{n} tuiles de valeur {d}, le jeu en contient {held}" for d, n, held in over)
        + ".",
    )
