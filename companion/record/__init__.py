"""The table record: one text file that is the whole game, read, checked and replayed."""

from companion.record.envelope import RECORD, VERSION, Envelope, game_of, opened, reason_of
from companion.record.faults import RecordFault
from companion.record.lines import LIMIT, object_from, read_lines
from companion.record.replay import Replay, replay

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
