"""Checks of the values in options, `[tool.pytest-rungs]`, faults.toml and markers, before anything runs.

A wrong value is reported in one sentence: where it is, which value is expected, and which was given.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf, isnan
from numbers import Real
from pathlib import Path
from typing import Any


class Wrong(ValueError):
    """A value is not as expected. The message is one sentence."""


@dataclass(frozen=True)
class Kind:
    """What a value has to be, in *words*, and whether it *fits*. *read* reads it from the command line.

    >>> COUNT.check("'baud'", 9600)
    9600
    >>> COUNT.check("'baud'", "9600")
    Traceback (most recent call last):
    rungs.settings.Wrong: 'baud' is a whole number from 1, not '9600'.
    """

    words: str
    fits: Callable[[Any], bool]
    read: Callable[[str], Any] = str

    def check(self, where: str, value: object) -> Any:
        """Return *value*. Raise `Wrong` if it does not fit."""
        if not self.fits(value):
            raise Wrong(f"{where} is {self.words}, not {value!r}.")
        return value

    def __call__(self, text: str) -> Any:
        """Return the value of an option as argparse stores it."""
        with suppress(ValueError):
            if self.fits(value := self.read(text)):
                return value
        raise argparse.ArgumentTypeError(f"{self.words}, not {text!r}")


def number(least: float = -inf, whole: bool = False) -> Kind:
    """Return the kind of a number that is *least* or more.

    >>> number(0)("1.5"), number(whole=True)("-3"), number(1, whole=True).fits(0), number(0).fits(True)
    (1.5, -3, False, False)
    """
    kind = "a whole number" if whole else "a number"
    words = kind if least == -inf else f"{kind} from {least:g}"
    types = int if whole else (int, float)

    def fits(value: object) -> bool:
        return isinstance(value, types) and not isinstance(value, bool) and not isnan(value) and value >= least

    return Kind(words, fits, int if whole else float)


def address(text: str) -> tuple[str, int]:
    """Return the host and the port of `HOST:PORT`. Raise `Wrong` if it is something else.

    >>> address("127.0.0.1:4000"), address(":0")
    (('127.0.0.1', 4000), ('127.0.0.1', 0))
    """
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > MOST_PORT:
        raise Wrong(f"{text!r} is no address HOST:PORT.")
    return host or "127.0.0.1", int(port)


def _is_address(text: str) -> bool:
    with suppress(Wrong):
        return bool(address(text))
    return False


def _may_be_folder(value: object) -> bool:
    """Return whether *value* is a folder or can be created as one."""
    if not isinstance(value, str):
        return False
    path = Path(value).absolute()
    return next(each for each in (path, *path.parents) if each.exists()).is_dir()


def _may_be_file(value: str) -> bool:
    """Return whether *value* is a file or can be created in its folder."""
    return Path(value).absolute().parent.is_dir() and not Path(value).is_dir()


def _texts(value: object, kind: type = list) -> bool:
    values = value.values() if isinstance(value, Mapping) else value
    return isinstance(value, kind) and all(isinstance(each, str) for each in values)  # type: ignore[attr-defined]


MOST_PORT = 65_535
ADDRESS = Kind("an address HOST:PORT", _is_address)
ANCHOR = Kind("an anchor, such as PROTOCOL.md#3", lambda value: isinstance(value, str) and all(value.partition("#")))
COUNT = number(1, whole=True)
FILE = Kind("a file in a folder that exists", _may_be_file)
FOLDER = Kind("a folder, which may be new", _may_be_folder)
HAND = Kind("an address HOST:PORT, or nothing", lambda value: value == "tty" or _is_address(value))
LEAST = number(0, whole=True)
NUMBER = Kind("a number", lambda value: isinstance(value, Real) and not isinstance(value, bool))
NAME = Kind("a text that is not empty", lambda value: isinstance(value, str) and value != "")
SECONDS = number(0)
TABLE = Kind("a table", lambda value: isinstance(value, Mapping))
TABLES = Kind("a list of tables", lambda value: isinstance(value, list) and all(map(TABLE.fits, value)))
TEXT = Kind("a text", lambda value: isinstance(value, str))
TEXTS = Kind("a list of texts", _texts)
DIFFERENT = Kind("a list of different texts", lambda value: _texts(value) and len(set(value)) == len(value))
WORDS = Kind("a table of texts", lambda value: _texts(value, dict))
TABLE_OF_TABLES = Kind(
    "a table of tables of texts", lambda value: TABLE.fits(value) and all(map(WORDS.fits, value.values()))
)


def check_table(where: str, table: Mapping[str, object], kinds: Mapping[str, Kind], needed: Sequence[str] = ()) -> None:
    """Raise `Wrong` if *table* has a key that is not one of *kinds*, a value of another kind, or lacks a *needed* key.

    >>> check_table("faults.toml", {"leest": 3}, {"least": number(0)})
    Traceback (most recent call last):
    rungs.settings.Wrong: faults.toml: 'leest' is unknown, choose from least.
    """
    for key, value in table.items():
        if key not in kinds:
            raise Wrong(f"{where}: {key!r} is unknown, choose from {', '.join(kinds)}.")
        kinds[key].check(f"{where}: {key!r}", value)
    for key in needed:
        if key not in table:
            raise Wrong(f"{where} has no {key!r}.")


def _is_given(value: object) -> bool:
    return value is not None and value is not False


def check_needs(needs: Mapping[str, str], given: Mapping[str, object]) -> None:
    """Raise `Wrong` if an option is *given* without the option that it *needs*.

    >>> check_needs({"--lose": "--damage"}, {"lose": True, "damage": None})
    Traceback (most recent call last):
    rungs.settings.Wrong: --lose needs --damage.
    """
    for option, other in needs.items():
        has, has_other = (_is_given(given[each.strip("-").replace("-", "_")]) for each in (option, other))
        if has and not has_other:
            raise Wrong(f"{option} needs {other}.")


def check_capability(where: str, word: str, capabilities: Sequence[str] | None) -> None:
    """Raise `Wrong` if *word* is not one of the suite's *capabilities*; without a list of them, any word is allowed."""
    if capabilities is not None and word not in capabilities:
        raise Wrong(f"{where} {word!r}, but the suite's capabilities are {', '.join(capabilities)}.")
