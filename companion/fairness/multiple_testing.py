"""Select the significant answers when many questions are asked about the same draws (multiple testing)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from companion.fairness.sequential_test import ALPHA

Question = TypeVar("Question", bound=Hashable)


def discoveries(e_values: Mapping[Question, float], alpha: float = ALPHA) -> frozenset[Question]:
    """Return the questions with a significant answer. The expected share of false ones among them is at most *alpha*.

    Of *m* e-values, the k largest are selected if the k-th is at least m / (alpha k). This is the e-BH procedure, which
    is valid under any dependence (Wang, Ramdas, "False discovery rate control with e-values", arXiv 2009.02824).
    """
    ranked = sorted(e_values, key=lambda asked: -e_values[asked])
    believed = 0
    for place, asked in enumerate(ranked, 1):
        if e_values[asked] * alpha * place >= len(ranked):
            believed = place
    return frozenset(ranked[:believed])
