"""The questions about a game of Andromeda, and their answers in words.

While credits are hidden, a seat is shown only its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from companion.games.andromeda.attempt_sentences import how_many_full
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.odds import success
from companion.games.andromeda.secrets import SECRETS
from companion.games.andromeda.state import (
    KINDS,
    Attempt,
    Card,
    Phase,
    State,
    best_free_centre,
    centres_of,
    label_of,
    name_of,
    stations_on,
)
from companion.games.andromeda.tellings import TELLINGS
from companion.games.andromeda.trading import must_lay, shown_cards, sitting_out, trading_of
from companion.games.andromeda.view import sees_credits, view, waited_for
from companion.kernel.said import Said, listed, percent, said, said_n, word
from companion.model.facts import SCORE, Answer, Fact, FactTable
from companion.model.game import Viewer
from companion.model.speech import TURN

RING, CHANCE, DRAWS, HAND, CARDS, EARTH = "ring", "chance", "draws", "hand", "cards", "earth"
NO_ATTEMPT = said("Nobody is drawing now.")


def _points(state: State, seat: str | None) -> Mapping[str, int]:
    """Return each player's points, without credits that *seat* may not see."""
    seen = view(state, Viewer(seat))["players"]
    return {colour: one["score"]["total"] for colour, one in seen.items()}


def _places(state: State) -> tuple[Fact, ...]:
    places = (
        _place(
            planet.id,
            said("What's on %(place)s?", place=planet.label),
            planet.symbol if planet.symbol in PLANETS else planet.id,
        )
        for planet in state.setting.board.planets
    )
    return (*places, _place(EARTH, said("What's on Earth?"), EARTH))


def _place(word: str, question: Said, symbol: str) -> Fact:
    return Fact(word, question, place=True, picture=f"pl-{symbol}")


def _turn(state: State, seat: str | None) -> Answer:
    """Return sentences that say who must do what, which round it is, and how near the end is."""
    return (*_asked(state), said("Round %(num)s.", num=state.round), how_many_full(state))


def _asked(state: State) -> Answer:
    attempt = state.attempt
    if attempt is not None:
        text = said_n(
            "%(name)s draws at %(planet)s: %(num)s draw left.",
            "%(name)s draws at %(planet)s: %(num)s draws left.",
            attempt.draws_left,
            **_where(state, attempt),
        )
        return (text,)
    if state.phase is Phase.SETUP:
        return (said("Set-up. Still to go: %(names)s.", names=_names(state, waited_for(state))),)
    own = TELLINGS.turn(state)
    if own is None:
        return (said("Trading off the screen. %(name)s plays first.", name=name_of(state, state.starter)),)
    still = must_lay(state) if state.phase is Phase.TRADING else ()
    return (own.text, *((said("Still to play: %(names)s.", names=_names(state, still)),) if still else ()))


def _score(state: State, seat: str | None) -> Answer:
    hidden = state.options.show_bonus_credits == "end" and not state.finished
    return (said("Credits count at the end."),) if hidden else ()


def _ring(state: State, seat: str | None) -> Answer:
    """Return sentences that say which stations are under the ring, and which centre the attempt is for."""
    attempt = state.attempt
    if attempt is None:
        return (NO_ATTEMPT,)
    planet = label_of(state, attempt.planet)
    there = _counts(state, stations_on(state, attempt.planet))
    slot = best_free_centre(state, attempt.planet)
    value = 0 if slot is None else state.setting.board.planet(attempt.planet).centres[slot]
    return (
        said("Under the ring at %(planet)s: %(stations)s.", planet=planet, stations=there),
        said("The best free centre is %(value)s.", value=value),
    )


def _chance(state: State, seat: str | None) -> Answer:
    """Return sentences with the numbers that give a centre's chance, and the chance itself if the table shows it."""
    attempt = state.attempt
    if attempt is None:
        return (NO_ATTEMPT,)
    under = stations_on(state, attempt.planet)
    total, own = sum(under.values()), under[attempt.player]
    text = said_n(
        "%(own)s of %(all)s are %(name)s's, %(num)s draw left.",
        "%(own)s of %(all)s are %(name)s's, %(num)s draws left.",
        attempt.draws_left,
        own=own,
        all=total,
        name=name_of(state, attempt.player),
    )
    if not state.options.show_odds:
        return (text, said("This table shows no chances."))
    share = success(total, own, attempt.draws_left)
    return (text, said("Chance of a centre: %(share)s.", share=percent(share)))


def _draws(state: State, seat: str | None) -> Answer:
    """Return sentences that say which stations came out in the current attempt, or in the last one if none is open."""
    attempt = state.attempt or (state.tried[-1] if state.tried else None)
    if attempt is None:
        return (said("No draws yet."),)
    where = _where(state, attempt)
    if not attempt.drawn:
        return (said("%(name)s drew nothing at %(planet)s.", **where), *_came_to(state, attempt))
    drawn = said("%(name)s's attempt at %(planet)s: %(drawn)s came out.", **where, drawn=_in_turn(state, attempt.drawn))
    return (drawn, *_came_to(state, attempt))


def _came_to(state: State, attempt: Attempt) -> Answer:
    where = _where(state, attempt)
    if attempt.took:
        return (said("%(name)s takes the %(value)s at %(planet)s.", value=attempt.took, **where),)
    return () if attempt is state.attempt else (said("No centre for %(name)s at %(planet)s.", **where),)


def _in_turn(state: State, colours: Iterable[str]) -> Said:
    first, *others = [name_of(state, colour) for colour in colours]
    drawn = Said("%(name)s", {"name": first})
    for name in others:
        drawn = said("%(names)s, then %(name)s", names=drawn, name=name)
    return drawn


def _hand(state: State, seat: str | None) -> Answer:
    """Describe the cards and levels of the player in *seat*, or without a seat the public ones of all players."""
    return tuple(each for colour in ((seat,) if seat else state.colours) for each in _side(state, colour, seat))


def _side(state: State, colour: str, seat: str | None) -> Answer:
    player = state.players[colour]
    text = said_n(
        "%(name)s has %(num)s card, limit %(limit)s; technology level %(level)s; transport cards: %(transports)s.",
        "%(name)s has %(num)s cards, limit %(limit)s; technology level %(level)s; transport cards: %(transports)s.",
        player.hand,
        name=name_of(state, colour),
        limit=player.hand_limit,
        level=player.technology,
        transports=player.transport,
    )
    held = [
        Said("%(count)s %(kind)s", {"count": player.credit(kind), "kind": word(kind)})
        for kind in KINDS
        if player.credit(kind)
    ]
    if not (held and sees_credits(state, colour, Viewer(seat))):
        return (text,)
    return (text, said("Credits: %(credits)s.", credits=listed(held)))


def _cards(state: State, seat: str | None) -> Answer:
    """Return sentences that say which cards laid for trading are face up, and how many are face down."""
    if state.phase is not Phase.TRADING:
        return (said("No cards are on the table."),)
    state = SECRETS.state(state, Viewer(), "")  # hides the card even from its owner
    trading = trading_of(state)
    with_cards = [colour for colour in state.colours if trading.sets.get(colour)]
    sets = tuple(
        Said("%(name)s: %(cards)s.", {"name": name_of(state, colour), "cards": listed(_set(state, colour))})
        for colour in with_cards
    )
    out = tuple(
        said("%(name)s sits out.", name=name_of(state, colour))
        for colour in sitting_out(state)
        if colour not in with_cards
    )
    return (*sets, *out) or (said("No cards are on the table."),)


def _set(state: State, colour: str) -> list[str]:
    shown = shown_cards(state, colour)
    down = len(trading_of(state).sets[colour]) - len(shown)
    return [*(_card(state, card) for card in shown), *((said("%(num)s face down", num=down),) if down else ())]


def _card(state: State, card: Card) -> str:
    if card is None:
        return said("a card")
    return said("a %(kind)s credit", kind=word(card)) if card in KINDS else label_of(state, card)


def _earth(state: State, seat: str | None) -> Answer:
    on_earth = {colour: player.earth for colour, player in state.players.items()}
    return (said("Earth: %(stations)s.", stations=_counts(state, on_earth)),)


def _on(state: State, id: str) -> Answer:
    """Return sentences that say who owns the centres of a planet, which are free, and which stations are there."""
    planet = state.setting.board.planet(id)
    owned = list(zip(planet.centres, centres_of(state, planet.id), strict=True))
    free = [str(value) for value, owner in owned if owner is None]
    taken = [
        Said("%(value)s %(name)s", {"value": value, "name": name_of(state, owner)}) for value, owner in owned if owner
    ]
    first = (
        said("%(planet)s, free centres: %(values)s.", planet=planet.label, values=", ".join(free))
        if free
        else said("%(planet)s is full.", planet=planet.label)
    )
    held = (said("Taken: %(taken)s.", taken=listed(taken)),) if taken else ()
    return (first, *held, said("Stations: %(stations)s.", stations=_counts(state, stations_on(state, planet.id))))


def _counts(state: State, counts: Mapping[str, int]) -> Said:
    """List the count of each player in seat order, or return "none"."""
    there = [
        Said("%(name)s %(count)s", {"name": name_of(state, colour), "count": count})
        for colour, count in counts.items()
        if count
    ]
    return listed(there) if there else said("none")


def _where(state: State, attempt: Attempt) -> dict[str, str]:
    return {"name": name_of(state, attempt.player), "planet": label_of(state, attempt.planet)}


def _names(state: State, colours: Iterable[str]) -> Said:
    return listed([name_of(state, colour) for colour in colours])


QUESTIONS = (
    Fact(RING, said("What's under the ring?")),
    Fact(CHANCE, said("What's the chance?")),
    Fact(DRAWS, said("What came out last?")),
    Fact(HAND, said("Who holds what?")),
    Fact(CARDS, said("Which cards are out?")),
)
ANSWERS: Mapping[str, Callable[[State, str | None], Answer]] = {
    TURN: _turn,
    SCORE: _score,
    RING: _ring,
    CHANCE: _chance,
    DRAWS: _draws,
    HAND: _hand,
    CARDS: _cards,
    EARTH: _earth,
}
FACTS = FactTable(QUESTIONS, ANSWERS, _points, _places, _on)
