"""The turns and the end: who has the ring and draws, and whether drawn cubes go back at once."""

from __future__ import annotations

from random import Random
from typing import assert_never

from companion.games.draws.cubes import whose
from companion.games.draws.state import NOBODY, BackAtOnce, BackIfSaid, Somebody, State, WhoseIfAny
from companion.kernel.errors import Refused
from companion.kernel.said import Said, said
from companion.kernel.values import dataclass, replace
from companion.model.parser import Line
from companion.model.speech import TURN, Utterance, Verbosity
from companion.model.tellings import Occurrence, Rows, Silent, Telling


@dataclass(frozen=True)
class TakeRing(Line, do="take"):
    """Give the ring to *player* (None means no particular player), and set whether drawn cubes go *back* at once.

    Example: ``{"do": "take", "player": "Anna"}``
    """

    player: WhoseIfAny = None
    back: BackIfSaid = None


@dataclass(frozen=True)
class Finish(Line, do="finish"):
    """Close the table.

    Example: ``{"do": "finish"}``
    """


@dataclass(frozen=True)
class Taken:
    """*player* has the ring from now on. *back* says whether drawn cubes go back at once from now on."""

    player: Somebody
    back: BackAtOnce


@dataclass(frozen=True)
class Finished:
    """The table was closed: nothing more is drawn."""


Command = TakeRing | Finish
Event = Taken | Finished


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case Taken(player, back):
            return replace(state, taker=player, back=back)
        case Finished():
            return replace(state, finished=True)
        case _:
            assert_never(event)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the events that *command* causes, or raise `Refused` with the rule that it violates."""
    match command:
        case TakeRing():
            return _take(state, command)
        case Finish():
            return (Finished(),)
        case _:
            assert_never(command)


def _take(state: State, command: TakeRing) -> tuple[Event, ...]:
    player, back = command.player or NOBODY, state.back if command.back is None else command.back
    if (player, back) == (state.taker, state.back):
        raise Refused(said("The ring is there already."))
    return (Taken(player, back),)


def _take_at_random(state: State, player: str | None, lots: Random) -> Command | None:
    """Return the command that gives the ring to *player*, or None if that changes nothing."""
    taken = TakeRing(player, lots.choice((None, True, False)))
    changed = (player or NOBODY, state.back if taken.back is None else taken.back) != (state.taker, state.back)
    return taken if changed else None


AT_RANDOM = ((4, _take_at_random),)

# Words.


def turn(state: State) -> Utterance | None:
    """Return a sentence that says who has the ring. Return None if no player has it, or after the end."""
    if not state.taker or state.finished:
        return None
    text = said("%(name)s draws.", name=state.name_of(state.taker))
    return Utterance(text, (state.taker,), Verbosity.FEW, TURN)


def _takes(what: Occurrence) -> Said:
    if what.fields.get("back"):
        return said("Draws go back at once")
    if "back" in what.fields:
        return said("Draws stay outside")
    return _has_ring(whose(what))


def _taken(what: Occurrence) -> Said | None:
    return None if what.seat in ("", what.before.taker) else _has_ring(whose(what))


def _has_ring(name: str) -> Said:
    return said("%(name)s has the ring", name=name) if name else said("Nobody has the ring")


SENTENCES: Rows = {
    Taken: Telling(_takes, "take", said("Tap a player to hand the ring over."), "draw", aloud=_taken),
    Finished: Telling(
        said("The table is closed."),
        "finish",
        said("This table is closed. Undo to go on."),
        "draw",
        aloud=Silent("the narrator says the result"),
    ),
}
