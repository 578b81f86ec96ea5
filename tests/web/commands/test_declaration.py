"""A command declared once appears everywhere: values, addresses, permissions of seats, and the API description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Any, get_args

import pytest

from companion.session.commands import Command, Move
from tests.web.served_house import ServedHouse
from web.api.openapi import description
from web.auth.phone_permissions import HOSTS
from web.commands.calibration import CALIBRATION_COMMANDS, CalibrationCommand
from web.commands.declaration import Declaration, by_word, text
from web.commands.table import COMMANDS, Moves, SlideOnce, TableCommand

EVERY = [*COMMANDS.values(), *CALIBRATION_COMMANDS.values()]


def family(union: object) -> set[type]:
    """Return every class of a union, including the classes of unions nested in it."""
    if isinstance(union, UnionType):
        return {each for part in get_args(union) for each in family(part)}
    assert isinstance(union, type)
    return {union}


@dataclass(frozen=True)
class Ring:
    """A command for this test, which rings a bell."""

    bell: str


def test_each_command_of_the_table_can_be_asked_for() -> None:
    """Commands: every class of `Command` has a name; a single move is sent as a list of moves."""
    assert {each.make for each in COMMANDS.values()} == family(Command) - {Move} | {Moves, SlideOnce}
    assert family(TableCommand) == family(Command) | {Moves, SlideOnce}


def test_each_command_of_the_ring_can_be_asked_for() -> None:
    """Commands: every class of `CalibrationCommand` has a name."""
    assert {each.make for each in CALIBRATION_COMMANDS.values()} == family(CalibrationCommand)


@pytest.mark.parametrize("declared", EVERY, ids=lambda declared: declared.word)
def test_a_declaration_names_what_its_command_is_made_of(declared: Declaration[Any]) -> None:
    """Commands: the parameters that are read are exactly the fields of the command's class."""
    made: Any = declared.make

    assert [each.name for each in declared.parameters] == list(made.__annotations__)


def test_a_command_has_an_address_by_being_declared(site: ServedHouse) -> None:
    """Commands: every command has an address for forms under its own name, except "bring", the upload of a file."""
    routes = site.app.url_map.bind("localhost")
    found = {each.word for each in EVERY if routes.test(f"{each.under}/{each.word}", "POST")}

    assert found == {each.word for each in EVERY} - {"bring"}


@pytest.mark.parametrize(("path", "declared"), [("/deeds", COMMANDS), ("/ring/deeds", CALIBRATION_COMMANDS)])
def test_a_command_is_described_by_being_declared(path: str, declared: Mapping[str, Declaration[Any]]) -> None:
    """Commands: the API description lists every command with its parameters."""
    post = description()["paths"][f"/api/v1{path}"]["post"]
    body = post["requestBody"]["content"]["application/json"]["schema"]

    assert body["properties"]["deed"]["enum"] == sorted(declared)
    assert [each["properties"]["deed"]["const"] for each in body["oneOf"]] == sorted(declared)
    assert all(each.in_short in body["description"] for each in declared.values())
    assert {"429", "503"} <= set(post["responses"])


def test_what_nobody_says_is_the_hosts() -> None:
    """Rights: a command that declares no permission for seats is only for the host."""
    declared = Declaration("ring", Ring, "A bell rings.", (text("bell"),))

    assert declared.of_seats is HOSTS
    assert declared.schema["description"] == "A bell rings. For the host."
    assert declared.read({"bell": " big "}) == Ring("big")


def test_one_word_is_one_command() -> None:
    """Commands: declaring the same name twice is an error."""
    declared = Declaration("ring", Ring, "A bell rings.", (text("bell"),))

    with pytest.raises(AssertionError, match="one word"):
        by_word(declared, declared)
