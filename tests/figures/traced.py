"""Measures the calls for one cube, one tap and one page: a script that runs in the root of any checkout.

`python tests/figures/traced.py [CUBES]` prints JSON: for each of the three the number of calls of the product's own
Python functions and of the modules with these functions, and the number of URLs of pages. A module that is only
imported executes nothing: bodies of its classes, and what they call, are not counted. Several cubes are measured, and
the medians are printed: of the calls until the acknowledgement, and of the modules, including those that run after it.
The tap and the page are the first of a process. The script uses nothing from this folder, so that it can run in an
older checkout.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from statistics import median
from types import CodeType, FrameType
from typing import Any

ROOT = Path.cwd()
ROOMS = ("companion", "firmware_bridge", "web")
CUBES = 9
sys.path.insert(0, str(ROOT))

Executed = dict[str, int]
FILE = re.compile(r"\.\w+$|/(?:record|step|drawn|countdown)$")
"""The end of an address of a file, or of a part that a script puts into a page."""


@cache
def module_of(filename: str) -> str:
    """Return the module of the product with the file *filename*, or "".

    Example: ``module_of(f"{ROOT}/web/app.py")`` is ``"web/app.py"``; templates and libraries have none.
    """
    path = Path(filename)
    inside = path.suffix == ".py" and path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ROOMS
    return str(path.relative_to(ROOT)) if inside else ""


def summary(calls: Mapping[CodeType, int]) -> Executed:
    """Return how many of these *calls* are the product's, and in how many modules."""
    own = {code: count for code, count in calls.items() if module_of(code.co_filename)}
    return {"calls": sum(own.values()), "modules": len({module_of(code.co_filename) for code in own})}


def executed(call: Callable[[], int], status: int) -> Executed:
    """Return what *call* executes. It must return the HTTP *status*, as otherwise nothing useful was measured."""
    calls: Counter[CodeType] = Counter()
    importing = 0

    def called(frame: FrameType, event: str, _: object) -> None:
        nonlocal importing
        if frame.f_code.co_name == "<module>":
            importing += (event == "call") - (event == "return")
        elif event == "call" and not importing:
            calls[frame.f_code] += 1

    sys.setprofile(called)
    try:
        answered = call()
    finally:
        sys.setprofile(None)
    assert answered == status, f"answered {answered}, not {status}"
    return summary(calls)


def cube(folder: Path, cubes: int) -> Executed:
    """Let *cubes* cubes out of a virtual ring, and return the median of what they execute."""
    from tests.bench.cube import House, told

    house = House(folder, Random(1))
    with told(house):
        counted = []
        for _ in range(cubes):
            house.play_on()
            counted.append(house.slide())
    house.close()
    until = [Counter(code for _, code in before.elements()) for before, _ in counted]
    whole = [
        one + Counter(code for _, code in after.elements()) for one, (_, after) in zip(until, counted, strict=True)
    ]
    return {
        "calls": int(median(summary(one)["calls"] for one in until)),
        "modules": int(median(summary(one)["modules"] for one in whole)),
    }


def pages(folder: Path) -> dict[str, Executed | int]:
    """Tap a button as the host of a game of Andromeda, then open the table's page, and return what both execute."""
    import web
    from companion.games.andromeda import GAME
    from companion.games.andromeda.random_policy import header
    from companion.ledger import Ledger
    from companion.model.snapshot import Who
    from companion.records import RECORD, VERSION
    from companion.session.live_game import LiveGame
    from companion.session.table import Table
    from web import make_app
    from web.games import registry

    given = Ledger.open(folder / "ledger.sqlite"), {GAME.name: GAME}, lambda: 1.0, Random(5)
    # In an older checkout Table inherits from LiveGame.
    table = Table(*given) if issubclass(Table, LiveGame) else Table(LiveGame(*given))
    access, host = either(web, "HostPin", "Access")(folder), Who("host", "tablet")
    app = make_app(table, None, either(registry, "COVERS", "PAGES"), access, lambda: 1.0)
    table.open({"record": RECORD, "version": VERSION, "game": GAME.name, **header(3, Random(1), False)}, host)
    for seat in table.snapshot.state.colours:
        wanted = table.snapshot.state.players[seat].unplaced
        cards = Counter(f"p{1 + number % 7}" for number in range(wanted))
        table.do({"do": "setup", "player": seat, "cards": dict(cards)}, host)
    table.do({"do": "deal"}, host)
    streams = either(web, "SseStreams", "Streams")(table.snapshot)
    table.subscribe(either(streams, "publish", "tell"))
    client = app.test_client()
    client.post("/pin", data={"csrf": csrf(client), "pin": access.pin})
    form = {
        "csrf": csrf(client),
        "line": json.dumps({"do": "transport", "player": table.snapshot.state.turn, "move": "pass"}),
    }
    tap = executed(lambda: int(client.post("/table/do", data=form).status_code), 303)
    page = executed(lambda: int(client.get("/table").status_code), 200)
    rules = {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and is_page(rule)}
    table.close()
    return {"tap": tap, "page": page, "addresses": len(rules)}


def either(module: Any, *names: str) -> Any:
    """Return the first of *names* that *module* has. The last one is the name in older checkouts."""
    return next(getattr(module, name) for name in names if hasattr(module, name))


def csrf(client: Any) -> str:
    """Return the CSRF token of this browser's forms."""
    text: str = client.get("/pin").get_data(as_text=True)
    return text.partition('name="csrf" value="')[2].partition('"')[0]


def is_page(rule: Any) -> bool:
    """Return whether a URL is a page for users, not a step of a game, a file, a fragment of a page, or an old URL."""
    path = rule.rule
    aside = path.startswith(("/api/", "/static", "/healthz", "/table/<")) or rule.endpoint == "moved.page"
    return not aside and FILE.search(path) is None


def main() -> None:
    """Print the result as JSON. The number of cubes may be an argument."""
    cubes = int(sys.argv[1]) if len(sys.argv) > 1 else CUBES
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        print(json.dumps({"cube": cube(Path(one), cubes), **pages(Path(other))}))


if __name__ == "__main__":
    main()
