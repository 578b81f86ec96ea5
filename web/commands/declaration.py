"""How a command is declared to the web: its word, what it is made of, whose it is. Forms and scripts read the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from companion.kernel.errors import Malformed
from companion.model.snapshot import Snapshot, Status
from web.auth.seat_permissions import HOSTS, SeatRight
from web.http.request_parsing import strict, whole_number, words

Made = TypeVar("Made")
Fields = Mapping[str, Any]
Json = dict[str, Any]
Now = Callable[[Snapshot, Fields], bool]
"""Whether the table as it stands would do a command, whoever asks."""


def always(snapshot: Snapshot, fields: Fields) -> bool:
    """Nothing stands against it."""
    return True


def playing(snapshot: Snapshot, fields: Fields) -> bool:
    """While the game goes on, and when it is over: what is played can be put right then."""
    return snapshot.status in (Status.LIVE, Status.FINISHED)


@dataclass(frozen=True)
class Parameter:
    """One thing that a command is made of: read from strict JSON or a form's texts alike, or `Malformed`.

    *sent* is its name in the body where that is another one, *says* how a
    list of commands calls it; *needed*: it must be sent.
    """

    name: str
    read: Callable[[Fields], object]
    schema: Json
    sent: str = ""
    says: str = ""
    needed: bool = True

    @property
    def word(self) -> str:
        """Its name in a body."""
        return self.sent or self.name

    def value(self, fields: Fields) -> object:
        """Return it as it is in *fields*, or raise `Malformed` with its name."""
        try:
            return self.read(fields)
        except Malformed as fault:
            raise Malformed(fault.reason, fault.field or self.word) from fault


@dataclass(frozen=True)
class Declaration(Generic[Made]):
    """A command as the web knows it, under the *word* that asks for it; what nobody says is the host's.

    *make* takes the parameters by their names, *of_seats* says when a phone
    that has joined a seat may do it, *now* when the table would, so that pages
    offer it only then; *under* is where its form is sent to, *only* what it is
    limited to.
    """

    word: str
    make: Callable[..., Made]
    description: str
    parameters: tuple[Parameter, ...] = ()
    of_seats: SeatRight = HOSTS
    under: str = "/table"
    only: str = ""
    now: Now = always

    def read(self, fields: Fields) -> Made:
        """Return the command that *fields* ask for, or raise `Malformed`."""
        return self.make(**{each.name: each.value(fields) for each in self.parameters})

    @property
    def in_short(self) -> str:
        """Its word, and what is said with it."""
        said = ", ".join(filter(None, (*(each.says or each.word for each in self.parameters), self.only)))
        return f"`{self.word}` ({said})" if said else f"`{self.word}`"

    @property
    def schema(self) -> Json:
        """Its body as JSON Schema."""
        return {
            "description": f"{self.description} For {self.of_seats.whom}.",
            "required": ["deed", *(each.word for each in self.parameters if each.needed)],
            "properties": {"deed": {"const": self.word}, **{each.word: each.schema for each in self.parameters}},
        }


def by_word(*declared: Declaration[Made]) -> Mapping[str, Declaration[Made]]:
    """Return what is *declared* by its word."""
    found = {each.word: each for each in declared}
    assert len(found) == len(declared), "one word, one command"
    return found


def under(declared: Mapping[str, Declaration[Any]], folder: str) -> str:
    """Return the words whose forms are sent to *folder*, as the converter of a route that takes any of them."""
    return f"any({', '.join(word for word, each in declared.items() if each.under == folder)})"


def whole(name: str) -> Parameter:
    """Return a parameter that is a whole number."""
    return Parameter(name, lambda fields: whole_number(fields.get(name), name), {"type": "integer"})


def text(name: str, most: int = 200, called: str = "", says: str = "") -> Parameter:
    """Return a parameter that is a short text; refusals call it *called*."""
    schema = {"type": "string", "minLength": 1, "maxLength": most}
    return Parameter(name, lambda fields: words(fields.get(name), called or name, most), schema, says=says)


def text_or_none(name: str) -> Parameter:
    """Return a parameter that is a short text, None where it is empty or missing."""

    def read(fields: Fields) -> str | None:
        return words(fields[name], name) if fields.get(name) else None

    return Parameter(name, read, {"type": ["string", "null"], "maxLength": 200}, needed=False)


def object_or_text(value: Any) -> Any:
    """Return what a form sends as the text of a JSON object, or *value* as a program sends it."""
    return strict(value) if isinstance(value, str) else value
