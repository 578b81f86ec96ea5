"""How strict a clock is."""

from __future__ import annotations

from enum import StrEnum


class Strictness(StrEnum):
    """What a clock does when the time is over.

    `OFF`: nothing, and it isn't shown. `GENTLE`: it shows that and beeps. `STRICT`: it also suggests the table's own
    penalty. A clock never plays for anybody.
    """

    OFF = "off"
    GENTLE = "gentle"
    STRICT = "strict"
