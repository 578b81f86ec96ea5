"""The pages of the race: one for a new game, one for the table, one of rules."""

from __future__ import annotations

from pathlib import Path

from companion.kernel.errors import Malformed
from companion.kernel.fields import Line
from companion.kernel.said import said
from tests.dice_game.rules import NAMES
from web.request.game_pages import Form, GameCover, GameWords, Look, Pages, RulesCard, Scene

HEADER: Line = {"record": "table-record", "version": 1, "game": "dice"}


def turn(look: Look) -> Scene:
    """Return the page of the turn."""
    assert look.snapshot.game is not None
    facts = {"state": look.state, "result": look.snapshot.game.result(look.state), "may_play": look.may_act}
    return Scene("dice/turn.html", facts)


def tell(line: Line, header: Line) -> str:
    """Return the sentence that says who rolled what."""
    names = {each["colour"]: each["name"] for each in header["players"]}
    what = f"rolls {line['pips']}" if line["do"] == "roll" else "holds"
    return f"{names[line['player']]} {what}."


def new_game(form: Form) -> Scene:
    """Return the page that asks who plays."""
    return Scene("dice/new.html", {"seats": NAMES})


def header(form: Form) -> Line:
    """Return the header with the players named in the form."""
    players = [{"colour": colour, "name": form[colour]} for colour in NAMES if form.get(colour)]
    if len(players) < 2:
        raise Malformed(said("Two at least."))
    return {**HEADER, "players": players}


PAGES = Pages(
    at={"": turn},
    around=lambda look, bar: {},
    tell=tell,
    new_game=new_game,
    header=header,
    cards=(RulesCard("race", "The race", "", ("Roll as often as you dare.", "A one ends the turn.")),),
    card_at=lambda snapshot, path: "",
)
COVER = GameCover(
    name="dice",
    called="The race",
    words=GameWords(setup="players", log="every roll", steps={"throw": "A throw"}, limits={"throw": "A throw"}),
    folder=Path(__file__).parent,
    load=lambda: PAGES,
)
