"""A sealed seed, words said to it, and what was drawn by it, as rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import assert_never

from companion.events.row_content import RowContent
from companion.events.table_events import LotDrawn, SealEvent, SeedSealed, WordsAdded
from companion.kernel.validation import Fields
from companion.ledger import Row, RowKind
from companion.model.sealed import lot_from, lot_line, seal_from, seed_from, words_from


def written(event: SealEvent) -> RowContent:
    """Return *event* as a row holds it."""
    match event:
        case SeedSealed(seed, seal):
            return RowContent(RowKind.MOMENT, "sealed", {"seed": seed} if seed else {"seal": seal})
        case WordsAdded(words):
            return RowContent(RowKind.MOMENT, "words", {"words": words})
        case LotDrawn(lot):
            return RowContent(RowKind.MOMENT, "lot", lot_line(lot))
        case _:
            assert_never(event)


def _sealed(fields: Fields) -> SeedSealed:
    return SeedSealed(seed_from(fields)) if fields.has("seed") else SeedSealed("", seal_from(fields))


WORDS: Mapping[str, Callable[[Row, Fields], SealEvent]] = {
    "sealed": lambda row, fields: _sealed(fields),
    "words": lambda row, fields: WordsAdded(words_from(fields.take("words"))),
    "lot": lambda row, fields: LotDrawn(lot_from(fields)),
}
