"""The program of any checkout as a process, with a four-player game in its data folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from urllib.request import Request, urlopen

from companion.autoplay.simulate import simulate
from companion.games.andromeda import GAME
from companion.games.andromeda.random_policy import RANDOM_PLAY
from tests.bench.services.process import Running, free_port, running

PAGES = (
    *("/", "/games", "/history", "/device", "/join", "/new", "/practice", "/help", "/house/off", "/pin", "/welcome"),
    *("/table", "/table/board", "/table/clock", "/table/menu", "/table/undo"),
    *(
        "/ring",
        "/ring/teach",
        "/ring/check",
        "/ring?show=calibrations",
        "/api/v1/table",
        "/api/v1/state",
        "/api/v1/ring",
    ),
)
"""Pages that people open during a game, and two API addresses."""
PLAYED = 60  # commands: a round with every kind of action


def python_of(checkout: Path) -> str:
    """Return the interpreter of *checkout*'s environment."""
    return str(checkout / ".venv" / "bin" / "python")


@contextmanager
def house(checkout: Path, data: Path, ring: str = "none", path: str = "/") -> Iterator[Running]:
    """Serve *data* with the program of *checkout*; yield as soon as *path* has been answered."""
    port = free_port()
    command = [python_of(checkout), "-m", "companion", "serve", "--ring", ring, "--no-mdns"]
    command += ["--bind", "127.0.0.1", "--port", str(port), "--data", str(data)]
    with running(command, checkout, port, path) as service:
        yield service


def begin_a_game(checkout: Path, data: Path) -> None:
    """Create a ledger with a game of four in *data*, and the caches that the program writes at its first start."""
    header, *lines = simulate(GAME, RANDOM_PLAY, 4, Random("bench"), lambda: 0.0).record
    with house(checkout, data) as service:
        token = (data / "token").read_text(encoding="utf-8").strip()
        _post(service.port, token, "/api/v1/games", header)
        for line in lines[:PLAYED]:
            _post(service.port, token, "/api/v1/commands", line)


def pages_of(service: Running) -> dict[str, int]:
    """Request every page in two languages; return how many were shown, and how many weren't."""
    seen = [service.get(path, language) for language in ("en", "de") for path in PAGES]
    return {"shown": seen.count(200), "elsewhere": len(seen) - seen.count(200)}


def _post(port: int, token: str, path: str, body: object) -> None:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    urlopen(Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode(), headers), timeout=10).close()
