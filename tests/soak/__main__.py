"""`python -m tests.soak`: a night of ten games by simulated hands, eight devices looking on; is what is held level?

First on handed-in time, 24 hours in this process; then on real time for as
many minutes as are asked for, with a service and a virtual ring as processes.
Every look is printed, and at the end a line for each measure. The status is 1
when one of them rises.
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
    """Let both nights pass; return the exit status."""
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
