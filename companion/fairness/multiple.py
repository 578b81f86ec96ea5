"""Many questions to the same draws: which of the answers to believe."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from companion.fairness.sequence import ALPHA

Question = TypeVar("Question", bound=Hashable)


def discoveries(e_values: Mapping[Question, float], alpha: float = ALPHA) -> frozenset[Question]:
    """Return which of these biases to believe, such that of all believed ones at most *alpha* are false on average.

    The k largest e-values count when the k-th is at least m / (alpha k), m being how many were asked: e-BH, which holds
    however the questions hang together (Wang, Ramdas, "False discovery rate control with e-values", arXiv 2009.02824).
    """
    ranked = sorted(e_values, key=lambda asked: -e_values[asked])
    believed = 0
    for place, asked in enumerate(ranked, 1):
        if e_values[asked] * alpha * place >= len(ranked):
            believed = place
    return frozenset(ranked[:believed])
