"""The suite of promises on a ring that stays connected: settings are restored, and failures have transcripts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rungs.capture import MOST_LINES, Transcript, entry_of
from tests.firmware_bridge.conformance.orders import counts, mock, run
from tests.hil.ring import changes
from tests.hil.rungs.example import Example

ORDERS = "tests/hil/test_5_orders.py::"
VERDICTS = "tests/hil/test_6_verdicts.py::"


@pytest.fixture
def port(tmp_path: Path) -> Iterator[Path]:
    """The port of the project's own virtual ring, which runs as a process."""
    with mock(tmp_path) as found:
        yield found


def test_what_a_test_has_set_is_put_back_though_it_was_skipped(port, tmp_path):
    """A setting changed by a test is restored, even if the test is then skipped."""
    tests = [
        f"{ORDERS}test_a_cubes_edge_is_a_setting",
        f"{ORDERS}test_a_simulated_ring_slides_when_told_to",
        f"{ORDERS}test_a_setting_within_its_limits_is_taken",
        f"{ORDERS}test_what_was_announced_and_never_armed_is_forgotten",
        "tests/hil/test_4_state.py::test_the_sift_tells_the_settings_of_the_filters",
    ]

    status, said = run(port, tmp_path / "record", tests)

    kept, broken, skipped = counts(said)
    assert (status, broken, skipped) == (0, 0, 1), said
    assert kept >= 8


@pytest.fixture
def deaf(tmp_path: Path) -> Iterator[Example]:
    """A device in C that doesn't answer a second greeting."""
    made = Example(tmp_path, "second-hi-unanswered")
    yield made
    made.close()


def test_a_broken_promise_leaves_its_transcript(deaf, tmp_path):
    """A broken promise leaves a transcript of the wire with times, whose end is in the failure's text."""
    record = tmp_path / "record"
    name = "tests/hil/test_2_sessions.py::test_a_second_hi_of_the_same_name_only_gets_its_hello_again"

    status, said = run(deaf.path, record, [name])

    (promise,) = json.loads((record / "record.json").read_text())["rungs"][0]["promises"]
    text = (record / promise["transcript"]).read_text()
    entries = [entry for line in text.splitlines()[1:] if (entry := entry_of(line))]
    assert (status, promise["outcome"]) == (1, "broken")
    assert len(entries) == len(text.splitlines()) - 1 <= MOST_LINES
    assert any(entry.mark == ">" and entry.data.startswith(b"$hi ") for entry in entries)
    assert any(entry.mark == "<" and entry.data.startswith(b"$hello ") for entry in entries)
    assert [entry.at_ms for entry in entries] == sorted(entry.at_ms for entry in entries)
    assert "the last lines of the wire" in said
    assert text.splitlines()[-1] in said


def test_what_breaks_before_a_test_begins_leaves_its_transcript(tmp_path):
    """A ring that stops answering during a test's setup causes an error of that test, with a transcript."""
    made = Example(tmp_path, "orders-go-on")
    record = tmp_path / "record"

    status, said = run(made.path, record, ["tests/hil/test_4_state.py::test_every_ping_is_answered_once"])
    made.close()

    (promise,) = json.loads((record / "record.json").read_text())["rungs"][0]["promises"]
    assert (status, promise["outcome"]) == (1, "broken"), said
    assert "$set " in (record / promise["transcript"]).read_text()


def test_a_transcript_has_the_last_lines_of_both_directions():
    """A transcript has the last lines of both directions, with their times, up to a limit."""
    at = iter(n / 1000 for n in range(10_000))
    transcript = Transcript(at.__next__, "a rung", "a test")

    for number in range(MOST_LINES):
        transcript.passed(">", b"$ping id=%d*0\n" % number)
        transcript.passed("<", b"$pong id=%d*0\n" % number)
    transcript.passed("<", b"$half")

    lines = transcript.text().splitlines()[1:]
    assert len(lines) == MOST_LINES
    assert re.fullmatch(r" *\d+\.\d{3} <\+ \$half", lines[-1])
    assert lines[-2].endswith(f"< $pong id={MOST_LINES - 1}*0")
    assert lines[-3].endswith(f"> $ping id={MOST_LINES - 1}*0")


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        (b"$set h=a c=1 beat=100*00000000\n", {"beat"}),
        (b"$set h=a c=1 edge=4000 gap=2000*00000000\n$lamp h=a c=2 rgb=ff4000*00000000\n", {"edge", "gap", "lamp"}),
        (b"$arm h=a c=1 tok=5*00000000\n$under h=a c=2 n=0 u=red:1*00000000\n", {"arm", "under"}),
        (b"$ping h=a id=4*00000000\n$look h=a c=1 what=white*00000000\n", set()),
    ],
)
def test_what_an_order_changes_is_known(said, changed):
    """A change made by an order is identified by the setting's name, or by the order's word if there is no setting."""
    assert changes(said) == changed
