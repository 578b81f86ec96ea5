"""Corrections: the players have counted the cubes inside or in the tower, and their numbers count from now on."""

from __future__ import annotations

from random import Random
from typing import Annotated, Any, NamedTuple

from companion.games.draws import tower
from companion.games.draws.cubes import Cubes, Handful, counts_from, named, not_none
from companion.games.draws.state import State
from companion.kernel.errors import Refused
from companion.kernel.fields import Fields
from companion.kernel.said import Said, said
from companion.kernel.values import dataclass, replace
from companion.model.parser import Form, Known, Line, OneOf, Text, only_one
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
class Correct(Line, do="correct"):
    """Set the counts of one place to the numbers that the players have counted.

    Example: ``{"do": "correct", "reason": "x", "inside": {"red": 1, "blue": 0}}``
    """

    reason: Annotated[str, Text()]
    what: Annotated[Counted, CountedForm()]


@dataclass(frozen=True)
class Corrected:
    """The counts of *place* were set to the numbers that the players counted."""

    place: Annotated[str, OneOf(*PLACES)]
    counts: Annotated[Cubes, CountsOfAPlace()]


def evolve(state: State, event: Corrected) -> State:
    """Return the state after *event*. It never refuses."""
    state = state.with_colours(event.counts)
    if event.place == "inside":
        return replace(state, inside={**state.inside, **dict(event.counts)})
    return tower.counted(state, dict(event.counts))


def can_follow(state: State, event: Corrected) -> bool:
    """Return whether the table has room for the colours that were counted."""
    return state.fits(event.counts)


def decide(state: State, command: Correct) -> tuple[Corrected, ...]:
    """Return the event of a correction, or raise `Refused` with the rule that it violates."""
    if not command.reason.strip():
        raise Refused(said("Say what changes, and why."))
    place, counts = command.what
    before = state.inside if place == "inside" else state.stuck
    if all(before.get(colour, 0) == count for colour, count in counts):
        raise Refused(said("That's what is counted already."))
    state.check_colours(counts)
    return (Corrected(place, counts),)


def _correct_at_random(state: State, player: str | None, lots: Random) -> Correct:
    """Return the command that counts one more cube of a colour inside."""
    colour = lots.choice(state.colours)
    return Correct("counted", Counted("inside", ((colour, state.inside[colour] + 1),)))


AT_RANDOM = ((1, _correct_at_random),)

# Words.


def _counts(what: Occurrence) -> Said:
    place = "tower" if "tower" in what.fields else "inside"
    there = not_none(what.fields[place])
    cubes = named(there) if there else said("none")
    if place == "tower":
        return said("Counted in the tower: %(cubes)s", cubes=cubes)
    return said("Counted inside: %(cubes)s", cubes=cubes)


SENTENCES: Rows = {
    Corrected: Telling(
        _counts,
        "correct",
        said("Does the bag disagree? Count again; the draws stay as they are."),
        "contents",
        aloud=Silent("who counts sees what lies there"),
        possible=said("Count again"),
        how=said("bring the numbers to the cubes"),
    ),
}
