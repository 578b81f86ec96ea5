"""Whether a ring, a bag or a tower favours some cubes: odds out of draws, sure whenever one looks."""

from companion.fairness.draws import LetOut, LoggedDraw, Source
from companion.fairness.evidence import Evidence, Pull
from companion.fairness.multiple import discoveries
from companion.fairness.outlook import still_needed
from companion.fairness.report import Finding, RingReport, finding, reports
from companion.fairness.sequence import ALPHA, Bounds, bounds, course, e_value

__all__ = [
    "ALPHA",
    "Bounds",
    "Evidence",
    "Finding",
    "LetOut",
    "LoggedDraw",
    "Pull",
    "RingReport",
    "Source",
    "bounds",
    "course",
    "discoveries",
    "e_value",
    "finding",
    "reports",
    "still_needed",
]
