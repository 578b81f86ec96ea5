"""The sentences of Sum to 31: in the history, aloud, and for beginners."""

from __future__ import annotations

from companion.kernel.said import Said, pattern, said
from companion.model.speech import TURN, Utterance, Verbosity
from companion.model.tellings import Occurrence, Telling, Tellings, nobody
from tests.sum_game.rules.events import Corrected, Taken
from tests.sum_game.rules.state import State


def turn(state: State) -> Utterance | None:
    """Return whose turn it is, or None after the end."""
    if not state.mover:
        return None
    text = said("%(name)s, take a chip.", name=state.name_of(state.mover))
    return Utterance(text, (state.mover,), Verbosity.FEW, TURN)


def taken_aloud(what: Occurrence) -> Said:
    """Return the sentence for a chip that is taken, with the new sum."""
    value = what.fields["value"]
    return said("%(name)s takes %(value)s: %(total)s", name=what.name, value=value, total=what.before.total + value)


TELLINGS = Tellings(
    turn,
    {
        "name": lambda what: what.name,
        "value": lambda what: what.fields["value"],
        "total": lambda what: what.fields["total"],
    },
    {
        Taken: Telling(
            pattern("%(name)s takes a %(value)s"),
            do="take",
            means=said("The chip's value is added to the sum."),
            card="turn",
            aloud=taken_aloud,
        ),
        Corrected: Telling(
            pattern("The sum is now %(total)s"),
            do="correct",
            means=said("The table has counted again."),
            card="turn",
            about=nobody,
        ),
    },
)
