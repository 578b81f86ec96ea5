"""Opens a generation again, and collects what the current program's commands and pages say about it."""

from __future__ import annotations

import http.client
import io
import json
import os
import tarfile
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.companion.app.processes import Service, companion

HERE = Path(__file__).parent
UTC = {**os.environ, "TZ": "UTC"}
ASKED = ("state", "table", "games", "calibrations")
PAGES = (
    *("/", "/table", "/table/clock", "/table/times", "/history", "/games", "/ring", "/ring/calibrations"),
    *("/join", "/new", "/rules", "/practice"),
)
"""Addresses of pages in the oldest generation; one that has moved leads to its new place."""
PASSING = ("-shm", "-wal", ".lock")
"""Endings of files that exist next to a ledger only while it is open."""
ENDINGS = {"record": ".jsonl", "csv": ".csv", "json": ".json", "bgstats": ".bgsplay"}
NEAR = 1e-6
"""The relative difference that is allowed for another machine's arithmetic."""


def pack(name: str, folder: Path) -> None:
    """Store *folder* as generation *name*."""
    with tarfile.open(HERE / f"{name}.tar.xz", "w:xz", preset=9) as tar:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.name.endswith(PASSING):
                line = tarfile.TarInfo(str(path.relative_to(folder)))
                content = path.read_bytes()
                line.size, line.mode = len(content), 0o600
                tar.addfile(line, io.BytesIO(content))


def unpacked(name: str, folder: Path) -> Path:
    """Unpack generation *name* into *folder*, and return *folder*."""
    with tarfile.open(HERE / f"{name}.tar.xz") as tar:
        tar.extractall(folder, filter="data")
    return folder


def said_by_commands(folder: Path) -> dict[str, Any]:
    """Return what the commands say about the data folder and the files exported from it."""
    data, out = folder / "data", folder / "out"
    captures = sorted((data / "captures").glob("*.log*"))
    return {
        "games": json.loads(companion("games", "--json", "--data", data).stdout),
        "pin": companion("pin", "--data", data).stdout.strip(),
        "judged": {each.name: judged(each, out / "calibration.json") for each in captures},
        "doctor": companion("doctor", "--data", data).returncode,
    }


def exported(data: Path, game: int, folder: Path) -> dict[str, str]:
    """Return a game in all its forms, written to *folder* by as few commands as possible."""
    companion("export", game, "--to", "record,csv,json", "--data", data, "--output", folder, env=UTC)
    companion("export", game, "--to", "bgstats", "--data", data, "--output", folder, env=UTC)  # some games have none
    files = {form: folder / f"game-{game}{ending}" for form, ending in ENDINGS.items()}
    return {form: file.read_text(encoding="utf-8") for form, file in files.items() if file.exists()}


def judged(log: Path, calibration: Path) -> list[dict[str, Any]]:
    """Return how each passage of a capture was and is classified, without `unknown`, which may change."""
    done = companion("ring", "judge", log, "--calibration", calibration, "--json")
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["passages"]
    return [{name: what for name, what in each.items() if name != "unknown"} for each in found]


def said_by_pages(service: Service, data: Path) -> dict[str, Any]:
    """Return what a service of the data folder answers to programs and browsers, and what phones get when they join."""
    visitor = Visitor(service.url, (data / "token").read_text(encoding="utf-8").strip())
    return {
        "programs": {name: service.ask("GET", f"/api/v1/{name}")[1] for name in ASKED},
        "pages": {path: visitor.get(path) for path in PAGES},
        "host": visitor.posted("/pin", pin=service.pin),
        "seats": {seat: visitor.posted("/join", seat=seat) for seat in ("blue", "red")},
    }


class Visitor:
    """A browser with the data folder's token."""

    def __init__(self, url: str, token: str) -> None:
        self._place, self._token = urlsplit(url).netloc, token

    def get(self, path: str) -> int:
        """Return the status of a page, or of the page to which it redirects."""
        status, successor = self._asked("GET", path)
        return (
            self.get(successor) if status in (HTTPStatus.PERMANENT_REDIRECT, HTTPStatus.TEMPORARY_REDIRECT) else status
        )

    def posted(self, path: str, **form: str) -> str:
        """Send a form, and return the address to which it redirects."""
        return self._asked("POST", path, urlencode(form))[1]

    def _asked(self, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/x-www-form-urlencoded"}
        connection = http.client.HTTPConnection(self._place, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status, answer.getheader("Location", "")
        finally:
            connection.close()


def differences(told: Any, now: Any, where: str = "") -> list[str]:
    """Return where *now* differs from *told*; fields that were added don't count."""
    if isinstance(told, dict) and isinstance(now, dict):
        lost = [f"{where}.{name} is gone" for name in told if name not in now]
        there = [name for name in told if name in now]
        return lost + [each for name in there for each in differences(told[name], now[name], f"{where}.{name}")]
    if isinstance(told, list) and isinstance(now, list) and len(told) == len(now):
        pairs = enumerate(zip(told, now, strict=True))
        return [each for at, pair in pairs for each in differences(*pair, f"{where}[{at}]")]
    if isinstance(told, float) and isinstance(now, float | int) and abs(told - now) < NEAR * max(1.0, abs(told)):
        return []
    return [] if told == now else [f"{where}: {told!r} is {now!r} now"]
