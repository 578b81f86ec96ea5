"""The walk: it visits every page that a viewer can reach, tries every button, and searches for every legal command.

A button may be refused only if that depends on a hand that the viewer doesn't see.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from companion.kernel.fields import Line
from companion.ports.console import Button, Pressed
from tests.offered.house import OfferedHouse
from tests.offered.page import Page, Sending
from web.games.wreck.components.dice_codes import symbols

AROUND = ("/table", "/", "/table/menu", "/table/undo", "/table/clock", "/join", "/ring", "/games", "/history")
"""Where a walk begins, in addition to the addresses that it finds."""
OUTSIDE = re.compile(
    r"/(static|api|rules|device|screen|practice|statistics|fairness|house|names|games|ring/|history)\b"
)
"""Addresses without actions in the current game. They are visited once, and their links are not followed."""
SECRETS = ("/pin",)
"""Addresses on which typed text must not be kept."""
FILES = ("record", "download", ".zip", ".sqlite", ".jsonl", ".csv", ".json", ".svg", ".html")
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class Fault:
    """Something that is offered but refused (*kind* `refused` or `link`), or accepted but not offered (`missing`).

    `forgets`: text typed in a form is lost if the user opens another page and comes back. `enter`: a form with a text
    field has several buttons, and Enter presses one with another meaning.
    """

    kind: str
    who: str
    where: str
    what: str
    why: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.who} at {self.where}: {self.what}" + (f" -> {self.why}" if self.why else "")


@dataclass
class Walked:
    """The results of a walk."""

    pages: int = 0
    taps: int = 0
    sought: int = 0
    faults: list[Fault] = field(default_factory=list)

    def add(self, other: Walked) -> None:
        """Add the results of another walk."""
        self.pages += other.pages
        self.taps += other.taps
        self.sought += other.sought
        self.faults += other.faults


def walk(house: OfferedHouse, who: str, lots: Random, most: int, also: tuple[str, ...] = ()) -> tuple[Walked, set[str]]:
    """Try every button on at most *most* pages that *who* finds; return the faults and the visited addresses."""
    found, known, tried = Walked(), set[str](), set[tuple[str, tuple[tuple[str, str], ...]]]()
    waiting = [(address, "") for address in (*AROUND, *also)]
    while waiting and found.pages < most:
        address, came_from = waiting.pop(0) if found.pages < len(AROUND) + len(also) else _picked(waiting, lots)
        if address in known:
            continue
        known.add(address)
        status, at, page = house.look(who, address)
        found.pages += 1
        if came_from and status != 200:
            found.faults.append(Fault("link", who, came_from, address, str(status)))
        if status != 200:
            continue
        _try(house, who, at, page, found, tried)
        if not OUTSIDE.match(address):
            waiting += [(each, at) for each in _onward(page) if each not in known]
    return found, known


def _picked(waiting: list[tuple[str, str]], lots: Random) -> tuple[str, str]:
    return waiting.pop(lots.randrange(len(waiting)))


def _try(house: OfferedHouse, who: str, at: str, page: Page, found: Walked, tried: set[Any]) -> None:
    for link in page.links:
        path = urlsplit(link.address).path
        why = house.why_not_by_access(who, path, "GET") if path.startswith("/") else ""
        if why:
            found.faults.append(Fault("link", who, at, link.address, why))
    for form in page.forms:
        if form.typed and form.by_enter:
            found.faults.append(Fault("enter", who, at, form.address, f"Enter in a field means {form.by_enter!r}"))
        if form.forgets and form.address not in SECRETS:
            found.faults.append(Fault("forgets", who, at, form.address, f"{form.forgets} lie in no [data-keeps]"))
    for sending in page.sendings:
        what = (sending.address, tuple(each for each in sending.fields if each[0] not in ("back", "next", "csrf")))
        if sending.navigates or what in tried:
            continue
        tried.add(what)
        tapped = house.tap(who, sending)
        found.taps += not tapped.elsewhere
        if not tapped.accepted and not house.hides(who, lines_of(sending)):
            sent = {name: value for name, value in what[1] if name != "version"}
            found.faults.append(Fault("refused", who, at, f"{sending.words!r} {sending.address} {sent}", tapped.why))


def _onward(page: Page) -> Iterator[str]:
    """Yield the addresses of links and of navigating forms, within the service and without files."""
    for link in page.links:
        yield from _ours(link.address)
    for sending in page.sendings:
        if sending.navigates:
            query = "&".join(f"{name}={value}" for name, value in sending.fields if value)
            yield from _ours(f"{sending.address}?{query}")


def _ours(address: str) -> Iterator[str]:
    path = urlsplit(address).path
    if address.startswith("/") and not any(each in path for each in FILES):
        yield address.partition("#")[0]


def seek(house: OfferedHouse, who: str, line: Line, most: int) -> str:
    """Return why *who* finds no button for *line*, or "" if there is one.

    At most *most* pages are searched, those most similar to the line first. On the page of corrections, only
    corrections are searched for.
    """
    wanted = _words(line)
    after = house.after(line)
    heap: list[tuple[float, int, str]] = [(0.0, 0, "/table")]
    known, number = {"/table"}, 0
    while heap and number < most:
        _, _, address = heappop(heap)
        status, _, page = house.look(who, address)
        number += 1
        given = [each for sending in page.sendings for each in lines_of(sending)] if status == 200 else []
        if line in given or any(house.after(each) == after for each in given):
            return ""
        near = min(
            (_apart(_words(each), wanted) for each in given if each.get("do") == line["do"]), default=len(wanted)
        )
        for each in _onward(page):
            if each not in known and not OUTSIDE.match(each) and _may_give(each, str(line["do"])):
                known.add(each)
                heappush(heap, (near + _far(each, wanted), len(known), each))
    return f"not on {number} pages, and {len(heap)} were left"


def _may_give(address: str, do: str) -> bool:
    return address.startswith("/table") and (do == "correct" or not address.startswith("/table/correct"))


def lines_of(sending: Sending) -> list[Line]:
    """Return the lines that *sending* sends to the table."""
    if urlsplit(sending.address).path != "/table/do":
        return []
    if sending.value("lines"):
        found: list[Line] = json.loads(sending.value("lines"))["lines"]
        return found
    return [json.loads(sending.value("line"))] if sending.value("line") else []


def _apart(one: list[str], wanted: list[str]) -> float:
    """Return how many words of *wanted* are missing in *one*, plus half the number of its additional words."""
    left, extra = list(wanted), 0
    for word in one:
        if word in left:
            left.remove(word)
        else:
            extra += 1
    return len(left) + 0.5 * extra


def _words(value: Any) -> list[str]:
    """Return the words of a line, including the words in its fields and lists."""
    if isinstance(value, dict):
        return [word for each in value.values() for word in _words(each)]
    if isinstance(value, list | tuple):
        return [word for each in value for word in _words(each)]
    return [] if value is None or isinstance(value, bool) else WORD.findall(str(value))


def _far(address: str, wanted: list[str]) -> float:
    """Return how far a page is from *wanted*: the number of missing words, plus half the number of additional ones."""
    parts = urlsplit(address)
    query = [word for name, value in parse_qsl(parts.query) for word in _values(name, value)]
    own = WORD.findall(parts.path) + query
    left, extra = list(wanted), 0
    for word in own:
        if word in left:
            left.remove(word)
        elif word in query:
            extra += 1
    return len(left) + 0.5 * extra


def _values(name: str, value: str) -> list[str]:
    """Return the words of one part of a query, in which dice are a letter each."""
    return list(symbols(value, len(value))) if name == "d" and value else WORD.findall(value)


def press_all(house: OfferedHouse) -> Walked:
    """Press each button of a console, short and long, and return those with a meaning that the table refuses."""
    found = Walked()
    buttons = [(Button.NEXT, ""), (Button.PAUSE, ""), *((Button.READY, seat) for seat in house.seats)]
    for button, seat in buttons:
        for held in (False, True):
            found.taps += 1
            why = house.press(Pressed(button, seat, held))
            if why:
                found.faults.append(Fault("refused", "console", str(button), f"{seat} held={held}", why))
    return found
