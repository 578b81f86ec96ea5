"""Styles and scripts are sent minified: fewer bytes with the same effect."""

from __future__ import annotations

import re
from gzip import decompress
from pathlib import Path

import pytest
from werkzeug.wrappers import Response

import web
from tests.web.served_house import ServedHouse
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
    """Scripts: comments and indents are removed, but no line break, so browsers report the right line numbers."""
    script = '/* who\n * calls it */\nf({\n    // why\n    a: "/* b */", // c\n    d: "; // e",\n});\n'

    assert as_sent(script, "text/javascript") == '\n\nf({\n\na: "/* b */",\nd: "; // e",\n});\n'


@pytest.mark.parametrize("path", [pytest.param(path, id=name) for name, path in SCRIPTS.items()])
def test_no_string_of_a_script_has_lines_like_remarks(path: Path) -> None:
    """Scripts: no template string has a line that looks like a comment, which would be removed."""
    for string in re.findall(r"`[^`]*`", path.read_text(encoding="utf-8")):
        assert not re.search(r"\n\s*(//|/\*)|[]\[(){},;] //[^\n\"']*\n", string), string


GZIP = {"Accept-Encoding": "gzip, deflate"}


@pytest.mark.parametrize("path", ["/", "/static/tokens.css", "/static/live.js"])
def test_what_is_sent_packed_is_the_same(site: ServedHouse, path: str) -> None:
    """Compression: a client that accepts gzip gets at most a third of the bytes, and the same text."""
    plain = site.visitor().get(path, buffered=True)
    packed = site.visitor().get(path, headers=GZIP, buffered=True)

    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data) / 2
    assert len(decompress(packed.data)) == len(plain.data)
    assert "Content-Encoding" not in plain.headers


def test_scripts_are_sent_without_indentation_and_remarks(site: ServedHouse) -> None:
    """Minified script: each line keeps its number and its code; only comments and indents are removed."""
    written = (Path(web.__file__).parent / "static/live.js").read_text(encoding="utf-8")

    sent = site.visitor().get("/static/live.js", buffered=True)

    lines = [line.lstrip(" ") for line in written.split("\n")]
    kept = [(mine, line) for mine, line in zip(sent.text.split("\n"), lines, strict=True) if mine != line]
    removed = "\n".join(line.removeprefix(mine) for mine, line in kept)
    assert re.sub(r"//.*|/\*(?s:.*?)\*/", "", removed).strip() == ""
    assert int(sent.headers["Content-Length"]) == len(sent.data)


def test_styles_are_sent_without_blanks_and_remarks(site: ServedHouse) -> None:
    """A minified style is sent as written, except for spaces, comments and the last semicolons of rules."""
    written = (Path(web.__file__).parent / "static/tokens.css").read_text(encoding="utf-8")

    sent = site.visitor().get("/static/tokens.css", buffered=True).text

    without = "".join(re.sub(r"/\*.*?\*/", "", written, flags=re.DOTALL).split())
    assert "".join(sent.split()) == without.replace(";}", "}")
    assert len(sent) < 0.8 * len(written)


def test_no_word_of_a_style_looks_like_a_remark() -> None:
    """Minified style: comments are removed anywhere, so no string in a style may contain the start of one."""
    styles = [path.read_text("utf-8") for path in Path(web.__file__).parent.rglob("*.css")]

    assert [found for style in styles for found in re.findall(r"""["'][^"'\n]*/\*[^"'\n]*["']""", style)] == []


def test_no_text_of_a_script_runs_over_lines() -> None:
    """Minified script: leading spaces are removed, so no template string may span several lines."""
    scripts = Path(web.__file__).parent.rglob("*.js")

    assert [path.name for path in scripts for line in path.read_text("utf-8").splitlines() if line.count("`") % 2] == []


def test_what_a_device_has_is_not_sent_again(site: ServedHouse) -> None:
    """Compression: an unchanged style is answered with 304."""
    visitor = site.visitor()
    tag = visitor.get("/static/tokens.css", headers=GZIP, buffered=True).headers["ETag"]

    again = visitor.get("/static/tokens.css", headers={**GZIP, "If-None-Match": tag}, buffered=True)

    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("path", ["/static/icon-192.png", "/api/v1/state"])
def test_what_gains_nothing_is_sent_as_it_is(site: ServedHouse, path: str) -> None:
    """Compression: pictures and answers for programs are not compressed."""
    assert "Content-Encoding" not in site.visitor().get(path, headers=GZIP, buffered=True).headers
