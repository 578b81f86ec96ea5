"""A bench test at a terminal: print how to fill the ring, ask for each pull, and save each answer at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import BinaryIO

from companion.fairness.bench import BadBench, BenchTest
from companion.fairness.bench_record import written

HOW = """For each pull, type the seconds of shaking and the number of the cube that came out: `4 7`.
If two came out at once, type both: `4 7 3`.
`undo` removes the last pull, `fill` starts a new filling, `end` ends the test."""


class RecordedTest:
    """A bench test whose lines are saved on the disk before they count."""

    def __init__(self, test: BenchTest, file: BinaryIO | None, fresh: bool = True) -> None:
        """Continue *test*, and append its lines to *file*, if given.

        If the test is *fresh*, its header line is written first.
        """
        self.test, self._file = test, file
        if fresh:
            self._keep(test.bench.line())

    def take(self, line: Mapping[str, object]) -> None:
        """Add and save *line*, or raise `BadBench` and save nothing."""
        following = self.test.after(line)
        self._keep(line)
        self.test = following

    def _keep(self, line: Mapping[str, object]) -> None:
        if self._file is not None:
            self._file.write(written(line).encode())
            self._file.flush()
            os.fsync(self._file.fileno())


class BenchDialogue:
    """The dialogue with one person at the bench. *answers* are typed lines; *say* prints a line."""

    def __init__(
        self, recorded: RecordedTest, answers: Iterator[str], say: Callable[[str], None], lots: Random
    ) -> None:
        self._recorded, self._answers, self._say, self._lots = recorded, answers, say, lots

    def hold(self, pulls: int | None, each: int) -> None:
        """Ask until there are *pulls* pulls (None means until the answers end).

        The ring is refilled after every *each* pulls.
        """
        self._say(_numbered(self._recorded.test))
        self._say(HOW)
        self._fill()
        while pulls is None or len(self._recorded.test.pulls) < pulls:
            if not self._recorded.test.left or self._recorded.test.of_this_filling >= each:
                self._fill()
            self._say(f"Pull {len(self._recorded.test.pulls) + 1}, seconds and number:")
            answer = next(self._answers, "end").strip().lower()
            if answer == "end":
                return
            try:
                self._take(answer)
            except BadBench as fault:
                self._say(f"Not recorded: {fault}.")

    def _fill(self) -> None:
        numbers = self._recorded.test.bench.numbers
        order = self._lots.sample(numbers, len(numbers))
        self._recorded.take({"fill": order})
        text = " ".join(map(str, order))
        self._say(f"Filling {self._recorded.test.fillings}: put in all cubes, one after another, in this order: {text}")

    def _take(self, answer: str) -> None:
        if answer == "fill":
            self._fill()
        elif answer == "undo":
            self._recorded.take({"strike": True})
        else:
            self._recorded.take(_pull(answer))


def _pull(answer: str) -> dict[str, object]:
    """Return the line of the record for the typed *answer*, or raise `BadBench`."""
    seconds, *numbers = answer.replace(",", ".").split() or [""]
    try:
        return {"pull": [int(number) for number in numbers], "shaken_s": float(seconds)}
    except ValueError:
        raise BadBench("type seconds and a number, for example `4 7`") from None


def _numbered(test: BenchTest) -> str:
    """Return the numbers of the cubes of each kind as text."""
    cubes = test.bench.cubes
    kinds = {kind: [number for number in test.bench.numbers if test.bench.kind(number) == kind] for kind in cubes}
    return "Number the cubes: " + "; ".join(f"{kind} {' '.join(map(str, own))}" for kind, own in kinds.items()) + "."
