"""All legal plays of a hand.

A play fills the gaps of one window: a stretch of a row or column, at most five cells long, that
becomes a line.  Each gap takes only values that keep the line across it legal, which are known
beforehand; the tiles of the hand are then tried in order, each value once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from engine.grid import Cell
from engine.quinto.layout import DIGITS, EMPTY, UNSEEN, Layout, Tile
from engine.quinto.lines import lines_through, multiple
from engine.quinto.state import HAND_SIZE, LINE_LENGTH, Options

Counts = list[int]
ANY = frozenset(range(10))
_NO_TILE = (EMPTY, False)  # False: beyond the edge


@dataclass(frozen=True, slots=True)
class Gap:
    """An empty cell: values that the line across it takes, and whether a tile lies beside it."""

    cell: Cell
    takes: frozenset[int]
    crossed: bool


@dataclass(frozen=True, slots=True)
class Window:
    """Gaps to fill in a row or column, and the sum of the tiles that lie between them."""

    gaps: tuple[Gap, ...]
    lying: int


def plays(layout: Layout, hand: str, options: Options) -> Iterator[tuple[Tile, ...]]:
    """Yield every legal play of the known tiles of ``hand``, each once, tiles row-major.

    Cells not seen are taken for blocked, so what is yielded is certainly legal there.
    """
    counts = _counts(layout, hand, options)
    if not any(counts):
        return
    found = False
    for tiles in _contiguous(layout, counts, options):
        found = True
        yield tiles
    # Of a play with gaps the part that touches the board would be legal alone, so without a play
    # in one piece there is none in several; only the first one need not touch anything.
    if not options.require_contiguous and (found or layout.is_bare()):
        yield from _scattered(layout, counts, options)


def _contiguous(layout: Layout, counts: Counts, options: Options) -> Iterator[tuple[Tile, ...]]:
    yield from _singles(layout, counts, options)
    for down in (False, True):
        for window in _windows(layout, options, down=down):
            if len(window.gaps) > 1:
                for values in _fillings(window, counts, options):
                    yield tuple(
                        (*gap.cell, value) for gap, value in zip(window.gaps, values, strict=True)
                    )


def first_play(layout: Layout, hand: str, options: Options) -> tuple[Tile, ...] | None:
    """Return some legal play of the known tiles, or None when there is none."""
    return next(plays(layout, hand, options), None)


def _counts(layout: Layout, hand: str, options: Options) -> Counts:
    """Return how many tiles of each value can be laid: those held that the set still has."""
    return [
        min(hand.count(digit), held - layout.cells.count(digit))
        for digit, held in zip(DIGITS, options.supply(), strict=True)
    ]


def _singles(layout: Layout, counts: Counts, options: Options) -> Iterator[tuple[Tile, ...]]:
    if layout.is_bare():
        row, column = options.start()
        for value in range(10):
            if counts[value] > 0 and multiple(
                value, options.divisor, zero_ok=options.zero_total_ok
            ):
                yield ((row, column, value),)
        return
    for index, symbol in enumerate(layout.cells):
        cell = divmod(index, layout.columns)
        if symbol == EMPTY and _beside_tile(layout, cell):
            along = _gap(layout, cell, options, down=False)
            across = _gap(layout, cell, options, down=True)
            for value in sorted(along.takes & across.takes):
                if counts[value] > 0:
                    yield ((*cell, value),)


def _beside_tile(layout: Layout, cell: Cell) -> bool:
    cells, width = layout.cells, layout.columns
    row, column = cell
    index = row * width + column
    return (
        (row > 0 and cells[index - width] in DIGITS)
        or (row + 1 < layout.rows and cells[index + width] in DIGITS)
        or (column > 0 and cells[index - 1] in DIGITS)
        or (column + 1 < width and cells[index + 1] in DIGITS)
    )


def _gap(layout: Layout, cell: Cell, options: Options, *, down: bool) -> Gap:
    """Return which values an empty cell takes by the line ``down`` or along through it."""
    cells, width = layout.cells, layout.columns
    row, column = cell
    step, at, length = (width, row, layout.rows) if down else (1, column, width)
    index = row * width + column
    before, behind = at > 0 and cells[index - step], at + 1 < length and cells[index + step]
    if before in _NO_TILE and behind in _NO_TILE:
        return Gap(cell, ANY, False)
    total, run = 0, 1
    for sign, room in ((-1, at), (1, length - 1 - at)):
        for distance in range(1, room + 1):
            symbol = cells[index + sign * distance * step]
            if symbol == UNSEEN:
                return Gap(cell, frozenset(), True)
            if symbol == EMPTY:
                break
            total += int(symbol)
            run += 1
    if run > LINE_LENGTH:
        return Gap(cell, frozenset(), True)
    return Gap(cell, _fitting(total, options.divisor, options.zero_total_ok), True)


@cache
def _fitting(total: int, divisor: int, zero_ok: bool) -> frozenset[int]:
    """Return the values that make ``total`` a multiple."""
    return frozenset(v for v in ANY if multiple(total + v, divisor, zero_ok=zero_ok))


def _windows(layout: Layout, options: Options, *, down: bool) -> Iterator[Window]:
    """Yield the windows along rows, or ``down`` columns, that a play may fill."""
    bare, start = layout.is_bare(), options.start()
    lines, length = (layout.columns, layout.rows) if down else (layout.rows, layout.columns)
    for line in range(lines):
        if bare and line != start[1 if down else 0]:
            continue
        cells = [(i, line) if down else (line, i) for i in range(length)]
        step = layout.columns if down else 1
        first = line if down else line * layout.columns
        symbols = layout.cells[first : first + (length - 1) * step + 1 : step]
        gaps = [
            _gap(layout, cell, options, down=not down) if symbol == EMPTY else None
            for cell, symbol in zip(cells, symbols, strict=True)
        ]
        anchors = [
            cell == start if bare else gap is None or gap.crossed
            for cell, gap in zip(cells, gaps, strict=True)
        ]
        if any(anchors):
            yield from _along(symbols, gaps, anchors)


def _along(symbols: str, gaps: list[Gap | None], anchors: list[bool]) -> Iterator[Window]:
    """Yield the windows of one row or column that hold an anchor: what a play must touch."""
    for first in range(len(symbols)):
        if first and symbols[first - 1] != EMPTY:
            continue
        if not any(anchors[first : first + LINE_LENGTH]):
            continue
        filled: list[Gap] = []
        lying, touching = 0, False
        for last in range(first, min(first + LINE_LENGTH, len(symbols))):
            gap = gaps[last]
            if gap is None:
                if symbols[last] == UNSEEN:
                    break
                lying += int(symbols[last])
            elif gap.takes:
                filled.append(gap)
            else:
                break
            touching = touching or anchors[last]
            ends = last + 1 == len(symbols) or symbols[last + 1] == EMPTY
            if ends and touching and filled:
                yield Window(tuple(filled), lying)


def _fillings(window: Window, counts: Counts, options: Options) -> Iterator[tuple[int, ...]]:
    """Yield the values for a window's gaps that give a legal total."""
    size = len(window.gaps)
    values = [value for value in range(10) if counts[value] > 0]
    if size > min(HAND_SIZE, sum(counts[value] for value in values)):
        return
    left = list(counts)
    chosen = [0] * size
    takes = [[value for value in values if value in gap.takes] for gap in window.gaps]
    if not all(takes):
        return
    divisor, zero_ok = options.divisor, options.zero_total_ok

    def fill(at: int, total: int) -> Iterator[tuple[int, ...]]:
        last = at + 1 == size
        for value in takes[at]:
            if left[value] <= 0:
                continue
            chosen[at] = value
            if not last:
                left[value] -= 1
                yield from fill(at + 1, total + value)
                left[value] += 1
            elif (total + value) % divisor == 0 and (zero_ok or total + value > 0):
                yield tuple(chosen)

    yield from fill(0, window.lying)


def _scattered(layout: Layout, counts: Counts, options: Options) -> Iterator[tuple[Tile, ...]]:
    """Yield the plays with a gap between their tiles, which only a house rule allows."""
    most = min(HAND_SIZE, sum(c for c in counts if c > 0))
    bare, start = layout.is_bare(), options.start()
    for down in (False, True):
        lines, length = (layout.columns, layout.rows) if down else (layout.rows, layout.columns)
        for line in range(lines):
            if bare and line != start[1 if down else 0]:
                continue
            cells = [(i, line) if down else (line, i) for i in range(length)]
            empty = [i for i in range(length) if layout.at(*cells[i]) == EMPTY]
            for size in range(2, most + 1):
                for places in combinations(empty, size):
                    chosen = [cells[i] for i in places]
                    if _has_hole(layout, chosen) and _may_begin(layout, chosen, options):
                        yield from _laid(layout, chosen, counts, options, down=down)


def _has_hole(layout: Layout, cells: list[Cell]) -> bool:
    (row, column), (last_row, last_column) = cells[0], cells[-1]
    between = [(r, c) for r in range(row, last_row + 1) for c in range(column, last_column + 1)]
    return any(layout.at(*cell) == EMPTY and cell not in cells for cell in between)


def _may_begin(layout: Layout, cells: list[Cell], options: Options) -> bool:
    if layout.is_bare():
        return options.start() in cells
    return any(_beside_tile(layout, cell) for cell in cells)


def _laid(
    layout: Layout, cells: list[Cell], counts: Counts, options: Options, *, down: bool
) -> Iterator[tuple[Tile, ...]]:
    gaps = tuple(_gap(layout, cell, options, down=not down) for cell in cells)
    for values in _arrangements(gaps, list(counts)):
        tiles = tuple((*cell, value) for cell, value in zip(cells, values, strict=True))
        lines = lines_through(layout.having(tiles), cells)
        if all(
            len(line.values) <= LINE_LENGTH
            and not line.open
            and multiple(line.total, options.divisor, zero_ok=options.zero_total_ok)
            for line in lines
        ):
            yield tiles


def _arrangements(gaps: tuple[Gap, ...], left: Counts) -> Iterator[tuple[int, ...]]:
    if not gaps:
        yield ()
        return
    for value in sorted(gaps[0].takes):
        if left[value] > 0:
            left[value] -= 1
            for rest in _arrangements(gaps[1:], left):
                yield (value, *rest)
            left[value] += 1
