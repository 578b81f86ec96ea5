"""The queue of sentences to speak. Newer sentences replace older ones, so that speech does not lag behind the game."""

from __future__ import annotations

from dataclasses import dataclass

from companion.model.speech import Utterance, Verbosity

PATIENCE_S = 6.0
"""A sentence that has waited longer than this is dropped, because the players have seen it by then."""


@dataclass(frozen=True)
class Waiting:
    """A sentence, and the time in seconds when it was queued."""

    utterance: Utterance
    since: float


@dataclass(frozen=True)
class SpeechQueue:
    """An immutable queue of sentences; adding and removing return a new queue."""

    waiting: tuple[Waiting, ...] = ()

    def add(self, batch: tuple[Utterance, ...], now: float) -> SpeechQueue:
        """Return the queue with the sentences *batch* about one event. Most older ones are dropped.

        An older sentence stays only if it is important (`Verbosity.FEW`) and about another topic. None stays if the
        batch is a correction.
        """
        if not batch:
            return self
        topics = {one.topic for one in batch}
        right = any(one.at_once for one in batch)
        kept = tuple(each for each in self.waiting if not right and _is_needed(each.utterance, topics))
        return SpeechQueue((*kept, *(Waiting(one, now) for one in batch)))

    def next(self, now: float) -> tuple[Utterance | None, SpeechQueue]:
        """Return the sentence to speak now, or None, and the queue without it."""
        fresh = tuple(each for each in self.waiting if now - each.since <= PATIENCE_S)
        if not fresh:
            return None, SpeechQueue()
        return fresh[0].utterance, SpeechQueue(fresh[1:])


def _is_needed(old: Utterance, topics: set[str]) -> bool:
    return old.words is Verbosity.FEW and bool(old.topic) and old.topic not in topics
