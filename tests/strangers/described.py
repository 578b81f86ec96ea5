"""The server's own OpenAPI description, tested with schemathesis: every response matches a described one.

The library is large, and an optional extra (`pip install -e '.[strangers]'`);
without it, this attack says so and is skipped.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from random import Random

from tests.strangers.house import House, at_home
from tests.strangers.report import Report

PER_ADDRESS = 17  # about the number of described addresses and methods
LEAST = 5
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "ignored_auth",
    "unsupported_method",
)
PATIENCE_S = 3600.0
LEFT_OUT = ("/api/v1/events", "/api/v1/import")
"""A stream never ends (`tests.strangers.sockets`), and the library generates no records (`tests.strangers.bodies`)."""


def described(folder: Path, inputs: int, lots: Random, library: str = "schemathesis") -> Report:
    """Let schemathesis try each described address, as a visitor and as the host's program."""
    report = Report("described")
    if find_spec(library) is None:
        report.skipped = "schemathesis is not installed; pip install -e '.[strangers]' brings it"
        return report
    examples = max(LEAST, inputs // PER_ADDRESS // 2)
    with at_home(folder, report) as house:
        token = (house.data / "token").read_text(encoding="utf-8").strip()
        for name, headers in (("nobody", ()), ("host", ("--header", f"Authorization: Bearer {token}"))):
            _tried(house, name, headers, examples, lots.getrandbits(32), report)
        house.play()
    return report


def _tried(house: House, name: str, headers: tuple[str, ...], examples: int, seed: int, report: Report) -> None:
    words = ["--checks", ",".join(CHECKS), "--max-examples", str(examples), "--seed", str(seed)]
    words += [word for path in LEFT_OUT for word in ("--exclude-path", path)]
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{house.service.url}/api/v1/openapi.json", *words]
    command += ["--no-color", *headers]
    done = subprocess.run(command, cwd=house.data.parent, capture_output=True, text=True, timeout=PATIENCE_S)
    cases = re.search(r"([\d,]+) generated", done.stdout)
    report.tried[name] += int(cases[1].replace(",", "")) if cases else 0
    report.answers[f"{name}: status {done.returncode}"] += 1
    report.expect(done.returncode == 0 and cases is not None, f"{name}: {(done.stdout + done.stderr)[-3000:]}")
