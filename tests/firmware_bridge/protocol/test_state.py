"""PROTOCOL 4: heartbeats, status dumps and pings."""

from __future__ import annotations

from firmware_bridge.device.beam_recogniser import Recogniser
from firmware_bridge.device.codec import compose
from firmware_bridge.device.framing import LONGEST, seal
from firmware_bridge.protocol.messages import DeviceCounters, DeviceStatus


def test_a_heartbeat_comes_every_second(talk):
    """Once a second a device sends its newest number, its token, its gate and its lift."""
    talk.device.token = 17
    talk.device.gate = "1"
    talk.heard.clear()

    talk.pass_time(3.0)

    beats = [heard for heard in talk.heard if isinstance(heard, DeviceStatus)]
    assert len(beats) == 3
    assert (beats[-1].token, beats[-1].gate_open, beats[-1].lifted) == (17, True, None)


def test_a_greeting_is_followed_by_a_status_dump(talk):
    """After every hello a host requests state and counters."""
    dumps = [heard for heard in talk.heard if isinstance(heard, DeviceStatus) and heard.dump]
    tallies = [heard for heard in talk.heard if isinstance(heard, DeviceCounters)]

    assert len(dumps) == len(tallies) == 1
    assert (tallies[0].first, tallies[0].lost, tallies[0].bad, tallies[0].again) == (1, 0, 0, 0)


def test_a_lost_dump_is_asked_for_again(conversation):
    """A host requests a lost status dump again."""
    talk = conversation(lambda data: b"".join(line for line in data.splitlines(True) if b"$dump" not in line))
    talk.pass_time(0.5)
    assert not [heard for heard in talk.heard if isinstance(heard, DeviceStatus) and heard.dump]

    talk.spoil = lambda data: data
    talk.pass_time(0.5)

    assert len([heard for heard in talk.heard if isinstance(heard, DeviceStatus) and heard.dump]) == 1


def test_the_tally_counts_what_was_damaged(talk):
    """A device counts and reports damaged lines from the host."""
    talk.device.receive(b"$ack h=nonsense*00000000\n", talk.now_us)
    talk.host.dump()
    talk.pass_time(0.3)

    assert [heard for heard in talk.heard if isinstance(heard, DeviceCounters)][-1].bad == 1


def test_a_dump_tells_what_the_filters_are_and_swallowed(talk):
    """A device with beams adds a line about its filters to a dump, which the host merges with the counters."""
    beams = Recogniser()
    beams.edge("A", True, 0)
    beams.edge("A", False, 500)
    beams.edge("A", False, 600)
    beams.set("pair", 180)
    talk.device.recogniser = beams
    talk.host.dump()
    talk.pass_time(0.3)

    tally = [heard for heard in talk.heard if isinstance(heard, DeviceCounters)][-1]
    assert tally.settings == {"filter": 1000, "stuck": 2500, "pair": 180}
    assert tally.filtered == {"blink": 1, "bounce": 0, "same": 1, "cut": 0}


def test_a_device_without_beams_tells_no_filters(talk):
    """A device without beams reports no filters in a dump, and the host knows none."""
    tally = [heard for heard in talk.heard if isinstance(heard, DeviceCounters)][-1]

    assert (tally.settings, tally.filtered) == ({}, {})


def test_the_longest_sift_fits_in_a_line():
    """A device's counters of filters have a maximum, so that the longest line fits."""
    beams = Recogniser()
    beams.settings.update(filter=99_999, stuck=99_999)
    beams.filtered.update(dict.fromkeys(beams.filtered, 10**12))

    assert len(seal(compose("sift", [("h", "x" * 8), *beams.filter_fields()]))) <= LONGEST


def test_a_ping_measures_the_round_trip_and_the_clocks(talk):
    """A ping measures the round trip (about a millisecond) and the offset of the clocks."""
    assert talk.host.trip.smoothed_us in range(400, 1_100)
    assert abs(talk.host.clock_offset_us) <= 1_000


def test_a_pong_of_another_session_sets_no_clock(talk):
    """A pong of another session changes neither the host's round trip nor its clock offset."""
    before = talk.host.clock_offset_us
    talk.now += 1.0
    assert b"$ping h=s2 id=2*" in talk.host.outgoing(talk.now)

    talk.host.receive(seal("pong h=s1 id=2 t=999999999"), talk.now)

    assert talk.host.clock_offset_us == before


def test_a_tally_of_another_session_counts_nothing(talk):
    """A host ignores counters sent to another session."""
    said = seal("tally h=s1 b=00000001 first=1 lost=9 bad=9 again=9")

    assert talk.host.receive(said, talk.now) == []
