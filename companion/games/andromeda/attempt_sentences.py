"""Sentences about attempts and draws, and about full planets."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.attempt import AttemptBegan, AttemptEnded, CentreTaken, FlewHome, PutBack, evolve
from companion.games.andromeda.state import (
    FULL_PLANETS_TO_END,
    State,
    best_free_centre,
    full_planets,
    label_of,
    name_of,
    stations_on,
)
from companion.games.andromeda.terms import planet_of
from companion.kernel.said import Said, all_of, pattern, said, said_n, series
from companion.model.speech import RING, Verbosity
from companion.model.tellings import Occurrence, Rows, Telling, nobody


def how_many_full(state: State) -> Said:
    """Return a sentence that says how many planets are full, and, if they are enough, that this is the last round."""
    full = full_planets(state)
    if full < FULL_PLANETS_TO_END:
        return said("%(full)s of %(until)s planets are full.", full=full, until=FULL_PLANETS_TO_END)
    if state.finished:
        return said("%(num)s planets are full.", num=full)
    return said("%(num)s planets are full: this is the last round.", num=full)


def tries(what: Occurrence) -> Said:
    """Return a sentence that says which centre the attempt is for, and how many draws it has."""
    planet = what.fields["planet"]
    slot = best_free_centre(what.before, planet)
    return said_n(
        "%(name)s tries for the %(value)s at %(planet)s: %(num)s draw",
        "%(name)s tries for the %(value)s at %(planet)s: %(num)s draws",
        what.fields["draws"],
        name=what.name,
        value=0 if slot is None else what.before.setting.board.planet(planet).centres[slot],
        planet=planet_of(what, planet),
    )


def value(what: Occurrence) -> int:
    """Return the value of the centre that was taken."""
    value: int = what.before.setting.board.planet(what.fields["planet"]).centres[what.fields["slot"]]
    return value


def last_round(what: Occurrence) -> Said | None:
    """Return a sentence that says that the last round has begun, if this centre caused it."""
    after = evolve(what.before, CentreTaken(**what.fields))
    return how_many_full(after) if after.last_round and not what.before.last_round else None


def of_the_attempt(what: Occurrence) -> tuple[str, ...]:
    """Return the seat of the player who makes the attempt, if there is one."""
    return () if what.before.attempt is None else (what.before.attempt.player,)


def draws_left(what: Occurrence) -> Said | None:
    """Return a sentence that says how many draws an attempt has left. Return None if it has none."""
    left = what.before.attempt.draws_left - 1 if what.before.attempt else 0
    return said_n("%(num)s draw left.", "%(num)s draws left.", left) if left else None


def put_back(what: Occurrence) -> Said:
    """Return a sentence that says which stations go back under the ring."""
    names = [what.named(colour) for colour in what.fields["colours"]]
    if len(names) > 1:
        return said("Two came out at once: %(names)s. Both go back", names=all_of(names))
    return said("Two came out at once. %(name)s's station goes back", name=all_of(names))


def double_exit(what: Occurrence) -> Said:
    """Return a sentence that says which of two stations counts, or that both go back."""
    both = series([what.named(colour) for colour in what.fields["colours"]])
    if "out" in what.fields:
        counts = what.named(what.fields["out"])
        return said("Two at once, %(both)s: %(name)s counts, at random", both=both, name=counts)
    return said("Two at once, %(both)s: both go back", both=both)


def missed(what: Occurrence) -> Said | None:
    """Return a sentence that says that an attempt took no centre. Return None if it took one."""
    attempt = what.before.attempt
    if attempt is None or attempt.took:
        return None
    name, planet = what.named(attempt.player), planet_of(what, attempt.planet)
    return said("No centre for %(name)s at %(planet)s.", name=name, planet=planet)


def establish_means(what: Occurrence) -> Said:
    """Return a sentence that says how many draws the set gives, and how many stations the player has there."""
    there = stations_on(what.before, what.fields["planet"])
    return said_n(
        "That gives %(num)s draw with the ring: %(own)s of the %(all)s stations on %(planet)s are %(name)s's.",
        "That gives %(num)s draws with the ring: %(own)s of the %(all)s stations on %(planet)s are %(name)s's.",
        getattr(what.after.attempt, "draws", 0),
        own=there[what.seat],
        all=sum(there.values()),
        planet=label_of(what.before, what.fields["planet"]),
        name=name_of(what.before, what.seat),
    )


def draw_means(what: Occurrence) -> Said:
    """Return a sentence that says where the station goes, and how many draws are left."""
    if what.fields["colour"] == what.before.attempt.player:
        took = what.after.tried[-1].took
        return said("It takes the best free centre, worth %(points)s points. The action is over.", points=took)
    left = what.after.attempt.draws_left if what.after.attempt else 0
    if not left:
        return said("It flies home to Earth. That was the last draw: no centre this time.")
    return said_n("It flies home to Earth. %(num)s draw left.", "It flies home to Earth. %(num)s draws left.", left)


SENTENCES: Rows = {
    AttemptBegan: Telling(
        pattern("%(name)s plays %(set)s for a centre"),
        "establish",
        establish_means,
        "establish",
        aloud=tries,
        topic=RING,
    ),
    CentreTaken: Telling(
        pattern("%(name)s takes the %(value)s at %(planet)s."),
        words=Verbosity.FEW,
        topic=RING,
        then=Telling(last_round, words=Verbosity.FEW, about=nobody),
    ),
    FlewHome: Telling(
        pattern("%(name)s's station flies home"),
        topic=RING,
        about=lambda what: (what.seat, *of_the_attempt(what)),
        then=Telling(draws_left, words=Verbosity.ALL, about=of_the_attempt),
    ),
    PutBack: Telling(
        double_exit,
        "double_exit",
        said("Your house rule decides what counts."),
        "establish",
        aloud=put_back,
        topic=RING,
        about=lambda what: what.fields["colours"],
    ),
    AttemptEnded: Telling(
        pattern("%(name)s stops drawing"),
        "stop_drawing",
        said("Unused draws are lost."),
        "establish",
        aloud=missed,
        words=Verbosity.FEW,
        about=of_the_attempt,
        possible=said("Stop drawing"),
        how=said("unused draws are lost"),
    ),
}
LINES: Mapping[str, Telling] = {
    "draw": Telling(pattern("%(name)s's station comes out"), means=draw_means, card="establish"),
}
