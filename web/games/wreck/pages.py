"""The pages of the wreck behind the seam that the service fills: each is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random
from typing import Any

from companion.autoplay.demo import DemoStatus
from companion.kernel.validation import Line
from companion.model.snapshot import Snapshot
from companion.session.moves import RecordedMove
from web.games.wreck.components.words import WORDS
from web.http.i18n import lazy
from web.request.game_pages import AfterGame, BigScreen, Elsewhere, Look, NotNow, Reserved, Scene, TimelineMoment


class CardsOfTheBox:
    """The cards that a table has typed in, kept with its copy and filled in next time."""

    at_first = False

    def fields(self, board: Line | None) -> dict[str, str]:
        """Return the field of a new game's page which holds the cards of *board*."""
        from web.games.wreck.setup.new_game import box_fields

        return box_fields(board)

    def form(self, form: Mapping[str, str]) -> Scene:
        """Return the page that says where cards are typed in: as a game is set out."""
        return Scene("wreck/box.html")

    def entered(self, form: Mapping[str, str]) -> Line | None:
        """Return no cards: they come with the first game."""
        return None


class PracticeGame:
    """A game of three made-up players."""

    words = lazy(
        "Three made-up players play slowly, and every step is explained. Pause, go step by step, or leave any time."
    )

    def header(self) -> Line:
        """Return the header of a practice game."""
        from web.games.wreck.practice.page import practice_header

        return practice_header()

    def made_up(self, state: Any, lots: Random) -> Any:
        """Return what a made-up player does."""
        from companion.games.wreck.demo_policy import command

        return command(state, lots)

    def scene(self, shown: DemoStatus) -> Scene:
        """Return the page of a practice as it stands."""
        from web.games.wreck.practice.page import practice_scene

        return practice_scene(shown)


class Screen:
    """The wreck and the dice, for a room to see."""

    parts = ("ship", "dice")

    def usual(self, overlay: bool) -> tuple[str, ...]:
        """Return what is shown where no parts are named."""
        return ("dice",) if overlay else ("ship", "dice")

    def show(self, snapshot: Snapshot, wanted: Collection[str]) -> BigScreen:
        """Return what everybody may see."""
        from web.games.wreck.screen.panels import big_screen

        return big_screen(snapshot, wanted)


class Rounds:
    """The history of a game, round by round."""

    def chapter(self, state: Any) -> str:
        """Return the round of *state*, or the set-up."""
        from web.games.wreck.history.timeline import chapter

        return chapter(state)

    def points(self, state: Any) -> Mapping[str, int]:
        """Return everybody's KP."""
        from web.games.wreck.history.timeline import points

        return points(state)

    def moment(self, move: RecordedMove, header: Line) -> TimelineMoment:
        """Return *move* in a sentence and in pictures."""
        from web.games.wreck.history.timeline import moment

        return moment(move, header)


class WreckPages:
    """The door to all pages of the wreck: the service can begin to answer before it knows any of them."""

    name = "wreck"
    title = "Andromeda (2015)"
    words = WORDS
    reserved = Reserved(movers=("mission", "effects"), host=("correct",))
    emblem = "wr-hulk"
    board = CardsOfTheBox()
    practice = PracticeGame()
    screen = Screen()
    timeline = Rounds()

    @property
    def after(self) -> AfterGame:
        """What is told of it once it is over."""
        from web.games.wreck.history.after_game import AFTER

        return AFTER

    def scene(self, look: Look, path: str) -> Scene | Elsewhere | NotNow | None:
        """Return the page at *path* below /table, None when there is none."""
        from web.games.wreck.scenes import scene_at

        return scene_at(look, path)

    def around(self, look: Look, bar: Any) -> Mapping[str, Any]:
        """Return what the templates of all pages of play ask for."""
        from web.games.wreck.components.layout import surroundings

        return surroundings(look, bar)

    def tell(self, told_line: Line, header: Line) -> str:
        """Return one short sentence for a line of history."""
        from web.games.wreck.history.sentences import tell

        return tell(told_line, header)

    def new_game(self, form: Mapping[str, str]) -> Scene:
        """Return the page where a new game is set out."""
        from web.games.wreck.setup.new_game import new_game_scene

        return new_game_scene(form)

    def header(self, form: Mapping[str, str]) -> Line:
        """Return the record header that *form* asks for, or raise `Malformed`."""
        from web.games.wreck.setup.new_game import header_from

        return header_from(form)

    def demo(self) -> tuple[Line, ...]:
        """Return a game to look around with."""
        from web.games.wreck.setup.demo import demo

        return demo()

    def rules(self, card: str, snapshot: Snapshot) -> Scene | None:
        """Return a rules card, or all of them."""
        from web.games.wreck.rules.cards import rules_scene

        return rules_scene(card, snapshot)

    def card_at(self, snapshot: Snapshot, path: str) -> str:
        """Return the rules card that helps on the page at *path*."""
        from web.games.wreck.rules.cards import card_at

        return card_at(snapshot, path)
