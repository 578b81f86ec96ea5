"""Shows the pictures of all engines side by side: a row for each page and size, a column for each engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

STYLE = """body { font: 16px/1.4 sans-serif; margin: 16px; background: #ddd }
h2 { margin: 24px 0 8px } .row { display: grid; gap: 12px; align-items: start }
.row img { width: 100%; display: block; box-shadow: 0 0 0 1px #888 } .phone img { max-width: 390px }
li { color: #a00 } ul { padding-left: 20px }"""


def written(folder: Path, engines: Sequence[str], pages: Mapping[str, Mapping[str, Any]]) -> None:
    """Write index.html into *folder*."""
    names = dict.fromkeys(page for engine in engines for page in pages[engine])
    body = "\n".join(_row(page, engines, pages) for page in names)
    head = f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>All engines</title><style>{STYLE}</style>\n'
    (folder / "index.html").write_text(f"{head}<h1>All engines</h1>\n{body}\n</html>\n", encoding="utf-8")


def _row(page: str, engines: Sequence[str], pages: Mapping[str, Mapping[str, Any]]) -> str:
    cells = "".join(_cell(page, engine, pages[engine].get(page)) for engine in engines)
    phone = " phone" if page.endswith("390x844") else ""
    columns = f"grid-template-columns: repeat({len(engines)}, minmax(0, 1fr))"
    return f'<h2>{escape(page)}</h2><div class="row{phone}" style="{columns}">{cells}</div>'


def _cell(page: str, engine: str, found: Mapping[str, Any] | None) -> str:
    if found is None:
        return f"<div>{engine}: none</div>"
    name = f"{page.replace(' ', '-')}-{engine}.png"
    faults = "".join(f"<li>{escape(fault)}</li>" for fault in found["faults"])
    return f'<div>{engine}<a href="{name}"><img src="{name}" loading="lazy" alt=""></a><ul>{faults}</ul></div>'
