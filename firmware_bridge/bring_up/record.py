"""The record of a bring-up: the outcome of each step, saved after each step."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.kernel.atomic_file import write_whole
from companion.kernel.errors import Malformed
from companion.kernel.text_file import read_text
from firmware_bridge.conformance.result import ConformanceResult
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.protocol.messages import Hello

FORMAT = 1


@dataclass(frozen=True)
class StepOutcome:
    """The outcome of one step: its results or why it was skipped, a note, and the time."""

    at: str
    results: tuple[ConformanceResult, ...] = ()
    skipped: str = ""
    note: str = ""

    @property
    def passed(self) -> bool:
        """True if all values are within their limits."""
        return bool(self.results) and all(result.passed for result in self.results)

    @property
    def settled(self) -> bool:
        """True if the step need not be repeated."""
        return self.passed or bool(self.skipped)

    def line(self) -> dict[str, object]:
        """Return the outcome as a JSON object."""
        results = [result.line() for result in self.results]
        return {"at": self.at, "results": results, "left_out": self.skipped, "note": self.note}


@dataclass
class BenchRecord:
    """The record of one ring's bring-up. *outcomes* are keyed by the names of the steps."""

    device: str = ""
    firmware: str = ""
    simulated: bool = False
    outcomes: dict[str, StepOutcome] = field(default_factory=dict)

    def is_of(self, hello: Hello) -> None:
        """Set the ring to which this record belongs. Raise InputError if the record already belongs to another ring."""
        if self.device and self.device != hello.device:
            raise InputError(f"--record: this record is of ring {self.device}, but this ring is {hello.device}.")
        self.device, self.firmware, self.simulated = hello.device, hello.firmware, hello.simulated

    def line(self) -> dict[str, object]:
        """Return the record as a JSON object."""
        steps = {name: outcome.line() for name, outcome in self.outcomes.items()}
        head = {"bench_hour": FORMAT, "device": self.device, "firmware": self.firmware, "simulated": self.simulated}
        return {**head, "steps": steps}


def write_record(path: Path, record: BenchRecord) -> None:
    """Write *record* to *path* atomically."""
    try:
        write_whole(path, json.dumps(record.line(), indent=1) + "\n")
    except OSError as fault:
        raise InputError(f"--record: {path}: {fault.strerror or fault}") from None


def read_record(path: Path) -> BenchRecord:
    """Return the record at *path*, or an empty one if the file does not exist. Raise InputError if it is malformed."""
    try:
        text = read_text(path)
    except FileNotFoundError:
        return BenchRecord()
    except (OSError, Malformed) as fault:
        raise InputError(f"--record: {path}: {getattr(fault, 'strerror', None) or fault}") from None
    try:
        line: Any = json.loads(text)
        if line["bench_hour"] != FORMAT:
            raise ValueError(f"format {line['bench_hour']}")
        outcomes = {str(name): _outcome(each) for name, each in line["steps"].items()}
        return BenchRecord(str(line["device"]), str(line["firmware"]), bool(line["simulated"]), outcomes)
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise InputError(f"--record: {path} isn't a record of a bench hour ({fault}).") from None


def _outcome(line: Mapping[str, Any]) -> StepOutcome:
    return StepOutcome(line["at"], tuple(map(_result, line["results"])), line["left_out"], line["note"])


def _result(line: Mapping[str, Any]) -> ConformanceResult:
    value = float("inf") if line["value"] is None else float(line["value"])
    return ConformanceResult(str(line["name"]), value, float(line["limit"]), str(line["unit"]), str(line["bound"]))
