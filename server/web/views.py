"""What the page is told about a picture: its reading with places, and a small copy to draw on."""

from base64 import b64encode
from collections.abc import Callable
from io import BytesIO
from typing import Any, Final

from PIL import Image

from vision import catalogue
from vision.observation import Candidates, Reading, Refusal
from vision.pictures import Picture
from vision.quality import advise
from vision.read import PictureReading
from vision.readers.dice import Dice, Die, candidate_json, dice_json

PREVIEW_SIDE_PX: Final = 1280
"""Longer side of the copy: sharp on a phone at double density, about 200 kB."""

PREVIEW_QUALITY: Final = 85


def picture_view(name: str, picture: Picture, answer: PictureReading) -> dict[str, Any]:
    """The answer about one picture; all places in pixels of the upright picture as stored."""
    width, height = picture.original_size_px
    return {
        "name": name,
        "width": width,
        "height": height,
        "preview": _preview(picture),
        "ms": answer.ms,
        "refused": refusal_view(answer.refused),
        "boards": [_board_view(r) for r in answer.readings if not isinstance(r.layout, Dice)],
        "dice": next(
            (dice_view(r.layout) for r in answer.readings if isinstance(r.layout, Dice)), None
        ),
        "quality": answer.quality.to_json(),
        "advice": [
            {"id": advice.id, "text_en": advice.text_en, "text_fr": advice.text_fr}
            for advice in advise(answer.quality)
        ],
    }


def dice_view(layout: Dice) -> list[dict[str, Any]]:
    """The dice in reading order, each with what is asked about it."""
    return [
        {
            **told,
            "candidates": _ranked("dice", die.candidates),
            "colours": _ranked("dice.colour", die.colours),
            "asked": [kind for kind, asked in _asked(die) if asked],
            "top": None if die.corners_px is None else _rounded(die.corners_px),
        }
        for told, die in zip(dice_json(layout)["dice"], layout.dice, strict=True)
    ]


def _asked(die: Die) -> tuple[tuple[str, bool], ...]:
    return (("value", die.asked), ("colour", die.colour_asked))


def _ranked(where: str, candidates: Candidates) -> list[list[Any]]:
    return [[candidate_json(where, value), round(share, 4)] for value, share in candidates]


def refusal_view(refusal: Refusal | None) -> dict[str, str] | None:
    """A refusal in both languages."""
    if refusal is None:
        return None
    return {
        "reason": refusal.reason,
        "text_en": refusal.text_en,
        "text_fr": refusal.text_fr,
        "advice_en": refusal.advice_en,
        "advice_fr": refusal.advice_fr,
    }


def _board_view(reading: Reading[Any]) -> dict[str, Any]:
    """A board or a sheet; values are those of the command contract."""
    value_json: Callable[[str, str], Any] = catalogue.as_it_is
    if reading.layout is not None:
        value_json = catalogue.entry_of(reading.layout).value_json
    return {
        "board": None if reading.layout is None else catalogue.to_json(reading.layout),
        "refused": refusal_view(reading.refused),
        "quad": _rounded(reading.quad_px),
        "fields": [
            {
                "where": field.where,
                "value": value_json(field.where, field.value),
                "confidence": round(field.confidence, 4),
                "candidates": [
                    [value_json(field.where, value), round(share, 4)]
                    for value, share in field.candidates
                ],
                "asked": field.asked,
                "quad": _rounded(field.quad_px),
            }
            for field in reading.fields
        ],
    }


def _rounded(quad_px: tuple[tuple[float, float], ...]) -> list[list[float]]:
    return [[round(x, 1), round(y, 1)] for x, y in quad_px]


def _preview(picture: Picture) -> str:
    """A reduced JPEG as a data address: browsers cannot show every format that we read."""
    image = Image.fromarray(picture.image_bgr[:, :, ::-1])
    image.thumbnail((PREVIEW_SIDE_PX, PREVIEW_SIDE_PX))
    stream = BytesIO()
    image.save(stream, "JPEG", quality=PREVIEW_QUALITY)
    return "data:image/jpeg;base64," + b64encode(stream.getvalue()).decode("ascii")
