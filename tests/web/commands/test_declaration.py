"""What is declared once is everywhere: the values, the addresses, the rights of seats, the description for programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import UnionType
from typing import Any, get_args

import pytest

from companion.session.commands import Command, Move
from tests.web.served_house import ServedHouse
from web.api.openapi import description
from web.auth.seat_permissions import HOSTS
from web.commands.calibration import CALIBRATION_COMMANDS, CalibrationCommand
from web.commands.declaration import Declaration, by_word, text
from web.commands.table import COMMANDS, Moves, SlideOnce, TableCommand

EVERY = [*COMMANDS.values(), *CALIBRATION_COMMANDS.values()]


def family(union: object) -> set[type]:
    """Every class of a union, those of the unions in it too."""
    if isinstance(union, UnionType):
        return {each for part in get_args(union) for each in family(part)}
    assert isinstance(union, type)
    return {union}


@dataclass(frozen=True)
class Ring:
    """Ring a bell."""

    bell: str


def test_each_command_of_the_table_can_be_asked_for() -> None:
    """Commands: no value of the family without a word; a line comes as one of several."""
    assert {each.make for each in COMMANDS.values()} == family(Command) - {Move} | {Moves, SlideOnce}
    assert family(TableCommand) == family(Command) | {Moves, SlideOnce}


def test_each_command_of_the_ring_can_be_asked_for() -> None:
    """Commands: no step of calibrating without a word."""
    assert {each.make for each in CALIBRATION_COMMANDS.values()} == family(CalibrationCommand)


@pytest.mark.parametrize("declared", EVERY, ids=lambda declared: declared.word)
def test_a_declaration_names_what_its_command_is_made_of(declared: Declaration[Any]) -> None:
    """Commands: what is read is what the value holds, no more and no less."""
    made: Any = declared.make

    assert [each.name for each in declared.parameters] == list(made.__annotations__)


def test_a_command_has_an_address_by_being_declared(site: ServedHouse) -> None:
    """Commands: a form finds every one of them under its own word, but a file, which has a page of its own."""
    routes = site.app.url_map.bind("localhost")
    found = {each.word for each in EVERY if routes.test(f"{each.under}/{each.word}", "POST")}

    assert found == {each.word for each in EVERY} - {"bring"}


@pytest.mark.parametrize(("path", "declared"), [("/deeds", COMMANDS), ("/ring/deeds", CALIBRATION_COMMANDS)])
def test_a_command_is_described_by_being_declared(path: str, declared: Mapping[str, Declaration[Any]]) -> None:
    """Commands: programs are told of every one, and of what it is made."""
    post = description()["paths"][f"/api/v1{path}"]["post"]
    body = post["requestBody"]["content"]["application/json"]["schema"]

    assert body["properties"]["deed"]["enum"] == sorted(declared)
    assert [each["properties"]["deed"]["const"] for each in body["oneOf"]] == sorted(declared)
    assert all(each.in_short in body["description"] for each in declared.values())
    assert {"429", "503"} <= set(post["responses"])


def test_what_nobody_says_is_the_hosts() -> None:
    """Rights: a command that says nothing of seats is not for them."""
    declared = Declaration("ring", Ring, "A bell rings.", (text("bell"),))

    assert declared.of_seats is HOSTS
    assert declared.schema["description"] == "A bell rings. For the host."
    assert declared.read({"bell": " big "}) == Ring("big")


def test_one_word_is_one_command() -> None:
    """Commands: a word that is taken is not declared again."""
    declared = Declaration("ring", Ring, "A bell rings.", (text("bell"),))

    with pytest.raises(AssertionError, match="one word"):
        by_word(declared, declared)
