"""Sheets found by the outline of their paper, and judged by how much of their print shows."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.sheet_scenes import (
    View,
    developed,
    our_print,
    photograph,
    scene,
    sold_print,
    table,
    to_px,
)
from vision.plans.sheets import sheet_plan
from vision.sheets import outline as sheet_outline
from vision.sheets import start_cell
from vision.sheets.believe import is_plain
from vision.sheets.edges import merge, quadrilaterals, see_segments
from vision.sheets.find import find_sheets, settled
from vision.sheets.fit import PASSES, Fit, pyramid, refine, view
from vision.sheets.guess import Guess, Seen
from vision.sheets.judge import PX_PER_MM, agreement, of_detrak_alone
from vision.sheets.light import lightness, paper_relative
from vision.sheets.map import SheetMap
from vision.sheets.print import RIM_MM
from vision.sheets.ruled import Signs, is_faint_detrak
from vision.sheets.ways import look


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


def test_heavy_writing_leaves_what_only_a_detrak_sheet_has():
    laid = View(20, 10, 3.5)
    image, plan = scene("detrak", "commercial", laid)
    (sheet,) = find_sheets(image)
    flat = view(pyramid(lightness(paper_relative(image))), sheet.map, plan, PX_PER_MM)
    assert flat is not None
    written = flat.copy()
    side = round(6 * PX_PER_MM)
    for path in ("grid[0][3]", "grid[2][0]", "grid[3][4]"):
        x, y = (round((at + RIM_MM) * PX_PER_MM) - side // 2 for at in plan.field(path).centre_mm)
        written[y : y + side, x : x + side] = 0.0
    assert of_detrak_alone(written) > 0.8 * of_detrak_alone(flat)


SHOWN = {"sure": 0.5, "own": 0.14, "apart": 0.12}
SIGNS = {"ruled": 0.05, "beyond": 0.01, "start": 1.5, "diagonal": 1.2}


@pytest.mark.parametrize(
    ("signs_of", "shown", "told"),
    [
        ({}, {}, True),
        ({}, {"sure": 0.15}, False),
        ({}, {"sure": 0.3, "apart": 0.003}, False),  # any turn of it is as good
        # noise goes on where the lines end: believed where all else shows plainly
        ({"beyond": 0.02}, {}, True),
        ({"beyond": 0.02}, {"sure": 0.3}, False),
        ({"beyond": 0.02}, {"own": 0.1}, False),
        ({"beyond": 0.03}, {}, False),
        # glare beside the start cell makes its frame no darker than others
        ({"start": 1.0, "beyond": 0.005, "diagonal": 0.4}, {}, True),
        ({"start": 1.0, "beyond": 0.013, "diagonal": 0.4}, {"sure": 0.45}, False),
        # a finger on half of the start cell, with half of the print found
        ({"start": 1.0, "beyond": 0.013, "diagonal": 0.4}, {}, True),
        ({"start": 1.0, "beyond": 0.02, "diagonal": 0.4}, {}, False),
        ({"start": 1.0, "beyond": 0.013, "diagonal": 0.4}, {"apart": 0.05}, False),
        ({"start": 0.8, "beyond": 0.005, "diagonal": 0.4}, {}, False),
        ({"start": 1.0, "beyond": 0.005, "diagonal": 0.4}, {"own": 0.1}, False),
        # glare on the start cell: its lines end and its diagonal is grey, in this turn alone
        ({"start": 0.5, "beyond": 0.005}, {"own": 0.04, "apart": 0.07}, True),
        ({"start": 0.5, "beyond": 0.005}, {"own": 0.04, "apart": 0.02}, False),
        ({"start": 0.5, "beyond": 0.005, "diagonal": 0.5}, {"own": 0.04, "apart": 0.07}, False),
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
        ("qwinto", "commercial", "bars", 0.6, (), True),
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


def corners_of(sheet, plan):
    width, height = plan.size_mm
    return sheet.to_px([(0, 0), (width, 0), (width, height), (0, height)])


def test_a_doubtful_card_is_turned_by_half_where_that_shows_more_of_its_print():
    image, plan = scene("qwinto", "commercial", View(25, 30, 2.0))
    levels = pyramid(lightness(paper_relative(image)))
    (sheet,) = find_sheets(image)
    fit = refine(levels, sheet.map, "qwinto", "commercial", PASSES[1:])
    assert fit is not None
    (_, y, width, _), (_, last, _, height) = plan.bars[0].box_mm, plan.bars[2].box_mm
    middle = (plan.bars[1].box_mm[0] + width / 2, (y + last + height) / 2)
    turned = refine(levels, fit.map.turned(2, middle), "qwinto", "commercial", PASSES[1:])
    assert turned is not None  # its bars lie on those of the card
    assert turned.sure < 0.6 * fit.sure
    guess = Guess("qwinto", "commercial", sheet.map)
    doubtful = Seen(guess, replace(turned, sure=min(turned.sure, 0.49)), "lattice")
    put_right = settled(levels, doubtful)
    assert put_right is not None
    off = corners_of(put_right.fit.map, plan) - corners_of(sheet.map, plan)
    assert np.abs(off).max() < 2.0
    right = Seen(guess, replace(fit, sure=0.49), "lattice")
    assert settled(levels, right) is right


@pytest.mark.parametrize("rows", [-1, 1])
def test_a_card_laid_a_row_off_is_not_turned_but_shifted(rows):
    image, plan = scene("qwinto", "commercial", View(25, 30, 2.0))
    levels = pyramid(lightness(paper_relative(image)))
    (sheet,) = find_sheets(image)
    (x0, y0, _, _), (x1, y1, _, _) = plan.bars[0].box_mm, plan.bars[1].box_mm
    off_map = sheet.map.shifted(rows * (x1 - x0), rows * (y1 - y0))
    fit = refine(levels, off_map, "qwinto", "commercial", PASSES[1:])
    assert fit is not None
    astray = Seen(Guess("qwinto", "commercial", off_map), replace(fit, sure=0.4), "bars")
    found = settled(levels, astray)
    assert found is not None
    assert np.abs(corners_of(found.fit.map, plan) - corners_of(sheet.map, plan)).max() < 2.0


def test_the_print_from_afar_tells_how_far_a_guess_is_off():
    image, plan = scene("qwinto", "commercial", View(25, 30, 2.0))
    levels = pyramid(lightness(paper_relative(image)))
    (sheet,) = find_sheets(image)
    there, _ = sheet_outline.likeness(levels, sheet.map, "qwinto", "commercial")
    like, shift = sheet_outline.likeness(
        levels, sheet.map.shifted(4.0, -3.0), "qwinto", "commercial"
    )
    assert like > 0.9 * there > 0.5
    assert np.abs(np.array(shift) - (-4.0, 3.0)).max() < 1.7  # a px of the print from afar
    elsewhere = sheet.map.shifted(40.0, 0.0)
    assert sheet_outline.likeness(levels, elsewhere, plan.game, plan.edition)[0] < like


def test_bars_in_pieces_with_their_ends_in_glare_lead_to_the_card():
    view = View(20, 15, 2.4)
    image, plan = scene("qwinto", "commercial", view, share=0.0)
    paper_bgr = (235, 240, 240)
    for bar in plan.bars:  # the last three cells, and what is between the discs of the others
        x, y, width, height = bar.box_mm
        hidden = [(x + 0.7 * width, y - 2, 0.3 * width + 2, height + 4)]
        hidden += [(x + cell * width / 10 - 1.2, y, 2.4, height) for cell in range(1, 10)]
        for left, top, wide, high in hidden:
            right, low = left + wide, top + high
            at = to_px(plan, view, [(left, top), (right, top), (right, low), (left, low)])
            cv2.fillConvexPoly(image, np.round(at).astype(np.int32), paper_bgr)
    relative = paper_relative(blurred(image, 0.8, 6.0))
    levels = pyramid(lightness(relative))
    places = np.array([field.centre_mm for field in plan.fields])
    true = to_px(plan, view, places)

    def nearest(way):
        groups = look(way, levels, {}, relative, [])
        off = [
            np.linalg.norm(guess.map.to_px(places) - true, axis=1).mean() / view.px_per_mm
            for group in groups
            for guess in group
            if guess.edition == "commercial"
        ]
        return min(off, default=np.inf)

    assert nearest("pieces") < 9.0
    assert nearest("bars") > 15.0


@pytest.mark.parametrize("turn_deg", [0, 80, 200])
@pytest.mark.parametrize("edition", ["printed", "commercial"])
def test_the_start_cell_leads_to_the_whole_sheet(edition, turn_deg):
    view = View(40, turn_deg, 2.4)
    image, plan = scene("detrak", edition, view)
    for at_mm in (plan.field("grid[2][2]").centre_mm, plan.field("grid[4][1]").centre_mm):
        (x, y) = to_px(plan, view, [at_mm])[0]
        cv2.circle(image, (round(x), round(y)), 22, (255, 255, 255), -1)  # glares
    levels = pyramid(lightness(paper_relative(blurred(image, 1.2, 6.0))))
    places = np.array([field.centre_mm for field in plan.fields])
    true = to_px(plan, view, places)
    group = next(start_cell.guesses(levels))  # of the darkest ring
    game, first, sheet = group[0]
    assert (game, first) == ("detrak", edition)
    off = np.linalg.norm(sheet.to_px(places) - true, axis=1) / view.px_per_mm
    assert np.median(off) < 1.0


def test_the_frame_of_a_ring_is_its_darkest_line():
    light = np.ones((600, 700), np.float32)
    corners = np.array([(100, 110), (160, 100), (170, 165), (95, 170)])
    cv2.polylines(light, [corners], True, 0.2, 7)
    (ring,) = start_cell.rings(light)
    off = min(np.abs(np.roll(ring, turn, axis=0) - corners).max() for turn in range(4))
    assert off < 3.0
    assert start_cell.rings(np.ones((300, 300), np.float32)) == []


def test_a_shadow_and_a_glare_leave_the_way_a_sheet_lies():
    laid = View(40, 70, 3.2)
    image, plan = scene("detrak", "printed", laid)
    lit = blurred(image).astype(float)
    rows = np.linspace(1.2, 0.35, lit.shape[0])[:, None, None]
    lit *= rows
    x, y = to_px(plan, laid, [plan.field("grid[3][1]").centre_mm])[0]
    glare = np.zeros(lit.shape[:2])
    cv2.circle(glare, (round(x), round(y)), 60, 1.0, -1)
    lit += 220 * cv2.GaussianBlur(glare, (0, 0), 6)[..., None]
    places = np.array([field.centre_mm for field in plan.fields])
    true = to_px(plan, laid, places)
    group = next(sheet_outline.guesses(lit.clip(0, 255).astype(np.uint8)))
    off = [
        np.median(np.linalg.norm(sheet.to_px(places) - true, axis=1)) / laid.px_per_mm
        if (name, edition) == ("detrak", "printed")
        else np.inf
        for name, edition, sheet in group
    ]
    assert min(off[:4]) < 6.0


def test_two_sheets_are_found_by_their_start_cells():
    views = [
        View(45, 10, 2.0, at=(0.27, 0.5), size=(1000, 600)),
        View(45, 200, 2.0, at=(0.73, 0.5), size=(1000, 600)),
    ]
    plan = sheet_plan("detrak", "commercial")
    picture = table(views[0].size)
    for laid in views:
        picture = photograph(picture, sold_print("detrak"), plan, laid)
    image = blurred(developed(picture), 1.2, 6.0)
    levels = pyramid(lightness(paper_relative(image)))
    places = np.array([field.centre_mm for field in plan.fields])
    off = [
        min(
            np.linalg.norm(sheet.to_px(places) - to_px(plan, laid, places), axis=1).mean()
            for group in start_cell.guesses(levels)
            for _, edition, sheet in group
            if edition == "commercial"
        )
        for laid in views
    ]
    assert max(off) < 3.0
