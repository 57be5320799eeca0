"""The dashboard: the only folder that knows Flask."""

from flask import Flask

from server.reading import NetworkReader, Reader
from server.settings import Settings
from server.web import api, guard, pages
from server.web.memory import MemoryRequest


def create_app(settings: Settings, reader: Reader | None = None) -> Flask:
    """The dashboard as a WSGI application.

    Args:
        settings: how it is served.
        reader: who reads the pictures; the shipped networks if None.
    """
    app = Flask(__name__)
    app.request_class = MemoryRequest
    app.config.update(
        MAX_CONTENT_LENGTH=settings.upload_limit_bytes,
        # Layouts and options only; a picture never travels as a form field.
        MAX_FORM_MEMORY_SIZE=2**20,
        SETTINGS=settings,
        READER=reader or NetworkReader(),
    )
    app.json.ensure_ascii = False  # type: ignore[attr-defined]
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(api.blueprint)
    guard.protect(app, settings)
    return app
