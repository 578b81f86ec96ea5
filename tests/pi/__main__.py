"""`make pi-test`: boots real kernels in virtual machines, installs the companion on them, and runs scenes.

Prints the result of each scene, and writes a page with all of them to build/pi. The status is 1 if one fails.
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

from tests.pi.evenings import EVENINGS, FIRST, Evening, sentence
from tests.pi.image import image
from tests.pi.kernel import kernel
from tests.pi.machine import Hardware
from tests.pi.package import offered
from tests.pi.qemu import Qemu, computer
from tests.pi.report import Whole
from tests.pi.run import Run
from tests.pi.uml import UserMode

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "pi"
REPORTS = {"uml": BUILD / "index.html", "qemu": BUILD / "qemu.html"}


class Clock:
    """Measures the duration of each preparation."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.took: list[tuple[str, float]] = []

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Measure the duration of the code inside this context."""
        began = time.monotonic()
        yield
        self.took.append((name, time.monotonic() - began))
        print(f"({name}: {self.took[-1][1]:.0f} s)", flush=True)


def prepared(clock: Clock, asked: argparse.Namespace) -> tuple[Hardware, Path]:
    """Build kernel, card and package unless they are cached; return the hardware and the bare card."""
    asked.cache.mkdir(parents=True, exist_ok=True)
    share = BUILD / "share"
    shutil.rmtree(share, ignore_errors=True)
    shutil.copytree(Path(__file__).parent / "guest", share)
    shutil.copy(ROOT / "hardware" / "console.toml", share)
    with clock.timed("kernel"):
        hardware = MACHINES[asked.machine](asked.cache, share)
    with clock.timed("card"):
        card = image(asked.cache)
    with clock.timed("package"):
        offered(tuple(asked.package or ()), share)
    return hardware, card


def user_mode(cache: Path, share: Path) -> Hardware:
    """Return user-mode Linux as the machine, and copy its modules into *share*."""
    built = kernel(cache)
    for module in built.modules:
        shutil.copy(module, share)
    return UserMode(built, share)


def qemu(cache: Path, share: Path) -> Hardware:
    """Return QEMU."""
    return Qemu(computer(cache), share)


MACHINES = {"uml": user_mode, "qemu": qemu}


def played(run: Run, wanted: tuple[Evening, ...], bare: Path, jobs: int) -> None:
    """Install the package unless a card with it is cached; then run the other *wanted* evenings, *jobs* at a time."""
    installed = BUILD / "installed.ext4"
    if FIRST in wanted or not installed.exists():
        run.play(FIRST, bare, installed)
    others = [each for each in wanted if each != FIRST]
    if not run.sound:
        for each in others:
            run.skip(each, "not played: the package was not installed as it should be")
    else:
        with ThreadPoolExecutor(jobs) as pool:
            coming = [pool.submit(run.play, evening, installed) for evening in others]
            try:
                for each in coming:
                    each.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                run.end()
                raise


def main() -> int:
    """Run the evenings given on the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.pi", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="EVENING", help="evenings to play (default: all)")
    parser.add_argument("--machine", choices=MACHINES, default="uml", help="user-mode Linux, or QEMU with fewer parts")
    parser.add_argument("--list", action="store_true", help="list the evenings and boot nothing")
    parser.add_argument(
        "--package", type=Path, action="append", metavar="DEB", help="package to install; a second one is the update"
    )
    parser.add_argument(
        "--cache", type=Path, default=BUILD / "cache", help="folder for the kernel and the card between runs"
    )
    parser.add_argument("--keep", action="store_true", help="don't delete the machines' cards, to inspect them")
    parser.add_argument("--jobs", type=int, default=2, help="number of machines at a time")
    asked = parser.parse_args()
    every = (FIRST, *EVENINGS)
    if asked.list:
        print(*(f"{each.name:10} {sentence(scene)}" for each in every for scene in each.scenes), sep="\n")
        return 0
    if strange := set(asked.names) - {each.name for each in every}:
        parser.error(f"there's no evening called {', '.join(sorted(strange))}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended before its end"))
    clock = Clock()
    hardware, bare = prepared(clock, asked)
    run = Run(hardware, BUILD / "machines", asked.keep)
    wanted = asked.names or [each.name for each in every if each.name not in hardware.lacks]
    played(run, tuple(each for each in every if each.name in wanted), bare, asked.jobs)
    took = time.monotonic() - clock.began
    report = Whole(hardware.name, tuple(clock.took), tuple(run.results), took, tuple(run.stops))
    print(f"{report.summary}\nThe report: {report.write(REPORTS[asked.machine])}")
    return 0 if run.sound else 1


if __name__ == "__main__":
    sys.exit(main())
