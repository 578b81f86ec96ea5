"""The pages of Die Kosmische Hanse behind the seam that the service fills, each imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random
from typing import Any

from companion.autoplay.demo import DemoStatus
from companion.kernel.validation import Line
from companion.model.snapshot import Snapshot
from companion.session.moves import RecordedMove
from web.games.hanse.components.words import TITLE, WORDS
from web.http.i18n import lazy
from web.request.game_pages import AfterGame, BigScreen, Elsewhere, Look, NotNow, Reserved, Scene, TimelineMoment


class PracticeGame:
    """A game of two made-up players."""

    words = lazy(
        "Two made-up players trade slowly, and every step is explained. Pause, go step by step, or leave any time."
    )

    def header(self) -> Line:
        """Return the header of a practice game."""
        from web.games.hanse.practice.page import practice_header

        return practice_header()

    def made_up(self, state: Any, lots: Random) -> Any:
        """Return what a made-up player does."""
        from companion.games.hanse.demo_policy import command

        return command(state, lots)

    def scene(self, shown: DemoStatus) -> Scene:
        """Return the page of a practice as it stands."""
        from web.games.hanse.practice.page import practice_scene

        return practice_scene(shown)


class Screen:
    """The planets with both ships, and what each player carries, for a room to see."""

    parts = ("space", "cargo")

    def usual(self, overlay: bool) -> tuple[str, ...]:
        """Return what is shown where no parts are named."""
        return ("cargo",) if overlay else ("space", "cargo")

    def show(self, snapshot: Snapshot, wanted: Collection[str]) -> BigScreen:
        """Return what everybody may see."""
        from web.games.hanse.screen.panels import big_screen

        return big_screen(snapshot, wanted)


class TurnHistory:
    """The history of a game, ten turns a chapter."""

    def chapter(self, state: Any) -> str:
        """Return the chapter of *state*."""
        from web.games.hanse.history.timeline import chapter

        return chapter(state)

    def points(self, state: Any) -> Mapping[str, int]:
        """Return the Megagalax of both."""
        from web.games.hanse.history.timeline import points

        return points(state)

    def moment(self, move: RecordedMove, header: Line) -> TimelineMoment:
        """Return *move* in a sentence and in pictures."""
        from web.games.hanse.history.timeline import moment

        return moment(move, header)


class HansePages:
    """The door to all pages of Die Kosmische Hanse."""

    name = "hanse"
    title = TITLE
    words = WORDS
    reserved = Reserved(movers=("act/", "card/"), host=("correct",))
    emblem = "hx-cog"
    board = None
    practice = PracticeGame()
    screen = Screen()
    timeline = TurnHistory()

    @property
    def after(self) -> AfterGame:
        """What is told of it once it is over."""
        from web.games.hanse.history.after_game import AFTER

        return AFTER

    def scene(self, look: Look, path: str) -> Scene | Elsewhere | NotNow | None:
        """Return the page at *path* below /table, None when there is none."""
        from web.games.hanse.scenes import scene_at

        return scene_at(look, path)

    def around(self, look: Look, bar: Any) -> Mapping[str, Any]:
        """Return what the templates of all pages of play ask for."""
        from web.games.hanse.components.layout import surroundings

        return surroundings(look, bar)

    def tell(self, told_line: Line, header: Line) -> str:
        """Return one short sentence for a line of history."""
        from web.games.hanse.history.timeline import tell

        return tell(told_line, header)

    def new_game(self, form: Mapping[str, str]) -> Scene:
        """Return the page where a new game is set out."""
        from web.games.hanse.setup.new_game import new_game_scene

        return new_game_scene(form)

    def header(self, form: Mapping[str, str]) -> Line:
        """Return the record header that *form* asks for, or raise `Malformed`."""
        from web.games.hanse.setup.new_game import header_from

        return header_from(form)

    def demo(self) -> tuple[Line, ...]:
        """Return a game to look around with: its header, and lines that bring it to where there is something to do."""
        from web.games.hanse.setup.demo import demo

        return demo()

    def rules(self, card: str, snapshot: Snapshot) -> Scene | None:
        """Return a rules card, or all of them."""
        from web.games.hanse.rules.cards import rules_scene

        return rules_scene(card, snapshot)

    def card_at(self, snapshot: Snapshot, path: str) -> str:
        """Return the rules card that helps on the page at *path*."""
        from web.games.hanse.rules.cards import card_at

        return card_at(snapshot, path)
