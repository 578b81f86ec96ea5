"""What the web knows of a game's pages, whichever game it is: the seam between service and game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from pathlib import Path
from random import Random
from typing import Any

from companion.autoplay.demo import DemoStatus
from companion.kernel.frozen import replace
from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from companion.session.moves import RecordedMove
from web.http.i18n import translated


@dataclass(frozen=True)
class Look:
    """What a page of play is made from: the moment, who looks, the address's query, and whether they may act now."""

    snapshot: Snapshot
    viewer: Viewer = Viewer()
    query: Mapping[str, str] = field(default_factory=dict)
    may_act: bool = False

    @property
    def state(self) -> Any:
        """How the game stands."""
        return self.snapshot.state

    @property
    def of_the_table(self) -> Look:
        """The same for what only the whole table does: a phone may look, and do nothing."""
        return replace(self, may_act=self.may_act and self.viewer.seat is None)


@dataclass(frozen=True)
class Scene:
    """A page to show: the template's name, what it is filled with, and the bar on top where it is a page of play."""

    template: str
    context: Mapping[str, Any] = field(default_factory=dict)
    bar: Any = None


@dataclass(frozen=True)
class Elsewhere:
    """A page that no longer fits the table: go to *path* (it follows /table/) instead."""

    path: str = ""


@dataclass(frozen=True)
class NotNow:
    """A page of an action that nobody can do now: the page says the *reason*, and leads back."""

    reason: str


Form = Mapping[str, str]
"""What is filled in so far, by field."""
Found = Scene | Elsewhere | NotNow
Page = Callable[[Look], Found]


@dataclass(frozen=True)
class Reserved:
    """Which pages below /table are for doing something: those that begin with a word of *movers* for whoever may act
    now, those of *host* for the host. All others are for looking."""

    movers: tuple[str, ...] = ()
    host: tuple[str, ...] = ()


@dataclass(frozen=True)
class GameWords:
    """What the house's own pages say of a game; what is empty is neither said nor offered there.

    *setup* is what a new game asks, *demo* who plays in one to look around
    with, *practice* who plays one to be watched, and what is to be seen of it; *now*: there is a page of what can be
    done now; *corrections* what
    can be put right by hand, *leaving* what becomes of whoever leaves, *log*
    what a record holds. *steps* are the game's steps in the order of a round,
    *sums* names those whose times belong together under another one, *limits*
    what may have a clock, *penalty* an example of what may follow a strict
    one. *counted* are steps whose time is shown without a limit too, and
    *open_ended* those that can be held all the same.
    """

    setup: str = ""
    demo: str = ""
    practice: str = ""
    now: bool = False
    corrections: str = ""
    leaving: str = ""
    log: str = ""
    steps: Mapping[str, str] = field(default_factory=dict)
    sums: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    limits: Mapping[str, str] = field(default_factory=dict)
    penalty: str = ""
    counted: tuple[str, ...] = ()
    open_ended: tuple[str, ...] = ()


@dataclass(frozen=True)
class BoardPages:
    """The pages of a game whose copies differ in what is printed on their boards, or in what lies in their boxes.

    *fields* gives the fields of a new game's page which give a board, as a header writes it, None for the example;
    *form* is the page where the board of one's own copy is typed in, with what is filled in so far; *entered* gives
    the board of that form, None for the example, or raises `Malformed` with what is missing.
    """

    fields: Callable[[Line | None], dict[str, str]]
    form: Callable[[Form], Scene]
    entered: Callable[[Form], Line | None]


@dataclass(frozen=True)
class PracticePages:
    """The pages of a game that can play itself, to be watched.

    *header* begins one, *made_up* gives the command of a made-up player in a state which is not the end; *scene* is
    the page of a practice as it stands, its newest step explained.
    """

    header: Callable[[], Line]
    made_up: Callable[[Any, Random], Any]
    scene: Callable[[DemoStatus], Scene]


@dataclass(frozen=True)
class Headline:
    """What a big screen says on top: whose turn it is or what goes on, *colour* of whom, *where* in the game."""

    words: str
    colour: str = ""
    where: str = ""


@dataclass(frozen=True)
class BigScreen:
    """What a game shows to a room: *points* as far as everybody may know them, *gained* by the last move, with signs.

    *small* is said beside each name, *note* below all of them; *panels* stand in the middle, the largest first, and
    wear *styles*. *held* are pieces that are nobody's own and that a seat has, each with how many.
    """

    headline: Headline
    points: Mapping[str, int] = field(default_factory=dict)
    gained: Mapping[str, str] = field(default_factory=dict)
    small: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[str, tuple[tuple[Any, int], ...]] = field(default_factory=dict)
    note: str = ""
    panels: tuple[Scene, ...] = ()
    styles: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScreenPages:
    """What a game shows of itself on a screen that everybody sees: a television, a stream.

    *usual* are its own parts that are shown where none are named, *over_picture* those of them over a picture;
    *show* gives what everybody may see of the game, with those of its parts that are wanted.
    """

    usual: tuple[str, ...]
    over_picture: tuple[str, ...]
    show: Callable[[Snapshot, Collection[str]], BigScreen]


@dataclass(frozen=True)
class TimelineMoment:
    """One move of a timeline: in a *sentence*, in more words (*aside*), and in pictures.

    *seat* is whose move it is, *section* the part of the chapter it belongs to; *pictures* are marks of
    `<name>/pictures.html`, *tokens* the seats whose pieces it touched, *pieces* colours of such as are nobody's;
    *onward*: it leads from the first of these to the last. A *correction* put something right by hand; an *opening*
    says only whose the next move is. A *card* is the name of one that is all there is to tell, so that a player's
    stand in one row; *alike* is what several do one after the other, said of all of them; what *answers* the move
    before it is told with that one.
    """

    sentence: str
    seat: str = ""
    section: str = ""
    aside: str = ""
    pictures: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    onward: bool = False
    correction: bool = False
    opening: bool = False
    card: str = ""
    alike: str = ""
    answers: bool = False


@dataclass(frozen=True)
class TimelinePages:
    """The history of a game in chapters, with pictures and points.

    *chapter* gives the chapter that whatever happens in a state belongs to, as its heading; *points* everybody's
    points in a state as the whole table may know them, by colour in seat order; *moment* a move as the timeline shows
    it, without what is hidden from the viewer.
    """

    chapter: Callable[[Any], str]
    points: Callable[[Any], Mapping[str, int]]
    moment: Callable[[RecordedMove, Line], TimelineMoment]


def _nothing(state: Any) -> Mapping[str, tuple[int, ...]]:
    return {}


@dataclass(frozen=True)
class AfterGame:
    """What a game tells of itself once it is over, beside time and luck.

    *points* is its word for points, *sources* what they come from in the order of a score, *counted* what else each
    has more and less of on the way. *came_from* and *counts* give as many numbers for a state, by colour in seat
    order, as far as the whole table may know them. *meaning* says what a short *points* stands for.
    """

    points: str
    sources: tuple[str, ...] = ()
    came_from: Callable[[Any], Mapping[str, tuple[int, ...]]] = _nothing
    counted: tuple[str, ...] = ()
    counts: Callable[[Any], Mapping[str, tuple[int, ...]]] = _nothing
    meaning: str = ""


def _no_demo() -> tuple[Line, ...]:
    raise LookupError("nobody plays a game to look around with")


@dataclass(frozen=True)
class Pages:
    """All pages of one game, `web.games.<name>.pages.PAGES`.

    *at* has the pages below /table by what follows it; "" is the step at hand. A page is one function, or one for each
    phase, by `state.phase`. A place that is not there does not exist. The whole state of a page is in its address, so
    that a reload, a second tablet or a page without JavaScript shows the same.

    Example: ``at={"": {Phase.TURN: turn_scene, Phase.OVER: final_scene}, "board": board_scene}``

    *around* gives what the templates of all pages of play ask for, with a scene's bar on top; *tell* one short
    sentence of history for a line, names first, by its header. *new_game* is the page where a game is set out, with
    what is filled in so far; *header* the record header that this asks for, or raises `Malformed` with what is wrong.
    *demo* is a game to look around with, its header first. *rules* gives the rules card of a name, all of them for an
    empty one, None when there is none; *card_at* the name of the card that helps on the page at a path, if any does.
    """

    at: Mapping[str, Page | Mapping[Any, Page]]
    around: Callable[[Look, Any], Mapping[str, Any]]
    tell: Callable[[Line, Line], str]
    new_game: Callable[[Form], Scene]
    header: Callable[[Form], Line]
    rules: Callable[[str, Snapshot], Scene | None]
    card_at: Callable[[Snapshot, str], str]
    reserved: Reserved = Reserved()
    demo: Callable[[], tuple[Line, ...]] = _no_demo
    board: BoardPages | None = None
    practice: PracticePages | None = None
    screen: ScreenPages | None = None
    timeline: TimelinePages | None = None
    after: AfterGame = AfterGame("")

    def scene(self, look: Look, path: str) -> Found | None:
        """Return the page at *path*, what follows /table/; None when there is none."""
        page = self.at.get(path)
        if isinstance(page, Mapping):
            page = page[look.state.phase]
        return None if page is None else page(look)


@dataclass(frozen=True)
class GameCover:
    """What the service knows of a game before it has loaded one of its pages: home shows all games, and plays none.

    *name* is the game's word in a record's header, *emblem* the picture that stands for it, by its mark in
    `<name>/pictures.html`. The *folder* may hold `templates/<name>/` and `static/`, served below /static/<name>/;
    `templates/<name>/pictures.html` holds what its pages draw by a mark. *screen* has its own parts of a big screen,
    by their words in an address. *asks_board*: the first evening asks for what is printed on the board; what differs
    from table to table is asked with each new game. *load* imports the pages.
    """

    name: str
    called: str
    words: GameWords
    folder: Path
    load: Callable[[], Pages]
    emblem: str = ""
    screen: tuple[str, ...] = ()
    asks_board: bool = False

    @property
    def title(self) -> str:
        """The game's name for people, in this request's language."""
        return str(translated(self.called))

    @property
    def pages(self) -> Pages:
        """All its pages; the first to ask waits until they are imported."""
        return self.load()
