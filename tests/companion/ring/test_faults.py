"""Ring faults: everything that can go wrong with the ring has a name, a short message and a remedy."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.ports.ring import RingEventKind, RingState, RingView
from companion.ring.faults import FAULTS, WHY, Remedy, RingFault, fault_named, lost
from tests.companion.live_table import LiveTable

EVERY = (
    *("went-back", "poke", "two-together", "surplus", "stuck", "gate-open-while-shaking", "lifted", "ambient-light"),
    *("saturated", "dirty-window", "unknown-colour", "ambiguous-colour", "colour-not-in-the-ring", "link-lost"),
    *("device-restarted", "sensor-missing"),
)
LONG_WORDS = re.compile(r"[a-z]{13,}")


@pytest.mark.parametrize("name", EVERY)
def test_every_fault_is_known(name: str) -> None:
    """Faults: the table of faults contains each of these faults under its name."""
    assert FAULTS[name].name == name


@pytest.mark.parametrize("fault", FAULTS.values(), ids=lambda each: each.name)
def test_a_message_is_plain_and_says_how_to_go_on(fault: RingFault) -> None:
    """Faults: message and remedy are short sentences of short words that a child of ten can read."""
    for sentence in (fault.message, fault.on):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert len(sentence.split()) <= 12
        assert not LONG_WORDS.search(sentence)
    assert fault.way in Remedy


def test_messages_differ() -> None:
    """Faults: no two faults have the same message."""
    assert len({each.message for each in FAULTS.values()}) == len(FAULTS)


@pytest.mark.parametrize(
    ("kind", "detail", "name"),
    [
        (RingEventKind.BACK, {}, "went-back"),
        (RingEventKind.POKE, {}, "poke"),
        (RingEventKind.STUCK, {}, "stuck"),
        (RingEventKind.LIFT, {"lifted": True}, "lifted"),
        (RingEventKind.BOOT, {}, "device-restarted"),
        *(
            (RingEventKind.FAULT, {"fault": name}, name)
            for name in (
                *("ambient-light", "saturated", "dirty-window", "gate-open-while-shaking", "sensor-missing"),
                *("store-full", "unreadable-passage", "beam-dead"),
            )
        ),
    ],
)
def test_what_changes_nothing_is_a_notice(
    live_table: LiveTable, kind: RingEventKind, detail: dict[str, Any], name: str
) -> None:
    """Faults: a fault that causes no draw is shown as a notice with the text from the table of faults."""
    live_table.open().dig().table.heard(live_table.event(kind, **detail))

    (notice,) = live_table.snapshot.notices
    assert (notice.kind, notice.text) == (name, FAULTS[name].text)


def test_a_fault_that_nobody_knows_is_told_by_its_name(live_table: LiveTable) -> None:
    """Faults: an unknown fault of a newer device is shown with its name."""
    live_table.open().table.heard(live_table.event(RingEventKind.FAULT, fault="hiccups"))

    assert live_table.snapshot.notices[0].text == fault_named("hiccups").text
    assert "hiccups" in live_table.snapshot.notices[0].text


def test_a_station_after_the_last_draw_is_surplus(live_table: LiveTable) -> None:
    """Faults: if a station comes out after the last draw, a notice says to put it back."""
    token = live_table.open().dig(1).token()
    live_table.slide("red").slide("blue", token)

    assert live_table.notices == ["surplus"]
    assert "Put it back" in live_table.snapshot.notices[0].text


@pytest.mark.parametrize(("why", "name"), WHY.items())
def test_a_colour_that_is_not_sure_is_asked_about_for_its_reason(live_table: LiveTable, why: str, name: str) -> None:
    """Faults: a question about an uncertain colour has the name and text of its reason, even after a restart."""
    live_table.open().dig().slide(None, ranking=(("blue", 0.5), ("red", 0.4)), why=why)

    assert (live_table.question.fault, live_table.question.detail) == (name, FAULTS[name].text)
    assert [colour for colour, _ in live_table.question.offered] == ["blue", "red", "green"]
    assert live_table.restart().question.fault == name


def test_a_reason_that_is_not_told_is_read_off_the_ranking(live_table: LiveTable) -> None:
    """Faults: if no reason was given, the ranking tells whether several colours fit or no colour was read."""
    live_table.open().dig(2).slide(None, ranking=(("blue", 0.5), ("red", 0.4)))
    assert live_table.question.fault == "ambiguous-colour"
    live_table.answer("blue").slide(None)
    assert live_table.question.fault == "unread-colour"


def test_two_at_once_and_strangers_have_their_names(live_table: LiveTable) -> None:
    """Two stations at once, or a colour that is not in the ring, lead to a question with the fault's name."""
    live_table.open().dig().pair()
    assert live_table.question.fault == "two-together"
    live_table.answer("not a draw").slide("white")
    assert live_table.question.fault == "colour-not-in-the-ring"


def test_a_late_station_has_its_name(live_table: LiveTable) -> None:
    """Faults: if a station comes out after its draw was typed in, the question is about a late station."""
    token = live_table.open().dig(2).token()
    live_table.draw("red").slide("red", token)

    assert live_table.question.fault == "late-station"


@pytest.mark.parametrize(
    ("state", "gone"),
    [(RingState.LIVE, False), (RingState.SILENT, True), (RingState.SEARCHING, True), (RingState.NONE, False)],
)
def test_a_ring_that_was_there_can_be_lost(state: RingState, gone: bool) -> None:
    """Faults: a ring that answered before and is now silent counts as lost; one that never answered does not."""
    assert (lost(RingView(state, device="ring-1")) is not None) is gone
    assert lost(RingView(state)) is None
