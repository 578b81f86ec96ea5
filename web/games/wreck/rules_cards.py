"""The rules cards, and the choice of the card that helps on a page."""

from __future__ import annotations

from typing import Any

from companion.games.wreck.missions import turn_step
from companion.games.wreck.state import Phase, State
from companion.kernel.said import said
from companion.model.snapshot import Snapshot
from web.request.game_pages import Ruled, RulesCard

# The rules in our own words: one short card for each part of a round.

CARDS = (
    RulesCard(
        "round",
        said("A round"),
        "wr-round",
        (
            said("Roll the dice and hand them out by offers."),
            said("Then play turns, by the numbers on the order cards."),
            said("Count KP. Nobody there yet? Clean up and go on."),
            said("After seven rounds it's over in any case."),
        ),
    ),
    RulesCard(
        "setup",
        said("Set-up"),
        "wr-ship",
        (
            said("The airlock is open; all other tiles are face down around it."),
            said("Your species says how many researchers start aboard and trained."),
            said("Everyone has a teleporter in the airlock and two in the supply."),
            said("Open one general mission. Keep one of two personal ones."),
        ),
    ),
    RulesCard(
        "roll",
        said("The roll"),
        "wr-die",
        (
            said("The starting player rolls all dice: 7, 10 or 13."),
            said("Three contaminations may stay. Roll the others again until they show something else."),
        ),
    ),
    RulesCard(
        "offers",
        said("Offers"),
        "wd-support",
        (
            said("Put dice on the lowest free order card: one or more."),
            said("Two dice stay in the pool for every card still free."),
            said("Clockwise, each may take it, with one more die from the pool."),
            said("Nobody wants it? Then the offerer takes it."),
            said("The last card goes with all dice that are left."),
        ),
    ),
    RulesCard(
        "contamination",
        said("Contamination"),
        "wd-contamination",
        (
            said("It comes first in your turn: one researcher leaves the ship for each."),
            said("A vaccine marker cancels one."),
            said("Researchers in the contaminated zone go first."),
        ),
    ),
    RulesCard(
        "actions",
        said("Actions"),
        "wd-training",
        (
            said("Training: up to two from the supply to your species card."),
            said("Support: up to two from the card to your teleporters."),
            said("Improvise: train one or call one."),
            said("Movement: three steps between rooms that share a side."),
            said("Technology: use a card that's still ready."),
            said("Any die: one step, or open the next room and go in."),
        ),
    ),
    RulesCard(
        "rooms",
        said("Rooms"),
        "wr-airlock",
        (
            said("You control a room with more researchers than anyone else, if you have its minimum."),
            said("Once a round you may use a room that you control. It costs no die."),
            said("The engine room brings one more with every call."),
        ),
    ),
    RulesCard(
        "missions",
        said("Missions"),
        "wr-mission",
        (
            said("Last in your turn: fulfil any number of missions."),
            said("Sacrifice the researchers that the card shows."),
            said("Its KP are yours for good."),
        ),
    ),
    RulesCard(
        "score",
        said("KP and the end"),
        "wr-reactor",
        (
            said("Room KP are counted again each round. Ties share, rounded down."),
            said("With 8, 7 or 6 KP for 2, 3 or 4 players, the round ends the game."),
            said("Most KP wins; then most KP from rooms; then you share."),
        ),
    ),
    RulesCard(
        "cleanup",
        said("Clean-up"),
        "wr-broom",
        (
            said("Technologies are ready again."),
            said("Open the next general mission."),
            said("The start marker goes left."),
            said("Fulfilled your personal mission? Draw two, keep one. If not, you may swap it once."),
        ),
    ),
)

ENGINE = {
    "always": said("The engine room brings one more with every call."),
    "once": said("The engine room is a room action: once a round, with a call by a die."),
}


def ruled(card: RulesCard, state: Any) -> tuple[Ruled, ...]:
    """Return how this table plays *card*."""
    known = isinstance(state, State) and card.name == "rooms"
    return (Ruled(ENGINE[state.setting.options.engine_room]),) if known else ()


def card_now(snapshot: Snapshot) -> str:
    """Return the name of the card that explains the current step, or "" if there is no game."""
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
            return turn_step(state)
        case Phase.FINISHED:
            return "score"


def card_at(snapshot: Snapshot, path: str) -> str:
    """Return the name of the card that explains the page at *path*, or ""."""
    if not isinstance(snapshot.state, State) or not path.startswith("/table"):
        return ""
    return {"/table/mission": "missions", "/table/board": "rooms"}.get(path, card_now(snapshot))
