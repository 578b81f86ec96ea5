"""The table record: one text file that is the whole game, read, checked and replayed."""

from companion.records.envelope import RECORD, VERSION, Envelope, game_of, opened, reason_of
from companion.records.errors import RecordFault
from companion.records.parser import LIMIT, object_from, read_lines
from companion.records.replay import Replay, replay

__all__ = [
    "LIMIT",
    "RECORD",
    "VERSION",
    "Envelope",
    "RecordFault",
    "Replay",
    "game_of",
    "object_from",
    "opened",
    "read_lines",
    "reason_of",
    "replay",
]
