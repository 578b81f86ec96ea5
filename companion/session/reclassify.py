"""A finished game looked at again: what its passages were judged then, what became of them, what they would be now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from companion.kernel.validation import Line
from companion.ledger import Kind, Row
from companion.model.snapshot import Told
from companion.ports.ring import Judgement
from companion.ring.judgement_codec import FIRST, judgement_of
from companion.session.state import told_of


@dataclass(frozen=True)
class Rejudged:
    """One passage of a game: *id* is its raw row, *kind* `out` or `pair`, *at_ms* the game's clock.

    *then* is what it was judged as, *now* what it would be (None: it holds
    nothing to judge). *became* says what came of it (`draw`, `not a draw`,
    `same`, `surplus`, `practice`, `taken back`, `open`), *colour* what it
    counted as, None when as nothing or as a pair; *by_hand*: a person said so.
    """

    id: int
    kind: str
    at_ms: int
    then: Judgement | None
    now: Judgement | None
    became: str
    colour: str | None = None
    by_hand: bool = False

    @property
    def changes(self) -> bool:
        """Whether the draw would be one of another colour now."""
        return self.now is not None and None not in (self.colour, self.now.colour) and self.now.colour != self.colour

    @property
    def asks(self) -> bool:
        """Whether a draw that was sure then would be asked about now."""
        return self.colour is not None and not self.by_hand and self.now is not None and self.now.colour is None


@dataclass(frozen=True)
class Rejudging:
    """What judging a game again found; no draw was touched.

    *passages* are the ring's, *typed* the draws that stand and were made
    without any passage, both oldest first.
    """

    game_id: int
    passages: tuple[Rejudged, ...]
    typed: tuple[Told, ...]

    @property
    def changes(self) -> tuple[Rejudged, ...]:
        """The draws that would be of another colour."""
        return tuple(each for each in self.passages if each.changes)

    @property
    def asks(self) -> tuple[Rejudged, ...]:
        """The draws that would be asked about."""
        return tuple(each for each in self.passages if each.asks)

    @property
    def unread(self) -> tuple[Rejudged, ...]:
        """The passages that hold nothing to judge."""
        return tuple(each for each in self.passages if each.now is None)


def passages_of(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the raw rows among *rows* that may have been draws."""
    kinds = ("out", "pair")
    passages = (row for row in rows if row.kind == Kind.RING and row.word in kinds)
    return tuple(row for row in passages if not row.body["detail"].get("calibrating"))


def rejudged(game_id: int, rows: Sequence[Row], again: Mapping[int, Line | None], draws: Collection[str]) -> Rejudging:
    """Return what the *rows* of a game and the judgements made *again*, by raw row, tell of its passages.

    *draws* are the game's words for lines by which stations leave the ring.
    """
    undone = {row.undoes for row in rows if row.undoes is not None}
    made = {row.ring: row for row in rows if row.kind == Kind.LINE and row.ring and row.id not in undone}
    since = {row.ring: row for row in rows if row.ring and row.kind in (Kind.PASSAGE, Kind.ANSWER, Kind.LINE)}
    first = {row.ring: row.body for row in rows if row.kind == Kind.JUDGEMENT and row.word == FIRST}
    passages = []
    for raw in passages_of(rows):
        then, now = first.get(raw.id, raw.body.get("judgement")), again.get(raw.id)
        became = _became(made.get(raw.id), since.get(raw.id))
        passages.append(Rejudged(raw.id, raw.word, raw.at_ms, _judgement(then), _judgement(now), *became))
    return Rejudging(game_id, tuple(passages), _typed(rows, draws, undone))


def _judgement(body: Line | None) -> Judgement | None:
    return None if body is None else judgement_of(body)


def _became(made: Row | None, newest: Row | None) -> tuple[str, str | None, bool]:
    """Return what came of a passage, its colour, and whether a person said so.

    *made* is the line that stands for it, *newest* the last row about it.
    """
    if made is not None:
        line = made.body["line"]
        return str(line["do"]), line.get("colour"), made.via not in ("ring", "virtual")
    if newest is None or newest.word == "asked":
        return "open", None, False
    if newest.kind == Kind.ANSWER:
        return str(newest.body["chosen"]), None, True
    return ("taken back", None, True) if newest.kind == Kind.LINE else (newest.word, None, False)


def _typed(rows: Sequence[Row], draws: Collection[str], undone: Collection[int | None]) -> tuple[Told, ...]:
    """Return the lines that stand for a draw and come from no passage."""
    lines = (row for row in rows if row.kind == Kind.LINE and row.word in draws)
    return tuple(told_of(row) for row in lines if row.ring is None and row.id not in undone)
