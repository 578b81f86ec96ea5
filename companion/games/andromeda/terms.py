"""Words of this box that stand in many sentences: colours of cubes, kinds of credit, counts of stations."""

from __future__ import annotations

from companion.kernel.i18n import Said, said, said_n

COLOURS = (said("red"), said("blue"), said("green"), said("yellow"), said("black"))
AT_THE_START = (said("Red"), said("Blue"), said("Green"), said("Yellow"), said("Black"))
KINDS = (said("silver"), said("gold"), said("platinum"), said("diamond"))
"""Named here for the catalogues: `companion.kernel.i18n.word` finds them by their English names."""


def counted_stations(number: int) -> Said:
    """Return *number* with its word: one station, two stations."""
    return said_n("%(num)s station", "%(num)s stations", number)
