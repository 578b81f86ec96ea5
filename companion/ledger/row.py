"""A row of the ledger as a value."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from companion.game import Line


class Kind(StrEnum):
    """What a row tells.

    `GAME` a header; `LINE` a command with its events (`undo` included);
    `RING` a raw event of a ring; `JUDGEMENT` what colour it was taken for, when
    it came (`first`) or later (`again`); `PASSAGE` what became of such an event
    when it made no line; `ANSWER` what a person said about it; `CLOCK` what was
    done to the clock, and where each step began; `MOMENT` everything else
    (paused, resumed, left, beat ...). Outside any game: `CALIBRATION` one that
    was made, whole; `COPY` a copy of a game; `CLOCK` the pace a table likes.
    """

    GAME = "game"
    LINE = "line"
    RING = "ring"
    JUDGEMENT = "judgement"
    PASSAGE = "passage"
    ANSWER = "answer"
    CLOCK = "clock"
    MOMENT = "moment"
    CALIBRATION = "calibration"
    COPY = "copy"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: *word* says what kind of its kind, clocks stand as they did just before it.

    *at_ms* is the game's clock, *step_ms* the step's, *wall_ms* the wall
    clock's. *ring* is the raw row it comes from, *undoes* the line it takes
    back, *source* (device, boot, seq) names a ring's event for good.
    """

    id: int
    game: int | None
    kind: str
    word: str
    who: str
    via: str
    at_ms: int
    step_ms: int
    wall_ms: int
    body: Line
    ring: int | None = None
    undoes: int | None = None
    source: tuple[str, str, int] | None = None

    def fields(self) -> tuple[Any, ...]:
        """Return the row as the columns of the table, in their order."""
        device, boot, seq = self.source or (None, None, None)
        # Escapes, since a name may hold half a surrogate pair, which no database takes.
        body = json.dumps(self.body, allow_nan=False, separators=(",", ":"))
        return (
            *(self.id, self.game, self.kind, self.word, self.who, self.via),
            *(self.at_ms, self.step_ms, self.wall_ms, body, self.ring, self.undoes, device, boot, seq),
        )


COLUMNS = "id, game, kind, word, who, via, at_ms, step_ms, wall_ms, body, ring, undoes, device, boot, seq"


def row_of(fields: tuple[Any, ...]) -> Row:
    """Return the row that `Row.fields` gave these columns."""
    number, game, kind, word, who, via, at_ms, step_ms, wall_ms, body, ring, undoes, device, boot, seq = fields
    source = None if device is None else (device, boot, seq)
    return Row(
        *(number, game, kind, word, who, via, at_ms, step_ms, wall_ms),
        body=json.loads(body),
        ring=ring,
        undoes=undoes,
        source=source,
    )
