"""Finding score sheets: every way, every print, bent, cut, turned; and nothing where none is."""

import cv2
import numpy as np
import pytest

from tests.vision.sheet_scenes import (
    PX_PER_MM,
    View,
    developed,
    our_print,
    photograph,
    scene,
    sold_print,
    table,
    to_px,
)
from vision.homography import as_quad
from vision.plans.marks import SheetName
from vision.plans.sheets import sheet_plan
from vision.sheets import squares as sheet_squares
from vision.sheets.find import FoundSheet, find_sheets
from vision.sheets.fit import pyramid, rectify, resemblance, shifted_resemblance
from vision.sheets.light import lightness, paper_relative
from vision.sheets.lines import crossings
from vision.sheets.map import SheetMap
from vision.sheets.room import is_room
from vision.sheets.ruled import PX_PER_MM as PX_PER_MM_OF_SIGNS
from vision.sheets.ruled import goes_on, is_detrak, signs

LAID = [View(15, 0), View(35, 100, 4.0), View(42, 200, 3.5, bend_mm=1.0)]


def errors_mm(sheet: FoundSheet, plan, view: View) -> np.ndarray:
    """Distance of every field's middle from where it lies, in mm."""
    ours = sheet_plan(sheet.game, sheet.edition)
    places = np.array([field.centre_mm for field in plan.fields])
    found = sheet.map.to_px([ours.field(field.path).centre_mm for field in plan.fields])
    return np.linalg.norm(found - to_px(plan, view, places), axis=1) / view.px_per_mm


def check(image, plan, view: View, way: str | None = None) -> FoundSheet:
    (sheet,) = find_sheets(image)
    assert (sheet.game, sheet.edition) == (plan.game, plan.edition)
    assert sheet.reason is None
    assert way is None or sheet.way == way
    errors = errors_mm(sheet, plan, view)
    assert np.median(errors) < 0.3
    assert errors.max() < 1.0
    return sheet


@pytest.mark.parametrize("view", LAID)
@pytest.mark.parametrize("game", ["qwinto", "detrak"])
def test_our_sheets_are_found_by_their_markers(game, view):
    image, plan = scene(game, "printed", view)
    sheet = check(image, plan, view, "markers")
    assert sheet.residual_mm < 0.2


@pytest.mark.parametrize("view", LAID)
def test_qwinto_as_sold_is_found_by_its_bars(view):
    image, plan = scene("qwinto", "commercial", view)
    check(image, plan, view, "bars")


@pytest.mark.parametrize("view", LAID)
def test_detrak_as_sold_is_found_by_its_grid(view):
    image, plan = scene("detrak", "commercial", view)
    check(image, plan, view)


@pytest.mark.parametrize("view", LAID[:2])
def test_bars_printed_in_grey_are_found_by_their_discs(view):
    image, plan = scene("qwinto", "commercial", view, grey=True)
    check(image, plan, view, "lattice")


def test_a_warm_lamp_and_a_shadow_change_nothing():
    view = View(25, 170)
    plan = sheet_plan("qwinto", "commercial")
    picture = photograph(table(view.size), sold_print("qwinto"), plan, view)
    check(developed(picture, warm=0.9, shade=0.6), plan, view)


@pytest.mark.parametrize("share", [0.90, 0.97, 1.03])
def test_the_printers_scale_is_taken_up_by_the_map(share):
    view = View(20, 30, 3.5 * share)
    image, plan = scene("qwinto", "printed", view)
    check(image, plan, view)


@pytest.mark.parametrize("gone", [1, 2, 4])
def test_markers_may_be_cut_off(gone):
    view, plan = View(20, 10), sheet_plan("qwinto")
    paper = our_print("qwinto").copy()
    for square in plan.markers[:gone]:
        (x0, y0), _, (x1, y1), _ = (
            tuple(int(v * PX_PER_MM) for v in corner) for corner in square.outline_mm()
        )
        paper[y0 - 8 : y1 + 8, x0 - 8 : x1 + 8] = 255
    check(developed(photograph(table(view.size), paper, plan, view)), plan, view)


def test_a_bent_sheet_is_followed_better_than_a_plane_would():
    view = View(40, 0, 4.0, bend_mm=1.8)
    image, plan = scene("qwinto", "printed", view)
    sheet = check(image, plan, view)
    assert sheet.map.bend is not None


def test_the_code_names_the_sheet():
    view = View(10, 5, 5.0, size=(1200, 700))
    image, plan = scene("qwinto", "printed", view)
    assert check(image, plan, view).code == SheetName("qwinto", 1, 12)


def test_several_sheets_come_from_left_to_right():
    views = [View(15, 10, 2.6, at=(at, 0.5), size=(1500, 700)) for at in (0.2, 0.52, 0.84)]
    plans = [sheet_plan("detrak"), sheet_plan("detrak"), sheet_plan("detrak", "commercial")]
    prints = [our_print("detrak", number=12), our_print("detrak", number=5), sold_print("detrak")]
    picture = table(views[0].size)
    for print_, plan, view in zip(prints, plans, views, strict=True):
        picture = photograph(picture, print_, plan, view)
    found = find_sheets(developed(picture))
    assert [sheet.edition for sheet in found] == ["printed", "printed", "commercial"]
    assert [sheet.way for sheet in found] == ["markers", "markers", "lattice"]
    for sheet, plan, view in zip(found, plans, views, strict=True):
        assert np.median(errors_mm(sheet, plan, view)) < 0.4


def test_half_a_sheet_is_said_to_be_one():
    image, _ = scene("qwinto", "printed", View(15, 0, 3.5, at=(0.85, 0.5)))
    (sheet,) = find_sheets(image)
    assert sheet.reason == "half-sheet"


def test_corners_by_hand_find_the_sheet_in_any_order():
    view = View(30, 120, 3.5)
    image, plan = scene("qwinto", "commercial", view)
    width, height = plan.size_mm
    corners = to_px(plan, view, [(0, 0), (width, 0), (width, height), (0, height)])
    quad = as_quad(corners[[2, 0, 3, 1]] + 4)
    (sheet,) = find_sheets(image, "qwinto", quad)
    assert sheet.way == "corners"
    assert np.median(errors_mm(sheet, plan, view)) < 0.3


def test_corners_need_a_game_and_an_area():
    image = np.zeros((200, 200, 3), np.uint8)
    with pytest.raises(ValueError, match="game"):
        find_sheets(image, None, ((0, 0), (9, 0), (9, 9), (0, 9)))
    with pytest.raises(ValueError, match="no convex"):
        find_sheets(image, "qwinto", ((0, 0), (9, 0), (18, 0), (27, 0)))


def squared_paper(size=(700, 700)):
    paper = np.full((*size, 3), 245, np.uint8)
    for at in range(20, 700, 40):
        cv2.line(paper, (at, 0), (at, 700), (170, 120, 110), 2)
        cv2.line(paper, (0, at), (700, at), (170, 120, 110), 2)
    return developed(paper.astype(float))


def chessboard():
    y, x = np.mgrid[0:640, 0:640] // 80
    board = np.where((x + y) % 2, 230, 70).astype(float)
    return developed(np.stack([board] * 3, axis=2))


def sudoku():
    paper = np.full((700, 700, 3), 245, np.uint8)
    for step in range(10):
        wide, at = (6 if step % 3 == 0 else 2), 80 + step * 60
        cv2.line(paper, (at, 80), (at, 620), (30, 30, 30), wide)
        cv2.line(paper, (80, at), (620, at), (30, 30, 30), wide)
    return developed(paper.astype(float))


@pytest.mark.parametrize(
    "image", [squared_paper(), chessboard(), sudoku(), developed(table((600, 500)))]
)
def test_other_grids_and_bare_tables_are_no_sheets(image):
    assert find_sheets(image) == ()


def test_a_tiny_picture_is_no_sheet():
    assert find_sheets(np.zeros((20, 300, 3), np.uint8)) == ()


def test_lines_cross_where_they_meet_and_nowhere_else():
    lines = np.array([[0, 10, 50, 10], [20, 0, 20, 40], [100, 0, 100, 40]], np.float64)
    points, ways = crossings(lines)
    assert points == pytest.approx(np.array([[20.0, 10.0]]))
    assert np.abs(ways[0]) == pytest.approx(np.array([[1, 0], [0, 1]]))


def light_with_squares(plan, view: View, gone: int | None = None, dark: float = 0.3):
    """Lightness of a table with a plan's markers as plain dark squares, and two others."""
    light = np.full((view.size[1], view.size[0]), 1.0, np.float32)
    for index, marker in enumerate(plan.markers):
        if index != gone:
            corners = to_px(plan, view, marker.outline_mm())
            cv2.fillConvexPoly(light, np.round(corners).astype(np.int32), dark)
    cv2.rectangle(light, (20, 20), (40, 38), 0.3, -1)
    cv2.rectangle(light, (600, 700), (690, 780), 0.2, -1)
    return light


def nearest_mm(game: str, light, view: View) -> float:
    """How far the fields lie from their true places in the best guess by squares, in the median."""
    plan = sheet_plan(game)
    places = np.array([field.centre_mm for field in plan.fields])
    true = to_px(plan, view, places)
    off = [
        np.median(np.linalg.norm(sheet.to_px(places) - true, axis=1)) / view.px_per_mm
        for name, sheet in sheet_squares.guesses(light)
        if name == game
    ]
    return float(np.nanmin(off))


@pytest.mark.parametrize("gone", [None, 0, 2])
@pytest.mark.parametrize("game", ["qwinto", "detrak"])
def test_unread_markers_lead_to_the_sheet(game, gone):
    view = View(40, 70, 3.2)
    light = light_with_squares(sheet_plan(game), view, gone)
    assert nearest_mm(game, light, view) < (1.0 if gone is None else 6.0)


def test_markers_that_blur_made_pale_lead_to_the_sheet():
    view = View(40, 70, 3.2)
    light = light_with_squares(sheet_plan("detrak"), view, dark=0.7)
    assert nearest_mm("detrak", light, view) < 1.0


def test_another_square_near_a_hidden_marker_does_not_mislead():
    plan, view = sheet_plan("detrak"), View(40, 70, 3.2)
    light = light_with_squares(plan, view, gone=2)
    inwards = [(x - 22.0, y - 18.0) for x, y in plan.markers[2].outline_mm()]
    cv2.fillConvexPoly(light, np.round(to_px(plan, view, inwards)).astype(np.int32), 0.3)
    assert nearest_mm("detrak", light, view) < 6.0


def test_a_sheet_of_detrak_ends_and_other_grids_go_on():
    view = View(10, 0, 5.0)
    image, plan = scene("detrak", "commercial", view, share=0.0)
    (sheet,) = find_sheets(image)
    flat = rectify(lightness(paper_relative(image)), sheet.map, plan, PX_PER_MM_OF_SIGNS)
    assert flat is not None
    ours = signs(flat, plan)
    assert not goes_on(ours)
    assert ours.start > 1.3
    assert ours.diagonal > 1.0
    assert is_detrak(ours, 0.3)
    shifted = rectify(
        lightness(paper_relative(image)), sheet.map.shifted(20.0, 20.0), plan, PX_PER_MM_OF_SIGNS
    )
    assert shifted is not None
    assert goes_on(signs(shifted, plan))


@pytest.mark.parametrize("edition", ["printed", "commercial"])
@pytest.mark.parametrize("game", ["qwinto", "detrak"])
def test_all_shifts_of_a_sheet_are_cut_from_one_view(game, edition):
    image, plan = scene(game, edition, View(30, 20, 2.2))
    levels = pyramid(lightness(paper_relative(image)))
    (sheet,) = find_sheets(image)
    xs, ys = (-20.0, 0.0, 10.0), (-14.0, 0.0, 14.0)
    together = shifted_resemblance(levels, sheet.map, plan, xs, ys)
    alone = [[resemblance(levels, sheet.map.shifted(x, y), game, edition) for y in ys] for x in xs]
    assert np.abs(together - alone).max() < 0.03
    assert int(together.argmax()) == 4  # the middle one of 3 x 3


def test_shifts_that_reach_behind_the_camera_are_looked_at_one_by_one():
    plan = sheet_plan("qwinto", "commercial")
    # The horizon lies 15 mm above the sheet's rim, and the shifts reach beyond it.
    slanting = SheetMap(((1.0, 0.0, 60.0), (0.0, 1.0, 30.0), (0.0, 1.0 / 27.0, 1.0)))
    levels = pyramid(np.full((400, 400), 1.0, np.float32))
    like = shifted_resemblance(levels, slanting, plan, (0.0,), (-30.0, 0.0))
    assert like.shape == (1, 2)
    assert like[0, 0] == -1.0
    assert like[0, 1] > -1.0


def test_a_second_sheet_beside_a_large_one_is_found_at_half_the_size():
    views = [View(15, 10, 4.0, at=(0.25, 0.5), size=(1500, 800)),
             View(15, 200, 3.4, at=(0.76, 0.5), size=(1500, 800))]  # fmt: skip
    plan = sheet_plan("detrak", "commercial")
    picture = table(views[0].size)
    for view in views:
        picture = photograph(picture, sold_print("detrak"), plan, view)
    found = find_sheets(developed(picture))
    assert [sheet.way for sheet in found] == ["lattice", "lattice"]
    for sheet, view in zip(found, views, strict=True):
        assert np.median(errors_mm(sheet, plan, view)) < 0.3


def test_the_same_place_may_not_be_found_twice():
    view = View(15, 0)
    image, _ = scene("qwinto", "printed", view)
    assert len(find_sheets(image)) == 1


def test_a_large_picture_gives_the_map_in_its_own_px():
    view = View(20, 40, 3.0, size=(850, 700))
    image, plan = scene("qwinto", "commercial", view)
    large = np.asarray(cv2.resize(image, None, fx=2.4, fy=2.4, interpolation=cv2.INTER_CUBIC))
    (sheet,) = find_sheets(large)
    places = np.array([field.centre_mm for field in plan.fields])
    off = sheet.map.to_px(places) / 2.4 - to_px(plan, view, places)
    assert np.median(np.linalg.norm(off, axis=1)) / view.px_per_mm < 0.3


def test_there_is_room_for_a_second_sheet_only_where_one_fits():
    sheet = np.array([(80, 80), (480, 80), (480, 280), (80, 280)], np.float64)
    assert not is_room((360, 560), [sheet])
    assert is_room((360, 1000), [sheet])
    assert is_room((360, 560), [np.full((4, 2), np.nan)])
