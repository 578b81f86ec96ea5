"""A page for screen readers: Chromium's accessibility tree in reading order."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession

CONTROLS = ("link", "button", "menuitem", "radio", "checkbox", "textbox", "DisclosureTriangle")
HEADINGS = ("heading",)
DOING = ("link", "button")
TRIES = 20
"""How often a page is read again if it is swapped between reading its names and its actions."""


@dataclass(frozen=True)
class Node:
    """One element as a screen reader sees it: its *role* and *name*, and its action."""

    role: str
    name: str
    depth: int
    focusable: bool = False
    focused: bool = False
    disabled: bool = False
    level: int = 0
    live: str = ""
    does: str | None = None
    """The address of a link, or what a button sends: the line of a record as JSON, otherwise its form's address."""

    @property
    def line(self) -> Mapping[str, Any]:
        """Return the line of a record that a button sends, or an empty dictionary for any other control."""
        found: Mapping[str, Any] = json.loads(self.does) if (self.does or "").startswith("{") else {}
        return found

    @property
    def control(self) -> bool:
        """Return whether pressing it does something."""
        return self.role in CONTROLS and self.focusable and not self.disabled


class Tree(Sequence[Node]):
    """The nodes of a page in reading order, without those that screen readers skip."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = tuple(nodes)

    def __getitem__(self, at: Any) -> Any:
        return self._nodes[at]

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def controls(self) -> list[Node]:
        """Return the controls in the order of the Tab key."""
        return [node for node in self if node.control]

    @property
    def focused(self) -> int | None:
        """Return the index of the focused node: the last one marked as focused, since the page itself always is."""
        return next((at for at in reversed(range(len(self))) if self[at].focused), None)

    @property
    def title(self) -> str:
        """Return the heading of the page."""
        return next((node.name for node in self if node.role == "heading" and node.level == 1), "")

    def named(self, pattern: str, *roles: str) -> list[Node]:
        """Return the controls whose name contains *pattern*, a regular expression."""
        known = re.compile(pattern)
        return [node for node in self.controls if (not roles or node.role in roles) and known.search(node.name)]

    def doing(self, do: str, **fills: object) -> list[Node]:
        """Return the buttons that send the line *do* with these fields, independent of their labels."""
        wanted = {"do": do, **fills}
        return [node for node in self.controls if wanted.items() <= node.line.items()]

    def leading(self, pattern: str) -> list[Node]:
        """Return the links and forms whose address matches *pattern*, a regular expression."""
        known = re.compile(pattern)
        return [node for node in self.controls if known.search(node.does or "")]

    def within(self, role: str, name: str = "") -> list[Node]:
        """Return the nodes inside of the first node with *role* and *name*."""
        for at, node in enumerate(self):
            if node.role == role and re.search(name, node.name):
                return list(self._inside(at))
        return []

    def _inside(self, at: int) -> Iterator[Node]:
        for node in self[at + 1 :]:
            if node.depth <= self[at].depth:
                return
            yield node

    def texts(self, role: str, name: str = "") -> list[str]:
        """Return the texts inside of the first node with *role* and *name*, by paragraph."""
        return [node.name for node in self.within(role, name) if node.role == "StaticText" and node.name.strip()]


def seen(session: CDPSession) -> Tree:
    """Return the current page of *session* as a screen reader gets it."""
    for _ in range(TRIES):
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        deeds = dict(_deeds(session.send("DOM.getDocument", {"depth": -1})["root"], {}))
        known = {node["nodeId"]: node for node in nodes}
        tree = Tree(list(_read(nodes[0], known.get, deeds, 0)) if nodes else [])
        if all(node.does is not None for node in tree.controls if node.role in DOING):
            return tree
    raise AssertionError("the page is swapped again and again")


def _deeds(element: Mapping[str, Any], form: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Yield the action of each link and button, by its number in the document; *form* is the form around it."""
    given = element.get("attributes", ())
    known = dict(zip(given[::2], given[1::2], strict=True))
    form = known if element["nodeName"] == "FORM" else form
    if element["nodeName"] == "A":
        yield element["backendNodeId"], known.get("href", "")
    if element["nodeName"] == "BUTTON":
        own = known.get("value", "") if known.get("name") == "line" else ""
        yield element["backendNodeId"], own or known.get("formaction") or form.get("action", "")
    for child in element.get("children", ()):
        yield from _deeds(child, form)


def named(answer: Mapping[str, Any]) -> tuple[str, str]:
    """Return role and name of the only node of an *answer*."""
    node = _node(answer["nodes"][0], 0, None)
    return node.role, node.name


def _read(node: Mapping[str, Any], known: Callable[[str], Any], deeds: Mapping[int, str], depth: int) -> Iterator[Node]:
    ignored = node.get("ignored", False)
    if not ignored:
        yield _node(node, depth, deeds.get(node.get("backendDOMNodeId", 0)))
    for child in node.get("childIds", ()):
        found = known(child)
        if found is not None:
            yield from _read(found, known, deeds, depth + (not ignored))


def _node(node: Mapping[str, Any], depth: int, does: str | None) -> Node:
    facts = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
    return Node(
        role=str(node.get("role", {}).get("value", "")),
        name=str(node.get("name", {}).get("value", "")),
        depth=depth,
        focusable=bool(facts.get("focusable")),
        focused=bool(facts.get("focused")),
        disabled=bool(facts.get("disabled")),
        level=int(facts.get("level") or 0),
        live=str(facts.get("live") or ""),
        does=does,
    )
