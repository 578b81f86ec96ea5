"""Prints the time from a tap to the painted change, on the board and on a bare form of the same size.

The bare form is Flask's own server with one page: the board's markup as sent,
its styles, and only the script that measures; a tap sends the form, which
redirects to the page. Both are tapped alternately in the same run and engine, so
that a busy machine affects both. A tap ends when the frame with the change has
been painted. Installed engines are measured: Firefox, WebKit and Chromium
(`sh tests/browsers/engines.sh`).
"""

from __future__ import annotations

import json
import re
import statistics
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

from flask import Flask, redirect
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.wrappers import Response

from tests.browser.first_action import to_the_first_action
from tests.browsers import engines
from tests.browsers.engines import ENGINES
from tests.browsers.glass import Glass
from tests.browsers.scenes import TABLET, House
from tests.companion.app.processes import Service

ROOT = Path(__file__).parents[2]
AIM = 2.0
ROUNDS, TAPS_A_ROUND = 6, 10
TIMED = """(() => {
  document.addEventListener("click", (event) => {
    sessionStorage.tapped = performance.timeOrigin + event.timeStamp;
    performance.clearResourceTimings();
  }, true);
  const painted = () => requestAnimationFrame(() => setTimeout(() => {
    if (sessionStorage.tapped === undefined) return;
    window.took = performance.timeOrigin + performance.now() - Number(sessionStorage.tapped);
    delete sessionStorage.tapped;
  }));
  document.addEventListener("swapped", painted);
  document.addEventListener("DOMContentLoaded", painted);
})();"""
"""Records the time of a click, and of the frame after its change: a swapped page, or a new one."""
ASKED = """return performance.getEntriesByType("resource").filter((one) => one.name.includes("/table"))
  .map((one) => one.duration);"""
SENT = "const done = arguments[0]; fetch('/table').then((answer) => answer.text()).then(done);"
TAPS = ("form[action='/table/do'] button.round", "form[action='/table/undo'] button")
"""Taps that exchange one card, and then undo the exchange."""
BARE_TAP = "form[action='/'] button.round"


class Quiet(WSGIRequestHandler):
    """A server that logs no requests."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Log nothing."""


def bare(markup: str) -> Flask:
    """Return an application with one page: a form that contains *markup*."""
    app = Flask("bare", static_folder=str(ROOT / "web" / "static"))
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 3600  # its styles are cached, as ours are
    games = Flask("games", static_folder=str(ROOT / "web" / "games" / "andromeda" / "static"))
    app.add_url_rule("/static/andromeda/<path:filename>", "games", games.send_static_file)
    unscripted = re.sub(r"<script.*?</script>", "", markup, flags=re.DOTALL)
    page = re.sub(r"(<form[^>]*) action=\"[^\"]*\"", r'\1 action="/"', unscripted)
    page = page.replace("</head>", f"<script>{TIMED}</script></head>", 1)
    page += " " * (len(markup) - len(page))

    @app.get("/")
    def shown() -> str:
        return page

    @app.post("/")
    def sent() -> Response:
        return redirect("/", 303)

    return app


@contextmanager
def serving(app: Flask) -> Iterator[str]:
    """Serve *app* on the loopback, and yield its URL."""
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()


def timed(glass: Glass, tap: str) -> tuple[float, list[float]]:
    """Return the milliseconds from a tap to the change on the page, and the durations of the requests in between."""
    glass.evaluate("window.took = undefined;")
    glass.tap(tap)
    took = glass.wait("return window.took;", "nothing was painted")
    return float(took), glass.evaluate(ASKED)


def by_turns(ours: Glass, theirs: Glass, rounds: int) -> dict[str, Any]:
    """Tap on both pages alternately, and return the figures."""
    here: list[tuple[float, list[float]]] = []
    there: list[float] = []
    for _ in range(rounds):
        here += [timed(ours, TAPS[at % 2]) for at in range(TAPS_A_ROUND)]
        there += [timed(theirs, BARE_TAP)[0] for _ in range(TAPS_A_ROUND)]
    whole = [took for took, _ in here]
    return {
        "taps": len(whole),
        "ours_ms": figures(whole),
        "bare_ms": figures(there),
        "answers_ms": figures([sum(asked) for _, asked in here]),
        "times_bare_p95": round(p95(whole) / p95(there), 2),
        "aim": AIM,
        "good": p95(whole) <= AIM * p95(there),
    }


def figures(times: list[float]) -> dict[str, float]:
    """Return median and 95th percentile."""
    return {"median": round(statistics.median(times), 1), "p95": round(p95(times), 1)}


def p95(times: list[float]) -> float:
    """Return the 95th percentile."""
    return statistics.quantiles(times, n=20)[-1]


def measured(engine: str, service: Service, rounds: int) -> dict[str, Any]:
    """Return the figures of one engine."""
    with ENGINES[engine](True) as ours, ENGINES[engine](True) as theirs:
        ours.resize(TABLET)
        theirs.resize(TABLET)
        House(service, service.url).become_host(ours)
        ours.open(f"{service.url}/table")
        ours.evaluate(TIMED)
        # the host's page, since only it has forms
        sent = ours.driver.execute_async_script(SENT)
        with serving(bare(sent)) as address:
            theirs.open(address)
            for glass, taps in ((ours, TAPS), (theirs, (BARE_TAP, BARE_TAP))):
                for tap in taps:
                    timed(glass, tap)  # the first taps are slower than all others
            found = by_turns(ours, theirs, rounds)
    return {"bytes": len(sent.encode()), **found}


def main() -> None:
    """Measure each requested or installed engine, and print the figures as JSON."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument(
        "--engine",
        choices=ENGINES,
        action="append",
        help="browser engine; may be repeated (default: the installed ones)",
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    args = parser.parse_args()
    told = {}
    with tempfile.TemporaryDirectory() as folder:
        service = Service(Path(folder) / "data")
        to_the_first_action(service)
        for engine in args.engine or [name for name in ENGINES if not engines.missing(name)]:
            told[engine] = measured(engine, service, args.rounds)
        service.stop()
    print(json.dumps({"bench": "tap to paint", **told, "missing": engines.missing()}, indent=2))


if __name__ == "__main__":
    main()
