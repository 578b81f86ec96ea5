"""Moments: pages show times in the device's own time zone; all other text names its time zone."""

from __future__ import annotations

import ast
import os
import time
from collections.abc import Iterator

import pytest

from companion.kernel.moments import date_in_this_zone, for_file_names, in_this_zone, in_utc
from tests.product_source import files

EVENING = 1_764_099_900.0
"""19:45 on 25 November 2025 in UTC."""
ZONED = {"companion/kernel/moments.py", "web/http/formatting.py"}
"""The two modules that format moments as text."""
TURNS = {"strftime", "localtime", "fromtimestamp", "ctime", "asctime", "utcfromtimestamp"}
IN_UTC = {"companion/app/automatic_backups.py", "companion/records/export.py"}
"""Modules that use UTC for file names and for a field that another program reads, not for texts that users see."""


@pytest.fixture(params=[("UTC", "UTC", "19:45"), ("Europe/Amsterdam", "CET", "20:45")], ids=lambda zone: str(zone[0]))
def zone(request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """A machine in another time zone: the zone's name and the local time there."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param[0]
    time.tzset()
    yield request.param[1:]
    os.environ.pop("TZ") if before is None else os.environ.update(TZ=before)
    time.tzset()


def test_text_names_the_zone_of_its_machine(zone: tuple[str, str]) -> None:
    """Terminals and reports show local time with the zone's name; file names and dates in data are in UTC."""
    name, clock = zone

    assert in_this_zone(EVENING) == f"2025-11-25 {clock} {name}"
    assert date_in_this_zone(EVENING) == f"2025-11-25 {name}"
    assert (in_utc(EVENING), for_file_names(EVENING)) == ("2025-11-25T19:45:00Z", "20251125-194500Z")


def test_no_other_place_turns_a_moment_into_words() -> None:
    """Moments: no other module formats a moment as text."""
    assert {place for place, text in files(*TURNS) if _turns(text)} - IN_UTC == ZONED


def _turns(text: str) -> bool:
    tree = ast.parse(text)
    return any(isinstance(node, ast.Attribute) and node.attr in TURNS for node in ast.walk(tree))
