"""Judge the passages of a finished game again, and compare the result with the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from companion.events.table_events import (
    Answered,
    Event,
    EventEntry,
    Judged,
    LineDone,
    LineUndone,
    PassageAsked,
    PassageSettled,
    RingEventReceived,
)
from companion.kernel.fields import Line
from companion.kernel.values import dataclass
from companion.model.snapshot import TranscriptLine
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from companion.session.state import as_transcript_line

DRAW, PAIR = "draw", "pair"
Out = Callable[[Line], tuple[str, ...]]
"""A function that returns the colours that left the ring in a line; it is empty for a line that isn't a draw."""


@dataclass(frozen=True)
class Rejudged:
    """One passage of a game. *id* is its raw row, *kind* is `out` or `pair`, and *at_ms* the game's clock.

    *then* is its judgement in the game, and *now* the new judgement (None if it has no data to judge). *became* is one
    of `draw`, `pair`, `not a draw`, `same`, `surplus`, `practice`, `taken back`, `open`. *colour* is the drawn colour,
    None if the passage was a pair or not a draw. *by_hand* means that a person decided.
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
        """Whether the draw would now have another colour."""
        return self.now is not None and None not in (self.colour, self.now.colour) and self.now.colour != self.colour

    @property
    def asks(self) -> bool:
        """Whether the draw was certain then, but would now need a question."""
        return self.colour is not None and not self.by_hand and self.now is not None and self.now.colour is None


@dataclass(frozen=True)
class Rejudging:
    """The result of judging a game again; no draw is changed.

    *passages* are the passages through the ring. *typed* are the draws that count and had no passage. Both are sorted
    by time, oldest first.
    """

    game_id: int
    passages: tuple[Rejudged, ...]
    typed: tuple[TranscriptLine, ...]

    @property
    def changes(self) -> tuple[Rejudged, ...]:
        """The draws that would have another colour."""
        return tuple(each for each in self.passages if each.changes)

    @property
    def asks(self) -> tuple[Rejudged, ...]:
        """The draws that would need a question."""
        return tuple(each for each in self.passages if each.asks)

    @property
    def unread(self) -> tuple[Rejudged, ...]:
        """The passages without data to judge."""
        return tuple(each for each in self.passages if each.now is None)


def passages_of(entries: Iterable[EventEntry]) -> tuple[tuple[EventEntry, RingEvent], ...]:
    """Return the ring's events among *entries* that may have been draws."""
    received = ((entry, entry.event.event) for entry in entries if isinstance(entry.event, RingEventReceived))
    passages = ((entry, event) for entry, event in received if event.kind in (RingEventKind.OUT, RingEventKind.PAIR))
    return tuple((entry, event) for entry, event in passages if not event.detail.get("calibrating"))


def rejudged(
    game_id: int,
    entries: Sequence[EventEntry],
    again: Mapping[int, Judgement | None],
    out: Out,
) -> Rejudging:
    """Compare the passages in the *entries* of a game with new judgements. *again* maps raw rows to the new judgements.

    *out* returns the colours that left the ring in a line of the game.
    """
    undone = {each.event.undoes for each in entries if isinstance(each.event, LineUndone)}
    lines = [(each, each.event) for each in entries if isinstance(each.event, LineDone) and each.id not in undone]
    made = {line.ring: (entry, line) for entry, line in lines if line.ring}
    since = {about: each.event for each in entries if (about := _about(each.event))}
    judged = [each.event for each in entries if isinstance(each.event, Judged)]
    first = {each.ring: each.judgement for each in judged if not each.again}
    passages = []
    for raw, event in passages_of(entries):
        then, now = first.get(raw.id, event.judgement), again.get(raw.id)
        became = _became(made.get(raw.id), since.get(raw.id), out)
        passages.append(Rejudged(raw.id, event.kind, raw.at_ms, then, now, *became))
    typed = tuple(as_transcript_line(entry, line) for entry, line in lines if line.ring is None and out(line.line))
    return Rejudging(game_id, tuple(passages), typed)


def _about(event: Event) -> int | None:
    """Return the raw row of the passage that *event* decides about, or None."""
    match event:
        case PassageAsked(question):
            return question.id
        case PassageSettled(ring) | Answered(ring) | LineDone(ring=ring):
            return ring
        case _:
            return None


def _became(made: tuple[EventEntry, LineDone] | None, newest: Event | None, out: Out) -> tuple[str, str | None, bool]:
    """Return the `became` of a passage, its colour, and whether a person decided.

    *made* is the line that the passage made, and *newest* the last event about the passage.
    """
    if made is not None:
        entry, line = made[0], made[1].line
        left = out(line)
        one = left[0] if len(left) == 1 else None
        return DRAW if one else PAIR, one, entry.via not in ("ring", "virtual")
    match newest:
        case Answered(_, chosen):
            return chosen, None, True
        case LineDone():
            return "taken back", None, True
        case PassageSettled(_, became):
            return became, None, False
        case None | PassageAsked():
            return "open", None, False
        case _:
            raise AssertionError(f"nothing becomes of a passage by {newest!r}")
