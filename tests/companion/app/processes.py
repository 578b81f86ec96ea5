"""The program as processes: a service, a virtual ring behind a pseudo-terminal, and a client for the API."""

from __future__ import annotations

import http.client
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import urlsplit

from companion.app.cli.main import main
from companion.model.game import AnyGame, Viewer
from companion.records import replay
from tests.forkserver.process import Forked, finished

PATIENCE_S = 60.0
HERE = {
    *(("backup",), ("calibration",), ("doctor",), ("draws",), ("export",), ("fairness",), ("games",), ("import",)),
    *(("luck",), ("merge",), ("names",), ("pin",), ("replay",), ("restore",), ("share",), ("statistics",), ("token",)),
}
"""Commands that read and write files and exit; the other commands use signals, threads or devices."""


def companion(
    *arguments: object, given: str = "", cwd: Path | None = None, **options: Any
) -> subprocess.CompletedProcess[str]:
    """Run a command of the program to its end and return its status and output.

    A command in HERE runs inside this process, which takes a third of the time. Any other command, or one with
    standard input or *options*, runs in a process of its own.
    """
    if arguments[:1] in HERE and not given and not options:
        return _here(list(map(str, arguments)), Path.cwd() if cwd is None else cwd)
    return finished("companion", *arguments, given=given.encode(), cwd=cwd, **options)


def _here(arguments: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    said, complained = (TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    given, sys.stdin = sys.stdin, StringIO()
    try:
        with redirect_stdout(said), redirect_stderr(complained), chdir(cwd):
            status = main(arguments)
    except SystemExit as asked:
        status = asked.code if isinstance(asked.code, int) else int(asked.code is not None)
    finally:
        sys.stdin = given
    out, err = (file.buffer.getvalue().decode() for file in (said, complained))  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(arguments, status, out, err)


class VirtualRing:
    """`companion ring mock --pty`: a virtual ring whose cubes move as a script says."""

    def __init__(
        self, folder: Path, steps: Sequence[Mapping[str, object]], seed: int = 1, world: Path | None = None
    ) -> None:
        self.path, self.truth_path, script = folder / "ring", folder / "truth.jsonl", folder / "script.jsonl"
        script.write_text("".join(json.dumps(step) + "\n" for step in steps), encoding="utf-8")
        words = ["ring", "mock", "--pty", self.path, "--script", script]
        words += ["--truth", self.truth_path, "--seed", seed, *(("--world", world) if world else ())]
        self._process = Forked("companion", *words, aloud=True)
        self.said = self._process.stdout.readline()

    def truth(self) -> list[dict[str, Any]]:
        """Return the events that really happened so far."""
        lines = self.truth_path.read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    def end(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.wait(PATIENCE_S)
        self._process.close()


class Service:
    """`companion serve` on a free port, called with the token of its own data folder."""

    def __init__(
        self,
        data: Path,
        ring: object = "none",
        *more: object,
        begun: Callable[[Forked], object] | None = None,
        complaints: TextIO | None = None,
    ) -> None:
        words = ("serve", "--bind", "127.0.0.1", "--port", 0, "--data", data, "--ring", ring, *more)
        self._process = Forked("companion", *words, aloud=True, complaints=complaints)
        if begun is not None:
            begun(self._process)  # before its first line of output, since a test may end the process meanwhile
        said = [self._process.stdout.readline() for _ in range(2)]
        assert all(said), f"the service has ended with {self._process.wait(PATIENCE_S)}"
        self.url, self.pin = said[0].split()[-1].rstrip("/"), said[1].split()[-1]
        self._place = urlsplit(self.url).netloc
        self._token = (data / "token").read_text(encoding="utf-8").strip()

    @property
    def pid(self) -> int:
        """The process ID."""
        return self._process.pid

    def send(
        self, method: str, path: str, body: object = None, timeout: float = PATIENCE_S
    ) -> http.client.HTTPConnection:
        """Send a request and return its connection, with the response still unread."""
        connection = http.client.HTTPConnection(self._place, timeout=timeout)
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        return connection

    def ask(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        """Send a request and return the response's status and JSON."""
        connection = self.send(method, path, body)
        try:
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def do(self, line: Mapping[str, object]) -> int:
        """Send *line* as a command and return the table's new version."""
        status, answer = self.ask("POST", "/api/v1/commands", line)
        assert status == 200, answer
        return int(answer["version"])

    def record(self) -> list[dict[str, Any]]:
        """Return the lines of the live game's record."""
        connection = self.send("GET", "/api/v1/record")
        try:
            answer = connection.getresponse()
            assert answer.status == 200
            return [json.loads(line) for line in answer.read().splitlines()]
        finally:
            connection.close()

    def final(self, games: Mapping[str, AnyGame]) -> dict[str, Any]:
        """Return the live game's state, after checking that its record replays to the same state."""
        state: dict[str, Any] = self.ask("GET", "/api/v1/state")[1]
        played = replay(games, enumerate(self.record(), 1))
        view = played.game.view(played.state, Viewer(owner=True))
        assert {name: state[name] for name in view} == view
        return state

    def page(self, path: str) -> str:
        """Return a page as the host sees it."""
        connection = self.send("GET", path)
        try:
            return connection.getresponse().read().decode()
        finally:
            connection.close()

    def news(self, timeout: float = PATIENCE_S) -> News:
        """Open the stream of server-sent events."""
        return News(self.send("GET", "/api/v1/events", timeout=timeout))

    def kill(self) -> None:
        """Kill the process (SIGKILL), like a power cut."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Send SIGTERM, and return the exit status."""
        return self._end(signal.SIGTERM)

    def ended(self) -> int:
        """Wait until the process exits on its own, and return its status."""
        return self._end(None)

    def _end(self, how: signal.Signals | None) -> int:
        if how is not None:
            self._process.send_signal(how)
        status = self._process.wait(PATIENCE_S)
        self._process.close()
        return status


class News:
    """One open stream of server-sent events."""

    def __init__(self, connection: http.client.HTTPConnection) -> None:
        self._connection = connection
        self._patience_s = connection.timeout or PATIENCE_S
        try:
            self._answer = connection.getresponse()
        except TimeoutError:
            connection.close()
            raise

    def version(self) -> int:
        """Return the next version of the table; raise TimeoutError if only heartbeats arrive."""
        deadline = time.monotonic() + self._patience_s
        while time.monotonic() < deadline:
            line = self._answer.readline()
            assert line, "the stream has ended"
            if line.startswith(b"id: "):
                return int(line[4:])
        raise TimeoutError("no news of the table")

    def close(self) -> None:
        """Close the stream."""
        self._answer.close()
        self._connection.close()
