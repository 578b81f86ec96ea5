"""Accepts an event without a readable time after several copies; otherwise it would block all later events."""

from __future__ import annotations

from collections import Counter

from firmware_bridge.protocol.messages import Event, Untimed

UNREADABLE = "?"
"""The word of an event whose readable form never arrived. No device can send this word."""
COPIES = 5  # the first copy and two resent pairs; noise does not repeat an error with a valid checksum this often


class UnreadableLines:
    """Counts, for each event of one boot, the copies that arrived without a readable time."""

    def __init__(self) -> None:
        self._copies: Counter[int] = Counter()

    def take(self, line: Untimed, recorded: int, at_us: int) -> Event | None:
        """Count one copy of *line*.

        From the fifth copy (`COPIES`) on, return an `UNREADABLE` event at *at_us*, otherwise None.

        The line's own word and fields are not trusted: a device that writes a wrong time may have
        got the rest wrong as well.
        """
        self._copies = Counter({number: times for number, times in self._copies.items() if number > recorded})
        self._copies[line.number] += 1
        if self._copies[line.number] < COPIES:
            return None
        return Event(UNREADABLE, line.boot, line.number, at_us, {"said": line.word}, line.raw)
