"""Photos handed in instead of a live picture: read, and taken as the table after a move."""

from pathlib import Path
from typing import Final

from engine.errors import EngineError
from server.live.keeping import Keeper
from server.reading import Reader, Request
from server.refereeing import Photo
from server.spool import UPLOADS
from server.store.rows import Job
from server.texts import both
from vision.catalogue import parts
from vision.errors import VisionError
from vision.frames import Frame
from vision.pictures import load_picture
from vision.settle import Settled

PHOTO: Final = "photo"
"""Kind of the job; its body is ``{"file": name in spool/TABLE/uploads}``."""


def read_photos(keeper: Keeper, spool: Path, reader: Reader) -> None:
    """Do the table's waiting jobs, in order."""
    for job in keeper.store.jobs.waiting(keeper.table_id):
        answer, refused = _read(keeper, spool, job, reader)
        keeper.store.jobs.answer(job.id, answer, refused=refused)


def _read(keeper: Keeper, spool: Path, job: Job, reader: Reader) -> tuple[dict[str, object], bool]:
    """Answer to one job, and whether it is refused."""
    game = keeper.game
    if job.kind != PHOTO or game is None or "board" not in parts(game.id):
        return _texts("command.no_match"), True
    path = spool / UPLOADS / Path(str(job.body.get("file", ""))).name
    try:
        picture = load_picture(path)
        answer = reader(picture, Request(game.id, "board"))
    except VisionError as error:
        return {"text_en": error.reason_en, "text_fr": error.reason_fr}, True
    except (EngineError, OSError, ValueError) as error:
        return _texts("command.values", reason=error), True
    problem = answer.refused or next((r.refused for r in answer.readings if r.refused), None)
    if problem is not None or len(answer.readings) != 1:
        if problem is None:
            return _texts("command.not_one_board", count=len(answer.readings)), True
        english = f"{problem.text_en} {problem.advice_en}"
        return {"text_en": english, "text_fr": f"{problem.text_fr} {problem.advice_fr}"}, True
    number = -job.id  # frames of cameras count from 0
    frame = Frame(picture.image_bgr, 0.0, number, path.name)
    keeper.evidence.add(frame)  # upright, as it was read: places in doubts refer to it
    settled = Settled((), answer.readings[0], 0.0, number, (number,), 0.0, True)
    return {"events": len(keeper.happen(Photo(settled)))}, False


def _texts(key: str, **values: object) -> dict[str, object]:
    english, french = both(key, **values)
    return {"text_en": english, "text_fr": french}
