"""The pictures of the pages: each page has one, and the few in the documentation are small."""

from __future__ import annotations

from tests.browser.camera import SCHEMES, SIZES
from tests.browser.gallery import IN_A_ROOM, ON_PHONES, ON_TABLETS
from tests.browser.shown import KEPT, shown
from tests.browser.tablet import TELEVISION
from tests.web.served_house import ServedHouse

MOST, MOST_BYTES = 12, 120_000
TAKEN = (
    {f"{name}-{size}-{scheme}.png" for name in ON_TABLETS for size in SIZES for scheme in SCHEMES}
    | {f"{name}-390x844-{scheme}.png" for name in ON_PHONES for scheme in SCHEMES}
    | {f"{name}-{TELEVISION['width']}x{TELEVISION['height']}.png" for name in IN_A_ROOM}
)
GAMES = ("game_files.night", "game_files.state", "game_files.draws")
FILES = (
    *GAMES,
    "device.manifest",
    "ring.diagnostics",
    "calibration_files.take_away",
    "so_far.record",
    "after.picture",
    "verify.file",
)
PARTS = ("table.countdown", "replay.step", "replay.brought", "replay.take_")
"""Fragments of pages: those shared by all games, those for uploaded games, and downloads."""
NO_PAGES = (".static", "api.", "static", "device.drawn", "moved.page", *FILES, *PARTS)
"""Files, answers for programs, and old addresses."""


def test_every_page_has_its_picture(site: ServedHouse) -> None:
    """Pictures: each address that is a page has a picture."""
    known = site.app.url_map.bind("localhost")
    paths = (*ON_TABLETS.values(), *ON_PHONES.values(), *IN_A_ROOM.values())
    taken = {known.match(path.partition("?")[0])[0] for path in paths}
    pages = {
        rule.endpoint
        for rule in site.app.url_map.iter_rules()
        if rule.methods and "GET" in rule.methods and not any(part in rule.endpoint for part in NO_PAGES)
    }

    assert pages - taken == set()


def test_the_pictures_that_are_shown_are_kept_and_no_others() -> None:
    """Pictures: only those linked from README and docs are in the repository; others are made on request."""
    kept = {path.name: path.stat().st_size for path in KEPT.iterdir()}

    assert set(kept) == shown()
    assert shown() <= TAKEN
    assert max(kept.values()) < MOST_BYTES
    assert len(kept) <= MOST
