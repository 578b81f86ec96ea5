"""The rules cards, and the choice of the card that helps on a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.hanse.state import Phase, State
from companion.model.snapshot import Snapshot
from web.http.i18n import lazy
from web.request.game_pages import Ruled, RulesCard

# The rules in our own words: one short card for each part of a turn.

CARDS = (
    RulesCard(
        "turn",
        lazy("A turn"),
        "ic-hx-replenishment",
        (
            lazy("Two planet actions, one flight, two interventions, in any order."),
            lazy("Then discard what you like."),
            lazy("Draw one card for each Replenishment, up to five in hand."),
            lazy("Pass the die."),
        ),
    ),
    RulesCard(
        "setup",
        lazy("Set-up"),
        "ic-hx-planet",
        (
            lazy("Lay five goods cards at each planet. Flip a card that shows its own planet."),
            lazy("The Start card is face up: one Container, one Replenishment."),
            lazy("Shuffle the rest of your deck and draw five."),
            lazy("The younger player moves first or names the planet. The other gets the other."),
        ),
    ),
    RulesCard(
        "flight",
        lazy("The flight"),
        "ic-hx-flight",
        (
            lazy("Roll the die: that is your energy. Roll a 1 again and add it."),
            lazy("Each Fusion Drive adds 1."),
            lazy("Launch and landing cost 1 each."),
            lazy("Towards the sun, each orbit costs 1 and gaps are free."),
            lazy("Away from the sun, each gap and each orbit costs 1."),
            lazy("Landing or a planet action ends the flight. Energy left over is lost."),
        ),
    ),
    RulesCard(
        "load",
        lazy("Load and unload"),
        "ic-hx-container",
        (
            lazy("Load all goods for one planet into one empty Container. It is sealed."),
            lazy("Unload it on that planet: each card brings its Megagalax."),
            lazy("If no goods were there, each card brings 1 more."),
            lazy("Turn the cards over and leave them there."),
            lazy("If two of them show the same planet, that pair leaves the game."),
        ),
    ),
    RulesCard(
        "buy",
        lazy("Buy a technology"),
        "ic-hx-fusion_drive",
        (
            lazy("It costs as many Megagalax as you had technology cards when your turn began."),
            lazy("The Start card counts as one of them."),
            lazy("It works at once, and for good."),
        ),
    ),
    RulesCard(
        "technologies",
        lazy("Technologies"),
        "ic-hx-space_station",
        (
            lazy("Container: room for one more load."),
            lazy("Replenishment: draw one card more."),
            lazy("Fusion Drive: 1 energy more for each flight."),
            lazy("Hyperjump: before all else, to the innermost or outermost orbit."),
            lazy("Space Station: one planet action a turn from orbit."),
        ),
    ),
    RulesCard(
        "interventions",
        lazy("Interventions"),
        "ic-hx-card",
        (
            lazy("Two a turn. Discard the card and do what it says."),
            lazy("The other player may discard the same card: then nothing happens."),
            lazy("A Passenger can't be stopped: on its planet it brings 3."),
            lazy("Agent: one planet action more. Afterburner: one flight more."),
            lazy("Sun Tunnel: from the innermost orbit to the outermost one for 1 energy."),
            lazy("Inner and Outer Loading load from afar, without a planet action."),
            lazy("Transmitters exchange the ships, or what two Containers hold."),
            lazy("Hyperstorm: shuffle all your cards, draw five. Your turn ends."),
        ),
    ),
    RulesCard(
        "end",
        lazy("The end"),
        "ic-hx-sun",
        (
            lazy("Whoever reaches 70 Megagalax wins at once."),
            lazy("It also ends when the last two goods cards leave."),
            lazy("Then most Megagalax win, then most technology cards."),
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
    return (Ruled(lazy("At this table an empty draw pile stays empty.")),) if stays else ()


def card_now(snapshot: Snapshot) -> str:
    """Return the name of the card that explains the current step, "" without a game."""
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
