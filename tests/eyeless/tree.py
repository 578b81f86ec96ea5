"""What a page is to whoever cannot see it: Chromium's accessibility tree, in the order in which it is read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession

CONTROLS = ("link", "button", "menuitem", "radio", "checkbox", "textbox", "DisclosureTriangle")
HEADINGS = ("heading",)


@dataclass(frozen=True)
class Node:
    """One thing that a reader says: its *role* and *name*, and what it can do."""

    role: str
    name: str
    depth: int
    focusable: bool = False
    focused: bool = False
    disabled: bool = False
    level: int = 0
    live: str = ""

    @property
    def control(self) -> bool:
        """Whether something happens when it is pressed."""
        return self.role in CONTROLS and self.focusable and not self.disabled


class Tree(Sequence[Node]):
    """The nodes of a page in reading order; what a reader passes over is left out."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._nodes = tuple(nodes)

    def __getitem__(self, at: Any) -> Any:
        return self._nodes[at]

    def __len__(self) -> int:
        return len(self._nodes)

    @property
    def controls(self) -> list[Node]:
        """What the tab key comes to, in its order."""
        return [node for node in self if node.control]

    @property
    def focused(self) -> int | None:
        """Where the focus is: the last node that says so, as the page itself always does."""
        return next((at for at in reversed(range(len(self))) if self[at].focused), None)

    @property
    def title(self) -> str:
        """The heading of the page."""
        return next((node.name for node in self if node.role == "heading" and node.level == 1), "")

    def named(self, pattern: str, *roles: str) -> list[Node]:
        """Return the controls whose name holds *pattern*, a regular expression."""
        known = re.compile(pattern)
        return [node for node in self.controls if (not roles or node.role in roles) and known.search(node.name)]

    def within(self, role: str, name: str = "") -> list[Node]:
        """Return what is inside of the first node of that *role* and *name*."""
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
        """Return the writing inside of the first node of that *role* and *name*, paragraph by paragraph."""
        return [node.name for node in self.within(role, name) if node.role == "StaticText" and node.name.strip()]


def seen(session: CDPSession) -> Tree:
    """Return the page of *session* as a reader has it now."""
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}
    return Tree(list(_read(nodes[0], by_id.get, 0))) if nodes else Tree([])


def named(answer: Mapping[str, Any]) -> tuple[str, str]:
    """Return role and name of the one node of an *answer*."""
    node = _node(answer["nodes"][0], 0)
    return node.role, node.name


def _read(node: Mapping[str, Any], known: Callable[[str], Any], depth: int) -> Iterator[Node]:
    ignored = node.get("ignored", False)
    if not ignored:
        yield _node(node, depth)
    for child in node.get("childIds", ()):
        found = known(child)
        if found is not None:
            yield from _read(found, known, depth + (not ignored))


def _node(node: Mapping[str, Any], depth: int) -> Node:
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
    )
