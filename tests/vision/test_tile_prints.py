"""Boards found by what is printed on them, and lattices that hold no tiles, which are refused."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.tile_scenes import LINE_BGR, ByHue, Rig, TileScene, Windowed, _bar, crossing
from vision.homography import as_quad, project
from vision.pictures import Picture
from vision.read import read_picture
from vision.tiles.fit import fit_tiles
from vision.tiles.models import TileModels, TileThresholds
from vision.tiles.prints import fit_print, holding
from vision.tiles.squares import find_squares


def read(image, known):
    models = TileModels(Windowed(known, image), ByHue(), TileThresholds(0.9, 0.9, 0.9))
    picture = Picture(image, (image.shape[1], image.shape[0]), 1.0, Path("shot.jpg"))
    return read_picture(picture, "quinto", "board", models=models)


def tiles_of(answer):
    return {(row, col): value for row, col, value in answer.to_json()["reading"]["tiles"]}


def quads_of(finds):
    return [one.corners_px for one in finds]


def tiles_only(scene, noise_px, missing, seed=0):
    found = scene.detections(np.random.default_rng(seed), noise_px, missing)
    return [one for one in found if one.kind == "tile"]


@pytest.mark.parametrize(("tilt", "turn", "seed"), [(30, 15, 1), (45, -60, 2), (20, 100, 3)])
def test_tiles_seen_loosely_are_read_by_the_print(tilt, turn, seed):
    rig = Rig(tilt_deg=tilt, turn_deg=turn, cell_px=46)
    scene = TileScene(rig, crossing(seed, 13, 17, 24), above=0.3)
    image = scene.picture()
    known = tiles_only(scene, 12.0, 0.5, seed)
    alone = fit_tiles(image, quads_of(known))
    assert alone is not None
    assert alone.grid is None
    answer = read(image, known)
    assert answer.to_json()["reading"]["grid"] == [13, 17]
    assert tiles_of(answer) == {cell: value for cell, (value, _) in scene.tiles.items()}


def test_faint_lines_of_a_dark_picture_are_seen_in_a_second_look():
    scene = TileScene(Rig(tilt_deg=25, cell_px=46), crossing(4, 13, 17, 10))
    dark = np.asarray(0.05 * scene.picture().astype(np.float64) + 12, np.uint8)
    assert len(find_squares(dark, faint=True)) > 150 > len(find_squares(dark))


def test_a_frame_a_cell_off_the_outer_line_is_no_further_column():
    rig = Rig(tilt_deg=20, cell_px=46)
    scene = TileScene(rig, crossing(7, 13, 17, 20))
    image = scene.picture()
    for x0, y0, x1, y1 in ((-1, -1, 18, -1), (-1, 14, 18, 14), (-1, -1, -1, 14), (18, -1, 18, 14)):
        box = (x0 - 0.03, y0 - 0.03, x1 + 0.03, y1 + 0.03)
        _bar(image, rig.plane(), box, LINE_BGR)
    answer = read(image, scene.detections(np.random.default_rng(0), 0.6))
    assert answer.to_json()["reading"]["grid"] == [13, 17]
    assert tiles_of(answer) == {cell: value for cell, (value, _) in scene.tiles.items()}


def test_tiles_go_into_their_cells_though_all_seem_shifted():
    scene = TileScene(Rig(tilt_deg=40, cell_px=46), crossing(8, 13, 17, 15), above=0.4)
    image = scene.picture()
    quads = [as_quad(quad) for quad in scene.quads().values()]
    board = fit_print(image, quads_of(find_squares(image)), quads)
    assert board is not None
    order = {cell: index for index, cell in enumerate(scene.tiles)}
    assert dict(board.members) == order
    assert holding(board, []).members == ()


def test_a_lattice_between_the_tiles_is_refused():
    bare = TileScene(Rig(tilt_deg=10, cell_px=60), crossing(9, 13, 17, 18), lined=False)
    image, known = bare.picture(), tiles_only(bare, 0.6, 0.0)
    assert len(tiles_of(read(image, known))) == 18
    between = [replace(one, corners_px=as_quad(np.add(one.corners_px, (30, 30)))) for one in known]
    refused = read(image, between).refused
    assert refused is not None
    assert refused.reason in ("no-lattice", "unsure-tiles")  # nothing of it is vouched for


def test_a_lattice_that_leaves_out_most_tiles_among_its_cells_is_refused():
    bare = TileScene(Rig(tilt_deg=10, cell_px=60), crossing(9, 13, 17, 18), lined=False)
    image, known = bare.picture(), tiles_only(bare, 0.6, 0.0)
    half = [replace(one, corners_px=as_quad(np.add(one.corners_px, (27, 4)))) for one in known]
    refused = read(image, [*known[::2], *half[1::2]]).refused
    assert refused is not None
    assert refused.reason == "no-lattice"


def test_a_board_seen_in_two_outlines_is_one():
    scene = TileScene(Rig(tilt_deg=25, cell_px=46), crossing(11, 13, 17, 20))
    image = scene.picture()
    known = scene.detections(np.random.default_rng(0), 0.6)
    (outline,) = [one for one in known if one.kind == "tile_board"]
    quad = np.array(outline.corners_px)
    middle = quad.mean(axis=0)
    small = 0.25 * quad + 0.75 * (middle + np.array([250.0, 0.0]))  # off to a side
    box = (*small.min(axis=0).tolist(), *small.max(axis=0).tolist())
    second = replace(outline, corners_px=as_quad(small), box_px=box, confidence=0.9)
    answer = read(image, [*known, second])
    assert len(answer.readings) == 1
    assert tiles_of(answer) == {cell: value for cell, (value, _) in scene.tiles.items()}


def test_a_board_of_an_edition_under_a_hand_is_no_smaller_board():
    rig = Rig(tilt_deg=20, cell_px=46)
    tiles = {cell: told for cell, told in crossing(12, 13, 17, 24).items() if cell[1] > 3}
    scene = TileScene(rig, tiles)
    image = scene.picture()
    x0, y0, x1, y1 = -2.0, -2.0, 1.96, 15.0  # nearly two columns and their lines
    cover = np.rint(project(rig.plane(), [(x0, y0), (x1, y0), (x1, y1), (x0, y1)])).astype(np.int32)
    cv2.fillConvexPoly(image, cover, (140, 170, 220))
    answer = read(image, tiles_only(scene, 0.6, 0.0))
    if answer.refused is None:
        assert answer.to_json()["reading"]["grid"] in ([13, 17], None)
