"""A game for tests: every method adds a line to the record, and the real rules are applied."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Self, TypeVar

import pytest

from companion.games.registry import GAMES
from companion.kernel.errors import Refused
from companion.kernel.fields import Line
from companion.model.game import AnyGame, Viewer
from companion.records import Replay

LONGEST_REFUSAL = 120
CODE_WORDS = re.compile(r"\w_\w|\b[pog][1-7]\b|[{}\[\]]|\bNone\b")


State = TypeVar("State")


class Told(Generic[State]):
    """A game in progress; after every line, all invariants are checked."""

    def __init__(self, header: Line, games: Mapping[str, AnyGame] = GAMES) -> None:
        """Start a game. *games* are the rules by name; pass your own for a game that is not registered."""
        self.record: list[Line] = [header]
        self._replay = Replay(games, header)

    @property
    def rules(self) -> AnyGame:
        """The rules of the game."""
        return self._replay.game

    @property
    def game(self) -> State:
        """The state after the lines so far."""
        state: State = self._replay.state
        return state

    @property
    def view(self) -> dict[str, Any]:
        """The state in the form of a record's final state."""
        return self.seen_by(Viewer(owner=True))

    def seen_by(self, viewer: Viewer) -> dict[str, Any]:
        """Return the state as *viewer* sees it."""
        return self.rules.view(self.game, viewer)

    def do(self, do: str, **fields: Any) -> Self:
        """Play one line."""
        line = {"do": do, **fields}
        self._replay.play(line)
        self.record.append(line)
        assert self.broken() == ()
        return self

    def broken(self) -> tuple[str, ...]:
        """Return the invariants that are broken now."""
        assert self.rules.random_play is not None
        return self.rules.random_play.broken(self.game)

    def refusal(self, do: str, **fields: Any) -> str:
        """Return the sentence with which the rules refuse a line, after checking that nothing changed."""
        before = self.game
        with pytest.raises(Refused) as refused:
            self._replay.play({"do": do, **fields})
        assert self.game is before
        return kind_sentence(refused.value.reason)


def kind_sentence(reason: str) -> str:
    """Return *reason* after checking that it is a short, complete sentence without code words."""
    assert len(reason) <= LONGEST_REFUSAL, reason
    assert reason[0].isupper(), reason
    assert reason.endswith("."), reason
    assert not CODE_WORDS.search(reason), reason
    return reason


def read_back(
    game: AnyGame, played: Iterable[tuple[Any, Any]], broken: Callable[[Any], object] = lambda state: ()
) -> None:
    """Assert that each command's line and each event's JSON can be read back, in each state of a game.

    *played* has each state with the command given in it; *broken* must return nothing after any event.
    """
    for state, command in played:
        assert game.parse(json.loads(json.dumps(game.line(command)))) == command
        for event in game.decide(state, command):
            assert game.unpack(json.loads(json.dumps(game.pack(event))), state) == event
            state = game.evolve(state, event)
            assert not broken(state)
