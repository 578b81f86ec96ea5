"""The questions about a draw table, and their answers in words. Nothing about a draw table is hidden."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.draws.cubes import Counts, named, not_none
from companion.games.draws.odds import next_draw
from companion.games.draws.state import NOBODY, State
from companion.games.draws.turns import turn
from companion.kernel.said import Said, listed, percent, said, said_n, word
from companion.model.facts import SCORE, Answer, Fact, FactTable
from companion.model.speech import TURN

INSIDE, CHANCE, DRAWN, OUT, TOWER = "inside", "chance", "drawn", "out", "tower"


def _turn(state: State, seat: str | None) -> Answer:
    own = turn(state)
    who = own.text if own else said("Whoever likes draws.")
    return (who, said_n("%(num)s draw so far.", "%(num)s draws so far.", state.draws))


def _score(state: State, seat: str | None) -> Answer:
    return (said("Nobody scores at this table."),)


def _inside(state: State, seat: str | None) -> Answer:
    return (said("Inside: %(cubes)s.", cubes=_counted(state.inside)),)


def _chance(state: State, seat: str | None) -> Answer:
    """Return sentences that say how likely each colour is to come out next."""
    shares = [
        Said("%(colour)s %(share)s", {"colour": word(colour), "share": percent(share)})
        for colour, share in next_draw(state.inside).items()
        if share
    ]
    return (said("Next: %(shares)s.", shares=listed(shares)) if shares else said("Nothing is inside."),)


def _drawn(state: State, seat: str | None) -> Answer:
    """Return sentences that say which cubes each player has drawn since the table was opened."""
    drawers = [each for each in (*state.seats, NOBODY) if not_none(state.drew.get(each, {}))]
    return tuple(_by(state, each) for each in drawers) or (said("No draws yet."),)


def _by(state: State, seat: str) -> Said:
    cubes = _counted(state.drew[seat])
    if not seat:
        return said("The table drew %(cubes)s.", cubes=cubes)
    return said("%(name)s drew %(cubes)s.", name=state.name_of(seat), cubes=cubes)


def _out(state: State, seat: str | None) -> Answer:
    out = state.outside
    return (
        said("Not back: %(cubes)s.", cubes=_counted(out)) if any(out.values()) else said("Everything is back inside."),
    )


def _tower(state: State, seat: str | None) -> Answer:
    return (said("Stuck in the tower: %(cubes)s.", cubes=_counted(state.stuck)),)


def _counted(counts: Counts) -> Said:
    there = not_none(counts)
    return named(there) if there else said("nothing")


def _points(state: State, seat: str | None) -> Mapping[str, int]:
    return {}


FACTS = FactTable(
    (
        Fact(INSIDE, said("What's inside?")),
        Fact(CHANCE, said("What's the chance?")),
        Fact(DRAWN, said("Who drew what?")),
        Fact(OUT, said("What isn't back?")),
        Fact(TOWER, said("What's stuck in the tower?")),
    ),
    {TURN: _turn, SCORE: _score, INSIDE: _inside, CHANCE: _chance, DRAWN: _drawn, OUT: _out, TOWER: _tower},
    _points,
)
