"""The forms of fields define how commands and events are written; the docstring of a command has an example."""

from __future__ import annotations

import json
import re
from importlib import import_module
from typing import Annotated

import pytest

from companion.games.registry import GAMES
from companion.kernel.errors import Malformed
from companion.kernel.fields import Fields
from companion.kernel.values import dataclass
from companion.model.parser import (
    NOTHING_KNOWN,
    Each,
    Flag,
    Inside,
    Line,
    Named,
    Object,
    OnlyOne,
    OrNull,
    Parser,
    Some,
    Text,
    Whole,
    Wholes,
    fields_of,
    members,
)

EXAMPLE = re.compile(r"Example: ``(\{.*?\})``", re.DOTALL)
COMMANDS = [
    pytest.param(name, kind, id=f"{name}-{kind.__name__}")
    for name in GAMES
    for kind in members(import_module(f"companion.games.{name}.rules").Command)
]


@dataclass(frozen=True)
class Fly(Line, do="fly"):
    """A command of an imaginary game."""

    source: Annotated[str, Named("from", Text())]
    energy: Annotated[int, Whole(0, 9)] = 1
    safely: Annotated[bool, Flag()] = True


@dataclass(frozen=True)
class Sleep(Line, do="sleep"):
    """A command with a field that has no form."""

    hours: int


@dataclass(frozen=True)
class Card:
    """A value inside a line."""

    worth: Annotated[int, Whole(0, 9)]
    back: Annotated[str | None, OrNull("gold")] = None


@dataclass(frozen=True)
class Hand:
    """A value for one field of several."""

    cards: Annotated[int, Whole(0, 5)]


NESTED = [
    (Each(OrNull("gold")), ["gold", None], ("gold", None)),
    (Each(Object(Card)), [{"worth": 3, "back": None}], (Card(3),)),
    (Object(Card, null=True), None, None),
    (Some({"one": Whole(0, 9), "two": Whole(0, 9)}), {"two": 2}, (("two", 2),)),
    (Inside(OnlyOne({"hand": Hand, "other": Card})), {"hand": 4}, Hand(4)),
]


@pytest.mark.parametrize(("form", "written", "value"), NESTED)
def test_a_form_inside_another_is_read_and_written(form, written, value):
    """Forms: lists and objects of other forms are read, and written back exactly."""
    line = {}
    form.write(line, "it", value)

    assert form.read(Fields({"it": written}), "it", NOTHING_KNOWN) == value
    assert line == {"it": written}


@pytest.mark.parametrize(("name", "kind"), COMMANDS)
def test_the_example_of_a_command_is_a_line_of_it(name, kind):
    """Docstrings: the example is parsed as that command, and written back exactly."""
    game = GAMES[name]
    (example,) = EXAMPLE.findall(kind.__doc__)
    line = json.loads(re.sub(r"\s+", " ", example))

    command = game.parse(line)
    assert type(command) is kind
    assert json.dumps(game.line(command)) == json.dumps(line)


@pytest.mark.parametrize("name", GAMES)
def test_every_event_can_be_written(name):
    """Events: each field has a form."""
    for kind in members(import_module(f"companion.games.{name}.rules").Event):
        assert [field.name for field in fields_of(kind)] == list(kind.__annotations__)


def test_what_has_its_default_is_left_out():
    """Lines: a field with a default may be left out, and is not written if it has that default."""
    parser = Parser.of(Fly)

    assert parser.parse({"do": "fly", "from": "p1"}) == Fly("p1")
    assert parser.line_of(Fly("p1", 1, False)) == {"do": "fly", "from": "p1", "safely": False}


def test_a_field_without_a_form_is_named():
    """Commands: a field without a form raises a TypeError that names it."""
    with pytest.raises(TypeError, match=r"Sleep\.hours has no form"):
        Parser.of(Sleep).parse({"do": "sleep", "hours": 8})


@pytest.mark.parametrize(
    ("form", "given", "why"),
    [
        (Wholes(1, 6, at_least=1), [], "dice must have at least one number"),
        (Each(Object(Card)), [{"worth": 3}, {"worth": 10}], "dice[1].worth must be 0 to 9, not 10"),
        (Object(Card), {"worth": 3, "more": 1}, "dice.more isn't a field here"),
        (Some({"one": Whole(0, 9)}), {}, "dice is empty"),
        (Inside(OnlyOne({"hand": Hand, "other": Hand})), {}, "give exactly one of hand, other, not 0"),
        (OrNull("move", "support"), "sleep", "dice must be one of move, support or null, not 'sleep'"),
    ],
)
def test_a_form_says_what_is_wrong_where(form, given, why):
    """Forms: the message names the field, the expected kind of value and the value that was given."""
    with pytest.raises(Malformed, match=re.escape(why)):
        form.read(Fields({"dice": given}), "dice", NOTHING_KNOWN)
