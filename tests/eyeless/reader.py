"""Reads a page by its accessibility tree and acts by keyboard: every key is counted, and nothing is clicked."""

from __future__ import annotations

import re

from playwright.sync_api import Page

from tests.eyeless.tree import Node, Tree, named, seen

PATIENCE_MS = 60_000
SOON_MS = 25
STEPS = 120
EARS = """(() => {
  const LIVE = "[role=status], [role=alert], [role=log], [aria-live=polite], [aria-live=assertive]";
  const plain = (node) => node.textContent.replace(/\\s+/g, " ").trim();
  window.heard = [];
  window.swaps = 0;
  window.busy = 0;
  const fetched = window.fetch;
  window.fetch = (...asked) => {
    window.busy++;
    return fetched(...asked).finally(() => setTimeout(() => window.busy--));
  };
  document.addEventListener("swapped", () => window.swaps++);
  const hear = (region, node) => {
    if (region.getAttribute("aria-live") === "off" || !plain(node)) return;
    heard.push([region.id || region.className, plain(node)]);
  };
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const around = (target.nodeType === 1 ? target : target.parentElement)?.closest(LIVE);
      for (const node of addedNodes) {
        if (around) hear(around, node);
        else if (node.nodeType === 1)
          for (const region of [...(node.matches(LIVE) ? [node] : []), ...node.querySelectorAll(LIVE)])
            if (!region.closest("[hidden], [aria-hidden=true]")) hear(region, region);
      }
      if (around && !addedNodes.length && target.nodeType === 3) hear(around, target);
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
})();"""
"""Records what a screen reader would announce: text added to live regions, and new live regions."""


class Lost(AssertionError):
    """A control isn't on the page, or can't be reached with the keyboard."""


class Reader:
    """A screen reader for one page; *keys* counts all pressed keys."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.keys = 0
        self._session = page.context.new_cdp_session(page)
        page.set_default_timeout(PATIENCE_MS)

    def look(self) -> Tree:
        """Return the current page."""
        return seen(self._session)

    def key(self, name: str, times: int = 1) -> None:
        """Press a key."""
        for _ in range(times):
            self.page.keyboard.press(name)
        self.keys += times

    def type(self, text: str) -> None:
        """Replace the text of the focused field."""
        self.key("Control+A")
        self.page.keyboard.type(text)
        self.keys += len(text)

    def open(self, path: str) -> None:
        """Open *path*."""
        self.page.goto(path)

    def go_to(self, pattern: str, *roles: str) -> Node:
        """Move the focus with Tab to the first control whose name contains *pattern*."""
        tree = self.look()
        found = tree.named(pattern, *roles)
        if not found:
            names = [node.name for node in tree.controls]
            raise Lost(f"no {roles or 'control'} named {pattern!r} at {self.page.url}: {names}")
        self._tab(tree, found[0])
        for _ in range(STEPS):
            if self.focus == (found[0].role, found[0].name):
                return found[0]
            self.key("Tab")
        raise Lost(f"the tab key does not come to {found[0].name!r} at {self.page.url}")

    @property
    def focus(self) -> tuple[str, str]:
        """Return role and name of the focused element."""
        held = self._session.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]["objectId"]
        return named(self._session.send("Accessibility.getPartialAXTree", {"objectId": held, "fetchRelatives": False}))

    def _tab(self, tree: Tree, wanted: Node) -> None:
        """Press Tab as often as needed, forwards or backwards, whichever is shorter."""
        start, end = tree.focused or 0, next(at for at, node in enumerate(tree) if node is wanted)
        between = sum(node.control for node in tree[min(start, end) + 1 : max(start, end)])
        if end > start:
            self.key("Tab", between + 1)
        elif end < start:
            self.key("Shift+Tab", between + 1)

    def press(self, pattern: str, *roles: str) -> str:
        """Go to a control and press Enter; return its name."""
        wanted = self.go_to(pattern, *roles)
        before = self._place()
        self.key("Enter")
        self._settle(before)
        return wanted.name

    def _place(self) -> int:
        """Mark the current document, and return the number of times its page was swapped so far."""
        return int(self.page.evaluate("() => { window.marked = true; return window.swaps; }"))

    def _settle(self, before: int) -> None:
        """Wait for the result: a swapped page, or another document."""
        self.page.wait_for_function(
            "before => document.readyState === 'complete' && (!window.marked || (swaps !== before && !busy))",
            arg=before,
            polling=SOON_MS,
        )

    def await_version(self, version: int) -> None:
        """Wait until the page shows *version* or a later one."""
        self.page.wait_for_function(
            "version => Number(document.getElementById('page').dataset.version) >= version",
            arg=version,
            polling=SOON_MS,
        )

    @property
    def version(self) -> int:
        """The version that the page shows."""
        return int(self.page.get_attribute("#page", "data-version") or 0)

    def heard_by(self) -> tuple[int, list[tuple[str, str]]]:
        """Return the page's version and the announcements so far, read at the same moment."""
        version, found = self.page.evaluate(
            "() => [Number(document.getElementById('page').dataset.version), window.heard.splice(0)]"
        )
        return version, [(where, what) for where, what in found]

    def heard(self) -> list[tuple[str, str]]:
        """Return the announcements since the last call: region and text."""
        found = self.page.evaluate("() => window.heard.splice(0)")
        return [(where, what) for where, what in found]

    def ask(self, key: str, by_menu: bool) -> tuple[str, int]:
        """Ask by a key, with the sheet of questions or directly; return the answer and the number of keys."""
        before = self.keys
        if by_menu:
            self.key("F2")
        self.key(key)
        self.page.wait_for_function("() => heard.some(([where]) => where === 'answer')", polling=SOON_MS)
        return " ".join(self.look().texts("status")), self.keys - before


def plain(name: str) -> str:
    """Return a pattern that matches *name* literally."""
    return f"^{re.escape(name)}$"
