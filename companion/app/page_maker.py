"""Render slow pages for the service, in a process of its own with the same Flask application and a read-only ledger."""

from __future__ import annotations

import os
import select
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, TypeVar, cast

from flask import Flask, g
from werkzeug.exceptions import HTTPException

from companion.app.data_folder import LEDGER
from companion.fairness import GameDraws
from companion.games.registry import GAMES
from companion.kernel.errors import Malformed, Refused
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.ledger import Ledger, LedgerFault
from companion.luck import Reckoned
from companion.records import RecordError
from companion.session.archive import TouchedGames
from companion.session.fairness_watch import FairnessWatch
from companion.session.live_game import LiveGame
from companion.session.night import sound
from companion.session.table import Table
from web import HostPin, make_app
from web.games.registry import COVERS
from web.pages.replay import timeline_of
from web.request.apart import BACKUP, LUCK, RECORD, at_step, given_luck, view_as
from web.request.context import Services
from web.server.making import Made, Work, framed, read_frame

PROGRESS_EVERY_S = 0.1
Deed = Callable[[], None]
T = TypeVar("T")
FAULTS = (Refused, Malformed, RecordError, HTTPException)
"""Exceptions that are shown to the user who requested the page. Any other exception is a bug of the program."""


def _check_backup(content: bytes, progress: Callable[[int, int], None] | None) -> None:
    """Raise `Refused` for a backup that cannot be imported. *progress* is called for each of its games."""

    def watch(steps: Iterable[T], of: int = 0) -> Iterable[T]:
        for done, step in enumerate(steps):
            if progress is not None:
                progress(done, of)
            yield step

    with TemporaryDirectory() as folder:
        file = Path(folder) / "backup.sqlite"
        file.write_bytes(content)
        sound(file, GAMES, watch)


def _at_once(deed: Deed) -> None:
    deed()


class Dropped(Exception):
    """Raised to stop a piece of work because nobody waits for its result any more."""


class PastTable(Table):
    """A table with a read-only ledger.

    It folds the current game only if *asked* contains the game, because folding is slow.
    """

    def __init__(self, ledger: Ledger, asked: frozenset[str]) -> None:
        super().__init__(LiveGame(ledger, GAMES, time.monotonic, Random(0), lambda game: str(game) in asked))

    @property
    def on_the_table(self) -> int | None:
        """The current game of the service."""
        return self.live.ledger.live_game()


class GivenDraws:
    """The draws of a read-only ledger. Between two games, it does quick work that has arrived."""

    def __init__(self, table: PastTable, names: int) -> None:
        self._table, self._names = table, names

    def touched(self, since: int) -> TouchedGames:
        """Return the games with rows after row *since*.

        The result has the number of name changes that the service sent.
        """
        return replace(self._table.archive.touched(since), live=self._table.on_the_table, names=self._names)

    def game_draws(self, game_id: int) -> GameDraws:
        """Return all draws of a game."""
        at_step(0, 0)
        return self._table.archive.game_draws(game_id)


class GivenLuck:
    """The luck report that the service sent with the work."""

    def __init__(self, given: Mapping[str, bytes]) -> None:
        self._given = given

    def of(self, game: int, version: int) -> Reckoned:
        """Return the luck report that was sent."""
        return given_luck(self._given)


@shows("_app", "_of", "_open")
class PageMaker:
    """Reads work from the pipe *work_fd*, and writes results to the pipe *result_fd*.

    `web.server.making` describes the formats.
    """

    def __init__(self, data: Path, work_fd: int, result_fd: int) -> None:
        self._ledger, self._work_fd, self._result_fd = data / LEDGER, work_fd, result_fd
        self._app: Flask | None = None
        self._table: PastTable | None = None
        self._of: object = None
        self._open: Ledger | None = None
        self._dropped: set[int] = set()
        self._nested = 0
        self._fairness: FairnessWatch | None = None

    def serve(self) -> None:
        """Do the requested work, piece by piece, until the service closes the pipe."""
        while (frame := read_frame(self._work_fd)) is not None:
            self._do(*frame)

    def _do(self, kind: str, number: int, *more: Any) -> None:
        if kind == "drop":
            self._dropped.add(number)
            return
        try:
            made: Made | None = self._made(number, *more)
        except Dropped:
            made = None
        self._dropped.discard(number)
        self._say("made", number, made)

    def _made(self, number: int, work: Work) -> Made:
        try:
            return self.make(work, self._progress_of(number))
        except FAULTS as fault:
            return Made(fault=fault)
        except LedgerFault as fault:
            why = said("The ledger can't be read: %(why)s.", why=str(fault))
            return Made(fault=Refused(why), lasts=False)
        except Dropped:
            raise
        except Exception as fault:
            traceback.print_exc()
            return Made(fault=RuntimeError(f"{work.address}: {fault!r}"), lasts=False)

    def make(self, work: Work, progress: Callable[[int, int], None] | None = None) -> Made:
        """Do one piece of work and return the result. *progress* is called with the progress."""
        table = self._table_of(work)
        if work.address.startswith(LUCK):
            return Made(value=table.archive.luck(int(work.address.removeprefix(LUCK))))
        if work.address == BACKUP:
            _check_backup(dict(work.given)["backup"], progress)
            return Made(lasts=False)
        is_record = work.address == RECORD
        address = "/replay" if is_record else work.address
        # Use a separate context, because other work may be in progress, and `g` contains the user of this work.
        with self._application(table, work) as app, app.app_context(), app.test_request_context(address):
            g.progress = progress
            if is_record:
                timeline_of(dict(work.given)["record"])
                return Made()
            return view_as(work)

    def _table_of(self, work: Work) -> PastTable:
        """Return a table with the present ledger. The last table is reused if no game and no name has changed."""
        asked = (work.games, work.names)
        if self._table is None or self._of != asked:
            ledger = Ledger.read_only(self._ledger)
            try:
                table = PastTable(ledger, frozenset(game for game, _ in work.games))
            except BaseException:
                ledger.close()
                raise
            if self._table is not None:
                table.archive.take_timelines(self._table.archive)
            if self._open is not None and not self._nested:
                self._open.close()
            self._table, self._of, self._open = table, asked, ledger
        return self._table

    @contextmanager
    def _application(self, table: PastTable, work: Work) -> Iterator[Flask]:
        """Yield the application with *table* and the values sent with *work*; afterwards reset the application."""
        if self._app is None:
            with TemporaryDirectory(prefix="ring-companion-") as keys:
                # A Flask application needs keys, but these keys are never used.
                self._app = make_app(table, None, COVERS, HostPin(Path(keys)))
        before = cast(Services, self._app.extensions["house"])
        given = dict(work.given)
        for key in filter(before.brought.is_key, given):
            before.brought.hold(key, given[key])
        draws = GivenDraws(table, work.names)
        fairness = self._fairness = FairnessWatch(draws, _at_once) if self._fairness is None else self._fairness
        fairness.go_by(draws)
        self._app.extensions["house"] = replace(before, table=table, luck=GivenLuck(given), fairness=fairness)
        try:
            yield self._app
        finally:
            self._app.extensions["house"] = before

    def _progress_of(self, number: int) -> Callable[[int, int], None]:
        """Return a callback for the progress of piece *number* of the work.

        The callback reports the progress and does quick work that has arrived. It raises `Dropped` if nobody waits any
        more.
        """
        last = time.monotonic()

        def progress(done: int, of: int) -> None:
            nonlocal last
            if time.monotonic() - last < PROGRESS_EVERY_S:
                return
            last = time.monotonic()
            self._say("at", number, done, of)
            self._nested += 1  # the ledger that the long work uses must stay open
            while select.select([self._work_fd], [], [], 0)[0] and (frame := read_frame(self._work_fd)) is not None:
                self._do(*frame)
            self._nested -= 1
            if number in self._dropped:
                raise Dropped

        return progress

    def _say(self, *message: object) -> None:
        raw = memoryview(framed(*message))
        while raw:
            raw = raw[os.write(self._result_fd, raw) :]
