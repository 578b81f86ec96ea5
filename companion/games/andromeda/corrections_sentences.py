"""Sentences about corrections. Hidden credits are announced without numbers."""

from __future__ import annotations

from typing import cast

from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.corrections import Amount, Corrected, Correction, Credits, StationMove
from companion.games.andromeda.terms import planet_of
from companion.kernel.said import Said, said, said_n, series, word
from companion.model.tellings import Occurrence, Rows, Telling

AMOUNTS = {
    "ship": said("ship level"),
    "technology": said("technology level"),
    "transport": said("transport cards"),
    "hand": said("hand"),
}


def place_of(what: Occurrence, place: str) -> str:
    """Return the name of a correction's *place*."""
    planet, _, slot = place.partition("/")
    if planet not in PLANETS:
        return said("Earth")
    label = planet_of(what, planet)
    return said("a centre of %(planet)s", planet=label) if slot else label


def corrected(what: Occurrence) -> Said:
    """Return the spoken sentence about a correction. Credits are announced without numbers, since they are secret."""
    name, correction = what.name, cast(Correction, what.fields["what"])
    match correction:
        case StationMove(source, target, count):
            return said_n(
                "Correction: %(num)s station of %(name)s's, from %(source)s to %(target)s",
                "Correction: %(num)s stations of %(name)s's, from %(source)s to %(target)s",
                count,
                name=name,
                source=place_of(what, source),
                target=place_of(what, target),
            )
        case Credits():
            return said("Correction: %(name)s's credits", name=name)
        case Amount("ship", level):
            return said("Correction: %(name)s's ship is level %(num)s", name=name, num=level)
        case Amount("technology", level):
            return said("Correction: %(name)s has technology level %(num)s", name=name, num=level)
        case Amount("transport", amount):
            return said_n(
                "Correction: %(name)s has %(num)s transport card",
                "Correction: %(name)s has %(num)s transport cards",
                amount,
                name=name,
            )
        case Amount(_, amount):
            return said_n(
                "Correction: %(name)s has %(num)s card",
                "Correction: %(name)s has %(num)s cards",
                amount,
                name=name,
            )


def corrects(what: Occurrence) -> Said:
    """Return the sentence for the history about a correction. Credits are named only if the viewer may see them."""
    match {**what.fields}:
        case {"move": move}:
            return said_n(
                "%(name)s: %(num)s station corrected, %(source)s to %(target)s",
                "%(name)s: %(num)s stations corrected, %(source)s to %(target)s",
                move["count"],
                name=what.name,
                source=place_of(what, move["from"]),
                target=place_of(what, move["to"]),
            )
        case {"bonus": kinds} if not kinds:  # The credits are hidden from the viewer.
            return said("%(name)s: credits corrected", name=what.name)
        case {"bonus": kinds}:
            return said("%(name)s: %(kinds)s credits corrected", name=what.name, kinds=series([*map(word, kinds)]))
    which = next(each for each in AMOUNTS if each in what.fields)
    amount = what.fields[which]
    return said("%(name)s: %(what)s corrected to %(num)s", name=what.name, what=AMOUNTS[which], num=amount)


SENTENCES: Rows = {
    Corrected: Telling(
        corrects,
        "correct",
        said("What the pages show is put right by hand."),
        "round",
        aloud=corrected,
        at_once=True,
    ),
}
