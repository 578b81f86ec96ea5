"""The practice game as a page: the wreck, what has just happened, and what it means in one sentence."""

from __future__ import annotations

from collections.abc import Mapping

from companion.autoplay.demo import DemoStatus
from companion.games.wreck.state import State
from companion.kernel.validation import Line
from web.components.bar import PlayBar
from web.components.practice import practice
from web.games.wreck.components.layout import where
from web.games.wreck.components.ship import ship
from web.games.wreck.history.sentences import tell
from web.games.wreck.setup.demo import header
from web.http.i18n import lazy
from web.request.game_pages import Scene

SEATS = (("red", "Ana"), ("blue", "Ben"), ("green", "Cem"))
MEANINGS: Mapping[str, tuple[str, str]] = {
    "open": (lazy("General missions are for everybody: whoever fulfils one first takes it."), "cleanup"),
    "exchange": (lazy("A personal mission that doesn't work out may be swapped once a round."), "cleanup"),
    "roll": (lazy("All dice go into the pool; three contaminations stay at most."), "roll"),
    "offer": (lazy("These dice go with the next order card, to whoever takes them first."), "offers"),
    "accept": (lazy("Card, dice and one more from the pool. Low cards play first."), "offers"),
    "decline": (lazy("The offer goes on clockwise. Back at the offerer, it has to be taken."), "offers"),
    "contaminate": (lazy("Each contamination costs a researcher, before anything else."), "contamination"),
    "train": (lazy("Trained researchers wait on the species card until they're called."), "actions"),
    "call": (lazy("They appear wherever the player has a teleporter."), "actions"),
    "move": (lazy("Steps lead to rooms that share a side."), "actions"),
    "explore": (lazy("Any die opens the next room, and one researcher goes in."), "actions"),
    "technology": (lazy("A technology works once a round, for whoever is first."), "actions"),
    "armoury": (lazy("Who controls the armoury may clear a rival out."), "rooms"),
    "hangar": (lazy("From the hangar it's one flight to any open room."), "rooms"),
    "quarters": (lazy("Crew quarters are worth two steps a round."), "rooms"),
    "communications": (lazy("Communications train or call one, without a die."), "rooms"),
    "bridge": (lazy("From the bridge personal missions can be chosen better."), "rooms"),
    "reactor": (lazy("The reactor swaps two researchers in adjacent rooms."), "rooms"),
    "fulfil": (lazy("Mission KP stay. Room KP are counted again each round."), "missions"),
    "end_turn": (lazy("Dice that weren't used are lost."), "round"),
}


def practice_header() -> Line:
    """Return the header of a practice game: three made-up players."""
    return header(SEATS)


def practice_scene(shown: DemoStatus) -> Scene:
    """Return the page of a practice as it stands."""
    snapshot = shown.practice.snapshot
    state: State = snapshot.state
    told = practice(shown, where(state), tell, lambda line: MEANINGS.get(str(line["do"]), ("", "round")))
    return Scene("wreck/practice.html", told | {"ship": ship(state)}, PlayBar(""))
