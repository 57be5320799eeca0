"""`arbitre rule` for number tiles: two photos in, the ruling on the play between them out."""

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine import Verdict, quinto
from server.cli import arguments
from server.cli.drawings import save_drawing, write_drawing
from server.cli.pictures import Read, Session
from server.cli.problems import Problem
from server.cli.rule_faults import ILLEGAL_OR_REFUSED, Fault, around, fault_of, readable
from server.cli.sentences import in_language, note_line, over_sentence
from server.cli.tile_sentences import layout_lines, shares_of
from server.questions import PLAYERS
from server.texts import Lang, text

if TYPE_CHECKING:
    from server.tile_rulings import TileAnswer


@dataclass(frozen=True, slots=True)
class TileTerms:
    """What no photo shows: options as given, who played, the position before."""

    given: dict[str, str]
    seat: str | None
    state: quinto.State | None


def tile_terms_of(args: argparse.Namespace) -> TileTerms:
    """What the command line says.

    Raises:
        Problem: an unknown option, an impossible value, position or mover.
    """
    lang: Lang = args.lang
    given = arguments.settings(args.option, lang)
    given = {"seats" if name == PLAYERS else name: value for name, value in given.items()}
    known = [PLAYERS, *(option.name for option in quinto.GAME.options)]
    for name in given:
        if name not in known:
            raise Problem(text("cli.option_unknown", lang, name=name, known=", ".join(known)))
    state = None
    try:
        options = quinto.Options.read(given)
    except ValueError as error:
        values = " ".join(f"{name}={value}" for name, value in given.items())
        raise Problem(text("cli.option_value", lang, value=values, reason=error)) from error
    if args.state is not None:
        try:
            state = quinto.GAME.read(args.state)
        except ValueError as error:
            raise Problem(text("cli.state", lang, value=args.state, reason=error)) from error
        options = state.options
    names = options.seat_names()
    if args.to_move is not None and args.to_move not in names:
        raise Problem(text("cli.mover", lang, value=args.to_move, known=" ".join(names)))
    return TileTerms(given, args.to_move, state)


def rule_on_tiles(args: argparse.Namespace, terms: TileTerms, session: Session) -> int:
    """Rule in a session that is ready; returns the exit status."""
    out = arguments.folder(args.out, args.lang)
    reads = {"before": session.read(args.before), "after": session.read(args.after)}
    faults = {name: fault for name, read in reads.items() if (fault := fault_of(read, args.lang))}
    answer = None if faults else _rule(reads, terms, args)
    if args.json:
        print(json.dumps(_to_json(args, reads, faults, answer), ensure_ascii=False), flush=True)
    elif answer is not None:
        print(*answer_lines(answer, args.lang), sep="\n", flush=True)
    for fault in faults.values():
        sys.stderr.write(f"arbitre rule: {fault.line}\n")
    if out is not None:
        _draw(reads, answer, out, args.lang)
    if answer is None:
        return max(fault.status for fault in faults.values())
    return ILLEGAL_OR_REFUSED if answer.verdict is Verdict.ILLEGAL else 0


def _rule(reads: dict[str, Read], terms: TileTerms, args: argparse.Namespace) -> "TileAnswer":
    from server.tile_rulings import TileQuestion, rule_tiles

    before, after = readable(reads["before"])[0], readable(reads["after"])[0]
    try:
        return rule_tiles(TileQuestion(before, after, terms.given, terms.seat, terms.state))
    except ValueError as error:  # a start cell off the board that was seen
        values = " ".join(f"{name}={value}" for name, value in terms.given.items())
        raise Problem(text("cli.option_value", args.lang, value=values, reason=error)) from error


def answer_lines(answer: "TileAnswer", lang: Lang) -> list[str]:
    """The ruling for human eyes: verdict, every line with its sum, reasons, the board."""
    lines = [_headline(answer, lang)]
    for line in answer.lines:
        name = line["where_fr" if lang == "fr" else "where_en"]
        sums = "+".join(line["values"])
        key = "rule.line_good" if line["fits"] else "rule.line_bad"
        lines.append(f"   {text(key, lang, line=name, sums=sums, total=line['total'])}")
    ruling = answer.ruling
    for finding in ruling.findings if ruling is not None else ():
        told = in_language(finding, lang)
        lines.append(f"   {text('rule.finding', lang, rule=finding.rule, text=told)}")
    lines += [f"   {note_line(note, lang)}" for note in answer.notes]
    if ruling is not None and ruling.over is not None:
        lines.append(f"   {over_sentence(ruling.over, lang)}")
    if answer.after is not None:
        lines += ["", *layout_lines(answer.after, [tile[:2] for tile in answer.laid])]
    if answer.doubts:
        lines.append(f"   {text('rule.look_again', lang)}")
    for doubt in answer.doubts:
        picture = text(f"rule.{doubt.picture}", lang)
        told = shares_of(doubt.where, doubt.candidates, lang)
        lines.append(f"   {text('rule.asked', lang, picture=picture, doubt=told)}")
    for entry in ruling.excluded if ruling is not None else ():
        lines.append(f"   {text('rule.excluded', lang, text=in_language(entry, lang))}")
    return lines


def _headline(answer: "TileAnswer", lang: Lang) -> str:
    """Verdict, play, mover and points."""
    verdict = text(f"rule.{answer.verdict.value}", lang)
    ruling = answer.ruling
    if ruling is None or ruling.move is None:
        return text("rule.no_move", lang, verdict=verdict)
    facts = {"verdict": verdict, "move": ruling.move, "mover": ruling.seat}
    key = "rule.play" if ruling.verdict is Verdict.LEGAL else "rule.by"
    return text(key, lang, **facts, points=answer.points)


def _draw(reads: dict[str, Read], answer: "TileAnswer | None", out: Path, lang: Lang) -> None:
    """Copies of the photos: the first as it was read, the second with the play, if there is one."""
    for name, read in reads.items():
        if read.reading is None or read.picture is None:
            continue
        if name == "after" and answer is not None and answer.laid:
            save_drawing(_play_drawn(read, answer, lang), out, Path(read.path).stem, lang)
        else:
            write_drawing(read, out, lang)


def _play_drawn(read: Read, answer: "TileAnswer", lang: Lang) -> Any:
    """The second photo with the play's tiles and lines; letters of pictures are plain ASCII."""
    from vision.tiles.annotate_play import DrawnLine, draw_play

    assert read.picture is not None
    quads = dict(answer.quads)
    lines = []
    for line in answer.lines:
        own = [quads[f"tiles[{row}][{col}]"] for row, col in line["cells"]]
        label = f"{'+'.join(line['values'])}={line['total']}"
        lines.append(DrawnLine(tuple(own), label, line["fits"]))
    laid = [quads[f"tiles[{row}][{col}]"] for row, col, _ in answer.laid]
    image = read.picture.image_bgr
    scale = image.shape[1] / read.picture.original_size_px[0]
    words = _headline(answer, lang).replace("É", "E").replace("é", "e")
    return draw_play(image, laid, lines, words, scale)


def _to_json(
    args: argparse.Namespace,
    reads: dict[str, Read],
    faults: dict[str, Fault],
    answer: "TileAnswer | None",
) -> dict[str, Any]:
    """The ruling of the contract, or undecided where a photo cannot be used; then the readings."""
    told = {} if answer is None else answer.to_json()
    return {**NO_RULING, **told, **around(args, reads, faults)}


NO_RULING: Final[dict[str, Any]] = {
    "n": 1,
    "seat": None,
    "move": None,
    "verdict": Verdict.UNDECIDED.value,
    "findings": [],
    "excluded": [],
    "scores": [],
    "state": None,
    "over": None,
    "notes": [],
    "doubts": [],
    "boards": {"before": None, "after": None},
    "lines": [],
    "points": 0,
}
"""What is said of a play whose photos cannot be used: nothing, in the form of a ruling."""
