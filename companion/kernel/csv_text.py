"""Write tables as CSV (RFC 4180).

All CSV is written here, because cells need protection: a spreadsheet may run one as a formula.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

BEGINS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""Characters that begin a formula in a spreadsheet, including their full-width forms.

Tab and line breaks are included, because a spreadsheet skips them before a formula.
"""


def as_csv(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    r"""Return a table with a header row. A text that a spreadsheet would run as a formula gets an apostrophe in front.

    Numbers are never changed.

    >>> as_csv(["note", "points"], [["=1+1", -2]])
    "note,points\r\n'=1+1,-2\r\n"
    """
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(map(_inert, columns))
    table.writerows(map(_inert, row) for row in rows)
    return text.getvalue()


def _inert(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(BEGINS_A_FORMULA) else cell
