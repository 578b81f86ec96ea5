"""A capture replayed as a ring: it answers the host's lines, and sends the recorded events again."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ports.ring import Order, RingState
from firmware_bridge import InputError, open_ring
from firmware_bridge.capture.files import captures
from firmware_bridge.capture.reader import read_tape
from firmware_bridge.capture.replay_device import ReplayedRing
from firmware_bridge.capture.writer import CaptureWriter
from firmware_bridge.device.framing import seal
from firmware_bridge.protocol.connection import Connection, Greeted
from firmware_bridge.protocol.messages import Event
from firmware_bridge.protocol.queues import QueuedCommand
from firmware_bridge.transport.in_process import DirectWire
from rungs.wire import WireLost

HELLO = "hello v=1 to={} fw=0.1.0 id=bench sensor=none sim=0 can=gls b={} from=1"


class Replay:
    """A host and a replayed capture on their own line; time passes only while the host waits."""

    def __init__(self, tape, speed: float = 0.0, wait: bool = False) -> None:
        self.now = 10.0
        names = count(1)
        self.ring = ReplayedRing(tape, speed, self.now, wait)
        self.wire = DirectWire("capture", self.ring, lambda: self.now, self.pause, self.ring.gone)
        self.host = Connection(lambda: f"s{next(names)}")
        self.heard: list[object] = []
        self.at: list[float] = []
        self.host.connected(self.now)

    def pause(self, seconds: float) -> bool:
        """Advance the clock."""
        self.now += seconds + 1e-4
        return False

    def run(self, seconds: float) -> Replay:
        """Run for *seconds*, and record every event."""
        end = self.now + seconds
        while self.now < end:
            self.wire.write(self.host.outgoing(self.now))
            data = self.wire.read(min(self.host.due(self.now), end) - self.now)
            for heard in self.host.receive(data, self.now):
                self.heard.append(heard)
                if isinstance(heard, Event):
                    self.at.append(self.now)
                    self.host.recorded(heard)
        return self

    @property
    def events(self):
        """Return the events so far."""
        return [heard for heard in self.heard if isinstance(heard, Event)]


@pytest.fixture
def recording(tmp_path, clock):
    """A capture to write to; `tape` reads it back."""

    class Recording(CaptureWriter):
        def tape(self):
            self.close()
            return read_tape(captures(tmp_path / "captures")[0])

    made = Recording(tmp_path / "captures", "companion 9", clock, lambda: 0.0)
    made.received(seal(HELLO.format("s1", "00000001")))
    return made


def gate(number: int, boot: str = "00000001") -> bytes:
    """Return an event of the gate."""
    return seal(f"gate b={boot} n={number} t={number * 1000} open=1")


def test_it_answers_with_a_session_of_its_own_and_says_that_it_is_simulated(recording):
    """The hello has the recorded device, sensor and abilities, a different boot number, and says it is simulated."""
    recording.received(gate(1))
    replay = Replay(recording.tape()).run(0.1)

    hello = next(heard for heard in replay.heard if isinstance(heard, Greeted)).hello
    assert hello.simulated
    assert (hello.device, hello.sensor, hello.abilities) == ("bench", "none", "gl")
    assert hello.boot != "00000001"


def test_the_same_capture_has_the_same_boots_again(recording):
    """Replays of the same capture have the same boots, so a ledger drops repeated events."""
    recording.received(gate(1))
    tape = recording.tape()

    once, again = Replay(tape).run(1).events, Replay(tape).run(1).events
    assert once == again
    assert len(once) == 1


def test_events_come_at_their_own_pace_or_faster(recording, clock):
    """Events keep their recorded intervals, or come faster: at double speed, ten seconds take five."""
    recording.received(gate(1))
    clock.now = 10.0
    recording.received(gate(2))
    tape = recording.tape()

    replay = Replay(tape, speed=2.0).run(8)
    assert replay.at[1] - replay.at[0] == pytest.approx(5.0, abs=0.1)
    assert len(Replay(tape, speed=0.0).run(1).events) == 2


def test_a_passage_carries_the_token_that_is_armed_now(recording):
    """A replayed passage gets the token that is currently armed; one recorded without a token has none."""
    recording.received(seal("pass b=00000001 n=1 t=5 k=poke tok=17 parts=0 us=9"))
    recording.received(seal("pass b=00000001 n=2 t=6 k=poke tok=0 parts=0 us=9"))
    replay = Replay(recording.tape()).run(0.01)
    replay.host.order(QueuedCommand("arm", (("tok", 99),)))
    replay.run(1)

    assert [event.fields["tok"] for event in replay.events] == ["99", "0"]


def test_draws_wait_to_be_wanted_when_told_to(recording):
    """With `wait`, passages of each recorded arming wait for a new arming; those without a token come at once."""
    for number, token in enumerate((0, 17, 17, 18), 1):
        recording.received(seal(f"pass b=00000001 n={number} t={number} k=poke tok={token} parts=0 us=9"))
    replay = Replay(recording.tape(), speed=1.0, wait=True).run(1)
    assert [event.fields["tok"] for event in replay.events] == ["0"]

    replay.host.order(QueuedCommand("arm", (("tok", 5),)))
    replay.run(1)
    assert [event.fields["tok"] for event in replay.events] == ["0", "5", "5"]

    replay.host.order(QueuedCommand("arm", (("tok", 6),)))
    replay.run(1)
    assert [event.fields["tok"] for event in replay.events] == ["0", "5", "5", "6"]


def test_an_event_that_no_line_could_carry_is_refused(recording):
    """An event that doesn't fit into a line is refused before the replay, with file and event."""
    recording.received(seal(f"gate b=1 n=1 t=5 open=1 x={'y' * 80}"))

    with pytest.raises(InputError, match="event 1 of boot 1 isn't from a ring"):
        Replay(recording.tape())


@given(st.lists(st.binary(max_size=130), max_size=6))
def test_any_bytes_in_a_capture_make_a_ring_or_a_refusal(tmp_path_factory, portions):
    """Any recorded bytes can be replayed, or are refused."""
    folder = tmp_path_factory.mktemp("any")
    capture = CaptureWriter(folder, "companion 9", lambda: 0.0, lambda: 0.0)
    for data in portions:
        capture.received(data)
    capture.note("end")
    capture.close()

    assert Replay(read_tape(captures(folder)[0])).run(0.5).ring.over


def test_more_than_it_can_keep_waits_until_it_is_acknowledged(recording):
    """Without delays a replay sends as fast as the host acknowledges: a thousand events, each once."""
    for number in range(1, 1001):
        recording.received(gate(number))
        recording.flush()
    replay = Replay(recording.tape()).run(30)

    assert [event.number for event in replay.events] == list(range(1, 1001))
    assert replay.ring.over


def test_a_new_boot_is_a_new_boot_again(recording, clock):
    """A recorded new boot restarts the device after all events of the previous boot have arrived."""
    recording.received(gate(1))
    clock.now = 1.0
    recording.received(seal(HELLO.format("0", "00000002")) + seal("boot b=00000002 n=1 t=0 why=reset"))
    recording.received(gate(2, "00000002"))
    replay = Replay(recording.tape(), speed=1.0).run(5)

    assert [event.word for event in replay.events] == ["gate", "boot", "gate"]
    assert len({event.boot for event in replay.events}) == 2
    assert sum(isinstance(heard, Greeted) for heard in replay.heard) == 2


def test_a_wire_that_was_lost_is_lost_again(recording, clock):
    """A lost wire is lost again at the same time, once; after a reconnect the replay continues."""
    recording.received(gate(1))
    clock.now = 2.0
    recording.note("lost: unplugged")
    clock.now = 3.0
    recording.received(gate(2))
    replay = Replay(recording.tape(), speed=1.0)

    with pytest.raises(WireLost, match="as in the recording"):
        replay.run(10)
    replay.run(3)
    assert len(replay.events) == 2


def test_orders_are_answered(recording):
    """Lamp and beeper are simulated, and an order to slide is refused."""
    replay = Replay(recording.tape()).run(0.1)
    replay.host.order(
        QueuedCommand("lamp", (("rgb", "ff0000"),)), QueuedCommand("slide"), QueuedCommand("arm", (("tok", "x"),))
    )
    replay.run(0.1)

    answers = [heard.why for heard in replay.heard if hasattr(heard, "why")]
    assert answers == ["", "unknown", "malformed"]


def test_any_capture_of_a_mock_ring_is_a_ring(listener, tmp_path):
    """A capture of a mock ring replays the same classified passages in the same order."""
    ring = open_ring("mock:?seed=4", listener, captures=tmp_path)
    ring.arm(Order(5, {"red": 2, "blue": 2}))
    listener.until(lambda: ring.view.armed == 5)
    for _ in range(3):
        ring.slide()
    listener.until(lambda: len(listener.passages()) == 3)
    ring.close()

    again = type(listener)()
    ring = open_ring(f"capture:{captures(tmp_path)[0]}?speed=0", again)
    ring.arm(Order(6, {"red": 2, "blue": 2}))
    again.until(lambda: len(again.passages()) == 3)
    ring.close()

    assert ring.view.state is RingState.LIVE
    assert ring.view.simulated
    assert {event.token for event in again.passages()} == {6}
    assert [each.judgement for each in again.passages()] == [each.judgement for each in listener.passages()]


def test_cubes_of_a_real_ring_stay_real_when_they_are_told_again(listener, tmp_path):
    """Cubes of a real uncalibrated ring are ranked and cause questions, since they count as real in the replay."""
    ring = open_ring("mock:?seed=4", listener, captures=tmp_path)
    ring.arm(Order(5, {"red": 2}))
    listener.until(lambda: ring.view.armed == 5)
    ring.slide()
    listener.until(lambda: len(listener.passages()) == 1)
    ring.close()
    path = captures(tmp_path)[0]
    path.write_text("".join(map(as_of_a_real_ring, path.read_text().splitlines(keepends=True))))

    again = type(listener)()
    ring = open_ring(f"capture:{path}?speed=0", again)
    again.until(lambda: len(again.passages()) == 1)
    ring.close()

    (judged,) = [each.judgement for each in again.passages()]
    assert (judged.colour, judged.why, judged.ranking[0][0]) == (None, "uncalibrated", "red")


def as_of_a_real_ring(line: str) -> str:
    """Return a line of a capture with the hello of a ring that isn't simulated."""
    before, dollar, rest = line.partition("$hello ")
    if not dollar:
        return line
    return before + seal("hello " + rest.rpartition("*")[0].replace("sim=1", "sim=0")).decode()


@pytest.mark.parametrize(
    "url", ["capture:", "capture:/no/such", "capture:x?speed=-1", "capture:x?sped=1", "capture:x?wait=1"]
)
def test_a_capture_address_with_anything_odd_is_refused(listener, url):
    """An invalid capture address or file is refused with one sentence."""
    with pytest.raises(InputError, match=r"capture:|/no/such"):
        open_ring(url, listener)
