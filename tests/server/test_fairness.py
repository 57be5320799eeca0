"""Counts of dice and the chi-square test, against tables and sums worked out another way."""

import math
import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine import detrak, games, qwinto
from engine.events import Event, Moved, Played, Started, Undone
from engine.match import fold
from server.data import DataFolder
from server.fairness import Thrown, chi_square, fit, fits, tail, thrown_in
from server.settings import Settings
from server.web import create_app


def thrown(game: str, *events: Event) -> tuple[Thrown, ...]:
    """What the dice of a match show."""
    played = games.get(game)
    first = Started(game, played.write(played.start(2, {})))
    return thrown_in(fold(played, [first, *events]))


class TestTail:
    """The closed form of five degrees of freedom."""

    @pytest.mark.parametrize(
        ("statistic", "p"),
        # Critical values of any table of the distribution.
        [(0.0, 1.0), (1.145, 0.95), (4.351, 0.5), (9.236, 0.1), (11.070, 0.05), (15.086, 0.01)],
    )
    def test_values_of_the_tables(self, statistic: float, p: float) -> None:
        assert tail(statistic) == pytest.approx(p, abs=2e-4)

    @pytest.mark.parametrize("statistic", [0.3, 2.0, 7.7, 20.515, 45.0])
    def test_integral_of_the_density(self, statistic: float) -> None:
        steps, end = 200_000, 200.0
        wide = (end - statistic) / steps
        at = (statistic + wide * (n + 0.5) for n in range(steps))
        density = sum(x**1.5 * math.exp(-x / 2) for x in at) / (2**2.5 * math.gamma(2.5))
        assert tail(statistic) == pytest.approx(density * wide, rel=1e-5)


class TestFit:
    """Verdicts about counts."""

    def test_statistic_by_hand(self) -> None:
        assert chi_square((5, 8, 9, 8, 10, 20)) == pytest.approx(13.4)
        found = fit("orange", (5, 8, 9, 8, 10, 20))
        assert found.throws == 60
        assert found.expected == 10.0
        assert found.p == pytest.approx(0.0199, abs=1e-4)
        assert found.verdict == "unusual"

    def test_too_few_throws_give_no_verdict(self) -> None:
        found = fit(None, (29, 0, 0, 0, 0, 0))
        assert (found.verdict, found.p, found.low) == ("few", None, None)
        assert fit(None, (30, 0, 0, 0, 0, 0)).verdict == "rare"
        assert fit(None, (0,) * 6).verdict == "few"

    def test_band_is_the_binomial_one(self) -> None:
        found = fit(None, (100,) * 6)
        assert found.low is not None
        assert found.high is not None
        assert found.high - 100 == pytest.approx(1.96 * math.sqrt(600 * 5 / 36))
        assert found.low + found.high == pytest.approx(200)
        assert found.verdict == "usual"

    def test_fair_dice_seldom_look_bent_and_bent_ones_do(self) -> None:
        chance = random.Random(8)
        ps = []
        for _ in range(400):
            shown = [chance.randrange(6) for _ in range(120)]
            ps.append(fit(None, tuple(shown.count(face) for face in range(6))).p or 0.0)
        assert 8 <= sum(p < 0.05 for p in ps) <= 34  # 20 expected, about three deviations off
        assert 0.45 <= sum(p < 0.5 for p in ps) / 400 <= 0.55 + 0.03
        bent = [min(5, chance.randrange(7)) for _ in range(600)]
        assert fit(None, tuple(bent.count(face) for face in range(6))).verdict == "rare"


class TestThrown:
    """Which dice of a match count."""

    def test_rolls_again_count_and_taken_back_ones_do_not(self) -> None:
        found = thrown(
            "qwinto",
            Played("roll o3y5"),
            Played("reroll o1y5"),
            Played("A: y3=6"),
            Played("roll p6"),
            Undone(),
        )
        assert [(die.colour, die.face) for die in found] == [
            ("orange", 3),
            ("yellow", 5),
            ("orange", 1),
            ("yellow", 5),
        ]
        assert {die.by for die in found} == {"hand"}

    def test_what_a_camera_saw_is_told_apart(self) -> None:
        state = qwinto.GAME.start(2, {})
        layout = qwinto.Layout(qwinto.Throw.read("o3"), tuple(state.layout().sheets))
        from engine.events import Committed

        found = thrown("qwinto", Moved((), layout.write()), Committed())
        assert found == (Thrown(3, "orange", "seen"),)

    def test_cocked_and_unseen_dice_are_left_out(self) -> None:
        assert thrown("qwinto", Played("roll o3~y5")) == (Thrown(5, "yellow", "hand"),)
        assert thrown("qwinto", Played("roll ?")) == ()

    def test_symbols_of_two_dice_that_are_alike(self) -> None:
        found = thrown("detrak", Played("A: start=X"), Played("B: start=O"), Played("roll #T"))
        assert found == (Thrown("hash", None, "hand"), Thrown("triangle", None, "hand"))
        (whole,) = fits("detrak", found)
        assert whole.counts == (0, 0, 0, 1, 1, 0)

    def test_a_throw_out_of_turn_was_thrown_all_the_same(self) -> None:
        found = thrown("qwinto", Played("roll o3"), Played("roll p6"))  # nothing written before
        assert [die.face for die in found] == [3, 6]

    def test_games_without_dice(self) -> None:
        assert thrown("quixo", Played("a3>R")) == ()

    def test_faces_of_each_colour_and_of_all(self) -> None:
        dice = [Thrown(1, "orange", "hand"), Thrown(1, "purple", "seen"), Thrown(6, "purple", "")]
        found = {part.colour: part.counts for part in fits("qwinto", dice)}
        assert found == {
            "orange": (1, 0, 0, 0, 0, 0),
            "yellow": (0,) * 6,
            "purple": (1, 0, 0, 0, 0, 1),
            None: (2, 0, 0, 0, 0, 1),
        }


class TestApi:
    """Counts as the page asks for them."""

    @pytest.fixture
    def client(self, tmp_path: Any) -> FlaskClient:
        return create_app(Settings(), data=DataFolder(tmp_path / "data")).test_client()

    def play(self, client: FlaskClient, game: str, *moves: str) -> str:
        body = {"game": game, "south": "", "options": {"seats": "2"}}
        match: str = client.post("/api/tables/table/start", json=body).get_json()["match"]["id"]
        for move in moves:
            assert (
                client.post(f"/api/matches/{match}/commands/play", json={"move": move}).status_code
                == 200
            )
        return match

    def test_all_matches_and_one(self, client: FlaskClient) -> None:
        one = self.play(client, "qwinto", "roll o3y5")
        self.play(client, "qwinto", "roll o3")
        counts = client.get("/api/fairness?game=qwinto").get_json()
        assert counts["faces"] == [1, 2, 3, 4, 5, 6]
        assert (counts["matches"], counts["unreadable"]) == (2, 0)
        assert counts["fits"][0]["counts"] == [0, 0, 2, 0, 0, 0]
        mine = client.get(f"/api/fairness?game=qwinto&match={one}").get_json()
        assert mine["fits"][0]["counts"] == [0, 0, 1, 0, 0, 0]
        seen = client.get("/api/fairness?game=qwinto&by=seen").get_json()
        assert seen["fits"][-1]["throws"] == 0

    def test_news_are_counted(self, client: FlaskClient) -> None:
        match = self.play(client, "detrak", "A: start=X", "B: start=O")
        assert client.get("/api/fairness?game=detrak").get_json()["fits"][0]["throws"] == 0
        client.post(f"/api/matches/{match}/commands/play", json={"move": "roll X="})
        found = client.get("/api/fairness?game=detrak").get_json()
        assert found["faces"] == list(detrak.SYMBOL_IDS)
        assert found["fits"][0]["counts"] == [0, 1, 1, 0, 0, 0]

    @pytest.mark.parametrize(
        ("query", "status", "named"),
        [
            ("game=quixo", 400, "qwinto, detrak"),
            ("", 400, "game"),
            ("game=qwinto&by=magic", 400, "all, hand, seen"),
            ("game=qwinto&match=none", 404, "none"),
        ],
    )
    def test_bad_questions(self, client: FlaskClient, query: str, status: int, named: str) -> None:
        answer = client.get(f"/api/fairness?{query}")
        assert answer.status_code == status
        error = answer.get_json()["error"]
        assert named in error["text_en"]
        assert "\n" not in error["text_fr"]

    def test_a_match_of_another_game(self, client: FlaskClient) -> None:
        match = self.play(client, "detrak")
        answer = client.get(f"/api/fairness?game=qwinto&match={match}")
        assert answer.status_code == 400
