"""The table record: one text file that contains a whole game. Read, check and replay it."""

from companion.records.parser import (
    LIMIT,
    ORIGIN,
    RECORD,
    VERSION,
    Envelope,
    Origin,
    RecordError,
    ended_as,
    game_of,
    object_from,
    opened,
    origin_of,
    read_file,
    read_lines,
    reason_of,
)
from companion.records.replay import Replay, replay

__all__ = [
    "LIMIT",
    "ORIGIN",
    "RECORD",
    "VERSION",
    "Envelope",
    "Origin",
    "RecordError",
    "Replay",
    "ended_as",
    "game_of",
    "object_from",
    "opened",
    "origin_of",
    "read_file",
    "read_lines",
    "reason_of",
    "replay",
]
