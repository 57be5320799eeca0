"""The dashboard as a program sees it: answers, errors in both languages, who may come in."""

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from server.settings import Settings, is_loopback, token_for
from server.web import create_app
from server.web.guard import COOKIE
from tests.server.conftest import AFTER, BEFORE, DOUBTFUL, FOUL
from tests.server.drawn import SIDE, RecordedReader

LIMIT = 200_000


@pytest.fixture
def client(pictures: Path) -> Iterator[FlaskClient]:
    """A client of a dashboard that takes small uploads only."""
    settings = Settings(upload_limit_bytes=LIMIT)
    with create_app(settings, RecordedReader(pictures)).test_client() as client:
        yield client


def upload(client: FlaskClient, path: Path, **form: str) -> Any:
    data = {"picture": (BytesIO(path.read_bytes()), path.name), **form}
    return client.post("/api/read", data=data)


def told(answer: Any) -> dict[str, str]:
    """The error of an answer, which must be there in both languages."""
    error: dict[str, str] = answer.get_json()["error"]
    assert error["text_en"]
    assert error["text_fr"]
    assert error["text_en"] != error["text_fr"]
    return error


def test_the_page_carries_all_texts(client: FlaskClient) -> None:
    page = client.get("/pictures").get_data(as_text=True)
    assert "Referee for real tabletop games" in page
    assert "Arbitre pour de vrais jeux" in page  # the other language travels along
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert "https://" not in page


@pytest.mark.parametrize(
    ("wish", "lang"), [("fr-CH,fr;q=0.9", "fr"), ("en-GB", "en"), ("de", "en"), ("", "en")]
)
def test_the_page_opens_in_the_browsers_language(client: FlaskClient, wish: str, lang: str) -> None:
    page = client.get("/pictures", headers={"Accept-Language": wish}).get_data(as_text=True)
    assert f'<html lang="{lang}">' in page


def test_a_reading_with_its_places(client: FlaskClient, pictures: Path) -> None:
    answer = upload(client, pictures / "doubtful.jpg")
    assert answer.status_code == 200
    view = answer.get_json()
    assert (view["width"], view["height"]) == (SIDE, SIDE)
    assert view["preview"].startswith("data:image/jpeg;base64,")
    (board,) = view["boards"]
    assert board["board"] == AFTER
    asked = [field for field in board["fields"] if field["asked"]]
    assert [field["where"] for field in asked] == ["rows[1][4]"]
    assert asked[0]["candidates"] == [["X", 0.71], ["O", 0.22], [".", 0.07]]
    assert asked[0]["quad"][0] == [410.0, 170.0]


def test_a_refused_picture_has_advice_in_both_languages(
    client: FlaskClient, pictures: Path
) -> None:
    view = upload(client, pictures / "nothing.jpg").get_json()
    assert view["boards"] == []
    assert view["refused"]["reason"] == "no-board"
    assert view["refused"]["advice_en"] != view["refused"]["advice_fr"]


def test_corners_by_hand(client: FlaskClient, pictures: Path) -> None:
    corners = json.dumps([[90, 90], [490, 90], [490, 490], [90, 490]])
    view = upload(client, pictures / "nothing.jpg", corners=corners).get_json()
    assert view["boards"][0]["board"] == BEFORE


@pytest.mark.parametrize(
    "corners", ["", "x", "[]", "[[1,2],[3,4],[5,6]]", "[[1,2],[3,4],[5,6],[NaN,1]]", "7"]
)
def test_bad_corners(client: FlaskClient, pictures: Path, corners: str) -> None:
    answer = upload(client, pictures / "nothing.jpg", corners=corners)
    assert answer.status_code == 400
    assert "corners" in told(answer)["text_en"]


def test_bad_pictures_are_told(client: FlaskClient, tmp_path: Path) -> None:
    for name, data in (("text.jpg", b"no picture"), ("empty.jpg", b"")):
        path = tmp_path / name
        path.write_bytes(data)
        answer = upload(client, path)
        assert answer.status_code == 422
        assert told(answer)["text_en"].startswith(f"{name}: ")
    answer = client.post("/api/read", data={})
    assert answer.status_code == 400
    told(answer)


def test_too_large_an_upload_is_told(client: FlaskClient, tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    path.write_bytes(b"x" * (LIMIT + 1))
    answer = upload(client, path)
    assert answer.status_code == 413
    assert "MB" in told(answer)["text_en"]
    assert "Mo" in told(answer)["text_fr"]


def test_uploads_are_never_spooled_to_disk(pictures: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("a temporary file was opened")

    monkeypatch.setattr("werkzeug.formparser.SpooledTemporaryFile", forbidden)
    picture = (pictures / "before.jpg").read_bytes()
    head = 'Content-Disposition: form-data; name="picture"; filename="before.jpg"'
    padding = bytes(800_000)  # more than werkzeug would keep in memory
    body = b"--b\r\n" + head.encode() + b"\r\n\r\n" + picture + padding + b"\r\n--b--\r\n"
    client = create_app(Settings(), RecordedReader(pictures)).test_client()
    form = "multipart/form-data; boundary=b"
    assert client.post("/api/read", data=body, content_type=form).status_code == 200


def test_a_ruling_with_the_rules_it_rests_on(client: FlaskClient) -> None:
    answer = client.post("/api/rule-layouts", json={"before": BEFORE, "after": FOUL}).get_json()
    assert answer["verdict"] == "illegal"
    for finding in answer["findings"]:
        rule = answer["rules"][finding["rule"]]
        assert rule["title_en"]
        assert rule["text_fr"] != rule["text_en"]


def test_a_ruling_follows_doubts_and_their_answers(client: FlaskClient) -> None:
    before = {"before": BEFORE, "to_move": "X"}
    asked = client.post("/api/rule-layouts", json={**before, "after": DOUBTFUL}).get_json()
    assert asked["verdict"] == "undecided"
    settled = {**DOUBTFUL, "doubts": []}
    answer = client.post("/api/rule-layouts", json={**before, "after": settled}).get_json()
    assert (answer["verdict"], answer["move"]) == ("legal", "a2>R")
    assert answer["over"]["winners"] == ["S"]


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"before": 1}', b'{"before": {}}'])
def test_bad_questions_are_told(client: FlaskClient, body: bytes) -> None:
    answer = client.post("/api/rule-layouts", data=body, content_type="application/json")
    assert answer.status_code == 400
    told(answer)


def test_unknown_addresses_are_told(client: FlaskClient) -> None:
    assert client.get("/api/nothing").status_code == 404
    assert told(client.get("/api/nothing"))["id"] == "not_found"
    assert client.get("/api/read").status_code == 405
    text = client.get("/nothing").get_data(as_text=True)
    assert len(text.split("\n\n")) == 2


def test_a_fault_is_told_without_a_traceback(pictures: Path) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    app = create_app(Settings(), broken)  # type: ignore[arg-type]
    answer = upload(app.test_client(), pictures / "before.jpg")
    assert answer.status_code == 500
    assert "secret" not in answer.get_data(as_text=True)
    told(answer)


def test_nothing_is_loaded_from_elsewhere(client: FlaskClient) -> None:
    policy = client.get("/pictures").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for name in ("app.js", "page.css", "board.css", "icon.svg"):
        with client.get(f"/static/{name}") as answer:
            assert answer.status_code == 200
            assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8537", "127.0.0.1.evil.example"])
def test_rebinding_is_refused(client: FlaskClient, host: str) -> None:
    assert client.get("/pictures", headers={"Host": host}).status_code == 403


@pytest.mark.parametrize("host", ["localhost:8537", "127.0.0.1", "[::1]:8537"])
def test_own_names_are_known(client: FlaskClient, host: str) -> None:
    assert client.get("/pictures", headers={"Host": host}).status_code == 200


def test_posts_of_other_pages_are_refused(client: FlaskClient) -> None:
    body = {"before": BEFORE, "after": AFTER}
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        answer = client.post("/api/rule-layouts", json=body, headers=headers)
        assert answer.status_code == 403
        told(answer)
    own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/rule-layouts", json=body, headers=own).status_code == 200


def test_open_to_the_network_needs_the_token(pictures: Path) -> None:
    settings = Settings(host="0.0.0.0", token="s3cret")
    client = create_app(settings, RecordedReader(pictures)).test_client()
    assert client.get("/pictures").status_code == 403
    assert client.get("/static/app.js").status_code == 403
    assert client.get("/?token=wrong").status_code == 403
    assert client.get("/?token=é").status_code == 403
    first = client.get("/?token=s3cret")
    assert first.status_code == 302
    assert first.headers["Location"] == "/"
    assert "HttpOnly" in first.headers["Set-Cookie"]
    assert "SameSite=Strict" in first.headers["Set-Cookie"]
    assert client.get("/pictures").status_code == 200
    client.delete_cookie(COOKIE)
    assert told(client.post("/api/read"))["id"] == "token"


def test_only_loopback_goes_without_a_token() -> None:
    assert [is_loopback(host) for host in ("127.0.0.1", "::1", "localhost", "127.9.9.9")] == [
        True
    ] * 4
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "example.org", "8.8.8.8"))
    assert token_for("127.0.0.1") is None
    first, second = token_for("0.0.0.0"), token_for("0.0.0.0")
    assert first
    assert len(first) >= 20
    assert first != second


def test_photos_on_the_page_from_the_start(pictures: Path) -> None:
    shown = (("before", pictures / "before.jpg"),)
    client = create_app(Settings(shown=shown), RecordedReader(pictures)).test_client()
    assert '{"before": "/shown/before"}' in client.get("/pictures").get_data(as_text=True)
    assert client.get("/shown/before").data == (pictures / "before.jpg").read_bytes()
    assert client.get("/shown/after").status_code == 404
