"""Connects a table with its club and with Home Assistant. A table with neither does not import this module."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from companion.app.club_seat import give_up_seat, take_seat
from companion.app.data_folder import LEDGER
from companion.app.exit_codes import NO_PAHO, BadUse, Failed
from companion.club.connection import ConnectionView
from companion.club.membership import Membership, read_membership
from companion.club.table_link import Destination, TableLink
from companion.kernel.errors import Malformed, Refused
from companion.kernel.said import Said
from companion.kernel.supervisor import Supervisor
from companion.model.link import LinkView
from companion.session.table import Table

T = TypeVar("T")


Links = list[Callable[[], LinkView]]
"""The connections of a table. Each is a function that returns the connection's present state."""


class ClubLink:
    """The table's connection with its club. It starts with the service, or when the host joins a club on a page."""

    def __init__(self, table: Table, data: Path, say: Callable[[str], None], threads: Supervisor, links: Links) -> None:
        """Prepare to connect *table*. `start` and `take` connect it; each problem is then reported once with *say*."""
        self._table, self._data, self._say, self._threads, self._links = table, data, say, threads, links
        self._lock, self._end = threading.Lock(), _nothing

    def __repr__(self) -> str:
        return f"<ClubLink {self._data}>"

    def start(self) -> None:
        """Connect with the club that is stored in the data folder, if there is one."""
        with self._lock:
            self._connect()

    def take(self, code: str) -> None:
        """Join the club with the code of a sheet, and connect. Raises `Refused`; then nothing has changed."""
        with self._lock, _as_refused():
            take_seat(self._data, code)
            self._end()
            self._connect()

    def give_up(self) -> None:
        """Leave the club. The club keeps what this table has sent. Raises `Refused`."""
        with self._lock, _as_refused():
            self._end()  # this saves how many rows were sent, which the next line deletes
            self._end = _nothing
            give_up_seat(self._data)

    def end(self) -> None:
        """Disconnect from the club's broker until the next start."""
        with self._lock:
            self._end()

    def _connect(self) -> None:
        def link(member: Membership) -> tuple[TableLink, str]:
            to = Destination(member.address, member.broker, member.address)
            return TableLink(self._table, self._data, self._data / LEDGER, to), member.club

        found = _stored(read_membership, self._data, self._say)
        self._end = _started(found, link, self._say, self._threads, self._links)


@contextmanager
def _as_refused() -> Iterator[None]:
    """Turn the error of a command into one for a page, with the same sentence."""
    try:
        yield
    except (BadUse, Failed) as fault:
        raise Refused(fault.args[0]) from None


def home_link(
    table: Table, data: Path, say: Callable[[str], None], threads: Supervisor, links: Links
) -> Callable[[], None]:
    """Connect *table* with Home Assistant until the returned function is called, and add it to *links*.

    Each problem is reported once with *say*.
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
    """Start the link to *found*, if it is given, and add it to *links*. Return a function that ends the link."""
    if found is None:
        return _nothing
    link, name = link_of(found)
    link.connection.subscribe(_logging(say, f"Connected with {name}."))
    shown = partial(link.shown, name)
    links.append(shown)
    end = link.start(threads)

    def end_it() -> None:
        links.remove(shown)
        end()

    return end_it


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
