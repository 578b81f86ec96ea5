"""The ledger's rim: events of the table as rows, and rows as events; nobody else knows how a row is written."""

from companion.events.rows import packed, understood, unpacked

__all__ = ["packed", "understood", "unpacked"]
