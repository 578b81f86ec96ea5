"""The record of a run, as a test bench gives it: each promise on each rung, *kept*, broken or not applicable."""

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
    """Return what is recorded of a test before it runs."""
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
    """Return what a host has learnt about its ring."""
    hello = sitting.talk.hello
    facts: dict[str, object] = {"longest line": sitting.talk.longest}
    if hello is not None:
        known = {"firmware": hello.firmware, "protocol": hello.version, "device": hello.device}
        facts |= known | {"sensor": hello.sensor, "can": hello.abilities, "simulated": hello.simulated}
    sizes = [int(each.fields["parts"]) + 1 for each in sitting.events.values() if each.word == "pass"]
    return facts | ({"largest passage": max(sizes)} if sizes else {})


@dataclass
class RungRecord:
    """The results of one rung in one run."""

    rung: str
    facts: dict[str, Any] = field(default_factory=dict)
    promises: dict[str, dict[str, Any]] = field(default_factory=dict)
    transcripts: dict[str, str] = field(default_factory=dict)

    def take(self, note: dict[str, Any], outcome: str, reason: str) -> None:
        """Add the result of one phase of a test. The worst of its phases counts."""
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
        """Return a summary in one line."""
        text = f"hil {self.rung}: {self.count(KEPT)} promises kept, {self.count(BROKEN)} broken"
        text += f", {self.count(NOT_APPLICABLE)} not applicable"
        memory = f"; {self.facts['memory used']} bytes of memory in use" if "memory used" in self.facts else ""
        memory += f", {self.facts['memory free']} free at the worst moment" if "memory free" in self.facts else ""
        largest = f"; largest passage {self.facts['largest passage']} lines" if "largest passage" in self.facts else ""
        return text + memory + largest

    def json(self, made: str) -> dict[str, Any]:
        """Return the record as JSON. *made* is its date and time."""
        counts = {outcome: self.count(outcome) for outcome in (KEPT, BROKEN, NOT_APPLICABLE)}
        promises = sorted(self.promises.items(), key=lambda each: (each[1]["section"], each[1]["place"]))
        rows = [{"test": test, **row} for test, row in promises]
        return {"rung": self.rung, "made": made, "counts": counts, "facts": self.facts, "promises": rows}

    def learn(self, facts: dict[str, Any]) -> None:
        """Add facts about the ring. Of memory and sizes the worst value counts."""
        for name, value in facts.items():
            if name in self.facts and name in LEAST:
                value = min(value, self.facts[name])
            elif name in self.facts and name in MOST:
                value = max(value, self.facts[name])
            self.facts[name] = value


class Record:
    """A pytest plugin that collects results from all workers and writes the record at the end."""

    def __init__(self, config: pytest.Config) -> None:
        self._folder = Path(config.getoption("record") or config.rootpath / FOLDER)
        self._rungs: dict[str, RungRecord] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the result of a test of the suite."""
        note = dict(report.user_properties).get("hil")
        if note is None or (report.when != "call" and report.passed and not note["facts"]):
            return
        if report.when == "setup" and report.passed:
            return
        rung = self._rungs.setdefault(note["rung"], RungRecord(note["rung"]))
        if report.when == "teardown" and report.passed:
            rung.learn(note["facts"])  # its result was recorded after its call
            return
        outcome = {"passed": KEPT, "failed": BROKEN}.get(report.outcome, NOT_APPLICABLE)
        rung.take(note, outcome, _reason(report))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Write the record, and print one line for each rung."""
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
    """Write a JSON file and a page for each rung, and a page that compares all rungs in *folder*."""
    from tests.hil.sheet import index, sheet

    skipped = absent()

    folder.mkdir(parents=True, exist_ok=True)
    for rung in rungs:
        write_transcripts(folder, rung)
        if ":" in rung.rung:  # A fault is switched on, or the sensor is another: this is no record of the rung itself.
            continue
        (folder / f"{rung.rung}.json").write_text(json.dumps(rung.json(made), indent=1), encoding="utf-8")
        skipped.pop(rung.rung, None)
    found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    lying = [each for each in found if "rung" in each]  # Figures of other tests may be in the same folder.
    for each in lying:
        (folder / f"{each['rung']}.html").write_text(sheet(each), encoding="utf-8")
    (folder / "index.html").write_text(index(lying, skipped), encoding="utf-8")


def write_transcripts(folder: Path, rung: RungRecord) -> None:
    """Write the transcript of each promise that was broken in this run. Those of the rung's last run are deleted."""
    lying = folder / TRANSCRIPTS
    lying.mkdir(exist_ok=True)
    for old in lying.glob(f"{_plain(rung.rung)}.*.log"):
        old.unlink()
    for test, text in rung.transcripts.items():
        if text:  # A rung that couldn't be started has nothing on its wire.
            (lying / _file_name(rung.rung, test)).write_text(text, encoding="utf-8")


def _file_name(rung: str, test: str) -> str:
    """Return the name of the transcript of *test*, with characters that every file system accepts."""
    path, _, name = test.partition("::")
    return f"{_plain(rung)}.{_plain(Path(path).stem)}.{_plain(name)[:LONGEST_NAME]}-{crc32(test.encode()):08x}.log"


def _plain(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]+", "-", text).strip("-")


def _reason(report: pytest.TestReport) -> str:
    if report.skipped and isinstance(report.longrepr, tuple):
        return str(report.longrepr[2]).removeprefix("Skipped: ")
    crash = getattr(report.longrepr, "reprcrash", None)
    return str(crash.message if crash else report.longrepr or "").splitlines()[0] if report.failed else ""
