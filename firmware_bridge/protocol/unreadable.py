"""Events that come again and again without a readable time: at last they are taken, or the link would stop at them."""

from __future__ import annotations

from collections import Counter

from firmware_bridge.protocol.messages import Event, Untimed

UNREADABLE = "?"
"""The word of an event that was never told readably: no device can say it."""
TELLINGS = (
    5  # a first one, and two that were sent twice: no noise tells the same nonsense under a right checksum so often
)


class UnreadableLines:
    """How often each event of one boot was told without a readable time."""

    def __init__(self) -> None:
        self._told: Counter[int] = Counter()

    def take(self, line: Untimed, recorded: int, at_us: int) -> Event | None:
        """Count *line*; return the event that it is taken for, at *at_us*, once it was told too often.

        Its word and its fields are not trusted: whoever writes such a time may have
        meant anything by the rest.
        """
        self._told = Counter({number: times for number, times in self._told.items() if number > recorded})
        self._told[line.number] += 1
        if self._told[line.number] < TELLINGS:
            return None
        return Event(UNREADABLE, line.boot, line.number, at_us, {"said": line.word}, line.raw)
