"""The stations that must be left on the planet after an attempt.

Players count them, and answer questions if a count is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from companion.games.andromeda.state import State
from companion.kernel.said import said
from companion.model.snapshot import Cause, LeftOver
from web.components.addresses import number, to
from web.components.players import Face, faces
from web.games.andromeda.components.board import world
from web.games.andromeda.components.last_move import EARTH
from web.games.andromeda.components.layout import bar
from web.http.i18n import _
from web.request.game_pages import Elsewhere, Look, Scene

MOST = 30


@dataclass(frozen=True)
class StationPile:
    """A player's stations on the planet: the expected and the entered count, and URLs for one fewer and one more."""

    face: Face
    must: int
    count: int
    fewer: str
    further: str


ASKED = {
    "swapped": said("Were two mixed up?"),
    "draw": said("Was it another colour?"),
    "came": said("Did one just arrive?"),
    "off": said("Is it only there by accident?"),
    "back": said("Did one roll away?"),
    "unseen": said("Did the ring miss one?"),
}
"""The short question for each kind of cause. The full question is below it on the page."""


@dataclass(frozen=True)
class Home:
    """Texts about the place where a drawn station belongs: the question, the instruction, and the button for "done"."""

    ask: str
    deed: str
    done: str


HOME = Home(
    said("Belongs on Earth?"),
    said("Take it to Earth."),
    said("It's on Earth now"),
)
"""Texts for a drawn station of another player, which goes to Earth."""
CENTRE = Home(
    said("Belongs on its centre?"),
    said("Put it on its centre."),
    said("It's on its centre now"),
)
"""Texts for the station that won the attempt, which goes to its centre."""


@dataclass(frozen=True)
class Sketch:
    """A picture of what may have happened: an arrow from *before* to *after*, or two stations that change places.

    Each end of the arrow is a player's face, the planet of the attempt (True), "earth", or nothing (None).
    """

    before: Face | bool | None
    after: Face | bool | str | None
    changed: bool = False


@dataclass(frozen=True)
class CauseOffer:
    """A card with a possible cause: a short and a full question, instructions for the players, a button, a picture."""

    short: str
    ask: str
    deed: str
    way: str
    sketch: Sketch | None


def left_scene(look: Look) -> Scene | Elsewhere:
    """Return the page on which the players count the stations on the planet."""
    look = look.of_the_table
    left = look.snapshot.left_over
    if left is None:
        return Elsewhere()
    asking = left.counted is not None and "again" not in look.query
    counts = _counts(left, look.query)
    more = {
        "left": left,
        "asking": asking,
        "piles": _piles(look.state, left, counts),
        "offers": {one.word: _offer(look.state, left, one) for doubt in left.doubts for one in doubt.causes},
        "world": world(look.snapshot, left.place),
        "counts": json.dumps(counts, separators=(",", ":")),
        "same": counts == dict(left.stations),
        "touched": any(colour in look.query for colour in counts),
        "again": to("left", again=1),
    }
    title = (
        _("The count on %(planet)s is off", planet=left.label)
        if asking
        else _("What's on %(planet)s?", planet=left.label)
    )
    heading = bar(look.state, title, back=to())
    return Scene("andromeda/leftover.html", more, heading)


def _counts(left: LeftOver, query: Mapping[str, str]) -> dict[str, int]:
    known = left.stations if left.counted is None else left.counted
    typed = {colour: number(query, colour, 0, MOST) for colour in known}
    return {colour: known[colour] if count is None else count for colour, count in typed.items()}


def _piles(state: State, left: LeftOver, counts: Mapping[str, int]) -> tuple[StationPile, ...]:
    known = faces(state.setting.seats)

    def address(colour: str, count: int) -> str:
        return to("left", again=1, **{**counts, colour: count}) if 0 <= count <= MOST else ""

    return tuple(
        StationPile(known[colour], left.stations[colour], count, address(colour, count - 1), address(colour, count + 1))
        for colour, count in counts.items()
    )


def _heading(cause: Cause) -> str:
    """Return the short question for *cause*, or "" if its full question is already short."""
    if cause.word.endswith("-nothing"):
        return ""
    return next((str(_(ask)) for word, ask in ASKED.items() if cause.word.startswith(f"{word}-")), "")


def _offer(state: State, left: LeftOver, cause: Cause) -> CauseOffer:
    """Return the card for *cause*. If a station must be moved, the card says where to."""
    sketch = _sketch(state, left, cause)
    if not cause.word.startswith("put-back-"):
        return CauseOffer(_heading(cause), cause.ask, "", cause.way, sketch)
    home = CENTRE if left.seat in cause.moves and state.tried and state.tried[-1].took else HOME
    return CauseOffer(str(_(home.ask)), cause.ask, str(_(home.deed)), str(_(home.done)), sketch)


def _sketch(state: State, left: LeftOver, cause: Cause) -> Sketch | None:
    """Return the picture of *cause*: a station comes or goes, two change places, or a draw had another colour."""
    known = faces(state.setting.seats)
    come = next((known[colour] for colour, by in cause.moves.items() if by > 0), None)
    gone = next((known[colour] for colour, by in cause.moves.items() if by < 0), None)
    if come and gone:
        return Sketch(gone, come, changed=True)
    if gone and cause.word.startswith("put-back-"):
        won = gone.colour == left.seat and state.tried and state.tried[-1].took
        return Sketch(gone, True if won else EARTH)
    if come or gone:
        return Sketch(come, True) if come else Sketch(True, gone)
    drawn = next((each.line.get("colour") for each in left.draws if each.id == cause.again_from), None)
    return Sketch(known[str(drawn)], known.get(cause.really)) if drawn else None
