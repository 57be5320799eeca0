"""Each figure against a picture made to have it, each advice against a picture that needs it."""

import math

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.quality import (
    BLURRED,
    GLARE,
    TILTED,
    TOO_BRIGHT,
    TOO_DARK,
    TOO_SMALL,
    Advice,
    Quality,
    advise,
    measure,
)

GOOD = Quality(sharpness=0.6, exposure=0.5, glare_share=0.0, px_per_cell=60.0, tilt_deg=20.0)


def chequers(
    cells: int = 10, cell_px: int = 40, low: int = 60, high: int = 190
) -> NDArray[np.uint8]:
    """(cells * cell_px, cells * cell_px, 3) with ideal edges."""
    rows, columns = np.indices((cells, cells))
    tiles = np.where((rows + columns) % 2 == 0, low, high).astype(np.uint8)
    grey = np.kron(tiles, np.ones((cell_px, cell_px), np.uint8))
    return np.dstack([grey] * 3)


def grey_card(level: int, side: int = 100) -> NDArray[np.uint8]:
    return np.full((side, side, 3), level, np.uint8)


def camera(tilt_deg: float, turn_deg: float = 30, distance: float = 25) -> NDArray[np.float64]:
    """Homography (3, 3) of a pinhole camera that looks at the centre of a 5 x 5 board.

    Distance in cells; focal length 1200 px, principal point (800, 600).
    """
    tilt, turn = math.radians(tilt_deg), math.radians(turn_deg)
    tilting = np.array(
        [
            [1, 0, 0],
            [0, math.cos(tilt), -math.sin(tilt)],
            [0, math.sin(tilt), math.cos(tilt)],
        ]
    )
    turning = np.array(
        [[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]]
    )
    rotation = tilting @ turning
    move = rotation @ (-2.5, -2.5, 0) + (0, 0, distance)
    lens = np.array([[1200, 0, 800], [0, 1200, 600], [0, 0, 1]])
    return np.asarray(lens @ np.column_stack((rotation[:, 0], rotation[:, 1], move)))


@pytest.mark.parametrize("blur_px", [1.0, 1.5, 2.0, 3.0, 4.0])
@pytest.mark.parametrize("noise", [0, 2])
def test_blur_is_measured_in_px(blur_px: float, noise: float) -> None:
    soft = cv2.GaussianBlur(chequers().astype(np.float32), (0, 0), blur_px)
    grain = np.random.default_rng(5).normal(0, noise, soft.shape)
    quality = measure((soft + grain).clip(0, 255).astype(np.uint8))
    assert 1 / quality.sharpness - 1 == pytest.approx(blur_px, abs=0.35)


def test_ideal_edges_are_sharp() -> None:
    assert measure(chequers()).sharpness > 0.7


def test_nothing_to_see_is_not_sharp() -> None:
    assert measure(grey_card(128)).sharpness == 0


@pytest.mark.parametrize("level", [0, 40, 128, 255])
def test_exposure_is_the_median_grey(level: int) -> None:
    assert measure(grey_card(level)).exposure == pytest.approx(level / 255, abs=1 / 255)


def test_glare_is_a_share_of_the_area() -> None:
    image = grey_card(100)
    image[:20, :50] = 255  # a tenth
    image[50:, :, 2] = 255  # red alone is not blown out
    assert measure(image).glare_share == pytest.approx(0.1)


def test_figures_are_those_of_the_board() -> None:
    image = grey_card(255, 200)
    image[50:150, 50:150] = 90
    onto = np.array([[20.0, 0, 50], [0, 20.0, 50], [0, 0, 1]])
    quality = measure(image, onto)
    assert quality.exposure == pytest.approx(90 / 255, abs=0.005)
    assert quality.glare_share < 0.05  # the outline of the filled area only
    assert quality.px_per_cell == pytest.approx(20)
    assert quality.tilt_deg == pytest.approx(0, abs=0.1)


@pytest.mark.parametrize("tilt_deg", [0, 15, 30, 45, 60, 75])
@pytest.mark.parametrize("turn_deg", [0, 30, 77])
def test_tilt_of_a_pinhole_camera(tilt_deg: float, turn_deg: float) -> None:
    quality = measure(grey_card(90, 1200), camera(tilt_deg, turn_deg))
    assert quality.tilt_deg == pytest.approx(tilt_deg, abs=0.5)


def test_size_of_a_cell_shrinks_with_distance() -> None:
    near, far = (measure(grey_card(90), camera(0, distance=d)).px_per_cell for d in (20, 40))
    assert near == pytest.approx(60)  # 1200 px / 20 cells
    assert far == pytest.approx(30)


@pytest.mark.parametrize(
    "homography",
    [
        np.diag([1.0, 1.0, 1.0]) + np.array([[0, 0, 9e4], [0, 0, 9e4], [0, 0, 0]]),  # outside
        np.array([[1.0, 0, 0], [0, 1, 0], [0, -1, 2.6]]),  # crosses the horizon
    ],
)
def test_board_out_of_the_picture_is_measured_as_the_whole(homography: NDArray[np.float64]) -> None:
    assert measure(grey_card(77), homography).exposure == pytest.approx(77 / 255, abs=0.005)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, ()),
        ({"exposure": 0.05}, (TOO_DARK,)),
        ({"exposure": 0.95}, (TOO_BRIGHT,)),
        ({"px_per_cell": 12.0}, (TOO_SMALL,)),
        ({"sharpness": 0.08}, (BLURRED,)),
        ({"sharpness": 0.0}, (BLURRED,)),
        ({"sharpness": 0.25, "px_per_cell": 18.0}, (BLURRED,)),
        ({"sharpness": 0.25, "px_per_cell": 60.0}, ()),
        ({"sharpness": 0.15, "px_per_cell": None, "tilt_deg": None}, (BLURRED,)),
        ({"tilt_deg": 70.0}, (TILTED,)),
        ({"glare_share": 0.2}, (GLARE,)),
        ({"glare_share": 0.2, "px_per_cell": None}, ()),
        ({"exposure": 0.05, "tilt_deg": 70.0}, (TOO_DARK, TILTED)),
    ],
)
def test_advice(change: dict[str, float | None], expected: tuple[Advice, ...]) -> None:
    figures = {name: getattr(GOOD, name) for name in Quality.__slots__}
    assert advise(Quality(**{**figures, **change})) == expected


@pytest.mark.parametrize("advice", [TOO_DARK, TOO_BRIGHT, BLURRED, GLARE, TOO_SMALL, TILTED])
def test_advice_says_what_and_what_to_do_in_both_languages(advice: Advice) -> None:
    assert ":" in advice.text_en
    assert "\u00a0:" in advice.text_fr or " :" in advice.text_fr
    assert advice.text_en != advice.text_fr


def test_json_has_plain_numbers() -> None:
    figures = measure(chequers(), camera(30)).to_json()
    assert list(figures) == list(Quality.__slots__)
    assert all(type(value) is float for value in figures.values())
