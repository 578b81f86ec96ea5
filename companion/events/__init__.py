"""Convert events of the table to rows of the ledger and back. No other package knows the format of a row."""

from companion.events.rows import packed, understood, unpacked

__all__ = ["packed", "understood", "unpacked"]
