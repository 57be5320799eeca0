"""Doubts asked about in a terminal, one after the other; answers count at once.

A question names the field, its three best candidates and a file with its picture. The person types
1 to 3, or what the field holds; Enter leaves it open, ``q`` leaves the rest.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from server.tally.adding import add_up
from server.tally.counted import Counted, Terms
from server.tally.reading import Doubt, Value
from server.tally.suggest import Suggestion
from server.tally.telling import field_name, shown, speaks_for, total_text
from server.texts import Lang, text

CHOICES: Final = 3
STOP: Final = "q"
BACK: Final = "u"


@dataclass(frozen=True, slots=True)
class Terminal:
    """How to talk to the person.

    Attributes:
        say: Shows a line.
        hear: Shows a prompt and returns what was typed; ``EOFError`` when nobody answers any more.
        crop: Keeps the picture of a field where the person can open it; returns its path, or None.
        heard: Called with each answer: sheet, doubt, value.
        lang: Language.
    """

    say: Callable[[str], None]
    hear: Callable[[str], str]
    crop: Callable[[Counted, str], Path | None]
    heard: Callable[[Counted, Doubt, Value], None]
    lang: Lang


class Stopped(Exception):  # noqa: N818 - no fault
    """The person wants no more questions.

    Stopped (Exception)
    """


class Back(Exception):  # noqa: N818 - no fault
    """The person wants the question before once more.

    Back (Exception)
    """


def ask_about(sheet: Counted, title: str, terms: Terms, terminal: Terminal) -> None:
    """Ask about every doubt of a sheet, and show its total after each answer.

    Answers go to ``terminal.heard`` when the sheet is done with.

    Raises:
        Stopped: No more questions are wanted.
    """
    if sheet.tally is None or not sheet.tally.reading.doubts:
        return
    doubts = sheet.tally.reading.doubts
    terminal.say(text("tally.ask_sheet", terminal.lang, title=title, count=len(doubts)))
    answers: dict[str, Value] = {}
    n = 0
    try:
        while n < len(doubts):
            doubt = doubts[n]
            answers.pop(doubt.where, None)
            tally = add_up(terms.book, sheet.tally.reading.answer(answers), terms.options)
            place = text("tally.ask_place", terminal.lang, n=n + 1, count=len(doubts))
            terminal.say(f"{place} {total_text(tally, terminal.lang)}")
            try:
                value = _ask(sheet, doubt, tally.suggested, terms, terminal)
            except Back:
                n = max(0, n - 1)
                continue
            if value is not None:
                answers[doubt.where] = value[0]
                terminal.say("   → " + shown(terms.book, doubt.where, value[0], terminal.lang))
            n += 1
    finally:
        for doubt in doubts:
            if doubt.where in answers:
                terminal.heard(sheet, doubt, answers[doubt.where])
    done = add_up(terms.book, sheet.tally.reading.answer(answers), terms.options)
    terminal.say(total_text(done, terminal.lang))


def _ask(
    sheet: Counted,
    doubt: Doubt,
    suggested: tuple[Suggestion, ...],
    terms: Terms,
    terminal: Terminal,
) -> tuple[Value] | None:
    """One question; None where it is left open."""
    lang = terminal.lang
    name = field_name(terms.book, doubt.where, lang)
    choices = [
        _choice(n, shown(terms.book, doubt.where, value, lang), share, lang)
        for n, (value, share) in enumerate(doubt.candidates[:CHOICES], start=1)
    ]
    terminal.say(f"   {name}:  " + "   ".join(choices))
    speaks = speaks_for(suggested, doubt)
    if speaks is not None:
        best = shown(terms.book, doubt.where, speaks[0], lang)
        terminal.say("   " + text("tally.page_suggested", lang, best=best))
    picture = terminal.crop(sheet, doubt.where)
    if picture is not None:
        terminal.say("   " + text("tally.ask_picture", lang, path=picture))
    while True:
        try:
            typed = terminal.hear("   " + text("tally.ask_prompt", lang) + " ").strip()
        except EOFError as end:
            raise Stopped from end
        if not typed:
            return None
        if typed.lower() in (STOP, BACK):
            raise Stopped if typed.lower() == STOP else Back
        try:
            return (_value(typed, doubt, terms),)
        except ValueError:
            terminal.say("   " + text("tally.ask_wrong", lang, typed=typed[:20], name=name))


def _value(typed: str, doubt: Doubt, terms: Terms) -> Value:
    """What was typed: a key for a candidate, or a value; a value of 1 to 3 is typed ``=3``."""
    choices = doubt.candidates[:CHOICES]
    if typed.isdigit() and 1 <= int(typed) <= len(choices):
        return choices[int(typed) - 1][0]
    return terms.book.form.parse(doubt.where, typed.removeprefix("="))


def _choice(n: int, shown_value: str, share: float, lang: Lang) -> str:
    return text("tally.ask_choice", lang, n=n, value=shown_value, percent=round(100 * share))
