"""Styles and scripts are sent minified: fewer bytes with the same effect."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from werkzeug.wrappers import Response

from web.http.compact import compacted

WEB = Path(__file__).parents[3] / "web"
SCRIPTS = {str(path.relative_to(WEB)): path for path in sorted(WEB.glob("**/*.js"))}


def as_sent(text: str, mimetype: str) -> str:
    """Return *text* as the server sends it."""
    return compacted(Response(text, mimetype=mimetype)).get_data(as_text=True)


def test_a_style_is_sent_without_what_is_for_readers() -> None:
    """Styles: comments, spaces and last semicolons are removed, except in selectors, `calc()` and strings."""
    rule = '/* why */\n.a .b:not(.c) > d {\n  margin: 0 calc(1px + 2px);\n  content: "a; \\"b: {c}, d";\n}\n'
    style = f"{rule}@media (width >= 4em) {{\n}}\n"

    assert as_sent(style, "text/css") == (
        '.a .b:not(.c) > d{margin:0 calc(1px + 2px);content:"a; \\"b: {c}, d"}@media (width >= 4em){}'
    )


def test_lines_of_a_script_keep_their_numbers() -> None:
    """Scripts: comment lines become empty lines and indents are removed, so browsers report the right line numbers."""
    script = '/* who\n * calls it */\nf({\n    // why\n    a: "/* b */", // c\n});\n'

    assert as_sent(script, "text/javascript") == '\n\nf({\n\na: "/* b */", // c\n});\n'


@pytest.mark.parametrize("path", [pytest.param(path, id=name) for name, path in SCRIPTS.items()])
def test_no_string_of_a_script_has_lines_like_remarks(path: Path) -> None:
    """Scripts: no template string has a line that looks like a comment, which would be removed."""
    for string in re.findall(r"`[^`]*`", path.read_text(encoding="utf-8")):
        assert not re.search(r"\n\s*(//|/\*)", string), string
