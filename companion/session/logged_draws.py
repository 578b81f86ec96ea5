"""Find the draws of a game in its ledger rows, with the stations under the ring, the source, and the reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from companion.events.table_events import Answered, EventEntry, Judged, LineUndone, RingEventReceived
from companion.fairness.draws import CubeSource, GameDraws, LetOut, LoggedDraw, Passed
from companion.model.capabilities import Fallen, OpenDraws, Wanted
from companion.model.game import AnyGame, ring_of
from companion.session.moves import RecordedMove
from companion.session.reclassify import DRAW, PAIR, rejudged

_SOURCES = {"ring": CubeSource.RING, "virtual": CubeSource.SIMULATED}
_TAKEN_BACK = "taken back"
"""The reason shown for an undo without a reason, and the `became` of a passage if its line was undone."""
TOWER = "tower"


def game_draws(game: AnyGame, game_id: int, moves: Sequence[RecordedMove], entries: Sequence[EventEntry]) -> GameDraws:
    """Return the draws in the *moves* and *entries* of a game; the result is empty for a game without a ring."""
    if game.ring is None:
        return GameDraws()
    drawn = sorted((*_drawn(game, game_id, moves, entries), *_thrown(game, game_id, moves)), key=lambda draw: draw.row)
    wall_ms, reasons = {entry.id: entry.wall_ms for entry in entries}, _reasons(entries)
    draws = (replace(draw, wall_ms=wall_ms[draw.row], undone=reasons.get(draw.row)) for draw in drawn)
    return GameDraws(tuple(draws), tuple(_passed(game, game_id, entries)))


def _drawn(
    game: AnyGame, game_id: int, moves: Iterable[RecordedMove], entries: Iterable[EventEntry]
) -> Iterator[LoggedDraw]:
    """Yield the draws among *moves*, oldest first, including undone draws."""
    passages = _passages(entries)
    for move in moves:
        out = ring_of(game).out(move.line.line)
        wanted = ring_of(game).wanted(move.before) if out else None
        if wanted is not None:
            let_out = passages.get(move.line.ring or 0) or _unheard(game, move.line.via)
            yield _logged(game, game_id, move, wanted, out, let_out)


def _thrown(game: AnyGame, game_id: int, moves: Sequence[RecordedMove]) -> Iterator[LoggedDraw]:
    """Yield the throws through a tower, oldest first, each with the line with which its last station came out."""
    if game.open_draws is None:
        return
    for move, fallen in _throws(game.open_draws, [move for move in moves if not move.line.undone]):
        if fallen.out:
            wanted = Wanted("", TOWER, fallen.under, len(fallen.out))
            yield _logged(game, game_id, move, wanted, fallen.out, LetOut(CubeSource.TOWER))


def _throws(hands: OpenDraws[object], moves: Iterable[RecordedMove]) -> Iterator[tuple[RecordedMove, Fallen]]:
    newest = None
    for move in moves:
        if newest is not None and (fallen := hands.fallen(move.before, move.line.line)):
            yield newest, fallen
        if (falling := hands.falling(move.after)) != hands.falling(move.before):
            newest = move if falling else None
    if newest is not None and (fallen := hands.falling(newest.after)):
        yield newest, fallen


def _logged(
    game: AnyGame, game_id: int, move: RecordedMove, wanted: Wanted, out: tuple[str, ...], let_out: LetOut
) -> LoggedDraw:
    names = {seat.colour: seat.name for seat in game.seats(move.before)}
    return LoggedDraw(
        game_id=game_id,
        game=game.name,
        row=move.line.id,
        at_ms=move.line.at_ms,
        wall_ms=0,
        seat=wanted.seat,
        name=names.get(wanted.seat, ""),
        place=wanted.place,
        under=dict(wanted.under),
        out=out,
        let_out=let_out,
    )


def _unheard(game: AnyGame, via: str) -> LetOut:
    """Return the source of a draw without a row of the ring. It was typed in, or comes from an imported record."""
    return LetOut(_SOURCES.get(via, CubeSource.HAND if game.open_draws is None else CubeSource.BAG))


def _passages(entries: Iterable[EventEntry]) -> dict[int, LetOut]:
    """Return the source and the recognised colour of each passage, by its raw row."""
    found: dict[int, LetOut] = {}
    for entry in entries:
        match entry.event:
            case RingEventReceived(event):
                found[entry.id] = LetOut(_SOURCES.get(entry.via, CubeSource.RING), event.device, raw=event.raw)
            case Judged(ring, judgement, again=False) if ring in found:
                chance = judgement.ranking[0][1] if judgement.ranking else None
                found[ring] = replace(found[ring], read_as=judgement.colour, chance=chance)
            case Answered(ring) if ring in found:
                found[ring] = replace(found[ring], by_hand=True)
            case _:
                pass
    return found


def _passed(game: AnyGame, game_id: int, entries: Sequence[EventEntry]) -> Iterator[Passed]:
    """Yield the passages that the ring counted but that weren't draws."""
    passages = _passages(entries)
    for each in rejudged(game_id, entries, {}, ring_of(game).out).passages:
        if each.became not in (DRAW, PAIR, _TAKEN_BACK):
            yield Passed(passages[each.id].source, passages[each.id].ring, _answered(each.became))


def _answered(became: str) -> str:
    """Return the reason why a passage is not a draw. If its draw was undone, it is `not a draw`."""
    return became if became in ("surplus", "practice", "not a draw", "same", "open") else "not a draw"


def _reasons(entries: Iterable[EventEntry]) -> dict[int, str]:
    """Return the reason for each undone line, by its row."""
    undoings = (entry.event for entry in entries if isinstance(entry.event, LineUndone))
    return {event.undoes: event.note or _TAKEN_BACK for event in undoings}
