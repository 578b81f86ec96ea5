"""Sentences about the course of a round, and about transports."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.rounds import (
    ActionDone,
    CardsShown,
    CreditEarned,
    Dealt,
    GameEnded,
    PhaseBegan,
    RoundBegan,
    TurnBegan,
)
from companion.games.andromeda.state import Phase
from companion.games.andromeda.terms import planet_of
from companion.games.andromeda.transport import Transported, TransportPassed
from companion.kernel.said import Said, pattern, said, said_n
from companion.model.speech import Verbosity
from companion.model.tellings import Occurrence, Rows, Silent, Telling


def round_began(what: Occurrence) -> Said:
    """Return a sentence that says which round begins, and who starts."""
    starter = what.named(what.fields["starter"])
    return said("Round %(num)s. %(name)s starts", num=what.fields["number"], name=starter)


def phase_began(what: Occurrence) -> Said | None:
    """Return a sentence that says that trading begins, or None for other phases, whose turns are announced instead."""
    return said("Trading. Quiet at the table") if what.fields["phase"] == Phase.TRADING else None


def transported(what: Occurrence) -> Said:
    """Return a sentence that says how many stations flew, and to which place."""
    planet, stations = planet_of(what, what.fields["planet"]), what.fields["stations"]
    if what.fields["move"] == "to_planet":
        return said_n(
            "%(name)s flies %(num)s station to %(planet)s",
            "%(name)s flies %(num)s stations to %(planet)s",
            stations,
            name=what.name,
            planet=planet,
        )
    return said_n(
        "%(name)s flies %(num)s station home from %(planet)s",
        "%(name)s flies %(num)s stations home from %(planet)s",
        stations,
        name=what.name,
        planet=planet,
    )


def transports(what: Occurrence) -> Said:
    """Return a sentence that says where a transport card was used, or that the player passed."""
    if what.fields["move"] == "pass":
        return said("%(name)s keeps the transport card", name=what.name)
    planet = planet_of(what, what.fields["planet"])
    if what.fields["move"] == "to_planet":
        return said("%(name)s flies from Earth to %(planet)s", name=what.name, planet=planet)
    return said("%(name)s flies home from %(planet)s", name=what.name, planet=planet)


def transport_means(what: Occurrence) -> Said:
    """Return a sentence that says how many transport cards are left."""
    cards = what.after.players[what.seat].transport
    if what.fields["move"] == "pass":
        return said_n(
            "A transport card costs no action. %(num)s is left, saved for a better moment.",
            "A transport card costs no action. %(num)s are left, saved for a better moment.",
            cards,
        )
    return said_n(
        "That costs no action, but only %(num)s transport card is left now.",
        "That costs no action, but only %(num)s transport cards are left now.",
        cards,
    )


SENTENCES: Rows = {
    CardsShown: Telling(
        pattern("%(name)s's set-up cards are face up"),
        "setup",
        said("Each face-up card puts one station on its planet."),
        "setup",
        aloud=pattern("%(name)s's stations are on the board"),
        words=Verbosity.ALL,
        possible=said("Turn your set-up cards over and tap their planets"),
        how=said("one station per card"),
    ),
    Dealt: Telling(
        said("Cards dealt"),
        "deal",
        said("Every hand is filled to its ship's limit: nine cards at first."),
        "cards",
        aloud=Silent("everybody takes cards at this moment"),
        possible=said("Deal the cards"),
        how=said("up to each hand limit"),
    ),
    RoundBegan: Telling(round_began),
    PhaseBegan: Telling(phase_began),
    TurnBegan: Silent("the announcement of the turn says it"),
    Transported: Telling(transported),
    TransportPassed: Telling(pattern("%(name)s keeps the transport card"), words=Verbosity.ALL),
    CreditEarned: Telling(pattern("%(name)s earns a %(kind)s credit")),
    ActionDone: Silent("the next announcement says how many actions are left"),
    GameEnded: Silent("the narrator says the result"),
}
LINES: Mapping[str, Telling] = {
    "transport": Telling(transports, means=transport_means, card="transport"),
}
