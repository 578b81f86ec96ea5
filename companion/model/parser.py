"""Record lines and commands of a game: each is the other, written differently; a game says how for each `do`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Fields, Line

Command = TypeVar("Command")
Reader = Callable[[Fields], Command]
Writer = Callable[[Any], Line]


class Parser(Generic[Command]):
    """The lines of one game: *readers* by `do`, and for each kind of command its `do` and the writer of its fields."""

    def __init__(self, readers: Mapping[str, Reader[Command]], writers: Mapping[type, tuple[str, Writer]]) -> None:
        self._readers = readers
        self._writers = writers

    def parse(self, line: Line) -> Command:
        """Return the command a record line asks for, or raise `Malformed` naming the field at fault.

        The line holds `do` and the command's own fields, nothing else.
        """
        fields = Fields(line)
        command = self._readers[fields.word("do", self._readers)](fields)
        fields.nothing_else()
        return command

    def line_of(self, command: Command) -> Line:
        """Return the record line of *command*; `parse` gives it back."""
        do, write = self._writers[type(command)]
        return {"do": do, **write(command)}


def of_player(kind: Callable[[str], Command]) -> Reader[Command]:
    """Return the reader of a command that says no more than who gives it."""
    return lambda fields: kind(fields.text("player"))


def as_they_are(*names: str) -> Writer:
    """Return the writer of fields that are called and written as the command has them."""
    return lambda command: {name: getattr(command, name) for name in names}


def only_one(fields: Fields, names: Iterable[str]) -> str:
    """Return the one of *names* that is there, or raise `Malformed` where none is or several are."""
    words = tuple(names)
    given = [name for name in words if fields.has(name)]
    if len(given) != 1:
        raise Malformed(said("give exactly one of %(words)s, not %(count)s", words=", ".join(words), count=len(given)))
    return given[0]
