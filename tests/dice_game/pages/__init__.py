"""The pages of the race: one for a new game, one for the table, one of rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.kernel.errors import Malformed
from companion.kernel.i18n import said
from companion.kernel.validation import Line
from companion.model.snapshot import Snapshot
from tests.dice_game.rules import NAMES
from web.request.game_pages import Elsewhere, GamePages, GameWords, Look, Reserved, Scene

HEADER: Line = {"record": "table-record", "version": 1, "game": "dice"}


class DicePages:
    """Nothing but the core: no practice, no board, no demo."""

    name = "dice"
    title = "The race"
    words = GameWords(setup="players", log="every roll", steps={"throw": "A throw"}, limits={"throw": "A throw"})
    emblem = ""
    reserved = Reserved()
    board = None
    practice = None
    screen = None
    timeline = None
    after = None

    def scene(self, look: Look, path: str) -> Scene | Elsewhere | None:
        """Return the page of the turn."""
        if path:
            return None
        assert look.snapshot.game is not None
        facts = {"state": look.state, "result": look.snapshot.game.result(look.state), "may_play": look.may_act}
        return Scene("dice/turn.html", facts)

    def around(self, look: Look, bar: Any) -> Mapping[str, Any]:
        """Return nothing: each page says all of it."""
        return {}

    def tell(self, told_line: Line, header: Line) -> str:
        """Say who rolled what."""
        names = {each["colour"]: each["name"] for each in header["players"]}
        what = f"rolls {told_line['pips']}" if told_line["do"] == "roll" else "holds"
        return f"{names[told_line['player']]} {what}."

    def new_game(self, form: Mapping[str, str]) -> Scene:
        """Return the page that asks who plays."""
        return Scene("dice/new.html", {"seats": NAMES})

    def header(self, form: Mapping[str, str]) -> Line:
        """Return the header for those who are named."""
        players = [{"colour": colour, "name": form[colour]} for colour in NAMES if form.get(colour)]
        if len(players) < 2:
            raise Malformed(said("Two at least."))
        return {**HEADER, "players": players}

    def demo(self) -> tuple[Line, ...]:
        """Never asked for, since nobody plays one."""
        raise NotImplementedError

    def rules(self, card: str, snapshot: Snapshot) -> Scene | None:
        """Return the one page of rules."""
        return None if card else Scene("dice/rules.html")

    def card_at(self, snapshot: Snapshot, path: str) -> str:
        """Return no card: there is but one page."""
        return ""


PAGES: GamePages = DicePages()
