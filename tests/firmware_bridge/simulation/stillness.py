"""A world without randomness: exact counts of the sensor."""

from __future__ import annotations

from random import Random

from firmware_bridge.colour.channels import Channels, Counts
from firmware_bridge.simulation.physics.light import Light
from firmware_bridge.simulation.physics.world import World


class Still(Random):
    """A random generator that always returns the middle: no noise and no flicker."""

    def gauss(self, mu: float = 0.0, sigma: float = 1.0) -> float:
        """Return the mean."""
        return mu

    def uniform(self, a: float, b: float) -> float:
        """Return the lower end."""
        return a


def counted(place: World, channels: Channels) -> Counts:
    """Return a frame's counts of an object that reflects *channels*, with the window's stray light."""
    r, g, b, c = (p + place.stray_mean for p in channels)
    return Light(place, (0, 0, 0, 0), Still()).counts((r, g, b, c), 0.0)
