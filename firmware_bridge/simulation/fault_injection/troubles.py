"""Named troubles between host and ring. The names are the same for every kind of ring.

Scripts (`{"trouble": "restarted"}`) and the tests of all rings use these names. `troubled`
creates the line's troubles on the host's side of any wire; each simulated ring creates the device's
troubles itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from rungs.trouble import DELAY, DOUBLE, LOSE, RATE, SPOIL, Line, TroubleWire
from rungs.wire import Wire

DAMAGE: Mapping[str, str] = {"damaged": SPOIL, "lost": LOSE, "doubled": DOUBLE}
"""What happens to a byte, by the word for it in a script."""
ON_THE_LINE: Mapping[str, str] = {**DAMAGE, "delayed": DELAY}
WAYS = tuple(DAMAGE)
LINE: Mapping[str, str] = {
    "damaged": "a share of the bytes changes on the way, in both directions",
    "lost": "a share of the bytes never arrives, in both directions",
    "doubled": "a share of the bytes arrives twice, in both directions",
    "delayed": "a share of the portions arrives late, in both directions, and what follows waits behind it",
    "unread": "for a while the host reads nothing",
}
DEVICE: Mapping[str, str] = {
    "unplugged": "the plug is pulled, and put back after a while",
    "restarted": "the device restarts: what it kept and was armed for is gone",
    "sensor-gone": "the colour sensor answers no more",
    "sensor-back": "the colour sensor answers again, as it is after power has come back",
    "store-full": "more happens than the device has room for",
    "wrapped": "the device restarts, with its microsecond counter about to wrap",
    "older": "the device restarts with the firmware version before ours",
    "newer": "the device restarts with the firmware version after ours",
}
TROUBLES: Mapping[str, str] = {**LINE, **DEVICE}
FROM_OURS: Mapping[str, int] = {"older": -1, "newer": 1}
"""The version of the protocol that an `older` or a `newer` device speaks, relative to ours."""


def troubled(
    wire: Wire,
    word: str,
    now: Callable[[], float],
    pause: Callable[[float], object],
    lots: Random,
    rate: float = RATE,
    unread_s: float = 0.0,
) -> TroubleWire:
    """Return *wire* with one of the `LINE` troubles in both directions, until `calm` is called.

    A share *rate* of the bytes (for `delayed`: of the portions) is affected, drawn from *lots*. For
    `unread` nothing is read for *unread_s* seconds; *pause* is called to let that time pass.
    """
    line = Line((lots, lots))
    if word in ON_THE_LINE:
        line.begin(ON_THE_LINE[word], now(), rate)
    return TroubleWire(wire, line, now, pause, unread_s if word == "unread" else 0.0)
