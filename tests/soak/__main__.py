"""`python -m tests.soak`: a night of ten simulated games with eight devices: do used resources grow?

First 24 hours in simulated time, in this process; then the given number of
minutes in real time, with a service and a virtual ring as processes. Every
measurement is printed, and at the end a line for each resource. The status is 1
if one of them grows.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random

from tests.soak import handed_in, real_time
from tests.soak.course import Course

MINUTES, HOURS = 60.0, 24.0


def main() -> int:
    """Run both nights; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=MINUTES, help="minutes of real time (0: none)")
    parser.add_argument("--hours", type=float, default=HOURS, help="hours of simulated time (0: none)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    level = True
    for name, night, length in (("handed-in", handed_in.night, asked.hours), ("real", real_time.night, asked.minutes)):
        if length > 0:
            course = Course(partial(print, f"{name} time:", flush=True))
            with tempfile.TemporaryDirectory(prefix="soak-") as folder:
                night(Path(folder), length, course, Random(asked.seed))
            for verdict in course.verdicts():
                course.say(verdict)
            level = level and not course.risen()
    return 0 if level else 1


if __name__ == "__main__":
    sys.exit(main())
