"""Words of this game that many sentences share: colours of stations, kinds of credit, counts of stations."""

from __future__ import annotations

from companion.kernel.i18n import Said, said, said_n

COLOURS = (said("red"), said("blue"), said("green"), said("yellow"), said("black"))
AT_THE_START = (said("Red"), said("Blue"), said("Green"), said("Yellow"), said("Black"))
KINDS = (said("silver"), said("gold"), said("platinum"), said("diamond"))
"""Listed here so that they get into the translation catalogues.

`companion.kernel.i18n.word` finds them by their English.
"""


def counted_stations(number: int) -> Said:
    """Return *number* with its word: "1 station", "2 stations"."""
    return said_n("%(num)s station", "%(num)s stations", number)
