"""Properties of both ends for any bytes, any losses, and any disconnects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import cycle

from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.device.codec import MOST_BITS, parse
from firmware_bridge.device.endpoint import Endpoint
from firmware_bridge.device.framing import LONGEST, LONGEST_BODY, LineFraming, seal
from firmware_bridge.device.outbox import REACH, WINDOW
from firmware_bridge.protocol.connection import Connection
from firmware_bridge.protocol.messages import Event
from firmware_bridge.protocol.queues import QueuedCommand, ReorderBuffer
from tests.effort import examples

IDENTITY = [("fw", "0.1.0"), ("id", "bench"), ("sensor", "none"), ("sim", 0), ("can", "x")]
BODIES = st.text(st.sampled_from("abc xyz=0123456789:,.+-"), min_size=1, max_size=LONGEST_BODY)
MARKED = st.lists(st.one_of(st.binary(max_size=150), st.sampled_from([b"$", b"\n", b"\r\n", b"*", b"$*"])), max_size=12)
PORTIONS = st.lists(st.integers(1, 90), min_size=1, max_size=20)
Fate = Callable[[bytes], bytes]


def cut(data: bytes, sizes: Iterable[int]) -> list[bytes]:
    """Return *data* in portions of these sizes, repeated as needed."""
    pieces = []
    for size in cycle(sizes):
        if not data:
            break
        pieces.append(data[:size])
        data = data[size:]
    return pieces


@given(MARKED, PORTIONS)
def test_portions_change_nothing(noise, sizes):
    """The bodies found in a line and the damage counted don't depend on the portions of bytes."""
    data = b"".join(noise) + b"\n"
    at_once, cut_up = LineFraming(), LineFraming()
    found = [body for portion in cut(data, sizes) for body in cut_up.feed(portion)]

    assert found == at_once.feed(data)
    assert cut_up.damaged == at_once.damaged


@given(st.lists(st.tuples(st.binary(max_size=80), BODIES), max_size=6), PORTIONS)
def test_whatever_is_sealed_is_found_again(parts, sizes):
    """Noise between lines never hides a complete line."""
    data = b"".join(noise + b"\n" + seal(body) for noise, body in parts)
    lines = LineFraming()
    found = iter([body for portion in cut(data, sizes) for body in lines.feed(portion)])

    assert all(body in found for _, body in parts)


@given(MARKED, PORTIONS)
def test_a_receiver_holds_less_than_a_line(noise, sizes):
    """The receiver's buffer never exceeds a line."""
    lines = LineFraming()
    for portion in cut(b"".join(noise), sizes):
        lines.feed(portion)

        assert len(lines._rest) <= LONGEST


@given(MARKED, PORTIONS, st.integers(0, 10**7))
def test_a_device_outlives_any_bytes(noise, sizes, step_us):
    """Any bytes at any times raise no exception in a device, which then answers the next `hi`."""
    device, now = Endpoint(IDENTITY, "00000001"), 0
    for portion in cut(b"".join(noise), sizes):
        now += step_us
        device.receive(portion, now)
        device.outgoing(now)
    device.receive(b"\n" + seal("hi v=1 h=b2"), now)

    assert b"$hello v=1 to=b2 " in device.outgoing(now)


@given(MARKED, PORTIONS, st.floats(0, 10))
def test_a_host_outlives_any_bytes(noise, sizes, step_s):
    """No bytes, at any time, make a host raise an exception, and it still greets the next device."""
    host, now = Connection(lambda: "b2"), 0.0
    for portion in cut(b"".join(noise), sizes):
        now += step_s
        host.receive(portion, now)
        host.outgoing(now)
    hello = "hello v=1 to=b2 fw=0.1.0 id=bench sensor=none sim=0 can=x b=00000001 from=1"

    assert host.receive(b"\n" + seal(hello), now)


def lost(line: bytes) -> bytes:
    """Lose the line."""
    return b""


def doubled(line: bytes) -> bytes:
    """Double the line."""
    return line + line


def spoilt(line: bytes) -> bytes:
    """Change one byte."""
    return line[:7] + bytes([line[7] ^ 4]) + line[8:]


def unended(line: bytes) -> bytes:
    """Lose the newline."""
    return line[:-1]


def halved(line: bytes) -> bytes:
    """Lose the second half."""
    return line[: len(line) // 2]


def kept(line: bytes) -> bytes:
    """Keep the line unchanged."""
    return line


FATES = st.lists(st.sampled_from([lost, doubled, spoilt, unended, halved, kept, kept]), max_size=60)


class Fated:
    """A line that does to each message what the next of *fates* says, and then transmits everything unchanged."""

    def __init__(self, fates: list[Fate]) -> None:
        self.fates = list(fates)

    def __call__(self, data: bytes) -> bytes:
        """Return *data* after transmission."""
        return b"".join((self.fates.pop(0) if self.fates else kept)(line) for line in data.splitlines(True))


@examples(20)
@given(FATES, st.lists(st.integers(0, 9), min_size=1, max_size=6))
def test_events_come_once_and_in_order_whatever_becomes_of_lines(conversation, fates, bursts):
    """Any pattern of lost, doubled and damaged lines delays events, but they arrive once and in order."""
    talk = conversation(Fated(fates))
    for burst in bursts:
        talk.happen(burst)
        talk.pass_time(0.02)
    talk.until(lambda: bool(talk.greetings()) and not talk.device.store.events)

    assert talk.told == list(range(1, sum(bursts) + 1))


@examples(20)
@given(FATES, st.integers(1, 8))
def test_orders_are_carried_out_once_whatever_becomes_of_lines(conversation, fates, count):
    """With any pattern of lost, doubled and damaged lines, each order is carried out once, in order, and answered."""
    talk = conversation(Fated(fates))
    talk.until(lambda: bool(talk.greetings()))
    talk.host.order(*(QueuedCommand("beep", (("hz", number + 1), ("ms", 1))) for number in range(count)))
    talk.until(lambda: len(talk.answers()) == count)

    assert [int(fields["hz"]) for _, fields in talk.orders] == list(range(1, count + 1))


CONNECTIONS = st.lists(st.tuples(st.sampled_from(["plug", "restart", "go on"]), st.integers(0, 5), FATES), max_size=6)


@examples(20)
@given(CONNECTIONS)
def test_no_event_comes_twice_over_connections_and_restarts(conversation, connections):
    """Over reconnects and restarts, each boot's events arrive without a gap or a repetition."""
    talk = conversation().pass_time(0.1)
    for number, (change, events, fates) in enumerate(connections):
        talk.spoil = Fated(fates)
        if change == "plug":
            talk.host.connected(talk.now)
        if change == "restart":
            talk.restart(f"{number + 2:08x}")
        talk.happen(events)
        talk.pass_time(0.02)
    talk.spoil = kept
    talk.pass_time(1.2, each=0.01)  # until the heartbeat of a new boot has made the host greet it again
    talk.until(lambda: not talk.device.store.events)
    told = Counter((heard.boot, heard.number) for heard in talk.heard if isinstance(heard, Event))
    last = talk.device.store.last

    assert set(told.values()) <= {1}
    assert {(talk.device.boot, number) for number in range(1, last + 1)} <= told.keys()
    for boot in {boot for boot, _ in told}:
        assert sorted(number for each, number in told if each == boot) == list(range(1, _most(told, boot) + 1))


def _most(told: Counter[tuple[str, int]], boot: str) -> int:
    return max(number for each, number in told if each == boot)


DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("tell"), st.integers(1, 12)),
        st.tuples(st.just("ack"), st.integers(0, 200)),
        st.tuples(st.just("write"), st.integers(0, 3_000_000)),
    ),
    max_size=60,
)


@given(DEEDS, st.integers(4, 64))
def test_a_store_keeps_its_bounds(deeds, room):
    """A device's store never exceeds its size, nor the window of unanswered lines, and every event is counted."""
    device, now, told, refused = Endpoint(IDENTITY, "00000001", room), 0, 0, 0
    device.receive(seal("hi v=1 h=b2"), now)
    for deed, number in deeds:
        if deed == "tell":
            number_kept = device.report([("x", [])] * number, now)
            told, refused = (told + number, refused) if number_kept else (told, refused + 1)
        elif deed == "ack":
            device.receive(seal(f"ack h=b2 b=00000001 n={number} got=0"), now)
        else:
            now += number
            device.outgoing(now)

        assert len(device.store.events) <= room
        assert sum(1 for event in device.store.events if event.sends and not event.got) <= WINDOW
    faults = sum(1 for event in device.store.events if b"$fault" in event.line)

    assert device.lost == refused
    assert told <= device.store.last <= told + faults + refused


@given(st.lists(st.one_of(st.integers(1, 400), st.integers(1, 10**9)), max_size=80))
def test_what_a_host_keeps_of_early_events_fits_in_an_ack(numbers):
    """For any numbers, a host stores at most 191 events, and an `ack` has at most 48 digits."""
    arrivals = ReorderBuffer(1)
    for number in numbers:
        arrivals.take(Event("x", "00000001", number, 0, {}, ""))

        assert len(arrivals._waiting) < REACH
        assert len(f"{arrivals.got():x}") <= MOST_BITS


def test_what_is_recorded_late_is_not_taken_for_what_has_not_come(talk):
    """A host that records an event late, after another ring was connected, acknowledges nothing else."""
    talk.recording = False
    talk.happen(3)
    talk.pass_time(0.1)
    late = [heard for heard in talk.heard if isinstance(heard, Event)]
    first = talk.device
    talk.restart("00000002")
    talk.pass_time(2.0)
    talk.device = first
    talk.spoil = lambda data: b"".join(line for line in data.splitlines(True) if not line.startswith(b"$gate"))
    talk.pass_time(7.0, each=0.01)
    talk.host.recorded(late[-1])
    talk.pass_time(0.1)

    assert len(first.store.events) == 3


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=LONGEST_BODY))
def test_a_body_says_one_thing_or_nothing(body):
    """Composing a parsed message gives the same body again."""
    message = parse(body)

    assert message is None or " ".join([message[0], *(f"{k}={v}" for k, v in message[1].items())]) == body
