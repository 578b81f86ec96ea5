"""`companion ring check` on an emulated chip, in simulated time."""

from __future__ import annotations

from itertools import count

from firmware_bridge.conformance.conversation import Conversation
from firmware_bridge.conformance.suite import checked
from firmware_bridge.conformance.text_report import as_text

MEASURED = 40


def test_a_chip_passes_the_check_of_rings(chip):
    """A chip passes every check of `companion ring check`."""
    report = checked("an emulated chip", Conversation(chip.wire(), chip.now, map("c{}".format, count(1)).__next__))

    assert report.passed, as_text(report)
    assert len(report.results) >= MEASURED
