"""What one cube, one tap and one page execute: a script that a checkout's own Python runs, from its root.

`python tests/figures/traced.py` prints JSON: for each of the three the calls, and the modules of the product that they
are in; and how many addresses of pages there are. For a cube all calls count, as `tests.bench.cube` counts them; for
a tap and a page those of the product's own functions and templates. It needs nothing of this folder, so that the
checkout may be an older one.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from statistics import median
from types import FrameType
from typing import Any

ROOT = Path.cwd()
ROOMS = ("companion", "firmware_bridge", "web")
CUBES = 9
sys.path.insert(0, str(ROOT))

Executed = dict[str, int]


@cache
def module_of(filename: str) -> str:
    """Return the file of the product that *filename* is, empty for another's."""
    path = Path(filename)
    inside = path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in ROOMS
    return str(path.relative_to(ROOT)) if inside else ""


def executed(call: Callable[[], Any]) -> Executed:
    """Return the calls of the product's functions and templates, and the modules that they are in."""
    files: Counter[str] = Counter()

    def called(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            files[module_of(frame.f_code.co_filename)] += 1

    sys.setprofile(called)
    try:
        call()
    finally:
        sys.setprofile(None)
    del files[""]
    return {"calls": files.total(), "modules": sum(name.endswith(".py") for name in files)}


def cube(folder: Path) -> Executed:
    """Let cubes out of a virtual ring; the middle one counts, to its acknowledgement and what follows it."""
    from tests.bench.cube import House, told

    house = House(folder, Random(1))
    with told(house):
        counted = []
        for _ in range(CUBES):
            house.play_on()
            counted.append(house.slide())
    house.close()
    modules = [{module_of(code.co_filename) for part in parts for _, code in part} - {""} for parts in counted]
    return {
        "calls": int(median(before.total() for before, _ in counted)),
        "modules": int(median(len(each) for each in modules)),
    }


def pages(folder: Path) -> dict[str, Executed | int]:
    """Open the table's page and tap a button as the host of a game of Andromeda."""
    from companion.games.andromeda import GAME
    from companion.games.andromeda.random_policy import header
    from companion.ledger import Ledger
    from companion.model.snapshot import Who
    from companion.records import RECORD, VERSION
    from companion.session.table import Table
    from web import Access, make_app
    from web.games.registry import PAGES

    table = Table(Ledger.open(folder / "ledger.sqlite"), {GAME.name: GAME}, lambda: 1.0, Random(5))
    access, host = Access(folder), Who("host", "tablet")
    app = make_app(table, None, PAGES, access, lambda: 1.0)
    table.open({"record": RECORD, "version": VERSION, "game": GAME.name, **header(3, Random(1), False)}, host)
    for seat in table.snapshot.state.colours:
        wanted = table.snapshot.state.players[seat].unplaced
        cards = Counter(f"p{1 + number % 7}" for number in range(wanted))
        table.do({"do": "setup", "player": seat, "cards": dict(cards)}, host)
    table.do({"do": "deal"}, host)
    client = app.test_client()
    sign = client.get("/pin").get_data(as_text=True).split('name="csrf" value="')[1].split('"')[0]
    client.post("/pin", data={"csrf": sign, "pin": access.pin})
    line = json.dumps({"do": "transport", "player": table.snapshot.state.turn, "move": "pass"})
    for _ in range(2):
        client.get("/table")
    page = executed(lambda: client.get("/table"))
    tap = executed(lambda: client.post("/table/do", data={"csrf": sign, "line": line}))
    rules = {rule.rule for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ()) and is_page(rule.rule)}
    table.close()
    return {"tap": tap, "page": page, "addresses": len(rules)}


def is_page(rule: str) -> bool:
    """Say whether an address is a page for people, and no step of a game."""
    return not rule.startswith(("/api/", "/static", "/healthz", "/table/<")) and not rule.endswith((".json", ".svg"))


def main() -> None:
    """Print it."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        print(json.dumps({"cube": cube(Path(one)), **pages(Path(other))}))


if __name__ == "__main__":
    main()
