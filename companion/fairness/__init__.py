"""Test whether a ring, a bag or a tower favours some cubes. Odds are estimated from draws.

The results remain valid even if they are looked at after every draw (see `sequence`).
"""

from companion.fairness.draws import CubeSource, GameDraws, LetOut, LoggedDraw, Passed
from companion.fairness.evidence import Evidence, Pull
from companion.fairness.multiple_testing import discoveries
from companion.fairness.report import NOTICEABLE, FairnessFinding, RingReport, Survey, reports, still_needed
from companion.fairness.sequential_test import ALPHA, Bounds, SequenceMoment, bounds, course, e_value
from companion.fairness.tally import Tally

__all__ = [
    "ALPHA",
    "NOTICEABLE",
    "Bounds",
    "CubeSource",
    "Evidence",
    "FairnessFinding",
    "GameDraws",
    "LetOut",
    "LoggedDraw",
    "Passed",
    "Pull",
    "RingReport",
    "SequenceMoment",
    "Survey",
    "Tally",
    "bounds",
    "course",
    "discoveries",
    "e_value",
    "reports",
    "still_needed",
]
