"""A part of the campaign of damage; all of it is `python -m tests.damage`."""

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
    """Two ledgers: one of an older program, and one with new games."""
    return [made(tmp_path_factory.mktemp("evenings")) for made in (kept, played)]


@pytest.mark.parametrize(("how", "trials"), KINDS, ids=[how.__name__ for how, _ in KINDS])
def test_whatever_is_damaged_the_house_starts_and_says_so(
    evenings: list[Evenings], tmp_path: Path, how: Harm, trials: int
) -> None:
    """After any damage the table opens, no record changes without a notice, and intact games can be read."""
    figures = Figures()
    for trial in range(trials):
        lots = Random(f"slice {trial}")
        tried(lots.choice(evenings), how, lots, tmp_path / str(trial), figures)

    assert figures.sound, (figures.tracebacks, figures.unnoticed, figures.whole_lost)
    assert figures.touched


def test_every_forgery_of_sealed_draws_is_noticed(tmp_path: Path) -> None:
    """All 64 forgeries of a record are detected, and verifying any file prints one sentence."""
    figures = forged.tried(tmp_path, 10, 1, moves=160)

    assert figures.faults == []
    assert len(forged.forgeries()) == 64
