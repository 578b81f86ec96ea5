"""The rules cards, and the choice of the card that helps on a page."""

from __future__ import annotations

from typing import Any

from companion.games.wreck.state import Phase, State
from companion.model.snapshot import Snapshot
from web.http.i18n import lazy
from web.request.game_pages import Ruled, RulesCard

# The rules in our own words: one short card for each part of a round.

CARDS = (
    RulesCard(
        "round",
        lazy("A round"),
        "wr-round",
        (
            lazy("Roll the dice and hand them out by offers."),
            lazy("Then play turns, by the numbers on the order cards."),
            lazy("Count KP. Nobody there yet? Clean up and go on."),
            lazy("After seven rounds it's over in any case."),
        ),
    ),
    RulesCard(
        "setup",
        lazy("Set-up"),
        "wr-ship",
        (
            lazy("The airlock is open; all other tiles are face down around it."),
            lazy("Your species says how many researchers start aboard and trained."),
            lazy("Everyone has a teleporter in the airlock and two in the supply."),
            lazy("Open one general mission. Keep one of two personal ones."),
        ),
    ),
    RulesCard(
        "roll",
        lazy("The roll"),
        "wr-die",
        (
            lazy("The starting player rolls all dice: 7, 10 or 13."),
            lazy("Three contaminations may stay. Roll the others again until they show something else."),
        ),
    ),
    RulesCard(
        "offers",
        lazy("Offers"),
        "wd-support",
        (
            lazy("Put dice on the lowest free order card: one or more."),
            lazy("Two dice stay in the pool for every card still free."),
            lazy("Clockwise, each may take it, with one more die from the pool."),
            lazy("Nobody wants it? Then the offerer takes it."),
            lazy("The last card goes with all dice that are left."),
        ),
    ),
    RulesCard(
        "contamination",
        lazy("Contamination"),
        "wd-contamination",
        (
            lazy("It comes first in your turn: one researcher leaves the ship for each."),
            lazy("A vaccine marker cancels one."),
            lazy("Researchers in the contaminated zone go first."),
        ),
    ),
    RulesCard(
        "actions",
        lazy("Actions"),
        "wd-training",
        (
            lazy("Training: up to two from the supply to your species card."),
            lazy("Support: up to two from the card to your teleporters."),
            lazy("Improvise: train one or call one."),
            lazy("Movement: three steps between rooms that share a side."),
            lazy("Technology: use a card that's still ready."),
            lazy("Any die: one step, or open the next room and go in."),
        ),
    ),
    RulesCard(
        "rooms",
        lazy("Rooms"),
        "wr-airlock",
        (
            lazy("You control a room with more researchers than anyone else, if you have its minimum."),
            lazy("Once a round you may use a room that you control. It costs no die."),
            lazy("The engine room brings one more with every call."),
        ),
    ),
    RulesCard(
        "missions",
        lazy("Missions"),
        "wr-mission",
        (
            lazy("Last in your turn: fulfil any number of missions."),
            lazy("Sacrifice the researchers that the card shows."),
            lazy("Its KP are yours for good."),
        ),
    ),
    RulesCard(
        "score",
        lazy("KP and the end"),
        "wr-reactor",
        (
            lazy("Room KP are counted again each round. Ties share, rounded down."),
            lazy("With 8, 7 or 6 KP for 2, 3 or 4 players, the round ends the game."),
            lazy("Most KP wins; then most KP from rooms; then you share."),
        ),
    ),
    RulesCard(
        "cleanup",
        lazy("Clean-up"),
        "wr-broom",
        (
            lazy("Technologies are ready again."),
            lazy("Open the next general mission."),
            lazy("The start marker goes left."),
            lazy("Fulfilled your personal mission? Draw two, keep one. If not, you may swap it once."),
        ),
    ),
)

ENGINE = {
    "always": lazy("The engine room brings one more with every call."),
    "once": lazy("The engine room is a room action: once a round, with a call by a die."),
}


def ruled(card: RulesCard, state: Any) -> tuple[Ruled, ...]:
    """Return how this table plays *card*."""
    known = isinstance(state, State) and card.name == "rooms"
    return (Ruled(ENGINE[state.setting.options.engine_room]),) if known else ()


def card_now(snapshot: Snapshot) -> str:
    """Return the name of the card that explains the current step, "" without a game."""
    state = snapshot.state
    if not isinstance(state, State):
        return ""
    match state.phase:
        case Phase.SETUP | Phase.CLEANUP:
            if state.open_due:
                return "cleanup" if state.phase is Phase.CLEANUP else "setup"
            return "roll"
        case Phase.OFFERS:
            return "offers"
        case Phase.TURNS:
            dirty = state.players[state.turn].contamination
            return "contamination" if dirty else "missions" if state.fulfilling else "actions"
        case Phase.FINISHED:
            return "score"


def card_at(snapshot: Snapshot, path: str) -> str:
    """Return the name of the card that explains the page at *path*, or ""."""
    if not isinstance(snapshot.state, State) or not path.startswith("/table"):
        return ""
    return {"/table/mission": "missions", "/table/board": "rooms"}.get(path, card_now(snapshot))
