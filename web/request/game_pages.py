"""The interface between a game and the web server: a small `GameCover`, and the game's `Pages`. It names no game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from pathlib import Path
from random import Random
from typing import Any

from companion.autoplay.demo import DemoStatus
from companion.kernel.fields import Line
from companion.kernel.values import dataclass, replace
from companion.model.game import Result, Viewer, phase_of
from companion.model.snapshot import Snapshot, Status
from companion.session.moves import RecordedMove
from web.http.i18n import translated


@dataclass(frozen=True)
class Look:
    """The input of a page of play: the snapshot, the viewer, the query, and whether the viewer may act now."""

    snapshot: Snapshot
    viewer: Viewer = Viewer()
    query: Mapping[str, str] = field(default_factory=dict)
    may_act: bool = False

    @property
    def state(self) -> Any:
        """The state of the game."""
        return self.snapshot.state

    @property
    def of_the_table(self) -> Look:
        """Return this look for an action of the whole table: a phone may read the page but can't act on it."""
        return replace(self, may_act=self.may_act and self.viewer.seat is None)


@dataclass(frozen=True)
class Scene:
    """A page to show: its template and context, and the bar at the top if it is a page of play."""

    template: str
    context: Mapping[str, Any] = field(default_factory=dict)
    bar: Any = None


@dataclass(frozen=True)
class Elsewhere:
    """A page that no longer fits the table: go to *path* (it follows /table/) instead."""

    path: str = ""


@dataclass(frozen=True)
class NotNow:
    """The page of an action that nobody can do now. It shows the *reason*, and a link back."""

    reason: str


@dataclass(frozen=True)
class Final:
    """The page of a finished game, which all games share."""


Form = Mapping[str, str]
"""The values entered so far, by field."""
Found = Scene | Elsewhere | NotNow | Final
Page = Callable[[Look], Found]


@dataclass(frozen=True)
class Reserved:
    """The pages below /table that are for acting, by the first word of their path. All other pages are for reading.

    Pages in *movers* are for those who may act now; pages in *host* are for the host.
    """

    movers: tuple[str, ...] = ()
    host: tuple[str, ...] = ()


@dataclass(frozen=True)
class GameWords:
    """The texts of this game on the pages that all games share. A page leaves out empty texts.

    - *setup*: what people enter for a new game; *demo* and *practice*: who plays in those games, and what they show.
    - *corrections*: what can be corrected by hand; *leaving*: what happens to a player who leaves; *log*: what a
      record contains.
    - *steps*: the steps of a round in their order; *sums*: steps whose times are added up under one name.
    - *limits*: the steps that can have a clock; *penalty*: an example of a penalty for a strict clock.
    - *counted*: steps that show their elapsed time although they have no limit; *open_ended*: those of them that can be
      paused.
    """

    setup: str = ""
    demo: str = ""
    practice: str = ""
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
    """The pages of a game whose copies have different boards or box contents.

    - *fields*: returns the form fields of the new-game page for a board in a header; None is the example board.
    - *form*: returns the page where people enter the board of their copy, filled with the values entered so far.
    - *entered*: returns the board in that form, None for the example board; raises `Malformed` if a value is missing.
    """

    fields: Callable[[Line | None], dict[str, str]]
    form: Callable[[Form], Scene]
    entered: Callable[[Form], Line | None]


@dataclass(frozen=True)
class PracticePages:
    """The practice of a game: it plays automatically while people watch.

    - *header*: returns the record header of a new practice game.
    - *made_up*: returns the next command in a state before the end of the game.
    - *scene*: returns the page of the practice game, with its newest step explained.
    """

    header: Callable[[], Line]
    made_up: Callable[[Any, Random], Any]
    scene: Callable[[DemoStatus], Scene]


@dataclass(frozen=True)
class Headline:
    """The top line of a big screen: whose turn it is (*colour*) or what happens, and *where* in the game."""

    words: str
    colour: str = ""
    where: str = ""


@dataclass(frozen=True)
class BigScreen:
    """The content of a big screen. It contains only public information.

    - *points*: the points by colour; *gained*: the change by the last move, with its sign.
    - *small*: a few words next to each name; *note*: a line below all names.
    - *panels*: the scenes in the middle, the largest first; *styles*: their style sheets.
    - *held*: the neutral pieces of each seat, with their number.
    - *over*: a result that covers the whole screen for a moment, unless the screen is an overlay over a picture.
    """

    headline: Headline
    points: Mapping[str, int] = field(default_factory=dict)
    gained: Mapping[str, str] = field(default_factory=dict)
    small: Mapping[str, str] = field(default_factory=dict)
    held: Mapping[str, tuple[tuple[Any, int], ...]] = field(default_factory=dict)
    note: str = ""
    panels: tuple[Scene, ...] = ()
    styles: tuple[str, ...] = ()
    over: Scene | None = None


@dataclass(frozen=True)
class ScreenPages:
    """A game on a television or a stream.

    - *usual*: the game's own parts that are shown unless the URL names others; *over_picture*: the same for an overlay
      over a picture.
    - *show*: returns the public content of the screen, with the parts that the URL names.
    - *replayed*: the parts that the history of a game shows, if they are not the usual ones.
    """

    usual: tuple[str, ...]
    over_picture: tuple[str, ...]
    show: Callable[[Snapshot, Collection[str]], BigScreen]
    replayed: tuple[str, ...] = ()


@dataclass(frozen=True)
class TimelineMoment:
    """One move in a timeline: a *sentence*, a remark (*aside*), and pictures.

    - *seat*: whose move it is; *section*: the part of the chapter that contains the move.
    - *pictures*: macros of `<name>/pictures.html`; *tokens*: seats whose pieces moved; *pieces*: colours of neutral
      pieces that moved; *onward*: the move leads from the first of these pictures to the last.
    - *correction*: the move is a correction by hand; *opening*: the sentence only says who moves next.
    - *card*: the name of the card, if the move is only a card; a player's cards share one row. *alike*: one sentence
      for the same move of several successive players. *answers*: the move replies to the move before, and shares its
      row.
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

    - *chapter*: returns the heading of the chapter that a state belongs to.
    - *points*: returns the public points in a state, by colour in seat order.
    - *moment*: returns a move as the timeline shows it, without hidden information.
    """

    chapter: Callable[[Any], str]
    points: Callable[[Any], Mapping[str, int]]
    moment: Callable[[RecordedMove, Line], TimelineMoment]


@dataclass(frozen=True)
class Compared:
    """One line of a comparison: its *label*, and each player's value with whether it decided the game.

    A line that isn't *needed* is shown for completeness.
    """

    label: str
    values: tuple[tuple[int, bool], ...]
    needed: bool = True


@dataclass(frozen=True)
class Decision:
    """What decided a game: a *heading*, a sentence, and a comparison of some players (their colours, and the lines)."""

    words: str
    heading: str = ""
    colours: tuple[str, ...] = ()
    lines: tuple[Compared, ...] = ()


@dataclass(frozen=True)
class SeatLuck:
    """The luck of one player: what they got, what they could expect, and how far the first is *ahead* of the second."""

    colour: str
    got: str
    expected: str
    ahead: float


@dataclass(frozen=True)
class GameLuck:
    """The luck of the players in one unit, which the *heading* names. The axis reaches at least to *span*."""

    heading: str
    seats: tuple[SeatLuck, ...]
    note: str = ""
    span: float = 0.0


def _nothing(state: Any) -> Mapping[str, tuple[int, ...]]:
    return {}


def _in_words(state: Any, result: Result) -> Decision:
    return Decision(str(translated(result.why)))


@dataclass(frozen=True)
class AfterGame:
    """A game's own content of the pages after a game, besides waiting times and the luck of the whole game.

    - *points*: the game's word for points.
    - *sources*: the sources of points, in the order of the score sheet; *counted*: what players collect in a game
      without points.
    - *came_from* and *counts*: return the numbers for *sources* and *counted* in a state, by colour in seat order; they
      are public.
    - *by_round*: the heading of the chart with the points after each round, if a chapter of the history is a round.
    - *decided*: returns what decided a finished game; *luck*: returns the luck in a unit of the game, without the
      seats that left early; *lasted*: returns the number of rounds or turns in words.
    - *again*: returns the form fields of a new game with the players and rules of a header.
    - *slot*: returns what only this game shows, in place of the points.
    """

    points: str
    sources: tuple[str, ...] = ()
    came_from: Callable[[Any], Mapping[str, tuple[int, ...]]] = _nothing
    counted: tuple[str, ...] = ()
    counts: Callable[[Any], Mapping[str, tuple[int, ...]]] = _nothing
    by_round: str = ""
    decided: Callable[[Any, Result], Decision] = _in_words
    luck: Callable[[Any, Collection[str]], GameLuck | None] = lambda state, left: None
    lasted: Callable[[Any], str] = lambda state: ""
    again: Callable[[Line], Mapping[str, str]] = lambda header: {}
    slot: Callable[[Any], Scene | None] = lambda state: None


@dataclass(frozen=True)
class RulesCard:
    """One card of the rules, in our own words: its name in a URL, its title, its icon, and its sentences.

    *rulings* lists the options that change this rule.
    """

    name: str
    title: str
    picture: str
    says: tuple[str, ...]
    rulings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ruled:
    """How this table plays a rule: the *way*, the question that it answers, and whether most tables play it so."""

    way: str
    asks: str = ""
    usual: bool = True


def _no_rulings(card: RulesCard, state: Any) -> tuple[Ruled, ...]:
    return ()


def _no_demo() -> tuple[Line, ...]:
    raise LookupError("nobody plays a game to look around with")


@dataclass(frozen=True)
class Pages:
    """All pages of one game, `web.games.<name>.pages.PAGES`.

    *at* maps the rest of the URL below /table to a page; "" is the current step. A page is one function, or one
    function for each `state.phase`. Any other URL is a 404 error. The URL contains the whole state of a page, so a
    reload, a second tablet and a browser without JavaScript show the same page.

    Example: ``at={"": {Phase.TURN: turn_scene, Phase.OVER: final_scene}, "board": board_scene}``

    - *around*: returns the context that the templates of all pages of play share, for the bar of a scene.
    - *band*: returns the band for a seat's colour and the bar of a scene. Until the end of the game a seat's phone
      shows it instead of the bar. If *band* is None, phones have the bar too.
    - *tell*: returns one short sentence of history for a line of a game with that header.
    - *frame*: the template around the page of a finished or stopped game, the base of the game's pages of play.
    - *new_game*: returns the new-game page with the values entered so far; *header*: returns the record header for
      those values, or raises `Malformed` with the reason.
    - *demo*: returns the lines of a game to look around in, header first.
    - *cards*: the rules cards; *card_at*: returns the name of the card that helps on the page at a path, or an empty
      text; *ruled*: returns how the table with that state plays a card; *card_pictures*: the template whose macro
      `picture` draws the card of a name, unless the icons of the cards are enough.
    - *possible*: returns the context of the part "What can we do now?" of the help sheet, from
      `web.components.possible_now`, or None if the game has no such list.
    """

    at: Mapping[str, Page | Mapping[Any, Page]]
    around: Callable[[Look, Any], Mapping[str, Any]]
    tell: Callable[[Line, Line], str]
    new_game: Callable[[Form], Scene]
    header: Callable[[Form], Line]
    cards: tuple[RulesCard, ...]
    card_at: Callable[[Snapshot, str], str]
    frame: str = "frame.html"
    band: Callable[[Look, str, Any], Any] | None = None
    ruled: Callable[[RulesCard, Any], tuple[Ruled, ...]] = _no_rulings
    card_pictures: str = ""
    possible: Callable[[Look], Mapping[str, Any]] | None = None
    reserved: Reserved = Reserved()
    demo: Callable[[], tuple[Line, ...]] = _no_demo
    board: BoardPages | None = None
    practice: PracticePages | None = None
    screen: ScreenPages | None = None
    timeline: TimelinePages | None = None
    after: AfterGame = AfterGame("")

    def scene(self, look: Look, path: str) -> Found | None:
        """Return the page at *path*, the part after /table/; or None if there is no such page."""
        page = self.at.get(path)
        if isinstance(page, Mapping):
            page = page[phase_of(look.state, f"the table of pages at {path!r}")]
        return None if page is None else page(look)

    def context(self, look: Look, scene: Scene) -> dict[str, Any]:
        """Return the template context of *scene*: `bar`, `band`, `may_play`, and the values of `around` and the scene.

        Unless the game sets `may_play`, buttons work while the viewer may act and the game runs or is finished.
        """
        may_play = look.may_act and look.snapshot.status in (Status.LIVE, Status.FINISHED)
        shared = self.around(look, scene.bar)
        band = self._band(look, scene.bar)
        return {"bar": scene.bar, "band": band, "may_play": may_play, **shared, **scene.context}

    def _band(self, look: Look, bar: Any) -> Any:
        game, own = look.snapshot.game, look.viewer.seat
        if self.band is None or game is None or own is None or look.snapshot.status.over:
            return None
        return self.band(look, own, bar) if own in {seat.colour for seat in game.seats(look.state)} else None


@dataclass(frozen=True)
class GameCover:
    """The data of a game that is available before its pages are loaded. The home page shows the covers of all games.

    - *name*: the game's identifier in a record's header; *called*: its title; *words*: its texts on shared pages.
    - *folder*: may hold `static/`, served below /static/<name>/, and `templates/<name>/`, whose `pictures.html` has a
      macro for each picture; *emblem*: the picture that stands for the game.
    - *screen*: the names of the game's own parts of a big screen, as in a URL.
    - *asks_board*: the pages for the first evening ask for the values that are printed on the board of the copy.
    - *load*: imports the pages.
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
        """The game's display name, in this request's language."""
        return str(translated(self.called))

    @property
    def pages(self) -> Pages:
        """All pages of the game. The first call imports them."""
        return self.load()
