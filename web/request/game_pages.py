"""What the web knows of a game's pages, whichever game it is: the seam between service and game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from random import Random
from typing import Any, Protocol

from companion.autoplay.demo import DemoStatus
from companion.kernel.frozen import replace
from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.model.game import Viewer
from companion.model.snapshot import Snapshot
from companion.session.moves import RecordedMove


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
    with; *now*: there is a page of what can be done now; *corrections* what
    can be put right by hand, *leaving* what becomes of whoever leaves, *log*
    what a record holds. *steps* are the game's steps in the order of a round,
    *sums* names those whose times belong together under another one, *limits*
    what may have a clock, *penalty* an example of what may follow a strict
    one. *counted* are steps whose time is shown without a limit too, and
    *open_ended* those that can be held all the same.
    """

    setup: str = ""
    demo: str = ""
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


class BoardPages(Protocol):
    """The pages of a game whose copies differ in what is printed on their boards, or in what lies in their boxes."""

    @property
    def at_first(self) -> bool:
        """Whether the first evening asks for it; what differs from table to table is asked with each new game."""

    def fields(self, board: Line | None) -> dict[str, str]:
        """Return the fields of a new game's page which give *board*, as a header writes it; None: the example."""

    def form(self, form: Mapping[str, str]) -> Scene:
        """Return the page where the board of one's own copy is typed in, with what is filled in so far."""

    def entered(self, form: Mapping[str, str]) -> Line | None:
        """Return the board that *form* gives, None for the example, or raise `Malformed` with what is missing."""


class PracticePages(Protocol):
    """The pages of a game that can play itself, to be watched."""

    @property
    def words(self) -> str:
        """Who plays, and what is to be seen of it."""

    def header(self) -> Line:
        """Return the header of a game that is there to be watched."""

    def made_up(self, state: Any, lots: Random) -> Any:
        """Return the command that a made-up player gives in *state*, which is not the end."""

    def scene(self, shown: DemoStatus) -> Scene:
        """Return the page of a practice as it stands, its newest step explained."""


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


class ScreenPages(Protocol):
    """What a game shows of itself on a screen that everybody sees: a television, a stream."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Its own parts, by their words in an address."""

    def usual(self, overlay: bool) -> tuple[str, ...]:
        """Return its own parts that are shown where none are named: on a television, or over a picture (*overlay*)."""

    def show(self, snapshot: Snapshot, wanted: Collection[str]) -> BigScreen:
        """Return what everybody may see of the game, with those of its parts that are *wanted*."""


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


class TimelinePages(Protocol):
    """The history of a game in chapters, with pictures and points."""

    def chapter(self, state: Any) -> str:
        """Return the chapter that whatever happens in *state* belongs to, as its heading."""

    def points(self, state: Any) -> Mapping[str, int]:
        """Return everybody's points in *state* as the whole table may know them, by colour in seat order."""

    def moment(self, move: RecordedMove, header: Line) -> TimelineMoment:
        """Return *move* as the timeline shows it; what is hidden from the viewer is not in it."""


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


class GamePages(Protocol):
    """The pages of one game, found as `web.games.<name>.PAGES`.

    A page's whole state lies in its address, so that a reload, a second
    tablet or a page without JavaScript shows the same. The folder of a game
    may hold `templates/<name>/` and `static/`, served below /static/<name>/;
    `templates/<name>/pictures.html` holds what its pages draw by a mark.
    """

    @property
    def name(self) -> str:
        """The game's word in a record's header."""

    @property
    def title(self) -> str:
        """The game's name for people."""

    @property
    def words(self) -> GameWords:
        """What the house's own pages say of the game."""

    @property
    def emblem(self) -> str:
        """The picture that stands for it, by its mark in `<name>/pictures.html`; empty for none."""

    @property
    def board(self) -> BoardPages | None:
        """Where the board of one's own copy is typed in; None where nothing is printed on one."""

    @property
    def practice(self) -> PracticePages | None:
        """The game that plays itself; None where it does not."""

    @property
    def screen(self) -> ScreenPages | None:
        """What a big screen shows of it; None where the house's own parts are enough."""

    @property
    def timeline(self) -> TimelinePages | None:
        """Its history in chapters; None where a list of sentences is enough."""

    @property
    def after(self) -> AfterGame | None:
        """What is told of it once it is over; None where result and time are all."""

    @property
    def reserved(self) -> Reserved:
        """Which of its pages are for doing something, and for whom."""

    def scene(self, look: Look, path: str) -> Scene | Elsewhere | NotNow | None:
        """Return the page at *path*, what follows /table/ ("": the step at hand); None when there is none."""

    def around(self, look: Look, bar: Any) -> Mapping[str, Any]:
        """Return what the templates of all pages of play ask for, with a scene's *bar* on top."""

    def tell(self, told_line: Line, header: Line) -> str:
        """Return one short sentence of history for *told_line*, names first."""

    def new_game(self, form: Mapping[str, str]) -> Scene:
        """Return the page where a new game is set out, with what is filled in so far."""

    def header(self, form: Mapping[str, str]) -> Line:
        """Return the record header that *form* asks for, or raise `Malformed` with what is wrong."""

    def demo(self) -> tuple[Line, ...]:
        """Return a game to look around with: its header, and lines that bring it to where there is something to do.

        Asked for only where `words.demo` says who plays it.
        """

    def rules(self, card: str, snapshot: Snapshot) -> Scene | None:
        """Return the rules card called *card*, all of them for an empty name, None when there is none."""

    def card_at(self, snapshot: Snapshot, path: str) -> str:
        """Return the rules card that helps on the page at *path*, empty where none does."""
