"""How kind the ring was: centres won against those that chance alone would give, soberly."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from math import sqrt

from companion.games.andromeda.odds import success
from companion.games.andromeda.state import State
from web.components.players import Face, faces
from web.http.i18n import _, decimals

MIDDLE = 50.0
WIDEST = 46.0
LEAST_SPAN = 2.0
"""The axis spans at least this many centres to either side, so that half a centre does not look like fate."""


@dataclass(frozen=True)
class AttemptLuck:
    """One player's attempts together: centres won and expected, and the point on the axis, in percent of it."""

    face: Face
    tried: int
    got: int
    expected: str
    at: float
    left: float
    width: float


def luck(state: State, left: Collection[str] = ()) -> tuple[AttemptLuck, ...]:
    """Return the luck of all players in seat order but those who have *left*; nothing when nobody has tried."""
    if not state.tried:
        return ()
    known = faces(state.setting.seats)
    sums = {colour: _sums(state, colour) for colour in state.colours if colour not in left}
    span = max(LEAST_SPAN, *(abs(got - expected) for _, got, expected, _ in sums.values()))
    return tuple(_luck(known[colour], *sums[colour][:3], span) for colour in sums)


def luck_note(state: State) -> str:
    """Return how far chance alone usually moves a player's centres: one standard deviation, in words."""
    spreads = [_sums(state, colour)[3] for colour in state.colours]
    usual = sum(spreads) / len(spreads)
    return _("Luck alone often shifts this by %(num)s centres.", num=decimals(usual))


def _sums(state: State, colour: str) -> tuple[int, int, float, float]:
    """Return attempts, centres won, centres expected, and the standard deviation of that."""
    own = [attempt for attempt in state.tried if attempt.player == colour]
    chances = [float(success(attempt.stations, attempt.own, attempt.draws)) for attempt in own]
    got = sum(attempt.took > 0 for attempt in own)
    return len(own), got, sum(chances), sqrt(sum(share * (1 - share) for share in chances))


def _luck(face: Face, tried: int, got: int, expected: float, span: float) -> AttemptLuck:
    reach = (got - expected) / span * WIDEST
    at = round(MIDDLE + reach, 1)
    return AttemptLuck(face, tried, got, decimals(expected), at, min(at, MIDDLE), round(abs(reach), 1))
