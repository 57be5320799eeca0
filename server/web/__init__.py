"""The dashboard: the only folder that knows Flask."""

from flask import Flask

from server.data import DataFolder
from server.reading import NetworkReader, Reader
from server.settings import Settings
from server.web import (
    api,
    control,
    fairness_page,
    guard,
    history,
    live,
    pages,
    phone,
    setup_page,
    tally_page,
)
from server.web.dashboard import open_dashboard
from server.web.memory import MemoryRequest


def create_app(
    settings: Settings, reader: Reader | None = None, data: DataFolder | None = None
) -> Flask:
    """The dashboard as a WSGI application.

    Args:
        settings: how it is served.
        reader: who reads the pictures; the shipped networks if None.
        data: where matches are kept; None for the page of dropped pictures alone.

    Raises:
        server.store.StoreError: the database cannot be used.
    """
    app = Flask(__name__)
    app.request_class = MemoryRequest
    app.config.update(
        MAX_CONTENT_LENGTH=settings.upload_limit_bytes,
        # Layouts and options only; a picture never travels as a form field.
        MAX_FORM_MEMORY_SIZE=2**20,
        SETTINGS=settings,
        READER=reader or NetworkReader(),
        DASHBOARD=None if data is None else open_dashboard(data),
    )
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(api.blueprint)
    if data is None:
        app.add_url_rule("/", view_func=pages.to_pictures)
    else:
        for part in (live, control, history, phone, setup_page, fairness_page, tally_page):
            app.register_blueprint(part.blueprint)
    guard.protect(app, settings)
    return app
