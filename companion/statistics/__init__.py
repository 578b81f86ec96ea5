"""Statistics over all finished games: a summary of each game, cached in a file, and queries over the summaries."""

from companion.statistics.answers import (
    Best,
    Filter,
    Lengths,
    Meeting,
    Person,
    Rated,
    SideResult,
    StageTime,
    StatisticsTally,
)
from companion.statistics.interval import ShareInterval, share
from companion.statistics.questions import Questions
from companion.statistics.store import FILE as SUMMARIES
from companion.statistics.store import Seated, Summary, SummaryStore, store_of

__all__ = [
    "SUMMARIES",
    "Best",
    "Filter",
    "Lengths",
    "Meeting",
    "Person",
    "Questions",
    "Rated",
    "Seated",
    "ShareInterval",
    "SideResult",
    "StageTime",
    "StatisticsTally",
    "Summary",
    "SummaryStore",
    "share",
    "store_of",
]
