"""The games that lie in the ledger: begin one, take one up again, list them, tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from random import Random

from companion.kernel.errors import Malformed
from companion.kernel.i18n import Said, said
from companion.kernel.validation import Line
from companion.ledger import Kind, Ledger, Row, damaged, wall_ms
from companion.model.game import AnyGame
from companion.model.snapshot import GameEntry, Notice, Status, Told, Who
from companion.ports.ring import RingEvent
from companion.records import game_of
from companion.ring.draw_policy import Passage, passage_of, practised
from companion.ring.event_codec import body_of, event_of, worth_a_look
from companion.ring.judgement_codec import AGAIN, FIRST, judgement_body, judgement_of
from companion.session.reconciliation import draw_words
from companion.session.reducer import Deeper, fold, past_of
from companion.session.row_validation import checked, understood
from companion.session.state import Past, TableState, begin, told_of
from companion.session.transaction import COMPANION, Transaction
from companion.session.transcript import Transcript, record_line

_STATUS = {"paused": Status.PAUSED, "abandoned": Status.ABANDONED, "finished": Status.FINISHED}


class Repository:
    """Games by the names in their headers, and the ledger that holds what was played of them."""

    def __init__(self, ledger: Ledger, games: Mapping[str, AnyGame], lots: Random) -> None:
        self._ledger = ledger
        self._games = games
        self._lots = lots

    def transaction(self, play: TableState, story: Transcript, as_of: float) -> Transaction:
        """Return a transaction that goes on from *play*, whose clock was read at the second *as_of*."""
        lines = partial(self._lines, play.game_id)
        return Transaction(play, story, as_of, self._ledger.last, wall_ms(), self._lots, lines)

    def begin(self, header: Line, word: str, who: Who, as_of: float) -> Transaction:
        """Return the transaction that begins a game, or raise `Malformed`."""
        name, _ = game_of(header)
        if name not in self._games:
            raise Malformed(said("There is no game called %(name)s on this shelf.", name=repr(name)))
        number = self._ledger.last + 1
        body = {"header": dict(header), "rules": self._games[name].rules}
        row = Row(number, number, Kind.GAME, word, who.name, who.via, 0, 0, wall_ms(), body)
        play, story = begin(self._games[name], row), Transcript(number, row.body["header"])
        return Transaction(play, story, as_of, number - 1, row.wall_ms, self._lots, list, (row,))

    def heard_idly(self, event: RingEvent, who: Who) -> tuple[tuple[Row, ...], tuple[Notice, ...]]:
        """Return the rows of a ring's event without a game, and what to say of it."""
        raw = replace(self.aside(Kind.RING, str(event.kind), body_of(event), who), source=event.source)
        rows: tuple[Row, ...] = (raw,)
        if event.judgement is not None:
            judged = self.aside(Kind.JUDGEMENT, FIRST, judgement_body(event.judgement), COMPANION)
            rows = (raw, replace(judged, id=raw.id + 1, ring=raw.id))
        passage = passage_of(raw.id, event)
        said = ("practice", practised(passage)) if passage is not None else worth_a_look(raw, False)
        return rows, () if said is None else (Notice(raw.id, *said),)

    def heard(self, raw: int) -> Passage | None:
        """Return the passage that a ring's raw row tells of."""
        row = self._ledger.row(raw)
        return None if row is None else passage_of(raw, event_of(checked(row), self._ledger.judged(raw)))

    def aside(self, kind: Kind, word: str, body: Line, who: Who) -> Row:
        """Return the next row, belonging to no game."""
        return Row(self._ledger.last + 1, None, kind, word, who.name, who.via, 0, 0, wall_ms(), body)

    def all_of(self, number: int) -> tuple[Row, ...]:
        """Return every row of a game, oldest first, or raise `Malformed`."""
        self._first(number)
        return tuple(map(checked, self._ledger.rows(number, self._ledger.last + 1)))

    def draws(self, number: int) -> tuple[str, ...]:
        """Return the words of a game for the lines by which one station, or two, left the ring; none without one."""
        play, _ = self.take_up(number)
        seat = play.game.seats(play.state)[0].colour
        return draw_words(play.game, play.state, seat)

    def judged_again(self, number: int, again: Mapping[int, Line | None], who: Who) -> tuple[Row, ...]:
        """Return the rows that say what raw rows of a game would be judged as now."""
        body = {raw: judgement_body(judgement_of(line)) for raw, line in again.items() if line is not None}
        rows = (
            replace(self.aside(Kind.JUDGEMENT, AGAIN, each, who), game=number, ring=raw) for raw, each in body.items()
        )
        return tuple(replace(row, id=row.id + at) for at, row in enumerate(rows))

    def take_up(self, number: int) -> tuple[TableState, Transcript]:
        """Return game *number* as its rows left it, with its record, or raise `Malformed`."""
        first = self._first(number)
        game = self._games.get(first.body["header"]["game"])
        if game is None:
            raise Malformed(said("Game %(number)s is of a kind that is not on this shelf.", number=number))
        try:
            play, story = self._folded(game, first)
            return _by_other_rules(play), story
        except Malformed as fault:
            raise Malformed(_why_not(first, game, fault.reason)) from fault

    def amiss(self) -> tuple[str, ...]:
        """Return why each game that cannot be taken up cannot, the newest first."""
        return tuple(filter(None, map(self._amiss, self._ledger.games())))

    def entries(self, live: int | None) -> tuple[GameEntry, ...]:
        """Return every game for a list, the newest first; of one that cannot even be listed only why."""
        return tuple(self._entry(number, live) for number in self._ledger.games())

    def told(self, number: int, before: int, most: int) -> tuple[Told, ...]:
        """Return lines of a game before row *before*, newest first, those taken back struck through."""
        rows = tuple(map(checked, self._ledger.told(number, before, most)))
        undoings = self._ledger.undoings(row.id for row in rows)
        return tuple(told_of(row, undoings.get(row.id)) for row in rows)

    def record(self, number: int) -> Iterator[Line]:
        """Return the record of a game, header first, or raise `Malformed`."""
        header: Line = self._first(number).body["header"]
        lines = self._lines(number)
        return iter([header, *map(record_line, lines)])

    def _first(self, number: int) -> Row:
        row = self._ledger.row(number)
        if row is None or (row.kind != Kind.GAME and row.game != number):
            raise Malformed(said("There is no game %(number)s in the ledger.", number=number))
        if row.kind != Kind.GAME or row.game != number:
            raise damaged(number, said("it does not begin its game, though others follow it"))
        return checked(row)

    def _amiss(self, number: int) -> str:
        try:
            self.take_up(number)
            return ""
        except Malformed as fault:
            return fault.reason

    def _folded(self, game: AnyGame, first: Row) -> tuple[TableState, Transcript]:
        play, story = _begun(game, first), Transcript(first.id, first.body["header"])
        rows = self._ledger.rows(first.id, self._ledger.last + 1)
        next(rows)
        for row in rows:
            if play.rules == game.rules:
                understood(checked(row), game)
            play = _followed(play, checked(row), partial(self._past, play, row.id + 1))
            story.add((row,))
        return play, story

    def _past(self, play: TableState, before: int) -> tuple[Past, ...]:
        return past_of(play.game, play.header, self._ledger.lines(play.game_id, before))

    def _lines(self, number: int) -> list[Row]:
        return list(map(checked, self._ledger.lines(number, self._ledger.last + 1)))

    def _entry(self, number: int, live: int | None) -> GameEntry:
        try:
            first, volume = self._first(number), self._ledger.volume(number)
            turn = None if volume.turn is None else checked(volume.turn)
        except Malformed as fault:
            return GameEntry(number, "", {}, "", Status.NONE, 0.0, 0.0, 0, False, damage=fault.reason)
        header = first.body["header"]
        return GameEntry(
            id=first.id,
            name=header["game"],
            header=header,
            rules=first.body["rules"],
            status=_STATUS.get(turn.word, Status.LIVE) if turn is not None else Status.LIVE,
            began=first.wall_ms / 1000,
            last=volume.last_ms / 1000,
            lines=volume.lines,
            live=first.id == live,
            reason=turn.body.get("reason", "") if turn is not None else "",
        )


def _begun(game: AnyGame, first: Row) -> TableState:
    try:
        return begin(game, first)
    except Malformed as fault:
        raise damaged(first.id, fault.reason) from fault


def _followed(play: TableState, row: Row, deeper: Deeper) -> TableState:
    try:
        return fold(play, row, deeper)
    except Malformed as fault:
        raise damaged(row.id, fault.reason) from fault


def _why_not(first: Row, game: AnyGame, why: str) -> Said:
    then = first.body["rules"]
    if then == game.rules:
        return _stays_as_it_is(first.id, why)
    return said(
        "Game %(number)s was played by rules %(then)s and cannot be read by %(now)s: %(why)s",
        number=first.id,
        then=repr(then),
        now=repr(game.rules),
        why=why,
    )


def _stays_as_it_is(number: int, why: str) -> Said:
    return said("Game %(number)s is damaged and stays as it is: %(why)s", number=number, why=why)


def _by_other_rules(play: TableState) -> TableState:
    if play.rules == play.game.rules:
        return play
    text = said(
        "This game was begun by rules %(then)s; it goes on by %(now)s. What was played stays as it was.",
        then=play.rules,
        now=play.game.rules,
    )
    return replace(play, notices=(Notice(0, "rules", text, play.clock.game_ms), *play.notices))
