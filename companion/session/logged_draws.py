"""The draws of a game as the ledger tells of them: what lay there, what came out, who let it out, how it was read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.events.table_events import Answered, Entry, Judged, LineUndone, RingHeard
from companion.fairness.draws import LetOut, LoggedDraw, Source
from companion.model.capabilities import Wanted
from companion.model.game import AnyGame, ring_of
from companion.session.moves import Move

_SOURCES = {"ring": Source.RING, "virtual": Source.SIMULATED}
_TAKEN_BACK = "taken back"
"""Why a line was taken back that nobody gave a reason for."""


def logged_draws(game: AnyGame, game_id: int, moves: Iterable[Move], entries: Iterable[Entry]) -> Iterator[LoggedDraw]:
    """Yield the draws among the *moves* of a game, oldest first, those taken back included.

    *entries* is everything that happened in it. A game that knows no ring has no draws.
    """
    passages, reasons = _passages(entries := tuple(entries)), _reasons(entries)
    wall_ms = {entry.id: entry.wall_ms for entry in entries}
    for move in moves:
        out = () if game.ring is None else game.ring.out(move.told.line)
        wanted = game.ring.wanted(move.before) if out and game.ring is not None else None
        if wanted is not None:
            let_out = passages.get(move.told.ring or 0) or _unheard(move.told.via)
            yield replace(
                _logged(game, game_id, move, wanted, let_out),
                wall_ms=wall_ms[move.told.id],
                undone=reasons.get(move.told.id),
            )


def _logged(game: AnyGame, game_id: int, move: Move, wanted: Wanted, let_out: LetOut) -> LoggedDraw:
    names = {seat.colour: seat.name for seat in game.seats(move.before)}
    told = move.told
    return LoggedDraw(
        game_id=game_id,
        game=game.name,
        row=told.id,
        at_ms=told.at_ms,
        wall_ms=0,
        seat=wanted.seat,
        name=names.get(wanted.seat, ""),
        place=wanted.place,
        under=dict(wanted.under),
        out=ring_of(game).out(told.line),
        let_out=let_out,
    )


def _unheard(via: str) -> LetOut:
    """Return what is known of a draw whose ring left no row: it was typed in, or came with a record from elsewhere."""
    return LetOut(_SOURCES.get(via, Source.HAND))


def _passages(entries: Iterable[Entry]) -> dict[int, LetOut]:
    """Return what is known of each passage by its raw row."""
    found: dict[int, LetOut] = {}
    for entry in entries:
        match entry.event:
            case RingHeard(event):
                found[entry.id] = LetOut(_SOURCES.get(entry.via, Source.RING), event.device, raw=event.raw)
            case Judged(ring, judgement, again=False) if ring in found:
                chance = judgement.ranking[0][1] if judgement.ranking else None
                found[ring] = replace(found[ring], read_as=judgement.colour, chance=chance)
            case Answered(ring) if ring in found:
                found[ring] = replace(found[ring], by_hand=True)
            case _:
                pass
    return found


def _reasons(entries: Iterable[Entry]) -> dict[int, str]:
    """Return why each line that was taken back was."""
    undoings = (entry.event for entry in entries if isinstance(entry.event, LineUndone))
    return {event.undoes: event.note or _TAKEN_BACK for event in undoings}
