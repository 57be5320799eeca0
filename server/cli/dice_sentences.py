"""Lines of text that say which dice were read."""

from typing import TYPE_CHECKING

from server.texts import Lang, table, text

if TYPE_CHECKING:
    from vision.observation import Candidates, Reading
    from vision.readers.dice import Dice, Die


def dice_lines(reading: "Reading[Dice]", lang: Lang) -> list[str]:
    """One line a die, what is in doubt in brackets, and the doubts named below."""
    dice = () if reading.layout is None else reading.layout.dice
    lines = [f" {n:2}  {_die_text(die, lang)}" for n, die in enumerate(dice, start=1)]
    for n, die in enumerate(dice):
        if die.asked:
            name = text("read.die", lang, n=n + 1)
            lines.append(_doubt_line(name, die.candidates, f"dice[{n}]", lang))
        if die.colour_asked:
            name = text("read.colour_of", lang, n=n + 1)
            lines.append(_doubt_line(name, die.colours, f"dice[{n}].colour", lang))
    return lines


def count_of_dice(reading: "Reading[Dice]", lang: Lang) -> str:
    """How many dice there are, in words."""
    count = 0 if reading.layout is None else len(reading.layout.dice)
    if count == 0:
        return text("read.no_dice", lang)
    return text("read.one_die" if count == 1 else "read.dice_count", lang, count=count)


def value_name(value: str, lang: Lang) -> str:
    """A face in words: pips by their number, symbols by their name."""
    if f"symbol_{value}" in table("dice"):
        return text(f"dice.symbol_{value}", lang)
    return text("read.other_die", lang) if value == "other" else value


def _die_text(die: "Die", lang: Lang) -> str:
    colour = text(f"dice.colour_{die.colour or 'other'}", lang)
    value = value_name(die.value, lang)
    words = [
        f"[{colour}]" if die.colour_asked else f" {colour} ",
        f"[{value}]" if die.asked else f" {value} ",
        "" if die.flat else text("dice.die_cocked", lang),
    ]
    return f"{words[0]:<16}{words[1]} {words[2]}".rstrip()


def _doubt_line(name: str, candidates: "Candidates", where: str, lang: Lang) -> str:
    """One doubt with what it may be: candidates under one percent are left out."""
    likely = [pair for pair in candidates if pair[1] >= 0.01]
    shares = ", ".join(
        text("read.share", lang, value=_candidate(value, where, lang), percent=round(100 * share))
        for value, share in likely
    )
    return f"     {text('read.dice_doubt', lang, name=name, candidates=shares, where=where)}"


def _candidate(value: str, where: str, lang: Lang) -> str:
    if where.endswith(".colour"):
        return text(f"dice.colour_{value}", lang)
    return value_name(value, lang)
