"""Every command declares its progress lines, or the reason why it has none."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from enum import StrEnum

import pytest

from companion.app.cli.registry import COMMANDS, CommandGroup
from tests.product_source import files

LINES = ("watching", "measuring")
"""Functions that show a progress line; their first argument is its text."""


class NoLine(StrEnum):
    """Why a command shows no progress line."""

    QUICK = "done within two seconds, with a hundred games"
    WAITS = "waits some seconds at most for a ring that may not answer"
    SPEAKS = "says itself what happens while it goes on, or asks"


PROGRESS: Mapping[str, tuple[str, ...] | NoLine] = {
    "serve": NoLine.SPEAKS,
    "replay": ("Replaying",),
    "verify": ("Verifying",),
    "utterances": ("Reading",),
    "simulate": ("Playing",),
    "odds": NoLine.QUICK,
    "calibrate": NoLine.SPEAKS,
    "calibration export": NoLine.QUICK,
    "calibration import": NoLine.QUICK,
    "games": NoLine.QUICK,
    "export": NoLine.QUICK,
    "import": ("Reading",),
    "draws": ("Reading games",),
    "fairness": ("Reading games",),
    "fairness bench": NoLine.SPEAKS,
    "luck": ("Working out luck",),
    "share": ("Making the page",),
    "statistics": ("Looking at games",),
    "merge": ("Checking", "Playing", "Merging"),
    "names list": NoLine.QUICK,
    "names rename": NoLine.QUICK,
    "names remove": NoLine.QUICK,
    "backup": ("Copying",),
    "restore": ("Checking", "Playing"),
    "doctor": ("Checking the ledger",),
    "pin": NoLine.QUICK,
    "update": NoLine.SPEAKS,
    "rollback": NoLine.SPEAKS,
    "ring list": NoLine.QUICK,
    "ring info": NoLine.WAITS,
    "ring watch": NoLine.SPEAKS,
    "ring mock": NoLine.SPEAKS,
    "ring emulate": NoLine.SPEAKS,
    "ring check": ("Checking the ring",),
    "ring judge": NoLine.QUICK,
    "ring recognise": ("Sliding cubes", "Calibrating and sliding"),
    "firmware info": NoLine.QUICK,
    "firmware build": NoLine.QUICK,
    "firmware install": NoLine.SPEAKS,
    "firmware restore": NoLine.SPEAKS,
    "console try": NoLine.SPEAKS,
    "club new": NoLine.QUICK,
    "club admit": NoLine.QUICK,
    "club revoke": NoLine.QUICK,
    "club renew": NoLine.QUICK,
    "club join": NoLine.QUICK,
    "club leave": NoLine.QUICK,
    "club serve": NoLine.SPEAKS,
    "club status": NoLine.QUICK,
    "club verify": ("Checking", "Checking the ledger"),
    "club export": NoLine.QUICK,
    "club league": NoLine.QUICK,
    "club people": NoLine.QUICK,
    "home": NoLine.QUICK,
}
"""For each command, the first words of its progress lines, or the reason why it has none."""


def commands() -> Iterator[str]:
    """Yield the full name of each command."""
    for first, entry in COMMANDS.items():
        match entry:
            case CommandGroup(commands=several, alone=alone):
                yield from (f"{first} {second}" for second in several)
                yield from () if alone is None else (first,)
            case _:
                yield first


def lines_in(source: str) -> Iterator[str]:
    """Yield the first words of each progress line in *source*, up to the first placeholder."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[ast.Constant(value=str(words)), *_]) if name in LINES:
                yield words
            case ast.Call(
                func=ast.Name(id=name), args=[ast.JoinedStr(values=[ast.Constant(value=str(words)), *_]), *_]
            ) if name in LINES:
                yield words.strip()


def test_every_command_says_how_long_it_takes() -> None:
    """Commands: every registered command has an entry in PROGRESS."""
    assert set(commands()) == set(PROGRESS)


def test_every_line_is_some_commands() -> None:
    """Commands: the progress lines in the source are exactly those in PROGRESS."""
    shown = {words for _path, text in files(*LINES, rooms=("companion/app",)) for words in lines_in(text)}

    assert shown == {words for lines in PROGRESS.values() if not isinstance(lines, NoLine) for words in lines}


@pytest.mark.parametrize(
    ("call", "words"),
    [('watching("Reading", "lines")', "Reading"), ('watching(f"Playing {name}", "games")', "Playing")],
)
def test_a_line_is_found_by_its_first_words(call: str, words: str) -> None:
    """Commands: `lines_in` finds a constant text, and the constant beginning of an f-string."""
    assert list(lines_in(f"with {call} as watch:\n    pass\n")) == [words]
