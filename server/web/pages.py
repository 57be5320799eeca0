"""The page: one document with its texts in both languages, so that switching needs no reload."""

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    render_template,
    request,
    url_for,
)

from server.settings import Settings
from server.texts import LANGS, Lang, table

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def index() -> str:
    """The dashboard."""
    settings: Settings = current_app.config["SETTINGS"]
    texts = {name: dict(entry) for name, entry in table("page").items()}
    lang = _language(settings.lang)
    shown = {name: url_for("pages.shown", name=name) for name, _ in settings.shown}
    chosen = {name: entry[lang] for name, entry in texts.items()}
    return render_template("index.html", lang=lang, texts=texts, t=chosen, shown=shown)


@blueprint.get("/shown/<name>")
def shown(name: str) -> Response:
    """A photo that lies on the page from the start."""
    settings: Settings = current_app.config["SETTINGS"]
    path = dict(settings.shown).get(name)
    if path is None:
        abort(404)
    return Response(path.read_bytes(), mimetype="image/jpeg")


def _language(default: Lang) -> Lang:
    """The browser's first wish among ours, or else the one the server was started with."""
    wish = request.accept_languages.best_match(LANGS)
    return next((lang for lang in LANGS if lang == wish), default)
