"""What is said of a photo: lines for human eyes."""

from collections.abc import Iterator

from engine.rules import Finding
from server.tally.adding import Tally
from server.tally.book import Book
from server.tally.contract import solo_rank, which
from server.tally.counted import Counted, Result, Terms
from server.tally.reading import Doubt, Shares, Value
from server.tally.since import Change
from server.tally.suggest import Suggestion
from server.texts import Lang, text
from vision.observation import Refusal


def photo_lines(result: Result, photo: int, terms: Terms, lang: Lang) -> Iterator[str]:
    """A photo for human eyes; files that cannot be used are told on another way."""
    record = result.photos[photo]
    if record.error is not None:
        return
    sheets = result.of_photo(photo)
    if not sheets and record.refused is not None:
        yield _refused(record.path, record.refused, lang)
        return
    for n, sheet in enumerate(sheets, start=1):
        path = record.path
        if len(sheets) > 1:
            path = text("tally.one_of", lang, path=path, n=n, count=len(sheets))
        if sheet.record.refused is not None:
            yield _refused(path, sheet.record.refused, lang)
        else:
            yield from sheet_lines(sheet, result, terms, lang, path)


def sheet_lines(
    sheet: Counted, result: Result, terms: Terms, lang: Lang, path: str
) -> Iterator[str]:
    """One sheet: its total, how it comes about, and everything that is to be said about it."""
    tally, book = sheet.tally, terms.book
    assert tally is not None
    yield _headline(sheet, lang, path)
    if sheet.same_as is not None:
        other = which(sheet.same_as, result)["path"]
        yield "   " + text("tally.same", lang, path=other)
        return
    if sheet.like is not None:
        other = which(sheet.like, result)["path"]
        yield "   " + text("tally.like", lang, path=other)
    if tally.blank:
        yield "   " + text(blank_key(tally), lang)
    parts = [
        text("tally.part", lang, line=line_name(book, name, lang), points=points)
        for name, points in tally.lines
        if points
    ]
    if parts:
        yield "   " + ", ".join(parts)
    rank = solo_rank(sheet, result, terms)
    if rank is not None:
        yield "   " + text("tally.rank", lang, rank=rank[lang])
    for line in (*_verdict_lines(sheet, lang), *_open_lines(sheet, terms, lang)):
        yield "   " + line


def _verdict_lines(sheet: Counted, lang: Lang) -> Iterator[str]:
    """What is said against the sheet, and by the log."""
    for finding in sheet.findings:
        yield text("tally.finding", lang, rule=finding.rule, text=_said(finding, lang))
    for finding in sheet.unsure:
        yield text("tally.unsure", lang, rule=finding.rule, text=_said(finding, lang))
    if sheet.audit is not None:
        key = "tally.explained" if sheet.audit.audit.explained else "tally.unexplained"
        yield text(key, lang, seat=sheet.seat)
    if sheet.audit_problem is not None:
        yield text("tally.no_audit", lang, reason=sheet.audit_problem[lang == "fr"])


def _open_lines(sheet: Counted, terms: Terms, lang: Lang) -> Iterator[str]:
    """What is in doubt, what was added, what may help."""
    tally = sheet.tally
    assert tally is not None
    for doubt in tally.reading.doubts:
        yield doubt_line(sheet, doubt.where, terms, lang)
    yield from _since_lines(sheet, terms, lang)
    for hint in tally.hints:
        yield text(f"tally.{hint}", lang)


def _headline(sheet: Counted, lang: Lang, path: str) -> str:
    tally = sheet.tally
    assert tally is not None
    total = total_text(tally, lang)
    who = sheet.player or (sheet.seat and text("tally.seat", lang, seat=sheet.seat))
    key = "tally.sheet_of" if who else "tally.sheet"
    return text(key, lang, path=path, who=who, total=total)


def total_text(tally: Tally, lang: Lang) -> str:
    """The total, with the range that doubts leave."""
    low, high = tally.total_range
    if tally.exact:
        return text("tally.points", lang, total=tally.total)
    return text("tally.range", lang, total=tally.total, low=low, high=high)


def line_name(book: Book, line: str, lang: Lang) -> str:
    """A line in words, such as ``orange row`` or ``column b``."""
    boxes = (where for where in book.form.sums() if where.partition(".")[2].startswith(line))
    return book.form.sum_name(next(boxes), lang)


def doubt_line(sheet: Counted, where: str, terms: Terms, lang: Lang) -> str:
    """One doubt: what the field may hold, and what rules and sums make likely."""
    tally, book = sheet.tally, terms.book
    assert tally is not None
    doubt = tally.reading.doubt_at(where)
    assert doubt is not None
    raw = shares_text(book, where, doubt.candidates[:3], lang)
    name = field_name(book, where, lang)
    other = speaks_for(tally.suggested, doubt)
    if other is None:
        return text("tally.doubt", lang, name=name, shares=raw)
    best = shown(book, where, other[0], lang)
    return text("tally.doubt_suggested", lang, name=name, shares=raw, best=best)


def blank_key(tally: Tally) -> str:
    """The text that says that a sheet is blank, for sure or as far as it was read."""
    return "tally.blank" if tally.exact else "tally.blank_perhaps"


def speaks_for(suggested: tuple[Suggestion, ...], doubt: Doubt) -> tuple[Value] | None:
    """The value that rules and sums speak for, where the reading alone says another."""
    best = next((one.candidates[0][0] for one in suggested if one.where == doubt.where), None)
    known = any(one.where == doubt.where for one in suggested)
    return (best,) if known and best != doubt.candidates[0][0] else None


def field_name(book: Book, where: str, lang: Lang) -> str:
    """A field in words."""
    if book.form.is_sum(where):
        return text("tally.written_sum", lang, box=book.form.sum_name(where, lang))
    return text("tally.failed", lang) if where == "failed" else book.form.name(where)


def shares_text(book: Book, where: str, shares: Shares, lang: Lang) -> str:
    """Candidates of a field with their shares in percent."""
    parts = [(shown(book, where, value, lang), round(100 * share)) for value, share in shares]
    return ", ".join(text("tally.share", lang, value=v, percent=percent) for v, percent in parts)


def shown(book: Book, where: str, value: Value, lang: Lang) -> str:
    """A value of a field as people read it; "nothing" for an empty one."""
    if book.form.is_nothing(where, value):
        return text("tally.nothing", lang)
    return str(value)


def _since_lines(sheet: Counted, terms: Terms, lang: Lang) -> Iterator[str]:
    if sheet.since is None:
        if terms.before:
            yield text("tally.no_since", lang)
        return
    lists = (("tally.added", sheet.since.added), ("tally.changed", sheet.since.changed))
    for key, changes in lists:
        parts = [_change_text(change, terms.book, lang) for change in changes]
        yield text(key, lang, fields=", ".join(parts) or text("tally.nothing", lang))


def _change_text(change: Change, book: Book, lang: Lang) -> str:
    after = shown(book, change.where, change.after, lang)
    return f"{change.name} {after}{'' if change.sure else '?'}"


def _refused(path: str, refusal: Refusal, lang: Lang) -> str:
    reason = refusal.text_fr if lang == "fr" else refusal.text_en
    advice = refusal.advice_fr if lang == "fr" else refusal.advice_en
    return text("tally.refused", lang, path=path, reason=reason, advice=advice)


def _said(finding: Finding, lang: Lang) -> str:
    return finding.text_fr if lang == "fr" else finding.text_en


def ranking_lines(result: Result, lang: Lang) -> Iterator[str]:
    """The ranking, where there is more than one sheet."""
    if len(result.ranking) < 2:
        return
    yield text("tally.ranking", lang)
    for place in result.ranking:
        sheet = result.sheets[place.index]
        assert sheet.tally is not None
        who = sheet.player or (sheet.seat and text("tally.seat", lang, seat=sheet.seat))
        who = who or result.photos[sheet.photo].path
        key = "tally.place_open" if place.open else "tally.place"
        yield "   " + text(key, lang, place=place.place, who=who, total=sheet.tally.total)
