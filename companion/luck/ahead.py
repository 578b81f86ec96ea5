"""Compare results: how far each seat is ahead of the others."""

from __future__ import annotations

from collections.abc import Mapping


def ahead(points: Mapping[str, float]) -> dict[str, float]:
    """Return how much more each seat has than the mean of the others. A single seat is 0 ahead."""
    total, others = sum(points.values()), max(len(points) - 1, 1)
    return {seat: own - (total - own) / others for seat, own in points.items()}
