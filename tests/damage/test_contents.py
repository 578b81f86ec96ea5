"""A part of the campaign of forged ledgers; all of it is `python -m tests.damage.hostile_contents`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.damage.hostile_contents import KINDS, Houses, Seen, houses, tried

SLICE = {
    "a name: half a character": ("merge", "there"),
    "a header: a board with half a character": ("merge",),
    "a body: too large a number": ("upload",),
    "one more: a seat that is not there leaves": ("merge",),
    "beside: names of infinite days": ("restore",),
    "our names gone": ("merge",),
    "our names others": ("upload",),
}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Houses:
    """A valid ledger of our own, and one of another table."""
    return houses(tmp_path_factory.mktemp("houses"))


@pytest.mark.parametrize(("name", "doors"), SLICE.items())
def test_what_comes_from_outside_is_refused_whole_or_shown(
    pair: Houses, tmp_path: Path, name: str, doors: tuple[str, ...]
) -> None:
    """A forged ledger breaks no page, is never imported in part, and removes none of our names."""
    seen = Seen()
    tried((name, dict(KINDS)[name]), pair, tmp_path, seen, doors)

    assert seen.sound, (seen.broken, seen.tracebacks, seen.half, seen.names)
    assert seen.trials == len(doors)


def test_the_kinds_are_many_and_different() -> None:
    """There are at least sixty kinds of forgeries, with different names."""
    assert len(dict(KINDS)) == len(KINDS) >= 60
