"""Sentences of Andromeda for the voice and the history that can't be made by filling a pattern.

They never name a card that is face down.
"""

from __future__ import annotations

from typing import cast

from companion.games.andromeda.attempt import CentreTaken
from companion.games.andromeda.board import EXAMPLE, PLANETS, shown_label
from companion.games.andromeda.corrections import Amount, Correction, Credits, StationMove
from companion.games.andromeda.rules import evolve
from companion.games.andromeda.state import (
    FULL_PLANETS_TO_END,
    HAND_LIMIT,
    KINDS,
    Phase,
    State,
    best_free_centre,
    full_planets,
    label_of,
)
from companion.kernel.said import Said, all_of, said, said_n, series, word
from companion.model.tellings import Occurrence

AMOUNTS = {
    "ship": said("ship level"),
    "technology": said("technology level"),
    "transport": said("transport cards"),
    "hand": said("hand"),
}


def how_many_full(state: State) -> Said:
    """Return a sentence that says how many planets are full, and, if they are enough, that this is the last round."""
    full = full_planets(state)
    if full < FULL_PLANETS_TO_END:
        return said("%(full)s of %(until)s planets are full.", full=full, until=FULL_PLANETS_TO_END)
    if state.finished:
        return said("%(num)s planets are full.", num=full)
    return said("%(num)s planets are full: this is the last round.", num=full)


def planet_of(what: Occurrence, slot: str) -> str:
    """Return the players' label for the planet in *slot*."""
    if what.before is not None:
        return label_of(what.before, slot)
    rows = what.header.get("board", {}).get("planets", ())
    labels = {planet.id: planet.label for planet in EXAMPLE.planets} | {r["id"]: shown_label(r["label"]) for r in rows}
    return str(slot) if slot not in labels else labels[slot]


def card_named(what: Occurrence) -> Said:
    """Return the name of the card that was laid, with its article."""
    card = what.fields["card"]
    if card is None:
        return said("a card")
    if card in KINDS:
        return said("a %(kind)s credit", kind=word(card))
    planet = planet_of(what, card)
    vowel = planet[:1].lower() in "aeiou"
    return said("an %(planet)s card", planet=planet) if vowel else said("a %(planet)s card", planet=planet)


def set_played(what: Occurrence) -> Said:
    """Return the played set in words, such as "3 Frost and 1 joker"."""
    planet = planet_of(what, what.fields["planet"])
    cards = Said("%(count)s %(planet)s", {"count": what.fields["cards"], "planet": planet})
    jokers = len(what.fields.get("jokers", ()))
    return said_n("%(set)s and %(num)s joker", "%(set)s and %(num)s jokers", jokers, set=cards) if jokers else cards


def place_of(what: Occurrence, place: str) -> str:
    """Return the name of a correction's *place*."""
    planet, _, slot = place.partition("/")
    if planet not in PLANETS:
        return said("Earth")
    label = planet_of(what, planet)
    return said("a centre of %(planet)s", planet=label) if slot else label


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


def card_laid(what: Occurrence) -> Said | None:
    """Name the card that the starting player laid.

    The cards of the other players are face down, so this returns None for them.
    """
    card = what.fields["card"]
    if what.seat != what.before.starter:
        return said("%(name)s has played", name=what.name)
    if card is None:
        return None
    called = card_named(what) if card in KINDS else planet_of(what, card)
    return said("%(name)s plays %(card)s", name=what.name, card=called)


def kept(what: Occurrence) -> Said | None:
    """Return a sentence that says that the partner of a swap takes the new cards into the hand."""
    partner = what.before.trading.partner == what.seat
    return said("%(name)s keeps the new cards", name=what.name) if partner else None


def took_back(what: Occurrence) -> Said | None:
    """Return a sentence that says that a trader takes their own set back."""
    partner = what.before.trading.partner == what.seat
    return None if partner else said("%(name)s takes the cards back", name=what.name)


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


def risen(what: Occurrence) -> Said:
    """Return a sentence that says which effect a player's new level has."""
    track = what.fields["track"]
    level = getattr(what.before.players[what.seat], track) + 1
    if track == "ship":
        return said("%(name)s's ship now holds %(cards)s cards", name=what.name, cards=HAND_LIMIT[level])
    return said("%(name)s reaches technology %(level)s", name=what.name, level=level)


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
            return said("Correction: %(name)s has technology %(num)s", name=name, num=level)
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
