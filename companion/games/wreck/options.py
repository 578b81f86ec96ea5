"""The rulings that a table may choose, each with its default first."""

from __future__ import annotations

from companion.kernel.fields import Fields
from companion.kernel.said import said
from companion.kernel.values import dataclass
from companion.model.header import Ruling

RULINGS = (
    Ruling(
        "engine_room",
        said("What does the engine room do?"),
        (("always", said("one more with every call")), ("once", said("one more once a round, as the room action"))),
    ),
    Ruling(
        "tiles",
        said("How many tiles?"),
        (("rules", said("as the rules say")), ("free", said("as many as we like"))),
    ),
)
CHOICES = {ruling.name: ruling.words for ruling in RULINGS}


@dataclass(frozen=True)
class Options:
    """The chosen value of each ruling. The defaults are this program's reading of the rules."""

    engine_room: str = "always"
    tiles: str = "rules"


def options_from(value: object) -> Options:
    """Parse *value* as the options of a header. Missing options have their defaults. Raises `Malformed`."""
    given = Fields(value, "options")
    chosen = {name: given.word(name, words, words[0]) for name, words in CHOICES.items()}
    given.nothing_else()
    return Options(**chosen)
