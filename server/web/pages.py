"""What all pages share: their texts in both languages, so that switching needs no reload."""

from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as BaseResponse

from server.settings import Settings
from server.texts import LANGS, Lang, table

blueprint = Blueprint("pages", __name__)

TEXTS: Final = ("page", "live", "dice", "tiles", "piles")
"""Files of texts that pages carry in both languages; no name stands in two of them."""


@blueprint.get("/pictures")
def pictures() -> str:
    """The page for dropped pictures."""
    settings: Settings = current_app.config["SETTINGS"]
    shown = {name: url_for("pages.shown", name=name) for name, _ in settings.shown}
    return render_template("pictures.html", **page_values("pictures"), shown=shown)


@blueprint.get("/shown/<name>")
def shown(name: str) -> Response:
    """A photo that lies on the page from the start."""
    settings: Settings = current_app.config["SETTINGS"]
    path = dict(settings.shown).get(name)
    if path is None:
        abort(404)
    return Response(path.read_bytes(), mimetype="image/jpeg")


def to_pictures() -> BaseResponse:
    """The first page where no data folder is served."""
    return redirect(url_for("pages.pictures"))


def page_values(here: str) -> dict[str, Any]:
    """What every template needs: the language, all texts, and the other pages.

    Args:
        here: name of the page, as in ``nav_…`` of the texts.
    """
    settings: Settings = current_app.config["SETTINGS"]
    texts = {name: dict(entry) for file in TEXTS for name, entry in table(file).items()}
    lang = language(settings.lang)
    chosen = {name: entry[lang] for name, entry in texts.items()}
    addresses = {"pictures": url_for("pages.pictures")}
    if current_app.config.get("DASHBOARD") is not None:
        addresses = {
            "table": url_for("live.table"),
            "matches": url_for("history.matches"),
            "start": url_for("control.start"),
            "sheets": url_for("tally.newest"),
            "setup": url_for("setup.setup"),
            "fairness": url_for("fairness.fairness"),
            **addresses,
        }
    pages = list(addresses.items())
    return {"lang": lang, "texts": texts, "t": chosen, "pages": pages, "here": here}


def language(default: Lang) -> Lang:
    """The browser's first wish among ours, or else the one the server was started with."""
    wish = request.accept_languages.best_match(LANGS)
    return next((lang for lang in LANGS if lang == wish), default)
