"""Import records, and merge ledgers and backups, while a game is being played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from time import sleep
from typing import TYPE_CHECKING

from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.frozen import replace
from companion.kernel.i18n import said
from companion.kernel.shown import shows
from companion.kernel.values import dataclass
from companion.ledger import Ledger, LedgerFault, Merged, RowKind, merge
from companion.model.snapshot import Who
from companion.session.live_game import LiveGame
from companion.session.night import NamesAtStake, sound
from companion.session.preferences import Preferences
from companion.session.transaction import Lines, Transaction

if TYPE_CHECKING:
    from companion.session.packed_record import Numbering, PackedRows

GIVE_WAY_S = 0.005
"""Pause between two parts of an import, in seconds.

Without the pause this thread would take the lock again before any other thread could take it.
"""


@dataclass(frozen=True)
class Imported:
    """The *game* that a record was imported as.

    *new* is False if the ledger already contained it; *differs* is True if it has other lines than the record.
    """

    game: int
    new: bool = True
    differs: bool = False


@shows("_importing")
class Importer:
    """Runs one import at a time. It takes the table's lock repeatedly, each time for a short part of the work."""

    def __init__(self, live: LiveGame) -> None:
        self._live = live
        self._importing = Lock()

    def import_record(self, lines: Iterable[Line], who: Who, piece: int = 0) -> Imported:
        """Write a whole record to the ledger and return its game. If this raises `ImportFault`, nothing was written.

        *lines* are JSON objects, the header first. The game is not put on the table; use the command `Switch`. At most
        *piece* rows (0: the usual number) are written at once. Raises `Refused` while another import runs. If the
        ledger already contains the game, nothing is changed.
        """
        from companion.session import packed_record

        with self._alone():
            begin = partial(self._begin, who)
            rows = packed_record.gone_through(lines, who, begin, piece or packed_record.PIECE)
            known = self._known_as(rows)
            if known is not None:
                return known
            if rows.amiss is not None:
                raise rows.amiss
            return Imported(self._append(rows, packed_record.Numbering()))

    def merge_from(self, file: Path, names: bool = False, checked: bool = False) -> Merged:
        """Add the rows of the ledger or backup at *file* that are missing here.

        Raises `Refused`, which names a bad row. It adds one game at a time. If names in this ledger would change and
        *names* is False, it raises `NamesAtStake` and changes nothing. *checked* means that the caller has already
        called `sound`, which takes most of the time.
        """
        if not checked:
            sound(file, self._live.games)
        try:
            with self._alone(), closing(Ledger.read_only(file)) as other:
                if not names:
                    with self._live.lock:
                        changed = self._live.ledger.names_changed_by(other, self._live.ledger.wall_ms())
                    if changed:
                        raise NamesAtStake(changed)
                merged = self._merged(other)
        except LedgerFault as fault:
            raise Refused(said("Not everything could be imported: %(why)s", why=str(fault))) from fault
        self._live.listeners.publish()
        return merged

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._importing.acquire(blocking=False):
            raise Refused(said("Another record is being imported. Try again afterwards."))
        try:
            yield
        finally:
            self._importing.release()

    def _merged(self, other: Ledger) -> Merged:
        merged = Merged()
        for game in reversed(other.games()):
            merged += self._merged_part(other, (game,))
            sleep(GIVE_WAY_S)
        return merged + self._merged_part(other, ())

    def _merged_part(self, other: Ledger, games: tuple[int, ...]) -> Merged:
        """Merge *games*, or the rows that belong to no game if *games* is empty.

        If the game in play has new rows or changed names, it is folded again. This is done after each part, so that a
        removed name is not shown even if the next part fails.
        """
        live = self._live
        with live.lock:
            live.beat()  # the time since the clock's last row is not stored in a row yet
            before = self._rows_in_play()
            merged = merge(live.ledger, other, other.last, games, asides=not games, now_ms=live.ledger.wall_ms())
            live.ledger.adopt_names(other, live.ledger.wall_ms())
            live.names_changed += 1
            if not games:
                live.preferences = Preferences(live.ledger, live.games)
            if self._rows_in_play() != before:
                live.reload()
            live.refresh()
        return merged

    def _rows_in_play(self) -> object:
        """Return a value that changes when the rows of the game in play, or the names in them, change."""
        if self._live.play is None:
            return None
        number = self._live.play.game_id
        return self._live.ledger.newest_of(number), self._live.repository.stamp(number)[2]

    def _begin(self, who: Who, header: Line, lines: Lines) -> Transaction:
        with self._live.lock:
            return self._live.repository.begin(header, who, 0.0, imported=True, lines=lines)

    def _known_as(self, rows: PackedRows) -> Imported | None:
        """Return the game of this record if the ledger contains it, else None. A game with the same lines is preferred.

        A game that is damaged, or was imported only in part, is ignored, so that the record is imported again.
        """
        from companion.session.packed_record import BETWEEN, record_digest

        live = self._live
        found: list[Imported] = []
        with live.lock:
            for game in live.ledger.games_known_as(rows.origin.id) if rows.origin.id else ():
                if live.repository.entry(game).reason == BETWEEN:
                    continue
                with suppress(Malformed):
                    here = record_digest(live.repository.record(game))
                    found.append(Imported(game, False, here != rows.digest))
        return min(found, key=lambda each: each.differs, default=None)

    def _append(self, rows: PackedRows, numbers: Numbering) -> int:
        live = self._live
        for number, piece in enumerate(rows.pieces()):
            if number:
                sleep(GIVE_WAY_S)
            with live.lock:
                numbered = numbers.numbered(piece, live.ledger.last)
                if rows.origin.id and numbered[0].kind == RowKind.GAME:
                    numbered = (replace(numbered[0], body={**numbered[0].body, "id": rows.origin.id}), *numbered[1:])
                live.ledger.append(numbered)
                live.refresh()
                if rows.origin.started is not None:
                    live.ledger.obey_removals()  # the imported game may be older than the removal of one of its names
        live.listeners.publish()
        assert numbered[0].game is not None, "a record begins with its game"
        return numbered[0].game
