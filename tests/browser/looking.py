"""Accessibility checks of a page: axe-core, size of targets, keyboard, and large text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Browser, Page

from tests.browser.tablet import PHONE, TABLET, Tablet

AXE = Path(__file__).parents[2] / ".venv" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
SIZES = {"tablet": TABLET, "phone": PHONE}
LEAST = {"tablet": 48, "phone": 44}
COLOURS = ["cat.color"]
Glasses = Sequence[tuple[str, Literal["light", "dark"], Sequence[str]]]
"""Sizes and colour schemes in which a page is checked, and the rules of axe-core for each."""
EVERY: Glasses = (("tablet", "light", RULES), ("tablet", "dark", COLOURS), ("phone", "light", RULES))
# The dark scheme has the same colours at every size, so one size is enough.
TABLETS: Glasses = EVERY[:2]
IN_LIGHT: Glasses = EVERY[:1]
PHONES: Glasses = EVERY[2:]
TWICE, USUAL = 32, 16
"""Font sizes in pixels: twice the default, and the default; users can set this in their browser."""
LEFT_OUT = ("/api/", "/static/", "/ring/diagnostics", "/healthz")

MOST_BYTES = 150_000
"""The most bytes of a page with all its files, uncompressed: a ten-year-old tablet must be able to show it."""

_WEIGHT = """async () => {
  const worker = "/static/shared_stream.js"; // which brings itself along, and is in no page's list
  const came = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
    .filter((one) => !one.name.includes("/api/") && !one.name.endsWith(worker));
  window.shared ??= (await (await fetch(worker)).text()).length;
  return came.reduce((sum, one) => sum + one.decodedBodySize, window.shared);
}"""
_AXE = """async (rules) => {
  const once = (where, runOnly) => axe.run(where, {
    runOnly, resultTypes: ["violations"], preload: false, selectors: false, elementRef: true });
  const found = await once(document, { type: "tag", values: rules });
  const why = ({ any, all, none }) => ([...any, ...all, ...none][0]?.message ?? "").slice(0, 90);
  const told = [];
  for (const { id, nodes } of found.violations) for (const one of nodes.slice(0, 3)) {
    if (id === "target-size") { // what lies half under a dock is whole as soon as somebody scrolls
      one.element.scrollIntoView({ block: "center" });
      if (!(await once(one.element, { type: "rule", values: [id] })).violations.length) continue;
    }
    told.push(`${id}: ${one.html.slice(0, 110).replace(/\\s+/g, " ")} ${why(one)}`);
  }
  scrollTo(0, 0);
  return told;
}"""
_LINKS = """() => [...document.querySelectorAll("a[href]:not([download], [data-saves])")].map((one) => one.href)"""
_SMALL = """(least) => {
  // A link may take in the whole of what it stands in: what is above all of that is hit as well.
  const covers = (one) => getComputedStyle(one, "::after").position === "absolute" && one.offsetParent
    && getComputedStyle(one, "::after").inset === "0px";
  const hit = (one) => covers(one) ? one.offsetParent : one.matches("input") && one.closest("label") || one;
  return [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches(":disabled, .vh, p *"))
    .map((one) => [one, hit(one).getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < least - .5)
    .map(([one, box]) => `${Math.round(box.width)}x${Math.round(box.height)} ${one.outerHTML.slice(0, 110)}`);
}"""
_CUT = """() => {
  const told = (one) => one.outerHTML.slice(0, 110), wide = document.documentElement.scrollWidth - innerWidth;
  const shown = [...document.querySelectorAll("#page *")].filter((one) => one.checkVisibility() && !one.closest("svg"));
  const out = shown.filter((one) => one.getBoundingClientRect().right > innerWidth + 1).slice(-1);
  const runs = shown.filter((one) => one.textContent.trim() && one.scrollWidth > one.clientWidth + 2
    && !one.closest(".vh, [data-scroll], summary")); // the rest of a summary is one tap away
  const unseen = (one) => getComputedStyle(one).clipPath === "inset(50%)"; // said to screen readers alone
  const writes = (one) => [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
  const hides = (one) => ["hidden", "clip"].includes(getComputedStyle(one).overflowX) && !unseen(one);
  const hidden = (one) => hides(one) && writes(one);
  return [...(wide > 1 ? out.map((one) => `wider than the glass by ${wide}: ${told(one)}`) : []),
    ...runs.filter((one) => one.matches(".btn")).map((one) => `writing runs out of ${told(one)}`),
    ...runs.filter((one) => !one.matches(".btn") && hidden(one)).map((one) => `cut: ${told(one)}`)];
}"""
_BEGUN = """() => {
  window.been = new Set(), window.unseen = [];
  document.activeElement.blur();
  window.look ??= document.addEventListener("focusin", ({ target: one }) => {
    const style = getComputedStyle(one);
    const seen = (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || one.matches("h1");
    if (!seen && !been.has(one)) unseen.push(one.outerHTML.slice(0, 110));
    been.add(one);
  }) ?? true;
  const can = "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]";
  return [...document.querySelectorAll(can)].filter((one) => one.checkVisibility() && one.tabIndex >= 0).length + 1;
}"""
"""Records where the focus goes from now on, and returns how often Tab has to be pressed to visit everything."""
_UNREACHED = """() => {
  const can = "a[href], button:not([disabled]), input:not([type=hidden]), select, textarea, summary";
  const chosen = (one) => one.type === "radio" && [...been].some((other) => other.name === one.name);
  return [...document.querySelectorAll(can)]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0)
    .filter((one) => !been.has(one) && !chosen(one) && !one.matches(":disabled"))
    .map((one) => one.outerHTML.slice(0, 110));
}"""


def seated(browser: Browser, address: str, host: Tablet, name: str) -> Tablet:
    """Return the phone of *name*, which has joined with the PIN shown on the host's tablet."""
    phone = Tablet(browser, address, PHONE, still=True)
    phone.open(f"/join?pin={host.join_pin()}")
    phone.tap(f".sit-down:has-text('{name}')")
    phone.page.wait_for_url("**/table")
    return phone


def addresses(page: Page, known: dict[str, str], within: str = "/") -> list[str]:
    """Return the links of *page* that are not *known* yet, one of each kind, and add them to *known*."""
    home, new = urlsplit(page.url).netloc, []
    for link in page.evaluate(_LINKS):
        parts = urlsplit(link)
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        asked = sorted({name for name, _ in parse_qsl(parts.query)} - {"from", "next"})
        kind = f"{parts.path}?{len(asked) > 1}{asked[:1]}"  # one rules card represents all of them
        if parts.netloc == home and kind not in known and path.startswith(within) and not path.startswith(LEFT_OUT):
            known[kind] = path
            new.append(path)
    return new


def faults(page: Page, path: str, glasses: Glasses = EVERY) -> list[str]:
    """Return the accessibility faults of the page at *path*, for each size and colour scheme in *glasses*."""
    if not page.evaluate("() => 'axe' in window"):  # the page's content security policy forbids loading it
        page.evaluate(f"() => {{ {AXE.read_text(encoding='utf-8')} }}")
    found, sizes = [], dict.fromkeys(size for size, *_ in glasses)
    for size, scheme, rules in glasses:
        page.set_viewport_size(SIZES[size])
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [f"{path} {size} {scheme} {fault}" for fault in page.evaluate(_AXE, list(rules))]
    for size in sizes:
        page.set_viewport_size(SIZES[size])
        found += [f"{path} {size} small: {fault}" for fault in page.evaluate(_SMALL, LEAST[size])]
    return found


def heavy(page: Page, path: str) -> list[str]:
    """Return a fault if the page at *path* with its scripts, styles and pictures is too large."""
    weighs = page.evaluate(_WEIGHT)
    return [f"{path} weighs {weighs} bytes"] if weighs > MOST_BYTES else []


def cut(page: Page, path: str) -> list[str]:
    """Return the elements at *path* that are wider than the screen, or cut off."""
    found = []
    for size, viewport in SIZES.items():
        page.set_viewport_size(viewport)
        found += [f"{path} {size} {fault}" for fault in page.evaluate(_CUT)]
    return found


def written_large(page: Page, path: str) -> list[str]:
    """Return the elements at *path* that are too wide or cut off when the font is twice as large."""
    with letters_of(page, TWICE):
        return cut(page, path)


@contextmanager
def letters_of(page: Page, pixels: int) -> Iterator[None]:
    """Set the browser's default font size to *pixels* inside this context, without a reload."""
    browser = page.context.new_cdp_session(page)
    browser.send("Page.setFontSizes", {"fontSizes": {"standard": pixels}})
    try:
        yield
    finally:
        browser.send("Page.setFontSizes", {"fontSizes": {"standard": USUAL}})
        browser.detach()


def keyboard(page: Page, path: str) -> list[str]:
    """Return the elements at *path* that Tab can't reach, that show no focus, or that trap it."""
    for _ in range(page.evaluate(_BEGUN)):
        page.keyboard.press("Tab")
    unseen, unreached = page.evaluate(f"() => [window.unseen, ({_UNREACHED})()]")
    found = [f"{path} no focus to be seen: {one}" for one in unseen]
    return found + [f"{path} not reached: {one}" for one in unreached]
