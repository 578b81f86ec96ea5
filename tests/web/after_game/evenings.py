"""Finished games of every kind, played by programs that take time to think, and the application that serves them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import enumerate as enumerate_threads
from typing import Any

from companion.games.andromeda import demo_policy as andromeda_policy
from companion.games.hanse import demo_policy as hanse_policy
from companion.games.registry import GAMES
from companion.games.wreck import demo_policy as wreck_policy
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.companion.ledgers import open_ledger
from tests.web.applications import lent_app
from tests.web.served_house import HOST, Browser
from web import HostPin
from web.games.registry import COVERS

Policy = Callable[[Any, Random], Any]
POLICIES: dict[str, Policy] = {
    "andromeda": andromeda_policy.command,
    "hanse": hanse_policy.command,
    "wreck": wreck_policy.command,
}
HASTE = {"red": 1.0, "blue": 2.5, "green": 1.4, "yellow": 0.7, "black": 1.8}
"""For each colour, how long its moves take, as a multiple of the quickest player's moves."""
MOVE_S = 12.0
PATIENCE_S = 60.0


class Evening:
    """A table whose clock advances as fast as its simulated players think, and the pages that show it."""

    def __init__(self, folder: Path) -> None:
        self.seconds = 1000.0
        self.ledger = open_ledger(folder / "ledger.sqlite")
        self.table = Table(LiveGame(self.ledger, GAMES, lambda: self.seconds, Random(5)))
        self.access = HostPin(folder)
        self.app = lent_app(self.table, None, COVERS, self.access, lambda: self.seconds)

    def played(self, name: str, players: int = 0, seed: int = 7, most: int = 100_000) -> int:
        """Play the game *name* to its end, or at most *most* moves of it, and return its number."""
        game, lots = GAMES[name], Random(seed)
        play = game.random_play
        assert play is not None
        header = play.header(players or play.players[-1], lots, False)
        self.table.open({"record": "table-record", "version": 1, "game": name, **header}, HOST)
        policy = POLICIES.get(name, play.command)
        number = self.table.snapshot.game_id
        assert number is not None
        for _ in range(most):
            state = self.table.snapshot.state
            if game.result(state) is not None:
                break
            command = game.by_itself(state, frozenset()) or policy(state, lots)
            line = game.line(command)
            self.seconds += lots.expovariate(1.0) * MOVE_S * HASTE.get(str(line.get("player", "")), 0.3)
            self.table.do(line, HOST)
        return number

    def host(self) -> Browser:
        """Return a browser that has entered the PIN."""
        browser = Browser(self.app.test_client())
        browser.post("/pin", pin=self.access.pin)
        return browser

    def settled(self, browser: Browser, path: str) -> str:
        """Return the page at *path* after the background calculation of luck has finished."""
        browser.get(path)
        for thread in enumerate_threads():
            if thread.name == "luck":
                thread.join(PATIENCE_S)
        return browser.get(path)

    def close(self) -> None:
        """Close the table and the ledger."""
        self.table.close()
        self.ledger.close()


def main(folder: str) -> None:
    """Play a game of each kind into *folder*."""
    evening = Evening(Path(folder))
    for name in GAMES:
        print(name, evening.played(name))
    evening.close()


if __name__ == "__main__":
    main(sys.argv[1])
