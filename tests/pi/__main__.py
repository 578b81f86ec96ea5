"""`make pi-test`: boots real kernels in virtual machines, installs the companion on them, and plays scenes.

Prints what each scene came to, and leaves it as a page in build/pi. The status is 1 when one fails.
"""

from __future__ import annotations

import argparse
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from tests.pi.evenings import EVENINGS, FIRST, Evening, Scene, sentence
from tests.pi.house import House
from tests.pi.image import image
from tests.pi.kernel import kernel
from tests.pi.machine import Gone, Hung, Machine, Otherwise, copied
from tests.pi.package import offered
from tests.pi.report import Result, Whole
from tests.pi.uml import UserMode

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "pi"
TRIES = 2


class Run:
    """One run of evenings, and what came of it so far."""

    def __init__(self, hardware: UserMode, keep: bool) -> None:
        self.results: list[Result] = []
        self._hardware = hardware
        self._keep = keep
        self._on: list[Machine] = []
        self._over = False

    def play(self, evening: Evening, card: Path, kept: Path | None = None) -> None:
        """Play all scenes of *evening* on a machine with a copy of *card*; where that is wanted, keep its card."""
        began = time.monotonic()
        why = ""
        for _ in range(TRIES):
            try:
                self.results += self._played(evening, card, kept)
                return
            except (Gone, Otherwise) as fault:
                # On a machine that is busy with much else a simulated chip can take all the time that a kernel gets.
                if self._over:
                    return
                print(f"({evening.name}: {fault}; once more, from the beginning)", flush=True)
                why = str(fault)
        lives = f"The machine of “{evening.name}” lives through its evening."
        self.results.append(Result(evening.name, lives, False, why, time.monotonic() - began))

    def end(self) -> None:
        """Pull every plug: whoever ended this is not to wait, and leaves no machine behind."""
        self._over = True
        for machine in self._on:
            machine.pull()

    @property
    def sound(self) -> bool:
        """Whether every scene so far has passed."""
        return all(each.passed for each in self.results)

    def _played(self, evening: Evening, card: Path, kept: Path | None) -> list[Result]:
        machine = Machine(self._hardware, BUILD / "machines" / evening.name, card)
        self._on.append(machine)
        try:
            self._first(machine, evening)
            results = [_shown(evening, scene, House(machine)) for scene in evening.scenes]
            if kept:
                machine.shut_down()
                copied(machine.card, kept)
            return results
        finally:
            machine.cut()
            self._on.remove(machine)
            if not self._keep:
                machine.card.unlink(missing_ok=True)

    def _first(self, machine: Machine, evening: Evening) -> None:
        began = time.monotonic()
        machine.boot()
        took = f"{time.monotonic() - began:.0f} s"
        print(f"({evening.name}: its machine is up after {took})", flush=True)


def _shown(evening: Evening, scene: Scene, house: House) -> Result:
    """Play *scene*, say what it came to, and return that."""
    began = time.monotonic()
    try:
        passed, seen = True, scene(house)
    except Hung:
        raise
    except (Otherwise, Gone) as fault:
        passed, seen = False, str(fault)
    result = Result(evening.name, sentence(scene), passed, seen, time.monotonic() - began)
    print(result.line(), flush=True)
    return result


class Clock:
    """How long each preparation took."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.took: list[tuple[str, float]] = []

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Note how long what is done here takes."""
        began = time.monotonic()
        yield
        self.took.append((name, time.monotonic() - began))
        print(f"({name}: {self.took[-1][1]:.0f} s)", flush=True)


def prepared(clock: Clock, asked: argparse.Namespace) -> tuple[UserMode, Path]:
    """Have kernel, card and package, built where they are not kept; return the hardware and the bare card."""
    asked.cache.mkdir(parents=True, exist_ok=True)
    share = BUILD / "share"
    shutil.rmtree(share, ignore_errors=True)
    shutil.copytree(Path(__file__).parent / "guest", share)
    shutil.copy(ROOT / "hardware" / "console.toml", share)
    with clock.timed("kernel"):
        built = kernel(asked.cache)
    with clock.timed("card"):
        card = image(asked.cache)
    with clock.timed("package"):
        offered(tuple(asked.package or ()), share)
    for module in built.modules:
        shutil.copy(module, share)
    return UserMode(built, share), card


def played(run: Run, wanted: tuple[Evening, ...], bare: Path, jobs: int) -> None:
    """Install, unless that is kept from before and was not asked for; then play the others, *jobs* at a time."""
    installed = BUILD / "installed.ext4"
    if FIRST in wanted or not installed.exists():
        run.play(FIRST, bare, installed)
    if run.sound:
        with ThreadPoolExecutor(jobs) as pool:
            others = [each for each in wanted if each != FIRST]
            coming = [pool.submit(run.play, evening, installed) for evening in others]
            try:
                for each in coming:
                    each.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                run.end()
                raise


def main() -> int:
    """Play the evenings that are asked for; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.pi", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="EVENING", help="all without any")
    parser.add_argument("--list", action="store_true", help="say what there is, and boot nothing")
    parser.add_argument("--package", type=Path, action="append", metavar="DEB", help="the first, then the next one")
    parser.add_argument("--cache", type=Path, default=BUILD / "cache", help="where kernel and card are kept")
    parser.add_argument("--keep", action="store_true", help="keep the machines' cards, to look at them")
    parser.add_argument("--jobs", type=int, default=2, help="how many machines at a time")
    asked = parser.parse_args()
    every = (FIRST, *EVENINGS)
    if asked.list:
        print(*(f"{each.name:10} {sentence(scene)}" for each in every for scene in each.scenes), sep="\n")
        return 0
    if strange := set(asked.names) - {each.name for each in every}:
        parser.error(f"no evening is called {', '.join(sorted(strange))}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended before its end"))
    clock = Clock()
    hardware, bare = prepared(clock, asked)
    run = Run(hardware, asked.keep)
    played(run, tuple(each for each in every if not asked.names or each.name in asked.names), bare, asked.jobs)
    whole = Whole(hardware.name, tuple(clock.took), tuple(run.results), time.monotonic() - clock.began)
    print(f"{whole.summary}\nThe report: {whole.write(BUILD)}")
    return 0 if run.sound else 1


if __name__ == "__main__":
    sys.exit(main())
