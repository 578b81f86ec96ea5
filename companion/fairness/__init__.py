"""Whether a ring, a bag or a tower favours some cubes: odds out of draws, sure whenever one looks."""

from companion.fairness.draws import GameDraws, LetOut, LoggedDraw, Passed, Source
from companion.fairness.evidence import Evidence, Pull
from companion.fairness.multiple import discoveries
from companion.fairness.outlook import NOTICEABLE, still_needed
from companion.fairness.report import Finding, RingReport, Survey, reports
from companion.fairness.sequence import ALPHA, Bounds, Moment, bounds, course, e_value
from companion.fairness.tally import Tally

__all__ = [
    "ALPHA",
    "NOTICEABLE",
    "Bounds",
    "Evidence",
    "Finding",
    "GameDraws",
    "LetOut",
    "LoggedDraw",
    "Moment",
    "Passed",
    "Pull",
    "RingReport",
    "Source",
    "Survey",
    "Tally",
    "bounds",
    "course",
    "discoveries",
    "e_value",
    "reports",
    "still_needed",
]
