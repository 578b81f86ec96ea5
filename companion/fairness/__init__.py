"""Whether a ring, a bag or a tower favours some cubes: odds out of draws, and how sure one may be whenever one looks."""

from companion.fairness.evidence import Evidence, Pull
from companion.fairness.multiple import discoveries
from companion.fairness.outlook import still_needed
from companion.fairness.sequence import ALPHA, Bounds, bounds, course, e_value

__all__ = [
    "ALPHA",
    "Bounds",
    "Evidence",
    "Pull",
    "bounds",
    "course",
    "discoveries",
    "e_value",
    "still_needed",
]
