"""Rule ids are for ever: stored events and other programs cite them."""

import re
from pathlib import Path

import pytest

from engine.games import GAMES
from tests.engine.casefile import read_cases

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "rules"


def test_no_rule_id_was_removed() -> None:
    """New ids are added to the file; an id in it is never renamed or used for another rule."""
    kept = set((HERE / "rule_ids.txt").read_text(encoding="utf-8").split())
    assert kept == {rule.id for game in GAMES.values() for rule in game.rules}


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_code_page_and_cases_name_the_same_rules(game_id: str) -> None:
    ids = [rule.id for rule in GAMES[game_id].rules]
    page = (DOCS / f"{game_id}.md").read_text(encoding="utf-8")
    assert re.findall(r"^## .*`([\w.-]+)`$", page, re.MULTILINE) == ids
    cited: set[str] = set()
    for case in read_cases(game_id):
        cited |= case.cited()
    assert cited == set(ids)


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_page_uses_the_titles_of_the_rules(game_id: str) -> None:
    page = (DOCS / f"{game_id}.md").read_text(encoding="utf-8")
    for rule in GAMES[game_id].rules:
        assert f"## {rule.title_en}: `{rule.id}`" in page
