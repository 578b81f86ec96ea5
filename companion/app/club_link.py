"""Connects a table with its club and with Home Assistant. Without either none of this is imported."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from companion.app.data_folder import LEDGER
from companion.app.exit_codes import NO_PAHO
from companion.club.connection import ConnectionView
from companion.club.membership import Membership, read_membership
from companion.club.table_link import Destination, TableLink
from companion.kernel.errors import Malformed
from companion.kernel.i18n import Said
from companion.kernel.supervisor import Supervisor
from companion.model.link import LinkView
from companion.session.table import Table

T = TypeVar("T")


Links = list[Callable[[], LinkView]]
"""The connections of a table, each as a function for its present state."""


def club_link(
    table: Table, data: Path, say: Callable[[str], None], threads: Supervisor, links: Links
) -> Callable[[], None]:
    """Connect *table* with its club until the returned function is called, and add it to *links*.

    Each trouble is said once.
    """

    def link(member: Membership) -> tuple[TableLink, str]:
        to = Destination(member.address, member.broker, member.address)
        return TableLink(table, data, data / LEDGER, to), member.club

    return _started(_stored(read_membership, data, say), link, say, threads, links)


def home_link(
    table: Table, data: Path, say: Callable[[str], None], threads: Supervisor, links: Links
) -> Callable[[], None]:
    """Connect *table* with Home Assistant until the returned function is called, and add it to *links*.

    Each trouble is said once.
    """
    from companion.club.home import Home, HomeLink, read_home

    def link(home: Home) -> tuple[TableLink, str]:
        return HomeLink(table, data, data / LEDGER, home), "Home Assistant"

    return _started(_stored(read_home, data, say), link, say, threads, links)


def _started(
    found: T | None,
    link_of: Callable[[T], tuple[TableLink, str]],
    say: Callable[[str], None],
    threads: Supervisor,
    links: Links,
) -> Callable[[], None]:
    """Start the link to what was *found*, which has a name, and return a function that ends it."""
    if found is None:
        return _nothing
    link, name = link_of(found)
    link.connection.subscribe(_logging(say, f"Connected with {name}."))
    links.append(lambda: link.shown(name))
    return link.start(threads)


def _stored(read: Callable[[Path], T | None], data: Path, say: Callable[[str], None]) -> T | None:
    """Return what *read* finds in the folder *data*; None, after a message, if it can't be used."""
    try:
        import paho.mqtt.client  # noqa: F401 - so that a missing package is said once, and not by a thread

        return read(data)
    except ImportError:
        say(f"This table should be connected, but {NO_PAHO}")
    except Malformed as fault:
        say(fault.reason)
    return None


def _logging(say: Callable[[str], None], connected: str) -> Callable[[ConnectionView], None]:
    said: set[str] = set()

    def log(view: ConnectionView) -> None:
        kind = view.trouble.pattern if isinstance(view.trouble, Said) else view.trouble
        if kind not in said:
            said.add(kind)
            say(view.trouble or connected)

    return log


def _nothing() -> None:
    """Do nothing, because there is no connection to end."""
