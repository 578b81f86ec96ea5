"""A game in the table's words: every deed is a line of its record, played by the real rules."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Self, TypeVar

import pytest

from companion.games.registry import GAMES
from companion.kernel.errors import Refused
from companion.kernel.validation import Line
from companion.model.game import AnyGame, Viewer
from companion.records import Replay

LONGEST_REFUSAL = 120
CODE_WORDS = re.compile(r"\w_\w|\b[pog][1-7]\b|[{}\[\]]|\bNone\b")


State = TypeVar("State")


class Told(Generic[State]):
    """A game being played; every line is checked to leave nothing lost and nothing doubled."""

    def __init__(self, header: Line, games: Mapping[str, AnyGame] = GAMES) -> None:
        """Sit down at an empty table. *games* by name; give your own for a game that isn't registered."""
        self.record: list[Line] = [header]
        self._replay = Replay(games, header)

    @property
    def rules(self) -> AnyGame:
        """The rules that it is played by."""
        return self._replay.game

    @property
    def game(self) -> State:
        """The state after the lines so far."""
        state: State = self._replay.state
        return state

    @property
    def view(self) -> dict[str, Any]:
        """The state as a record's final state."""
        return self.seen_by(Viewer(owner=True))

    def seen_by(self, viewer: Viewer) -> dict[str, Any]:
        """Return the state as *viewer* may see it."""
        return self.rules.view(self.game, viewer)

    def do(self, do: str, **fields: Any) -> Self:
        """Play one line."""
        line = {"do": do, **fields}
        self._replay.play(line)
        self.record.append(line)
        assert self.broken() == ()
        return self

    def broken(self) -> tuple[str, ...]:
        """Return what is lost or doubled now."""
        assert self.rules.random_play is not None
        return self.rules.random_play.broken(self.game)

    def refusal(self, do: str, **fields: Any) -> str:
        """Return the sentence by which the rules refuse a line: kind, and nothing has changed."""
        before = self.game
        with pytest.raises(Refused) as refused:
            self._replay.play({"do": do, **fields})
        assert self.game is before
        return kind_sentence(refused.value.reason)


def kind_sentence(reason: str) -> str:
    """Return *reason* if players can read it: short, a whole sentence, no code words."""
    assert len(reason) <= LONGEST_REFUSAL, reason
    assert reason[0].isupper(), reason
    assert reason.endswith("."), reason
    assert not CODE_WORDS.search(reason), reason
    return reason


def read_back(
    game: AnyGame, played: Iterable[tuple[Any, Any]], broken: Callable[[Any], object] = lambda state: ()
) -> None:
    """See that every command's line and every event's JSON give back exactly what they were, in each state of a game.

    *played* is each state with the command given in it; nothing may be *broken* after any event.
    """
    for state, command in played:
        assert game.parse(json.loads(json.dumps(game.line(command)))) == command
        for event in game.decide(state, command):
            assert game.unpack(json.loads(json.dumps(game.pack(event))), state) == event
            state = game.evolve(state, event)
            assert not broken(state)
