"""A camera loop in a process of its own, on scripted glances; the tests kill it.

Plays what the match does not have yet, since players wait while the dashboard says that nobody
looks, and prints the number and hash of every event once it is stored.
"""

import sys
from pathlib import Path

from engine.quixo import GAME
from server.commands import Wish
from server.data import DataFolder
from server.live.evidence import Evidence
from server.live.eye import Eye
from server.live.keeping import Keeper
from server.live.lock import table_lock
from server.live.loop import Loop
from server.live.status import Status
from server.reading import NetworkReader
from server.store import Store
from tests.server.live.tables import Script, ScriptedSource, random_moves

PACE_S = 0.008  # a move takes a fifth of a second, so that ten deaths fit into a game


def main(data: DataFolder, seed: int, count: int) -> None:
    """Play a game to its end, from wherever it stands."""
    with table_lock(data.spool("table")):
        store = Store(data.url, data.frames)
        evidence = Evidence()
        keeper = Keeper(store, "table", evidence, "quixo")
        if keeper.row is None:
            keeper.begin(Wish("start", {"game": "quixo"}))
        moves = random_moves(GAME.start(), seed, count)
        match = keeper.table.match
        assert match is not None
        script = Script(GAME.read(match.state), moves[len(match.steps) - 1 :])
        told = keeper.row.seq if keeper.row is not None else 0

        def report(_noted: object) -> None:
            nonlocal told
            assert keeper.row is not None
            for event in store.events.since(keeper.row.id, told):
                told = event.seq
                print(event.seq, event.hash, flush=True)

        print("ready", flush=True)
        Loop(
            keeper=keeper,
            status=Status(data.spool("table"), "quixo"),
            evidence=evidence,
            source=ScriptedSource(script.frames, PACE_S),
            eye=Eye(script),
            report=report,
            spool=data.spool("table"),
            reader=NetworkReader(),
        ).run(lambda: False)
        store.close()
    print("end", flush=True)


if __name__ == "__main__":
    main(DataFolder(Path(sys.argv[1])), int(sys.argv[2]), int(sys.argv[3]))
