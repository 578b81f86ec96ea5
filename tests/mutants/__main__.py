"""`make mutants`: plants faults, one at a time, in a copy of this checkout, and reports whether the tests catch each.

Prints a table with the result, the time and the failed test of each mutant. The status is 1 if a mutant survives,
or if its old text isn't in the sources any more.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue

from tests.mutants.catalogue import Mutant, chosen, mutants
from tests.mutants.hunting import Fate, Found, hunted
from tests.mutants.sandbox import Sandbox, versioned

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 900.0


@contextmanager
def sandboxes(jobs: int) -> Iterator[SimpleQueue[Sandbox]]:
    """Make *jobs* copies of the checkout; end the program if one would import code from outside of its copy."""
    ready: SimpleQueue[Sandbox] = SimpleQueue()
    files = versioned(ROOT)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for job in range(jobs):
            sandbox = Sandbox(ROOT, files, Path(folder).resolve() / str(job))
            if strangers := sandbox.strangers():
                sys.exit(f"The copy would run code from elsewhere: {', '.join(strangers)}")
            ready.put(sandbox)
        yield ready


def told(found: Found) -> str:
    """Return the mutant's line of the table; for one that wasn't caught, it includes what a player would notice."""
    line = f"{found.mutant.name:34} {found.fate:9} {found.seconds:6.1f} s  {found.by}"
    return line if found.fate is Fate.CAUGHT else f"{line}\n{'':34} {found.mutant.notice}"


def hunt(wanted: tuple[Mutant, ...], jobs: int, patience_s: float, whole: bool) -> list[Found]:
    """Test all mutants in *wanted*, *jobs* at a time, and print each result as soon as it is known."""
    pool = ThreadPoolExecutor(jobs)
    with sandboxes(jobs) as ready:

        def one(mutant: Mutant) -> Found:
            sandbox = ready.get()
            found = hunted(mutant, sandbox, patience_s, whole)
            ready.put(sandbox)
            print(told(found), flush=True)
            return found

        try:
            return list(pool.map(one, wanted))
        finally:
            pool.shutdown(cancel_futures=True)  # on Ctrl-C, wait only for the tests that are running


def main() -> int:
    """Test the mutants given on the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="names of mutants or rooms (default: all)")
    parser.add_argument("--jobs", type=int, default=1, help="number of mutants at a time, each in its own copy")
    parser.add_argument(
        "--patience", type=float, default=PATIENCE_S, metavar="SECONDS", help="time limit for one run of pytest"
    )
    parser.add_argument("--whole", action="store_true", help="run every test before a mutant counts as survived")
    parser.add_argument("--list", action="store_true", help="list the mutants and apply none")
    asked = parser.parse_args()
    try:
        wanted = chosen(mutants(), asked.names)
    except KeyError as fault:
        parser.error(f"there's no mutant and no room called {fault}")
    if asked.list:
        print(*(f"{each.name:34} {each.room:12} {each.notice}" for each in wanted), sep="\n")
        return 0
    found = hunt(wanted, asked.jobs, asked.patience, asked.whole)
    caught = sum(each.fate is Fate.CAUGHT for each in found)
    print(f"{caught} of {len(found)} caught, in {sum(each.seconds for each in found):.0f} s")
    return 0 if caught == len(found) else 1


if __name__ == "__main__":
    sys.exit(main())
