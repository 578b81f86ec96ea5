"""Leaves indentation out of pages and scripts, and out of styles all that is for readers: remarks and blanks."""

from __future__ import annotations

import re
from functools import lru_cache

from jinja2.ext import Extension
from werkzeug.wrappers import Response

_INDENTED = re.compile(r"\n[ \t]+")
_INDENTED_CODE = re.compile(rb"(?<=\n)[ \t]+")
_REMARK = re.compile(rb"/\*.*?\*/", re.DOTALL)
_BLANKS = re.compile(rb"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\s*([{};,])\s*|(?<=[\w-])(:)\s+""")
"""Blanks around what parts a style; a string is passed over as it is."""
_STYLE = "text/css"
_CODE = (_STYLE, "text/javascript", "application/javascript")
_KEPT = 64  # all the styles and scripts of a house


class Unindented(Extension):
    """Templates whose lines begin with one space at most: that one may be all there is between two words."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return *source* with one space for all that a line begins with."""
        return _INDENTED.sub("\n ", source)


def sent(response: Response) -> Response:
    """Return *response* with each line of a script begun where it says something: lines keep their numbers.

    A style has no remarks and no blanks either; scripts keep theirs, since a string may look like one.
    """
    if response.status_code == 200 and response.mimetype in _CODE:
        response.direct_passthrough = False
        response.set_data(_begun(response.get_data(), response.mimetype == _STYLE))
    return response


@lru_cache(maxsize=_KEPT)
def _begun(code: bytes, is_style: bool) -> bytes:
    if not is_style:
        return _INDENTED_CODE.sub(b"", code)
    return _BLANKS.sub(lambda found: found[1] or found[2] or found[3], _REMARK.sub(b"", code)).strip()
