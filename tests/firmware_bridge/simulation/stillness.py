"""A world that holds still: what the sensor counts when nothing is left to chance."""

from __future__ import annotations

from random import Random

from firmware_bridge.colour.channels import Channels, Counts
from firmware_bridge.simulation.physics.light import Light
from firmware_bridge.simulation.physics.world import World


class Still(Random):
    """Lots that never err: noise and flicker stay at their middle."""

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """Return the middle."""
        return mu

    def uniform(self, a: float, b: float) -> float:
        """Return the beginning."""
        return a


def counted(place: World, channels: Channels) -> Counts:
    """Return what a frame counts of something that throws back *channels*, the window's stray light included."""
    r, g, b, c = (p + place.stray_mean for p in channels)
    return Light(place, (0, 0, 0, 0), Still()).counts((r, g, b, c), 0.0)
