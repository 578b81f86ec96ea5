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

    *frames* were taken while both beams were blocked, with the same exposure as the references. *black* is the
    reference of the black card, *white* that of the inside of the shutter, and *dark* that of the room with the ring's
    lamp off.
    """

    frames: Sequence[Channels]
    black: Channels
    white: Channels
    dark: Channels = (0.0, 0.0, 0.0, 0.0)


class Judge(Protocol):
    """Judges the colour of a passage."""

    def judge(self, reading: Reading, under: Mapping[str, int]) -> Judgement:
        """Judge *reading*. *under* counts the stations below the ring by colour; it never hides a misplaced cube."""


def means(frames: Sequence[Channels]) -> Channels:
    """Return the mean of each channel over *frames*."""
    r, g, b, c = [sum(channel) / len(frames) for channel in zip(*frames, strict=True)]
    return r, g, b, c
