"""How well a page can be used by whoever sees or points differently: axe-core, targets, keyboard, large writing."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Page

from tests.browser.tablet import PHONE, TABLET, Tablet

AXE = Path(__file__).parents[2] / ".venv" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SIZES = {"tablet": TABLET, "phone": PHONE}
LEAST = {"tablet": 48, "phone": 44}
LEFT_OUT = ("/api/", "/static/", "/ring/diagnostics", "/healthz")

_AXE = """async (rules) => {
  const found = await axe.run(document, { runOnly: { type: "tag", values: rules }, resultTypes: ["violations"] });
  const why = ({ any, all, none }) => ([...any, ...all, ...none][0]?.message ?? "").slice(0, 90);
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 3).map((one) => `${id}: ${one.html.slice(0, 110)} ${why(one)}`));
}"""
_LINKS = """() => [...document.querySelectorAll("a[href]:not([download])")].map((one) => one.href)"""
_SMALL = """(least) =>
  [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(":disabled, .vh, p *"))
    .map((one) => [one, (one.matches("input") && one.closest("label") || one).getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < least - .5)
    .map(([one, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${one.outerHTML.slice(0, 110)}`)"""
_CUT = """() => {
  const told = (one) => one.outerHTML.slice(0, 110), wide = document.documentElement.scrollWidth - innerWidth;
  const shown = [...document.querySelectorAll("#page *")].filter((one) => one.checkVisibility() && !one.closest("svg"));
  const out = shown.filter((one) => one.getBoundingClientRect().right > innerWidth + 1).slice(-1);
  const runs = shown.filter((one) => one.textContent.trim() && one.scrollWidth > one.clientWidth + 2
    && !one.closest(".vh, [data-scroll]"));
  const hidden = (one) => ["hidden", "clip"].includes(getComputedStyle(one).overflowX);
  return [...(wide > 1 ? out.map((one) => `wider than the glass by ${wide}: ${told(one)}`) : []),
    ...runs.filter((one) => one.matches(".btn")).map((one) => `writing runs out of ${told(one)}`),
    ...runs.filter((one) => !one.matches(".btn") && hidden(one)).map((one) => `cut: ${told(one)}`)];
}"""
_FOCUS = """() => {
  const one = document.activeElement, style = getComputedStyle(one);
  const seen = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || one.matches("h1");
  window.been ??= new Set();
  const again = been.has(one);
  been.add(one);
  return { body: one === document.body, again, seen, what: one.outerHTML.slice(0, 110) };
}"""
_UNREACHED = """() => {
  const can = "a[href], button:not([disabled]), input:not([type=hidden]), select, textarea, summary";
  const chosen = (one) => one.type === "radio" && [...been].some((other) => other.name === one.name);
  return [...document.querySelectorAll(can)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0)
    .filter((one) => !been.has(one) && !chosen(one) && !one.matches(":disabled"))
    .map((one) => one.outerHTML.slice(0, 110));
}"""


def armed(device: Tablet) -> Tablet:
    """Give every page of *device* axe-core, which the page's own policy would not let it fetch."""
    device.page.add_init_script(path=AXE)
    return device


def addresses(page: Page, known: dict[str, str], within: str = "/") -> list[str]:
    """Return where the links of *page* lead that are not *known* yet, one for each kind, and add them."""
    home, new = urlsplit(page.url).netloc, []
    for link in page.evaluate(_LINKS):
        parts = urlsplit(link)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        asked = sorted({name for name, _ in parse_qsl(parts.query)} - {"from", "next"})
        # The rules on cards differ in their words alone: the first of them stands for all.
        place = "/rules/" if parts.path.startswith("/rules/") else parts.path
        kind = f"{place}?{len(asked) > 1}{asked[:1]}"
        if parts.netloc == home and kind not in known and path.startswith(within) and not path.startswith(LEFT_OUT):
            known[kind] = path
            new.append(path)
    return new


def faults(page: Page, path: str) -> list[str]:
    """Return what shuts somebody out of the page at *path*: light and dark, on a tablet and a phone."""
    found = []
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        # The dark has the same colours on every glass: one is enough to look at them.
        for scheme in ("light", "dark") if size == "tablet" else ("light",):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            rules = RULES if scheme == "light" else ["cat.color"]
            found += [f"{path} {size} {scheme} {fault}" for fault in page.evaluate(_AXE, rules)]
        found += [f"{path} {size} small: {fault}" for fault in page.evaluate(_SMALL, LEAST[size])]
    return found


def cut(page: Page, path: str) -> list[str]:
    """Return what the glass has no room for at *path*: wider than it, or cut off."""
    found = []
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        found += [f"{path} {size} {fault}" for fault in page.evaluate(_CUT)]
    return found


def keyboard(page: Page, path: str) -> list[str]:
    """Return what cannot be reached with the tab key at *path*, what shows no focus, and where it is caught."""
    page.evaluate("() => { window.been = new Set(); document.activeElement.blur(); }")
    found = []
    for _ in range(400):
        page.keyboard.press("Tab")
        at: dict[str, Any] = page.evaluate(_FOCUS)
        if at["body"] or at["again"]:
            break
        if not at["seen"]:
            found.append(f"{path} no focus to be seen: {at['what']}")
    else:
        found.append(f"{path} the tab key goes on for ever")
    return found + [f"{path} not reached: {one}" for one in page.evaluate(_UNREACHED)]
