"""Results that compare: how far each ends ahead of the others."""

from __future__ import annotations

from collections.abc import Mapping


def ahead(points: Mapping[str, float]) -> dict[str, float]:
    """Return by how much each has more than the mean of the others; nobody is ahead alone."""
    total, others = sum(points.values()), max(len(points) - 1, 1)
    return {seat: own - (total - own) / others for seat, own in points.items()}
