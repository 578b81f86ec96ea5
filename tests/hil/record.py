"""The record of a run, as a hardware test bench gives it: each promise on each rung, kept, broken or not applicable."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from tests.hil.rungs import absent
from tests.hil.sitting import Sitting

SECTION = re.compile(r"test_(\d+)_")
KEPT, BROKEN, NOT_APPLICABLE = "kept", "broken", "not applicable"
RANK = (NOT_APPLICABLE, KEPT, BROKEN)
LEAST = ("memory free",)
MOST = ("memory used", "largest passage", "longest line")
FOLDER = Path("build") / "hil"
TRANSCRIPTS = "transcripts"
LONGEST_NAME = 100


def promise_of(item: pytest.Item, rung: str) -> dict[str, Any]:
    """Return what is on record of a test before it has run."""
    sentence = (item.function.__doc__ or "").strip().splitlines()[0]
    section = SECTION.match(Path(item.path).name)
    return {
        "rung": rung,
        "test": item.nodeid.replace(f"[{rung}-", "[").replace(f"[{rung}]", ""),
        "promise": sentence,
        "of": item.callspec.id.removeprefix(rung).removeprefix("-"),
        "section": int(section.group(1)) if section else 0,
        "place": item.location[1] or 0,
        "measured": [],
        "transcript": "",
        "stall_ms": 0.0,
        "facts": {},
    }


def facts_of(sitting: Sitting) -> dict[str, object]:
    """Return what a sitting has learnt of its ring."""
    hello = sitting.talk.hello
    facts: dict[str, object] = {"longest line": sitting.talk.longest}
    if hello is not None:
        known = {"firmware": hello.firmware, "protocol": hello.version, "device": hello.device}
        facts |= known | {"sensor": hello.sensor, "can": hello.abilities, "simulated": hello.simulated}
    sizes = [int(each.fields["parts"]) + 1 for each in sitting.events.values() if each.word == "pass"]
    return facts | ({"largest passage": max(sizes)} if sizes else {})


@dataclass
class RungRecord:
    """What one rung has shown in one run."""

    rung: str
    facts: dict[str, Any] = field(default_factory=dict)
    promises: dict[str, dict[str, Any]] = field(default_factory=dict)
    transcripts: dict[str, str] = field(default_factory=dict)

    def take(self, note: dict[str, Any], outcome: str, reason: str) -> None:
        """Take what one phase of a test has shown; the worst of its phases counts."""
        known = self.promises.setdefault(note["test"], {"outcome": NOT_APPLICABLE, "reason": ""})
        if RANK.index(outcome) >= RANK.index(known["outcome"]):
            known |= {"outcome": outcome, "reason": reason}
        known |= {key: note[key] for key in ("promise", "of", "section", "place", "measured", "stall_ms")}
        if outcome == BROKEN:
            self.transcripts[note["test"]] = note["transcript"]
            known["transcript"] = note["transcript"] and f"{TRANSCRIPTS}/{_file_name(self.rung, note['test'])}"
        self.learn(note["facts"])

    def count(self, outcome: str) -> int:
        """Return how many promises are *outcome*."""
        return sum(each["outcome"] == outcome for each in self.promises.values())

    def line(self) -> str:
        """Return the sum of it in one line."""
        text = f"hil {self.rung}: {self.count(KEPT)} promises kept, {self.count(BROKEN)} broken"
        text += f", {self.count(NOT_APPLICABLE)} not applicable"
        memory = f"; {self.facts['memory used']} bytes of memory in use" if "memory used" in self.facts else ""
        memory += f", {self.facts['memory free']} free at the worst moment" if "memory free" in self.facts else ""
        largest = f"; largest passage {self.facts['largest passage']} lines" if "largest passage" in self.facts else ""
        return text + memory + largest

    def json(self, made: str) -> dict[str, Any]:
        """Return it as JSON; *made* says when."""
        counts = {outcome: self.count(outcome) for outcome in (KEPT, BROKEN, NOT_APPLICABLE)}
        promises = sorted(self.promises.items(), key=lambda each: (each[1]["section"], each[1]["place"]))
        rows = [{"test": test, **row} for test, row in promises]
        return {"rung": self.rung, "made": made, "counts": counts, "facts": self.facts, "promises": rows}

    def learn(self, facts: dict[str, Any]) -> None:
        """Take what is known of the ring."""
        for name, value in facts.items():
            if name in self.facts and name in LEAST:
                value = min(value, self.facts[name])
            elif name in self.facts and name in MOST:
                value = max(value, self.facts[name])
            self.facts[name] = value


class Record:
    """A plugin that collects, from wherever the tests run, and writes files when they are over."""

    def __init__(self, config: pytest.Config) -> None:
        self._folder = Path(config.getoption("record") or config.rootpath / FOLDER)
        self._rungs: dict[str, RungRecord] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a test of the suite has shown."""
        note = dict(report.user_properties).get("hil")
        if note is None or (report.when != "call" and report.passed and not note["facts"]):
            return
        if report.when == "setup" and report.passed:
            return
        rung = self._rungs.setdefault(note["rung"], RungRecord(note["rung"]))
        if report.when == "teardown" and report.passed:
            rung.learn(note["facts"])  # what a test has shown is told by its call: one that was left out kept nothing
            return
        outcome = {"passed": KEPT, "failed": BROKEN}.get(report.outcome, NOT_APPLICABLE)
        rung.take(note, outcome, _reason(report))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Write the record, and say in a line for each rung what is in it."""
        if not self._rungs:
            return
        write(self._folder, self._rungs.values(), time.strftime("%Y-%m-%d %H:%M:%S"))
        terminalreporter.section("conformance of rings", sep="-")
        for rung in self._rungs.values():
            terminalreporter.line(rung.line(), red=rung.count(BROKEN) > 0, green=rung.count(BROKEN) == 0)
        for name, why in absent().items():
            terminalreporter.line(f"hil {name}: not run. {why}")
        terminalreporter.line(f"the record: {self._folder / 'index.html'}")


def write(folder: Path, rungs: Iterable[RungRecord], made: str) -> None:
    """Write a JSON file and a page for each rung, and one page that has all that lie in *folder* side by side."""
    from tests.hil.sheet import index, sheet

    skipped = absent()

    folder.mkdir(parents=True, exist_ok=True)
    for rung in rungs:
        write_transcripts(folder, rung)
        if ":" in rung.rung:  # with a fault switched on, or another sensor: no record of that rung
            continue
        (folder / f"{rung.rung}.json").write_text(json.dumps(rung.json(made), indent=1), encoding="utf-8")
        skipped.pop(rung.rung, None)
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    lying = [each for each in found if "rung" in each]  # figures of the edges may lie beside them
    for each in lying:
        (folder / f"{each['rung']}.html").write_text(sheet(each), encoding="utf-8")
    (folder / "index.html").write_text(index(lying, skipped), encoding="utf-8")


def write_transcripts(folder: Path, rung: RungRecord) -> None:
    """Write what went over the wire of *rung* for each promise broken in this run; those of its last run go."""
    lying = folder / TRANSCRIPTS
    lying.mkdir(exist_ok=True)
    for old in lying.glob(f"{_plain(rung.rung)}.*.log"):
        old.unlink()
    for test, text in rung.transcripts.items():
        if text:  # nothing went over the wire of a rung that could not be had
            (lying / _file_name(rung.rung, test)).write_text(text, encoding="utf-8")


def _file_name(rung: str, test: str) -> str:
    """Return the name of the transcript of *test*, without a sign that some file system refuses."""
    path, _, name = test.partition("::")
    return f"{_plain(rung)}.{_plain(Path(path).stem)}.{_plain(name)[:LONGEST_NAME]}-{crc32(test.encode()):08x}.log"


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-")


def _reason(report: pytest.TestReport) -> str:
    if report.skipped and isinstance(report.longrepr, tuple):
        return str(report.longrepr[2]).removeprefix("Skipped: ")
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(crash.message if crash else report.longrepr or "").splitlines()[0] if report.failed else ""
