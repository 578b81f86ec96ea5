"""CHECK: `companion ring check` with the example device, written in C from the protocol's page alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hil.rungs.example import Example

PATIENCE_S = 120.0
PROMISES = 47


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Example]:
    """The device, which slides a cube when ordered."""
    made = Example(tmp_path)
    yield made
    made.close()


def test_a_device_from_the_page_alone_keeps_all_that_is_checked(device, ring_command):
    """All results of the check pass, and only those that need a calibration are skipped."""
    process = ring_command("check", "--ring", device.path, "--json")
    said, complaint = process.communicate(timeout=PATIENCE_S)

    report = json.loads(said)
    times = [each for each in report["results"] if each["unit"] == "ms"]  # limits of time on a machine that may be busy
    assert [each["name"] for each in report["results"] if not each["passed"] and each not in times] == [], complaint
    assert len(report["results"]) >= PROMISES
    kept_for_others = "event forgotten when acknowledged"  # the boot event, which the check must not acknowledge
    assert [each["name"] for each in report["skipped"]] == [kept_for_others, "white against the calibration's"]
