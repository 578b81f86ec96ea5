"""Compute how far each seat is ahead of the others."""

from __future__ import annotations

from collections.abc import Mapping


def ahead(points: Mapping[str, float]) -> dict[str, float]:
    """Return for each seat its points minus the mean of the other seats. The result of a single seat is 0."""
    total, others = sum(points.values()), max(len(points) - 1, 1)
    return {seat: own - (total - own) / others for seat, own in points.items()}
