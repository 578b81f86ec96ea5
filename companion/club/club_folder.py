"""The folder of a club: `club-settings.json` with its name, its broker's address, and the tables that may connect.

`companion.club.broker_files` makes the broker's files from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex, token_urlsafe

from companion.club.certificates import CA
from companion.club.connection import BrokerAddress
from companion.club.membership import Membership

SETTINGS, OWN_PASSWORD, SHEETS = "club-settings.json", "club-password", "sheets"
CLUB_USER = "club"
PASSWORD_BYTES, ADDRESS_BYTES = 32, 8


class NoClub(Exception):
    """There is no club in this folder, or its settings can't be read; the message says what to do."""


@dataclass(frozen=True)
class Club:
    """A club: its name, where its broker listens, and the tables by their addresses.

    *host* is the name or address by which tables reach the broker, *bind* the address on which it listens.
    """

    name: str
    host: str
    port: int
    bind: str = "0.0.0.0"  # noqa: S104 - tables are other computers
    tables: Mapping[str, str] = field(default_factory=dict)

    def admitted(self, address: str, label: str) -> Club:
        """Return the club with one more table."""
        return Club(self.name, self.host, self.port, self.bind, {**self.tables, address: label})

    def without(self, address: str) -> Club:
        """Return the club without a table."""
        left = {each: label for each, label in self.tables.items() if each != address}
        return Club(self.name, self.host, self.port, self.bind, left)

    def address_of(self, table: str) -> str | None:
        """Return the address of the table with this label or address, or None."""
        return next((address for address, label in self.tables.items() if table in (address, label)), None)


def read_club(folder: Path) -> Club:
    """Return the club in *folder*, or raise `NoClub`."""
    try:
        return Club(**json.loads((folder / SETTINGS).read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise NoClub(f'there is no club in {folder} yet: companion club new "NAME"') from None
    except (OSError, ValueError, TypeError) as fault:
        raise NoClub(f"{folder / SETTINGS} can't be read ({fault}): restore it from a copy") from None


def new_membership(folder: Path, club: Club, label: str) -> Membership:
    """Return a new table's membership, with a new address and password. `companion club admit` stores them."""
    ca = (folder / CA).read_text(encoding="ascii")
    address, password = token_hex(ADDRESS_BYTES), token_urlsafe(PASSWORD_BYTES)
    return Membership(club.name, label, club.host, club.port, address, password, ca)


def own_broker(folder: Path, club: Club) -> BrokerAddress:
    """Return the address with which the club's own program connects to the broker, which runs on the same computer."""
    host = "127.0.0.1" if club.bind in ("0.0.0.0", "") else "::1" if club.bind == "::" else club.bind  # noqa: S104
    password = (folder / OWN_PASSWORD).read_text(encoding="ascii")
    ca = (folder / CA).read_text(encoding="ascii")
    return BrokerAddress(host, club.port, CLUB_USER, password, ca, named=False)
