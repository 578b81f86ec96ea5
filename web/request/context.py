"""The data that a request can use: the table, the ring, the present snapshot, and the sender of the request."""

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
from companion.model.link import ClubSeat, LinkView
from companion.model.people import People
from companion.model.snapshot import MovedOn, Snapshot, Who
from companion.ports.calibration import Instrument, InstrumentView, Wizard
from companion.ports.ring import RingPort, RingView
from companion.session.archive import PartialGame
from companion.session.fairness_watch import FairnessWatch
from companion.session.hidden import ClockNow, SeenTimeline, clock_now, seen_by, seen_moves, seen_now, seen_partial
from companion.session.moves import RecordedMove
from companion.session.table import Table
from companion.session.timeline import Timeline
from web.auth.pin import HostPin
from web.auth.seats import Sitting
from web.http.formatting import initials
from web.http.refill import Entered
from web.http.request_parsing import device_at
from web.request.clock_face import seen_at
from web.request.game_pages import GameCover, GameWords, Pages
from web.request.held import Held
from web.server.entrances import Entrances
from web.server.making import Workshop

# Records that were uploaded only to be viewed. They stay in memory for a while and are not written to the ledger.

MOST = 4
_KEY = re.compile("f[0-9a-f]{16}")


@shows("_records", "_folded", "_most")
class BroughtGames:
    """The last few uploaded records, by unguessable keys."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._records: dict[str, bytes] = {}
        self._folded: dict[str, Timeline] = {}
        self._lock = Lock()

    @staticmethod
    def is_key(word: str) -> bool:
        """Tell whether *word* has the format of a record's key, rather than of a game's number."""
        return _KEY.fullmatch(word) is not None

    def bring(self, record: bytes) -> str:
        """Store a checked *record* and return its key."""
        key = f"f{secrets.token_hex(8)}"
        self.hold(key, record)
        return key

    def hold(self, key: str, record: bytes) -> None:
        """Store a *record* under *key*. If there are too many, the least recently used is dropped."""
        with self._lock:
            self._records.pop(key, None)
            self._records[key] = record
            for oldest in list(self._records)[: -self._most]:
                del self._records[oldest]
                self._folded.pop(oldest, None)

    def find(self, key: str) -> bytes | None:
        """Return the record of *key*, or None if it was dropped or the server restarted."""
        with self._lock:
            found = self._records.pop(key, None)
            if found is not None:
                self._records[key] = found
            return found

    def timeline(self, key: str, fold: Callable[[bytes], Timeline]) -> Timeline | None:
        """Return the timeline of the record of *key*, or None as in `find`. *fold* makes it from the record, once."""
        record = self.find(key)
        if record is None:
            return None
        if key not in self._folded:
            self._folded[key] = fold(record)
        return self._folded[key]


SLIDE_S = 5.0
"""Seconds after which a slide that a simulated ring hasn't reported counts as failed."""
FORMS, FORMS_BYTES = 64, 1024 * 1024
UPLOADS, UPLOADS_BYTES = 2, 16 * 1024 * 1024


class Slides:
    """Makes a simulated ring slide only once for each draw, even if several people tap.

    A slide goes on until the ring reports it, which makes a new version. If the ring reports nothing, another slide is
    possible after `SLIDE_S`.
    """

    def __init__(self) -> None:
        """Begin with no slide in progress."""
        self._lock = Lock()
        self._version = -1
        self._until = 0.0

    def __repr__(self) -> str:
        return f"<Slides, the last at version {self._version}>"

    @contextmanager
    def one_at_a_time(self, services: Services, version: int | None) -> Iterator[None]:
        """Run a slide in this context.

        Raise `MovedOn` if a page of *version* has already made the ring slide for this draw.
        """
        with self._lock:
            now, seen, ring = services.now(), services.table.snapshot.version, services.ring
            going = now < self._until and (seen == self._version or (ring is not None and bool(ring.view.gate_open)))
            old = version is not None and version <= self._version < seen
            if going or old:
                raise MovedOn(seen)
            yield
            self._version, self._until = services.table.snapshot.version, now + SLIDE_S


@dataclass(frozen=True)
class Services:
    """Everything that requests share: the table, the ring, the games' pages, access rights, and background services."""

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
    entrances: Callable[[], Entrances] = Entrances
    brought: BroughtGames = field(default_factory=BroughtGames)
    links: Callable[[], tuple[LinkView, ...]] = tuple
    club: Callable[[], ClubSeat] | None = None
    people: People | None = None
    slides: Slides = field(default_factory=Slides)
    threads: Supervisor = field(default_factory=Supervisor)
    workshop: Workshop | None = None
    forms: Held[tuple[str, Entered]] = field(default_factory=lambda: Held(FORMS, FORMS_BYTES))
    forms_of_strangers: Held[tuple[str, Entered]] = field(default_factory=lambda: Held(FORMS, FORMS_BYTES))
    uploads: Held[tuple[str, bytes]] = field(default_factory=lambda: Held(UPLOADS, UPLOADS_BYTES))


@dataclass(frozen=True)
class Marks:
    """Two unguessable strings in a page that is made apart.

    *cut* separates the parts of the page. *fill* precedes the name of a value that is filled in later.
    """

    cut: str
    fill: str


def filled_later(what: str) -> str | None:
    """Return a placeholder for a value that depends on browser or time, or None unless the page is made apart."""
    marks: Marks | None = g.get("apart")
    return None if marks is None else marks.fill + what


def services() -> Services:
    """Return the `Services` of this application."""
    return cast(Services, current_app.extensions["house"])


def snapshot() -> Snapshot:
    """Return the snapshot for this request, with its clocks read; it is the same during the whole request.

    It doesn't contain what is hidden from the viewer.
    """
    if "snapshot" not in g:
        g.snapshot = seen_by(_whole(), viewer())
    return cast(Snapshot, g.snapshot)


def _whole() -> Snapshot:
    """Return the complete snapshot, with hidden information. Use it to find out who the viewer is, or for the owner."""
    if "whole" not in g:
        g.whole = seen_at(services().table.snapshot, services().now())
    return cast(Snapshot, g.whole)


def moves_here() -> tuple[RecordedMove, ...]:
    """Return the moves of the live game, oldest first, as this device may see them."""
    seen = _whole()
    return seen_moves(services().table.archive.moves(), seen.game, clock_now(seen), viewer())


def partial_game(game_id: int) -> PartialGame:
    """Return the readable part of a game of the ledger, as this device may see it."""
    found = services().table.archive.partial(game_id)
    return seen_partial(found, _clock_of(game_id, lambda: found.snapshot), viewer())


def seen_through(game_id: int, timeline: Timeline) -> SeenTimeline:
    """Return the timeline of a game of the ledger, as everybody may see it."""
    return seen_now(timeline, lambda: _clock_of(game_id, lambda: services().table.archive.partial(game_id).snapshot))


def running_clock() -> dict[int, ClockNow]:
    """Return the live game's clock by its game number.

    For a page made apart, that is the clock at the time of the request.
    """
    given: dict[int, ClockNow] | None = g.get("running_clock")
    if given is not None:
        return given
    seen = _whole()
    return {} if seen.game_id is None else {seen.game_id: clock_now(seen)}


def _clock_of(game_id: int, stored: Callable[[], Snapshot]) -> ClockNow:
    """Return the clock of a game: the running clock if the game is live, otherwise the stored clock."""
    running = running_clock()
    return running[game_id] if game_id in running else clock_now(stored())


def look_again() -> None:
    """Forget the cached views of this request after it has changed something."""
    for seen in ("snapshot", "whole", "ring", "instrument", "seat"):
        g.pop(seen, None)


def ring_view() -> RingView:
    """Return the ring's view, the same during the whole request. It is newer than the ring's view in the snapshot."""
    if "ring" not in g:
        ring = services().ring
        g.ring = snapshot().ring if ring is None else ring.view
    return cast(RingView, g.ring)


def instrument() -> Instrument | None:
    """Return the ring's instrument, or None if it has none."""
    ring = services().ring
    return None if ring is None else ring.instrument


def instrument_view() -> InstrumentView:
    """Return the instrument's view, the same during the whole request.

    The ring's view is read first. The page is then reloaded for every later message, even if it already shows that
    message.
    """
    if "instrument" not in g:
        ring_view()
        measuring = instrument()
        g.instrument = InstrumentView() if measuring is None else measuring.view
    return cast(InstrumentView, g.instrument)


def lesson() -> Wizard | None:
    """Return the calibration wizard that uses the ring now, or None. The call is cheap if there is none."""
    measuring = instrument()
    return None if measuring is None or measuring.order is None else instrument_view().wizard


def players() -> dict[str, tuple[str, str]]:
    """Return name and initial of each player in the live game, by colour."""
    header = snapshot().header or {}
    seats = header.get("players", ())
    letters = initials([seat["name"] for seat in seats])
    return {seat["colour"]: (seat["name"], letter) for seat, letter in zip(seats, letters, strict=True)}


def cover_at_the_table() -> GameCover | None:
    """Return the cover of the live game, or None."""
    game = snapshot().game
    return None if game is None else services().covers.get(game.name)


def pages_at_the_table() -> Pages | None:
    """Return the pages of the live game, or None."""
    game = snapshot().game
    return None if game is None else pages_of(game.name)


def pages_of(name: str) -> Pages | None:
    """Return the pages of the game called *name*, or None if it is unknown."""
    cover = services().covers.get(name)
    return None if cover is None else cover.pages


def words() -> GameWords:
    """Return the live game's words for the pages of every game, or an empty `GameWords` without a game."""
    cover = cover_at_the_table()
    return GameWords() if cover is None else cover.words


def plays_itself() -> bool:
    """Tell whether any game has a practice that plays automatically."""
    return any(cover.words.practice for cover in services().covers.values())


def rings() -> bool:
    """Tell whether the live game uses a ring; True without a game."""
    game = snapshot().game
    return game is None or game.ring is not None


def ring_colours(first: AnyGame | None = None) -> tuple[str, ...]:
    """Return the usual colours of the game *first* (default: the live game), or else of any game with a ring.

    If that game declares no colours, they vary from game to game: return those in play.
    """
    own = first or snapshot().game
    if own is not None and own.ring is not None:
        return own.ring.colours
    return next(
        (game.ring.colours for game in services().table.archive.known_games.values() if game.ring is not None), ()
    )


def colours_in_play() -> tuple[str, ...]:
    """Return the colours that may leave the ring in the live game; without a ring, the players' colours."""
    seen = snapshot()
    return () if seen.game is None or seen.header is None else colours_of(seen.game, seen.header, seen.state)


def this_device() -> str:
    """Return the identifier of the device that sent the request (`device_at`)."""
    return device_at(request.remote_addr or "")


def host_session() -> tuple[object, object]:
    """Return the names of the device and of its session in this browser's host cookie."""
    return session.get("device"), session.get("host")


def is_host() -> bool:
    """Tell whether this device is the host's, according to its session or a token."""
    if "is_host" not in g:
        g.is_host = g.get("bearer") is not None or services().access.is_host(*host_session(), this_device())
    return bool(g.is_host)


def sitting() -> Sitting | None:
    """Return the seats of the live game, or None if there is no game."""
    seen = _whole()
    if seen.game_id is None or seen.header is None:
        return None
    return services().access.seats.sitting(
        seen.game_id, {each["colour"]: each["name"] for each in seen.header["players"]}
    )


def seat() -> str | None:
    """Return the colour that this device has joined, or None for the host, scripts and onlookers."""
    if "seat" not in g:
        joined = None if is_host() or "seat" not in session else sitting()
        g.seat = None if joined is None else joined.seat_of(session["seat"], this_device())
    return cast("str | None", g.seat)


def at_the_table() -> bool:
    """Tell whether this device is the host's or has joined a seat."""
    return is_host() or seat() is not None


def may_act() -> bool:
    """Tell whether this device may make the next move. The host always may; a seat may if the table waits for it."""
    seen = snapshot()
    return is_host() or (seat() is not None and seen.game is not None and seat() in seen.game.waited_for(seen.state))


def viewer() -> Viewer:
    """Return the viewer: the seat that this device has joined, otherwise everybody."""
    return Viewer(seat())


def who() -> Who:
    """Return the person who acts with this request, and the device."""
    bearer = g.get("bearer")
    if bearer is not None:
        return Who(str(bearer), "tablet")
    own = seat()
    if own is not None:
        return Who(own, "phone")
    phone = "Mobi" in request.headers.get("User-Agent", "")
    return Who("host", "phone" if phone else "tablet")


def local(path: str | None, otherwise: str = "/") -> str:
    """Return *path* if it is a path on this server, or else *otherwise*: a form must not redirect to another site."""
    if path and path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable():
        return path
    return otherwise


def here() -> str:
    """Return the URL path of the page being shown, with its query."""
    if request.method == "GET":
        return request.full_path if request.query_string else request.path
    return local(request.form.get("back"))
