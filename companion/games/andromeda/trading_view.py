"""The sets on the table in a trading phase: who has one, who has the word, what is forbidden."""

from __future__ import annotations

from companion.games.andromeda.commands import FACE_DOWN
from companion.games.andromeda.state import KINDS, Card, State, Trading, clockwise_from
from companion.kernel.frozen import replace

ENOUGH_TO_SWAP = 2
MOST_CARDS, MOST_CARDS_ADVANCED = 3, 4
FOURTH_CARD_TECHNOLOGY = 2


def trading_of(state: State) -> Trading:
    """Return the trading phase at hand; only call it in one."""
    assert state.trading is not None, "asked about trading outside of its phase"
    return state.trading


def size(state: State) -> int:
    """Count the cards the starting player has laid: no set is larger, and swapped ones are as large."""
    return max(map(len, trading_of(state).sets.values()), default=0)


def with_sets(state: State) -> tuple[str, ...]:
    """Return who has cards before them, in seat order."""
    sets = trading_of(state).sets
    return tuple(colour for colour in state.colours if sets.get(colour))


def laying(state: State) -> bool:
    """Say whether cards are still being laid, as opposed to sets being swapped."""
    trading = trading_of(state)
    return not trading.partner and (not trading.sets or state.starter in trading.sets)


def must_lay(state: State) -> tuple[str, ...]:
    """Return who still has to answer the starting player's newest card, in seat order."""
    trading = trading_of(state)
    if not laying(state):
        return ()
    wanted = size(state)
    return tuple(
        colour
        for colour in state.colours
        if colour != state.starter and colour not in trading.excused and len(trading.sets.get(colour, ())) < wanted
    )


def most_cards(state: State) -> int:
    """Return how many cards the starting player may lay (technology: level 2 allows a fourth)."""
    advanced = state.players[state.starter].technology >= FOURTH_CARD_TECHNOLOGY
    return MOST_CARDS_ADVANCED if advanced else MOST_CARDS


def next_trader(state: State) -> str:
    """Return who trades next: the first clockwise from the starting player with a set."""
    return next(colour for colour in clockwise_from(state, state.starter) if colour in trading_of(state).sets)


def has_the_word(state: State) -> tuple[str, ...]:
    """Return who may speak now: all who must lay, the partner, or the trader."""
    if state.options.trade_record == "off":
        return (state.starter,)
    trading = trading_of(state)
    if trading.partner:
        return (trading.partner,)
    if laying(state):
        return must_lay(state) or (state.starter,)
    return (next_trader(state),)


def shown_cards(state: State, colour: str) -> tuple[Card, ...]:
    """Return the cards of *colour* that whoever was given this *state* may see."""
    return tuple(card for card in trading_of(state).sets.get(colour, ()) if card != FACE_DOWN)


def unlaid(state: State, colour: str) -> tuple[int, dict[str, int]]:
    """Return the planet cards, and the credits by kind, that *colour* holds and has not laid."""
    player = state.players[colour]
    laid = trading_of(state).sets.get(colour, ())
    credits = {kind: player.credit(kind) - laid.count(kind) for kind in KINDS}
    return player.planet_cards - sum(card not in KINDS for card in laid), credits


def without_set(state: State, colour: str) -> State:
    """Return *state* with the set before *colour* back in its hand."""
    trading = trading_of(state)
    sets = {owner: cards for owner, cards in trading.sets.items() if owner != colour}
    return replace(state, trading=replace(trading, sets=sets, partner=""))


def after_swap(state: State, colour: str, partner: str) -> State:
    """Return *state* with two sets exchanged: *colour*'s new one in hand, *partner*'s on the table."""
    trading = trading_of(state)
    given, taken = trading.sets[colour], trading.sets[partner]
    sets = {owner: cards for owner, cards in trading.sets.items() if owner != colour} | {partner: given}
    players = dict(state.players)
    for owner, lost, won in ((colour, given, taken), (partner, taken, given)):
        players[owner] = replace(players[owner], credits=_traded(players[owner].credits, lost, won))
    swapped = replace(trading, sets=sets, partner=partner)
    return replace(state, players=players, trading=swapped)


def _traded(credits: tuple[int, ...], lost: tuple[Card, ...], won: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(held - lost.count(kind) + won.count(kind) for kind, held in zip(KINDS, credits, strict=True))
