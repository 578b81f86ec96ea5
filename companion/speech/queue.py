"""What waits to be spoken: it never lags behind play, because what is newer takes the place of what is older."""

from __future__ import annotations

from dataclasses import dataclass

from companion.model.speech import Utterance, Verbosity

PATIENCE_S = 6.0
"""What has waited longer than this is not begun any more: the table has seen it."""


@dataclass(frozen=True)
class Waiting:
    """A sentence, and since which second it waits."""

    utterance: Utterance
    since: float


@dataclass(frozen=True)
class SpeechQueue:
    """The sentences that wait, the next one first; a value: adding and taking give another."""

    waiting: tuple[Waiting, ...] = ()

    def add(self, batch: tuple[Utterance, ...], now: float) -> SpeechQueue:
        """Return the queue with the sentences of one happening: of those before only what few words say is kept.

        And that only where the new ones are about something else, and put nothing right.
        """
        if not batch:
            return self
        topics = {one.topic for one in batch}
        right = any(one.at_once for one in batch)
        kept = tuple(each for each in self.waiting if not right and _is_needed(each.utterance, topics))
        return SpeechQueue((*kept, *(Waiting(one, now) for one in batch)))

    def next(self, now: float) -> tuple[Utterance | None, SpeechQueue]:
        """Return the sentence to be spoken now, None for none, and what waits then."""
        fresh = tuple(each for each in self.waiting if now - each.since <= PATIENCE_S)
        if not fresh:
            return None, SpeechQueue()
        return fresh[0].utterance, SpeechQueue(fresh[1:])


def _is_needed(old: Utterance, topics: set[str]) -> bool:
    return old.words is Verbosity.FEW and bool(old.topic) and old.topic not in topics
