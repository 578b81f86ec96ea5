"""A table's connection to a club or a home, as pages and `companion doctor` show it."""

from __future__ import annotations

from typing import Protocol

from companion.kernel.said import Said
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class LinkView:
    """The state of a connection. *name* is the club's or the home's.

    *trouble* is a sentence with what to do, empty if all is well. *behind* is the number of rows that the other side
    does not have yet. *club* is true for the connection to a club.
    """

    name: str
    connected: bool
    trouble: Said | str = ""
    behind: int = 0
    club: bool = False


class ClubSeat(Protocol):
    """A table's seat in a club. The table's host can join and leave a club on a page."""

    def take(self, code: str) -> None:
        """Join the club with the code of a sheet, and connect. If this raises `Refused`, nothing has changed."""

    def give_up(self) -> None:
        """Leave the club. The club keeps what this table has sent. Raises `Refused`."""
