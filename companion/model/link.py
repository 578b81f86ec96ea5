"""A table's connection to a club or a home, as pages and `companion doctor` show it."""

from __future__ import annotations

from companion.kernel.i18n import Said
from companion.kernel.values import dataclass


@dataclass(frozen=True)
class LinkView:
    """The state of a connection. *name* is the club's or the home's.

    *trouble* is a sentence with what to do, empty if all is well. *behind* is the number of rows that the other side
    does not have yet.
    """

    name: str
    connected: bool
    trouble: Said | str = ""
    behind: int = 0
