"""The queue of sentences to speak. Newer sentences replace older ones, so that speech does not lag behind the game."""

from __future__ import annotations

from dataclasses import dataclass

from companion.model.speech import Utterance, Verbosity

PATIENCE_S = 6.0
"""A sentence that has waited for more seconds than this is dropped, because the players have already seen the event."""


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
        """Add *batch*, sentences about one event, and return the new queue. Most older sentences are dropped.

        An older sentence remains only if it is important (`Verbosity.FEW`) and has a different topic. If *batch* is a
        correction, all older sentences are dropped.
        """
        if not batch:
            return self
        topics = {one.topic for one in batch}
        right = any(one.at_once for one in batch)
        remaining = tuple(each for each in self.waiting if not right and _is_needed(each.utterance, topics))
        return SpeechQueue((*remaining, *(Waiting(one, now) for one in batch)))

    def next(self, now: float) -> tuple[Utterance | None, SpeechQueue]:
        """Return the sentence to speak now, or None, and the queue without this sentence."""
        fresh = tuple(each for each in self.waiting if now - each.since <= PATIENCE_S)
        if not fresh:
            return None, SpeechQueue()
        return fresh[0].utterance, SpeechQueue(fresh[1:])


def _is_needed(old: Utterance, topics: set[str]) -> bool:
    return old.words is Verbosity.FEW and bool(old.topic) and old.topic not in topics
