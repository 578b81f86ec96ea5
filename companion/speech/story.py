"""A whole record as the table would say it aloud."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.kernel.errors import Malformed, Refused
from companion.kernel.validation import Line
from companion.model.game import AnyGame
from companion.model.speech import Utterance
from companion.records import RecordError, Replay, opened
from companion.speech.moves import of_events, put_right, result, turn


def told_aloud(games: Mapping[str, AnyGame], lines: Iterable[tuple[int, Line]]) -> Iterator[Utterance]:
    """Yield the sentences about the numbered *lines* of a record, header first, or raise `RecordError`."""
    numbered = iter(lines)
    number, header = next(numbered)
    try:
        played = Replay(games, header)
        heard: list[tuple[Utterance, ...]] = []
        for at, line in numbered:
            number = at  # reported in an exception
            yield from _utterances(played, opened(line)[1], heard, line)
    except (Malformed, Refused) as fault:
        raise RecordError(number, None, fault.reason) from None


def _utterances(played: Replay, own: Line, heard: list[tuple[Utterance, ...]], line: Line) -> Iterator[Utterance]:
    game, before = played.game, played.state
    if own.get("do") == "undo":
        played.play(line)
        yield from put_right(heard.pop(), ())
    else:
        said_of, _ = of_events(game, before, game.decide(before, game.parse(own)))
        played.play(line)
        heard.append(said_of)
        yield from said_of
    yield from _then(game, before, played.state)


def _then(game: AnyGame, before: Any, after: Any) -> Iterator[Utterance]:
    """Yield whose turn it is after a new step began, and the result at the end of the game."""
    if game.step(before) != game.step(after):
        yield from turn(game, after)
    if game.result(before) is None:
        yield from result(game, after)
