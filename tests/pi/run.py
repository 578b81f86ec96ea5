"""Runs evenings on machines of their own: every scene gets a result, even if a machine hangs."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.pi.evenings import Evening, Scene, sentence
from tests.pi.house import House
from tests.pi.machine import Gone, Hardware, Machine, Otherwise, copied
from tests.pi.report import Result, Stop

TRIES = 2
EVENING_S = 2400.0
"""Timeout of an evening, on a machine whose processor is shared with other programs."""


class Run:
    """One run of evenings in *folder*, and its results so far."""

    def __init__(self, hardware: Hardware, folder: Path, keep: bool = False, evening_s: float = EVENING_S) -> None:
        self.results: list[Result] = []
        self.stops: list[Stop] = []
        self._hardware = hardware
        self._folder = folder
        self._keep = keep
        self._evening_s = evening_s
        self._on: list[Machine] = []
        self._over = False

    def play(self, evening: Evening, card: Path, kept: Path | None = None) -> None:
        """Run all scenes of *evening* on a machine with a copy of *card*; copy its card to *kept*, if given.

        If a machine hangs or ends, it is reported and its evening restarted once; scenes that can't run fail.
        """
        came: list[Result] = []
        for tried in range(1, TRIES + 1):
            came, stop = self._played(evening, card, kept)
            if stop is None or self._over:
                break
            self.stops.append(stop)
            more = "once more, from the beginning" if tried < TRIES else "its other scenes are not played"
            print(f"({stop.line()}; {more})\n{stop.console}", flush=True)
        self.results += came

    def skip(self, evening: Evening, why: str) -> None:
        """Record that *evening* isn't run, and why."""
        self.results += [Result(evening.name, sentence(each), False, why, 0.0) for each in evening.scenes]

    def end(self) -> None:
        """Kill every machine, so that an interrupted run ends at once and leaves none behind."""
        self._over = True
        for machine in self._on:
            machine.pull()

    @property
    def sound(self) -> bool:
        """Return whether every scene so far has passed."""
        return all(each.passed for each in self.results)

    def _played(self, evening: Evening, card: Path, kept: Path | None) -> tuple[list[Result], Stop | None]:
        """Run *evening* once; return a result for each of its scenes, and why its machine stopped, if it did."""
        came: list[Result] = []
        with self._machine(evening, card) as machine:
            try:
                _booted(evening, machine)
                for scene in evening.scenes:
                    came.append(_shown(evening, scene, House(machine)))
                if kept and all(each.passed for each in came):
                    machine.shut_down()
                    copied(machine.card, kept)
                return came, None
            except (Gone, Otherwise) as fault:
                return came + _missed(evening, came, str(fault)), _stop(evening, came, str(fault), machine)

    @contextmanager
    def _machine(self, evening: Evening, card: Path) -> Iterator[Machine]:
        lasts_s = self._evening_s * self._hardware.slower
        machine = Machine(self._hardware, self._folder / evening.name, card, lasts_s)
        self._on.append(machine)
        try:
            yield machine
        finally:
            machine.cut()
            self._on.remove(machine)
            if not self._keep:
                machine.card.unlink(missing_ok=True)


def _booted(evening: Evening, machine: Machine) -> None:
    began = time.monotonic()
    machine.boot()
    print(f"({evening.name}: its machine is up after {time.monotonic() - began:.0f} s)", flush=True)


def _shown(evening: Evening, scene: Scene, house: House) -> Result:
    """Run *scene*, print its result, and return it; raise `Gone` if the machine stops."""
    began = time.monotonic()
    try:
        passed, seen = True, scene(house)
    except Gone:
        raise
    except Otherwise as fault:
        passed, seen = False, str(fault)
    except Exception as fault:
        # An exception in a scene is one more failure; later scenes and evenings still run.
        passed, seen = False, "".join(traceback.format_exception(fault))
    result = Result(evening.name, sentence(scene), passed, seen, time.monotonic() - began)
    print(result.line(), flush=True)
    return result


def _missed(evening: Evening, came: list[Result], why: str) -> list[Result]:
    """Return results for the scenes during or before which a machine stopped."""
    first, *others = [sentence(scene) for scene in evening.scenes[len(came) :]] or [""]
    if not first:
        return []
    never = [Result(evening.name, each, False, "not played: its machine had stopped before it", 0.0) for each in others]
    return [Result(evening.name, first, False, why, 0.0), *never]


def _stop(evening: Evening, came: list[Result], why: str, machine: Machine) -> Stop:
    scenes = [sentence(scene) for scene in evening.scenes]
    during = scenes[len(came)] if machine.heard and len(came) < len(scenes) else ""
    return Stop(evening.name, during, why, machine.symptoms(), machine.console())
