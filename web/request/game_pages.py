"""What the web knows of a game's pages, whichever game it is: the seam between service and game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from companion.autoplay.demo import Shown
from companion.kernel.validation import Line
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot


@dataclass(frozen=True)
class Scene:
    """A page to show: the template's name and what it is filled with."""

    template: str
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Elsewhere:
    """A page that no longer fits the table: go to *path* (it follows /table/) instead."""

    path: str = ""


class GamePages(Protocol):
    """The pages of one game, found as `web.games.<name>.PAGES`.

    A page's whole state lies in its address, so that a reload, a second
    tablet or a page without JavaScript shows the same. The folder of a game
    may hold `templates/<name>/` and `static/`, served below /static/<name>/.
    """

    @property
    def name(self) -> str:
        """The game's word in a record's header."""

    @property
    def title(self) -> str:
        """The game's name for people."""

    def scene(
        self, snapshot: Snapshot, viewer: Viewer, path: str, query: Mapping[str, str], may_act: bool
    ) -> Scene | Elsewhere | None:
        """Return the page at *path*, what follows /table/ ("": the step at hand); None when there is none."""

    def openly(self, snapshot: Snapshot, told_line: Line) -> Line:
        """Return *told_line* without what still lies face down on the table."""

    def tell(self, told_line: Line, header: Line) -> str:
        """Return one short sentence of history for *told_line*, names first."""

    def new_game(self, form: Mapping[str, str]) -> Scene:
        """Return the page where a new game is set out, with what is filled in so far."""

    def board_fields(self, board: Line | None) -> dict[str, str]:
        """Return the fields of that page which give *board*, as a header writes it; None: the one it comes with."""

    def header(self, form: Mapping[str, str]) -> Line:
        """Return the record header that *form* asks for, or raise `Malformed` with what is wrong."""

    def demo(self) -> tuple[Line, ...]:
        """Return a game to look around with: its header, and lines that bring it to where there is something to do."""

    def board_form(self, form: Mapping[str, str]) -> Scene:
        """Return the page where the board of one's own copy is typed in, with what is filled in so far."""

    def board_from(self, form: Mapping[str, str]) -> Line | None:
        """Return the board that *form* gives, None for the example, or raise `Malformed` with what is missing."""

    def practice_header(self) -> Line:
        """Return the header of a game that is there to be watched."""

    def made_up(self, state: Any, lots: Random) -> Any:
        """Return the command that a made-up player gives in *state*, which is not the end."""

    def practice_scene(self, shown: Shown) -> Scene:
        """Return the page of a practice as it stands, its newest step explained."""

    def rules(self, card: str, snapshot: Snapshot) -> Scene | None:
        """Return the rules card called *card*, all of them for an empty name, None when there is none."""

    def card_at(self, snapshot: Snapshot, path: str) -> str:
        """Return the rules card that helps on the page at *path*, empty where none does."""
