"""Leaves out of pages what lays templates out: indentation is for whoever reads them, and a sixth of the bytes."""

from __future__ import annotations

import re

from jinja2.ext import Extension

_INDENTED = re.compile(r"\n[ \t]+")


class Unindented(Extension):
    """Templates whose lines begin with one space at most: that one may be all there is between two words."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return *source* with one space for all that a line begins with."""
        return _INDENTED.sub("\n ", source)
