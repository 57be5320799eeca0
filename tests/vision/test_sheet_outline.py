"""Sheets found by the outline of their paper, and judged by how much of their print shows."""

import cv2
import numpy as np
import pytest

from tests.vision.sheet_scenes import View, developed, our_print, photograph, scene, table, to_px
from vision.plans.sheets import sheet_plan
from vision.sheets import outline as sheet_outline
from vision.sheets.believe import is_plain
from vision.sheets.edges import merge, quadrilaterals, see_segments
from vision.sheets.find import find_sheets
from vision.sheets.fit import Fit, pyramid, view
from vision.sheets.guess import Guess, Seen
from vision.sheets.judge import PX_PER_MM, agreement, of_detrak_alone
from vision.sheets.light import lightness, paper_relative
from vision.sheets.map import SheetMap
from vision.sheets.ruled import Signs, is_faint_detrak


def blurred(image, sigma_px: float = 2.4, noise: float = 10.0):
    """A picture as the hard tier has it: dim, out of focus, noisy."""
    soft = cv2.GaussianBlur(image, (0, 0), sigma_px).astype(float) * 0.6
    return (
        (soft + np.random.default_rng(7).normal(0, noise, soft.shape)).clip(0, 255).astype(np.uint8)
    )


def paper(hidden: bool = False):
    image = np.full((400, 500, 3), 90, np.uint8)
    corners = np.array([(120, 90), (390, 60), (420, 320), (90, 290)], np.int32)
    cv2.fillConvexPoly(image, corners, (225, 225, 220))
    if hidden:
        cv2.circle(image, (390, 60), 70, (70, 110, 160), -1)
    return image, corners


@pytest.mark.parametrize("hidden", [False, True])
def test_paper_is_a_quadrilateral_even_with_a_corner_covered(hidden):
    image, corners = paper(hidden)
    quads, shares = quadrilaterals(image)
    off = [min(np.abs(np.roll(q, t, axis=0) - corners).max() for t in range(4)) for q in quads]
    assert min(off) < 4.0
    assert int(np.argmin(off)) < 2
    assert (np.diff(shares) <= 0).all()


def test_a_dark_thing_on_paper_is_no_paper():
    image = 255 - paper()[0]
    assert len(quadrilaterals(image)[0]) == 0


def test_edges_know_their_brighter_side():
    segments = see_segments(paper()[0])
    middle = np.array([250, 190])
    right = np.stack([-(segments[:, 3] - segments[:, 1]), segments[:, 2] - segments[:, 0]], axis=1)
    assert len(segments) >= 4
    assert (((middle - segments[:, :2]) * right).sum(axis=1) > 0).all()


def test_pieces_of_one_edge_are_one():
    pieces = np.array(
        [[0, 10, 50, 10, 20, 50], [60, 10.5, 100, 10.2, 20, 40], [0, 80, 50, 80, 20, 50]]
    )
    edges = merge(pieces)
    assert len(edges.parts) == 2
    assert len(edges.parts[0]) == 2


@pytest.mark.parametrize("game", ["qwinto", "detrak"])
def test_outlines_lead_to_our_sheets(game):
    laid = View(40, 70, 3.2)
    image, plan = scene(game, "printed", laid)
    group = next(sheet_outline.guesses(blurred(image)))
    places = np.array([field.centre_mm for field in plan.fields])
    true = to_px(plan, laid, places)
    off = [
        np.median(np.linalg.norm(sheet.to_px(places) - true, axis=1)) / laid.px_per_mm
        for name, edition, sheet in group
        if (name, edition) == (game, "printed")
    ]
    assert min(off) < 6.0


def test_a_sheet_too_blurred_for_its_markers_is_found():
    laid = View(45, 160, 2.4)
    plan = sheet_plan("detrak")
    dark = (table(laid.size) * 0.5).astype(np.uint8)
    image = blurred(developed(photograph(dark, our_print("detrak"), plan, laid)))
    (sheet,) = find_sheets(image)
    assert (sheet.game, sheet.edition) == ("detrak", "printed")
    places = np.array([field.centre_mm for field in plan.fields])
    off = np.linalg.norm(sheet.map.to_px(places) - to_px(plan, laid, places), axis=1)
    assert np.median(off) / laid.px_per_mm < 1.0


@pytest.mark.parametrize(("game", "edition"), [("qwinto", "printed"), ("detrak", "commercial")])
def test_a_sheet_agrees_with_its_print_where_it_lies_and_nowhere_else(game, edition):
    laid = View(20, 10, 3.5)
    image, plan = scene(game, edition, laid)
    (sheet,) = find_sheets(image)
    levels = pyramid(lightness(paper_relative(image)))
    there = view(levels, sheet.map, plan, PX_PER_MM)
    elsewhere = view(levels, sheet.map.shifted(35.0, 23.0), plan, PX_PER_MM)
    assert there is not None
    assert elsewhere is not None
    assert min(agreement(there, game, edition)) > 0.4
    assert max(agreement(elsewhere, game, edition)) < 0.3


def test_what_only_a_detrak_sheet_has_is_not_seen_turned_or_shifted():
    laid = View(20, 10, 3.5)
    image, plan = scene("detrak", "commercial", laid)
    (sheet,) = find_sheets(image)
    levels = pyramid(lightness(paper_relative(image)))
    flat = view(levels, sheet.map, plan, PX_PER_MM)
    shifted = view(levels, sheet.map.shifted(10.0, 10.0), plan, PX_PER_MM)
    assert flat is not None
    assert shifted is not None
    here = of_detrak_alone(flat)
    assert here > 0.15
    for turn in (1, 2, 3):
        assert of_detrak_alone(np.ascontiguousarray(np.rot90(flat, turn))) < 0.6 * here
    assert of_detrak_alone(shifted) < 0.6 * here


SHOWN = {"sure": 0.5, "own": 0.14, "apart": 0.12}
SIGNS = {"ruled": 0.05, "beyond": 0.01, "start": 1.5, "diagonal": 1.2}


@pytest.mark.parametrize(
    ("signs_of", "shown", "told"),
    [
        ({}, {}, True),
        ({}, {"sure": 0.15}, False),
        # noise goes on where the lines end: believed where all else shows plainly
        ({"beyond": 0.02}, {}, True),
        ({"beyond": 0.02}, {"sure": 0.3}, False),
        ({"beyond": 0.02}, {"own": 0.1}, False),
        ({"beyond": 0.03}, {}, False),
        # glare on the start cell: its lines end and its diagonal is grey, in this turn alone
        ({"start": 0.5, "beyond": 0.005}, {"own": 0.04, "apart": 0.05}, True),
        ({"start": 0.5, "beyond": 0.005}, {"own": 0.04, "apart": 0.02}, False),
        ({"start": 0.5, "beyond": 0.005, "diagonal": 0.5}, {"own": 0.04, "apart": 0.05}, False),
        ({"start": 0.5, "beyond": 0.013}, {"own": 0.2, "apart": 0.2}, False),
    ],
)
def test_one_sign_of_a_sold_sheet_may_be_missing_where_the_others_are_plain(signs_of, shown, told):
    assert is_faint_detrak(Signs(**(SIGNS | signs_of)), **(SHOWN | shown)) is told


@pytest.mark.parametrize(
    ("game", "edition", "way", "sure", "found", "plain"),
    [
        ("qwinto", "printed", "lattice", 0.41, (), False),  # as a card laid turned by half
        ("qwinto", "printed", "lattice", 0.41, (-1,), True),
        ("qwinto", "printed", "lattice", 0.6, (), True),
        ("qwinto", "commercial", "bars", 0.16, (), False),
        ("qwinto", "commercial", "bars", 0.4, (), True),
        ("qwinto", "commercial", "lattice", 0.4, (), False),
        ("detrak", "commercial", "lines", 0.3, (), True),
        ("detrak", "commercial", "outline", 0.6, (), False),
    ],
)
def test_what_may_lie_turned_leaves_room_for_doubt(game, edition, way, sure, found, plain):
    sheet = SheetMap(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    fields = sum(field.kind != "blank" for field in sheet_plan(game, edition).fields)
    marks = tuple(fields for _ in found)
    fit = Fit(sheet, sure, sure * fields, 0.2, (0, 1, *marks), 1.0)
    assert is_plain(Seen(Guess(game, edition, sheet), fit, way)) is plain
