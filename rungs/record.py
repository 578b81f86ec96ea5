"""The record of a run: each promise on each rung with its outcome, its measured values and the transcript."""

from __future__ import annotations

import json
import platform
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from socket import gethostname
from typing import Any
from zlib import crc32

VERSION = 1
KEPT, BROKEN, NOT_APPLICABLE, NOT_JUDGED = "kept", "broken", "not applicable", "not judged"
OUTCOMES = (KEPT, BROKEN, NOT_APPLICABLE, NOT_JUDGED)
RANK = (NOT_APPLICABLE, KEPT, NOT_JUDGED, BROKEN)
"""The worst outcome of a test's phases counts."""
TRANSCRIPTS = "transcripts"
Page = Callable[[Mapping[str, Any], Mapping[str, str]], str]
LONGEST_NAME = 80


class Record:
    """Collects what tests report, and writes record.json, report.html and transcripts."""

    def __init__(self, versions: Mapping[str, str], seed: int, load: float, fault: str = "") -> None:
        self._run = {
            "start": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "host": gethostname(),
            "versions": {"python": platform.python_version(), **versions},
            "seed": seed,
            "load": load,
            "fault": fault,
        }
        self._rungs: dict[str, dict[str, Any]] = {}
        self._promises: dict[tuple[str, str], dict[str, Any]] = {}

    def __repr__(self) -> str:
        return f"<Record rungs={list(self._rungs)} promises={len(self._promises)}>"

    def take(self, note: Mapping[str, Any], outcome: str, reason: str, seconds: float) -> None:
        """Record the result of one phase of a test. An empty *outcome* doesn't change the outcome of the promise."""
        self._learn(self._rungs.setdefault(note["rung"], {}), note["facts"])
        fresh = {"outcome": NOT_APPLICABLE, "reason": "", "seconds": 0.0, "transcript": ""}
        known = self._promises.setdefault((note["rung"], note["id"]), fresh)
        if outcome and RANK.index(outcome) >= RANK.index(known["outcome"]):
            known |= {"outcome": outcome, "reason": reason}
        known |= {key: note[key] for key in ("anchor", "heading", "text", "measured", "stalled_ms")}
        known["seconds"] += seconds
        known["transcript"] = note["transcript"] or known["transcript"]

    def _learn(self, known: dict[str, Any], facts: Mapping[str, Any]) -> None:
        """Add *facts* to the *known* facts. The largest value of `most ...` counts, and the smallest of `least ...`.

        Each pytest-xdist worker has its own rung, so a fact may have several values.
        """
        for name, value in facts.items():
            keep = {"most": max, "least": min}.get(name.partition(" ")[0])
            known[name] = keep(known[name], value) if keep and name in known else value

    def counts(self, rung: str) -> dict[str, int]:
        """Return how many promises have each outcome on *rung*."""
        found = [promise["outcome"] for (name, _), promise in self._promises.items() if name == rung]
        return {outcome: found.count(outcome) for outcome in OUTCOMES}

    @property
    def rungs(self) -> list[str]:
        """The names of the rungs in the record."""
        return list(self._rungs)

    def json(self) -> dict[str, Any]:
        """Return the record as a JSON object."""
        return {
            "rungs-record": VERSION,
            "run": self._run,
            "rungs": [self._rung_json(name, facts) for name, facts in self._rungs.items()],
        }

    def write(self, folder: Path, record: Mapping[str, Any], page: Page) -> None:
        """Write *record*, the transcripts of broken promises, and the *page* of both into *folder*."""
        kept = folder / TRANSCRIPTS
        kept.mkdir(parents=True, exist_ok=True)
        for old in kept.glob("*.log"):
            old.unlink()
        texts = {}
        for (rung, test), promise in self._promises.items():
            if file := _transcript_of(rung, test, promise):
                texts[file] = promise["transcript"]
                (folder / file).write_text(promise["transcript"], encoding="ascii")
        (folder / "record.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        (folder / "report.html").write_text(page(record, texts), encoding="utf-8")

    def _rung_json(self, name: str, facts: Mapping[str, object]) -> dict[str, Any]:
        promises = [
            {**each, "id": test, "seconds": round(each["seconds"], 3), "transcript": _transcript_of(name, test, each)}
            for (rung, test), each in self._promises.items()
            if rung == name
        ]
        return {"name": name, "facts": facts, "promises": promises}


def _transcript_of(rung: str, test: str, promise: Mapping[str, Any]) -> str:
    """Return a file name for a broken promise's transcript, valid on all file systems, or "" if there is none."""
    if promise["outcome"] != BROKEN or not promise["transcript"]:
        return ""
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", f"{rung} {test.rpartition('::')[2]}").strip("-")[:LONGEST_NAME]
    return f"{TRANSCRIPTS}/{name}-{crc32(f'{rung} {test}'.encode()):08x}.log"


def plain(value: object) -> object:
    """Return *value* unchanged if JSON can represent it, otherwise as text."""
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
