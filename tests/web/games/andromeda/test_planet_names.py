"""The planets of the example board have a name in every language; names given by a table are never translated."""

from __future__ import annotations

from companion.games.andromeda.board import EXAMPLE, board_from, board_json
from companion.kernel.said import said
from tests.web.served_house import ServedHouse
from web.games.andromeda.setup.new_game import NEW_GAME, board_fields
from web.http.i18n import translated

SEATS = {"players": "3", "name1": "Ana", "name2": "Ben", "name3": "Cem"} | {
    f"colour{at}": colour for at, colour in enumerate(("red", "blue", "green"), 1)
}


def test_a_planet_is_called_in_the_language_of_the_page(site: ServedHouse) -> None:
    """Planets: a record keeps the name as written, and each page shows it in its own language."""
    read = board_from(board_json(EXAMPLE))

    with site.app.test_request_context(headers={"Accept-Language": "nl"}):
        assert translated(read.planet("p1").label) == "Ringen"
    assert (read.planet("p1").label, read.example) == ("Ringworld", True)


def test_a_record_keeps_the_words_of_the_first_ledgers(site: ServedHouse) -> None:
    """Planets: the displayed name may change, but not the word in a record, so older games are read as before."""
    recorded = board_json(EXAMPLE)
    again = board_from(recorded)

    assert board_json(again) == recorded
    assert str(recorded).count("'Ringed'") == str(recorded).count("'Striped'") == 1
    with site.app.test_request_context(headers={"Accept-Language": "de"}):
        assert translated(said("Ringed")) == "Ringwelt"


def test_a_name_that_nobody_changed_stays_ours(site: ServedHouse) -> None:
    """Planets: a form with the names of a Dutch page still counts as the example board, in every language."""
    with site.app.test_request_context(headers={"Accept-Language": "nl"}):
        shown = {f"label_{planet.id}": str(translated(planet.label)) for planet in EXAMPLE.planets}
        header = NEW_GAME.header(SEATS | board_fields(None) | shown)

    assert "board" not in header


def test_a_name_of_ones_own_is_kept_as_it_was_typed(site: ServedHouse) -> None:
    """Planets: a name that the table has given is recorded and shown on every page exactly as entered."""
    with site.app.test_request_context(headers={"Accept-Language": "nl"}):
        header = NEW_GAME.header(SEATS | board_fields(None) | {"label_p2": "Red"})
        board = board_from(header["board"])

        assert [translated(planet.label) for planet in board.planets[:2]] == ["Ringen", "Red"]
    assert [row["label"] for row in header["board"]["planets"][:2]] == ["Ringed", "Red"]
