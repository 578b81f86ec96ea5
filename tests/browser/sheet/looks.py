"""The looks of a page: sizes, themes, languages, upside down, and with fonts twice as large."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Literal

from playwright.sync_api import Page, ViewportSize

from companion.kernel.languages import LANGUAGES
from tests.browser.looking import COLOURS, RULES, TWICE, Glasses, cut, faults, heavy, letters_of
from tests.browser.tablet import PHONE, TABLET
from tests.browser.tablet import TELEVISION as ROOM
from tests.browsers.measure import MEASURED

READ_IN = tuple(LANGUAGES)
QUALITY = 60
LARGE = "over each other"
"""The only kind of fault that counts with large fonts: words may wrap there, and questions may need scrolling."""
_DOCKED = "() => [...document.querySelectorAll('.dock, .docks, .replay-dock')].some((one) => one.checkVisibility())"
EVERYWHERE: Glasses = (
    ("tablet", "light", RULES),
    ("tablet", "dark", COLOURS),
    ("phone", "light", RULES),
    ("phone", "dark", COLOURS),
)


@dataclass(frozen=True)
class Look:
    """One way to show a page."""

    name: str
    size: ViewportSize
    scheme: Literal["light", "dark"] = "light"
    turned: bool = False
    large: bool = False


def _usual(sizes: Sequence[ViewportSize]) -> tuple[Look, ...]:
    return tuple(
        Look(f"{size['width']}x{size['height']}-{scheme}", size, scheme)
        for size, scheme in product(sizes, ("light", "dark"))
    )


USUAL = _usual((TABLET, PHONE))
"""Looks of every page, in every language."""
SPECIAL = (
    Look("800x1280", ViewportSize(width=800, height=1280)),
    Look("1024x768", ViewportSize(width=1024, height=768)),
    Look("360x740", ViewportSize(width=360, height=740)),
    Look("1280x800-turned", TABLET, turned=True),
    Look("1280x800-200", TABLET, large=True),
    Look("390x844-200", PHONE, large=True),
)
"""Further looks of every page, in one language."""
IN_A_HAND = tuple(look for look in (*USUAL, *SPECIAL) if look.size["width"] < 400)
IN_A_ROOM = _usual((ROOM,))


def pictures(page: Page, looks: Sequence[Look], folder: Path, name: str) -> Iterator[tuple[str, list[str]]]:
    """Save pictures of *page* in *looks*, at full length unless it has a dock; yield each name and its faults."""
    for look in looks:
        page.set_viewport_size(look.size)
        page.emulate_media(color_scheme=look.scheme, reduced_motion="reduce")
        page.evaluate("(turned) => document.documentElement.classList.toggle('turned', turned)", look.turned)
        file = f"{name}-{look.name}.jpg"
        with letters_of(page, TWICE) if look.large else nullcontext():
            found = [f"{file}: {fault}" for fault in page.evaluate(f"() => {{{MEASURED}}}")["faults"]]
            if not page.evaluate(_DOCKED):
                # The window is resized to the page's height, because a full-page screenshot resets the font size.
                height = page.evaluate("document.documentElement.scrollHeight")
                page.set_viewport_size(ViewportSize(width=look.size["width"], height=height))
            page.screenshot(path=folder / file, type="jpeg", quality=QUALITY)
        yield file, [fault for fault in found if _is_one(look, fault)]
    page.evaluate("document.documentElement.classList.remove('turned')")


def _is_one(look: Look, fault: str) -> bool:
    """Return True if *fault* counts in *look*: none on a turned page, and only overlaps with large fonts."""
    return not look.turned and (not look.large or LARGE in fault)


def looked_through(page: Page, name: str, glasses: Glasses) -> list[str]:
    """Return the faults of *page*: findings of axe-core, small or cut text, and too many bytes."""
    found = [*heavy(page, name), *faults(page, name, glasses)]
    return [*found, *cut(page, name)] if glasses is EVERYWHERE else found
