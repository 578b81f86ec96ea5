"""How long the others waited for each player."""

from __future__ import annotations

from companion.kernel.values import dataclass
from companion.session.time_report import waits
from web.after_game.over import Over
from web.components.players import Face
from web.http.formatting import lasting

LEAST_MS = 1_000


@dataclass(frozen=True)
class WaitedFor:
    """A player, how long each of the others waited for them on average, and that time in percent of the longest."""

    face: Face
    words: str
    share: float


def waited_for(over: Over) -> tuple[WaitedFor, ...]:
    """Return all players in seat order. Empty if nobody waited."""
    found = waits(over.spells, over.colours)
    mean = {
        colour: sum(row.get(colour, 0.0) for row in found.values()) / max(len(found) - 1, 1) for colour in over.colours
    }
    most = max(mean.values(), default=0.0)
    if most < LEAST_MS:
        return ()
    return tuple(
        WaitedFor(over.faces[colour], lasting(round(ms)), round(100 * ms / most, 1)) for colour, ms in mean.items()
    )
