"""Every sentence of a page is in the catalogues."""

from __future__ import annotations

from pathlib import Path

import pytest

import web
from tests.web.left_out import left_out

WEB = Path(web.__file__).parent
TEMPLATES = sorted(path.relative_to(WEB).as_posix() for path in WEB.rglob("*.html"))


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_says_nothing_by_itself(name: str) -> None:
    """Languages: every text of a template, read aloud or shown, goes through a catalogue."""
    assert left_out((WEB / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("<b>Go on</b>", ["Go on"]),
        ('<b>{{ _("Go on") }}</b>', []),
        ('<b>{{ "Go on" if host else "Watch" }}</b>', ["Go on", "Watch"]),
        ('<i aria-label="Back"></i><i class="btn go"></i>', ["Back"]),
        ('<input placeholder="{{ _("Name") }}" title="Your {{ thing }}">', ["Your"]),
        ('{{ bar("Games", back="/") }}', ["Games"]),
        ('{{ bar(_("Games"), aside=_("%(a)s", a="All of them")) }}', ["All of them"]),
        ("<b>{{ count }} cards</b>", ["cards"]),
        ("<b>{{ ms }} ms</b><style>b { color: red }</style>", []),
    ],
)
def test_what_is_left_out_is_found(source: str, found: list[str]) -> None:
    """Languages: the check finds untranslated text, attributes for screen readers, and strings in expressions."""
    assert left_out(source) == found
