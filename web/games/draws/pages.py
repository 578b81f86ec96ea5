"""The pages of the open draw table behind the seam that the service fills: each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from companion.kernel.validation import Line
from companion.model.snapshot import Snapshot
from companion.session.moves import RecordedMove
from web.games.draws.words import WORDS
from web.http.i18n import lazy, translated
from web.request.game_pages import AfterGame, BigScreen, Elsewhere, Look, NotNow, Reserved, Scene, TimelineMoment


class BoxContents:
    """What lies in a box, by colour: entered once, remembered with the copy."""

    at_first = False

    def fields(self, board: Line | None) -> dict[str, str]:
        """Return the fields of a new table's page which give *board*; None: nothing yet."""
        from web.games.draws.new_game import fields_of

        return fields_of(board or {"contents": {}})

    def form(self, form: Mapping[str, str]) -> Scene:
        """Return the page where the contents are entered."""
        from web.games.draws.new_game import new_game_scene

        return new_game_scene(form)

    def entered(self, form: Mapping[str, str]) -> Line | None:
        """Return the contents that *form* gives."""
        from companion.games.draws.box import BOX
        from web.games.draws.new_game import header_from

        return BOX.of(header_from(form))


class Screen:
    """What is inside, the last draws and the tower, for a room to see."""

    parts = ("inside", "draws", "tower")

    def usual(self, overlay: bool) -> tuple[str, ...]:
        """Return what is shown where no parts are named."""
        return ("draws",) if overlay else ("inside", "draws", "tower")

    def show(self, snapshot: Snapshot, wanted: Collection[str]) -> BigScreen:
        """Return what everybody may see: all of it."""
        from web.games.draws.screen import big_screen

        return big_screen(snapshot, wanted)


class Story:
    """The history of a table, twenty draws at a time."""

    def chapter(self, state: Any) -> str:
        """Return the draws that *state* is among."""
        from web.games.draws.timeline import chapter

        return chapter(state)

    def points(self, state: Any) -> Mapping[str, int]:
        """Return nothing: there is no score."""
        return {}

    def moment(self, move: RecordedMove, header: Line) -> TimelineMoment:
        """Return *move* in a sentence and in cubes."""
        from web.games.draws.timeline import moment

        return moment(move, header)


class DrawPages:
    """The door to all pages of a draw table."""

    name = "draws"
    words = WORDS
    reserved = Reserved(movers=("several", "put", "back", "throw", "out"), host=("count", "stuck"))
    emblem = "draws-bag"
    board = BoxContents()
    practice = None
    screen = Screen()
    timeline = Story()

    @property
    def after(self) -> AfterGame:
        """What is told of it once it is over."""
        from web.games.draws.after_game import AFTER

        return AFTER

    @property
    def title(self) -> str:
        """The table's name in the reader's language."""
        return str(translated(TITLE))

    def scene(self, look: Look, path: str) -> Scene | Elsewhere | NotNow | None:
        """Return the page at *path* below /table, None when there is none."""
        from web.games.draws.scenes import scene_at

        return scene_at(look, path)

    def around(self, look: Look, bar: Any) -> Mapping[str, Any]:
        """Return what the templates of all pages of play ask for."""
        from web.games.draws.layout import surroundings

        return surroundings(look, bar)

    def tell(self, told_line: Line, header: Line) -> str:
        """Return one short sentence for a line of history."""
        from web.games.draws.sentences import tell

        return tell(told_line, {player["colour"]: player["name"] for player in header["players"]})

    def new_game(self, form: Mapping[str, str]) -> Scene:
        """Return the page where a table is set out."""
        from web.games.draws.new_game import new_game_scene

        return new_game_scene(form)

    def header(self, form: Mapping[str, str]) -> Line:
        """Return the record header that *form* asks for, or raise `Malformed`."""
        from web.games.draws.new_game import header_from

        return header_from(form)

    def demo(self) -> tuple[Line, ...]:
        """Never asked for: nobody plays one."""
        raise NotImplementedError

    def rules(self, card: str, snapshot: Snapshot) -> Scene | None:
        """Return a card, or all of them."""
        from web.games.draws.cards import rules_scene

        return rules_scene(card, snapshot)

    def card_at(self, snapshot: Snapshot, path: str) -> str:
        """Return the card that helps on the page at *path*."""
        from web.games.draws.cards import card_at

        return card_at(path)


TITLE = lazy("Open draw table")
