"""A match of Quixo in a data folder, played on tables made of data."""

from collections.abc import Sequence

from engine.events import to_json
from engine.quixo import GAME
from server.data import DataFolder
from server.store import NewEvent, Store
from tests.server.live.tables import begun, random_moves
from tests.server.store.conftest import begin


def keep_match(
    data: DataFolder, moves: int, foul_every: int, pictures: Sequence[bytes] = ()
) -> DataFolder:
    """Keep a match of random moves, some of them illegal; its events show the pictures in turn."""
    store = Store(data.url, data.frames)
    scene = begun()
    for text in random_moves(GAME.start(), 3, moves, foul_every=foul_every):
        scene.move(text)
        scene.shows(scene.state.layout)
    names = [store.frames.put(jpeg) for jpeg in pictures]
    new = [
        NewEvent(to_json(one.event), one.at_s, one.number, tuple(names[n : n + 1]))
        for n, one in enumerate(scene.noted[1:])
    ]
    store.events.append(begin(store).id, new, after=1)
    store.close()
    return data
