"""A program that plays at a table: games with scores, undone lines, and cubes that no draw expects."""

from __future__ import annotations

from random import Random

from companion.ports.ring import Judgement, RingEvent, RingEventKind
from tests.companion.live_table import LiveTable

BAG = {"red": 40, "blue": 40, "green": 40}
LINES = 60
"""A new game begins after about this many lines."""


class Player:
    """Plays at one table. The same *seed* and the same ledger give the same game."""

    def __init__(self, table: LiveTable, seed: int) -> None:
        self._table, self._lots = table, Random(f"{seed} {table.ledger.last}")
        self._boot = f"{seed}-{table.ledger.last}"
        self._seq = 0

    def play(self) -> None:
        """Commit one transaction."""
        table, lots = self._table, self._lots
        status = table.snapshot.status
        chance = lots.random()
        if status not in ("live", "paused") or chance < 1 / LINES:
            table.open(bag=BAG, goal=10**6)
        elif chance < 0.1:
            self._practise()
        elif chance < 0.2 and table.snapshot.undoable is not None:
            table.undo("misread" if table.snapshot.undoable.by_ring else None)
        else:
            table.score(lots.randint(1, 3))

    def _practise(self) -> None:
        self._seq += 1
        judgement = Judgement("red", (("red", 1.0),))
        event = RingEvent(self._boot, "boot", self._seq, self._seq, RingEventKind.OUT, judgement=judgement)
        self._table.table.heard(event)
