"""No sentence for people is left out inside: whatever may reach a page can be said in another language too."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from companion.games.andromeda import GAME
from companion.games.andromeda.legal_moves import candidates
from companion.games.andromeda.state import KINDS
from companion.kernel.errors import Refused
from companion.kernel.i18n import Said
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
"""What is raised to be shown."""
FOR_PAGES = {"Notice", "Doubt", "Cause", "RingFault"}
"""What holds words for a page; each has plain words (a name, a kind) too."""
SPOKEN = {"said", "said_n"}
PATTERNS = SPOKEN | {"pattern"}
"""What holds a pattern, filled at once or later."""
FOR_CATALOGUES = PATTERNS | {"_", "lazy", "ngettext"}
"""What a catalogue's words are gathered from."""
AT_A_TERMINAL = {"bring_up", "cli", "conformance", "flashing", "terminal"}
"""Folders whose words are for a terminal, which speaks English."""
GAP = re.compile(r"%\((\w+)\)s")


def modules(*words: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of the modules that hold one of *words* and whose own words may reach a page."""
    found = files(*words, rooms=("companion", "firmware_bridge"))
    return ((path, text) for path, text in found if not AT_A_TERMINAL & set(path.split("/")))


def calls(names: set[str]) -> Iterator[tuple[str, ast.Call]]:
    """Yield where each call of one of *names* stands, and the call."""
    for path, text in modules(*names):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in names:
                yield f"{path}:{node.lineno}", node


def literal(node: ast.expr) -> bool:
    """Tell whether *node* makes a text on the spot."""
    plain = isinstance(node, ast.Constant) and isinstance(node.value, str)
    glued = isinstance(node, ast.BinOp) and any(literal(each) for each in (node.left, node.right))
    return plain or glued or isinstance(node, ast.JoinedStr)


def patterns(call: ast.Call) -> list[str]:
    """Return the patterns of a call of `said`, `said_n` or `pattern`, those that are written out."""
    count = 2 if getattr(call.func, "id", "") == "said_n" else 1
    return [str(each.value) for each in call.args[:count] if isinstance(each, ast.Constant)]


def test_what_is_refused_is_said():
    """Sentences: every refusal is said, never a bare text or one that is put together on the spot."""
    bare = [where for where, call in calls(MISTAKES) if any(literal(each) for each in call.args[:1])]

    assert bare == []


def test_what_a_page_shows_is_said():
    """Sentences: notices, doubts, their causes and a ring's faults hold no bare sentence."""
    texts = [(where, each) for where, call in calls(FOR_PAGES) for each in call.args if literal(each)]
    sentences = [where for where, each in texts if isinstance(each, ast.Constant) and " " in str(each.value)]

    assert sentences == []


def test_a_catalogue_can_find_every_pattern():
    """Sentences: a pattern is written out where it is said, with a fill, or a mapping, for each of its gaps."""
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
    """Sentences: none is said inside an f-string, where no catalogue looks for it."""
    found = files("ngettext(", "_(", "lazy(", "said(", "said_n(", "pattern(", rooms=("companion", "web"))
    trees = ((path, ast.parse(text)) for path, text in found if "{" in text)
    glued = ((path, each) for path, tree in trees for each in ast.walk(tree) if isinstance(each, ast.JoinedStr))
    called = ((path, each) for path, text in glued for each in ast.walk(text) if isinstance(each, ast.Call))

    assert [f"{path}:{each.lineno}" for path, each in called if getattr(each.func, "id", "") in FOR_CATALOGUES] == []


def test_every_pattern_formats_with_its_fills():
    """Sentences: no pattern has a stray percent sign, and each says what fills it."""
    for where, call in calls(PATTERNS):
        for pattern in patterns(call):
            fills = {name: f"<{name}>" for name in GAP.findall(pattern)}
            text = str(Said(pattern, fills)) if fills else pattern

            assert text.count("%") == (pattern.count("%%") if fills else 0), where
            assert all(fill in text for fill in fills.values()), where


def test_colours_and_credits_are_words_of_their_own():
    """Sentences: a catalogue knows the colours of the box, also where a sentence begins, and the kinds of credit."""
    written = {pattern for _, call in calls(PATTERNS) for pattern in patterns(call)}

    assert written >= {*KINDS, "red", "blue", "green", "yellow", "black", "Red", "Blue", "Green", "Yellow", "Black"}


@pytest.mark.parametrize("seed", seeds(3))
def test_whatever_the_rules_refuse_is_said(seed):
    """Sentences: in games by chance, every command that is refused is refused in a sentence with a pattern."""
    refusals = 0
    for state, _ in states(seed, lines=150):
        for command in (each for seat in state.colours for each in candidates(state, seat)):
            try:
                GAME.decide(state, command)
            except Refused as refusal:
                refusals += 1
                assert isinstance(refusal.reason, Said), refusal

    assert refusals > 0
