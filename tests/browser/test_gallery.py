"""The pictures of docs/screenshots: every page is there, at both sizes, light and dark."""

from __future__ import annotations

from pathlib import Path

from tests.browser.camera import SCHEMES, SIZES
from tests.browser.gallery import ON_PHONES, ON_TABLETS
from tests.web.served_house import ServedHouse

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
NO_PAGES = (".static", "api.", "static", "device.manifest", "ring.diagnostics", "keeping.take_away")
"""Files and answers for programs."""


def test_every_page_has_its_picture(site: ServedHouse) -> None:
    """Pictures: each address that is a page is among those that are taken."""
    known = site.app.url_map.bind("localhost")
    taken = {known.match(path)[0] for path in (*ON_TABLETS.values(), *ON_PHONES.values())}
    pages = {
        rule.endpoint
        for rule in site.app.url_map.iter_rules()
        if rule.methods and "GET" in rule.methods and not any(part in rule.endpoint for part in NO_PAGES)
    }

    assert pages - taken == set()


def test_every_picture_is_there() -> None:
    """Pictures: both sizes, light and dark; what a player's phone shows, on a phone."""
    wanted = {f"{name}-{size}-{scheme}.png" for name in ON_TABLETS for size in SIZES for scheme in SCHEMES}
    wanted |= {f"{name}-390x844-{scheme}.png" for name in ON_PHONES for scheme in SCHEMES}

    assert {name for name in wanted if not (FOLDER / name).is_file()} == set()
