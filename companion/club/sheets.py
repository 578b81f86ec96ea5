"""The sheets of a club's tables: for each table, a page to print, with its QR code and its six words.

A sheet is the only place with the table's password, so only the files' owner may read them.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

import segno

from companion.club.membership import Membership, code_of, words_of
from companion.kernel.private_file import write_private

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>
  body {{ font: 16px/1.5 sans-serif; margin: 0; }}
  section {{ break-after: page; padding: 12mm; text-align: center; }}
  h1 {{ font-size: 32px; margin: 0; }}
  svg {{ width: 90mm; height: 90mm; }}
  code {{ display: block; font-size: 9px; margin: 4mm auto; max-width: 150mm; overflow-wrap: anywhere; }}
  strong {{ font-size: 22px; }}
</style>
{sections}
</html>
"""
_SECTION = """<section>
<h1>{club}, table {table}</h1>
<p>{svg}</p>
<p><strong>{words}</strong></p>
<p>At the table: companion club join FILE, with this page or the scanned text as the file. It shows the same words.</p>
<code>{code}</code>
<p>This sheet lets a computer take this table's place. If it gets lost: companion club revoke {table}</p>
</section>"""


def write_sheets(folder: Path, members: Sequence[Membership]) -> list[Path]:
    """Write a file for each table, and then one file with all sheets for the printer. Return all paths."""
    club, sections = members[0].club, [_section(each) for each in members]
    written = []
    for each, section in zip(members, sections, strict=True):
        written.append(sheet_path(folder, each.table))
        write_private(written[-1], _page(club, [section]))
    written.append(folder / f"print-{members[0].table}-to-{members[-1].table}.html")
    write_private(written[-1], _page(club, sections))
    return written


def sheet_path(folder: Path, table: str) -> Path:
    """Return the path of a table's sheet."""
    return folder / f"table-{table}.html"


def _page(title: str, sections: Sequence[str]) -> str:
    return _PAGE.format(title=escape(title), sections="\n".join(sections))


def _section(member: Membership) -> str:
    code = code_of(member)
    svg = segno.make_qr(code, error="l").svg_inline(border=2, omitsize=True)
    names = {"club": escape(member.club), "table": escape(member.table)}
    return _SECTION.format(**names, svg=svg, words=words_of(member), code=escape(code))
