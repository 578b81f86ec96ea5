"""The effect of each event on the state. No other code changes the state of a game."""

from __future__ import annotations

from typing import assert_never

from companion.games.andromeda import events as happened
from companion.games.andromeda.board import PLANETS
from companion.games.andromeda.commands import Amount, Credits, StationMove
from companion.games.andromeda.events import Event
from companion.games.andromeda.state import KINDS, Attempt, Card, Phase, State, Trading, stations_on
from companion.kernel.values import replace


def evolve(state: State, event: Event) -> State:  # noqa: C901  # one arm per event, nothing nested
    """Return the state after *event*. It never refuses."""
    match event:
        case happened.CardLaid():
            return _card_laid(state, event)
        case happened.SetPlayed():
            return _set_played(state, event)
        case happened.ActionDone():
            return replace(state, actions_left=state.actions_left - 1)
        case happened.TurnBegan():
            return replace(state, turn=event.player, actions_left=event.actions)
        case happened.TransportPassed() | happened.PutBack():
            return state
        case happened.CardsExchanged():
            supply, discards = drawn(state.supply, state.discards + event.cards, event.cards)
            return replace(state, supply=supply, discards=discards)
        case happened.StationsMoved():
            return _from_earth(state, event.player, event.planet, event.stations)
        case happened.FlewHome():
            return _attempt_drew(_from_earth(state, event.player, event.planet, -1), event.player)
        case happened.CentreTaken():
            value = state.setting.board.planet(event.planet).centres[event.slot]
            return _attempt_drew(_centre_taken(state, event), event.player, value)
        case happened.AttemptBegan():
            return replace(state, attempt=_attempt(state, event))
        case happened.AttemptEnded():
            return replace(state, attempt=None, tried=(*state.tried, _open_attempt(state)))
        case happened.CreditEarned():
            return _credits_moved(state, event.player, (event.kind,), 1)
        case happened.LevelGained():
            return _level_gained(state, event)
        case happened.SetsSwapped():
            return _after_swap(state, event.player, event.partner)
        case happened.SetLeft():
            return replace(state, trading=replace(_trading(state), partner=""))
        case happened.SetTaken():
            return _without_set(state, event.player)
        case happened.PlayerExcused():
            taken = _without_set(state, event.player)
            excused = _trading(taken).excused | {event.player}
            return replace(taken, trading=replace(_trading(taken), excused=excused))
        case happened.Transported():
            return _transported(state, event)
        case happened.PhaseBegan():
            return _phase_began(state, event)
        case happened.RoundBegan():
            return _round_began(state, event)
        case happened.Dealt():
            return _dealt(state, event)
        case happened.CardsShown():
            return _cards_shown(state, event)
        case happened.Corrected():
            return _corrected(state, event)
        case happened.GameEnded():
            return replace(state, phase=Phase.FINISHED, turn="", actions_left=0)
        case _:
            assert_never(event)


def drawn(supply: int, discards: int, wanted: int) -> tuple[int, int]:
    """Return the sizes of supply and discards after *wanted* cards were drawn.

    An empty supply is refilled from the discards.

    >>> drawn(supply=10, discards=5, wanted=4)
    (6, 5)
    >>> drawn(supply=2, discards=5, wanted=4)
    (3, 0)
    """
    if wanted <= supply:
        return supply - wanted, discards
    return supply + discards - wanted, 0


def with_player(state: State, colour: str, **changes: object) -> State:
    """Return *state* with some fields of one player changed."""
    player = replace(state.players[colour], **changes)  # type: ignore[arg-type]  # field names are the caller's
    return replace(state, players={**state.players, colour: player})


def _trading(state: State) -> Trading:
    assert state.trading is not None, "trading events only come in a trading phase"
    return state.trading


def _cards_shown(state: State, event: happened.CardsShown) -> State:
    player = state.players[event.player]
    planets = tuple(map(sum, zip(player.planets, event.cards, strict=True)))
    return with_player(state, event.player, planets=planets, unplaced=0)


def _dealt(state: State, event: happened.Dealt) -> State:
    supply, discards = drawn(state.supply, state.discards, sum(cards for _, cards in event.cards))
    players = dict(state.players)
    for colour, cards in event.cards:
        players[colour] = replace(players[colour], hand=players[colour].hand + cards)
    return replace(state, players=players, supply=supply, discards=discards)


def _round_began(state: State, event: happened.RoundBegan) -> State:
    return replace(
        state,
        round=event.number,
        starter=event.starter,
        phase=Phase.CARDS,
        turn="",
        actions_left=0,
        transported=frozenset(),
    )


def _phase_began(state: State, event: happened.PhaseBegan) -> State:
    phase = Phase(event.phase)
    trading = Trading({}) if phase is Phase.TRADING else None
    return replace(state, phase=phase, turn=event.turn, actions_left=event.actions, trading=trading)


def _transported(state: State, event: happened.Transported) -> State:
    stations = event.stations if event.move == "to_planet" else -event.stations
    moved = _from_earth(state, event.player, event.planet, stations)
    used = with_player(moved, event.player, transport=moved.players[event.player].transport - 1)
    return replace(used, transported=state.transported | {event.player})


def _from_earth(state: State, colour: str, planet: str, stations: int) -> State:
    player = state.players[colour]
    planets = _changed(player.planets, PLANETS.index(planet), stations)
    return with_player(state, colour, earth=player.earth - stations, planets=planets)


def _card_laid(state: State, event: happened.CardLaid) -> State:
    trading = _trading(state)
    laid = (*trading.sets.get(event.player, ()), event.card)
    return replace(state, trading=replace(trading, sets={**trading.sets, event.player: laid}))


def _set_played(state: State, event: happened.SetPlayed) -> State:
    player = state.players[event.player]
    played = with_player(state, event.player, hand=player.hand - event.cards)
    returned = _credits_moved(played, event.player, event.jokers, -1) if event.jokers else played
    return replace(returned, discards=state.discards + event.cards)


def _credits_moved(state: State, colour: str, kinds: tuple[str, ...], to_hand: int) -> State:
    """Return *state* with a credit of each of *kinds* moved from its pile to the hand (*to_hand* is 1) or back (-1)."""
    player = state.players[colour]
    piles, held = state.credits, player.credits
    for kind in kinds:
        piles = _changed(piles, KINDS.index(kind), -to_hand)
        held = _changed(held, KINDS.index(kind), to_hand)
    moved = with_player(state, colour, credits=held, hand=player.hand + to_hand * len(kinds))
    return replace(moved, credits=piles)


def _attempt(state: State, event: happened.AttemptBegan) -> Attempt:
    stations = sum(stations_on(state, event.planet).values())
    own = state.players[event.player].on(event.planet)
    draws = event.draws
    return Attempt(event.player, event.planet, draws, draws, event.cards, event.bonus, stations=stations, own=own)


def _open_attempt(state: State) -> Attempt:
    assert state.attempt is not None, "only an open attempt ends"
    return state.attempt


def _attempt_drew(state: State, colour: str, took: int = 0) -> State:
    attempt = state.attempt
    assert attempt is not None, "stations are drawn in an attempt only"
    drew = replace(attempt, draws_left=attempt.draws_left - 1, drawn=(*attempt.drawn, colour), took=took)
    return replace(state, attempt=drew)


def _centre_taken(state: State, event: happened.CentreTaken) -> State:
    at = PLANETS.index(event.planet)
    owners = state.centres[at]
    taken = (*owners[: event.slot], event.player, *owners[event.slot + 1 :])
    player = state.players[event.player]
    moved = with_player(state, event.player, planets=_changed(player.planets, at, -1))
    return replace(moved, centres=(*state.centres[:at], taken, *state.centres[at + 1 :]))


def _level_gained(state: State, event: happened.LevelGained) -> State:
    level = getattr(state.players[event.player], event.track)
    return with_player(state, event.player, **{event.track: level + 1})


def _corrected(state: State, event: happened.Corrected) -> State:
    match event.what:
        case StationMove(source, target, count):
            return _placed(_placed(state, event.player, source, -count), event.player, target, count)
        case Credits(held):
            return _credits_corrected(state, event.player, dict(held))
        case Amount("hand", amount):
            return _hand_corrected(state, event.player, amount)
        case Amount(of, amount):
            return with_player(state, event.player, **{of: amount})
        case _:
            assert_never(event.what)


def _placed(state: State, colour: str, place: str, count: int) -> State:
    player = state.players[colour]
    if place == "earth":
        return with_player(state, colour, earth=player.earth + count)
    planet, _, slot = place.partition("/")
    at = PLANETS.index(planet)
    if not slot:
        return with_player(state, colour, planets=_changed(player.planets, at, count))
    owners = list(state.centres[at])
    owners[int(slot)] = colour if count > 0 else None
    return replace(state, centres=(*state.centres[:at], tuple(owners), *state.centres[at + 1 :]))


def _hand_corrected(state: State, colour: str, hand: int) -> State:
    more = hand - state.players[colour].hand
    supply, discards = drawn(state.supply, state.discards, more)
    return replace(with_player(state, colour, hand=hand), supply=supply, discards=discards)


def _credits_corrected(state: State, colour: str, held: dict[str, int]) -> State:
    for kind, count in held.items():
        more = count - state.players[colour].credit(kind)
        state = _credits_moved(state, colour, (kind,) * abs(more), 1 if more > 0 else -1)
    return state


def _changed(counts: tuple[int, ...], at: int, by: int) -> tuple[int, ...]:
    return (*counts[:at], counts[at] + by, *counts[at + 1 :])


def _without_set(state: State, colour: str) -> State:
    """Return *state* with the set of *colour* taken from the table into the hand."""
    trading = _trading(state)
    sets = {owner: cards for owner, cards in trading.sets.items() if owner != colour}
    return replace(state, trading=replace(trading, sets=sets, partner=""))


def _after_swap(state: State, colour: str, partner: str) -> State:
    """Return *state* after a swap: the new set of *colour* is in hand, the new set of *partner* on the table."""
    trading = _trading(state)
    given, taken = trading.sets[colour], trading.sets[partner]
    sets = {owner: cards for owner, cards in trading.sets.items() if owner != colour} | {partner: given}
    players = dict(state.players)
    for owner, lost, won in ((colour, given, taken), (partner, taken, given)):
        players[owner] = replace(players[owner], credits=_traded(players[owner].credits, lost, won))
    swapped = replace(trading, sets=sets, partner=partner)
    return replace(state, players=players, trading=swapped)


def _traded(credits: tuple[int, ...], lost: tuple[Card, ...], won: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(held - lost.count(kind) + won.count(kind) for kind, held in zip(KINDS, credits, strict=True))
