"""Drawing: cubes are put inside, are drawn, and go back in."""

from __future__ import annotations

from random import Random
from typing import Annotated, assert_never

from companion.games.draws.cubes import (
    Cubed,
    Cubes,
    Handful,
    OneCubeOrMore,
    added,
    by_lot,
    by_whom,
    cubes_of,
    has,
    not_none,
    total,
    whose,
)
from companion.games.draws.state import NOBODY, BackAtOnce, BackIfSaid, Somebody, State, TablePull, WhoseIfAny
from companion.kernel.errors import Refused
from companion.kernel.fields import Line as RecordLine
from companion.kernel.said import Said, pattern, said, said_n, word
from companion.kernel.values import dataclass, replace
from companion.model.parser import Line
from companion.model.speech import RING
from companion.model.tellings import Occurrence, Rows, Telling, nobody

PULLS_KEPT = 24


@dataclass(frozen=True)
class Put(Line, do="put"):
    """Put new cubes inside.

    Example: ``{"do": "put", "cubes": {"red": 3}}``
    """

    cubes: Cubed
    player: WhoseIfAny = None


@dataclass(frozen=True)
class Draw(Line, do="draw"):
    """Record the cubes of one draw.

    If *player* is None, it is the player with the ring. If *back* is None, the cubes go back if the table plays that
    way.

    Example: ``{"do": "draw", "colour": "red"}``
    """

    cubes: Annotated[Cubes, OneCubeOrMore()]
    player: WhoseIfAny = None
    back: BackIfSaid = None


@dataclass(frozen=True)
class Return(Line, do="return"):
    """Put drawn cubes back inside.

    If *cubes* is None, put all of them back. If *player* is None, take them from all players who hold some.

    Example: ``{"do": "return"}``
    """

    cubes: Annotated[Cubes | None, Handful()] = None
    player: WhoseIfAny = None


@dataclass(frozen=True)
class PutIn:
    """New cubes were put inside."""

    cubes: Cubed


@dataclass(frozen=True)
class Drawn:
    """Cubes came out for *player* ("": for no particular player). *back* says that they went back inside at once."""

    player: Somebody
    cubes: Cubed
    back: BackAtOnce


@dataclass(frozen=True)
class WentBack:
    """Cubes that *player* held ("" means no particular player) went back inside."""

    player: Somebody
    cubes: Cubed


Command = Put | Draw | Return
Event = PutIn | Drawn | WentBack


def evolve(state: State, event: Event) -> State:
    """Return the state after *event*. It never refuses."""
    match event:
        case Drawn():
            return _drawn(state, event)
        case PutIn(cubes):
            known = state.with_colours(cubes)
            return replace(known, inside=added(known.inside, cubes))
        case WentBack(player, cubes):
            holds = {**state.holds, player: added(state.holds.get(player, {}), cubes, -1)}
            return replace(state, inside=added(state.inside, cubes), holds=holds)
        case _:
            assert_never(event)


def _drawn(state: State, event: Drawn) -> State:
    who, cubes = event.player, event.cubes
    pulls = (*state.pulls[-PULLS_KEPT + 1 :], TablePull(who, cubes, event.back))
    drew = {**state.drew, who: added(state.drew.get(who, {}), cubes)}
    if event.back:
        return replace(state, drew=drew, draws=state.draws + 1, pulls=pulls)
    holds = {**state.holds, who: added(state.holds.get(who, {}), cubes)}
    inside = added(state.inside, cubes, -1)
    return replace(state, inside=inside, drew=drew, holds=holds, draws=state.draws + 1, pulls=pulls)


def can_follow(state: State, event: Event) -> bool:
    """Return whether the cubes that *event* moves exist, and the table has room for new colours."""
    match event:
        case Drawn(_, cubes, _):
            return has(state.inside, cubes)
        case PutIn(cubes):
            return state.fits(cubes)
        case WentBack(player, cubes):
            return has(state.holds.get(player, {}), cubes)
        case _:
            assert_never(event)


def decide(state: State, command: Command) -> tuple[Event, ...]:
    """Return the events that *command* causes, or raise `Refused` with the rule that it violates."""
    match command:
        case Draw():
            return _draw(state, command)
        case Put():
            state.check_room(state.inside, command.cubes)
            return (PutIn(command.cubes),)
        case Return():
            return _back(state, command)
        case _:
            assert_never(command)


def _draw(state: State, command: Draw) -> tuple[Event, ...]:
    for colour, count in command.cubes:
        there = state.inside.get(colour, 0)
        if count > there:
            raise Refused(_too_few(colour, there))
    player = state.taker if command.player is None else command.player
    back = state.back if command.back is None else command.back
    return (Drawn(player, command.cubes, back),)


def _too_few(colour: str, there: int) -> Said:
    if not there:
        return said("There's no %(colour)s cube inside.", colour=word(colour))
    return said("Inside: %(colour)s, only %(count)s.", colour=word(colour), count=there)


def _back(state: State, command: Return) -> tuple[Event, ...]:
    holders = (NOBODY, *state.seats) if command.player is None else (command.player,)
    if command.cubes is None:
        found = tuple((seat, not_none(state.holds.get(seat, {}))) for seat in holders)
    else:
        found = tuple((seat, cubes) for seat, cubes in _gathered(state, holders, command.cubes))
    events = tuple(WentBack(seat, cubes) for seat, cubes in found if cubes)
    if not events:
        raise Refused(_nothing_out(state, command.player))
    return events


def _gathered(state: State, holders: tuple[str, ...], cubes: Cubes) -> list[tuple[str, Cubes]]:
    """Return the cubes that each holder gives back, so that together they are *cubes*.

    The holders come in the given order.

    Raises `Refused` if they hold too few.
    """
    missing, found = dict(cubes), []
    for seat in holders:
        held = state.holds.get(seat, {})
        given = tuple((colour, min(count, held.get(colour, 0))) for colour, count in missing.items())
        found.append((seat, tuple((colour, count) for colour, count in given if count)))
        missing = {colour: count - dict(given)[colour] for colour, count in missing.items()}
    short = next((colour for colour, count in missing.items() if count), None)
    if short is not None:
        out = dict(cubes)[short] - missing[short]
        raise Refused(said("Drawn and not back: %(colour)s, only %(count)s.", colour=word(short), count=out))
    return found


def _nothing_out(state: State, player: str | None) -> Said:
    if player:
        return said("%(name)s has nothing to put back.", name=state.name_of(player))
    return said("Everything is back inside.")


def choices(state: State, seat: str) -> tuple[Command, ...]:
    """Return the draws that *seat* can make: one cube of each colour that is inside."""
    if state.finished or seat not in state.seats:
        return ()
    return tuple(Draw(((colour, 1),), seat) for colour, _ in not_none(state.inside))


def cast_lots(state: State, line: RecordLine, lots: Random) -> RecordLine:
    """Return *line*. If it is a draw without cubes, add a colour that is drawn by lot."""
    if line.get("do") != "draw" or "colour" in line or "cubes" in line:
        return line
    bag = [colour for colour, count in not_none(state.inside) for _ in range(count)]
    return {**line, "colour": lots.choice(bag)} if bag else line


# Random play. A function returns None if its act isn't possible now.


def _draw_at_random(state: State, player: str | None, lots: Random) -> Command | None:
    """Return a draw of one cube, or sometimes of several."""
    cubes = by_lot(state.inside, lots, 1 if lots.random() < 0.8 else 3)
    return Draw(cubes, player, lots.choice((None, None, None, True, False))) if cubes else None


def _return_at_random(state: State, player: str | None, lots: Random) -> Command | None:
    """Return the command that puts everything back."""
    return Return() if any(state.outside.values()) else None


def put_at_random(state: State, player: str | None, lots: Random) -> Command:
    """Return the command that puts one cube in, which is nearly always possible."""
    return Put(((lots.choice(state.colours), 1),))


AT_RANDOM = ((24, _draw_at_random), (4, _return_at_random), (2, put_at_random))

# Words.


def _draws(what: Occurrence) -> Said:
    name, cubes = whose(what, what.before.taker if what.before else NOBODY), cubes_of(what)
    if not what.fields.get("back"):
        return _drew(name, cubes)
    if not name:
        return said("Drawn and put back: %(what)s", what=cubes)
    return said("%(name)s draws %(what)s, and it goes back", name=name, what=cubes)


def _drawn_aloud(what: Occurrence) -> Said:
    (colour, count), *more = what.fields["cubes"]
    return _drew(whose(what), word(colour) if count == 1 and not more else cubes_of(what))


def _drew(name: str, cubes: Said) -> Said:
    return said("%(name)s draws %(what)s", name=name, what=cubes) if name else said("Drawn: %(what)s", what=cubes)


def _put_in(what: Occurrence) -> Said:
    return said_n("%(num)s cube goes in", "%(num)s cubes go in", total(what.fields["cubes"]))


def _went_back(what: Occurrence) -> Said:
    return said_n("%(num)s cube goes back in", "%(num)s cubes go back in", total(what.fields["cubes"]))


SENTENCES: Rows = {
    PutIn: Telling(
        by_whom(pattern("%(name)s puts in %(cubes)s"), pattern("Put in: %(cubes)s")),
        "put",
        said("Put new cubes in whenever you like: up to 12 colours."),
        "contents",
        aloud=_put_in,
        possible=said("Put cubes in"),
        how=said("new ones, new colours too"),
    ),
    Drawn: Telling(
        _draws,
        "draw",
        said("It counts for whoever has the ring."),
        "draw",
        aloud=_drawn_aloud,
        topic=RING,
        possible=said("Draw"),
        how=said("tap a cube, or use the ring"),
    ),
    WentBack: Telling(
        by_whom(pattern("%(name)s puts back %(cubes)s"), pattern("Put back: %(cubes)s")),
        "return",
        said("Put back all of them, or tap the ones you mean."),
        "back",
        aloud=_went_back,
        about=nobody,
        possible=said("Put cubes back"),
        how=said("all of them, or some"),
    ),
}
