"""A table with a toy game, a fake clock and replaceable storage, which can be restarted like after a power cut."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from companion.kernel.fields import Line
from companion.ledger import Row, wall_ms
from companion.ledger.storage import Connect, connect
from companion.model.game import AnyGame, Viewer
from companion.model.snapshot import LeftOver, Question, Snapshot, Who
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from companion.session.commands import Agree, Answer, Inventory, Mend, Undo
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger
from tests.companion.toy import HEADER, Toy

HOST = Who("host", "tablet")


@dataclass
class LiveTable:
    """A table with its ledger; its methods return it, so that they can be chained."""

    path: Path
    game: AnyGame = field(default_factory=Toy)
    connect: Connect = connect
    time: float = 1000.0
    seq: int = 0
    wrong_ms: int = 0
    """The difference between the table's wall clock and this computer's."""

    def __post_init__(self) -> None:
        self.sit_down()

    def sit_down(self) -> None:
        """Open the ledger and its table, as at a start."""
        self.ledger = open_ledger(self.path, self.connect)
        self.ledger.wall_ms = lambda: wall_ms() + self.wrong_ms
        self.table = Table(LiveGame(self.ledger, {self.game.name: self.game}, lambda: self.time, Random(7)))

    def restart(self, game: AnyGame | None = None) -> LiveTable:
        """Close the ledger without closing the table, and open both again, as after a power cut."""
        self.game = game or self.game
        self.ledger.close()
        self.sit_down()
        return self

    @property
    def running(self) -> Snapshot:
        """The snapshot as it would be if the restart had not held the clock."""
        timing = self.snapshot.timing
        if timing is None or timing.held != "restart":
            return self.snapshot
        return replace(self.snapshot, timing=replace(timing, running=True, held=""))

    @property
    def snapshot(self) -> Snapshot:
        return self.table.snapshot

    @property
    def question(self) -> Question:
        (question,) = self.snapshot.questions
        return question

    @property
    def left_over(self) -> LeftOver:
        assert self.snapshot.left_over is not None
        return self.snapshot.left_over

    @property
    def view(self) -> dict[str, Any]:
        return self.game.view(self.snapshot.state, Viewer(owner=True))

    @property
    def notices(self) -> list[str]:
        return [notice.kind for notice in self.snapshot.notices]

    def open(self, **header: Any) -> LiveTable:
        self.table.open({**HEADER, **header}, HOST)
        return self

    def do(self, do: str, **fields: Any) -> LiveTable:
        self.table.do({"do": do, **fields}, HOST)
        return self

    def score(self, points: int = 1) -> LiveTable:
        """Let the current player score."""
        return self.do("score", player=self.snapshot.state.mover, points=points)

    def dig(self, draws: int = 2) -> LiveTable:
        """Let the current player begin an attempt."""
        return self.do("dig", player=self.snapshot.state.mover, draws=draws)

    def draw(self, colour: str) -> LiveTable:
        """Type in a draw."""
        return self.do("draw", colour=colour)

    def undo(self, reason: str | None = None) -> LiveTable:
        self.table.execute(Undo(reason), HOST)
        return self

    def answer(self, chosen: str) -> LiveTable:
        self.table.execute(Answer(self.question.id, chosen), HOST)
        return self

    def agree(self) -> LiveTable:
        """Agree that the stations left are as expected."""
        self.table.execute(Agree(self.left_over.id), HOST)
        return self

    def count(self, **counted: int) -> LiveTable:
        """Enter a count of the stations left; colours that are not named get the expected number."""
        self.table.execute(Inventory(self.left_over.id, {**self.left_over.stations, **counted}), HOST)
        return self

    def mend(self, cause: str) -> LiveTable:
        """Choose a cause for a difference."""
        self.table.execute(Mend(self.left_over.id, cause), HOST)
        return self

    def causes(self) -> list[str]:
        """Return the offered causes, in order."""
        return [cause.word for doubt in self.left_over.doubts for cause in doubt.causes]

    def rows(self, kind: str) -> list[Row]:
        """Return the ledger's rows of *kind*, oldest first."""
        rows = (self.ledger.row(number) for number in range(1, self.ledger.last + 1))
        return [row for row in rows if row is not None and row.kind == kind]

    def later(self, seconds: float) -> LiveTable:
        """Advance the clock, with a tick every second."""
        for _ in range(int(seconds)):
            self.time += 1
            self.table.tick()
        self.time += seconds % 1
        return self

    def token(self) -> int:
        """Return the token of the current arming, or 0."""
        order = self.table.order()
        return order.token if order else 0

    def event(
        self, kind: RingEventKind, colour: str | None = None, token: int | None = None, **detail: Any
    ) -> RingEvent:
        """Return an event of the ring without sending it; by default it is for the current arming."""
        self.seq += 1
        ranking = detail.pop("ranking", ((colour, 0.99),) if colour else ())
        why, unknown = detail.pop("why", ""), detail.pop("unknown", 0.0)
        judged = Judgement(colour, ranking, why, unknown, detail.pop("calibration", ""))
        now = self.token() if token is None else token
        return RingEvent("ring-1", "boot-1", self.seq, self.seq * 1000, kind, now, ("raw",), judged, detail)

    def slide(self, colour: str | None, token: int | None = None, **detail: Any) -> LiveTable:
        """Let one station out of the ring; *colour* is None if it cannot be read."""
        self.table.heard(self.event(RingEventKind.OUT, colour, token, **detail))
        return self

    def pair(self) -> LiveTable:
        """Let two stations out of the ring at once."""
        self.table.heard(self.event(RingEventKind.PAIR))
        return self

    def lines(self) -> list[Line]:
        return list(self.table.archive.record())[1:]

    def deeds(self) -> list[str]:
        """Return the `do` of each line of the record."""
        return [line["do"] for line in self.lines()]
