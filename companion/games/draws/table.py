"""The table: who has the ring, what the players have counted, and the end."""

from __future__ import annotations

from random import Random
from typing import Annotated, Any, NamedTuple, assert_never

from companion.games.draws import tower
from companion.games.draws.cubes import Cubes, Handful, counts_from, named, not_none, whose
from companion.games.draws.state import NOBODY, BackAtOnce, BackIfSaid, Somebody, State, WhoseIfAny
from companion.kernel.errors import Refused
from companion.kernel.fields import Fields
from companion.kernel.said import Said, said
from companion.kernel.values import dataclass, replace
from companion.model.parser import Form, Known, Line, OneOf, Text, only_one
from companion.model.speech import TURN, Utterance, Verbosity
from companion.model.tellings import Occurrence, Rows, Silent, Telling

PLACES = ("inside", "tower")


class Counted(NamedTuple):
    """The counted cubes of a *place* (`inside` or `tower`). The counts of missing colours do not change."""

    place: str
    counts: Cubes


class CountedForm(Form):
    """One field, named after the place that was counted. Example: ``"inside": {"red": 3}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Counted:
        """Read the only field that the line has, `inside` or `tower`."""
        place = only_one(fields, PLACES)
        return Counted(place, tuple(counts_from(fields.take(place), place).items()))

    def write(self, line: dict[str, Any], name: str, value: Counted) -> None:
        """Write the counts to the field named after the counted place."""
        line[value.place] = dict(value.counts)


class CountsOfAPlace(Handful):
    """The counts of some colours; 0 is allowed. Example: ``{"red": 2, "blue": 0}``"""

    def read(self, fields: Fields, name: str, known: Known) -> Cubes:
        """Read the counts from field *name*."""
        return tuple(counts_from(fields.take(name), fields.where(name)).items())


@dataclass(frozen=True)
class Take(Line, do="take"):
    """Give the ring to *player* (None means no particular player), and set whether drawn cubes go *back* at once.

    Example: ``{"do": "take", "player": "Anna"}``
    """

    player: WhoseIfAny = None
    back: BackIfSaid = None


@dataclass(frozen=True)
class Correct(Line, do="correct"):
    """Set the counts of one place to the numbers that the players have counted.

    Example: ``{"do": "correct", "reason": "x", "inside": {"red": 1, "blue": 0}}``
    """

    reason: Annotated[str, Text()]
    what: Annotated[Counted, CountedForm()]


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
class Corrected:
    """The counts of *place* were set to the numbers that the players counted."""

    place: Annotated[str, OneOf(*PLACES)]
    counts: Annotated[Cubes, CountsOfAPlace()]


@dataclass(frozen=True)
class Finished:
    """The table was closed: nothing more is drawn."""


Command = Take | Correct | Finish
Event = Taken | Corrected | Finished


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case Taken(player, back):
            return replace(state, taker=player, back=back)
        case Corrected():
            return _corrected(state.with_colours(event.counts), event)
        case Finished():
            return replace(state, finished=True)
        case _:
            assert_never(event)


def _corrected(state: State, event: Corrected) -> State:
    if event.place == "inside":
        return replace(state, inside={**state.inside, **dict(event.counts)})
    return tower.counted(state, dict(event.counts))


def can_follow(state: State, event: Event) -> bool:
    """Return whether the table has room for the colours that were counted."""
    return not isinstance(event, Corrected) or state.fits(event.counts)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the events that *command* causes, or raise `Refused` with the rule that it violates."""
    match command:
        case Take():
            return _take(state, command)
        case Correct():
            return _correct(state, command)
        case Finish():
            return (Finished(),)
        case _:
            assert_never(command)


def _take(state: State, command: Take) -> tuple[Event, ...]:
    player, back = command.player or NOBODY, state.back if command.back is None else command.back
    if (player, back) == (state.taker, state.back):
        raise Refused(said("The ring is there already."))
    return (Taken(player, back),)


def _correct(state: State, command: Correct) -> tuple[Event, ...]:
    if not command.reason.strip():
        raise Refused(said("Say what changes, and why."))
    place, counts = command.what
    before = state.inside if place == "inside" else state.stuck
    if all(before.get(colour, 0) == count for colour, count in counts):
        raise Refused(said("That's what is counted already."))
    state.check_colours(counts)
    return (Corrected(place, counts),)


def _take_at_random(state: State, player: str | None, lots: Random) -> Command | None:
    """Return the command that gives the ring to *player*, or None if that changes nothing."""
    taken = Take(player, lots.choice((None, True, False)))
    changed = (player or NOBODY, state.back if taken.back is None else taken.back) != (state.taker, state.back)
    return taken if changed else None


def _correct_at_random(state: State, player: str | None, lots: Random) -> Command:
    """Return the command that counts one more cube of a colour inside."""
    colour = lots.choice(state.colours)
    return Correct("counted", Counted("inside", ((colour, state.inside[colour] + 1),)))


AT_RANDOM = ((4, _take_at_random), (1, _correct_at_random))

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


def _counts(what: Occurrence) -> Said:
    place = "tower" if "tower" in what.fields else "inside"
    there = not_none(what.fields[place])
    cubes = named(there) if there else said("none")
    if place == "tower":
        return said("Counted in the tower: %(cubes)s", cubes=cubes)
    return said("Counted inside: %(cubes)s", cubes=cubes)


ROWS: Rows = {
    Taken: Telling(_takes, "take", said("Tap a player to hand the ring over."), "draw", aloud=_taken),
    Corrected: Telling(
        _counts,
        "correct",
        said("Does the bag disagree? Count again; the draws stay as they are."),
        "contents",
        aloud=Silent("who counts sees what lies there"),
        possible=said("Count again"),
        how=said("bring the numbers to the cubes"),
    ),
    Finished: Telling(
        said("The table is closed."),
        "finish",
        said("This table is closed. Undo to go on."),
        "draw",
        aloud=Silent("the narrator says the result"),
    ),
}
