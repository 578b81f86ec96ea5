"""The questions about a game of Die Kosmische Hanse, and their answers in words.

Nothing is secret, since hands are not recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.games.hanse.cards import LABELS
from companion.games.hanse.flight import reachable
from companion.games.hanse.goods import Cargo
from companion.games.hanse.places import PLANETS, label_of
from companion.games.hanse.planet_actions import BONUS
from companion.games.hanse.rules import TELLINGS
from companion.games.hanse.state import NAMES, Phase, Player, State, name_of, place_of, turn_of
from companion.kernel.said import Said, listed, said, said_n
from companion.model.facts import SCORE, Answer, Fact, FactTable
from companion.model.speech import TURN

SHIPS, REACH, CARGO, HANDS, TECHNOLOGIES = "ships", "reach", "cargo", "hands", "technologies"


def _turn(state: State, seat: str | None) -> Answer:
    """Return sentences that say who must do what, and what is left of the turn."""
    if state.phase is Phase.GOODS:
        due = [label_of(planet) for planet in PLANETS if not state.at(planet)]
        return (said("Goods still to set out: %(planets)s.", planets=listed(due)),)
    own = TELLINGS.turn(state)
    return (*((own.text,) if own else ()), *_flipping(state), *_left(state))


def _flipping(state: State) -> Answer:
    if state.phase is not Phase.FLIP or state.flipping is None:
        return ()
    name, cards = name_of(state, turn_of(state).player), len(state.flipping.cards)
    return (said_n("%(name)s turns over %(num)s card.", "%(name)s turns over %(num)s cards.", cards, name=name),)


def _left(state: State) -> Answer:
    turn = state.turn
    if turn is None:
        return ()
    left = {"actions": turn.actions, "flights": turn.flights, "cards": turn.interventions}
    budget = said("Left: planet actions %(actions)s, flights %(flights)s, interventions %(cards)s.", **left)
    energy = () if turn.energy is None else (said("Energy: %(num)s.", num=turn.energy),)
    return (budget, *energy, said("A technology costs %(num)s Megagalax.", num=turn.price))


def _score(state: State, seat: str | None) -> Answer:
    counts = [
        Said("%(name)s %(count)s", {"name": name_of(state, colour), "count": player.technology_cards})
        for colour, player in state.players.items()
    ]
    return (said("Technology cards: %(counts)s.", counts=listed(counts)),)


def _ships(state: State, seat: str | None) -> Answer:
    if state.turn is None:
        return (said("The ships aren't out yet."),)
    return tuple(_line(state, colour, label_of(place_of(state, colour))) for colour in state.colours)


def _reach(state: State, seat: str | None) -> Answer:
    """Return sentences that say where the open flight can go, and how much energy each destination takes."""
    if state.turn is None or state.turn.energy is None:
        return (said("No flight is open."),)
    there = [
        Said("%(place)s %(count)s", {"place": label_of(place), "count": cost})
        for place, cost in reachable(state).items()
    ]
    return (said("Within reach: %(places)s.", places=listed(there) if there else said("nothing")),)


def _cargo(state: State, seat: str | None) -> Answer:
    return tuple(_line(state, colour, _containers(player)) for colour, player in _of(state, seat))


def _containers(player: Player) -> Said:
    return listed([_for(cargo[0].to, cargo) if cargo else said("one empty") for cargo in player.containers])


def _for(planet: str, cargo: Cargo) -> Said:
    """Return a phrase with the value of the goods in *cargo* for *planet*."""
    values = " + ".join(str(card.value) for card in cargo if card.to == planet)
    return said("for %(planet)s %(values)s", planet=label_of(planet), values=values)


def _hands(state: State, seat: str | None) -> Answer:
    return tuple(
        said_n(
            "%(name)s has %(num)s card, draw pile %(pile)s, discards %(discards)s.",
            "%(name)s has %(num)s cards, draw pile %(pile)s, discards %(discards)s.",
            player.hand,
            name=name_of(state, colour),
            pile=player.draw_pile,
            discards=player.discards,
        )
        for colour, player in _of(state, seat)
    )


def _technologies(state: State, seat: str | None) -> Answer:
    return tuple(_line(state, colour, _in_play(player)) for colour, player in _of(state, seat))


def _in_play(player: Player) -> Said:
    there = [
        Said("%(card)s %(count)s", {"card": LABELS[name], "count": player.technology(name)})
        for name in NAMES
        if player.technology(name)
    ]
    return listed([said("Start card"), *there])


def _on(state: State, planet: str) -> Answer:
    """Return sentences that say which goods are on a planet, with their destinations, and which ships are there."""
    here, label = state.at(planet), label_of(planet)
    wanted = [_for(to, here) for to in PLANETS if any(card.to == to for card in here)]
    ships = tuple(
        said("%(name)s's ship is there.", name=name_of(state, colour))
        for colour, player in state.players.items()
        if player.place == planet
    )
    if wanted:
        return (said("Goods on %(planet)s: %(goods)s.", planet=label, goods=listed(wanted)), *ships)
    return (said("No goods on %(planet)s: each card unloaded brings %(num)s more.", planet=label, num=BONUS), *ships)


def _of(state: State, seat: str | None) -> Iterable[tuple[str, Player]]:
    """Return the players that the question is about: the player in *seat*, or all."""
    return [(colour, player) for colour, player in state.players.items() if seat in (None, colour)]


def _line(state: State, colour: str, what: str) -> Said:
    return Said("%(name)s: %(what)s.", {"name": name_of(state, colour), "what": what})


def _points(state: State, seat: str | None) -> Mapping[str, int]:
    return {colour: player.megagalax for colour, player in state.players.items()}


def _places(state: State) -> tuple[Fact, ...]:
    return tuple(Fact(each, said("What's on %(place)s?", place=label_of(each)), place=True) for each in PLANETS)


FACTS = FactTable(
    (
        Fact(SHIPS, said("Where are the ships?")),
        Fact(REACH, said("Where can the flight go?")),
        Fact(CARGO, said("What do the containers hold?")),
        Fact(HANDS, said("Who holds what?")),
        Fact(TECHNOLOGIES, said("Which technologies are in play?")),
    ),
    {
        TURN: _turn,
        SCORE: _score,
        SHIPS: _ships,
        REACH: _reach,
        CARGO: _cargo,
        HANDS: _hands,
        TECHNOLOGIES: _technologies,
    },
    _points,
    _places,
    _on,
)
