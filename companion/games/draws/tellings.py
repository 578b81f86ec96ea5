"""The sentences of a draw table: who has the ring, and three for each event (spoken, in the history, for beginners)."""

from __future__ import annotations

from companion.games.draws.cubes import Cubes, not_none, total
from companion.games.draws.events import CameOut, Corrected, Drawn, Finished, PutIn, Taken, Thrown, WentBack
from companion.games.draws.state import State, name_of
from companion.kernel.said import Said, said, said_n, series, word
from companion.model.speech import RING, TURN, Utterance, Verbosity
from companion.model.tellings import Occurrence, Silent, Telling, Tellings, nobody


def turn(state: State) -> Utterance | None:
    """Return a sentence that says who has the ring. Return None if no player has it, or after the end."""
    if not state.taker or state.finished:
        return None
    text = said("%(name)s draws.", name=name_of(state, state.taker))
    return Utterance(text, (state.taker,), Verbosity.FEW, TURN)


def named(cubes: Cubes) -> Said:
    """Return *cubes* in words: "2 red and 1 blue"."""
    return series([said("%(num)s %(colour)s", num=count, colour=word(colour)) for colour, count in cubes])


def _name(what: Occurrence) -> str:
    """Return the name of the player of an event or line.

    A draw without a player belongs to the player who had the ring.
    """
    taker = what.before.taker if what.before and what.fields.get("do") == "draw" else ""
    return what.names.get(what.fields.get("player", taker), "")


def _cubes(what: Occurrence) -> Said:
    if "colour" in what.fields:
        return word(what.fields["colour"])
    return named(not_none(dict(what.fields["cubes"]))) if "cubes" in what.fields else said("all")


def _drawn(what: Occurrence) -> Said:
    (colour, count), *more = what.fields["cubes"]
    return _drew(_name(what), word(colour) if count == 1 and not more else _cubes(what))


def _draws(what: Occurrence) -> Said:
    name, cubes = _name(what), _cubes(what)
    if not what.fields.get("back"):
        return _drew(name, cubes)
    if not name:
        return said("Drawn and put back: %(what)s", what=cubes)
    return said("%(name)s draws %(what)s, and it goes back", name=name, what=cubes)


def _drew(name: str, cubes: Said) -> Said:
    return said("%(name)s draws %(what)s", name=name, what=cubes) if name else said("Drawn: %(what)s", what=cubes)


def _put(what: Occurrence) -> Said:
    if name := _name(what):
        return said("%(name)s puts in %(cubes)s", name=name, cubes=_cubes(what))
    return said("Put in: %(cubes)s", cubes=_cubes(what))


def _put_in(what: Occurrence) -> Said:
    return said_n("%(num)s cube goes in", "%(num)s cubes go in", total(what.fields["cubes"]))


def _puts_back(what: Occurrence) -> Said:
    if name := _name(what):
        return said("%(name)s puts back %(cubes)s", name=name, cubes=_cubes(what))
    return said("Put back: %(cubes)s", cubes=_cubes(what))


def _went_back(what: Occurrence) -> Said:
    return said_n("%(num)s cube goes back in", "%(num)s cubes go back in", total(what.fields["cubes"]))


def _throws(what: Occurrence) -> Said:
    if name := _name(what):
        return said("%(name)s throws %(cubes)s into the tower", name=name, cubes=_cubes(what))
    return said("Into the tower: %(cubes)s", cubes=_cubes(what))


def _out(what: Occurrence) -> Said:
    if name := _name(what):
        return said("%(name)s gets %(cubes)s out of the tower", name=name, cubes=_cubes(what))
    return said("Out of the tower: %(cubes)s", cubes=_cubes(what))


def _takes(what: Occurrence) -> Said:
    if what.fields.get("back"):
        return said("Draws go back at once")
    if "back" in what.fields:
        return said("Draws stay outside")
    return _has_ring(_name(what))


def _taken(what: Occurrence) -> Said | None:
    return None if what.seat in ("", what.before.taker) else _has_ring(_name(what))


def _has_ring(name: str) -> Said:
    return said("%(name)s has the ring", name=name) if name else said("Nobody has the ring")


def _counts(what: Occurrence) -> Said:
    place = "tower" if "tower" in what.fields else "inside"
    there = not_none(what.fields[place])
    cubes = named(there) if there else said("none")
    if place == "tower":
        return said("Counted in the tower: %(cubes)s", cubes=cubes)
    return said("Counted inside: %(cubes)s", cubes=cubes)


TELLINGS = Tellings(
    turn,
    {},
    {
        PutIn: Telling(
            _put,
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
            aloud=_drawn,
            topic=RING,
            possible=said("Draw"),
            how=said("tap a cube, or use the ring"),
        ),
        WentBack: Telling(
            _puts_back,
            "return",
            said("Put back all of them, or tap the ones you mean."),
            "back",
            aloud=_went_back,
            about=nobody,
            possible=said("Put cubes back"),
            how=said("all of them, or some"),
        ),
        Thrown: Telling(
            _throws,
            "throw",
            said("Tap what you throw in, then what comes out."),
            "tower",
            possible=said("Into the tower"),
            how=said("what is thrown"),
        ),
        CameOut: Telling(
            _out,
            "out",
            said("The rest is stuck, and may come out at any later throw."),
            "tower",
            possible=said("Out of the tower"),
            how=said("what comes out"),
        ),
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
    },
)
