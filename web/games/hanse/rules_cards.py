"""The rules cards, and the choice of the card that helps on a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.hanse.state import Phase, State
from companion.kernel.said import said
from companion.model.snapshot import Snapshot
from web.request.game_pages import Ruled, RulesCard

# The rules in our own words: one short card for each part of a turn.

CARDS = (
    RulesCard(
        "turn",
        said("A turn"),
        "ic-hx-replenishment",
        (
            said("Two planet actions, one flight, two interventions, in any order."),
            said("Then discard what you like."),
            said("Draw one card for each Replenishment, up to five in hand."),
            said("Pass the die."),
        ),
    ),
    RulesCard(
        "setup",
        said("Set-up"),
        "ic-hx-planet",
        (
            said("Lay five goods cards at each planet. Flip a card that shows its own planet."),
            said("The Start card is face up: one Container, one Replenishment."),
            said("Shuffle the rest of your deck and draw five."),
            said("The younger player moves first or names the planet. The other gets the other."),
        ),
    ),
    RulesCard(
        "flight",
        said("The flight"),
        "ic-hx-flight",
        (
            said("Roll the die: that is your energy. Roll a 1 again and add it."),
            said("Each Fusion Drive adds 1."),
            said("Launch and landing cost 1 each."),
            said("Towards the sun, each orbit costs 1 and gaps are free."),
            said("Away from the sun, each gap and each orbit costs 1."),
            said("Landing or a planet action ends the flight. Energy left over is lost."),
        ),
    ),
    RulesCard(
        "load",
        said("Load and unload"),
        "ic-hx-container",
        (
            said("Load all goods for one planet into one empty Container. It is sealed."),
            said("Unload it on that planet: each card brings its Megagalax."),
            said("If no goods were there, each card brings 1 more."),
            said("Turn the cards over and leave them there."),
            said("If two of them show the same planet, that pair leaves the game."),
        ),
    ),
    RulesCard(
        "buy",
        said("Buy a technology"),
        "ic-hx-fusion_drive",
        (
            said("It costs as many Megagalax as you had technology cards when your turn began."),
            said("The Start card counts as one of them."),
            said("It works at once, and for good."),
        ),
    ),
    RulesCard(
        "technologies",
        said("Technologies"),
        "ic-hx-space_station",
        (
            said("Container: room for one more load."),
            said("Replenishment: draw one card more."),
            said("Fusion Drive: 1 energy more for each flight."),
            said("Hyperjump: before all else, to the innermost or outermost orbit."),
            said("Space Station: one planet action a turn from orbit."),
        ),
    ),
    RulesCard(
        "interventions",
        said("Interventions"),
        "ic-hx-card",
        (
            said("Two a turn. Discard the card and do what it says."),
            said("The other player may discard the same card: then nothing happens."),
            said("A Passenger can't be stopped: on its planet it brings 3."),
            said("Agent: one planet action more. Afterburner: one flight more."),
            said("Sun Tunnel: from the innermost orbit to the outermost one for 1 energy."),
            said("Inner and Outer Loading load from afar, without a planet action."),
            said("Transmitters exchange the ships, or what two Containers hold."),
            said("Hyperstorm: shuffle all your cards, draw five. Your turn ends."),
        ),
    ),
    RulesCard(
        "end",
        said("The end"),
        "ic-hx-sun",
        (
            said("Whoever reaches 70 Megagalax wins at once."),
            said("It also ends when the last two goods cards leave."),
            said("Then most Megagalax win, then most technology cards."),
        ),
    ),
)

PHASES: Mapping[Phase, str] = {
    Phase.GOODS: "setup",
    Phase.CHOICE: "setup",
    Phase.PLANET: "setup",
    Phase.TURN: "turn",
    Phase.FLIP: "load",
    Phase.ANSWER: "interventions",
    Phase.FINISHED: "end",
}
PAGES = {"/table/act/discard": "turn"}


def ruled(card: RulesCard, state: Any) -> tuple[Ruled, ...]:
    """Return how this table plays *card*, if it plays it differently."""
    stays = isinstance(state, State) and not state.setting.reshuffle and card.name == "turn"
    return (Ruled(said("At this table an empty draw pile stays empty.")),) if stays else ()


def card_now(snapshot: Snapshot) -> str:
    """Return the name of the card that explains the current step, or "" if there is no game."""
    state = snapshot.state
    if not isinstance(state, State):
        return ""
    if state.phase is Phase.TURN and state.turn is not None and state.turn.energy is not None:
        return "flight"
    return PHASES[state.phase]


def card_at(snapshot: Snapshot, path: str) -> str:
    """Return the name of the card that explains the page at *path*, or ""."""
    if path.startswith("/table/card/"):
        return "interventions"
    return PAGES.get(path, "") or (card_now(snapshot) if path == "/table" else "")
