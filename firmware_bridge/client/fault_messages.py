"""The sentences that a table sees when something is wrong with its ring."""

from __future__ import annotations

from collections.abc import Mapping

from companion.kernel.i18n import Said, said, word
from companion.kernel.supervisor import stopped
from firmware_bridge.device.codec import VERSION

WHY: Mapping[str, Said] = {
    "empty": said("there's nothing under it"),
    "colour": said("it doesn't know one of the colours"),
    "malformed": said("it didn't understand"),
    "unknown": said("it can't do that"),
}


def different_protocol(version: int) -> Said:
    """Return the sentence for a ring that speaks another *version* of the protocol. It says which side to update."""
    if version > VERSION:
        return said(
            "The ring speaks protocol %(version)s, this companion %(ours)s. Update the companion.",
            version=version,
            ours=VERSION,
        )
    return said(
        "The ring speaks protocol %(version)s, this companion needs %(ours)s. Update the ring's firmware.",
        version=version,
        ours=VERSION,
    )


def silent(seconds: float) -> Said:
    """Return the sentence for a ring that has been silent for *seconds*."""
    return said("The ring has been silent for %(seconds)s seconds. You can type draws in.", seconds=f"{seconds:.0f}")


def gone(events: int) -> str:
    """Return the sentence for a number of *events* that another program has acknowledged, or an empty string for 0."""
    if not events:
        return ""
    return said("Another program took %(count)s of the ring's events. Check the last draws.", count=events)


def not_carried_out(order: str, why: str) -> Said:
    """Return the sentence for an order that the ring refused, with the reason."""
    because = WHY.get(why) or word(why)
    return said("The ring didn't do “%(order)s”: %(why)s.", order=order, why=because)


def no_answer(port: str) -> Said:
    """Return the sentence for a port on which no ring answers."""
    return said("No ring answers on %(port)s yet.", port=port)


def no_room(events: int) -> Said:
    """Return the sentence for a number of *events* that the ring had no room to store."""
    return said("The ring had no room for %(count)s events. Check the last draws.", count=events)


def missing(number: int | None) -> str:
    """Return the sentence for a missing event that blocks later ones. *number* is its number; for None, return ""."""
    if number is None:
        return ""
    return said("Something the ring saw isn't arriving. Check the last draws, and unplug and replug the ring.")


def reader_stopped(fault: BaseException, pause_s: float) -> Said:
    """Return the sentence for a reader thread that *fault* has stopped, and that restarts after *pause_s* seconds."""
    return stopped(said("The ring's reader"), fault, pause_s)
