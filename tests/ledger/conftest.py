"""A table with a toy game, whose plug can be pulled and whose time is handed in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.game import Line
from companion.ledger import Ledger
from companion.ringport import Judgement, Kind, RingEvent
from companion.sight import Sight, Who
from companion.table import Table
from tests.ledger.toy import HEADER, Toy

HOST = Who("host", "tablet")


@dataclass
class Evening:
    """A table, its ledger, and hands for it."""

    path: Path
    toy: Toy = field(default_factory=Toy)
    time: float = 1000.0
    seq: int = 0

    def __post_init__(self) -> None:
        self._sit_down()

    def _sit_down(self) -> None:
        self.ledger = Ledger.open(self.path)
        self.table = Table(self.ledger, {"toy": self.toy}, lambda: self.time, Random(7))

    def restart(self, toy: Toy | None = None) -> Evening:
        """Pull the plug and start again, with nothing said to the old table."""
        self.toy = toy or self.toy
        self.ledger.close()
        self._sit_down()
        return self

    @property
    def sight(self) -> Sight:
        return self.table.sight

    @property
    def view(self) -> dict[str, Any]:
        return self.toy.view(self.sight.state, None)  # type: ignore[arg-type]

    def open(self, **header: Any) -> Evening:
        self.table.open({**HEADER, **header}, HOST)
        return self

    def do(self, do: str, **fields: Any) -> Evening:
        self.table.do({"do": do, **fields}, HOST)
        return self

    def dig(self, draws: int = 2) -> Evening:
        return self.do("dig", player=self.sight.state.mover, draws=draws)

    def event(self, kind: Kind, colour: str | None = None, token: int | None = None, **more: Any) -> RingEvent:
        self.seq += 1
        order = self.table.order()
        now = token if token is not None else order.token if order else 0
        ranking = more.pop("ranking", ((colour, 0.99),) if colour else ())
        return RingEvent(
            "ring-1", "boot-1", self.seq, self.seq * 1000, kind, now, ("raw",), Judgement(colour, ranking), more
        )

    def slide(self, colour: str | None, token: int | None = None, **more: Any) -> RingEvent:
        """Let one station out; None when its colour cannot be read."""
        event = self.event(Kind.OUT, colour, token, **more)
        self.table.heard(event)
        return event

    def lines(self) -> list[Line]:
        return list(self.table.record())[1:]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path / "ledger.db")
    yield made
    made.ledger.close()
