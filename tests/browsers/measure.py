"""Measures where a page's elements are, and what is wrong with them, with the same script in every engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # selenium, which controls a window, is needed only by `make browsers`
    from tests.browsers.glass import Glass, Size

NEAR_PX, NEAR_SHARE = 12, 0.04
"""How far positions in two engines may differ, since each engine draws letters of a different width."""
SIDES = ("x", "y", "width", "height")
MEASURED = """
  const told = (one) => one.textContent.trim().replace(/\\s+/g, " ").slice(0, 40);
  // What a fold hides: all but its own summary, which may itself be in a fold that is closed.
  const folded = (one) => {
    const fold = one.closest("details:not([open])"), own = fold && one.closest("summary");
    return fold && (!own || own.parentElement !== fold || folded(fold.parentElement));
  };
  // What is for readers' ears alone is clipped to nothing, and so is all that is in it.
  const clipped = (one) => one && (getComputedStyle(one).clipPath === "inset(50%)" || clipped(one.parentElement));
  const seen = (one) => {
    const style = getComputedStyle(one), box = one.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && style.visibility !== "hidden" && style.display !== "none"
      && !one.closest("[hidden], #under") && !clipped(one) && !folded(one) && Number(style.opacity) > 0.05;
  };
  const box = (one) => { const { left, top, width, height } = one.getBoundingClientRect();
    return [left, top, width, height].map(Math.round); };
  const written = (one) => [...one.childNodes].some((text) => text.nodeType === 3 && text.data.trim());
  const main = document.querySelector("#page > main");
  const places = {}, faults = [];
  const place = (name, one) => {
    let key = name;
    for (let n = 2; key in places; n++) key = `${name} ${n}`;
    places[key] = box(one);
  };
  place("title", main.querySelector("h1") || main);
  const parts = [...main.children].map((one) => [`part ${one.tagName.toLowerCase()}.${one.classList[0] || ""}`, one]);
  const asked = [...main.querySelectorAll("[data-frame]")].map((one) => [`${one.dataset.frame} ${told(one)}`, one]);
  const buttons = [...main.querySelectorAll(".go")].map((one) => [`button ${told(one)}`, one]);
  for (const [name, one] of [...parts, ...asked, ...buttons]) if (seen(one)) place(name, one);

  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 1) faults.push(`wider than the glass by ${wide}`);
  const all = [...main.querySelectorAll("*")].filter((one) => !one.closest("svg") || one.matches("svg")).filter(seen);
  for (const one of all) {
    if (one.matches("svg") || !one.textContent.trim() || one.closest("[data-scroll]")) continue;
    const hides = ["hidden", "clip"].includes(getComputedStyle(one).overflowX);
    const runs = one.scrollWidth > one.clientWidth + 2 && one.clientWidth > 1;
    if (runs && (hides ? written(one) : one.matches(".btn, b, .name"))) faults.push(`cut: ${told(one)}`);
  }

  // Every piece of writing by its lines, and every small picture: none of them lies on another.
  // What lies outside of a box that hides what runs out of it is not seen.
  const shows = (one, line) => {
    for (let box = one.parentElement; box && box !== main; box = box.parentElement) {
      if (getComputedStyle(box).overflowY === "visible") continue;
      const { top, bottom, left, right } = box.getBoundingClientRect();
      if (line.bottom <= top || line.top >= bottom || line.right <= left || line.left >= right) return false;
    }
    return true;
  };
  const things = [], range = document.createRange(), known = new Map();
  const stays = (one) => ["sticky", "fixed"].includes(getComputedStyle(one).position);
  const fixed = (one) => {
    if (one === main || !one) return null;
    if (!known.has(one)) known.set(one, stays(one) ? one : fixed(one.parentElement));
    return known.get(one);
  };
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const one = text.parentElement;
    if (!text.data.trim() || one.closest("svg") || !seen(one) || one.closest("[data-scroll], noscript")) continue;
    range.selectNodeContents(text);
    for (const { left, right, top, bottom, height } of range.getClientRects()) {
      const line = { left, right, top: top + height * 0.2, bottom: bottom - height * 0.2, height: height * 0.6 };
      if (shows(text, line)) things.push({ one, line, words: text.data.trim().slice(0, 30) });
    }
    for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
      range.setStart(text, index), range.setEnd(text, index + word.length);
      const tops = new Set([...range.getClientRects()].map((line) => Math.round(line.top)));
      if (tops.size > 1 && !/[-\\u00ad\\u2010\\u2011/]/.test(word)) faults.push(`split: ${word}`);
    }
  }
  for (const one of all.filter((each) => each.matches("svg.tok, svg.ico, svg.globe, svg.coin"))) {
    const line = one.getBoundingClientRect();
    if (shows(one, line)) things.push({ one, line, words: `picture ${one.classList}` });
  }
  const badged = (one, other) => one.matches(".mark") && one.parentElement.contains(other);
  const together = (one, other) => {
    const coin = one?.closest(".value, .coin, .settled .scene, .stations li, .hx .space");
    return coin && (coin.contains(other) || together(coin.parentElement, other));
  };
  const within = (one, other) => one === other || one.contains(other) || other.contains(one);
  for (let a = 0; a < things.length; a++) for (let b = a + 1; b < things.length; b++) {
    const first = things[a], second = things[b], x = first.line, y = second.line;
    if (first.words.startsWith("picture") && second.words.startsWith("picture")) continue;
    // A piece lies on the coin that it took or the planet that it is at, what has changed on the count that it changed.
    if (together(first.one, second.one)) continue;
    // A badge lies on the corner of the tile that it counts for: how many of it go, or come.
    if (badged(first.one, second.one) || badged(second.one, first.one)) continue;
    if (within(first.one, second.one) || fixed(first.one) !== fixed(second.one)) continue;
    const wide = Math.min(x.right, y.right) - Math.max(x.left, y.left);
    const high = Math.min(x.bottom, y.bottom) - Math.max(x.top, y.top);
    if (wide > 3 && high > Math.min(x.height, y.height) / 3)
      faults.push(`over each other: ${first.words} and ${second.words}`);
  }

  const dock = main.querySelector(".dock, .docks");
  const docked = dock && seen(dock) && getComputedStyle(dock).position === "sticky";
  const edge = docked ? dock.getBoundingClientRect().top : innerHeight;
  for (const one of main.querySelectorAll("[data-frame]")) {
    if (!seen(one)) continue;
    const { top, bottom } = one.getBoundingClientRect(), least = dock && dock.contains(one) ? innerHeight : edge;
    if (top < -1 || bottom > least + 1) faults.push(`not on the glass: ${one.dataset.frame} ${told(one)}`);
  }
  return { places, faults: [...new Set(faults)], height: document.documentElement.scrollHeight };"""

Places = Mapping[str, list[int]]


def measured(glass: Glass) -> dict[str, Any]:
    """Return the positions of the page's main elements, their faults, and the page's height."""
    glass.evaluate("scrollTo(0, 0);")
    glass.steady()
    found: dict[str, Any] = glass.evaluate(MEASURED)
    return found


def apart(one: Places, other: Places, size: Size) -> list[str]:
    """Return the elements that have another position in *other* than in *one*, or are missing in one of them."""
    found = [f"only in one of them: {name}" for name in sorted(one.keys() ^ other.keys())]
    for name in one.keys() & other.keys():
        for what, here, there, whole in zip(SIDES, one[name], other[name], size * 2, strict=True):
            if abs(here - there) > max(NEAR_PX, NEAR_SHARE * min(whole, max(here, there))):
                found.append(f"{name}: {what} {here} and {there}")
    return sorted(found)
