"""Every header that a game's declared fields allow can be made with the game's new-game form."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from companion.games.registry import GAMES
from companion.kernel.fields import Line
from web.components.new_game import NewGame
from web.games.andromeda.setup.new_game import NEW_GAME as ANDROMEDA
from web.games.draws.new_game import NEW_GAME as DRAWS
from web.games.hanse.setup import NEW_GAME as HANSE
from web.games.wreck.new_game import NEW_GAME as WRECK

NAMES = ("Ana", "Ben", "Cem", "Dora", "Eli", "Fay", "Gus", "Hal")
NEEDED = {
    "andromeda": {},
    "hanse": {},
    "wreck": {f"{name}{at}": "4" for name in ("aboard", "trained") for at in range(1, 5)},
    "draws": {"c_red": "3"},
}
"""Fields that a game needs in addition to those that all games declare."""


def headers(setting: NewGame) -> Iterator[Line]:
    """Yield a header for each number of players, starting player and ruling, with random colours."""
    fields, lots = setting.fields, Random(4)
    for count in fields.counts:
        for first, *words in product(range(count or 1), *(ruling.words for ruling in fields.rulings)):
            colours = lots.sample(setting.colours, count)
            players = [{"colour": colour, "name": name} for colour, name in zip(colours, NAMES, strict=False)]
            begins = {fields.first: colours[first]} if fields.first else {}
            chosen = zip(fields.rulings, words, strict=True)
            options = {ruling.name: ruling.written(word) for ruling, word in chosen if word != ruling.usual}
            yield {"players": players, **begins, **({"options": options} if options else {})}


@pytest.mark.parametrize("setting", [ANDROMEDA, HANSE, WRECK, DRAWS], ids=lambda each: each.fields.game)
def test_every_header_of_the_declared_fields_comes_from_a_form(setting: NewGame) -> None:
    """New game: a form filled in from a header produces this header, for all players, colours and rulings."""
    name = setting.fields.game
    for wanted in headers(setting):
        form = {"players": str(len(wanted["players"])), "tiles": wanted.get("options", {}).get("tiles", "")}
        needed = setting.header({**form, **NEEDED[name]})
        sitting = zip(needed["players"], wanted["players"], strict=True)
        whole = {**needed, **wanted, "players": [{**usual, **player} for usual, player in sitting]}
        made = setting.header(setting.filled(whole))

        own = {**made, "players": [{field: each[field] for field in ("colour", "name")} for each in made["players"]]}
        assert {field: own.get(field) for field in wanted} == wanted
        assert ("options" in made) == ("options" in wanted)


@pytest.mark.parametrize("setting", [ANDROMEDA, HANSE, WRECK, DRAWS], ids=lambda each: each.fields.game)
def test_a_header_from_the_form_begins_a_game(setting: NewGame) -> None:
    """New game: the rules accept the form's header for each number of players, with the seats as in the header."""
    name = setting.fields.game
    for count in setting.fields.counts:
        made = setting.header({"players": str(count), "tiles": "free", **NEEDED[name]})

        game = GAMES[name]
        seats = game.seats(game.start(made))
        assert [seat.colour for seat in seats] == [each["colour"] for each in made["players"]]
