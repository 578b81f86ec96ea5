"""`python -m tests.club`: a club with simulated tables on this machine, until Ctrl-C.

The club is founded with the program's own commands, in a separate folder and with a separate broker on a free loopback
port. The system's broker is not touched.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path
from random import Random

from companion.app.cli.main import main as companion
from companion.app.club_link import ClubLink
from companion.club.collector import INBOX
from companion.club.inbox import Inbox
from companion.games.registry import GAMES
from companion.kernel.supervisor import Supervisor
from companion.ledger import Ledger
from companion.model.game import AnyGame
from companion.model.snapshot import Status, Who
from companion.records import RECORD, VERSION
from companion.session.live_game import LiveGame
from companion.session.table import Table
from tests.club.broker import MISSING, PROGRAM
from tests.club.house import House
from tests.forkserver.process import Forked

GOING = (Status.LIVE, Status.PAUSED)
HOST = Who("host", "tablet")


class Guest:
    """A table that plays automatically: one game after another, with a move every few seconds."""

    def __init__(self, folder: Path, number: int, pace_s: float) -> None:
        names = sorted(name for name, game in GAMES.items() if game.random_play is not None)
        self.game: AnyGame = GAMES[names[number % len(names)]]
        self._lots, self._pace_s = Random(number), pace_s
        folder.mkdir(exist_ok=True)
        ledger = Ledger.open(folder / "ledger.sqlite")
        self.table = Table(LiveGame(ledger, GAMES, time.monotonic, self._lots))
        self._over = threading.Event()

    def play(self) -> None:
        """Make one move, or begin the next game."""
        snapshot, game = self.table.snapshot, self.game
        play = game.random_play
        assert play is not None
        if snapshot.status not in GOING:
            own = play.header(self._lots.choice(play.players), self._lots, False)
            self.table.open({"record": RECORD, "version": VERSION, "game": game.name, **own}, HOST)
            return
        self.table.do(game.line(play.command(snapshot.whole, self._lots)), HOST)
        self.table.tick()

    def run(self) -> None:
        """Play until `close` is called."""
        while not self._over.wait(self._pace_s * (0.5 + self._lots.random())):
            self.play()

    def close(self) -> None:
        """Stop playing, and close the ledger."""
        self._over.set()
        self.table.close()


def main() -> int:
    """Found the club, let its tables play, and show how many of their rows have arrived."""
    parser = argparse.ArgumentParser(prog="python -m tests.club", description=__doc__)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--pace", type=float, default=3.0, metavar="SECONDS", help="between two moves of a table")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end by itself after this time")
    parser.add_argument("--rows", type=int, default=0, help="end when so many rows of each table have arrived")
    parser.add_argument("--folder", type=Path, help="where to make the files (default: a temporary folder)")
    asked = parser.parse_args()
    if PROGRAM is None:
        sys.exit(MISSING)
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        return played(Path(name), asked.tables, asked.pace, asked.seconds, asked.rows)


def arrived(house: House, tables: int) -> int:
    """Return the smallest number of rows that have arrived from a table, or 0 until all tables have sent some."""
    path = house.folder / INBOX
    if not path.exists():
        return 0
    inbox = Inbox(path)
    try:
        found = [source.upto for source in inbox.sources.values()]
        return min(found) if len(found) == tables else 0
    finally:
        inbox.close()


def played(folder: Path, tables: int, pace_s: float, seconds: float, rows: int = 0) -> int:
    """Play in *folder*, and return the status of `companion club verify`."""
    house = House(folder / "house", tables)
    broker = house.start()
    until = time.monotonic() + seconds
    guests: list[Guest] = []
    threads, ends = Supervisor(), []
    with Forked("companion", "club", "serve", "--bind", "127.0.0.1", "--port", "0", "--data", house.data) as club:
        for _ in range(3):  # the club, its pages, its PIN
            print(club.stdout.readline(), end="", flush=True)
        try:
            for number in range(1, tables + 1):
                data = folder / f"table-{number:02}"
                companion(["club", "join", str(house.sheet(number)), "--data", str(data)])
                guests.append(Guest(data, number, pace_s))
                ends.append((link := ClubLink(guests[-1].table, data, print, threads, [])).end)
                link.start()
                threads.start(f"guest {number}", guests[-1].run)
            print(f"{tables} tables play. In another terminal: companion club status --data {house.data}. Ctrl-C ends.")
            while time.monotonic() < until and not 0 < rows <= arrived(house, tables):
                time.sleep(min(0.2 if rows else 10.0, max(0.0, until - time.monotonic())))
                if not rows:
                    house.run("status")
            house.run("status")
        except KeyboardInterrupt:
            print()
        for each in (*ends, *(guest.close for guest in guests)):
            each()
        club.terminate()
        club.wait(30)
    status = house.run("verify")
    broker.close()
    return status


if __name__ == "__main__":
    sys.exit(main())
