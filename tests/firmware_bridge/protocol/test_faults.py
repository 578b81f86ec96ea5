"""PROTOCOL 7: faults of a virtual ring as a port and behind a pseudo-terminal, with the same assertions."""

from __future__ import annotations

import time
from collections import Counter
from random import Random

import pytest

from companion.ports.ring import Order, RingEventKind, RingState
from firmware_bridge import Nominal, Ring
from firmware_bridge.device.framing import seal
from firmware_bridge.protocol.messages import Event
from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.virtual import VirtualRing
from firmware_bridge.transport.in_process import DirectWire, bell_pause

LOAD = {"load": {"red": 2, "blue": 3}}
ARMED = {"wait_for": "armed"}
ORDER = Order(17, {"red": 2, "blue": 3})


def names(events) -> list[tuple[str, int]]:
    """Return boot and number of each event."""
    return [(event.boot, event.seq) for event in events]


def test_draws_arrive_with_their_token_and_colour(start, listener):
    """Draws arrive with their token, their true colour and their raw lines."""
    rung = start([ARMED, {"slide": 5}])
    ring = rung.open(listener)
    ring.arm(ORDER)

    listener.until(lambda: len(listener.passages()) == 5)

    passages = listener.passages()
    truth = rung.truth()
    assert Counter(event.judgement.colour for event in passages) == ORDER.under
    assert [event.judgement.colour for event in passages] == [each["colour"] for each in truth]
    assert names(passages) == [(each["boot"], each["seq"]) for each in truth]
    assert {event.token for event in passages} == {17}
    assert [line.split()[0] for line in passages[0].raw] == ["$ref"] * 2 + ["$frame"] * 3 + ["$edge", "$pass"]


@pytest.mark.parametrize("fault", ["back", "pair", "poke", "stuck"])
def test_a_passage_that_is_no_draw_has_its_own_kind(start, listener, fault):
    """A passage that isn't a single cube is never reported as `out`."""
    rung = start([LOAD, {"slide": 1, "fault": fault}])
    rung.open(listener)

    listener.until(lambda: len(listener.passages()) > 0)

    assert listener.passages()[0].kind == fault
    assert rung.truth()[0]["kind"] == fault


def test_a_pair_is_never_sure_of_its_colour(start, listener):
    """A pair gets a ranking, but no colour."""
    start([LOAD, {"slide": 1, "fault": "pair"}]).open(listener)

    listener.until(lambda: len(listener.passages()) == 1)

    assert listener.passages()[0].judgement.colour is None
    assert listener.passages()[0].judgement.ranking


def test_a_lifted_ring_is_told_and_set_down_again(start, listener):
    """Lifting the ring and setting it down are events, and the view follows."""
    ring = start([LOAD, {"slide": 1, "fault": "lift"}]).open(listener)

    listener.until(
        lambda: (
            [event.detail["lifted"] for event in listener.events if event.kind is RingEventKind.LIFT] == [True, False]
        )
    )
    listener.until(lambda: ring.view.lifted is False)


def test_shaking_with_an_open_gate_is_a_fault_with_its_name(start, listener):
    """Shaking with an open gate is a fault with the page's name."""
    start([LOAD, {"slide": 1, "fault": "shake_open"}]).open(listener)

    listener.until(lambda: any(event.kind is RingEventKind.FAULT for event in listener.events))

    faults = [event.detail["fault"] for event in listener.events if event.kind is RingEventKind.FAULT]
    assert faults == ["gate-open-while-shaking"]


def test_a_restarted_ring_is_armed_again(start, listener):
    """A restarted ring has a new boot and a `boot` event, and its next passage has the same token."""
    ring = start([ARMED, {"slide": 1}, ARMED, {"restart": True}, ARMED, {"slide": 1}]).open(listener)
    ring.arm(ORDER)

    listener.until(lambda: len(listener.passages()) == 2)

    first, second = listener.passages()
    assert first.boot != second.boot
    assert first.token == second.token == 17
    assert [event.seq for event in listener.events if event.kind is RingEventKind.BOOT] == [1, 1]
    assert all(event.detail["test"] for event in listener.events if event.kind is RingEventKind.BOOT)


def test_an_unplugged_ring_comes_back_by_itself(start, listener):
    """After a lost connection, each event has arrived exactly once, and the reconnect is counted."""
    ring = start([ARMED, {"slide": 1}, {"unplug_ms": 200}, {"slide": 2}]).open(listener)
    ring.arm(ORDER)

    listener.until(lambda: len(listener.passages()) == 3)

    assert len(set(names(listener.events))) == len(listener.events)
    assert ring.view.reconnects == 1
    assert RingState.SEARCHING in {view.state for view in listener.views[3:]}
    listener.until(lambda: ring.view.state is RingState.LIVE)


def test_a_bad_line_loses_and_doubles_nothing(start, listener):
    """With one percent of all bytes damaged, lost or doubled, every passage arrives once and unchanged."""
    rung = start([{"load": {"red": 20, "blue": 20}}, {"slide": 40}], damage=0.01)
    ring = rung.open(listener)

    listener.until(lambda: len(listener.passages()) == 40)

    told = [(event.boot, event.seq, event.judgement.colour) for event in listener.passages()]
    assert told == [(each["boot"], each["seq"], each["colour"]) for each in rung.truth()]
    listener.until(lambda: ring.view.damaged > 0)


def test_what_could_not_be_recorded_is_not_acknowledged(start, listener):
    """A host with a dead disk acknowledges nothing, and the next host gets all events again."""
    listener.dead_disk = True
    rung = start([LOAD, {"slide": 2}])
    first = rung.open(listener)
    listener.until(lambda: len(listener.passages()) == 2)
    first.close()

    again = type(listener)()
    rung.open(again)

    again.until(lambda: len(again.passages()) == 2)
    assert names(again.passages()) == names(listener.passages())


def test_what_is_recorded_late_is_acknowledged_then(start, listener):
    """When the disk works again, all events are passed on once more and acknowledged."""
    listener.dead_disk = True
    ring = start([LOAD, {"slide": 2}, ARMED, {"slide": 1}]).open(listener)
    listener.until(lambda: len(listener.passages()) == 2)

    listener.dead_disk = False
    ring.arm(ORDER)

    listener.until(lambda: len(listener.passages()) == 3)
    assert listener.passages()[-1].token == 17


def test_a_disarmed_ring_tells_passages_without_a_token(start, listener):
    """A disarmed ring sends passages with token 0, for practice."""
    ring = start([ARMED, {"slide": 1}, {"wait_ms": 200}, {"slide": 1}]).open(listener)
    ring.arm(ORDER)
    listener.until(lambda: len(listener.passages()) == 1)

    ring.disarm()

    listener.until(lambda: len(listener.passages()) == 2)
    assert [event.token for event in listener.passages()] == [17, 0]


def test_the_tablet_can_slide_a_simulated_ring(start, listener):
    """A slide on a simulated ring lets one of the armed stations out, until none is left."""
    ring = start([]).open(listener)
    ring.arm(Order(3, {"red": 1, "pink": 1}))
    listener.until(lambda: ring.view.armed == 3)

    for _ in range(3):
        ring.slide()

    listener.until(lambda: "nothing under it" in ring.view.trouble)
    assert sorted(event.judgement.colour for event in listener.passages()) == ["pink", "red"]


def test_the_view_shows_how_the_ring_stands(start, listener):
    """The view has state, port, device, firmware, protocol, simulated, round trip, and the age of the last passage."""
    ring = start([ARMED, {"slide": 1}]).open(listener)
    ring.arm(ORDER)
    listener.until(lambda: ring.view.last_passage_at is not None and ring.view.round_trip_ms is not None)

    view = ring.view
    assert (view.state, view.device, view.firmware, view.protocol) == (RingState.LIVE, "virtual", "0.1.0", 1)
    assert (view.simulated, view.armed, view.lifted, view.trouble) == (True, 17, False, "")
    assert view.lines_in > 0
    assert view.round_trip_ms < 1000


def test_a_ring_can_be_closed_at_once_and_twice(start, listener):
    """Closing ends the reader thread immediately, and can be repeated."""
    ring = start([]).open(listener)
    listener.until(lambda: ring.view.state is RingState.LIVE)

    ring.close()
    ring.close()

    assert not ring._thread.alive


def test_lamp_beeper_and_settings_are_orders_like_others(start, listener):
    """Lamp, beeper and settings are sent as orders, and an unknown one is reported."""
    ring = start([]).open(listener)
    listener.until(lambda: ring.view.state is RingState.LIVE)

    ring.lamp("ff4000")
    ring.beep(2000, 80)
    ring.configure("beat", 200)
    ring.configure("volume", 3)

    listener.until(lambda: "can't do that" in ring.view.trouble)


def test_what_the_ring_had_no_room_for_is_counted_in_sight(listener):
    """With forty slides and no host, events beyond the store's size are counted in the view."""
    virtual = VirtualRing(IDEAL, Random(1), lambda: "0a0b0c0d", time.monotonic())
    for _ in range(40):
        virtual.slide(time.monotonic(), "red")

    def opener(bell):
        return DirectWire("bench", virtual, time.monotonic, bell_pause(bell))

    ring = Ring(opener, listener, Nominal(), iter(f"s{n}" for n in range(99)).__next__).start()
    listener.until(lambda: ring.view.lost > 0)
    ring.close()

    assert f"no room for {ring.view.lost} events" in next(view.trouble for view in listener.views if view.lost)


def test_a_ring_is_silent_after_two_and_a_half_seconds_without_a_line(talk):
    """A ring is silent after 2.5 s without a line, when two heartbeats are missing."""
    heard = talk.host.received_at

    assert [talk.host.silent(heard + after) for after in (2.4, 2.6)] == [False, True]


def test_an_event_that_does_not_come_for_ten_seconds_is_told(talk):
    """An event missing for ten seconds while later ones wait is reported with its number."""
    talk.host.receive(seal("gate b=00000001 n=2 t=5 open=1"), talk.now)

    assert [talk.host.missing(talk.now + after) for after in (0.0, 9.9, 10.1)] == [None, None, 1]


def test_a_slow_disk_acknowledges_nothing_of_a_later_boot(conversation):
    """A host that records an event of an earlier boot acknowledges none of the same number in the new boot."""
    talk = conversation(recording=False).pass_time(0.1)
    talk.happen(2)
    talk.pass_time(0.1)
    old = [heard for heard in talk.heard if isinstance(heard, Event)][-1]
    talk.restart("00000002")
    talk.until(lambda: talk.host.hello is not None and talk.host.hello.boot == "00000002")
    talk.happen(2)
    talk.pass_time(0.1)

    talk.host.recorded(old)
    talk.pass_time(0.1)

    assert len(talk.device.store.events) == 2
