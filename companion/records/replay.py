"""Replay a record line by line, with the same rules as a live table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line, shown
from companion.kernel.said import said
from companion.kernel.shown import shows
from companion.model.game import AnyGame, check_lots
from companion.records.parser import RecordError, game_of, opened, reason_of


@shows("_states")
class Replay:
    """A game being replayed: its rules, its state, and the earlier states for undo."""

    def __init__(self, games: Mapping[str, AnyGame], header: Line) -> None:
        """Begin a game with *header*, the header of a record, or raise `Malformed`."""
        name, own = game_of(header)
        if name not in games:
            known = ", ".join(games)
            raise Malformed(
                said("game: this version knows no game %(name)s (only %(known)s)", name=shown(name), known=known)
            )
        self.game = games[name]
        self._states: list[Any] = [self.game.start(own)]

    @property
    def state(self) -> Any:
        """The state after the lines so far."""
        return self._states[-1]

    def play(self, line: Line) -> None:
        """Play one line. If this raises `Malformed` or `Refused`, nothing has changed."""
        _, own = opened(line)
        if own.get("do") == "undo":
            reason_of(line)
            self._undo()
            return
        command = self.game.parse(own)
        events = self.game.decide(self.state, command)
        check_lots(self.game, self.state, own)
        self._states.append(reduce(self.game.evolve, events, self.state))

    def _undo(self) -> None:
        if len(self._states) == 1:
            raise Refused(said("There's nothing left to undo."))
        self._states.pop()


def replay(games: Mapping[str, AnyGame], lines: Iterable[tuple[int, Line]], until: int | None = None) -> Replay:
    """Replay the numbered *lines*, header first, up to line *until*, and return the replay.

    Raises `RecordError` for the first invalid line.
    """
    numbered = iter(lines)
    number, header = next(numbered)
    try:
        played = Replay(games, header)
    except Malformed as fault:
        raise RecordError(number, None, fault.reason) from None
    while until is None or number < until:
        following = next(numbered, None)
        if following is None:
            break
        number, line = following
        _play(played, number, line)
    return played


def _play(played: Replay, number: int, line: Line) -> None:
    try:
        played.play(line)
    except (Malformed, Refused) as fault:
        do = line.get("do")
        raise RecordError(number, do if isinstance(do, str) else None, fault.reason) from None
