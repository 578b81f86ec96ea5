"""The effect of each event on the state. No other code changes the state of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from companion.games.hanse import events as happened
from companion.games.hanse.cards import tallied
from companion.games.hanse.commands import Amount, Counts, GoodsAt, Held, Intervene, Standing
from companion.games.hanse.events import Event
from companion.games.hanse.goods import AT_A_PLANET, GOAL, Cargo, Goods
from companion.games.hanse.places import INNERMOST, OUTERMOST, PLANETS
from companion.games.hanse.state import (
    NAMES,
    Flipping,
    OpenTurn,
    Phase,
    Player,
    State,
    other,
    turn_of,
)
from companion.kernel.values import replace


def evolve(state: State, event: Event) -> State:  # noqa: C901  # one arm per event, nothing nested
    """Return the state after *event*. It never refuses."""
    match event:
        case happened.Flown():
            return _moved(state, event.player, event.to, event.energy)
        case happened.Rolled():
            turn = turn_of(state)
            return replace(state, turn=replace(turn, flights=turn.flights - 1, energy=event.energy, begun=True))
        case happened.ActionUsed():
            return _action_used(state, event)
        case happened.Loaded():
            return _loaded(state, event)
        case happened.Unloaded():
            return _unloaded(state, event)
        case happened.Flipped():
            return _flipped(state, event)
        case happened.Bought():
            return _bought(state, event)
        case happened.Intervened():
            return _intervened(state, event)
        case happened.PassengerLanded():
            return _paid(state, event.player, event.gained)
        case happened.Allowed():
            return replace(state, phase=Phase.TURN, played=None)
        case happened.Neutralised():
            answered = with_player(state, event.player, discarded(state.players[event.player], (event.card,)))
            return replace(answered, phase=Phase.TURN, played=None)
        case happened.Granted():
            return _granted(state, event.what)
        case happened.TurnEnded():
            return _turn_ended(state, event)
        case happened.TurnBegan():
            return _turn_began(state, event)
        case happened.Tunnelled():
            turn = turn_of(state)
            through = replace(state, turn=replace(turn, tunnels=turn.tunnels - 1))
            return _moved(through, event.player, OUTERMOST, event.energy)
        case happened.Hyperjumped():
            return _hyperjumped(state, event)
        case happened.ContentsExchanged():
            return _contents_exchanged(state, event)
        case happened.ShipsExchanged():
            return _ships_exchanged(state)
        case happened.Reshuffled():
            return _reshuffled(state, event)
        case happened.GoodsLaid():
            return _goods_laid(state, event)
        case happened.StarterChosen():
            return replace(state, starter=event.player, phase=Phase.PLANET)
        case happened.ShipsPlaced():
            players = {colour: replace(player, place=event.planet) for colour, player in state.players.items()}
            return replace(state, players=players)
        case happened.Corrected():
            return _corrected(state, event)
        case happened.GameEnded():
            return replace(state, phase=Phase.FINISHED, ended_by=event.by)
        case _:
            assert_never(event)


def with_player(state: State, colour: str, player: Player) -> State:
    """Return *state* with *player* in place of the player of *colour*."""
    return replace(state, players={**state.players, colour: player})


def discarded(player: Player, cards: tuple[str | None, ...]) -> Player:
    """Return *player* with *cards* moved from the hand to the discards."""
    named = dict(player.known)
    for card, count in tallied(cards).items():
        named[card] = named.get(card, 0) + count
    return replace(player, hand=player.hand - len(cards), discards=player.discards + len(cards), named=named)


def drawn(player: Player, count: int) -> Player:
    """Return *player* with *count* more cards in hand.

    If the draw pile has too few cards, the discards are added to it.

    A negative *count* puts cards from the hand into the pile.
    """
    return _from_pile(replace(player, hand=player.hand + count), count)


def _from_pile(player: Player, count: int) -> Player:
    if count <= player.draw_pile:
        return replace(player, draw_pile=player.draw_pile - count)
    return replace(player, draw_pile=player.draw_pile + player.discards - count, discards=0, named=None)


def _moved(state: State, colour: str, to: str, energy: int) -> State:
    turn = turn_of(state)
    left = None if to in PLANETS else (turn.energy or 0) - energy
    moved = with_player(state, colour, replace(state.players[colour], place=to))
    return replace(moved, turn=replace(turn, energy=left))


def _action_used(state: State, event: happened.ActionUsed) -> State:
    turn = turn_of(state)
    used = turn.stations_used + event.orbit
    return replace(state, turn=replace(turn, actions=turn.actions - 1, stations_used=used, begun=True, energy=None))


def _loaded(state: State, event: happened.Loaded) -> State:
    there = state.goods[PLANETS.index(event.planet)]
    taken = tuple(card for card in there if card.to == event.to)
    left = tuple(card for card in there if card.to != event.to)
    player = state.players[event.player]
    loaded = with_player(state, event.player, _holding(player, event.container, taken))
    return replace(loaded, goods=_put(state.goods, event.planet, left))


def _unloaded(state: State, event: happened.Unloaded) -> State:
    player = state.players[event.player]
    flipping = Flipping(event.planet, player.containers[event.container])
    paid = _paid(state, event.player, event.gained)
    emptied = with_player(paid, event.player, _holding(paid.players[event.player], event.container, ()))
    return replace(emptied, flipping=flipping, phase=Phase.FLIP)


def _flipped(state: State, event: happened.Flipped) -> State:
    assert state.flipping is not None, "what was unloaded is turned over"
    planet, cards = state.flipping.planet, state.flipping.cards
    turned = (card.turned(side) for card, side in zip(cards, event.cards, strict=True))
    staying = tuple(card for number, card in enumerate(turned) if number not in event.leave)
    goods = _put(state.goods, planet, (*state.at(planet), *staying))
    return replace(state, goods=goods, flipping=None, phase=Phase.TURN)


def _bought(state: State, event: happened.Bought) -> State:
    player = state.players[event.player]
    open_now = _with_technology(player, event.card, 1)
    return with_player(
        state, event.player, replace(open_now, hand=player.hand - 1, megagalax=player.megagalax - event.paid)
    )


def _with_technology(player: Player, card: str, more: int) -> Player:
    """Return *player* with *more* copies of a technology; a negative number removes some.

    A new container is empty and comes last.
    """
    at = NAMES.index(card)
    counts = (*player.technologies[:at], player.technologies[at] + more, *player.technologies[at + 1 :])
    containers = player.containers
    if card == "container":
        for _ in range(more):
            containers = (*containers, ())
        for _ in range(-more):
            containers = without_last_empty(containers)
    return replace(player, technologies=counts, containers=containers)


def without_last_empty(containers: tuple[Cargo, ...]) -> tuple[Cargo, ...]:
    """Return *containers* without the last empty one. The container on the Start card is never removed."""
    at = max(number for number, cargo in enumerate(containers) if number and not cargo)
    return (*containers[:at], *containers[at + 1 :])


def _intervened(state: State, event: happened.Intervened) -> State:
    turn = turn_of(state)
    used = replace(turn, interventions=turn.interventions - 1, begun=True)
    left = with_player(state, event.player, discarded(state.players[event.player], (event.card,)))
    if event.card == "passenger":
        return replace(left, turn=used)
    played = Intervene(event.player, event.card, event.choices)
    return replace(left, turn=used, played=played, phase=Phase.ANSWER)


def _granted(state: State, what: str) -> State:
    turn = turn_of(state)
    match what:
        case "action":
            more = replace(turn, actions=turn.actions + 1)
        case "flight":
            more = replace(turn, flights=turn.flights + 1)
        case "tunnel":
            more = replace(turn, tunnels=turn.tunnels + 1)
        case _:
            raise AssertionError(f"nothing grants {what}")
    return replace(state, turn=more)


def _turn_ended(state: State, event: happened.TurnEnded) -> State:
    player = discarded(state.players[event.player], event.discard)
    return with_player(state, event.player, drawn(player, event.drawn))


def _turn_began(state: State, event: happened.TurnBegan) -> State:
    number = state.turn.number + 1 if state.turn else 1
    return replace(state, phase=Phase.TURN, turn=OpenTurn(number, event.player, event.price))


def _hyperjumped(state: State, event: happened.Hyperjumped) -> State:
    turn = turn_of(state)
    to = INNERMOST if event.direction == "inward" else OUTERMOST
    moved = with_player(state, event.player, replace(state.players[event.player], place=to))
    return replace(moved, turn=replace(turn, jumped=(*turn.jumped, event.direction)))


def _contents_exchanged(state: State, event: happened.ContentsExchanged) -> State:
    against = other(state, event.player)
    mine, theirs = state.players[event.player], state.players[against]
    given, taken = mine.containers[event.mine], theirs.containers[event.theirs]
    players = {
        event.player: _holding(mine, event.mine, taken),
        against: _holding(theirs, event.theirs, given),
    }
    return replace(state, players={colour: players[colour] for colour in state.players})


def _ships_exchanged(state: State) -> State:
    (one, first), (two, second) = state.players.items()
    return replace(state, players={one: replace(first, place=second.place), two: replace(second, place=first.place)})


def _reshuffled(state: State, event: happened.Reshuffled) -> State:
    player = state.players[event.player]
    cards = player.hand + player.draw_pile + player.discards
    mixed = replace(player, hand=event.hand, draw_pile=cards - event.hand, discards=0, named=None)
    return with_player(state, event.player, mixed)


def _goods_laid(state: State, event: happened.GoodsLaid) -> State:
    goods = _put(state.goods, event.planet, tuple(Goods(side.to, side.value) for side in event.cards))
    whole = all(len(cargo) == AT_A_PLANET for cargo in goods)
    return replace(state, goods=goods, phase=Phase.CHOICE if whole else Phase.GOODS)


def _paid(state: State, colour: str, gained: int) -> State:
    player = state.players[colour]
    return with_player(state, colour, replace(player, megagalax=min(GOAL, player.megagalax + gained)))


def _holding(player: Player, container: int, cargo: Cargo) -> Player:
    containers = (*player.containers[:container], cargo, *player.containers[container + 1 :])
    return replace(player, containers=containers)


def _put(goods: tuple[Cargo, ...], planet: str, cargo: Cargo) -> tuple[Cargo, ...]:
    at = PLANETS.index(planet)
    return (*goods[:at], cargo, *goods[at + 1 :])


def _corrected(state: State, event: happened.Corrected) -> State:
    player = state.players[event.player]
    match event.what:
        case Amount("megagalax", amount):
            return with_player(state, event.player, replace(player, megagalax=amount))
        case Amount(_, amount):
            return with_player(state, event.player, drawn(player, amount - player.hand))
        case Standing(place):
            return with_player(state, event.player, replace(player, place=place))
        case Counts("technologies", cards):
            return with_player(state, event.player, _technologies_corrected(player, dict(cards)))
        case Counts(_, cards):
            return with_player(state, event.player, replace(player, named=_named(player, dict(cards))))
        case GoodsAt(planets):
            goods = state.goods
            for planet, cargo in planets:
                goods = _put(goods, planet, cargo)
            return replace(state, goods=goods)
        case Held(index, cargo):
            return with_player(state, event.player, _holding(player, index, cargo))
        case _:
            assert_never(event.what)


def _technologies_corrected(player: Player, cards: Mapping[str, int]) -> Player:
    more = {card: count - player.technology(card) for card, count in cards.items()}
    for card, count in more.items():
        player = _with_technology(player, card, count)
    return _from_pile(player, sum(more.values()))


def _named(player: Player, cards: Mapping[str, int]) -> dict[str, int]:
    return {card: count for card, count in {**player.known, **cards}.items() if count}
