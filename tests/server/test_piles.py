"""Piles of score sheets: kept on disk, corrected without changing what was read, served as JSON."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from server.data import DataFolder
from server.piles.folder import PileFolder
from server.piles.pile import Pile, from_json, to_json
from server.settings import Settings
from server.web import create_app
from tests.server.sheet_data import EMMA, SheetReader, Written, detrak_texts
from vision.plans.marks import SheetName

EIGHT = {"orange[4]": (("8", 0.55), ("9", 0.3), ("3", 0.1))}


@pytest.fixture
def reader() -> SheetReader:
    return SheetReader()


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


@pytest.fixture
def client(reader: SheetReader, data: DataFolder) -> Iterator[FlaskClient]:
    app = create_app(Settings(), reader, data)
    yield app.test_client()
    app.config["DASHBOARD"].feed.close()


def begin(client: FlaskClient, **body: Any) -> str:
    address: str = client.post("/api/piles", json=body).get_json()["address"]
    return address


def add(client: FlaskClient, pile: str, path: Path) -> Any:
    upload = (io.BytesIO(path.read_bytes()), path.name)
    return client.post(f"{pile}/photos", data={"picture": upload}).get_json()


def value(view: Any, sheet: int, where: str) -> Any:
    return next(f for f in view["sheets"][sheet]["fields"] if f["where"] == where)


class TestPhotos:
    def test_a_sheet_is_read_added_up_and_found_again(
        self, client: FlaskClient, reader: SheetReader, data: DataFolder, tmp_path: Path
    ) -> None:
        code = SheetName("qwinto", 1, 12, "Emma")
        path = reader.write(tmp_path, "emma", Written(doubts=EIGHT, code=code))
        pile = begin(client)
        view = add(client, pile, path)
        (sheet,) = view["sheets"]
        assert (sheet["name"], sheet["number"], sheet["open"]) == ("Emma", 12, ["orange[4]"])
        low, high = sheet["tally"]["total_range"]
        assert low < high
        again = create_app(Settings(), reader, data)  # another day
        assert again.test_client().get(pile).get_json() == view
        again.config["DASHBOARD"].feed.close()

    def test_pictures_are_served_and_lie_flat_where_the_fields_are(
        self, client: FlaskClient, reader: SheetReader, tmp_path: Path
    ) -> None:
        view = add(client, begin(client), reader.write(tmp_path, "emma", Written()))
        flat = view["sheets"][0]["flat"]
        answer = client.get(flat["address"])
        image = cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        assert list(image.shape[1::-1]) == flat["size"]
        for where, written in (("orange[0]", True), ("orange[3]", False), ("strip.rows[1]", True)):
            x, y, width, height = map(round, value(view, 0, where)["box"])
            inner = image[y + 12 : y + height - 12, x + 12 : x + width - 12]
            blue = int((inner[:, :, 0] > inner[:, :, 2] + 40.0).sum())
            assert (blue > 30) is written, where
        photo = client.get(view["photos"][0]["address"])
        assert photo.mimetype == "image/jpeg"
        assert "max-age" in photo.headers["Cache-Control"]

    def test_the_same_file_is_read_once(
        self, client: FlaskClient, reader: SheetReader, tmp_path: Path
    ) -> None:
        pile = begin(client)
        path = reader.write(tmp_path, "emma", Written())
        add(client, pile, path)
        view = add(client, pile, path)
        assert view["known"]
        assert len(view["sheets"]) == 1

    def test_two_photos_of_one_sheet_are_counted_once(
        self, client: FlaskClient, reader: SheetReader, tmp_path: Path
    ) -> None:
        pile = begin(client)
        path = reader.write(tmp_path, "emma", Written())
        first = add(client, pile, path)
        other = cv2.GaussianBlur(cv2.imread(str(path)), (3, 3), 0)
        cv2.imwrite(str(tmp_path / "again.jpg"), other)
        reader.known["again"] = reader.known["emma"]
        view = add(client, pile, tmp_path / "again.jpg")
        assert view["sheets"][1]["twin"] == first["sheets"][0]["id"]
        assert len(view["ranking"]) == 1

    def test_what_is_wrong_with_a_photo_is_said_and_nothing_else_is_lost(
        self, client: FlaskClient, reader: SheetReader, tmp_path: Path
    ) -> None:
        pile = begin(client)
        add(client, pile, reader.write(tmp_path, "emma", Written()))
        (tmp_path / "letter.txt").write_bytes(b"hello")
        view = add(client, pile, tmp_path / "letter.txt")
        assert view["photos"][1]["problems"][0]["reason"] == "picture"
        other = reader.write(tmp_path, "detrak", Written("detrak", detrak_texts()))
        view = add(client, pile, other)
        assert view["photos"][2]["problems"][0]["reason"] == "sheet-of-detrak"
        assert len(view["sheets"]) == 1
        assert client.post(f"{pile}/photos").status_code == 400
        assert client.get("/api/piles/000000000000").status_code == 404

    def test_sheets_of_the_other_game_are_read_anew_as_such(
        self, client: FlaskClient, reader: SheetReader, tmp_path: Path
    ) -> None:
        pile = begin(client, game="qwinto")
        path = reader.write(tmp_path, "detrak", Written("detrak", detrak_texts(total="30")))
        photo = add(client, pile, path)["photos"][0]
        assert client.post(pile, json={"game": "detrak"}).get_json()["game"] == "detrak"
        view = client.post(f"{pile}/photos/{photo['sha']}/read", json={}).get_json()
        assert view["photos"][0]["problems"] == []
        assert view["sheets"][0]["tally"]["total"] == 32  # by hand: 18 in rows, 14 in columns
        refused = client.post(pile, json={"game": "qwinto"})
        assert refused.status_code == 400

    def test_corners_by_hand_are_those_of_the_photo_as_it_came(
        self, client: FlaskClient, reader: SheetReader, tmp_path: Path
    ) -> None:
        path = reader.write(tmp_path, "emma", Written())
        large = cv2.resize(cv2.imread(str(path)), None, fx=3, fy=3)
        cv2.imwrite(str(path), large, (cv2.IMWRITE_JPEG_QUALITY, 20))  # under 500 kB
        pile = begin(client)
        photo = add(client, pile, path)["photos"][0]
        width, height = photo["size"]
        assert width > 3200  # halved when it was decoded and kept
        corners = [[0, 0], [width, 0], [width, height], [0, height]]
        address = f"{pile}/photos/{photo['sha']}/read"
        view = client.post(address, json={"corners": corners}).get_json()
        assert view["photos"][0]["size"] == [width, height]
        assert list(map(list, reader.asked[-1].corners_px or ())) == corners
        assert reader.seen[-1].scale == pytest.approx(0.5, abs=0.01)
        assert client.post(address, json={"corners": [[1, 2]]}).status_code == 400

    def test_a_photo_removed_takes_its_files_along(
        self, client: FlaskClient, reader: SheetReader, data: DataFolder, tmp_path: Path
    ) -> None:
        pile = begin(client)
        view = add(client, pile, reader.write(tmp_path, "emma", Written()))
        client.post(f"{pile}/photos/{view['photos'][0]['sha']}/remove", json={})
        assert client.get(pile).get_json()["sheets"] == []
        assert not list(data.path.glob("piles/**/*.jpg"))


class TestAnswers:
    @pytest.fixture
    def pile(self, client: FlaskClient, reader: SheetReader, tmp_path: Path) -> str:
        pile = begin(client)
        add(client, pile, reader.write(tmp_path, "emma", Written(doubts=EIGHT)))
        return pile

    def say(self, client: FlaskClient, pile: str, **values: str | None) -> Any:
        sheet = client.get(pile).get_json()["sheets"][0]["id"]
        paths = {name.replace("__", "["): text for name, text in values.items()}
        body = {"values": {f"{p}]" if "[" in p else p: text for p, text in paths.items()}}
        return client.post(f"{pile}/sheets/{sheet}/values", json=body)

    def test_totals_follow_at_once_and_the_reading_stays(
        self, client: FlaskClient, pile: str
    ) -> None:
        view = self.say(client, pile, orange__4="9").get_json()
        field = value(view, 0, "orange[4]")
        assert (field["value"], field["read"], field["asked"]) == (9, 8, False)
        tally = view["sheets"][0]["tally"]
        assert tally["total_range"] == [tally["total"]] * 2
        assert view["sheets"][0]["open"] == []
        back = self.say(client, pile, orange__4=None).get_json()
        assert value(back, 0, "orange[4]")["asked"]

    def test_any_value_can_be_put_right(self, client: FlaskClient, pile: str) -> None:
        before = client.get(pile).get_json()["sheets"][0]["tally"]["total"]
        view = self.say(client, pile, failed="0").get_json()
        assert view["sheets"][0]["tally"]["total"] == before + 10

    @pytest.mark.parametrize("text", ["19", "x", "7.5", "-1"])
    def test_what_a_field_cannot_hold_is_refused(
        self, client: FlaskClient, pile: str, text: str
    ) -> None:
        before = client.get(pile).get_json()
        assert self.say(client, pile, orange__4=text).status_code == 400
        assert client.get(pile).get_json() == before

    def test_unknown_fields_and_sheets_are_refused(self, client: FlaskClient, pile: str) -> None:
        assert self.say(client, pile, green__0="1").status_code == 400
        address = f"{pile}/sheets/{'0' * 64}-0/values"
        assert client.post(address, json={"values": {"failed": "1"}}).status_code == 400

    def test_answers_are_kept_with_their_crops(
        self, client: FlaskClient, pile: str, data: DataFolder
    ) -> None:
        self.say(client, pile, orange__4=" 9 ")
        self.say(client, pile, strip__rows="6")  # no such field: nothing is kept
        self.say(client, pile, orange__4=None)
        folder = data.path / "examples" / "sheets"
        (line,) = (folder / "answers.jsonl").read_text().splitlines()
        told = json.loads(line)
        assert (told["where"], told["text"], told["read"]) == ("orange[4]", "9", "8")
        assert told["candidates"][1] == ["9", 0.3]
        crop = cv2.imread(str(folder / "crops" / told["crop"][:2] / f"{told['crop']}.png"))
        assert crop is not None
        assert crop.shape == (64, 64, 3)
        inside = crop[10:38, 10:38]
        assert (inside[:, :, 0] > inside[:, :, 2] + 40.0).sum() > 20  # the digit is in it

    def test_names(self, client: FlaskClient, pile: str) -> None:
        sheet = client.get(pile).get_json()["sheets"][0]["id"]
        view = client.post(f"{pile}/sheets/{sheet}/name", json={"name": "  Zoé   B "}).get_json()
        assert view["sheets"][0]["name"] == "Zoé B"
        assert client.post(f"{pile}/sheets/{sheet}/name", json={}).status_code == 400


class TestKept:
    def test_a_pile_is_the_same_after_writing(self, tmp_path: Path) -> None:
        pile = Pile("a" * 12, "table", "detrak", 5.0, {"advanced": "true"}, (), {}, {"x-0": "Max"})
        assert from_json(json.loads(json.dumps(to_json(pile)))) == pile

    @pytest.mark.parametrize("raw", [{}, {"version": 2}, {"version": 1, "id": 3}])
    def test_another_form_is_no_pile(self, raw: dict[str, Any]) -> None:
        with pytest.raises(ValueError, match="pile"):
            from_json(raw)

    def test_a_damaged_pile_leaves_the_others_alone(self, tmp_path: Path) -> None:
        folder = PileFolder(tmp_path, "table", clock=iter((1.0, 1.0, 2.0, 2.0)).__next__)
        first, second = folder.begin(), folder.begin()
        assert folder.all() == (second, first)
        (tmp_path / second.id / "pile.json").write_text("{")
        assert folder.all() == (first,)

    @pytest.mark.parametrize("name", ["..", "../../etc", "a/b", "A" * 12, ""])
    def test_names_lead_nowhere_else(self, tmp_path: Path, name: str) -> None:
        folder = PileFolder(tmp_path / "piles", "table")
        (tmp_path / "photos").mkdir()
        (tmp_path / "photos" / f"{'a' * 12}.jpg").write_bytes(b"secret")
        assert folder.get(name) is None
        assert folder.picture(name, "photos", "a" * 12) is None
        folder.remove(name)
        assert (tmp_path / "photos").is_dir()

    def test_options_are_those_of_the_game(self, client: FlaskClient) -> None:
        pile = begin(client, game="detrak", options={"advanced": "true"})
        assert client.get(pile).get_json()["options"] == {"advanced": "true"}
        for body in ({"game": "quixo"}, {"options": {"seats": "3"}}, {"options": 3}):
            assert client.post("/api/piles", json=body).status_code == 400

    def test_a_folder_that_cannot_be_written_is_said_in_one_line(
        self, client: FlaskClient, data: DataFolder
    ) -> None:
        (data.path / "piles").write_text("a file in the way")
        answer = client.post("/api/piles", json={})
        assert answer.status_code == 507
        assert "data folder" in answer.get_json()["error"]["text_en"]

    def test_forgetting_takes_everything_away(
        self, client: FlaskClient, reader: SheetReader, data: DataFolder, tmp_path: Path
    ) -> None:
        pile = begin(client)
        add(client, pile, reader.write(tmp_path, "emma", Written(texts=EMMA)))
        client.post(f"{pile}/forget", json={})
        assert not list(data.path.glob("piles/*/*"))


class TestExported:
    @pytest.fixture
    def pile(self, client: FlaskClient, reader: SheetReader, tmp_path: Path) -> Any:
        pile = begin(client)
        code = SheetName("qwinto", 1, 12, "Emma")
        emma = reader.write(tmp_path, "emma", Written(doubts=EIGHT, code=code))
        view = add(client, pile, emma)
        address = f"{pile}/sheets/{view['sheets'][0]['id']}/values"
        return client.post(address, json={"values": {"orange[4]": "9"}}).get_json()

    def test_csv_and_json_hold_what_people_said(self, client: FlaskClient, pile: Any) -> None:
        total = pile["sheets"][0]["tally"]["total"]
        (row,) = csv.DictReader(io.StringIO(client.get(pile["exports"]["csv"]).text))
        assert (row["player"], row["total"], row["in_doubt"]) == ("Emma", str(total), "0")
        (told,) = json.loads(client.get(pile["exports"]["json"]).text)
        assert told["total"] == total
        assert told["reading"]["orange"][4] == 9

    def test_the_page_holds_its_pictures_and_opens_in_the_language_asked_for(
        self, client: FlaskClient, pile: Any
    ) -> None:
        answer = client.get(f"{pile['exports']['html']}?lang=fr")
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert answer.headers["Cache-Control"] == "no-store"
        assert '<html lang="fr">' in answer.text
        assert answer.text.count("data:image/jpeg") >= 1
        assert "Emma" in answer.text
        assert client.get(pile["exports"]["html"].replace("html", "exe")).status_code == 404


LOG = """game: qwinto
players: Ann, Ben

1. roll o3
2. A: o2=3
3. B: o3=3
4. roll p6
5. B: p5=6
6. A: pass
"""


class TestRolls:
    """Sheets compared with the rolls of a match."""

    @pytest.fixture
    def pile(self, client: FlaskClient, reader: SheetReader, tmp_path: Path) -> str:
        pile = begin(client)
        ann = Written(texts={"orange[0]": "3", "yellow[0]": "5"}, code=code_of("Ann"))
        ben = Written(texts={"orange[1]": "3", "purple[4]": "6"})
        add(client, pile, reader.write(tmp_path, "two", ann, ben))
        return pile

    def test_entries_that_no_roll_explains_are_named(self, client: FlaskClient, pile: str) -> None:
        view = client.post(f"{pile}/rolls", json={"log": LOG, "name": "evening.txt"}).get_json()
        ann, ben = (sheet["audit"] for sheet in view["sheets"])
        assert (ann["seat"], ann["explained"], ann["unexplained"]) == ("A", False, ["y1"])
        assert (ben["seat"], ben["explained"]) == ("B", True)  # the seat that is left
        assert view["rolls"] == "evening.txt"
        view = client.post(f"{pile}/rolls", json={}).get_json()
        assert view["sheets"][0]["audit"] is None

    def test_a_name_given_by_people_finds_the_seat(self, client: FlaskClient, pile: str) -> None:
        client.post(f"{pile}/rolls", json={"log": LOG, "name": "evening.txt"})
        first, second = (sheet["id"] for sheet in client.get(pile).get_json()["sheets"])
        client.post(f"{pile}/sheets/{first}/name", json={"name": "Ben"})
        view = client.post(f"{pile}/sheets/{second}/name", json={"name": "Ann"}).get_json()
        assert [sheet["audit"]["seat"] for sheet in view["sheets"]] == ["B", "A"]

    def test_a_match_on_the_dashboard_is_a_log(self, client: FlaskClient, pile: str) -> None:
        body: dict[str, Any] = {"game": "qwinto", "south": "", "players": ["Ann", "Ben"]}
        body |= {"options": {"seats": "2"}}
        match = client.post("/api/tables/table/start", json=body).get_json()["match"]["id"]
        for move in ("roll o3", "A: o2=3", "B: o3=3", "roll p6", "B: p5=6", "A: pass"):
            client.post(f"/api/matches/{match}/commands/play", json={"move": move})
        view = client.post(f"{pile}/rolls", json={"match": match}).get_json()
        assert [sheet["audit"]["explained"] for sheet in view["sheets"]] == [False, True]
        assert match in client.get("/sheets").text

    @pytest.mark.parametrize("log", ["game: quixo\n\n1. a3>R\n", "hello", "game: qwinto\n"])
    def test_what_is_no_log_of_the_game_is_refused(
        self, client: FlaskClient, pile: str, log: str
    ) -> None:
        answer = client.post(f"{pile}/rolls", json={"log": log, "name": "x"})
        assert answer.status_code == 400
        assert client.get(pile).get_json()["rolls"] == ""
        assert client.post(f"{pile}/rolls", json={"match": "nothing"}).status_code == 404


def code_of(player: str) -> SheetName:
    return SheetName("qwinto", 1, 1, player)
