"""What is sent of styles and scripts: less than what is written, and the same."""

from __future__ import annotations

from werkzeug.wrappers import Response

from web.http.unindented import sent


def as_sent(text: str, mimetype: str) -> str:
    """Return what is sent of *text*."""
    return sent(Response(text, mimetype=mimetype)).get_data(as_text=True)


def test_a_style_is_sent_without_what_is_for_readers() -> None:
    """Styles: remarks and blanks around braces, commas and colons go; those of selectors, sums and strings stay."""
    rule = '/* why */\n.a .b:not(.c) > d {\n  margin: 0 calc(1px + 2px);\n  content: "a; \\"b: {c}, d";\n}\n'
    style = f"{rule}@media (width >= 4em) {{\n}}\n"

    assert as_sent(style, "text/css") == (
        '.a .b:not(.c) > d{margin:0 calc(1px + 2px);content:"a; \\"b: {c}, d";}@media (width >= 4em){}'
    )


def test_lines_of_a_script_keep_their_numbers() -> None:
    """Scripts: only what a line begins with goes, so that a browser names the line that is written."""
    assert as_sent('f({\n    a: "/* b */",\n});\n', "text/javascript") == 'f({\na: "/* b */",\n});\n'
