"""What is wrong with a ring, in sentences for the table."""

from __future__ import annotations

from firmware_bridge.wire.grammar import VERSION

WHY = {
    "empty": "there is nothing under it",
    "colour": "it does not know one of the colours",
    "malformed": "it did not understand it",
    "unknown": "it cannot do that",
}


def different_protocol(version: int) -> str:
    """Say that the ring speaks protocol *version*, and which side to update."""
    if version > VERSION:
        return f"The ring speaks protocol {version}; this companion knows {VERSION}. Please update the companion."
    return f"The ring speaks protocol {version}; this companion needs {VERSION}. Please update the ring's firmware."


def silent(seconds: float) -> str:
    """Say that nothing has been heard for *seconds*."""
    return f"The ring has said nothing for {seconds:.0f} seconds. Draws can be typed in meanwhile."


def gone(events: int) -> str:
    """Say that *events* were acknowledged by somebody else; empty for none."""
    return f"Another program took {events} events of the ring: please check the last draws." if events else ""


def not_carried_out(order: str, why: str) -> str:
    """Say which order the ring did not carry out, and why."""
    return f"The ring did not carry out “{order}”: {WHY.get(why, why)}."


def no_answer(port: str) -> str:
    """Say that whatever is on *port* does not behave like a ring."""
    return f"Nothing on {port} answers like a ring yet."


def no_room(events: int) -> str:
    """Say that the ring had to drop *events*."""
    return f"The ring had no room for {events} events: please check the last draws."


def reader_stopped(fault: Exception) -> str:
    """Say that our own reader has died of *fault*."""
    return f"The ring's reader has stopped: {fault!r}. Please restart the companion."
