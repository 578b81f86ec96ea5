"""How strict a clock is."""

from __future__ import annotations

from enum import StrEnum


class Strictness(StrEnum):
    """What a clock does at the end of a time limit.

    `OFF`: there is no limit and no clock. `GENTLE`: the clock shows the end and beeps. `STRICT`: it also suggests the
    table's own penalty. A clock never makes a move for a player.
    """

    OFF = "off"
    GENTLE = "gentle"
    STRICT = "strict"
