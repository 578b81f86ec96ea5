"""What is wrong with a ring, in sentences for the table."""

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
    """Say that the ring speaks protocol *version*, and which side to update."""
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
    """Say that nothing has been heard for *seconds*."""
    return said("The ring has been silent for %(seconds)s seconds. You can type draws in.", seconds=f"{seconds:.0f}")


def gone(events: int) -> str:
    """Say that *events* were acknowledged by somebody else; empty for none."""
    if not events:
        return ""
    return said("Another program took %(count)s of the ring's events. Check the last draws.", count=events)


def not_carried_out(order: str, why: str) -> Said:
    """Say which order the ring did not carry out, and why."""
    because = WHY.get(why) or word(why)
    return said("The ring didn't do “%(order)s”: %(why)s.", order=order, why=because)


def no_answer(port: str) -> Said:
    """Say that whatever is on *port* does not behave like a ring."""
    return said("No ring answers on %(port)s yet.", port=port)


def no_room(events: int) -> Said:
    """Say that the ring had to drop *events*."""
    return said("The ring had no room for %(count)s events. Check the last draws.", count=events)


def missing(number: int | None) -> str:
    """Say that an event does not come, though later ones wait for it; empty for none."""
    if number is None:
        return ""
    return said("Something the ring saw isn't arriving. Check the last draws, and unplug and replug the ring.")


def reader_stopped(fault: BaseException, pause_s: float) -> Said:
    """Say that our own reader stopped at *fault*, and when it reads again."""
    return stopped(said("The ring's reader"), fault, pause_s)
