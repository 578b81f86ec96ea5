"""PROTOCOL 2: how sessions begin and end, and which lines are accepted outside of them."""

from __future__ import annotations

from firmware_bridge.device.endpoint import Endpoint
from firmware_bridge.device.framing import seal
from firmware_bridge.protocol.connection import Standpoint


def test_a_host_that_asks_is_answered(talk):
    """After `hi` and `hello` the host's session is live."""
    assert talk.host.standpoint is Standpoint.LIVE
    assert talk.host.hello.device == "bench"
    assert talk.greetings()[0].fresh


def test_a_host_asks_again_until_it_is_answered(conversation):
    """A host repeats a lost `hi`, or one whose `hello` was lost, within a fraction of a second."""
    lost = iter([True, True, True])
    talk = conversation(spoil=lambda data: b"" if data and next(lost, False) else data)

    talk.pass_time(0.5)

    assert talk.host.standpoint is Standpoint.LIVE


def test_a_device_alone_says_hello_every_second(conversation):
    """Without a session a device sends a hello every second, visible in any terminal."""
    device = conversation().device

    first, between, second = (device.outgoing(at) for at in (0, 500_000, 1_000_000))

    assert first.startswith(b"$hello v=1 to=0 ")
    assert between == b""
    assert second == first


def test_a_device_alone_tells_no_events(conversation):
    """Without a session a device sends no events."""
    talk = conversation()
    talk.happen(3)

    assert b"gate" not in talk.device.outgoing(0)
    assert talk.pass_time(0.2).told == [1, 2, 3]


def test_a_new_session_brings_all_that_is_not_acknowledged(conversation):
    """A device sends all events that are not acknowledged to a new session."""
    talk = conversation(recording=False).pass_time(0.1)
    talk.happen(3)
    talk.pass_time(0.1)

    other = conversation()
    other.device, other.now = talk.device, talk.now
    other.host.connected(other.now)
    other.pass_time(0.3)

    assert talk.told == other.told == [1, 2, 3]


def test_lines_of_another_session_are_not_heard(talk):
    """A device ignores an acknowledgement of an earlier session."""
    talk.recording = False
    talk.happen()
    stale = talk.host.session
    talk.host.connected(talk.now)
    talk.pass_time(0.1)

    body = f"ack h={stale} b=00000001 n=1 got=0"
    talk.device.receive(seal(body), talk.now_us)

    assert [event.number for event in talk.device.store.events] == [1]


def test_a_host_that_is_gone_for_five_seconds_has_no_session(talk):
    """After five seconds without its host a device sends `hello to=0` again, and keeps its events."""
    talk.recording = False
    talk.happen()
    talk.now += 5.1

    said = talk.device.outgoing(talk.now_us)

    assert talk.device.session == ""
    assert said.startswith(b"$hello v=1 to=0 ")
    assert len(talk.device.store.events) == 1


def test_a_device_that_forgot_the_session_gets_a_new_one(talk):
    """A `hello to=0` during a session makes the host start a new one."""
    before = talk.host.session
    talk.spoil = lambda data: b"" if data.startswith((b"$ping", b"$ack")) else data
    talk.pass_time(7.5, each=0.05)
    talk.spoil = lambda data: data
    talk.pass_time(1.5, each=0.05)

    assert talk.host.standpoint is Standpoint.LIVE
    assert talk.host.session != before


def test_a_restarted_device_is_met_anew(talk):
    """A new boot makes the host start a new session, with events from number 1."""
    talk.happen(5)
    talk.pass_time(0.1)
    talk.restart("00000002")
    talk.happen(2)

    talk.until(lambda: talk.told == [1, 2, 3, 4, 5, 1, 2])

    assert talk.greetings()[-1].fresh


def test_silence_is_noticed_after_two_heartbeats(talk):
    """A host takes 2.5 s without a line for silence, which a heartbeat ends."""
    assert not talk.host.silent(talk.now)

    talk.spoil = lambda data: b""
    talk.pass_time(2.6, each=0.1)
    assert talk.host.silent(talk.now)

    talk.spoil = lambda data: data
    talk.pass_time(1.5, each=0.1)
    assert not talk.host.silent(talk.now)


def test_events_that_somebody_else_took_are_missed(talk):
    """If the oldest event of a hello is later than expected, the host reports the difference as lost."""
    talk.happen(2)
    talk.pass_time(0.1)
    talk.happen(3)
    talk.device.store.acknowledged(5, 0, talk.now_us)
    talk.host.connected(talk.now)

    talk.pass_time(0.3)

    assert talk.greetings()[-1].gone == 3


def test_a_hello_that_is_too_long_loses_the_end_of_its_firmware_s_name():
    """If all fields of a hello have their maximum length, the firmware's name is cut, and nothing else."""
    identity = [("fw", "12.34.56+own"), ("id", "i" * 16), ("sensor", "s" * 8), ("sim", 1), ("can", "glmbsp")]
    device = Endpoint(identity, "f" * 12)
    device.store.last = 999_999_998

    device.receive(b"\n" + seal("hi v=1 h=eightlet"), 0)
    (line,) = [line for line in device.outgoing(0).splitlines() if b"eightlet" in line]

    assert len(line) + 1 == 120
    assert b" fw=1" in line
    assert b"from=999999999*" in line
