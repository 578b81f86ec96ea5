"""Sentences about the actions of a turn, and about the sets that they cost."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.andromeda.actions import CardsExchanged, LevelGained, SetPlayed, StationsMoved, most_exchanged
from companion.games.andromeda.state import HAND_LIMIT, KINDS, TECHNOLOGY_POINTS, Phase, State
from companion.games.andromeda.terms import planet_of
from companion.kernel.said import Said, pattern, said, said_n
from companion.model.tellings import Occurrence, Rows, Silent, Telling


def set_played(what: Occurrence) -> Said:
    """Return the played set in words, such as "3 Frost and 1 joker"."""
    planet = planet_of(what, what.fields["planet"])
    cards = Said("%(count)s %(planet)s", {"count": what.fields["cards"], "planet": planet})
    jokers = len(what.fields.get("jokers", ()))
    return said_n("%(set)s and %(num)s joker", "%(set)s and %(num)s jokers", jokers, set=cards) if jokers else cards


def exchanged(what: Occurrence) -> Said:
    """Return the spoken sentence that says how many cards were exchanged."""
    return said_n(
        "%(name)s discards %(num)s card and draws %(num)s",
        "%(name)s discards %(num)s cards and draws %(num)s",
        what.fields["cards"],
        name=what.name,
    )


def exchanges(what: Occurrence) -> Said:
    """Return the sentence for the history that says how many cards were exchanged."""
    cards = what.fields["cards"]
    return said_n("%(name)s exchanges %(num)s card", "%(name)s exchanges %(num)s cards", cards, name=what.name)


def moved(what: Occurrence) -> Said | None:
    """Return the spoken sentence that says how many stations a set moved. Return None if it moved none."""
    if not what.fields["stations"]:
        return None
    return said_n(
        "%(name)s moves %(num)s station to %(planet)s",
        "%(name)s moves %(num)s stations to %(planet)s",
        what.fields["stations"],
        name=what.name,
        planet=planet_of(what, what.fields["planet"]),
    )


def moves(what: Occurrence) -> Said:
    """Return the sentence for the history that says which set was played, and how many stations it moved."""
    return said_n(
        "%(name)s plays %(set)s and moves %(num)s station",
        "%(name)s plays %(set)s and moves %(num)s stations",
        what.fields["stations"],
        name=what.name,
        set=set_played(what),
    )


def risen(what: Occurrence) -> Said:
    """Return a sentence that says which effect a player's new level has."""
    track = what.fields["track"]
    level = getattr(what.before.players[what.seat], track) + 1
    if track == "ship":
        return said("%(name)s's ship now holds %(cards)s cards", name=what.name, cards=HAND_LIMIT[level])
    return said("%(name)s reaches technology level %(level)s", name=what.name, level=level)


def exchange_means(what: Occurrence) -> Said:
    """Return a sentence that says how many cards may be exchanged at once."""
    most = most_exchanged(what.before, what.seat)
    return said("Discard cards and draw as many: up to %(most)s in one action.", most=most)


def move_means(what: Occurrence) -> Said:
    """Return a sentence that says how many stations the set moves."""
    cards = what.fields["cards"] + len(what.fields.get("jokers", ()))
    return said("Every two cards carry one station, so %(cards)s carry up to %(most)s.", cards=cards, most=cards // 2)


def ship_means(what: Occurrence) -> Said:
    """Return a sentence that says how many cards the bigger ship holds."""
    cards = HAND_LIMIT[what.after.players[what.seat].ship]
    return said("A bigger ship holds more cards: now %(cards)s.", cards=cards)


def technology_means(what: Occurrence) -> Said:
    """Return a sentence that says how many points the technology level is worth."""
    level = what.after.players[what.seat].technology
    return said_n(
        "Technology helps, and level %(level)s is worth %(num)s point at the end.",
        "Technology helps, and level %(level)s is worth %(num)s points at the end.",
        TECHNOLOGY_POINTS[level],
        level=level,
    )


EARNED = {
    "silver": said("No joker in the set: it also earns a silver credit, worth 2 points."),
    "gold": said("No joker in the set: it also earns a gold credit, worth 3 points."),
    "platinum": said("No joker in the set: it also earns a platinum credit, worth 4 points."),
    "diamond": said("No joker in the set: it also earns a diamond credit, worth 5 points."),
}


def earned(seat: str, before: State, after: State) -> Said | None:
    """Return a sentence that says which credit a true set earned for *seat* ("" means the player of the attempt).

    Return None if the set earned no credit.
    """
    seat = seat or getattr(before.attempt, "player", "")
    if not seat or before.phase is not Phase.ACTIONS:
        return None
    more = (kind for kind in KINDS if after.players[seat].credit(kind) > before.players[seat].credit(kind))
    return next((EARNED[kind] for kind in more), None)


SENTENCES: Rows = {
    CardsExchanged: Telling(exchanges, "exchange", exchange_means, "exchange", aloud=exchanged),
    SetPlayed: Silent("the action it pays for is said"),
    StationsMoved: Telling(moves, "move", move_means, "move", aloud=moved),
    LevelGained: Telling(risen),
}
LINES: Mapping[str, Telling] = {
    "ship": Telling(pattern("%(name)s plays %(set)s for a bigger ship"), means=ship_means, card="ship"),
    "technology": Telling(pattern("%(name)s plays %(set)s for technology"), means=technology_means, card="technology"),
    "end_turn": Telling(
        pattern("%(name)s ends the turn"),
        means=said("You may skip actions."),
        card="round",
        possible=said("End the turn"),
        how=said("you may skip actions"),
    ),
}
