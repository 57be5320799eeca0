"""The camera loop: looks at the newest frame, never queues, and takes commands between frames."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from server.commands import Wish
from server.live.barred import View, problem_of
from server.live.evidence import Evidence
from server.live.eye import AnyEye
from server.live.keeping import Keeper
from server.live.photos import read_photos
from server.live.status import Status
from server.reading import Reader
from server.refereeing import Noted
from server.store.rows import TableSetup
from vision.dice.glance import DiceLook
from vision.dice.rolls import Rolled
from vision.frames import Frame, Source, SourceStatus
from vision.glance import Glance
from vision.settle import Lost, Regained, Settled

WAIT_S: Final = 0.1
"""How long to wait for a frame before looking for commands again."""
COMMANDS_S: Final = 0.1
"""Commands are looked for this often: a button answers within a tenth of a second."""

Report = Callable[[tuple[Noted, ...]], None]


@dataclass(slots=True, eq=False)
class Loop:
    """One table's loop.

    Attributes:
        keeper: its match.
        status: what the dashboard sees of it.
        evidence: pictures of the last seconds.
        source: the camera; None for a table played by hand.
        eye: what looks at its frames.
        report: told of every event.
        spool: the table's folder, where uploaded photos lie.
        reader: reads them.
        stay: go on taking commands after a recording has ended.
        start: begins a match once the table was seen: one that is joined as it lies.
        recorded: what a recording says of its table, where nobody set it up.
        view: told what bars the view; None where nobody wants to know.
    """

    keeper: Keeper
    status: Status
    evidence: Evidence
    source: Source | None
    eye: AnyEye | None
    report: Report
    spool: Path
    reader: Reader
    stay: bool = False
    start: Wish | None = None
    recorded: TableSetup = field(default_factory=TableSetup)
    view: View | None = None
    _glance: Glance | DiceLook | None = None
    _seeing: bool = True
    _asked_s: float = float("-inf")

    def run(self, stopped: Callable[[], bool]) -> None:
        """Run until told to stop, or until a recording has ended.

        Raises:
            StoreError: the store fails in a way that waiting does not mend.
        """
        self._set_up()
        while not stopped():
            frame = self._next()
            if frame is not None:
                self._look(frame)
            source = self.source.status if self.source is not None else None
            if source is not None:
                self._follow(source, frame)
                if self.view is not None:
                    self.view.look(time.monotonic(), problem_of(source, self._glance))
            self._obey()
            self.status.write(source, self.keeper, self.eye)
            if source is not None and source.kind == "ended" and frame is None:
                if not self.stay:
                    break
                self.source = None
        self.keeper.save()
        ended = self.source.status if self.source is not None else None
        self.status.write(ended, self.keeper, self.eye, now=True)

    def _next(self) -> Frame | None:
        if self.source is not None:
            return self.source.next(WAIT_S)
        time.sleep(WAIT_S)
        return None

    def _look(self, frame: Frame) -> None:
        assert self.eye is not None
        jpeg = self.evidence.add(frame)
        self.eye.expect(self.keeper.table.match)
        self._glance, notices = self.eye.look(frame)
        settled = None
        for notice in notices:
            self._tell(self.keeper.happen(notice))
            settled = notice.number if isinstance(notice, Settled | Rolled) else settled
        self.status.saw(frame, self._glance, jpeg, settled)
        if self.start is not None and self.keeper.table.was_seen:
            wish, self.start = self.start, None
            self._tell((self.keeper.begin(wish),))

    def _follow(self, source: SourceStatus, frame: Frame | None) -> None:
        """A camera that shows nothing new pauses the match: nobody is accused of that while."""
        seeing = frame is not None or source.kind in ("live", "ended")
        if seeing == self._seeing:
            return
        self._seeing = seeing
        at_s = frame.at_s if frame is not None else 0.0
        self.keeper.happen(Regained(at_s) if seeing else Lost(at_s, None))

    def _obey(self) -> None:
        now = time.monotonic()
        if now - self._asked_s >= COMMANDS_S:
            self._asked_s = now
            self._tell(self.keeper.obey_waiting())
            self._set_up()
            if self.keeper.trouble is None:
                read_photos(self.keeper, self.spool, self.reader)

    def _set_up(self) -> None:
        """Let the eye know what people have set up at the table."""
        if self.eye is not None:
            setup = self.keeper.setup
            zone = setup.zone if setup.zone is not None else self.recorded.zone
            self.eye.set_up(replace(setup, zone=zone))

    def _tell(self, noted: tuple[Noted, ...]) -> None:
        if noted:
            self.report(noted)
