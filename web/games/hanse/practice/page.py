"""The practice game as a page: the board, what has just happened, and what it means in one sentence."""

from __future__ import annotations

from companion.autoplay.demo import DemoStatus
from companion.games.hanse.state import State
from companion.kernel.validation import Line
from web.components.practice import practice
from web.games.hanse.components.layout import bar, where
from web.games.hanse.components.space import space
from web.games.hanse.history.sentences import tell
from web.games.hanse.setup.demo import RECORD, SEATS
from web.http.i18n import lazy
from web.request.game_pages import Scene

CARD_OF = {
    "goods": "setup",
    "choose": "setup",
    "start": "setup",
    "roll": "flight",
    "fly": "flight",
    "tunnel": "flight",
    "hyperjump": "technologies",
    "load": "load",
    "unload": "load",
    "flip": "load",
    "buy": "buy",
    "intervene": "interventions",
    "allow": "interventions",
    "neutralise": "interventions",
}
"""Which rules card explains a line; the turn's own for all others."""
MEANS = {
    "goods": lazy("Every card shows a planet where it is wanted, and never its own."),
    "choose": lazy("One moves first, the other names the planet."),
    "start": lazy("Both ships begin on the same planet."),
    "roll": lazy("That is the energy of this flight. Each Fusion Drive adds 1."),
    "fly": lazy("Inwards only orbits cost energy. Outwards the gaps cost too."),
    "tunnel": lazy("Through the sun it takes 1 energy, outwards only."),
    "hyperjump": lazy("A hyperjump is no flight: the die may still be rolled."),
    "load": lazy("All goods for that planet go in, and the container is sealed."),
    "unload": lazy("Each card brings its value, and 1 more where no goods were."),
    "flip": lazy("New goods for new planets. One pair for the same planet leaves."),
    "buy": lazy("A technology stays for good. Each one makes the next dearer."),
    "intervene": lazy("An intervention works once. Two may be played in a turn."),
    "allow": lazy("Nobody minds: the card does what it says."),
    "neutralise": lazy("The same card from the other hand: nothing happens."),
    "end_turn": lazy("One card for each Replenishment, and the die is passed."),
}
"""What a line means for whoever is new to the game."""


def practice_header() -> Line:
    """Return the header of a practice game: two made-up players."""
    return {**RECORD, "players": [{"colour": colour, "name": name} for colour, name in SEATS], "younger": "red"}


def practice_scene(shown: DemoStatus) -> Scene:
    """Return the page of a practice as it stands."""
    snapshot = shown.practice.snapshot
    state: State = snapshot.state
    told = practice(shown, where(state), tell, _explained)
    return Scene("hanse/practice.html", told | {"space": space(snapshot, taps=False)}, bar(state, ""))


def _explained(line: Line) -> tuple[str, str]:
    return MEANS.get(str(line["do"]), ""), CARD_OF.get(str(line["do"]), "turn")
