"""Check the contents of a ledger from elsewhere before any of it is imported.

`companion.ledger.verify` checks that rows are unchanged since they were written. This module checks that the companion
could have written them: each name could have been typed in, each game can be folded to its end and shown, and copies,
calibrations and time limits are usable. Each fault is one sentence that names the game and the row.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from companion.events import unpacked
from companion.events.table_events import Begun, CopySaved, EventEntry, PaceSaved, SeatLeft, SeatReturned
from companion.kernel.errors import Malformed
from companion.kernel.fields import DEEPEST, Line, check_depth, finite, no_number
from companion.kernel.names import is_text, name_fault, readable
from companion.kernel.progress import ProgressWatch, unwatched
from companion.kernel.said import Said, said
from companion.kernel.values import dataclass
from companion.ledger import Ledger, Row, damaged
from companion.ledger.names import NOT_PEOPLE, OUTSIDE, is_whole
from companion.ledger.queries import LARGEST, spans_of
from companion.ledger.row import LATEST_WALL_MS, RowKind
from companion.model.boxes import checked
from companion.model.game import AnyGame, Viewer, draw_wanted
from companion.model.header import check_texts
from companion.model.snapshot import Status
from companion.ports.ring import RingView
from companion.session.line_reducer import MISFITS, misfit
from companion.session.live_game import snapshot_of
from companion.session.repository import Repository
from companion.session.state import TableState
from companion.session.summaries import counts, summary_of

LONGEST_BY, LONGEST_REASON, LONGEST_BORNE = 40, 300, 1000
MOST_SPANS = 10_000
"""The largest accepted number of row ranges that were merged from other ledgers."""
_DIGITS = frozenset("0123456789abcdef")


@dataclass(frozen=True)
class Unfit:
    """A fault in a ledger, and its game. The game is None if the fault concerns no game, or all games.

    *bearable* means that the fault does no harm, and that ledgers of the companion may contain it. Examples are a game
    that was played with another version of the program, or a name that older versions accepted.
    """

    game: int | None
    why: Said
    bearable: bool = False


def unfit(file: Path, games: Mapping[str, AnyGame], watch: ProgressWatch = unwatched) -> tuple[Unfit, ...]:
    """Return the faults of the ledger at *file*, by game, or raise `LedgerFault` if it can't be read.

    *watch* reports the progress, one step for each game.
    """
    with closing(Ledger.read_only(file)) as ledger:
        found: list[Unfit] = []
        ledger.lend_names(lambda connection: found.extend(_outside_rows(connection)))
        numbers = ledger.games()
        for number in watch(reversed(numbers), len(numbers)):
            found.extend(_of_game(ledger, games, number))
        found.extend(_of_no_game(ledger, games))
        return tuple(found)


def check_content(file: Path, games: Mapping[str, AnyGame], watch: ProgressWatch = unwatched) -> None:
    """Raise `Malformed` with the first fault in the ledger at *file*. *watch* shows the number of checked games."""
    for each in unfit(file, games, watch):
        raise Malformed(each.why)


def _of_game(ledger: Ledger, games: Mapping[str, AnyGame], number: int) -> Iterator[Unfit]:
    try:
        _check_game(ledger, games, number)
    except Malformed as fault:
        bearable = isinstance(fault, _OddText) and fault.bearable
        yield Unfit(number, _of(number, fault.reason), bearable or _is_of_another_version(ledger, games, number))
    except MISFITS as fault:
        yield Unfit(number, _of(number, misfit(fault).reason))


def _of(number: int, why: str) -> Said:
    """Return *why*, shortened. The number of the game is put in front, unless *why* already begins with that number."""
    if isinstance(why, Said) and why.startswith(f"Game {number} ") and len(why) <= LONGEST_REASON:
        return why
    short = why if len(why) <= LONGEST_REASON else f"{why[:LONGEST_REASON]}…"
    return said("Game %(game)s: %(why)s", game=number, why=short)


def _is_of_another_version(ledger: Ledger, games: Mapping[str, AnyGame], number: int) -> bool:
    try:
        row = ledger.row(number)
        event = None if row is None else unpacked(row).event
    except Malformed:
        return False
    if not isinstance(event, Begun):
        return False
    game = games.get(event.header["game"])
    return game is None or game.rules != event.rules


def _check_game(ledger: Ledger, games: Mapping[str, AnyGame], number: int) -> None:
    identity = ledger.game_identity(number)
    if len(identity) != 32 or not set(identity) <= _DIGITS:
        raise damaged(number, said("its id must be 32 hexadecimal digits"))
    repository = Repository(ledger, games, Random(0))
    found = repository.partial(number)
    if found.damage:
        raise Malformed(found.damage)
    play, entries = found.play, repository.all_of(number)
    colours = {seat.colour for seat in play.game.seats(play.state)}
    for entry in entries:
        _check_entry(entry, colours)
    rows = tuple(ledger.rows(number, ledger.last + 1))
    for row in rows:
        _check_values(row.id, row.body)
    _show(repository, play, number, entries)
    # These checks are last, so that a bearable fault doesn't hide a worse one.
    for row in rows:
        _check_who(row, colours)
    header: Line = rows[0].body["header"]
    for at, player in enumerate(header["players"]):
        if (fault := name_fault(player["name"])) is not None:
            why = said("%(where)s: %(why)s", where=f"players[{at}].name", why=fault)
            raise _OddText(number, why, player["name"])
    try:
        check_texts(header)
    except Malformed as fault:
        raise damaged(number, fault.reason) from None


class _OddText(Malformed):
    """A text that nobody could have typed in. The fault is bearable if the text can be shown."""

    def __init__(self, row: int, why: Said, text: str) -> None:
        super().__init__(damaged(row, why).reason)
        self.bearable = _is_bearable(text)


def _is_bearable(text: str) -> bool:
    return readable(text) == text and len(text) <= LONGEST_BORNE


def _check_who(row: Row, colours: set[str]) -> None:
    if row.who not in NOT_PEOPLE and row.who not in colours and (fault := name_fault(row.who)) is not None:
        raise _OddText(row.id, said("who: %(why)s", why=fault), row.who)


def _check_entry(entry: EventEntry, colours: set[str]) -> None:
    if name_fault(entry.via, LONGEST_BY) is not None:
        raise damaged(entry.id, said("%(column)s holds the wrong kind of value", column="via"))
    match entry.event:
        case SeatLeft(seat) | SeatReturned(seat) if seat not in colours:
            raise damaged(entry.id, said("nobody plays %(colour)s", colour=seat))
        case _:
            return


def _show(repository: Repository, play: TableState, number: int, entries: tuple[EventEntry, ...]) -> None:
    """Compute everything that the pages show of a game, so that errors are found here and not later by a page."""
    snapshot_of(play, (), "", RingView(), 0.0)
    game, state = play.game, play.state
    for viewer in (Viewer(owner=True), Viewer(), *(Viewer(seat.colour) for seat in game.seats(state))):
        json.dumps(game.view(state, viewer), allow_nan=False)
    game.result(state), game.step(state), game.waited_for(state), draw_wanted(game, state)
    entry = repository.entry(number)
    if entry.damage:
        raise Malformed(entry.damage)
    if entry.status is Status.FINISHED and counts(entry, repository.begun_by(number)):
        summary_of(game, entry, entries)


def _check_values(row: int, value: object) -> None:
    match value:
        case str() if not is_text(value):
            raise damaged(row, said("half a character (a lone surrogate)"))
        case int() if not -LARGEST <= value <= LARGEST:
            raise damaged(row, said("a huge number"))
        case Mapping():
            for name, each in value.items():
                _check_values(row, name)
                _check_values(row, each)
        case list() | tuple():
            for each in value:
                _check_values(row, each)
        case _:
            return


def _of_no_game(ledger: Ledger, games: Mapping[str, AnyGame]) -> Iterator[Unfit]:
    """Yield faults in rows outside of games: copies, calibrations, time limits, and passages without a game."""
    for kind in (RowKind.COPY, RowKind.CALIBRATION, RowKind.CLOCK, RowKind.RING, RowKind.JUDGEMENT):
        amiss: list[str] = []
        for row in ledger.outside(kind, LARGEST - 1, amiss):
            try:
                entry = unpacked(row)
                _check_entry(entry, set())
                _check_who(row, set())
                _check_values(row.id, row.body)
                _check_use(entry, games)
            except Malformed as fault:
                amiss.append(said("row %(row)s: %(why)s", row=row.id, why=fault.reason))
            except MISFITS as fault:
                amiss.append(said("row %(row)s: %(why)s", row=row.id, why=misfit(fault).reason))
        yield from (Unfit(None, said("Outside of games: %(why)s", why=why)) for why in amiss)


def _check_use(entry: EventEntry, games: Mapping[str, AnyGame]) -> None:
    match entry.event:
        case CopySaved(copy):
            checked(copy, games)
        case PaceSaved(game, pace) if game in games:
            games[game].pace.changed(pace)
        case _:
            return


def _outside_rows(connection: sqlite3.Connection) -> Iterator[Unfit]:
    """Yield faults outside of the rows, in names and in their stored changes, and rows that should have a game."""
    yield from _names_of(connection)
    for name, value in connection.execute("SELECT name, value FROM meta ORDER BY name").fetchall():
        if name in _META and not _META[name](value):
            yield Unfit(None, said("Its stored %(name)s isn't valid.", name=name))
    lost = """SELECT id, game FROM row WHERE game IS NOT NULL AND
              game NOT IN (SELECT id FROM row WHERE kind = 'game' AND game IS id) ORDER BY id LIMIT 1"""
    for row, game in connection.execute(lost).fetchall():
        yield Unfit(None, said("Row %(row)s is of game %(game)s, which isn't there.", row=row, game=str(game)[:40]))
    alone = "SELECT id FROM row WHERE game IS NULL AND kind NOT IN (?, ?, ?, ?, ?) ORDER BY id LIMIT 1"
    kinds = (RowKind.COPY, RowKind.CALIBRATION, RowKind.CLOCK, RowKind.RING, RowKind.JUDGEMENT)
    for (row,) in connection.execute(alone, tuple(map(str, kinds))).fetchall():
        yield Unfit(None, said("Row %(row)s belongs to no game.", row=row))


def _names_of(connection: sqlite3.Connection) -> Iterator[Unfit]:
    asked = "SELECT game, place, text, digest FROM name ORDER BY game, place"
    for game, place, text, digest in connection.execute(asked).fetchall():
        why = _name_amiss(game, place, text)
        # A name with a wrong checksum counts as damage, and is read like a removed name.
        if why is None or (isinstance(text, str) and not is_whole((game, place, text, digest))):
            continue
        number, found = game if isinstance(game, int) and game != OUTSIDE else None, _parsed(text)
        bearable = isinstance(found, str) and _is_bearable(found)
        if number is None:
            yield Unfit(None, said("A name outside of games: %(why)s", why=why), bearable)
        else:
            fills = {"game": number, "row": number, "place": place, "why": why}
            yield Unfit(number, said("Game %(game)s: row %(row)s, name %(place)s: %(why)s", **fills), bearable)


def _name_amiss(game: object, place: object, text: object) -> Said | None:
    if not all(type(each) is int and 0 <= each < LARGEST for each in (game, place)):
        return said("its place is invalid")
    if text is None:
        return None
    found = _parsed(text)
    return name_fault(found) if isinstance(found, str) else said("it isn't text")


def _parsed(text: object) -> Any:
    """Return the parsed JSON value, or None if *text* isn't valid JSON."""
    try:
        found = json.loads(text, parse_constant=no_number, parse_float=finite) if isinstance(text, str) else None
        if isinstance(text, str) and text.count("[") + text.count("{") > DEEPEST:
            check_depth(found)
    except (ValueError, RecursionError):
        return None
    return found


def _is_identity(value: object) -> bool:
    return isinstance(value, str) and len(value) == 32 and set(value) <= _DIGITS


def _are_spans(value: object) -> bool:
    spans = spans_of(value)
    return 0 < len(spans) <= MOST_SPANS and all(first <= last for first, last in spans)


def _are_changes(value: object) -> bool:
    """Return whether *value* has the format that `Renamings` stores: marks with times, seats with times."""
    found = _parsed(value)
    if not isinstance(found, dict) or not {"removed", "given"} <= found.keys() <= {"removed", "given", "heard"}:
        return False
    removed, given, received = found["removed"], found["given"], found.get("heard", [])
    if not isinstance(removed, dict) or not isinstance(given, list) or not isinstance(received, list):
        return False
    seats = all(isinstance(each, list) and len(each) == 3 for each in given)
    return (
        all(_is_identity(mark) and _is_time(at) for mark, at in removed.items())
        and seats
        and all(isinstance(game, str) and _is_place(place) and _is_time(at) for game, place, at in given)
        and all(isinstance(mark, str) for mark in received)
    )


def _is_time(value: object) -> bool:
    return type(value) is int and 0 <= value <= LATEST_WALL_MS


def _is_place(value: object) -> bool:
    return type(value) is int and 0 <= value < LARGEST


_META: Mapping[str, Callable[[object], bool]] = {
    "ledger": _is_identity,
    "merged": _are_spans,
    "names": _are_changes,
}
