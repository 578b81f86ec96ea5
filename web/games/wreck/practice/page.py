"""The practice game as a page: the wreck, what has just happened, and what it means in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.autoplay.demo import PACES_S, Shown
from companion.games.wreck.state import State
from companion.games.wreck.view import result
from companion.kernel.validation import Line
from companion.model.game import Viewer
from web.components.bar import Bar
from web.components.players import Face, faces
from web.games.wreck.components.layout import surroundings, where
from web.games.wreck.components.ship import ship
from web.games.wreck.history.sentences import tell
from web.games.wreck.setup.demo import header
from web.http.i18n import lazy, translated
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


@dataclass(frozen=True)
class Step:
    """The newest step in words: what happened, what it means, and the card that says more."""

    face: Face | None
    happened: str
    means: str
    card: str


def practice_header() -> Line:
    """Return the header of a practice game: three made-up players."""
    return header(SEATS)


def practice_scene(shown: Shown) -> Scene:
    """Return the page of a practice as it stands."""
    snapshot = shown.practice.snapshot
    state: State = snapshot.state
    ended = result(state)
    more = {
        "ended": "" if ended is None else translated(ended.why),
        "fastest": shown.pace == len(PACES_S) - 1,
        "slowest": shown.pace == 0,
        "ship": ship(state),
        "shown": shown,
        "snapshot": snapshot,
        "step": _step(shown),
        "where": where(state),
    }
    return Scene("wreck/practice.html", surroundings(snapshot, Viewer(), Bar(""), False) | more)


def _step(shown: Shown) -> Step | None:
    """Return the newest step in words, None before the first."""
    practice = shown.practice
    if not practice.recent:
        return None
    line = practice.recent[0].line
    means, card = MEANINGS.get(str(line["do"]), ("", "round"))
    face = faces(practice.state.setting.seats).get(str(line.get("player", "")))
    return Step(face, tell(line, practice.header), translated(means), card)
