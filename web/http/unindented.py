"""Leaves indentation out of pages, styles and scripts: it is for whoever reads them, and a tenth of the bytes."""

from __future__ import annotations

import re
from functools import lru_cache

from jinja2.ext import Extension
from werkzeug.wrappers import Response

_INDENTED = re.compile(r"\n[ \t]+")
_INDENTED_CODE = re.compile(rb"(?<=\n)[ \t]+")
_CODE = ("text/css", "text/javascript", "application/javascript")
_KEPT = 64  # all the styles and scripts of a house


class Unindented(Extension):
    """Templates whose lines begin with one space at most: that one may be all there is between two words."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return *source* with one space for all that a line begins with."""
        return _INDENTED.sub("\n ", source)


def sent(response: Response) -> Response:
    """Return *response* with each line of a style or script begun where it says something; lines keep their numbers."""
    if response.status_code == 200 and response.mimetype in _CODE:
        response.direct_passthrough = False
        response.set_data(_begun(response.get_data()))
    return response


@lru_cache(maxsize=_KEPT)
def _begun(code: bytes) -> bytes:
    return _INDENTED_CODE.sub(b"", code)
