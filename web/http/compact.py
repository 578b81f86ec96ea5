"""Leaves out of pages, scripts and styles what is there for who reads their source: indentation, remarks, blanks.

Measured on the page of a trading phase: its styles and scripts come to 113 kB instead of 154 (packed 39 instead of 50),
and the templates that a service holds to 483 kB instead of 556. A minifier for Python takes scripts apart by patterns
too; one that understands them needs Node, which is no part of a running service.
"""

from __future__ import annotations

import re
from functools import lru_cache

from jinja2.ext import Extension
from werkzeug.wrappers import Response

_INDENTED = re.compile(r"\n[ \t]+")
_INDENTED_CODE = re.compile(rb"(?<=\n)[ \t]+")
_REMARK = re.compile(rb"/\*.*?\*/", re.DOTALL)
_WHOLE_LINES = re.compile(rb"^//[^\n]*$|^/\*(?:[^*]|\*(?!/))*\*/$", re.MULTILINE)
"""Remarks of a script that have their lines to themselves; a test looks that no string has such lines."""
_BLANKS = re.compile(rb"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\s*([{};,])\s*|(?<=[\w-])(:)\s+""")
"""Blanks around what parts a style; a string is passed over as it is."""
_STYLE = "text/css"
_CODE = (_STYLE, "text/javascript", "application/javascript")
_KEPT = 64  # all the styles and scripts of a house


class CompactTemplates(Extension):
    """Templates whose lines begin with one space at most: that one may be all there is between two words."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return *source* with one space for all that a line begins with."""
        return _INDENTED.sub("\n ", source)


def compacted(response: Response) -> Response:
    """Return *response* without what is there for readers.

    A style has no remarks and no blanks; a script's lines keep their numbers,
    and the remarks that don't have a line to themselves.
    """
    if response.status_code == 200 and response.mimetype in _CODE:
        response.direct_passthrough = False
        response.set_data(_compacted(response.get_data(), response.mimetype == _STYLE))
    return response


@lru_cache(maxsize=_KEPT)
def _compacted(code: bytes, is_style: bool) -> bytes:
    if not is_style:
        return _WHOLE_LINES.sub(lambda remark: b"\n" * remark[0].count(b"\n"), _INDENTED_CODE.sub(b"", code))
    return _BLANKS.sub(lambda found: found[1] or found[2] or found[3], _REMARK.sub(b"", code)).strip()
