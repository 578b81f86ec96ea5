"""A club founded with the program's own commands, with its own broker: TLS, passwords and permissions as in use."""

from __future__ import annotations

from pathlib import Path

from companion.app.cli.main import main
from companion.club.broker_files import CONFIGURATION
from companion.club.club_folder import SHEETS, Club, own_broker, read_club
from companion.club.connection import BrokerAddress
from companion.club.membership import Membership, membership_of
from tests.club.broker import Broker, free_port

NAME = "Essen 2027"


class House:
    """The folder of a club, its broker, and the sheets of its tables."""

    def __init__(self, data: Path, tables: int = 1, name: str = NAME) -> None:
        self.data, self.port = data, free_port()
        where = ("--host", "127.0.0.1", "--bind", "127.0.0.1", "--port", str(self.port))
        self.run("new", name, *where)
        self.run("admit", "--tables", str(tables))
        self.broker: Broker | None = None

    def run(self, *words: str) -> int:
        """Run a command of the club."""
        return main(["club", *words, "--data", str(self.data)])

    def start(self) -> Broker:
        """Start the broker with the files of the club."""
        place = self.data / "broker"
        place.mkdir(exist_ok=True)
        self.broker = Broker(place, self.folder / CONFIGURATION, self.port)
        return self.broker

    def close(self) -> None:
        if self.broker is not None:
            self.broker.close()

    @property
    def folder(self) -> Path:
        return self.data / "club"

    @property
    def club(self) -> Club:
        return read_club(self.folder)

    @property
    def own(self) -> BrokerAddress:
        """The broker's address, with the password of the club itself."""
        return own_broker(self.folder, self.club)

    def sheet(self, table: int = 1) -> Path:
        return self.folder / SHEETS / f"table-{table:02}.html"

    def member(self, table: int = 1) -> Membership:
        """Return the membership that is on a table's sheet."""
        return membership_of(self.sheet(table).read_text(encoding="utf-8"))
