"""Prints the service's memory and how long pages about many games take, compared with a page that needs no ledger.

Simulates `--games` games in a folder of its own, or uses one filled by `tests.bench.services.many_games` (`--data`),
waits until the service has summarised all of them, and requests each page nine times.
"""

from __future__ import annotations

import json
import tempfile
import time
from argparse import ArgumentParser
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.services.house import house
from tests.bench.services.many_games import DISTINCT, lay

ROOT = Path(__file__).parents[2]
REFERENCE = "/help?cards"
PAGES = (
    "/",
    "/games",
    "/games?player=ana",
    "/statistics",
    "/statistics?game=andromeda",
    "/statistics/player?player=ana",
)
TIMES, ASKED_EVERY_S, AIM_MS = 9, 2.0, 300.0
LEFT, NONE = "still being added", "No finished games"
"""The texts of a page while games are being summarised, and before the first game has been summarised."""


def page(port: int, path: str) -> tuple[float, str]:
    """Return the milliseconds of a request for *path*, and the page."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    began = time.perf_counter()
    connection.request("GET", path)
    text = connection.getresponse().read().decode()
    connection.close()
    return (time.perf_counter() - began) * 1000, text


def looked_at(port: int, patience_s: float) -> tuple[float, bool]:
    """Wait until all games are summarised; return the seconds this took, and whether it finished in time."""
    began = time.perf_counter()
    while any(each in page(port, "/statistics")[1] for each in (LEFT, NONE)):
        if time.perf_counter() - began > patience_s:
            return round(time.perf_counter() - began, 1), False
        time.sleep(ASKED_EVERY_S)
    return round(time.perf_counter() - began, 1), True


def measured(data: Path, patience_s: float) -> dict[str, Any]:
    """Return the figures of a service with the games in *data*."""
    with house(ROOT, data) as service:
        took, whole = looked_at(service.port, patience_s)
        pages = {}
        for path in (REFERENCE, *PAGES):
            times = [page(service.port, path)[0] for _ in range(TIMES)]
            pages[path] = {"first_ms": round(times[0], 1), "median_ms": round(median(times), 1)}
        return {"looked_at_s": took, "all": whole, "pages": pages, **service.weight_mb()}


def main() -> None:
    """Measure, and print the figures as JSON."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--patience", type=float, default=3600.0, metavar="S")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = args.data or Path(folder)
        if args.data is None:
            lay(data, args.games, min(args.games, DISTINCT), seed=1)
        found = measured(data, args.patience)
    slowest = max(each["median_ms"] for each in found["pages"].values())
    print(json.dumps({"bench": "many_games", **found, "aim_ms": AIM_MS, "good": slowest < AIM_MS}))


if __name__ == "__main__":
    main()
