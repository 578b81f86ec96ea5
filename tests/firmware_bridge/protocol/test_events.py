"""PROTOCOL 3: events arrive in order, each once, whatever happens on the line."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.device.endpoint import Endpoint
from firmware_bridge.device.framing import seal
from firmware_bridge.device.outbox import Outbox
from firmware_bridge.device.resend_timeout import FIRST_US, FLOOR_US, ResendTimeout
from firmware_bridge.protocol.connection import Connection, Standpoint
from firmware_bridge.protocol.messages import Event
from firmware_bridge.protocol.queues import QueuedCommand, ReorderBuffer
from rungs.trouble import Damage
from tests.effort import examples, seeds
from tests.firmware_bridge.conftest import IDENTITY


def event(number: int) -> Event:
    """Return an event with nothing but its number."""
    return Event("gate", "00000001", number, 0, {}, "")


@examples(12)
@given(st.integers(0, 2**32), st.floats(0, 0.02), st.lists(st.integers(1, 12), min_size=1, max_size=12))
def test_every_event_is_told_once_and_in_order(conversation, seed, rate, bursts):
    """Events arrive once and in order although bytes are damaged, lost and doubled in both directions."""
    talk = conversation(Damage(rate, Random(seed)).passed).pass_time(0.2)
    for burst in bursts:
        talk.happen(burst)
        talk.pass_time(0.01)

    talk.until(lambda: not talk.device.store.events and talk.device.store.last == sum(bursts))

    assert talk.told == list(range(1, sum(bursts) + 1))


@examples(8)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 30), min_size=1, max_size=5))
def test_whole_lines_may_be_lost_or_doubled(conversation, seed, bursts):
    """Events arrive once and in order although a third of all lines are lost and a third doubled."""
    lots = Random(seed)
    talk = conversation(lambda data: b"".join(line * lots.choice([0, 1, 2]) for line in data.splitlines(True)))
    for burst in bursts:
        talk.happen(burst)
        talk.pass_time(0.05)

    talk.until(lambda: not talk.device.store.events)

    assert talk.told == list(range(1, sum(bursts) + 1))


@pytest.mark.parametrize("seed", seeds(5))
def test_a_damaged_line_never_stalls_for_long(conversation, seed):
    """With 0.2 % of the bytes damaged in both directions, the longest gap between events is under 100 ms."""
    talk = conversation(Damage(0.002, Random(seed)).passed).pass_time(0.2)
    longest, heard_at, heard = 0.0, talk.now, 0
    while len(talk.told) < 5_000:
        talk.happen(0 if talk.device.store.last >= 5_000 else min(8, 128 - len(talk.device.store.events)))
        talk.step()
        if len(talk.told) > heard:
            longest, heard_at, heard = max(longest, talk.now - heard_at), talk.now, len(talk.told)

    assert talk.told == list(range(1, len(talk.told) + 1))
    assert longest < 0.1


def test_nothing_is_forgotten_before_it_is_on_record(conversation):
    """A device keeps an event that the host has received but not recorded, and doesn't send it again meanwhile."""
    talk = conversation(recording=False).pass_time(0.1)
    talk.happen(3)
    talk.pass_time(1.0)

    assert talk.told == [1, 2, 3]
    assert len(talk.device.store.events) == 3
    assert talk.device.store.again == 0


def test_what_is_recorded_is_forgotten(talk):
    """A device deletes an acknowledged event."""
    talk.happen(3)
    talk.pass_time(0.1)

    assert talk.device.store.events == []
    assert talk.device.store.first == 4


def test_a_double_is_dropped_counted_and_acknowledged_again(talk):
    """A host drops a repeated event, counts it, and acknowledges it again."""
    talk.happen()
    line = talk.device.store.events[0].line
    talk.pass_time(0.1)

    assert talk.host.receive(line, talk.now) == []
    assert talk.host.repeated == 1
    assert talk.host.outgoing(talk.now).startswith(b"$ack ")


def test_later_events_wait_for_a_lost_one():
    """At the host, events after a lost one wait for it, and are reported as received (`got`)."""
    arrivals = ReorderBuffer(first=1)

    assert arrivals.take(event(2)) == []
    assert arrivals.take(event(4)) == []
    assert arrivals.got() == 0b1010
    assert arrivals.take(event(1)) == [event(1), event(2)]
    arrivals.recorded = 1
    assert arrivals.got() == 0b101


def test_nothing_is_on_record_that_has_not_come():
    """A host that records an event of an earlier connection acknowledges no event that hasn't arrived."""
    arrivals = ReorderBuffer(first=1)
    arrivals.take(event(1))

    arrivals.record(5)

    assert arrivals.recorded == 1


def test_an_event_beyond_the_window_is_not_kept():
    """A host doesn't store an event far beyond the window."""
    arrivals = ReorderBuffer(first=1)

    arrivals.take(event(10**6))

    assert arrivals.got() == 0


def test_a_lost_line_is_sent_again_as_soon_as_a_later_one_is_proven():
    """Lines keep their order, so to a device an answer to a later line proves that an earlier one was lost."""
    store = Outbox()
    for _ in range(3):
        store.keep(b"line")
    store.outgoing(0)

    store.acknowledged(0, 0b110, 1_000)

    assert store.outgoing(1_000) == [b"line", b"line"]
    assert store.events[0].sends == 2


def test_an_unanswered_line_is_sent_again_after_the_measured_wait():
    """A device repeats a line after a wait that follows the round trip, but never falls below a minimum."""
    store = Outbox()
    store.keep(b"one")
    store.outgoing(0)
    store.acknowledged(1, 0, 700)
    store.keep(b"two")
    store.outgoing(10_000)

    assert store.due_us(10_000) == 10_000 + FLOOR_US
    assert store.outgoing(10_000 + FLOOR_US - 1) == []
    assert store.outgoing(10_000 + FLOOR_US) == [b"two", b"two"]


def test_a_round_trip_that_rises_above_the_wait_is_found():
    """If the round trip rises from 0.7 ms to 30 ms, a device repeats only about ten of 1,000 events."""
    store = Outbox()
    now = 0
    for number in range(1, 1021):
        store.keep(b"line")
        store.outgoing(now)
        answered = now + (700 if number <= 20 else 30_000)
        while store.due_us(now) < answered:
            now = store.due_us(now)
            store.outgoing(now)
        now = answered
        store.acknowledged(number, 0, now)

    assert store.again <= 10
    assert 30_000 < store.trip.wait_us < 60_000


def test_lines_that_were_on_their_way_together_double_the_wait_once():
    """Several lines of a device that are late together double the wait once, not once each."""
    store = Outbox()
    store.trip.measured(700)
    for now in range(8):
        store.keep(b"line")
        store.outgoing(now)

    store.outgoing(FLOOR_US + 8)

    assert store.again == 8
    assert store.trip.wait_us == 2 * FLOOR_US


def test_a_session_begins_without_a_measurement():
    """A device begins a new session without the round trip measured in the last session."""
    store = Outbox()
    store.trip.measured(700)

    store.begin()

    assert store.trip.wait_us == FIRST_US


@pytest.mark.parametrize("trip_s", [0.03, 0.3, 1.4])
def test_a_host_finds_a_round_trip_that_rises_above_its_wait(trip_s):
    """A pong names its ping, so the host measures a late one too, and soon sends orders only once."""
    host = Connection(lambda: "s1")
    host.connected(0.0)
    ring = Endpoint(IDENTITY, "00000001")
    on_the_way: list[tuple[float, bytes]] = []
    orders = 0
    for now in (0.002 * step for step in range(15_000)):
        if host.orders.idle and host.standpoint is Standpoint.LIVE:
            host.order(QueuedCommand("disarm"))
        down = host.outgoing(now)
        orders += down.count(b"$disarm ") if now > 20 else 0
        for _, fields in ring.receive(down, round(now * 1e6)):
            ring.answer(int(fields["c"]))
        if said := ring.outgoing(round(now * 1e6)):
            on_the_way.append((now + (trip_s if now > 1 else 0.001), said))
        while on_the_way and on_the_way[0][0] <= now:
            host.receive(on_the_way.pop(0)[1], now)

    assert host.trip.wait_us > trip_s * 1e6
    assert orders <= 1.5 * 10 / trip_s + 2


def test_the_wait_is_that_of_the_page():
    """A device's wait is the smoothed round trip plus twice its deviation, in whole microseconds."""
    trip = ResendTimeout()
    trip.measured(40_000)
    assert trip.wait_us == 80_000

    trip.measured(80_000)

    assert (trip.smoothed_us, trip.wait_us) == (45_000, 45_000 + 2 * 25_000)


def test_no_more_than_the_window_is_on_its_way():
    """At most 64 events of a device are unanswered at a time; further events wait."""
    store = Outbox()
    for _ in range(100):
        store.keep(b"line")

    assert len(store.outgoing(0)) == 64
    store.acknowledged(10, 0, 500)
    assert len(store.outgoing(500)) == 10


def test_a_host_that_cannot_record_still_hears_many_events(conversation):
    """Received events don't count as unanswered, so a host that can't record gets 192 events."""
    talk = conversation(room=256, recording=False).pass_time(0.1)
    talk.happen(250)
    talk.pass_time(1.0)

    assert talk.told == list(range(1, 193))


def test_a_replay_sends_everything_from_a_number_on():
    """In a replay a device sends everything from a number on, even what was received."""
    store = Outbox()
    for name in (b"one", b"two", b"three"):
        store.keep(name)
    store.outgoing(0)
    store.acknowledged(0, 0b111, 500)

    store.replay(2)

    assert store.outgoing(600) == [b"two", b"three"]


def test_two_reports_of_an_unknown_event_ask_for_a_replay(talk):
    """Two heartbeats with an unknown newest event make the host send a `replay`."""
    talk.host.receive(_beat(talk, last=3), talk.now)
    assert b"replay" not in talk.host.outgoing(talk.now)

    talk.host.receive(_beat(talk, last=3), talk.now)

    assert b"$replay h=s2 n=1*" in talk.host.outgoing(talk.now)


def test_what_is_on_record_is_said_again_with_every_heartbeat(talk):
    """A host answers each heartbeat with an `ack`, since a lost `ack` would never be requested again."""
    talk.host.receive(_beat(talk, last=0), talk.now)

    assert b"$ack h=s2 b=00000001 n=0 got=0*" in talk.host.outgoing(talk.now)


def _beat(talk, last: int) -> bytes:
    return seal(f"beat b=00000001 t=1 last={last} tok=0 gate=0 lift=0")


def test_a_full_store_keeps_the_oldest_and_says_what_was_lost(conversation):
    """A device counts events that it has no room for, and reports their number in a fault as soon as there is room."""
    talk = conversation(room=64)
    talk.happen(70)
    assert (talk.device.store.last, talk.device.lost) == (64, 6)

    talk.until(lambda: not talk.device.store.events)

    assert talk.told == list(range(1, 66))
    told = [heard for heard in talk.heard if isinstance(heard, Event)]
    assert (told[-1].word, told[-1].fields) == ("fault", {"what": "store-full", "lost": "6"})


def test_lines_that_belong_together_are_kept_together_or_not_at_all(conversation):
    """A device stores the lines of a passage together or not at all."""
    device = conversation(room=64).device
    for _ in range(62):
        device.report([("gate", [])], 0)

    assert device.report([("edge", []), ("edge", []), ("pass", [])], 0) == 0
    assert device.store.last == 62


@pytest.mark.parametrize("rate", [0.0, 0.3, 1.0])
def test_damage_hits_about_the_share_it_should(rate):
    """The simulated damage hits about the intended share of bytes."""
    damage = Damage(rate, Random(1))

    damage.passed(bytes(10_000))

    assert damage.damaged == pytest.approx(rate * 10_000, rel=0.05)
