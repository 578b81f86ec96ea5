"""The parser that tests use for pages."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from tests.web.markup import MarkupReader
from tests.web.served_house import ServedHouse

ODD = """<p title='a "b" &lt; c' data-x=1 hidden>1 &amp; 2<br /><img alt="x > y" src="/a/"/></p><!-- <b> -->
<script>if (a < b && "</p>") {}</script><textarea>&eacute;</textarea>"""


class _Told:
    def __init__(self, html: str) -> None:
        super().__init__()
        self.told: list[tuple[object, ...]] = []
        self.feed(html)  # type: ignore[attr-defined]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.told.append(("start", tag, attrs))

    def handle_endtag(self, tag: str) -> None:
        self.told.append(("end", tag))

    def handle_data(self, data: str) -> None:
        self.told.append(("text", data))


class _Ours(_Told, MarkupReader):
    pass


class _Theirs(_Told, HTMLParser):
    pass


@pytest.mark.parametrize("path", ["", "/", "/table", "/table/menu", "/ring", "/new"])
def test_pages_are_read_as_by_the_parser_of_the_standard_library(site: ServedHouse, path: str) -> None:
    """Pages: our parser reports the same tags, attributes and texts as Python's, even for unusual markup."""
    html = site.host().get(path) if path else ODD

    assert _Ours(html).told == _Theirs(html).told
