"""The page of the cube tower: the cubes stuck in it now and over time, and the cubes that came out after each throw.

Its other pages throw cubes in, take them out, and count those that are stuck.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter

from companion.games.draws.state import State
from companion.kernel.said import said
from web.components.players import Face
from web.components.possible_now import Possible
from web.games.draws.cubes import Shown, cube_faces, shown
from web.games.draws.handful import Handful, saved
from web.games.draws.help import deed, means
from web.games.draws.layout import tower_bar
from web.http.i18n import _
from web.request.game_pages import Look, RulesCard, Scene

BARS, FALLS = 16, 5
TOWER = "tower"
HANDFULS: Mapping[str, Handful] = {
    "throw": Handful(
        "throw", said("Into the tower"), lambda num: _("Throw %(num)s in", num=num), TOWER, None, TOWER, True
    ),
    "out": Handful(
        "out",
        said("Out of the tower"),
        lambda num: _("%(num)s came out", num=num),
        TOWER,
        attrgetter("stuck"),
        TOWER,
    ),
    "stuck": Handful("correct", said("What's in the tower?"), saved, "", attrgetter("stuck"), TOWER, counting=TOWER),
}
CARD = RulesCard(
    TOWER,
    said("The tower"),
    "ic-tower",
    (
        means("throw"),
        means("out"),
        said("The picture shows what was stuck after each throw."),
    ),
)


@dataclass(frozen=True)
class Layer:
    """The cubes stuck after a throw, from the bottom up: each colour with its height in percent of the highest pile."""

    parts: tuple[tuple[Face, float], ...]
    total: int


@dataclass(frozen=True)
class Fell:
    """One throw: the cubes that went in, and the cubes that have come out since."""

    thrown: Shown
    out: Shown
    stuck: int


def tower_scene(look: Look) -> Scene:
    """Return the page of the tower."""
    state: State = look.state
    facts = {"stuck": state.stuck, "layers": layers(state), "falls": falls(state)}
    heading = tower_bar(look.snapshot, _("Tower"), back="/table")
    return Scene("draws/tower.html", facts, heading)


def layers(state: State, most: int = BARS) -> tuple[Layer, ...]:
    """Return the cubes that were stuck after each of the last throws, oldest first."""
    known, newest = cube_faces(state.colours), state.falls[-most:]
    highest = max((sum(fall.stuck.values()) for fall in newest), default=0) or 1
    return tuple(
        Layer(
            tuple((known[colour], round(100 * count / highest, 1)) for colour, count in fall.stuck.items() if count),
            sum(fall.stuck.values()),
        )
        for fall in newest
    )


def falls(state: State, most: int = FALLS) -> tuple[Fell, ...]:
    """Return the last throws, newest first."""
    newest = state.falls[: -most - 1 : -1]
    return tuple(Fell(shown(state, f.thrown), shown(state, f.out), sum(f.stuck.values())) for f in newest)


def deeds(state: State, closed: str) -> tuple[Possible, ...]:
    """Return what can be done with the tower, with the reason against it, such as that the table is *closed*."""
    bare = "" if any(state.stuck.values()) else _("Nothing is in the tower.")
    return (deed("throw", closed, "throw", "tower-in"), deed("out", closed or bare, "out", "tower-out"))
