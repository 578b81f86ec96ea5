"""PROTOCOL 4: the ring's state, which is sent every second and on request, and never stored."""

from __future__ import annotations

import pytest

from firmware_bridge.device.codec import parse
from firmware_bridge.protocol.messages import DeviceCounters, DeviceStatus, FilterReport, Pong
from tests.hil.sitting import beats

pytestmark = pytest.mark.promise("hardware/PROTOCOL.md#4")

CLOCK_OFF = 0.02
BEAT_OFF_MS = 250.0
PINGS_FOR_S = 1.5
PINGS = 5


@pytest.mark.waits(2.2)
def test_a_heartbeat_comes_every_second(host, measure):
    """The first heartbeat is sent one second after the session begins, and then one every second."""
    began = host.rung.now()
    host.greet()

    found = beats(host.listen(2.2))

    assert len(found) >= 2
    measure(
        "first heartbeat off a second after the greeting",
        abs(found[0].at - began - 1) * 1000,
        at_most=BEAT_OFF_MS,
        unit="ms",
    )
    measure("heartbeat off its second", abs(found[1].at - found[0].at - 1) * 1000, at_most=BEAT_OFF_MS, unit="ms")


@pytest.mark.waits(3.0)
def test_the_first_heartbeat_comes_a_second_after_the_greeting(host, measure):
    """The first heartbeat comes a second after the greeting, whenever the previous session's heartbeats came."""
    host.talk.wait(lambda line: bool(beats([line])), 1.5)
    host.listen(0.5)
    host.greet()
    begun, _ = host.status()

    first = host.talk.wait(lambda line: bool(beats([line])), 1.5)

    # Measured by the ring's own clock, because a busy machine may have read the answer to the greeting late.
    off_ms = abs((first.message.at_us - begun.at_us) / 1000 - 1000)
    measure("first heartbeat off a second", off_ms, at_most=BEAT_OFF_MS, unit="ms")


def test_the_newest_number_is_told_though_all_is_acknowledged(host):
    """`last` is the number of the newest event, whether it is still stored or not."""
    told = host.happens()
    host.take()

    assert host.status()[0].last == told.number


def test_a_heartbeat_says_how_the_ring_stands(host):
    """A heartbeat reports the newest event's number, the token, and the present states of gate and lift."""
    host.armed(17)
    told = host.happens()

    beat = host.talk.wait(lambda line: bool(beats([line])), 1.5).message

    assert (beat.boot, beat.last, beat.token) == (told.boot, told.number, 17)
    assert beat.gate_open in (False, None)
    assert beat.lifted in (False, None)


def test_a_switch_that_is_not_there_is_told_as_x(host):
    """`gate` and `lift` are reported by a ring that has these switches; a ring without a switch sends `x`."""
    standing, _ = host.status()

    abilities = host.talk.hello.abilities
    assert (standing.gate_open is not None) == ("g" in abilities)
    assert (standing.lifted is not None) == ("l" in abilities)


@pytest.mark.needs("hand")
@pytest.mark.deed(2)
def test_the_state_follows_the_switches(host):
    """The state that is sent after a switch's event reports the same position as the event."""
    host.able("g", "l")
    host.do("open")
    host.do("lift")
    host.word("lift", 0)

    standing, _ = host.status()

    assert (standing.gate_open, standing.lifted) == (True, True)
    assert standing.last == host.newest


def test_a_dump_is_state_tally_and_sift(host):
    """`dump` is answered at once with `state`, `tally` and `sift`, in that order."""
    host.talk.say("dump")
    host.talk.wait(lambda line: isinstance(line.message, FilterReport), 0.3)

    words = [type(line.message) for line in host.talk.lines[-3:]]
    assert words == [DeviceStatus, DeviceCounters, FilterReport]
    assert {line.message.session for line in host.talk.lines[-2:]} == {host.talk.session}


def test_the_tally_counts_what_was_sent_more_than_once(host):
    """`again` counts the events that were sent again."""
    before = host.status()[1].again
    told = host.happens()

    host.talk.say("replay", ("n", told.number))
    host.talk.wait(lambda line: len(host.talk.events.get(told.number, [])) > 1, 5.0)

    assert host.status()[1].again > before


def test_a_ping_is_answered_with_the_time(host):
    """`pong` contains the number of its ping and the device's time in microseconds, which never decreases."""
    pongs = [host.talk.ping().message for _ in range(5)]

    assert [pong.id for pong in pongs] == list(range(pongs[0].id, pongs[0].id + 5))
    assert [pong.at_us for pong in pongs] == sorted(pong.at_us for pong in pongs)


def test_the_clock_of_the_ring_goes_as_ours(host, measure):
    """Between two pongs the ring's clock advances by as many microseconds as the host's clock."""
    first, began = quickest(host)
    host.listen(PINGS_FOR_S)
    last, ended = quickest(host)

    ours = ended - began
    theirs = (last.at_us - first.at_us) / 1e6
    measure("clock differs from ours", abs(theirs - ours) * 1000, at_most=CLOCK_OFF * ours * 1000, unit="ms")


def quickest(host) -> tuple[Pong, float]:
    """Return the pong of the shortest of several round trips, and the host's time in the middle of that round trip.

    There are several because a busy machine may delay any of them.
    """
    trips = []
    for _ in range(PINGS):
        asked = host.rung.now()
        pong = host.talk.ping()
        trips.append((pong.at - asked, (asked + pong.at) / 2, pong.message))
    _, middle, message = min(trips, key=lambda trip: trip[0])
    return message, middle


def test_every_ping_is_answered_once(host):
    """Ten pings in one chunk are answered with ten pongs, one for each."""
    pings = [host.talk.ping_line() for _ in range(10)]

    host.talk.put(b"".join(line for _, line in pings))

    pongs = [line.message.id for line in host.listen(0.3) if isinstance(line.message, Pong)]
    assert pongs == [number for number, _ in pings]


def test_the_sift_tells_the_settings_of_the_filters(host):
    """`sift` reports the settings `filter`, `stuck` and `pair`, and the four counters."""
    sift = host.sift()

    assert {key: sift[key] for key in ("filter", "stuck", "pair")} == {"filter": 1000, "stuck": 2500, "pair": 165}
    assert {"blink", "bounce", "same", "cut"} <= sift.keys()


@pytest.mark.needs("leisure", "slides", "blink")
def test_a_blink_is_counted_in_the_sift(host):
    """A passage that is reported as a `glitch` because it was too short is counted as a `blink`."""
    before = host.sift()["blink"]
    passage = host.slide(fault="glitch")

    assert host.sift()["blink"] == before + (int(passage.verdict.fields["us"]) < 1000)


@pytest.mark.needs("leisure", "slides", "blink")
def test_the_counts_of_the_sift_go_on_over_sessions(host):
    """`blink`, `bounce`, `same` and `cut` count since the device's start, not since the session began."""
    host.slide(fault="glitch")
    counts = ("blink", "bounce", "same", "cut")
    before = host.sift()

    host.greet()

    after = host.sift()
    assert sum(before[key] for key in counts) > 0
    assert [after[key] for key in counts] == [before[key] for key in counts]


def test_nothing_of_the_state_has_a_number(host):
    """Heartbeats, states, pongs and similar lines are not events, and have no `n`."""
    host.happens()
    host.talk.ping()
    host.sift()

    for line in host.talk.lines:
        word, fields = parse(line.body)
        if word in ("hello", "beat", "state", "tally", "sift", "pong", "done", "sorry"):
            assert "n" not in fields


def test_a_line_that_is_sent_twice_in_a_row_counts_once(host):
    """`again` counts sendings: an event's first in a new session counts once, and each later pair of lines once."""
    told = host.happens()
    before = host.status()[1].again
    known = len(host.talk.events[told.number])

    host.greet()
    host.listen(0.5)
    tally = host.status()[1]

    lines = len(host.talk.events[told.number]) - known
    assert lines > 2
    assert tally.again == before + 1 + (lines - 1) // 2


def test_state_and_beat_have_the_same_fields(host):
    """`state` has the fields of a heartbeat, and its session."""
    state, _ = host.talk.dump()
    beat = host.talk.wait(lambda line: bool(beats([line])), 1.5)
    said = next(line.body for line in host.talk.lines if line.message is state)

    assert parse(said)[1].keys() - {"h"} == parse(beat.body)[1].keys()
