"""Choose random games for this folder by what they contain.

`python -m tests.companion.games.andromeda.records.gather [NAME...]` finds them again.

Random play is seeded, so that every game can be repeated from the note in
its header. For each name, the shortest of the first few games that contain
what the name says is stored. The other records were written by hand.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from companion.games.andromeda import GAME
from companion.model.game import Result
from tests.companion.games.andromeda.evening import Evening
from tests.companion.games.andromeda.stories import next_line

HERE = Path(__file__).parent
CANDIDATES, PATIENCE = 3, 6000
REPAIRS, SECOND_THOUGHTS = 0.02, 0.04


@dataclass(frozen=True)
class Told:
    """A complete game, and how often each kind of line occurs in it."""

    evening: Evening
    seed: int
    lines: Counter[str] = field(default_factory=Counter)

    @property
    def result(self) -> Result:
        """The game's result."""
        result = GAME.result(self.evening.game)
        assert result is not None
        return result


@dataclass(frozen=True)
class Sought:
    """A game to find: its players, rulings, and a test of its content."""

    players: int
    shows: Callable[[Told], bool] = lambda told: True
    options: dict[str, Any] = field(default_factory=dict)
    hesitant: bool = False


def everyone_excused(told: Told) -> bool:
    """Return whether a trading phase ended because all other players were excused."""
    record = told.evening.record
    return any(all(line["do"] == "excuse" for line in record[at : at + 2]) for at in range(1, len(record) - 1))


def generous(told: Told) -> bool:
    """Return whether every generous ruling was used."""
    return told.lines["stop_drawing"] > 1 and told.lines["transport action"] > 1 and told.lines["overpaid"] > 1


SOUGHT = {
    "three-by-the-default": Sought(3, lambda told: not told.lines["excuse"]),
    "four-by-the-default": Sought(4),
    "five-by-the-default": Sought(5),
    "three-with-an-excused-player": Sought(3, lambda told: told.lines["excuse"] > 1 and not everyone_excused(told)),
    "three-with-everyone-excused": Sought(3, everyone_excused),
    "four-with-two-stations-at-once": Sought(4, lambda told: told.lines["double_exit"] > 3),
    "four-with-two-at-once-redone": Sought(4, lambda told: told.lines["double_exit"] > 2, {"double_exit": "redo"}),
    "five-without-a-record-of-trades": Sought(5, options={"trade_record": "off"}),
    "four-with-generous-rulings": Sought(
        4,
        generous,
        {
            "tech4_rounds_up": "draws_and_moves",
            "transport_as_action": True,
            "allow_overpay": True,
            "may_stop_drawing": True,
        },
    ),
    "three-with-second-thoughts": Sought(3, lambda told: told.lines["undo"] > 5, hesitant=True),
    "five-with-second-thoughts": Sought(5, lambda told: told.lines["correct"] > 5, hesitant=True),
    "won-by-technology": Sought(4, lambda told: "by technology" in told.result.why),
    "won-by-the-ship": Sought(4, lambda told: "bigger ship" in told.result.why),
    "a-shared-win": Sought(3, lambda told: "share the win" in told.result.why),
}


def games(sought: Sought) -> Iterator[Told]:
    """Yield random games that pass the test, up to a limit of seeds."""
    for seed in range(PATIENCE):
        lots, told = Random(seed), Told(Evening(sought.players, sought.options), seed)
        chances = (REPAIRS, SECOND_THOUGHTS) if sought.hesitant else (0.0, 0.0)
        while not told.evening.game.finished:
            line = next_line(told.evening, lots, *chances)
            told.lines[line["do"]] += 1
            told.lines["transport action"] += line["do"] == "transport" and told.evening.game.phase == "actions"
            told.lines["overpaid"] += line["do"] in ("ship", "technology") and line["cards"] > 6
            told.evening.do(**line)
        if sought.shows(told):
            yield told


def gather(names: list[str]) -> None:
    """Find the games of these *names* again, or all, and write each with its final state."""
    for name in names or SOUGHT:
        found = list(islice(games(SOUGHT[name]), CANDIDATES))
        shortest = min(found, key=lambda told: len(told.evening.record))
        record = shortest.evening.record
        record[0] = {**record[0], "note": f"random play, seed {shortest.seed}", "seed": shortest.seed}
        write(name, record, shortest.evening.view)


def write(name: str, record: list[Any], final: dict[str, Any]) -> None:
    """Write a record and its final state."""
    (HERE / f"{name}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in record), encoding="utf-8")
    (HERE / f"{name}.json").write_text(json.dumps(final, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    gather(sys.argv[1:])
