"""Connects a table with the club that it has joined. Without a club none of this is imported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.app.data_folder import LEDGER
from companion.club.connection import ConnectionView
from companion.club.membership import read_membership
from companion.club.table_link import Destination, TableLink
from companion.kernel.errors import Malformed
from companion.kernel.i18n import Said
from companion.kernel.supervisor import Supervisor
from companion.session.table import Table

MISSING = "the package paho-mqtt is missing: pip install 'ring-companion[club]'"


def club_link(table: Table, data: Path, say: Callable[[str], None], threads: Supervisor) -> Callable[[], None]:
    """Connect *table* with its club until the returned function is called. Each trouble is said once."""
    try:
        import paho.mqtt.client  # noqa: F401 - so that a missing package is said once, and not by a thread

        member = read_membership(data)
    except ImportError:
        say(f"This table has joined a club, but {MISSING}")
        return _nothing
    except Malformed as fault:
        say(fault.reason)
        return _nothing
    if member is None:
        return _nothing
    link = TableLink(table, data, data / LEDGER, Destination(member.address, member.broker, member.address))
    said: set[str] = set()

    def log(view: ConnectionView) -> None:
        kind = view.trouble.pattern if isinstance(view.trouble, Said) else view.trouble
        if kind not in said:
            said.add(kind)
            say(view.trouble or f"Connected with the club {member.club}.")

    link.connection.subscribe(log)
    return link.start(threads)


def _nothing() -> None:
    """Do nothing, because there is no connection to end."""
