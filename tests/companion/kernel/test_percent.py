"""Chances in words: one function rounds percentages for every page, command and response."""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from itertools import pairwise

import pytest

from companion.app.cli.main import main
from companion.kernel.said import percent
from tests.product_source import SUFFIXES, files
from web.http.formatting import percent as shown

ONE_PLACE = "companion/kernel/said.py"
SHARES_OF_MANY = {"companion/app/cli/simulated_ring.py"}
"""Modules that print measured shares of thousands of passages, with thousandths of a percent."""


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (Fraction(494, 495), "over 99%"),
        (Fraction(1, 495), "under 1%"),
        (Fraction(995, 1000), "over 99%"),
        (Fraction(5, 1000), "under 1%"),
        (1 - 1e-12, "over 99%"),
        (Fraction(7, 12), "58%"),
        (0, "0%"),
        (1, "100%"),
        (0.0, "0%"),
        (1.0, "100%"),
    ],
)
def test_only_what_is_certain_is_called_certain(share: float | Fraction, words: str) -> None:
    """Chances: 0% and 100% mean impossible and certain; values near them are "under 1%" or "over 99%"."""
    assert percent(share) == words
    assert shown(share) == words


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((12, 8, 4), "over 99%"),
        ((1000, 1, 1), "under 1%"),
        ((100, 50, 50), "over 99%"),
        ((4, 1, 4), "100%"),
        ((9, 0, 4), "0%"),
    ],
)
def test_the_command_says_what_pages_say(
    given: tuple[int, int, int], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`companion odds`: a chance is computed exactly before it is rounded, so a large number never makes it certain."""
    stations, own, draws = given

    assert main(["odds", "--stations", str(stations), "--own", str(own), "--draws", str(draws)]) == 0
    assert capsys.readouterr().out.startswith(f"A centre: {words}. ")


def test_no_other_place_rounds_to_percent() -> None:
    """Chances: in code and templates, only one function formats percentages."""
    sources = files("%", "toFixed", rooms=("companion", "web"), suffixes=SUFFIXES)
    found = {place for place, text in sources if _rounds(place, text)}

    assert found - SHARES_OF_MANY == {ONE_PLACE}


def _rounds(place: str, text: str) -> bool:
    if not place.endswith(".py"):
        return "%%" in text or "toFixed" in text
    return any(_writes_percent(node) for node in ast.walk(ast.parse(text)))


def _writes_percent(node: ast.AST) -> bool:
    """Return True if *node* is a text with a percent sign after a value, or a value formatted in percent."""
    match node:
        case ast.FormattedValue(format_spec=ast.JoinedStr(values=[ast.Constant(value=str(spec))])):
            return spec.endswith("%")
        case ast.JoinedStr(values=values):
            after = [text for gap, text in pairwise(values) if isinstance(gap, ast.FormattedValue)]
            return any(isinstance(each, ast.Constant) and re.match(r"\s?%", str(each.value)) for each in after)
        case ast.Constant(value=str(text)):
            return bool(re.search(r"\)s\s?%%", text))
        case _:
            return False
