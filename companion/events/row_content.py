"""The columns of a row that are made from an event. The other columns are numbers and times."""

from __future__ import annotations

from typing import NamedTuple

from companion.kernel.fields import Line
from companion.ledger import RowKind


class RowContent(NamedTuple):
    """An event as the columns of a row."""

    kind: RowKind
    word: str
    body: Line
    ring: int | None = None
    undoes: int | None = None
    source: tuple[str, str, int] | None = None
