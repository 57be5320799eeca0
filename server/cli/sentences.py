"""Lines of text that say what was read, shared by the commands that show readings."""

from typing import TYPE_CHECKING, Protocol

from engine.grid import cell_name
from server.boards import place, text_board
from server.texts import Lang, table, text

if TYPE_CHECKING:
    from engine import Over, quixo
    from server.answers import Answer, Asked, Note
    from server.live.telling import Ruled
    from vision.observation import Candidates, Reading, Refusal


class Told(Protocol):
    """Something said in both languages: a finding, a note, what could not be excluded."""

    @property
    def text_en(self) -> str:
        """In English."""

    @property
    def text_fr(self) -> str:
        """In French."""


def count_of_doubts(count: int, lang: Lang) -> str:
    """How many values are in doubt, in words."""
    return text("read.doubts", lang, count=count) if count else text("read.no_doubt", lang)


def doubt_line(where: str, candidates: "Candidates", lang: Lang) -> str:
    """One doubt: the cell, the candidates with their shares, and the path in the JSON."""
    kind, row, column = place(where)
    cell = cell_name((row, column))
    if kind == "dots":
        cell = text("read.dot_of", lang, cell=cell)
    names = {".": text("read.blank", lang), "_": text("read.gap", lang)}
    shares = ", ".join(
        text("read.share", lang, value=names.get(value, value), percent=round(100 * share))
        for value, share in candidates
    )
    return text("read.doubt", lang, cell=cell, candidates=shares, where=where)


def asked_line(asked: "Asked", lang: Lang) -> str:
    """One doubt of a ruling, with the photo it is about."""
    line = doubt_line(asked.where, asked.candidates, lang)
    return text(
        "rule.asked", lang, picture=text(f"rule.{asked.picture.split('[')[0]}", lang), doubt=line
    )


def board_lines(reading: "Reading[quixo.Layout]", lang: Lang) -> list[str]:
    """A board as text with its doubts named below it; empty if the board was refused."""
    if reading.layout is None:
        return []
    lines = text_board(reading.layout, [doubt.where for doubt in reading.doubts])
    return [
        *lines,
        *(f"   {doubt_line(doubt.where, doubt.candidates, lang)}" for doubt in reading.doubts),
    ]


def refusal_text(refusal: "Refusal", lang: Lang) -> tuple[str, str]:
    """Why a picture was refused and what to do, in one language."""
    if lang == "fr":
        return refusal.text_fr, refusal.advice_fr
    return refusal.text_en, refusal.advice_en


def ruling_lines(answer: "Answer", lang: Lang) -> list[str]:
    """The ruling for human eyes: verdict, reasons, boards, what is open."""
    ruling = answer.ruling
    verdict = text(f"rule.{ruling.verdict.value}", lang)
    if ruling.move is None:
        lines = [text("rule.no_move", lang, verdict=verdict)]
    else:
        mover = f"{answer.mark} ({ruling.seat})"
        lines = [text("rule.by", lang, verdict=verdict, move=ruling.move, mover=mover)]
    for finding in ruling.findings:
        told = in_language(finding, lang)
        lines.append(f"   {text('rule.finding', lang, rule=finding.rule, text=told)}")
    lines += [f"   {note_line(note, lang)}" for note in answer.notes]
    if ruling.over is not None:
        lines.append(f"   {over_sentence(ruling.over, lang)}")
    lines += ["", f"   {text('rule.boards', lang)}", *_side_by_side(answer)]
    if answer.doubts:
        lines.append(f"   {text('rule.look_again', lang)}")
    lines += [f"   {asked_line(asked, lang)}" for asked in answer.doubts]
    for entry in ruling.excluded:
        lines.append(f"   {text('rule.excluded', lang, text=in_language(entry, lang))}")
    return lines


def ruled_line(ruled: "Ruled", lang: Lang) -> str:
    """One ruling of a live table in one line: when, who, what, why."""
    ruling = ruled.ruling
    verdict = text(f"rule.{ruling.verdict.value}", lang).lower()
    at = f"{ruled.at_s:7.2f} s  " if ruled.at_s is not None else ""
    parts = [f"{ruled.n:3d}. {at}{ruling.seat} {ruling.move or '?'}: {verdict}"]
    parts += [f"{finding.rule}: {in_language(finding, lang)}" for finding in ruling.findings]
    if ruling.over is not None:
        parts.append(over_sentence(ruling.over, lang))
    return "; ".join(parts)


def view_line(barred: "Told | None", lang: Lang) -> str:
    """What bars the view of a live table; None where it is clear again."""
    if barred is None:
        return text("watch.view_clear", lang)
    return text("watch.view_barred", lang, problem=in_language(barred, lang))


def over_sentence(over: "Over", lang: Lang) -> str:
    """How the game ended: who won, by which rule and which line."""
    where = over.where_fr if lang == "fr" else over.where_en
    reason = f"{over.reason}: {where}" if where else over.reason
    key = ("rule.won" if over.winners else "rule.drawn") if over.known else "rule.open"
    return text(key, lang, winners=", ".join(over.winners), reason=reason)


def in_language(told: "Told", lang: Lang) -> str:
    """The text of anything that carries one in both languages."""
    return told.text_fr if lang == "fr" else told.text_en


def note_line(note: "Note", lang: Lang) -> str:
    """A note, with the argument to use where there is one."""
    hint = f"hint_{note.id}"
    known = hint in table("rule")
    argument = text(f"rule.{hint}", lang, **note.values) if known else ""
    return f"{in_language(note, lang)} {argument}".rstrip()


def _side_by_side(answer: "Answer") -> list[str]:
    before, after = text_board(answer.before), text_board(answer.after)
    width = max(len(line) for line in before)
    return [f"{left:<{width}}   {right}" for left, right in zip(before, after, strict=True)]
