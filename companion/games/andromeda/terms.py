"""Terms of this game that many sentences share: colours of stations, kinds of credit, counts of stations."""

from __future__ import annotations

from companion.games.andromeda.board import EXAMPLE, shown_label
from companion.games.andromeda.state import label_of
from companion.kernel.said import Said, said, said_n
from companion.model.speech import TURN, Utterance, Verbosity
from companion.model.tellings import Occurrence

COLOURS = (said("red"), said("blue"), said("green"), said("yellow"), said("black"))
AT_THE_START = (said("Red"), said("Blue"), said("Green"), said("Yellow"), said("Black"))
KINDS = (said("silver"), said("gold"), said("platinum"), said("diamond"))
"""The kinds of credit, listed here so that the translation catalogues contain them.

`companion.kernel.said.word` finds their translations by the English words.
"""


def counted_stations(number: int) -> Said:
    """Return *number* with "station" in the singular or plural: "1 station", "2 stations"."""
    return said_n("%(num)s station", "%(num)s stations", number)


def planet_of(what: Occurrence, slot: str) -> str:
    """Return the players' label for the planet in *slot*."""
    if what.before is not None:
        return label_of(what.before, slot)
    rows = what.header.get("board", {}).get("planets", ())
    labels = {planet.id: planet.label for planet in EXAMPLE.planets} | {r["id"]: shown_label(r["label"]) for r in rows}
    return str(slot) if slot not in labels else labels[slot]


def utterance(text: Said, *seats: str) -> Utterance:
    """Return the announcement *text* of the turn of these *seats*."""
    return Utterance(text, seats, Verbosity.FEW, TURN)
