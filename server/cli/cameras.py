"""`arbitre cameras`: which cameras this machine has, and what each gives."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from server.cli.parser import add_json, add_language
from server.cli.problems import Problem
from server.texts import Lang, text

if TYPE_CHECKING:
    from vision.sources.cameras import Camera

DONE, NONE_USABLE = 0, 2


def add_arguments(parser: argparse.ArgumentParser, lang: Lang) -> None:
    """Define the command line."""
    add_json(parser, lang)
    add_language(parser, lang)


def run(args: argparse.Namespace) -> int:
    """Try every camera for one picture.

    Raises:
        Problem: There is no camera.
    """
    from vision.sources.cameras import devices, try_device

    known = devices()
    if not known:
        raise Problem(text("cameras.none", args.lang))
    usable = False
    for device in known:
        camera = try_device(device)
        usable = usable or camera.problem is None
        if args.json:
            print(json.dumps(_to_json(camera), ensure_ascii=False), flush=True)
        else:
            print(_line(camera, args.lang), flush=True)
    return DONE if usable else NONE_USABLE


def _to_json(camera: "Camera") -> dict[str, Any]:
    return {
        "index": camera.device.index,
        "name": camera.device.name,
        "size": None if camera.size_px is None else list(camera.size_px),
        "fps": camera.fps or None,
        "problem_en": None if camera.problem is None else camera.problem.reason_en,
        "problem_fr": None if camera.problem is None else camera.problem.reason_fr,
    }


def _line(camera: "Camera", lang: Lang) -> str:
    """A camera for human eyes, with advice where its pictures are small."""
    from vision.sources.cameras import WANTED_PX

    named = {"index": camera.device.index, "name": camera.device.name}
    if camera.size_px is None:
        fault = camera.problem
        reason = "" if fault is None else fault.reason_fr if lang == "fr" else fault.reason_en
        return text("cameras.broken", lang, **named, reason=reason)
    width, height = camera.size_px
    key = "cameras.works" if camera.fps else "cameras.works_rate_unknown"
    line = text(key, lang, **named, width=width, height=height, fps=f"{camera.fps:g}")
    if width * height < WANTED_PX[0] * WANTED_PX[1]:
        line += f"\n{text('cameras.small', lang)}"
    return line
