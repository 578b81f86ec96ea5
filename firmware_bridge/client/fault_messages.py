"""What is wrong with a ring, in sentences for the table."""

from __future__ import annotations

from collections.abc import Mapping

from companion.kernel.i18n import Said, said, word
from firmware_bridge.device.codec import VERSION

WHY: Mapping[str, Said] = {
    "empty": said("there is nothing under it"),
    "colour": said("it does not know one of the colours"),
    "malformed": said("it did not understand it"),
    "unknown": said("it cannot do that"),
}


def different_protocol(version: int) -> Said:
    """Say that the ring speaks protocol *version*, and which side to update."""
    if version > VERSION:
        return said(
            "The ring speaks protocol %(version)s; this companion knows %(ours)s. Please update the companion.",
            version=version,
            ours=VERSION,
        )
    return said(
        "The ring speaks protocol %(version)s; this companion needs %(ours)s. Please update the ring's firmware.",
        version=version,
        ours=VERSION,
    )


def silent(seconds: float) -> Said:
    """Say that nothing has been heard for *seconds*."""
    return said(
        "The ring has said nothing for %(seconds)s seconds. Draws can be typed in meanwhile.", seconds=f"{seconds:.0f}"
    )


def gone(events: int) -> str:
    """Say that *events* were acknowledged by somebody else; empty for none."""
    if not events:
        return ""
    return said("Another program took %(count)s events of the ring: please check the last draws.", count=events)


def not_carried_out(order: str, why: str) -> Said:
    """Say which order the ring did not carry out, and why."""
    because = WHY.get(why) or word(why)
    return said("The ring did not carry out “%(order)s”: %(why)s.", order=order, why=because)


def no_answer(port: str) -> Said:
    """Say that whatever is on *port* does not behave like a ring."""
    return said("Nothing on %(port)s answers like a ring yet.", port=port)


def no_room(events: int) -> Said:
    """Say that the ring had to drop *events*."""
    return said("The ring had no room for %(count)s events: please check the last draws.", count=events)


def missing(number: int | None) -> str:
    """Say that an event does not come, though later ones wait for it; empty for none."""
    if number is None:
        return ""
    return said("Something the ring has seen does not get through: check the last draws, and plug the ring in anew.")


def reader_stopped(fault: Exception) -> Said:
    """Say that our own reader has died of *fault*."""
    return said("The ring's reader has stopped: %(fault)s. Please restart the companion.", fault=repr(fault))
