"""Evenings with power cuts: a real service, a virtual ring, and simulated players."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from companion.app.data_folder import LEDGER
from tests.companion.app.processes import Service, VirtualRing
from tests.forkserver.process import Forked
from tests.generations.opened import unpacked
from tests.powercut.hands import Hands
from tests.powercut.shown import Left, Shown, looked_at, passages_of, rows_of
from tests.powercut.storage import Cut, Storage

PATIENCE_S = 60.0
NEWS_S = 0.5
SLIDES: list[dict[str, object]] = [{"wait_for": "armed"}, {"slide": 1}] * 5_000
OF_THE_RING = re.compile(r"companion: (The ring|No ring|Nothing on) .*")
"""Log lines about a ring that was slow to answer, which are not faults of the storage."""
MOST_DEEDS = 25
STOPS = 0.3
"""The probability that an evening ends in order before the power cut."""


@dataclass(frozen=True)
class Moment:
    """The moment of a power cut: at operation number *after* of the disk's operations whose names match *what*.

    They are counted from the start of the service if *early*, otherwise from when it is running.
    """

    what: str
    after: int
    done: bool
    early: bool


@dataclass(frozen=True)
class Outcome:
    """One power cut: the action during it, the cut itself, and the state of the disk after it."""

    doing: str
    cut: Cut
    left: Left


class Evening:
    """One data folder over many power cuts."""

    def __init__(
        self, storage: Storage, folder: Path, lots: Random, ring: bool, slides: Sequence[Mapping[str, object]] = SLIDES
    ) -> None:
        self.storage, self.folder, self.lots = storage, folder, lots
        self.data = storage.path / "data"
        self._first = unpacked("five-games", folder / "first")
        calibration = self._first / "out" / "calibration.json"
        self.shown = Shown()
        self.hands = Hands(self.shown, lots, self.data, storage.path / "backups", calibration, ring)
        self.ring = VirtualRing(folder, slides, lots.randrange(1000)) if ring else None
        self._doing = ""
        self._service: Service | None = None
        self._begun: list[Forked] = []
        self.passages = 0
        self._complaints_read = 0
        self._ignored: set[tuple[str, int]] = set()

    def begin_older(self) -> None:
        """Begin with the data folder of an older program, which is migrated at the start."""
        self.storage.begin()
        shutil.copytree(self._first / "data", self.data, copy_function=shutil.copyfile)
        for path in (self.data, *self.data.rglob("*")):
            path.chmod(0o700 if path.is_dir() else 0o600)
        self.storage.cut(0, share=1.0)
        self.shown.settle(self._left())

    def life(self, moment: Moment) -> Outcome:
        """Continue the evening until the power fails at *moment* or a little later, and check the disk."""
        self.storage.begin()
        try:
            self._live(moment)
        except Exception:
            # After a power cut, any exception is expected: the service is gone.
            if not self.storage.failed():
                raise
        cut = self.storage.cut(self.lots.getrandbits(32))
        self._bury()
        left = self._left()
        left = replace(left, faults=[*left.faults, *self._complaints()])
        self.shown.settle(left)
        return Outcome(self._doing if cut.moment else "nothing", cut, left)

    def finish(self, moves: int = 0) -> list[str]:
        """Play *moves* more moves, wait for the ring, stop the service normally, and return the faults found."""
        self.storage.begin()
        self._doing = "start"
        service = self._begin()
        while moves > 0 or (self.ring is not None and self.hands.waits_for_the_ring()):
            self.hands.do("move", service, self._program)
            moves -= 1
        # A cube may leave just before the ring is disarmed: all cubes that left until now must be stored.
        let_out = self._passages()
        self._hear_out(service, let_out)
        self._stop()
        self.storage.cut(self.lots.getrandbits(32))
        left = self._left()
        self.shown.settle(left)
        self.passages = len(left.passages)
        lost = let_out - self._ignored - set(left.passages)
        unheard = [f"lost: the ring let {len(lost)} out that are not kept"] * bool(lost)
        return [*left.faults, *self._complaints(), *unheard]

    def close(self) -> None:
        """End the ring's process."""
        if self.ring is not None:
            self.ring.end()

    # Inside

    def _hear_out(self, service: Service, let_out: set[tuple[str, int]]) -> None:
        """Wait until the service has stored all passages in *let_out*, up to a time limit."""
        until = time.monotonic() + PATIENCE_S
        while not let_out - self._ignored <= set(passages_of(self.data / LEDGER)) and time.monotonic() < until:
            with closing(service.news(NEWS_S)) as news, suppress(TimeoutError):
                news.version()  # the present version
                news.version()

    def _live(self, moment: Moment) -> None:
        self._doing = "start"
        _make_folder(self.storage.path / "backups")
        if moment.early:
            self._arm(moment)
        service = self._begin()
        if not moment.early:
            self._arm(moment)
        for _ in range(self.lots.randrange(1, MOST_DEEDS)):
            self._doing = self.hands.deed()
            self.hands.do(self._doing, service, self._program)
        if self.lots.random() < STOPS:
            self._doing = "stop"
            self._stop()
            self._doing = "restore"
            self._restore()
            self._doing = "start"
            self._begin()

    def _arm(self, moment: Moment) -> None:
        self.storage.arm(moment.what, moment.after, moment.done)

    def _begin(self) -> Service:
        self._service = Service(self.data, self.ring.path if self.ring else "none", "--no-mdns", begun=self._watch)
        self.hands.began(self._service)
        return self._service

    def _stop(self) -> None:
        assert self._service is not None
        assert self._service.stop() == 0
        self._ended(self._begun[0])

    def _restore(self) -> None:
        """Restore a backup as the ledger."""
        if not self.shown.backups:
            return
        name = self.lots.choice(self.shown.backups)
        copy = Path(shutil.copy(self.storage.path / "backups" / name, self.folder / "restored.sqlite"))
        now = self.shown
        now.instead = Shown(rows=rows_of(copy), files=now.files, backups=now.backups, aside=now.rows)
        self._program("restore", self.storage.path / "backups" / name, "--data", self.data)
        now.become(now.instead)
        self._ignored |= self._passages()  # the ring has deleted them, since they were acknowledged before

    def _program(self, *words: object) -> str:
        process = Forked("companion", *words)
        self._watch(process)
        said, complained = process.communicate(timeout=PATIENCE_S)
        assert process.wait() == 0, complained
        self._ended(process)
        return said

    def _watch(self, process: Forked) -> None:
        self._begun.append(process)
        self.storage.watch(process.pid)

    def _ended(self, process: Forked) -> None:
        self.storage.forget(process.pid)
        process.close()
        self._begun.remove(process)

    def _bury(self) -> None:
        for process in self._begun:
            process.close()
        self._begun.clear()

    def _passages(self) -> set[tuple[str, int]]:
        """Return the passages that really left the ring."""
        told = self.ring.truth() if self.ring is not None else []
        return {(each["boot"], each["seq"]) for each in told if each["kind"] == "out"}

    def _complaints(self) -> list[str]:
        """Return the new error messages in the standard error file, if there is one."""
        path = self.folder / "complaints"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        new, self._complaints_read = text[self._complaints_read :], len(text)
        return [f"said: {line}" for line in new.splitlines() if line.strip() and not OF_THE_RING.match(line)]

    def _left(self) -> Left:
        image = self.folder / "left"
        self.storage.lay(image)
        try:
            return looked_at(image, self.shown)
        finally:
            shutil.rmtree(image)


def _make_folder(path: Path) -> None:
    """Make a folder, and sync it."""
    path.mkdir(exist_ok=True)
    parent = os.open(path.parent, os.O_RDONLY)
    os.fsync(parent)
    os.close(parent)
