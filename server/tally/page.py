"""The result as one page for a browser: ranking, every sheet, what differs. It loads nothing.

Both languages are in the page; two buttons at its head choose, without a script.
"""

import base64
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Final

from engine.options import write_options
from engine.rules import Finding
from server.tally.adding import Tally
from server.tally.book import Book
from server.tally.counted import Counted, Result, Terms
from server.tally.photo import NAME
from server.tally.telling import blank_key, field_name, line_name, shares_text, shown, speaks_for
from server.texts import LANGS, Lang, text
from vision.observation import Refusal

STYLE: Final = (Path(__file__).parent / "page.css").read_text(encoding="utf-8")

Flats = Mapping[int, bytes]
"""Sheets laid flat and drawn, as JPEG, by the index of the sheet."""


def page_html(result: Result, terms: Terms, flats: Flats, lang: Lang) -> str:
    """The page.

    Args:
        result: Everything.
        terms: What was asked for.
        flats: Pictures to put in; sheets without one go without.
        lang: Language that is chosen when the page opens.
    """
    body = "\n".join(
        [
            _head(result, terms, lang),
            _ranking(result),
            *(_sheet(n, result, terms, flats) for n in result.distinct),
            _left_out(result),
        ]
    )
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(text('tally.page_title', lang))}</title>\n<style>\n{STYLE}</style>\n"
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _both(key: str, **values: object) -> str:
    """A text in both languages, of which the page shows one."""
    return "".join(_span(lang, text(key, lang, **values)) for lang in LANGS)


def _span(lang: Lang, words: str) -> str:
    return f'<span lang="{lang}">{escape(words)}</span>'


def _said(finding: Finding) -> str:
    return _span("en", finding.text_en) + _span("fr", finding.text_fr)


def _head(result: Result, terms: Terms, lang: Lang) -> str:
    names: dict[Lang, str] = {"en": "English", "fr": "Français"}
    choice = "".join(
        f'<input type="radio" name="language" id="{one}"{" checked" if one == lang else ""}>'
        f'<label for="{one}" lang="{one}">{names[one]}</label>'
        for one in LANGS
    )
    counted, photos = len(result.distinct), len(result.photos)
    facts = _both("tally.page_facts", photos=photos, sheets=counted)
    chosen = ", ".join(f"{name}={value}" for name, value in write_options(terms.options).items())
    options = f" <code>{escape(chosen)}</code>" if chosen else ""
    title = "Détrak" if terms.book.game == "detrak" else terms.book.game.capitalize()
    return (
        f'<header>\n<div class="choice">{choice}</div>\n'
        f"<h1>{title}: {_both('tally.page_title')}</h1>\n<p>{facts}{options}</p>\n</header>"
    )


def _who(sheet: Counted, result: Result) -> str:
    """Whose sheet, as well as is known: a name, a seat, else the photo."""
    if sheet.player:
        return escape(sheet.player)
    if sheet.seat:
        return _both("tally.seat", seat=sheet.seat)
    return f'<span class="file">{escape(Path(result.photos[sheet.photo].path).name)}</span>'


def _ranking(result: Result) -> str:
    if len(result.ranking) < 2:
        return ""
    rows = "\n".join(_ranked(result, place.index) for place in result.ranking)
    heads = "".join(
        f"<th>{_both(f'tally.page_{name}')}</th>"
        for name in ("place", "player", "total", "remarks")
    )
    return (
        f"<section>\n<h2>{_both('tally.ranking')}</h2>\n<table>\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table>\n</section>"
    )


def _heads(*names: str) -> str:
    return "".join(f"<th>{_both(f'tally.page_{name}')}</th>" for name in names)


def _ranked(result: Result, index: int) -> str:
    sheet = result.sheets[index]
    assert sheet.tally is not None
    assert sheet.place is not None
    ends = _range(sheet.tally)
    marks = "".join(_badges(sheet))
    return (
        f'<tr><td class="number">{sheet.place.place}</td>'
        f'<td><a href="#sheet-{index}">{_who(sheet, result)}</a></td>'
        f'<td class="number"><strong>{sheet.tally.total}</strong>{ends}</td><td>{marks}</td></tr>'
    )


def _range(tally: Tally) -> str:
    """The totals that doubts leave open."""
    low, high = tally.total_range
    if tally.exact:
        return ""
    return f' <span class="doubt">{_both("tally.page_range", low=low, high=high)}</span>'


def _badges(sheet: Counted) -> Iterator[str]:
    """Short remarks of the ranking."""
    tally = sheet.tally
    assert tally is not None
    if tally.blank:
        yield f'<span class="badge">{_both("tally.page_blank")}</span>'
    if tally.written_differs:
        yield f'<span class="badge wrong">{_both("tally.page_sums")}</span>'
    if any(not finding.rule.endswith(".sheet.sums") for finding in sheet.findings):
        yield f'<span class="badge wrong">{_both("tally.page_rules")}</span>'
    if tally.reading.doubts:
        count = len(tally.reading.doubts)
        yield f'<span class="badge doubt">{_both("tally.page_doubts", count=count)}</span>'


def _sheet(index: int, result: Result, terms: Terms, flats: Flats) -> str:
    sheet = result.sheets[index]
    assert sheet.tally is not None
    ends = _range(sheet.tally)
    flat = flats.get(index)
    drawn = "" if flat is None else f'<img class="flat" src="{_uri(flat, "jpeg")}" alt="">'
    name = sheet.record.crops.get(NAME)
    signed = "" if name is None else f'<img class="name" src="{_uri(name, "png")}" alt="">'
    return (
        f'<section class="sheet" id="sheet-{index}">\n'
        f"<h2>{_who(sheet, result)} <strong>{sheet.tally.total}</strong>{ends}</h2>\n"
        f'<p class="file">{signed}{_files(index, result)}</p>\n'
        f'<div class="pair"><div>{drawn}</div><div>{_lines(sheet, terms)}'
        f"{_remarks(sheet, result)}</div></div>\n{_doubts(sheet, terms)}</section>"
    )


def _files(index: int, result: Result) -> str:
    """The photos that show a sheet."""
    same = [s for n, s in enumerate(result.sheets) if index in (n, s.same_as)]
    names = [escape(Path(result.photos[sheet.photo].path).name) for sheet in same]
    more = f" {_both('tally.page_once')}" if len(names) > 1 else ""
    return ", ".join(names) + more


def _lines(sheet: Counted, terms: Terms) -> str:
    """What each line is worth beside what the player wrote."""
    tally, book = sheet.tally, terms.book
    assert tally is not None
    worth = {**dict(tally.lines), "total": tally.total}
    rows = []
    for line, points in worth.items():
        boxes = [w for w in book.form.sums() if book.worth.box(w, terms.options) == line]
        cells = " ".join(_written(tally, where, points, book) for where in boxes)
        total = ' class="total"' if line == "total" else ""
        names = "".join(_span(lang, line_name(book, line, lang)) for lang in LANGS)
        number = f'<td class="number">{points}</td>'
        rows.append(f"<tr{total}><th>{names}</th>{number}<td>{cells}</td></tr>")
    heads = _heads("line", "right", "written")
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


def _written(tally: Tally, where: str, points: int, book: Book) -> str:
    """A sum of the player's: right, wrong, or differing while something is in doubt."""
    written = tally.reading.values[where]
    if not isinstance(written, int):
        return ""
    if where in {entry.where for entry in tally.written_differs}:
        kind = "wrong struck"
    else:
        kind = "right" if book.worth.same_sum(where, written, points) else "doubt"
    return f'<span class="{kind}">{written}</span>'


def _remarks(sheet: Counted, result: Result) -> str:
    """Broken rules, and those that may be broken."""
    tally = sheet.tally
    assert tally is not None
    found = [f'<li class="wrong">{_said(finding)}</li>' for finding in sheet.findings]
    found += [
        f'<li class="doubt">{_both("tally.page_perhaps")} {_said(finding)}</li>'
        for finding in sheet.unsure
    ]
    if sheet.like is not None:
        other = result.photos[result.sheets[sheet.like].photo].path
        found.append(f'<li class="doubt">{_both("tally.like", path=Path(other).name)}</li>')
    if sheet.audit is not None and sheet.audit.audit.explained:
        found.append(f"<li>{_both('tally.explained', seat=sheet.seat)}</li>")
    if sheet.audit_problem is not None:
        reasons = zip(LANGS, sheet.audit_problem, strict=True)
        said = "".join(_span(n, text("tally.no_audit", n, reason=why)) for n, why in reasons)
        found.append(f"<li>{said}</li>")
    found += [f"<li>{_both(f'tally.{hint}')}</li>" for hint in tally.hints]
    if tally.blank:
        found.append(f"<li>{_both(blank_key(tally))}</li>")
    return f"<ul>{''.join(found)}</ul>" if found else ""


def _doubts(sheet: Counted, terms: Terms) -> str:
    """Fields in doubt: picture, candidates, what rules and sums speak for."""
    tally = sheet.tally
    assert tally is not None
    rows = []
    for doubt in tally.reading.doubts:
        crop = sheet.record.crops.get(doubt.where)
        image = "" if crop is None else f'<img class="crop" src="{_uri(crop, "png")}" alt="">'
        names = "".join(_span(lang, field_name(terms.book, doubt.where, lang)) for lang in LANGS)
        first = doubt.candidates[:3]
        shares = "".join(
            _span(lang, shares_text(terms.book, doubt.where, first, lang)) for lang in LANGS
        )
        speaks = ""
        other = speaks_for(tally.suggested, doubt)
        if other is not None:
            best = {n: shown(terms.book, doubt.where, other[0], n) for n in LANGS}
            words = {n: text("tally.page_suggested", n, best=best[n]) for n in LANGS}
            speaks = " · " + "".join(_span(lang, words[lang]) for lang in LANGS)
        rows.append(f"<div>{image}<p><b>{names}</b><br>{shares}{speaks}</p></div>")
    if not rows:
        return ""
    cards = "".join(rows)
    return f'<h3>{_both("tally.page_in_doubt")}</h3>\n<div class="doubts">{cards}</div>\n'


def _left_out(result: Result) -> str:
    """Photos without a sheet that counts, and why."""
    left = [(record.path, _why(record.error, record.refused)) for record in result.photos]
    left += [
        (result.photos[sheet.photo].path, _why(None, sheet.record.refused))
        for sheet in result.sheets
        if sheet.tally is None and result.photos[sheet.photo].refused is None
    ]
    rows = [
        f'<li><span class="file">{escape(Path(path).name)}</span> {why}</li>'
        for path, why in left
        if why
    ]
    title = _both("tally.page_left_out")
    return f"<section>\n<h2>{title}</h2>\n<ul>{''.join(rows)}</ul>\n</section>" if rows else ""


def _why(error: tuple[str, str] | None, refused: Refusal | None) -> str:
    if error is not None:
        return _span("en", error[0]) + _span("fr", error[1])
    if refused is not None:
        english = f"{refused.text_en} {refused.advice_en}"
        return _span("en", english) + _span("fr", f"{refused.text_fr} {refused.advice_fr}")
    return ""


def _uri(content: bytes, kind: str) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"
