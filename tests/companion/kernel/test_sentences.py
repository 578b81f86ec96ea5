"""Every sentence that may reach a page is marked for translation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from companion.games.andromeda import GAME
from companion.games.andromeda.rules import candidates
from companion.games.andromeda.state import KINDS
from companion.kernel.errors import Refused
from companion.kernel.said import Said
from tests.companion.games.andromeda.stories import states
from tests.effort import seeds
from tests.product_source import files

MISTAKES = {
    "Refused",
    "Malformed",
    "FlawedObject",
    "MovedOn",
    "BadCalibration",
    "WireLost",
    "Unreadable",
}
"""Exceptions whose text is shown to users."""
FOR_PAGES = {"Notice", "Doubt", "Cause", "RingFault"}
"""Classes with text for a page; some of their fields are plain words, such as a name or a kind."""
SPOKEN = {"said", "said_n"}
PATTERNS = SPOKEN | {"pattern"}
"""Functions that take a pattern, which is filled at once or later."""
ASKED = MISTAKES | FOR_PAGES | PATTERNS
FOR_CATALOGUES = PATTERNS | {"_", "ngettext"}
"""Functions whose texts are extracted for the catalogues."""
AT_A_TERMINAL = {"bring_up", "cli", "conformance", "flashing", "terminal"}
"""Folders whose texts are for a terminal, which are English only."""
GAP = re.compile(r"%\((\w+)\)s")


def modules(*words: str) -> Iterator[tuple[str, str]]:
    """Yield the path and text of each module that contains one of *words* and whose texts may reach a page."""
    found = files(*words, rooms=("companion", "firmware_bridge"))
    return ((path, text) for path, text in found if not AT_A_TERMINAL & set(path.split("/")))


def calls(names: set[str]) -> Iterator[tuple[str, ast.Call]]:
    """Yield the position and node of each call to one of *names*, which are some of ASKED."""
    assert names <= ASKED
    return ((where, node) for where, node in all_calls() if getattr(node.func, "id", "") in names)


@cache
def all_calls() -> list[tuple[str, ast.Call]]:
    """Return the position and node of each call to one of ASKED. Parsing takes most of the time, so it is done once."""
    return [
        (f"{path}:{node.lineno}", node)
        for path, text in modules(*ASKED)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ASKED
    ]


def literal(node: ast.expr) -> bool:
    """Return whether *node* is a string literal, a concatenation of them, or an f-string."""
    plain = isinstance(node, ast.Constant) and isinstance(node.value, str)
    glued = isinstance(node, ast.BinOp) and any(literal(each) for each in (node.left, node.right))
    return plain or glued or isinstance(node, ast.JoinedStr)


def patterns(call: ast.Call) -> list[str]:
    """Return the literal patterns in a call to `said`, `said_n` or `pattern`."""
    count = 2 if getattr(call.func, "id", "") == "said_n" else 1
    return [str(each.value) for each in call.args[:count] if isinstance(each, ast.Constant)]


def test_what_is_refused_is_said():
    """Sentences: every refusal is a translatable sentence, not a plain or concatenated string."""
    bare = [where for where, call in calls(MISTAKES) if any(literal(each) for each in call.args[:1])]

    assert bare == []


def test_what_a_page_shows_is_said():
    """Sentences: notices, doubts, their causes and ring faults contain translatable sentences, not plain strings."""
    texts = [(where, each) for where, call in calls(FOR_PAGES) for each in call.args if literal(each)]
    sentences = [where for where, each in texts if isinstance(each, ast.Constant) and " " in str(each.value)]

    assert sentences == []


def test_a_catalogue_can_find_every_pattern():
    """Sentences: each pattern is a literal where it is used, with a value for each of its placeholders."""
    wrong = []
    for where, call in calls(SPOKEN):
        written = patterns(call)
        given = {each.arg for each in call.keywords} | ({"num"} if len(written) == 2 else set())
        wanted = {gap for each in written for gap in GAP.findall(each)}
        if len(written) != len(call.args[:2] if getattr(call.func, "id", "") == "said_n" else call.args[:1]):
            wrong.append(f"{where}: not written out")
        elif wanted != given - ({"num"} - wanted) and not (None in given and given - {None} <= wanted):
            wrong.append(f"{where}: {wanted ^ given}")

    assert wrong == []


def test_no_sentence_stands_in_an_f_string():
    """Sentences: no translation function is called inside an f-string, where extraction would not find it."""
    found = files("ngettext(", "_(", "said(", "said(", "said_n(", "pattern(", rooms=("companion", "web"))
    trees = ((path, ast.parse(text)) for path, text in found if "{" in text)
    glued = ((path, each) for path, tree in trees for each in ast.walk(tree) if isinstance(each, ast.JoinedStr))
    called = ((path, each) for path, text in glued for each in ast.walk(text) if isinstance(each, ast.Call))

    assert [f"{path}:{each.lineno}" for path, each in called if getattr(each.func, "id", "") in FOR_CATALOGUES] == []


def test_every_pattern_formats_with_its_fills():
    """Sentences: no pattern has a stray percent sign, and every pattern uses all its values when formatted."""
    for where, call in calls(PATTERNS):
        for pattern in patterns(call):
            fills = {name: f"<{name}>" for name in GAP.findall(pattern)}
            text = str(Said(pattern, fills)) if fills else pattern

            assert text.count("%") == (pattern.count("%%") if fills else 0), where
            assert all(fill in text for fill in fills.values()), where


def test_colours_and_credits_are_words_of_their_own():
    """The catalogue of sentences has each colour, with a small and a capital letter, and each kind of credit."""
    written = {pattern for _, call in calls(PATTERNS) for pattern in patterns(call)}

    assert written >= {*KINDS, "red", "blue", "green", "yellow", "black", "Red", "Blue", "Green", "Yellow", "Black"}


@pytest.mark.parametrize("seed", seeds(3))
def test_whatever_the_rules_refuse_is_said(seed):
    """Sentences: in random games, every refusal of the rules is a translatable sentence."""
    refusals = 0
    for state, _ in states(seed, lines=150):
        for command in (each for seat in state.colours for each in candidates(state, seat)):
            try:
                GAME.decide(state, command)
            except Refused as refusal:
                refusals += 1
                assert isinstance(refusal.reason, Said), refusal

    assert refusals > 0
