"""The sensor's reading of one passage, and the interface of judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from companion.kernel.values import dataclass
from companion.ports.ring import Judgement
from firmware_bridge.colour.channels import Channels


@dataclass(frozen=True)
class Reading:
    """Frames and references, all in counts of one frame.

    *frames* are those taken while both beams were blocked, with the same number of steps as the
    references. *black* is the black card, *white* the inside of the shutter, *dark* the room alone
    with the ring's lamp off.
    """

    frames: Sequence[Channels]
    black: Channels
    white: Channels
    dark: Channels = (0.0, 0.0, 0.0, 0.0)


class Judge(Protocol):
    """Judges the colour of a passage."""

    def judge(self, reading: Reading, under: Mapping[str, int]) -> Judgement:
        """Return the judgement of *reading*. *under* counts the stations below; it never hides a misplaced cube."""


def means(frames: Sequence[Channels]) -> Channels:
    """Return the mean of each channel."""
    r, g, b, c = [sum(channel) / len(frames) for channel in zip(*frames, strict=True)]
    return r, g, b, c
