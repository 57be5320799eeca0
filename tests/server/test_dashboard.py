"""The dashboard of matches as a program sees it, on a real database."""

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine import quixo
from engine.events import Committed, Doubt
from engine.games import GAMES, AnyGame
from server.data import DataFolder
from server.evidence import check_pack
from server.live.lock import table_lock
from server.settings import Settings
from server.store import Store
from server.texts import table
from server.web import create_app
from tests.server.live_data import Recorded

FOUL = "a3>R=O"
"""The cube comes back with the other side's mark up: `quixo.mark`."""


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


@pytest.fixture
def client(data: DataFolder) -> Iterator[FlaskClient]:
    """A client of a dashboard without a camera loop."""
    with create_app(Settings(), data=data).test_client() as client:
        yield client


@pytest.fixture
def recorded(data: DataFolder) -> Recorded:
    """A match that a camera follows."""
    return Recorded(data.path)


def start(client: FlaskClient, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/tables/table/start", json={"game": "quixo", "south": "", **body})
    assert answer.status_code == 200, answer.get_data(as_text=True)
    view: dict[str, Any] = answer.get_json()["match"]
    return view


def command(client: FlaskClient, match: str, name: str, **body: Any) -> Any:
    return client.post(f"/api/matches/{match}/commands/{name}", json=body)


def do(client: FlaskClient, match: str, name: str, **body: Any) -> dict[str, Any]:
    answer = command(client, match, name, **body)
    assert answer.status_code == 200, answer.get_data(as_text=True)
    view: dict[str, Any] = answer.get_json()["match"]
    return view


def first(page: str) -> Any:
    found = re.search(r'id="first">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


class TestByHand:
    """A match without a camera."""

    def test_it_starts_and_its_page_shows_it(self, client: FlaskClient) -> None:
        view = start(client, players=["Ann", " Ben  "], options={"touch_move": "true"})
        assert [seat["name"] for seat in view["seats"]] == ["Ann", "Ben"]
        assert [seat["mark"] for seat in view["seats"]] == ["X", "O"]
        assert view["camera"] is False
        assert view["entries"][0]["board"]["rows"] == ["....."] * 5
        shown = first(client.get("/").get_data(as_text=True))
        assert shown["match"]["id"] == view["id"]
        assert shown["match"]["hash"] == view["hash"]
        assert re.fullmatch(r"[0-9a-f]{64}", view["hash"])

    def test_a_move_is_judged(self, client: FlaskClient) -> None:
        match = start(client)["id"]
        view = do(client, match, "play", move="a3>R")
        newest = view["entries"][-1]
        assert (newest["verdict"], newest["move"], newest["seat"]) == ("legal", "a3>R", "S")
        assert newest["board"]["rows"][2] == "....X"
        assert newest["turn"] == "N"
        assert newest["moved"]

    def test_a_foul_names_its_rule_in_both_languages(self, client: FlaskClient) -> None:
        match = start(client)["id"]
        view = do(client, match, "play", move=FOUL)
        newest = view["entries"][-1]
        assert newest["verdict"] == "illegal"
        assert [finding["rule"] for finding in newest["findings"]] == ["quixo.mark"]
        rule = view["rules"]["quixo.mark"]
        assert rule["text_en"] != rule["text_fr"]
        assert newest["turn"] == "S"  # take_back: the same seat plays again
        assert not newest["moved"]

    def test_undo_and_redo(self, client: FlaskClient) -> None:
        match = start(client)["id"]
        do(client, match, "play", move="a3>R")
        view = do(client, match, "undo")
        assert len(view["entries"]) == 1
        assert view["can"]["redo"]
        assert not view["can"]["undo"]
        view = do(client, match, "redo")
        assert view["entries"][-1]["move"] == "a3>R"

    def test_a_game_already_begun(self, client: FlaskClient) -> None:
        rows = ["XXXX.", ".....", ".....", "OOO..", "....."]
        dots = [re.sub("[XO]", "?", row) for row in rows]
        view = start(client, board={"rows": rows, "dots": dots}, to_move="N")
        assert view["entries"][0]["turn"] == "N"
        assert view["entries"][0]["board"]["rows"] == rows

    @pytest.mark.parametrize("game", list(GAMES.values()), ids=list(GAMES))
    def test_every_game_can_be_played(self, client: FlaskClient, game: AnyGame) -> None:
        view = start(client, game=game.id, options={"seats": "2"})
        state = game.start(2, {})
        for _ in range(3):
            if game.over(state) is not None:
                break
            move = next(iter(game.moves(state)))
            view = do(client, view["id"], "play", move=game.write_move(move))
            state = game.play(state, move)
            newest = view["entries"][-1]
            assert newest["verdict"] == "legal"
            assert newest["board_text"] == game.write_layout(game.visible(state))
            assert newest["turn"] == game.seat(state)
        assert view["example"] == game.example

    def test_what_a_move_scores_is_told_line_by_line(self, client: FlaskClient) -> None:
        match = start(client, game="quinto", options={"seats": "2"})["id"]
        view = do(client, match, "play", move=GAMES["quinto"].example)
        assert view["entries"][-1]["verdict"] == "legal"
        (part, *_) = view["entries"][-1]["reckoned"]
        assert part["points"] == 40  # 9 + 9 + 8 + 7 + 7
        assert part["where_fr"]

    def test_the_end_of_a_game(self, client: FlaskClient) -> None:
        rows = ["XXXX.", ".....", ".....", "OOO..", "....."]
        dots = [re.sub("[XO]", "?", row) for row in rows]
        match = start(client, board={"rows": rows, "dots": dots}, to_move="S")["id"]
        view = do(client, match, "play", move="e5>T")
        over = view["entries"][-1]["over"]
        assert over["winners"] == ["S"]
        assert view["rules"][over["rule"]]["title_fr"]
        assert not view["can"]["play"]
        summary = client.get(f"/api/matches/{match}/summary").get_json()
        assert summary["over"]["winners"] == ["S"]
        assert summary["moves"] == 1

    def test_a_command_sent_twice_is_carried_out_once(self, client: FlaskClient) -> None:
        match = start(client)["id"]
        do(client, match, "play", move="a3>R", key="k1")
        view = do(client, match, "play", move="a3>R", key="k1")
        assert len(view["entries"]) == 2

    def test_what_cannot_be_done_is_refused_in_both_languages(self, client: FlaskClient) -> None:
        match = start(client)["id"]
        for name, body in (("undo", {}), ("play", {"move": "z9>Q"}), ("next", {})):
            answer = command(client, match, name, **body)
            assert answer.status_code == 409
            error = answer.get_json()["error"]
            assert error["text_en"]
            assert error["text_fr"]
            assert error["text_en"] != error["text_fr"]

    def test_bad_starts(self, client: FlaskClient) -> None:
        for body in ({"game": "chess"}, {"options": {"seats": "3"}}, {"options": {"x": "1"}}):
            answer = client.post("/api/tables/table/start", json={"game": "quixo", **body})
            assert answer.status_code == 409
            assert answer.get_json()["error"]["text_fr"]
        bad = {"game": "quixo", "board": {"rows": ["X"]}}
        assert client.post("/api/tables/table/start", json=bad).status_code == 400

    def test_an_older_match_takes_no_commands(self, client: FlaskClient) -> None:
        old = start(client)["id"]
        new = start(client)["id"]
        assert command(client, old, "play", move="a3>R").status_code == 409
        assert first(client.get("/").get_data(as_text=True))["match"]["id"] == new
        page = first(client.get(f"/matches/{old}").get_data(as_text=True))
        assert page["match"]["id"] == old
        assert page["match"]["closed"]
        listed = first(client.get("/matches").get_data(as_text=True))["matches"]
        assert [row["id"] for row in listed] == [new, old]

    def test_a_match_leaves_as_evidence(self, client: FlaskClient) -> None:
        match = start(client)["id"]
        noted = do(client, match, "play", move="a3>R")["hash"]
        answer = client.get(f"/matches/{match}/evidence.zip")
        assert answer.headers["Content-Disposition"].endswith(f'{match}.zip"')
        checked = check_pack(io.BytesIO(answer.data))
        assert checked.faults == ()
        assert checked.noted(noted[:16]) == checked.events
        assert checked.match == match

    def test_what_is_not_there(self, client: FlaskClient) -> None:
        for path in (
            "/matches/none",
            "/api/matches/none",
            "/api/matches/none/feed",
            "/api/tables/none/feed",
            "/tables/none/picture.jpg",
            "/rules/chess",
            f"/frames/{'0' * 64}.jpg",
            "/matches/none/evidence.zip",
            "/frames/..%2f..%2fsecret.jpg",
        ):
            assert client.get(path).status_code == 404, path
        match = start(client)["id"]
        assert command(client, match, "start").status_code == 400
        assert command(client, match, "fly").status_code == 400
        assert client.get(f"/api/matches/{match}/reading").status_code == 404

    def test_while_another_process_has_the_table_the_command_waits(
        self, client: FlaskClient, data: DataFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("server.web.control.ANSWER_S", 0.1)
        match = start(client)["id"]
        with table_lock(data.spool("table")):
            answer = command(client, match, "play", move="a3>R")
        assert answer.status_code == 202
        view = do(client, match, "play", move="b1>B")  # the one that waited is carried out first
        assert [entry.get("move") for entry in view["entries"]] == [None, "a3>R", "b1>B"]


class TestSeen:
    """A match that a camera follows."""

    def test_a_move_waits_and_next_commits_it(
        self, client: FlaskClient, recorded: Recorded
    ) -> None:
        recorded.see("a3>R")
        view = client.get(f"/api/matches/{recorded.row.id}").get_json()
        assert view["camera"]
        assert [seat["side"] for seat in view["seats"]] == ["bottom", "top"]
        assert view["entries"][-1]["provisional"]
        assert view["entries"][-1]["verdict"] == "legal"
        assert view["can"]["next"]
        view = do(client, recorded.row.id, "next")
        assert not view["entries"][-1]["provisional"]
        assert len(view["entries"]) == 2

    def test_a_doubt_is_asked_with_its_picture(
        self, client: FlaskClient, recorded: Recorded
    ) -> None:
        doubt = Doubt("after", "rows[2][4]", (("X", 0.6), ("O", 0.3), (".", 0.1)))
        recorded.see("a3>R", [doubt])
        view = client.get(f"/api/matches/{recorded.row.id}").get_json()
        assert view["asked"]
        assert view["entries"][-1]["verdict"] == "undecided"
        (reading,) = client.get(f"/api/matches/{recorded.row.id}/reading").get_json()["readings"]
        asked = [field for field in reading["fields"] if field["asked"]]
        assert [field["where"] for field in asked] == ["rows[2][4]"]
        assert asked[0]["candidates"] == [["X", 0.6], ["O", 0.3], [".", 0.1]]
        assert len(asked[0]["quad"]) == 4
        picture = client.get(reading["address"])
        assert picture.mimetype == "image/jpeg"
        assert "immutable" in picture.headers["Cache-Control"]
        view = do(client, recorded.row.id, "reread", values={"rows[2][4]": "X"})
        assert not view["asked"]
        assert view["entries"][-1]["verdict"] == "legal"

    def test_a_wrong_reading_is_put_right_after_it_took_effect(
        self, client: FlaskClient, recorded: Recorded
    ) -> None:
        recorded.see(FOUL)
        recorded.add(Committed())
        view = client.get(f"/api/matches/{recorded.row.id}").get_json()
        assert view["entries"][-1]["verdict"] == "illegal"
        assert view["sync"]["kind"] == "lying"
        assert view["can"]["wrong"]
        view = do(client, recorded.row.id, "reread", values={"rows[2][4]": "X"})
        assert view["entries"][-1]["verdict"] == "legal"
        assert view["sync"] is None

    def test_a_foul_may_be_kept(self, client: FlaskClient, recorded: Recorded) -> None:
        recorded.see(FOUL)
        view = do(client, recorded.row.id, "stand")
        newest = view["entries"][-1]
        assert newest["verdict"] == "illegal"
        assert newest["kept"]
        assert newest["moved"]
        assert newest["board"]["rows"][2] == "....O"

    def test_out_of_sync_shows_both_boards_and_resumes(
        self, client: FlaskClient, recorded: Recorded
    ) -> None:
        strange = quixo.Layout.read("XXXXX/XXXXX/...../OOOOO/.....")
        recorded.see_board(strange)
        view = client.get(f"/api/matches/{recorded.row.id}").get_json()
        assert view["sync"]["kind"] == "lost"
        assert view["sync"]["expected"]["rows"] == ["....."] * 5
        assert view["sync"]["seen"]["rows"] == ["XXXXX", "XXXXX", ".....", "OOOOO", "....."]
        view = do(client, recorded.row.id, "resume")
        assert view["sync"] is None
        assert view["entries"][-1]["board"]["rows"][0] == "XXXXX"

    def test_the_reading_is_turned_into_the_frame_of_the_match(
        self, client: FlaskClient, tmp_path: Path
    ) -> None:
        recorded = Recorded(tmp_path / "data", south="left")
        recorded.see("a3>R")
        (reading,) = client.get(f"/api/matches/{recorded.row.id}/reading").get_json()["readings"]
        quads = {field["where"]: field["quad"] for field in reading["fields"]}
        # South on the left: the far left corner of the match is the picture's top left … turned.
        top_left, bottom_left = quads["rows[0][0]"][0], quads["rows[4][0]"][0]
        assert top_left[1] < bottom_left[1] or top_left[0] != bottom_left[0]
        assert top_left[1] == bottom_left[1]  # the left edge runs along the picture's top

    def test_the_live_picture_and_its_name(self, client: FlaskClient, recorded: Recorded) -> None:
        answer = client.get("/tables/table/picture.jpg")
        assert answer.mimetype == "image/jpeg"
        assert answer.get_data()[:2] == b"\xff\xd8"
        tag = answer.headers["ETag"]
        same = client.get("/tables/table/picture.jpg", headers={"If-None-Match": tag})
        assert same.status_code == 304
        recorded.play("a3>R")
        newer = client.get("/tables/table/picture.jpg", headers={"If-None-Match": tag})
        assert newer.status_code == 200

    def test_the_overlay(self, client: FlaskClient, recorded: Recorded) -> None:
        recorded.play("a3>R")
        status = first(client.get("/").get_data(as_text=True))["status"]
        assert (status["kind"], status["away"]) == ("live", False)
        assert len(status["eye"]["cells"]) == 25
        assert sum(cell["value"] == "X" for cell in status["eye"]["cells"]) == 1


def test_every_value_of_every_option_has_a_word() -> None:
    """Numbers and seats speak for themselves."""
    for game in GAMES.values():
        for option in game.options:
            for value in (*option.values, option.default):
                plain = value.isdigit() or re.fullmatch("[A-Z]", value)
                assert plain or f"value_{value}" in table("live"), (game.id, option.name, value)


def test_on_the_network_nothing_is_told_without_the_token(data: DataFolder) -> None:
    settings = Settings(host="0.0.0.0", token="secret")
    with create_app(settings, data=data).test_client() as client:
        paths = ("/", "/matches", "/phone", "/tables/table/picture.jpg", "/api/tables/table/feed")
        for path in paths:
            assert client.get(path).status_code == 403, path
        for path in ("/api/tables/table/start", "/api/tables/table/frames"):
            assert client.post(path, json={"game": "quixo"}).status_code == 403, path
        assert client.get("/?token=secret").status_code == 302
        assert client.get("/").status_code == 200
        start(client)


def test_no_picture_yet(client: FlaskClient) -> None:
    assert client.get("/tables/table/picture.jpg").status_code == 204


def test_the_rules_page_has_every_rule_in_both_languages(client: FlaskClient) -> None:
    for name, game in GAMES.items():
        page = client.get(f"/rules/{name}").get_data(as_text=True)
        for rule in game.rules:
            assert page.count(f'data-rule="{rule.id}"') == 2
        assert page.count("hidden") >= 1


def test_a_match_that_cannot_be_read_is_said_and_the_others_are_shown(
    client: FlaskClient, data: DataFolder
) -> None:
    good = start(client)["id"]
    do(client, good, "play", move="a3>R")
    bad = Recorded(data.path)
    bad.add(Committed())  # nothing was seen: no version of ours writes that
    shown = first(client.get("/").get_data(as_text=True))
    assert shown["match"] is None
    assert shown["trouble"]["text_fr"]
    problem = client.get(f"/api/matches/{bad.row.id}/summary").get_json()["problem"]
    assert problem["text_en"] != problem["text_fr"]
    assert client.get(f"/api/matches/{good}/summary").get_json()["moves"] == 1


def test_a_restart_shows_the_same_match(client: FlaskClient, data: DataFolder) -> None:
    match = start(client)["id"]
    view = do(client, match, "play", move="a3>R")
    with create_app(Settings(), data=data).test_client() as again:
        assert again.get(f"/api/matches/{match}").get_json() == view
    assert Store(data.url, data.frames).events.verify(match).ok
