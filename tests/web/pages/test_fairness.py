"""The page of fairness: what all draws so far say about a ring, and which draws are left out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fairness.nights import Nights, Ring
from tests.web.applications import lent_app
from tests.web.markup import flat
from tests.web.plain_game import COVER
from tests.web.served_house import ServedHouse
from web import HostPin
from web.request.context import Services

LONGEST_S = 60.0


class Looked:
    """A browser of a server with these games; it waits until all draws are added up."""

    def __init__(self, nights: Nights, folder: Path) -> None:
        app = lent_app(nights.table, None, {"andromeda": COVER}, HostPin(folder))
        house: Services = app.extensions["house"]
        house.fairness.look(LONGEST_S)
        self._visitor = app.test_client()

    def at(self, address: str = "/fairness") -> str:
        """Return the page at *address*."""
        return self._visitor.get(address).get_data(as_text=True)

    def status(self, address: str) -> int:
        """Return the status at *address*."""
        return self._visitor.get(address).status_code


@pytest.fixture(scope="module")
def looked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Looked]:
    """Three nights: a ring that favours red tenfold, a simulated ring, and draws by hand at a draw table."""
    folder = tmp_path_factory.mktemp("nights")
    nights = Nights(folder)
    nights.play(Ring("ring-7", odds=(("red", 10.0),), unsure=0.2), most=500)
    nights.play(Ring("mock", simulated=True), players=3, most=150)
    nights.play(Ring("mock", simulated=True), name="draws", most=80)
    yield Looked(nights, folder)
    nights.close()


def test_a_ring_is_told_with_its_bounds_and_never_fair(looked: Looked) -> None:
    """Fairness: the page shows odds, bounds and their course, and says in words what may be concluded."""
    page = looked.at()

    assert "Ring ring-7" in page
    assert "between " in page
    assert page.count("data-chart") == 2
    assert "Look whenever you like" in page
    assert "No ring is ever proven fair" in page


def test_each_ring_has_a_page_and_simulated_ones_say_so(looked: Looked) -> None:
    """Fairness: real rings, simulated rings and bags are separate, and the URL chooses among them."""
    page = looked.at("/fairness?ring=simulated:mock")

    assert 'aria-current="true">Simulated ring mock' in flat(page)
    assert "These draws say nothing of a real ring." in page
    assert "From a bag" in page


def test_a_colour_that_is_favoured_is_marked(looked: Looked) -> None:
    """Fairness: a colour that stands out is marked, and described in words, and has a page with details."""
    page = looked.at("/fairness?ring=ring:ring-7&of=colour:red")

    assert "stands out" in page
    assert "Cubes in red" in page
    assert "They come out too often for even odds." in page


def test_what_was_left_out_is_shown(looked: Looked) -> None:
    """Fairness: surplus, undone and hand-answered draws are counted separately from draws that count."""
    page = looked.at()

    for words in ("Draws that count", "After the last draw", "Answered by hand"):
        assert words in page


@pytest.mark.parametrize("address", ["/fairness?ring=ring:nobodys", "/fairness?ring="])
def test_a_ring_that_was_never_there_has_no_page(looked: Looked, address: str) -> None:
    """Fairness: a ring that isn't in this ledger gives 404."""
    assert looked.status(address) == 404


@pytest.mark.parametrize("question", ["player:Nobody", "colour:plaid", "nonsense", "own:"])
def test_a_question_that_was_never_asked_shows_the_usual_one(looked: Looked, question: str) -> None:
    """Fairness: an unknown question in the URL shows the page of the players' own cubes."""
    assert "Own cubes" in looked.at(f"/fairness?ring=ring:ring-7&of={question}")


def test_before_the_first_draw_nothing_is_claimed(site: ServedHouse) -> None:
    """Fairness: without draws, the page says so."""
    house: Services = site.app.extensions["house"]
    house.fairness.look(LONGEST_S)

    assert "No draws yet." in site.visitor().get("/fairness").get_data(as_text=True)


def test_the_page_is_light(looked: Looked) -> None:
    """Fairness: the page with its charts is smaller than 150 kB."""
    assert len(looked.at().encode()) < 150_000


def test_a_few_draws_are_too_early_for_an_answer(tmp_path: Path) -> None:
    """Fairness: below thirty draws the page says "too early", not that nothing is wrong, and marks no odds."""
    nights = Nights(tmp_path)
    nights.play(Ring("ring-1"), name="draws", most=12)
    plainly, _, _ = Looked(nights, tmp_path).at().partition("The numbers in full")
    nights.close()

    assert "Too early to say" in plainly
    assert "Nothing wrong so far" not in plainly
    assert 'class="dot"' not in plainly
