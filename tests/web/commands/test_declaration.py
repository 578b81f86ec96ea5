"""What is declared once is everywhere: the values, the addresses, the rights of seats, the description for programs."""

from __future__ import annotations

from dataclasses import dataclass, fields
from types import UnionType
from typing import Any, get_args

import pytest

from companion.session.commands import Command, Move
from tests.web.served_house import ServedHouse
from web.api.openapi import description
from web.auth.seat_permissions import HOSTS
from web.commands.declaration import Declaration, by_word, text
from web.commands.table import COMMANDS, Moves, Slide, TableCommand


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
    assert {each.make for each in COMMANDS.values()} == family(Command) - {Move} | {Moves, Slide}
    assert family(TableCommand) == family(Command) | {Moves, Slide}


@pytest.mark.parametrize("word", COMMANDS)
def test_a_declaration_names_what_its_command_is_made_of(word: str) -> None:
    """Commands: what is read is what the value holds, no more and no less."""
    declared = COMMANDS[word]
    made: Any = declared.make

    assert [each.name for each in declared.parameters] == [each.name for each in fields(made)]


@pytest.mark.parametrize("word", COMMANDS)
def test_a_command_has_an_address_by_being_declared(site: ServedHouse, word: str) -> None:
    """Commands: a form finds every one of them under its own word."""
    routes = site.app.url_map.bind("localhost")

    assert routes.test(f"{COMMANDS[word].under}/{word}", "POST")


def test_a_command_is_described_by_being_declared() -> None:
    """Commands: programs are told of every one, and of what it is made."""
    body = description()["paths"]["/api/v1/deeds"]["post"]["requestBody"]["content"]["application/json"]["schema"]

    assert [each["properties"]["deed"]["const"] for each in body["oneOf"]] == sorted(COMMANDS)
    assert "`answer` (question, chosen)" in body["description"]


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
