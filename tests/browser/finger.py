"""Finds a way to enter any line of a game by taps: links that lead towards it, folds, and finally its button."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlsplit

from companion.kernel.errors import Malformed
from companion.model.game import AnyGame
from tests.browser.tablet import SOON_MS, Tablet
from web.games.wreck.components.dice_codes import LETTERS

MOST_TAPS = 16
TOKEN = re.compile(r"\w+")
ALIKE = {"table", "act"}
"""Words in URLs that don't say where they lead."""
DICE = ("d", "a")  # query parameters that hold dice, one letter each
IN_ORDER = {"cards": "cards", "r": "remove", "s": "sacrifice", "to": "to", "steps": "steps"} | {
    f"p{planet}": "cards" for planet in range(1, 7)
}
"""For each query parameter that holds a list: the field of the line whose items it gives, in the same order."""
LINKS = """() => [...document.querySelectorAll("a[href^='/table']")]
  .filter((one) => one.offsetParent || one.closest("details:not([open])")).map((one) => one.getAttribute("href"))"""
BUTTONS = """() => [...document.querySelectorAll("button[name=line]")]
  .map((one) => one.offsetParent || one.closest("details:not([open])") ? one.value : "")"""


class Lost(AssertionError):
    """No way to a line was found."""


def tap_to(device: Tablet, game: AnyGame, line: Mapping[str, Any]) -> int:
    """Tap from the current step to *line*, wait until the page shows it, and return the number of taps."""
    before, shown = device.taps, device.version
    been: set[str] = set()
    for _ in range(MOST_TAPS):
        if _pressed(device, game, line):
            device.await_version(shown + 1)
            return device.taps - before
        address = _onward(device, line, been)
        been.add(address)
        _follow(device, address, line)
    raise Lost(f"{line} takes more than {MOST_TAPS} taps, last at {device.page.url}")


def _pressed(device: Tablet, game: AnyGame, line: Mapping[str, Any]) -> bool:
    """Press the button that sends *line*, if the page has one."""
    for at, value in enumerate(device.page.evaluate(BUTTONS)):
        if value and _means(game, json.loads(value), line):
            _unfold(device, f"button[name=line] >> nth={at}")
            device.tap(f"button[name=line] >> nth={at}")
            return True
    return False


def _means(game: AnyGame, offered: Mapping[str, Any], line: Mapping[str, Any]) -> bool:
    if offered["do"] != line["do"]:
        return False
    if "dice" not in offered and offered["do"] == "roll":
        return True  # the companion rolls the dice, and the record contains the result
    # With a single pair, the page need not say which pair leaves.
    asked = {name: value for name, value in line.items() if name != "leave" or name in offered}
    try:
        return bool(game.parse(dict(offered)) == game.parse(asked))
    except Malformed:
        return False


def _onward(device: Tablet, line: Mapping[str, Any], been: set[str]) -> str:
    """Return the link that leads closest to *line*, or "" if the page has a form for a card."""
    if "card" in line and device.page.locator(".card-entry:visible").count():
        return ""
    links = {each for each in device.page.evaluate(LINKS) if each not in been}
    near = [(len(_tokens(each)), each) for each in links if _tokens(each) and leads_towards(each, line)]
    if not near:
        offered = [value for value in device.page.evaluate(BUTTONS) if value]
        raise Lost(f"no way on to {line} at {device.page.url}, but {offered} and {sorted(links)}")
    return max(near)[1]


def _follow(device: Tablet, address: str, line: Mapping[str, Any]) -> None:
    if not address:
        enter_card(device, line["card"])
        return
    link = f"a[href={json.dumps(address)}]"
    _unfold(device, f"{link} >> nth=0")
    shown = f"{link}:visible"
    device.tap(shown)
    device.page.wait_for_function(
        "wanted => location.pathname + location.search === wanted && !document.documentElement.dataset.swapping",
        arg=address,
        polling=SOON_MS,
    )


def enter_card(device: Tablet, card: Mapping[str, Any]) -> None:
    """Enter a mission's card."""
    device.page.fill(".card-entry input[name=name]", card["name"])
    for name in ("kp", "sacrifice"):
        device.page.check(f".card-entry input[name={name}][value='{card[name]}']", force=True)
    device.tap(".card-entry button")
    device.page.wait_for_url("**kp=*")


def _unfold(device: Tablet, what: str) -> None:
    """Open the fold that hides *what*."""
    fold = device.page.locator(what).locator("xpath=ancestor::details[not(@open)]")
    if fold.count():
        device.tap(fold.first.locator("summary"))


def leads_towards(address: str, line: Mapping[str, Any]) -> bool:
    """Return whether all values in *address* are in *line*. A list may be only the beginning of the line's list."""
    parts = urlsplit(address)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    known = set(TOKEN.findall(json.dumps(line)))
    lists = {name: _written(line[field]) for name, field in IN_ORDER.items() if isinstance(line.get(field), list)}
    steps = lists.get("steps", [])
    walked = len(query["steps"].split(",")) if "steps" in query else 0
    for name, value in query.items():
        if name in DICE:
            fits = not Counter(value) - Counter(LETTERS[die] for die in line.get("dice", ()))
        elif name == "ones":
            fits = False  # the companion rolls: nobody enters dice
        elif name == "cell":
            fits = value == ",".join(map(str, line.get("cell", ())))
        elif name in lists:
            fits = value.split(",") == lists[name][: len(value.split(","))]
        elif name == "from" and steps:
            fits = [value] == [step.split("-")[0] for step in steps[walked : walked + 1]]
        else:
            fits = not set(TOKEN.findall(value)) - known
        if not fits:
            return False
    return not set(TOKEN.findall(parts.path)) - known - ALIKE


def _written(values: Sequence[Any]) -> list[str]:
    """Return a list of a line as a URL writes it: words, steps from room to room, sides of goods."""
    plain = {str: str, list: "-".join, dict: lambda each: f"{each['to']}{each['value']}"}
    return [plain[type(each)](each) for each in values]


def _tokens(address: str) -> list[str]:
    parts = urlsplit(address)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    words = TOKEN.findall(" ".join((parts.path, *query.values())))
    return [each for each in words if each not in ALIKE] + list(query.get("d", ""))
