"""What every page and address finds the house by: the table, the ring, the games' pages and the keys."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from threading import Lock
from time import monotonic
from typing import cast

from flask import current_app, g, request, session

from companion.autoplay.demo import PracticeTable
from companion.kernel.shown import shows
from companion.kernel.supervisor import Supervisor
from companion.kernel.values import dataclass
from companion.luck import Luck
from companion.model.game import AnyGame, Viewer, colours_of
from companion.model.people import People
from companion.model.snapshot import MovedOn, Snapshot, Who
from companion.ports.calibration import Instrument, InstrumentView, Wizard
from companion.ports.ring import RingPort, RingView
from companion.session.archive import GameSoFar
from companion.session.fairness_watch import FairnessWatch
from companion.session.hidden import ClockNow, SeenTimeline, clock_now, seen_by, seen_moves, seen_now, seen_so_far
from companion.session.moves import RecordedMove
from companion.session.table import Table
from companion.session.timeline import Timeline
from web.auth.pin import HostPin
from web.auth.seats import Sitting
from web.http.formatting import initials
from web.http.refill import Entered
from web.http.visitor_address import device_at
from web.request.clock_face import seen_at
from web.request.game_pages import GameCover, GameWords, Pages
from web.request.held import Held
from web.server.entrances import Entrances
from web.server.making import Workshop

# Games that came as a file to be looked at: kept in memory for a while, on record nowhere.

MOST = 4
_KEY = re.compile("f[0-9a-f]{16}")


@shows("_kept", "_folded", "_most")
class BroughtGames:
    """The last few records that somebody has brought, each by a key that cannot be guessed."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: dict[str, bytes] = {}
        self._folded: dict[str, Timeline] = {}
        self._lock = Lock()

    @staticmethod
    def is_key(word: str) -> bool:
        """Tell whether *word* may be the key of a record, and not a game's number or another word."""
        return _KEY.fullmatch(word) is not None

    def bring(self, record: bytes) -> str:
        """Keep a *record* that was looked through and return its key."""
        key = f"f{secrets.token_hex(8)}"
        self.hold(key, record)
        return key

    def hold(self, key: str, record: bytes) -> None:
        """Keep a *record* by its key; the one that nobody has looked at for longest makes room."""
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = record
            for oldest in list(self._kept)[: -self._most]:
                del self._kept[oldest]
                self._folded.pop(oldest, None)

    def find(self, key: str) -> bytes | None:
        """Return the record of *key*, None where it made room for others, or the house was closed since."""
        with self._lock:
            found = self._kept.pop(key, None)
            if found is not None:
                self._kept[key] = found
            return found

    def timeline(self, key: str, fold: Callable[[bytes], Timeline]) -> Timeline | None:
        """Return the record of *key* as *fold* makes a timeline of it, once; None as `find` does."""
        record = self.find(key)
        if record is None:
            return None
        if key not in self._folded:
            self._folded[key] = fold(record)
        return self._folded[key]


SLIDE_S = 5.0
"""After so long without a word from a simulated ring, its slide is over: nothing came of it."""
FORMS, FORMS_BYTES = 64, 1024 * 1024
UPLOADS, UPLOADS_BYTES = 2, 16 * 1024 * 1024


class Slides:
    """Slides of a simulated ring: one for each draw, however many people tap.

    A slide goes on until the ring tells of it, which is a new version; a ring that tells of nothing may be asked again
    after `SLIDE_S`.
    """

    def __init__(self) -> None:
        """No slide yet."""
        self._lock = Lock()
        self._version = -1
        self._until = 0.0

    def __repr__(self) -> str:
        return f"<Slides, the last at version {self._version}>"

    @contextmanager
    def one_at_a_time(self, house: House, version: int | None) -> Iterator[None]:
        """Slide inside; raises `MovedOn` where a page of *version* asks again for what has been asked for."""
        with self._lock:
            now, seen, ring = house.now(), house.table.snapshot.version, house.ring
            going = now < self._until and (seen == self._version or (ring is not None and bool(ring.view.gate_open)))
            old = version is not None and version <= self._version < seen
            if going or old:
                raise MovedOn(seen)
            yield
            self._version, self._until = house.table.snapshot.version, now + SLIDE_S


@dataclass(frozen=True)
class House:
    """One evening as the web sees it."""

    table: Table
    ring: RingPort | None
    covers: Mapping[str, GameCover]
    access: HostPin
    now: Callable[[], float]
    heartbeat_s: float
    luck: Luck
    fairness: FairnessWatch
    power_off: Callable[[], None] | None = None
    practice: PracticeTable = field(default_factory=lambda: PracticeTable(monotonic))
    doors: Callable[[], Entrances] = Entrances
    brought: BroughtGames = field(default_factory=BroughtGames)
    people: People | None = None
    slides: Slides = field(default_factory=Slides)
    threads: Supervisor = field(default_factory=Supervisor)
    workshop: Workshop | None = None
    forms: Held[tuple[str, Entered]] = field(default_factory=lambda: Held(FORMS, FORMS_BYTES))
    forms_of_strangers: Held[tuple[str, Entered]] = field(default_factory=lambda: Held(FORMS, FORMS_BYTES))
    uploads: Held[tuple[str, bytes]] = field(default_factory=lambda: Held(UPLOADS, UPLOADS_BYTES))


@dataclass(frozen=True)
class Marks:
    """Words that nobody can guess: one cuts a page into its parts, the other stands before what is filled in later."""

    cut: str
    fill: str


def filled_later(what: str) -> str | None:
    """Return a mark for what belongs to one browser or to this moment; None unless the page is made apart."""
    marks: Marks | None = g.get("apart")
    return None if marks is None else marks.fill + what


def house() -> House:
    """Return the house that this request has come to."""
    return cast(House, current_app.extensions["house"])


def snapshot() -> Snapshot:
    """Return the snapshot that this request is answered from, its clocks read: one and the same throughout.

    What is hidden from whoever asks is not in it.
    """
    if "snapshot" not in g:
        g.snapshot = seen_by(_whole(), viewer())
    return cast(Snapshot, g.snapshot)


def _whole() -> Snapshot:
    """Return the table with nothing hidden: for who asks to be found out by, and for what is the owner's."""
    if "whole" not in g:
        g.whole = seen_at(house().table.snapshot, house().now())
    return cast(Snapshot, g.whole)


def moves_here() -> tuple[RecordedMove, ...]:
    """Return the live game move by move, oldest first, as this device may see it."""
    seen = _whole()
    return seen_moves(house().table.archive.moves(), seen.game, clock_now(seen), viewer())


def partial_game(game_id: int) -> GameSoFar:
    """Return a game of the ledger as far as its rows can be read, as this device may see it."""
    found = house().table.archive.partial(game_id)
    return seen_so_far(found, _clock_of(game_id, lambda: found.snapshot), viewer())


def seen_through(game_id: int, timeline: Timeline) -> SeenTimeline:
    """Return a game of the ledger to be looked through, as everybody may see it."""
    return seen_now(timeline, lambda: _clock_of(game_id, lambda: house().table.archive.partial(game_id).snapshot))


def running_clock() -> dict[int, ClockNow]:
    """Return the clock of the game on the table, by the game's number; a page made apart was given it along."""
    given: dict[int, ClockNow] | None = g.get("running_clock")
    if given is not None:
        return given
    seen = _whole()
    return {} if seen.game_id is None else {seen.game_id: clock_now(seen)}


def _clock_of(game_id: int, stored: Callable[[], Snapshot]) -> ClockNow:
    """Return the clock of a game: the running one of the game on the table, any other as it was stored."""
    running = running_clock()
    return running[game_id] if game_id in running else clock_now(stored())


def look_again() -> None:
    """Forget what this request has seen, after a change that it has made itself."""
    for seen in ("snapshot", "whole", "ring", "instrument", "seat"):
        g.pop(seen, None)


def ring_view() -> RingView:
    """Return how the ring stood when this request first asked: its port knows better than the last commit."""
    if "ring" not in g:
        ring = house().ring
        g.ring = snapshot().ring if ring is None else ring.view
    return cast(RingView, g.ring)


def instrument() -> Instrument | None:
    """Return what the ring measures with, None where nothing measures."""
    ring = house().ring
    return None if ring is None else ring.instrument


def instrument_view() -> InstrumentView:
    """Return how the instrument stands: one and the same view throughout the request.

    The ring is looked at first: a page names the news that it shows, and must
    not name what came while it was being made.
    """
    if "instrument" not in g:
        ring_view()
        measuring = instrument()
        g.instrument = InstrumentView() if measuring is None else measuring.view
    return cast(InstrumentView, g.instrument)


def lesson() -> Wizard | None:
    """Return the wizard that holds the ring at the moment; cheap where there is none."""
    measuring = instrument()
    return None if measuring is None or measuring.order is None else instrument_view().wizard


def players() -> dict[str, tuple[str, str]]:
    """Return name and letter of whoever plays each colour of the game on the table."""
    header = snapshot().header or {}
    seats = header.get("players", ())
    letters = initials([seat["name"] for seat in seats])
    return {seat["colour"]: (seat["name"], letter) for seat, letter in zip(seats, letters, strict=True)}


def cover_at_the_table() -> GameCover | None:
    """Return the cover of the live game, None without one."""
    game = snapshot().game
    return None if game is None else house().covers.get(game.name)


def pages_at_the_table() -> Pages | None:
    """Return the pages of the live game, None without one."""
    game = snapshot().game
    return None if game is None else pages_of(game.name)


def pages_of(name: str) -> Pages | None:
    """Return the pages of the game of that *name*, None for one that this house does not know."""
    cover = house().covers.get(name)
    return None if cover is None else cover.pages


def words() -> GameWords:
    """Return what the house's own pages say of the live game, nothing without one."""
    cover = cover_at_the_table()
    return GameWords() if cover is None else cover.words


def plays_itself() -> bool:
    """Tell whether a game of this house can be watched playing itself."""
    return any(cover.words.practice for cover in house().covers.values())


def rings() -> bool:
    """Tell whether the live game draws from a ring; without a game any may."""
    game = snapshot().game
    return game is None or game.ring is not None


def ring_colours(first: AnyGame | None = None) -> tuple[str, ...]:
    """Return the colours in most boxes of the *first* game (the one on the table), or else of one that draws as well.

    A game that says none has no usual box: its colours are those in play.
    """
    own = first or snapshot().game
    if own is not None and own.ring is not None:
        return own.ring.colours
    return next((game.ring.colours for game in house().table.archive.shelf.values() if game.ring is not None), ())


def colours_in_play() -> tuple[str, ...]:
    """Return the colours that may leave the ring in the game on the table; without a ring the players', if any."""
    seen = snapshot()
    return () if seen.game is None or seen.header is None else colours_of(seen.game, seen.header, seen.state)


def this_device() -> str:
    """Return what tells the device that asks from others (`device_at`)."""
    return device_at(request.remote_addr or "")


def host_session() -> tuple[object, object]:
    """Return the names of device and session that this browser carries for the host."""
    return session.get("device"), session.get("host")


def is_host() -> bool:
    """Tell whether this device is the host's, by its session or by a token."""
    if "is_host" not in g:
        g.is_host = g.get("bearer") is not None or house().access.is_host(*host_session(), this_device())
    return bool(g.is_host)


def sitting() -> Sitting | None:
    """Return how the seats of the game on the table stand, None without a game."""
    seen = _whole()
    if seen.game_id is None or seen.header is None:
        return None
    return house().access.seats.sitting(seen.game_id, {each["colour"]: each["name"] for each in seen.header["players"]})


def seat() -> str | None:
    """Return the colour that this device has joined; None for the host's, for scripts and for onlookers."""
    if "seat" not in g:
        joined = None if is_host() or "seat" not in session else sitting()
        g.seat = None if joined is None else joined.seat_of(session["seat"], this_device())
    return cast("str | None", g.seat)


def at_the_table() -> bool:
    """Tell whether this device is somebody's who plays: the host's, or one that has joined a seat."""
    return is_host() or seat() is not None


def may_act() -> bool:
    """Tell whether this device may make the move at hand: the host's always, a seat's when the table waits for it."""
    seen = snapshot()
    return is_host() or (seat() is not None and seen.game is not None and seat() in seen.game.waited_for(seen.state))


def viewer() -> Viewer:
    """Return who looks: the seat that this device has joined, else everybody."""
    return Viewer(seat())


def who() -> Who:
    """Return who acts with this request, and by what."""
    bearer = g.get("bearer")
    if bearer is not None:
        return Who(str(bearer), "tablet")
    own = seat()
    if own is not None:
        return Who(own, "phone")
    phone = "Mobi" in request.headers.get("User-Agent", "")
    return Who("host", "phone" if phone else "tablet")


def local(path: str | None, otherwise: str = "/") -> str:
    """Return *path* if it leads to a page of this house, else *otherwise*: no form sends anybody away."""
    if path and path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable():
        return path
    return otherwise


def here() -> str:
    """Return the address of the page being shown, query included."""
    if request.method == "GET":
        return request.full_path if request.query_string else request.path
    return local(request.form.get("back"))
