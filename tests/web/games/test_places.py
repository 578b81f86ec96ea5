"""The places in each game's table of pages: each exists, each phase has a page, and no other place exists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.web.pages.test_not_now import begun
from web.games.registry import COVERS


@pytest.mark.parametrize("name", COVERS)
def test_each_declared_place_answers_and_no_other(tmp_path: Path, name: str) -> None:
    """Places: each declared place is a page or redirects to one; any other address gives 404."""
    house = begun(tmp_path, name)
    host = house.browsers["host"].client

    for place in COVERS[name].pages.at:
        assert host.get(f"/table/{place}".rstrip("/")).status_code in (200, 303), place
    for place in ("elsewhere", "act/elsewhere", "card/elsewhere", "act/", "now/elsewhere"):
        assert host.get(f"/table/{place}").status_code == 404, place
    house.close()


def phases() -> Iterator[tuple[str, str]]:
    """Yield each place of a game that has one page per phase."""
    for name, cover in COVERS.items():
        yield from ((name, place) for place, page in cover.pages.at.items() if isinstance(page, Mapping))


@pytest.mark.parametrize(("name", "place"), [*phases()])
def test_each_phase_has_a_page(name: str, place: str) -> None:
    """Places: a place with pages per phase has a page for every phase."""
    by_phase = COVERS[name].pages.at[place]

    assert isinstance(by_phase, Mapping) and set(by_phase) == set(type(next(iter(by_phase))))


@pytest.mark.parametrize("name", COVERS)
def test_a_cover_says_what_the_pages_have(name: str) -> None:
    """The features that a cover announces before its pages are loaded are exactly the features of its pages."""
    cover = COVERS[name]
    pages = cover.pages

    assert bool(cover.words.practice) == (pages.practice is not None)
    assert bool(cover.screen) == (pages.screen is not None)
    assert pages.screen is None or set(pages.screen.usual) | set(pages.screen.over_picture) <= set(cover.screen)
    assert not cover.asks_board or pages.board is not None
