"""What is answered to a question: the referee's ruling, and what pictures add to it."""

from dataclasses import asdict, dataclass
from typing import Any

from engine import quixo
from server.boards import to_json
from server.texts import both
from server.weighing import Rule
from vision.observation import Candidates


@dataclass(frozen=True, slots=True)
class Note:
    """Something the players should know about how the ruling was reached.

    Attributes:
        id: stable name, such as ``turned``.
        text_en: one or two sentences; likewise ``text_fr``.
        values: what the sentences are about, such as ``degrees``.
    """

    id: str
    text_en: str
    text_fr: str
    values: dict[str, object]


@dataclass(frozen=True, slots=True)
class Asked:
    """A doubtful value: in which picture, where in its reading, and what it may be."""

    picture: str
    where: str
    candidates: Candidates


@dataclass(frozen=True, slots=True)
class Answer:
    """A ruling with what pictures add to it.

    Attributes:
        ruling: the referee's.
        notes: how it was reached, and what would help.
        doubts: values to ask about, if the ruling is undecided.
        before: the most likely board before the move, seen from seat S.
        after: likewise after it.
        mark: the mark of the ruling's seat.
    """

    ruling: Rule
    notes: tuple[Note, ...]
    doubts: tuple[Asked, ...]
    before: quixo.Layout
    after: quixo.Layout
    mark: str

    def to_json(self) -> dict[str, Any]:
        """The ruling of the command contract, with notes, doubts and the boards it is about."""
        return {
            **self.ruling.to_json(1),
            "mark": self.mark,
            "notes": [asdict(note) for note in self.notes],
            "doubts": [asdict(doubt) for doubt in self.doubts],
            "boards": {"before": to_json(self.before), "after": to_json(self.after)},
        }


def note(key: str, **values: object) -> Note:
    """The note of that id, in both languages; its text is ``note_…`` of the rulings' texts."""
    return Note(key, *both(f"rule.note_{key}", **values), values)
