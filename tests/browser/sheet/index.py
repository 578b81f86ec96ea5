"""The page that shows the sheet: a row for each page of the companion, a picture for each look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8" /><title>The sheet</title><style>
body { font: 16px/1.4 system-ui, sans-serif; margin: 24px; background: #ddd; color: #111 }
section { margin: 0 0 32px } h2 { margin: 0 0 8px } figure { display: inline-block; margin: 0 8px 8px 0 }
img { height: 220px; display: block } figcaption { font-size: 12px } pre { white-space: pre-wrap }
</style></head><body><h1>The sheet</h1>
"""


@dataclass
class Row:
    """One page of an evening, and its pictures."""

    scene: str
    name: str
    path: str
    pictures: list[str] = field(default_factory=list)


def index(rows: Sequence[Row], wrong: Sequence[str]) -> str:
    """Return the page for *rows*, with the faults *wrong* at the top."""
    listed = "\n".join(wrong) or "Nothing was found."
    return f"{_HEAD}<pre>{escape(listed)}</pre>\n{''.join(map(_section, rows))}</body></html>\n"


def _section(row: Row) -> str:
    shown = "".join(
        f'<figure><a href="{name}"><img src="{name}" loading="lazy" alt="" /></a><figcaption>{_look(row, name)}'
        "</figcaption></figure>"
        for name in row.pictures
    )
    return f"<section><h2>{row.scene}: {row.name} <small>{escape(row.path)}</small></h2>{shown}</section>\n"


def _look(row: Row, picture: str) -> str:
    return picture.removeprefix(f"{row.scene}-{row.name}-").removesuffix(".jpg")
