"""Rows that belong to no game: copies, calibrations, and the preferred pace of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from companion.events.row_content import RowContent
from companion.events.table_events import Aside, CalibrationKept, CopyKept, CopyUsed, PaceKept
from companion.kernel.validation import Fields
from companion.ledger import Row, RowKind
from companion.model.boxes import Copy, named

KEPT, USED = "kept", "used"


def written(event: Aside) -> RowContent:
    """Return *event* as the contents of a row."""
    match event:
        case CopyKept(copy):
            body = {"name": copy.name, "game": copy.game, "board": copy.board, "colours": dict(copy.colours)}
            return RowContent(RowKind.COPY, KEPT, body)
        case CopyUsed(name):
            return RowContent(RowKind.COPY, USED, {"name": name})
        case CalibrationKept():
            return RowContent(RowKind.CALIBRATION, KEPT, event.line)
        case PaceKept(game, pace):
            return RowContent(RowKind.CLOCK, KEPT, {"game": game, "pace": pace})
        case _:
            assert_never(event)


def _copy(row: Row, fields: Fields) -> CopyKept:
    name, game = fields.text("name"), fields.text("game")
    taken = fields.take("board")
    board = None if taken is None else Fields(taken, "board").rest()
    colours = Fields(fields.take("colours"), "colours").rest()
    texts = Fields(colours, "colours")
    return CopyKept(Copy(name, game, board, {each: texts.text(each) for each in colours}))


def _used(row: Row, fields: Fields) -> CopyUsed:
    return CopyUsed(fields.text("name"))


def _calibration(row: Row, fields: Fields) -> CalibrationKept:
    return CalibrationKept(named(row.body), fields.rest())


def _pace(row: Row, fields: Fields) -> PaceKept:
    game = fields.text("game")
    return PaceKept(game, Fields(fields.take("pace"), "pace").rest())


COPIES: Mapping[str, Callable[[Row, Fields], CopyKept | CopyUsed]] = {KEPT: _copy, USED: _used}
CALIBRATIONS: Mapping[str, Callable[[Row, Fields], CalibrationKept]] = {KEPT: _calibration}
PACES: Mapping[str, Callable[[Row, Fields], PaceKept]] = {KEPT: _pace}
