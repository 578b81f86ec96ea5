"""How strict a clock is, whatever it counts."""

from __future__ import annotations

from enum import StrEnum


class Strictness(StrEnum):
    """What a clock does when its time is over.

    `OFF` nothing, and it is not shown; `GENTLE` it shows and beeps; `STRICT`
    it suggests the table's own penalty too. No clock ever plays for anybody.
    """

    OFF = "off"
    GENTLE = "gentle"
    STRICT = "strict"
