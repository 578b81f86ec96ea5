"""What of a row an event decides; the rest of it are numbers and stamps."""

from __future__ import annotations

from typing import NamedTuple

from companion.kernel.validation import Line
from companion.ledger import RowKind


class RowContent(NamedTuple):
    """An event as the columns of a row hold it."""

    kind: RowKind
    word: str
    body: Line
    ring: int | None = None
    undoes: int | None = None
    source: tuple[str, str, int] | None = None
