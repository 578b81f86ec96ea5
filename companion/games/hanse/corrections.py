"""Manual corrections. They change the state to match the table, but never lose or duplicate a card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import assert_never

from companion.games.hanse.cards import CARDS, HAND_LIMIT, LABELS, TECHNOLOGIES
from companion.games.hanse.commands import Amount, Correct, Counts, GoodsAt, Held, Standing
from companion.games.hanse.events import Corrected, Event, corrigible
from companion.games.hanse.evolve import evolve
from companion.games.hanse.goods import ALL_GOODS, GOAL, Cargo
from companion.games.hanse.places import GAPS, ORBITS, PLANETS, label_of
from companion.games.hanse.planet_actions import won
from companion.games.hanse.state import Phase, Player, State, goods_in_game, name_of
from companion.kernel.errors import Refused
from companion.kernel.said import pattern, said, said_n
from companion.model.corrections import Choice, Count, Group, Way


def _megagalax(state: State, player: str) -> int:
    return state.players[player].megagalax


def _hand(state: State, player: str) -> int:
    return state.players[player].hand


def _lying_open(state: State, player: str, card: str) -> int:
    return state.players[player].technology(card)


def _known(state: State, player: str, card: str) -> int:
    return state.players[player].known.get(card, 0)


def _along(planet: str, orbit: str, gap: str = "") -> tuple[Way, ...]:
    """Return the places near one planet as choices: the planet, its orbit, and the gap outside if there is one."""
    ways = (Way(planet, label_of(planet)), Way(orbit, said("orbit"), label_of(orbit)))
    return (*ways, Way(gap, said("gap beyond"), label_of(gap))) if gap else ways


COUNTS = Group(
    pattern("%(name)s's counts"),
    (
        Count(("megagalax",), said("Megagalax"), _megagalax, 0, GOAL, by_fives=True),
        Count(("hand",), said("Cards in hand"), _hand, 0, HAND_LIMIT),
        *(
            Count(("technologies", card), LABELS[card], partial(_lying_open, card=card), 0, most)
            for card, most in TECHNOLOGIES.items()
        ),
    ),
)
SHIP = Group(
    pattern("%(name)s's ship"),
    (
        Choice(
            ("place",),
            said("Ship"),
            tuple(way for at, planet in enumerate(PLANETS) for way in _along(planet, ORBITS[at], *GAPS[at : at + 1])),
            lambda state, player: state.players[player].place or "",
        ),
    ),
)
DISCARDS = Group(
    pattern("%(name)s's discards"),
    tuple(Count(("discards", card), LABELS[card], partial(_known, card=card), 0, most) for card, most in CARDS.items()),
    said("Those that are known by name. How many there are stays."),
    lambda state, player: state.players[player].discards,
)


def correct(state: State, command: Correct) -> tuple[Event, ...]:
    """Return the events of a correction.

    It needs a reason, and is possible from the first turn on, even after the end.
    """
    if not command.reason.strip():
        raise Refused(said("Give a reason for the correction."))
    _check_moment(state)
    player = state.players[command.player]
    match command.what:
        case Amount("hand", amount):
            _check_pile(player, amount - player.hand)
        case Counts("technologies", cards):
            _check_technologies(state, command.player, dict(cards))
        case Counts(_, cards):
            _check_discards(state, command.player, dict(cards))
        case GoodsAt(planets):
            _check_goods(planets)
        case Held(index, cargo):
            _check_container(state, command.player, index, cargo)
        case Amount() | Standing():
            pass
        case _:
            assert_never(command.what)
    event = Corrected(command.player, command.what)
    _check_all_goods(state, event)
    return (event, *_end(state, command))


def _end(state: State, command: Correct) -> tuple[Event, ...]:
    if state.finished or not isinstance(command.what, Amount) or command.what.of != "megagalax":
        return ()
    return won(command.what.amount)


def _check_moment(state: State) -> None:
    match state.phase:
        case Phase.TURN | Phase.FINISHED:
            return
        case Phase.ANSWER:
            raise Refused(said("Answer the card first."))
        case Phase.FLIP:
            raise Refused(said("Turn the goods over first."))
        case Phase.GOODS | Phase.CHOICE | Phase.PLANET:
            raise Refused(said("Use undo before the first turn."))
        case _:
            assert_never(state.phase)


def _check_pile(player: Player, wanted: int) -> None:
    cards = player.draw_pile + player.discards
    if wanted > cards:
        raise Refused(
            said_n("Draw pile and discards hold %(num)s card.", "Draw pile and discards hold %(num)s cards.", cards)
        )


def _check_technologies(state: State, colour: str, cards: Mapping[str, int]) -> None:
    player = state.players[colour]
    for card, count in cards.items():
        _check_number(state, colour, card, count + player.known.get(card, 0))
    if not corrigible(player, Counts("technologies", tuple(cards.items()))):
        raise Refused(said("No container of %(name)s's is empty.", name=name_of(state, colour)))
    _check_pile(player, sum(count - player.technology(card) for card, count in cards.items()))


def _check_discards(state: State, colour: str, cards: Mapping[str, int]) -> None:
    player = state.players[colour]
    for card, count in cards.items():
        lying = player.technology(card) if card in TECHNOLOGIES else 0
        _check_number(state, colour, card, count + lying)
    if sum({**player.known, **cards}.values()) > player.discards:
        name = name_of(state, colour)
        raise Refused(
            said_n("%(name)s has %(num)s discard.", "%(name)s has %(num)s discards.", player.discards, name=name)
        )


def _check_number(state: State, colour: str, card: str, count: int) -> None:
    if count > CARDS[card]:
        raise Refused(said("%(name)s has no more %(card)s.", name=name_of(state, colour), card=LABELS[card]))


def _check_goods(planets: tuple[tuple[str, Cargo], ...]) -> None:
    for planet, cargo in planets:
        if any(card.to == planet for card in cargo):
            raise Refused(said("No card at %(planet)s shows %(planet)s. Flip it.", planet=label_of(planet)))
        _check_sides(cargo)


def _check_container(state: State, colour: str, index: int, cargo: Cargo) -> None:
    if not corrigible(state.players[colour], Held(index, cargo)):
        raise Refused(said("%(name)s doesn't have that container.", name=name_of(state, colour)))
    if len(Counter(card.to for card in cargo)) > 1:
        raise Refused(said("A container holds goods for one planet."))
    _check_sides(cargo)


def _check_sides(cargo: Cargo) -> None:
    if any(card.back is not None and card.back.to == card.to for card in cargo):
        raise Refused(said("A card's two sides name two planets."))


def _check_all_goods(state: State, event: Corrected) -> None:
    if isinstance(event.what, GoodsAt | Held) and goods_in_game(evolve(state, event)) > ALL_GOODS:
        raise Refused(said("There are only %(num)s goods cards.", num=ALL_GOODS))
