"""`python -m tests.club.draws_at_home`: thousands of simulated draws at a table that is shown in Home Assistant.

From the moment when the table reports that it expects a draw until two seconds after the draw is settled, no message
may be published on the topic that controls lights. Breaks, questions, draws entered by hand, undone draws and new
connections happen in between.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from companion.club.connection import ConnectionView, Message
from companion.club.home import Home, HomeLink
from companion.club.table_view import SETTLED_S
from companion.club.topics import STAGE, STATE
from companion.session.commands import Pause, Resume
from tests.companion.live_table import HOST, LiveTable

COLOURS = ("red", "blue", "green")


class Broker:
    """A fake broker that is always connected, and records the time of each message."""

    def __init__(self, live: LiveTable) -> None:
        self._live, self.view = live, ConnectionView(True, connects=1)
        self.heard: list[tuple[float, str, Any]] = []

    def publish(self, message: Message) -> bool:
        """Record a message, if it is about the state or the stage."""
        word = message.topic.rpartition("/")[2]
        if word in (STATE, STAGE):
            body = message.payload.decode()
            self.heard.append((self._live.time, word, json.loads(body)["armed"] if word == STATE else body))
        return True


class Table:
    """A table that plays by a simulated clock."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.live, self._lots = LiveTable(folder / "ledger.sqlite"), Random(seed)
        self._link = HomeLink(self.live.table, folder, self.live.path, Home("home", 1883), lambda: self.live.time)
        self.broker = Broker(self.live)
        self._link.connection = self.broker  # type: ignore[assignment]
        self.draws = 0

    def play(self) -> None:
        """Let something random happen, let the link notice it, and then let some time pass."""
        live, lots = self.live, self._lots
        status, chance = live.snapshot.status, lots.random()
        if status == "paused":
            live.table.execute(Resume(), HOST)
        elif status != "live":
            live.open(goal=30, bag=dict.fromkeys(COLOURS, 900))
        elif live.snapshot.questions:
            live.answer(lots.choice(COLOURS))
        elif chance < 0.1:
            live.table.execute(Pause(), HOST)
        elif live.token():
            self._draw(chance)
        elif chance < 0.6:
            live.dig(lots.randint(1, 3))
        else:
            live.score(lots.randint(1, 3))
        if lots.random() < 0.02:
            self.broker.view = ConnectionView(True, connects=self.broker.view.connects + 1)
        self.look()
        for _ in range(lots.choice((0, 1, 1, 4, 12))):
            live.time += lots.choice((0.05, 0.25, 0.7))
            self.look()

    def _draw(self, chance: float) -> None:
        self.draws += 1
        colour = self._lots.choice(COLOURS)
        if chance < 0.3:
            self.live.draw(colour)
        elif chance < 0.4:
            self.live.slide(None, ranking=((COLOURS[0], 0.6), (COLOURS[1], 0.4)), why="ambiguous")
        elif chance < 0.5 and self.live.snapshot.undoable is not None:
            self.live.undo("misread" if self.live.snapshot.undoable.by_ring else None)
        else:
            self.live.slide(colour)

    def look(self) -> None:
        """Let the link send what has changed since its last turn."""
        self._link._turn()


def too_early(heard: list[tuple[float, str, Any]]) -> list[float]:
    """Return the times of the messages about the stage that came while a draw was expected, or too soon after it."""
    armed, settled, found = False, float("-inf"), []
    for at, word, body in heard:
        if word == STATE:
            settled = at if armed and not body else settled
            armed = body
        elif armed or at < settled + SETTLED_S - 1e-6:
            found.append(at)
    return found


def played(folder: Path, draws: int, seed: int) -> dict[str, int]:
    """Play until there are this many *draws*, and return the counts."""
    table = Table(folder, seed)
    while table.draws < draws:
        table.play()
    table.live.ledger.close()
    heard = table.broker.heard
    stages = sum(word == STAGE for _, word, _ in heard)
    return {"draws": table.draws, "states": len(heard) - stages, "stages": stages, "too_early": len(too_early(heard))}


def main() -> int:
    """Play, print the counts, and return 1 if a message about the stage was published at a wrong time."""
    parser = argparse.ArgumentParser(prog="python -m tests.club.draws_at_home", description=__doc__)
    parser.add_argument("--draws", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = played(Path(name), asked.draws, asked.seed)
    print(json.dumps(found))
    return 1 if found["too_early"] else 0


if __name__ == "__main__":
    sys.exit(main())
