"""Terms of this game that many sentences share: colours of stations, kinds of credit, counts of stations."""

from __future__ import annotations

from companion.kernel.said import Said, said, said_n

COLOURS = (said("red"), said("blue"), said("green"), said("yellow"), said("black"))
AT_THE_START = (said("Red"), said("Blue"), said("Green"), said("Yellow"), said("Black"))
KINDS = (said("silver"), said("gold"), said("platinum"), said("diamond"))
"""The kinds of credit, listed here so that the translation catalogues contain them.

`companion.kernel.said.word` finds their translations by the English words.
"""


def counted_stations(number: int) -> Said:
    """Return *number* with "station" in the singular or plural: "1 station", "2 stations"."""
    return said_n("%(num)s station", "%(num)s stations", number)
