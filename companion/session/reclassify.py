"""A finished game looked at again: what its passages were judged then, what became of them, what they would be now."""

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
    RingHeard,
)
from companion.kernel.validation import Line
from companion.kernel.values import dataclass
from companion.model.snapshot import TranscriptLine
from companion.ports.ring import Judgement, RingEvent, RingEventKind
from companion.session.state import told_of

DRAW, PAIR = "draw", "pair"
Out = Callable[[Line], tuple[str, ...]]
"""Returns the colours that left the ring by a line, none for a line that is no draw."""


@dataclass(frozen=True)
class Rejudged:
    """One passage of a game: *id* is its raw row, *kind* `out` or `pair`, *at_ms* the game's clock.

    *then* is what it was judged as, *now* what it would be (None: it holds
    nothing to judge). *became* says what came of it (`draw`, `pair`, `not a draw`,
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
    typed: tuple[TranscriptLine, ...]

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


def passages_of(entries: Iterable[EventEntry]) -> tuple[tuple[EventEntry, RingEvent], ...]:
    """Return the ring's events among *entries* that may have been draws."""
    heard = ((entry, entry.event.event) for entry in entries if isinstance(entry.event, RingHeard))
    passages = ((entry, event) for entry, event in heard if event.kind in (RingEventKind.OUT, RingEventKind.PAIR))
    return tuple((entry, event) for entry, event in passages if not event.detail.get("calibrating"))


def rejudged(
    game_id: int,
    entries: Sequence[EventEntry],
    again: Mapping[int, Judgement | None],
    out: Out,
) -> Rejudging:
    """Return what the *entries* of a game and the judgements made *again*, by raw row, tell of its passages.

    *out* tells the colours that left the ring by a line of the game.
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
    typed = tuple(told_of(entry, line) for entry, line in lines if line.ring is None and out(line.line))
    return Rejudging(game_id, tuple(passages), typed)


def _about(event: Event) -> int | None:
    """Return the raw row of the passage about which *event* decides something."""
    match event:
        case PassageAsked(question):
            return question.id
        case PassageSettled(ring) | Answered(ring) | LineDone(ring=ring):
            return ring
        case _:
            return None


def _became(made: tuple[EventEntry, LineDone] | None, newest: Event | None, out: Out) -> tuple[str, str | None, bool]:
    """Return what came of a passage, its colour, and whether a person said so.

    *made* is the line that stands for it, *newest* the last that happened about it.
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
