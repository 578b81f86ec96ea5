"""A slice of the campaign of damage: the rest is `python -m tests.damage`."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.damage import forged, harm
from tests.damage.evenings import Evenings, kept, played
from tests.damage.trial import Figures, Harm, tried

KINDS = ((harm.byte, 5), (harm.row, 5), (harm.page, 5))


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> list[Evenings]:
    """Two ledgers: what an older program kept, and games of today."""
    return [made(tmp_path_factory.mktemp("evenings")) for made in (kept, played)]


@pytest.mark.parametrize(("how", "trials"), KINDS, ids=[how.__name__ for how, _ in KINDS])
def test_whatever_is_damaged_the_house_starts_and_says_so(
    evenings: list[Evenings], tmp_path: Path, how: Harm, trials: int
) -> None:
    """Damage: every start comes about, no record is another without a word, and what is whole can be read."""
    figures = Figures()
    for trial in range(trials):
        lots = Random(f"slice {trial}")
        tried(lots.choice(evenings), how, lots, tmp_path / str(trial), figures)

    assert figures.sound, (figures.tracebacks, figures.unnoticed, figures.whole_lost)
    assert figures.touched


def test_every_forgery_of_sealed_draws_is_noticed(tmp_path: Path) -> None:
    """Verifying: 64 ways to forge a record are noticed, and whatever is in a file ends with one sentence."""
    figures = forged.tried(tmp_path, 10, 1, moves=160)

    assert figures.faults == []
    assert len(forged.forgeries()) == 64
