"""The rules cards, with the options of this table, and the choice of the card that helps on a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.andromeda.options import RULINGS
from companion.games.andromeda.state import Phase, State
from companion.games.andromeda.trading import laying
from companion.kernel.said import said
from companion.model.header import Ruling, word_of
from companion.model.snapshot import Snapshot
from web.request.game_pages import Ruled, RulesCard

# The rules in our own words: one short card for each phase and action.

CARDS = (
    RulesCard(
        "round",
        said("A round"),
        "board",
        (
            said("Everyone fills their hand: cards."),
            said("Everyone may fly once: transport."),
            said("Cards change hands without a word: trading."),
            said("Then actions: three for the starting player, two for everyone else."),
            said("Next round, the player to the left starts."),
        ),
    ),
    RulesCard(
        "setup",
        said("Set-up"),
        "board",
        (
            said("Some stations start on Earth, some on each planet."),
            said("Everyone turns cards over: each puts one station on its planet."),
            said("Shuffle all cards; everyone gets nine."),
        ),
    ),
    RulesCard(
        "cards",
        said("Cards"),
        "cards",
        (
            said("Fill every hand up to the limit of its ship."),
            said("Bonus credits count as cards in hand."),
            said("When the deck runs out, shuffle the discards."),
        ),
    ),
    RulesCard(
        "transport",
        said("Transport"),
        "transport",
        (
            said("Starting player first, each may play one transport card."),
            said("Out: two of your stations fly from Earth to one planet."),
            said("Home: all your stations on one planet fly to Earth. Centres stay."),
            said("You have two for the whole game. They cost no action."),
        ),
        ("transport_as_action",),
    ),
    RulesCard(
        "lay",
        said("Trading: playing cards"),
        "no-card",
        (
            said("Quiet! Nobody talks about trades, before or during."),
            said("The starting player plays a card face up."),
            said("Everyone else plays one face down, different from the starting player's. All turn over together."),
            said("Then a second card, and a third if the starting player likes; with technology level 2 a fourth."),
            said("No legal card? Show your hand, take everything back and sit out."),
        ),
        ("trade_record",),
    ),
    RulesCard(
        "swap",
        said("Trading: swapping sets"),
        "exchange",
        (
            said("The starting player must swap the whole set with somebody. Nobody may refuse."),
            said("The other player keeps the new cards, or leaves them to swap again."),
            said("Clockwise, whoever still has a set takes it back or swaps it."),
            said("It's over when fewer than two sets are left."),
        ),
        ("trade_record",),
    ),
    RulesCard(
        "exchange",
        said("Exchange cards"),
        "exchange",
        (
            said("Discard one or two planet cards and draw as many."),
            said("With technology level 3, up to three."),
            said("Bonus credits can't be exchanged."),
        ),
    ),
    RulesCard(
        "move",
        said("Move stations"),
        "move",
        (
            said("Play three to seven cards of one planet. Credits can be jokers; at least one card is real."),
            said("Every two cards bring one of your stations from Earth."),
            said("You may move fewer, even none, just for the credit."),
        ),
        ("tech4_rounds_up",),
    ),
    RulesCard(
        "establish",
        said("Establish a centre"),
        "establish",
        (
            said("Play three to seven cards of one planet. You need a station and a free centre there."),
            said("Put the ring over all stations there. Every two cards give one draw; technology level 4 rounds up."),
            said("Your colour comes out: it takes the best free centre. The action is over."),
            said("Another colour comes out: it flies home to Earth. Draw on while draws are left."),
        ),
        ("double_exit", "may_stop_drawing", "tech4_rounds_up", "virtual_ring", "show_odds"),
    ),
    RulesCard(
        "ship",
        said("Bigger ship"),
        "ship",
        (
            said("Each level costs exactly three, then four, then six cards of one planet."),
            said("It holds nine cards at first, then ten, eleven and thirteen."),
        ),
        ("allow_overpay",),
    ),
    RulesCard(
        "technology",
        said("Technology"),
        "technology",
        (
            said("Each level costs exactly three, then four, then five cards of one planet."),
            said("Level 2: as starting player you may play a fourth card. Worth 1 point."),
            said("Level 3: you may exchange three cards. Worth 3 points."),
            said("Level 4: draws are rounded up. Worth 6 points."),
        ),
        ("tech4_rounds_up", "allow_overpay"),
    ),
    RulesCard(
        "credits",
        said("Bonus credits"),
        "plus",
        (
            said("A set without jokers earns a credit: four cards silver, five gold, six platinum, seven diamond."),
            said("At the end silver is worth 2 points, gold 3, platinum 4, diamond 5."),
            said("A credit can be a joker; then it goes back to its pile."),
            said("If a pile is empty, you get nothing."),
        ),
        ("show_bonus_credits",),
    ),
    RulesCard(
        "score",
        said("End and score"),
        "tick",
        (
            said("When a third planet is full, finish this round. The game is over."),
            said("Add up your centres, 1 point per station on Earth, technology and credits."),
            said("Ties go to higher technology, then to the bigger ship; else the win is shared."),
        ),
        ("show_bonus_credits",),
    ),
)
BY_NAME = {card.name: card for card in CARDS}

PHASES: Mapping[Phase, str] = {
    Phase.SETUP: "setup",
    Phase.CARDS: "cards",
    Phase.TRANSPORT: "transport",
    Phase.ACTIONS: "round",
    Phase.FINISHED: "score",
}
ACTS = "/table/act/"


def card_now(snapshot: Snapshot) -> str:
    """Return the name of the card that explains the current step, or "" if there is no game."""
    state = snapshot.state
    if not isinstance(state, State):
        return ""
    if state.attempt:
        return "establish"
    if state.phase is Phase.TRADING:
        on_record = state.options.trade_record == "on"
        return "lay" if on_record and laying(state) else "swap"
    return PHASES[state.phase]


def card_at(snapshot: Snapshot, path: str) -> str:
    """Return the name of the card that explains the page at *path*, or ""."""
    if path.startswith(ACTS):
        name = path.removeprefix(ACTS)
        return name if name in BY_NAME else ""
    return card_now(snapshot) if path == "/table" else ""


def ruled(card: RulesCard, state: Any) -> tuple[Ruled, ...]:
    """Return this table's options that concern *card*."""
    if not isinstance(state, State):
        return ()
    return tuple(_as_ruled(state, each) for each in RULINGS if each.name in card.rulings)


def _as_ruled(state: State, ruling: Ruling) -> Ruled:
    word = word_of(getattr(state.options, ruling.name))
    return Ruled(dict(ruling.ways)[word], ruling.asks, word == ruling.usual)
