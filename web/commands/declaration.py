"""How a command is declared: its word, its parameters and its permission.

Forms and the API use the same declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from companion.kernel.errors import Malformed
from companion.model.snapshot import Snapshot, Status
from web.auth.phone_permissions import HOSTS, PhonePermission
from web.http.request_parsing import strict, whole_number, words

Made = TypeVar("Made")
Fields = Mapping[str, Any]
Json = dict[str, Any]
Now = Callable[[Snapshot, Fields], bool]
"""Tells whether the table would accept a command now, regardless of the sender."""


def always(snapshot: Snapshot, fields: Fields) -> bool:
    """The command is possible at any time."""
    return True


def playing(snapshot: Snapshot, fields: Fields) -> bool:
    """The command is possible while the game is in progress, and after its end to correct something."""
    return snapshot.status in (Status.LIVE, Status.FINISHED)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a command, read from strict JSON or from the texts of a form.

    *sent* is its name in the body if that differs from *name*. *says* is its description in a list of commands.
    *needed* says that it is required.
    """

    name: str
    read: Callable[[Fields], object]
    schema: Json
    sent: str = ""
    says: str = ""
    needed: bool = True

    @property
    def word(self) -> str:
        """Its name in a request's body."""
        return self.sent or self.name

    def value(self, fields: Fields) -> object:
        """Return its value from *fields*, or raise `Malformed` with its name."""
        try:
            return self.read(fields)
        except Malformed as fault:
            raise Malformed(fault.reason, fault.field or self.word) from fault


@dataclass(frozen=True)
class Declaration(Generic[Made]):
    """The declaration of a command, identified by its *word*. By default only the host may use it.

    *make* is called with the parameters by name. *of_seats* says when a seat's phone may use the command. *now* says
    when the table would accept it; pages offer it only then. *under* is the URL prefix for its form. *only* describes a
    restriction in words.
    """

    word: str
    make: Callable[..., Made]
    description: str
    parameters: tuple[Parameter, ...] = ()
    of_seats: PhonePermission = HOSTS
    under: str = "/table"
    only: str = ""
    now: Now = always

    def read(self, fields: Fields) -> Made:
        """Return the command with the parameters in *fields*, or raise `Malformed`."""
        return self.make(**{each.name: each.value(fields) for each in self.parameters})

    @property
    def in_short(self) -> str:
        """The command's word and parameters, as one text."""
        said = ", ".join(filter(None, (*(each.says or each.word for each in self.parameters), self.only)))
        return f"`{self.word}` ({said})" if said else f"`{self.word}`"

    @property
    def schema(self) -> Json:
        """The JSON Schema of its request body."""
        return {
            "description": f"{self.description} For {self.of_seats.whom}.",
            "required": ["deed", *(each.word for each in self.parameters if each.needed)],
            "properties": {"deed": {"const": self.word}, **{each.word: each.schema for each in self.parameters}},
        }


def by_word(*declared: Declaration[Made]) -> Mapping[str, Declaration[Made]]:
    """Return the declarations by their words."""
    found = {each.word: each for each in declared}
    assert len(found) == len(declared), "one word, one command"
    return found


def under(declared: Mapping[str, Declaration[Any]], folder: str) -> str:
    """Return a route converter that matches the words of the commands under *folder*."""
    return f"any({', '.join(word for word, each in declared.items() if each.under == folder)})"


def whole(name: str) -> Parameter:
    """Return a parameter for a whole number."""
    return Parameter(name, lambda fields: whole_number(fields.get(name), name), {"type": "integer"})


def text(name: str, most: int = 200, called: str = "", says: str = "") -> Parameter:
    """Return a parameter for a short text; *called* is its name in error messages."""
    schema = {"type": "string", "minLength": 1, "maxLength": most}
    return Parameter(name, lambda fields: words(fields.get(name), called or name, most), schema, says=says)


def text_or_none(name: str) -> Parameter:
    """Return a parameter for a short text, or None if it is empty or missing."""

    def read(fields: Fields) -> str | None:
        return words(fields[name], name) if fields.get(name) else None

    return Parameter(name, read, {"type": ["string", "null"], "maxLength": 200}, needed=False)


def object_or_text(value: Any) -> Any:
    """Return *value*. Parse it first if it is a text, since forms send JSON objects as text."""
    return strict(value) if isinstance(value, str) else value
