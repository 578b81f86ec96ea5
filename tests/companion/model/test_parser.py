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
    Flag,
    Line,
    Named,
    OrNull,
    Parser,
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
        (OrNull("move", "support"), "sleep", "dice must be one of move, support or null, not 'sleep'"),
    ],
)
def test_a_form_says_what_is_wrong_where(form, given, why):
    """Forms: the message names the field, the expected kind of value and the value that was given."""
    with pytest.raises(Malformed, match=re.escape(why)):
        form.read(Fields({"dice": given}), "dice", NOTHING_KNOWN)
