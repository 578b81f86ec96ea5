"""Faults: whatever goes wrong with the ring has one name, a message in plain words and a way on."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.ports.ring import Kind, RingState, RingView
from companion.ring.faults import FAULTS, WHY, RingFault, Way, fault_named, lost
from tests.companion.live_table import Evening

EVERY = (
    *("went-back", "poke", "two-together", "surplus", "stuck", "gate-open-while-shaking", "lifted", "ambient-light"),
    *("saturated", "dirty-window", "unknown-colour", "ambiguous-colour", "colour-not-in-the-ring", "link-lost"),
    *("device-restarted", "sensor-missing"),
)
LONG_WORDS = re.compile(r"[a-z]{13,}")


@pytest.mark.parametrize("name", EVERY)
def test_every_fault_is_known(name: str) -> None:
    """Faults: each fault that a ring can have is in the one table, under its own name."""
    assert FAULTS[name].name == name


@pytest.mark.parametrize("fault", FAULTS.values(), ids=lambda each: each.name)
def test_a_message_is_plain_and_says_how_to_go_on(fault: RingFault) -> None:
    """Faults: a message and a way on are sentences of short words that a child of ten reads at a glance."""
    for sentence in (fault.message, fault.on):
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert len(sentence.split()) <= 12
        assert not LONG_WORDS.search(sentence)
    assert fault.way in Way


def test_messages_differ() -> None:
    """Faults: no two faults say the same."""
    assert len({each.message for each in FAULTS.values()}) == len(FAULTS)


@pytest.mark.parametrize(
    ("kind", "detail", "name"),
    [
        (Kind.BACK, {}, "went-back"),
        (Kind.POKE, {}, "poke"),
        (Kind.STUCK, {}, "stuck"),
        (Kind.LIFT, {"lifted": True}, "lifted"),
        (Kind.BOOT, {}, "device-restarted"),
        *(
            (Kind.FAULT, {"fault": name}, name)
            for name in (
                *("ambient-light", "saturated", "dirty-window", "gate-open-while-shaking", "sensor-missing"),
                *("store-full", "unreadable-passage", "beam-dead"),
            )
        ),
    ],
)
def test_what_changes_nothing_is_a_notice(evening: Evening, kind: Kind, detail: dict[str, Any], name: str) -> None:
    """Faults: one that makes no draw is told to the table in the words of the one table."""
    evening.open().dig().table.heard(evening.event(kind, **detail))

    (notice,) = evening.sight.notices
    assert (notice.kind, notice.text) == (name, FAULTS[name].text)


def test_a_fault_that_nobody_knows_is_told_by_its_name(evening: Evening) -> None:
    """Faults: a newer device may have faults of its own; they are told and kept all the same."""
    evening.open().table.heard(evening.event(Kind.FAULT, fault="hiccups"))

    assert evening.sight.notices[0].text == fault_named("hiccups").text
    assert "hiccups" in evening.sight.notices[0].text


def test_a_station_after_the_last_draw_is_surplus(evening: Evening) -> None:
    """Faults: a station that comes out after the end is told to go back."""
    token = evening.open().dig(1).token()
    evening.slide("red").slide("blue", token)

    assert evening.notices == ["surplus"]
    assert "put it back" in evening.sight.notices[0].text


@pytest.mark.parametrize(("why", "name"), WHY.items())
def test_a_colour_that_is_not_sure_is_asked_about_for_its_reason(evening: Evening, why: str, name: str) -> None:
    """Faults: none fits, two fit, nothing seen, never calibrated: the question says which, and keeps it."""
    evening.open().dig().slide(None, ranking=(("blue", 0.5), ("red", 0.4)), why=why)

    assert (evening.question.fault, evening.question.detail) == (name, FAULTS[name].text)
    assert [colour for colour, _ in evening.question.offered] == ["blue", "red", "green"]
    assert evening.restart().question.fault == name


def test_a_reason_that_is_not_told_is_read_off_the_ranking(evening: Evening) -> None:
    """Faults: a judge that does not say why was torn between colours, or saw none."""
    evening.open().dig(2).slide(None, ranking=(("blue", 0.5), ("red", 0.4)))
    assert evening.question.fault == "ambiguous-colour"
    evening.answer("blue").slide(None)
    assert evening.question.fault == "unread-colour"


def test_two_at_once_and_strangers_have_their_names(evening: Evening) -> None:
    """Faults: two together, and a colour that is not in the ring, are questions with the fault's name."""
    evening.open().dig().pair()
    assert evening.question.fault == "two-together"
    evening.answer("not a draw").slide("white")
    assert evening.question.fault == "colour-not-in-the-ring"


def test_a_late_station_has_its_name(evening: Evening) -> None:
    """Faults: what comes after draws were typed in is asked about as late."""
    token = evening.open().dig(2).token()
    evening.draw("red").slide("red", token)

    assert evening.question.fault == "late-station"


@pytest.mark.parametrize(
    ("state", "gone"),
    [(RingState.LIVE, False), (RingState.SILENT, True), (RingState.SEARCHING, True), (RingState.NONE, False)],
)
def test_a_ring_that_was_there_can_be_lost(state: RingState, gone: bool) -> None:
    """Faults: a ring that has spoken and does not any more is lost; one that never did is only looked for."""
    assert (lost(RingView(state, device="ring-1")) is not None) is gone
    assert lost(RingView(state)) is None
