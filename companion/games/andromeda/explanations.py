"""Explanations of lines of Andromeda for beginners, as far as they depend on the states before and after the line."""

from __future__ import annotations

from companion.games.andromeda.actions import most_exchanged
from companion.games.andromeda.state import (
    HAND_LIMIT,
    KINDS,
    TECHNOLOGY_POINTS,
    Phase,
    State,
    label_of,
    name_of,
    stations_on,
)
from companion.kernel.said import Said, said, said_n
from companion.model.tellings import Occurrence

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


def transport(what: Occurrence) -> Said:
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


def lay(what: Occurrence) -> Said:
    """Return a sentence that says who plays face up, and what the others may not play."""
    starter = what.before.starter
    if what.seat == starter:
        return said("The starting player plays face up. The others may not play the same.")
    name = name_of(what.before, starter)
    return said("The others play face down, nothing that %(name)s has played.", name=name)


def exchange(what: Occurrence) -> Said:
    """Return a sentence that says how many cards may be exchanged at once."""
    most = most_exchanged(what.before, what.seat)
    return said("Discard cards and draw as many: up to %(most)s in one action.", most=most)


def move(what: Occurrence) -> Said:
    """Return a sentence that says how many stations the set moves."""
    cards = what.fields["cards"] + len(what.fields.get("jokers", ()))
    return said("Every two cards carry one station, so %(cards)s carry up to %(most)s.", cards=cards, most=cards // 2)


def establish(what: Occurrence) -> Said:
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


def draw(what: Occurrence) -> Said:
    """Return a sentence that says where the station goes, and how many draws are left."""
    if what.fields["colour"] == what.before.attempt.player:
        took = what.after.tried[-1].took
        return said("It takes the best free centre, worth %(points)s points. The action is over.", points=took)
    left = what.after.attempt.draws_left if what.after.attempt else 0
    if not left:
        return said("It flies home to Earth. That was the last draw: no centre this time.")
    return said_n("It flies home to Earth. %(num)s draw left.", "It flies home to Earth. %(num)s draws left.", left)


def ship(what: Occurrence) -> Said:
    """Return a sentence that says how many cards the bigger ship holds."""
    cards = HAND_LIMIT[what.after.players[what.seat].ship]
    return said("A bigger ship holds more cards: now %(cards)s.", cards=cards)


def technology(what: Occurrence) -> Said:
    """Return a sentence that says how many points the technology level is worth."""
    level = what.after.players[what.seat].technology
    return said_n(
        "Technology helps, and level %(level)s is worth %(num)s point at the end.",
        "Technology helps, and level %(level)s is worth %(num)s points at the end.",
        TECHNOLOGY_POINTS[level],
        level=level,
    )
