"""An emulated board with a hand at its gate: orders of a simulated ring, scripts, troubles, and the truth."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random

import pytest

from companion.ports.ring import Order, RingState
from firmware_bridge import open_ring
from firmware_bridge.device.codec import VERSION
from firmware_bridge.protocol.connection import Standpoint
from firmware_bridge.simulation.emulated import EmulatedRing
from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.script.ground_truth import GroundTruth
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.script.steps import step
from tests.firmware_bridge.simulation.emulated_bench import Desk
from tests.firmware_bridge.simulation.test_emulated_board import ended

SCRIPT = [
    {"load": {"red": 2, "blue": 1}},
    {"wait_for": "armed"},
    {"slide": 2, "colours": ["blue", "red"]},
    {"slide": 1, "fault": "back"},
]


class Table(Desk):
    """A host with an emulated ring, a hand that follows a script, and the truth."""

    def __init__(self) -> None:
        self.ring = EmulatedRing(IDEAL, Random(3), 0.0)
        self.hand = Hand()
        self.truth: list[GroundTruth] = []
        self._again = 0.0
        super().__init__(self)
        self.listen(0.5)

    def receive(self, data: bytes, now: float) -> None:
        """Receive the host's data."""
        self.ring.receive(data, now)

    def outgoing(self, now: float) -> bytes:
        """Let the hand act, then return the output."""
        self._again = self.hand.act(self.ring, now)
        data = self.ring.outgoing(now)
        self.truth += self.ring.written(round(now * 1e9))
        return data

    def due(self, now: float) -> float:
        """Return the time of the next action or output."""
        return min(self.ring.due(now), self._again)

    def do(self, **told: object) -> Table:
        """Let the hand do one step of a script."""
        self.hand.add(step(told))
        return self


@pytest.fixture
def table() -> Iterator[Table]:
    """Yield an emulated ring, and close it after the test."""
    table = Table()
    yield table
    table.ring.close()


def test_what_lies_under_the_ring_changes_when_it_is_armed(table):
    """`under` announces stations, `arm` puts them there; the same token again changes nothing."""
    assert table.order("under", n=0, u="red:2,blue:1") == ""
    assert not table.ring.under
    table.order("arm", tok=5)
    assert table.ring.under == {"red": 2, "blue": 1}
    table.order("arm", tok=5)

    assert table.ring.under == {"red": 2, "blue": 1}
    assert table.ring.armed == 5
    table.order("disarm")
    assert table.ring.armed == 0


@pytest.mark.parametrize(
    ("order", "why"),
    [(("slide", {}), "empty"), (("under", {"n": 0, "u": "pink:1"}), "colour"), (("under", {"n": 0}), "malformed")],
)
def test_orders_that_cannot_be_carried_out_are_refused(table, order, why):
    """An impossible order is refused: no station left, an unknown colour, a missing field."""
    word, fields = order

    assert table.order(word, **fields) == why


def test_a_slide_that_is_ordered_is_drawn_and_told(table):
    """An ordered slide lets one station out, which passes the gate in its own time, with the token."""
    table.order("under", n=0, u="red:1")
    table.order("arm", tok=8)
    assert table.order("slide") == ""
    table.until(lambda: table.told("pass"))

    assert table.told("pass")[0].fields["tok"] == "8"
    assert not table.ring.under
    table.listen(0.5)
    assert [each.colours for each in table.truth] == [("red",)]


def test_the_black_card_is_shown_when_it_is_asked_for(table):
    """When the ring must look at black, the simulated hand puts the card under the sensor, then removes it."""
    assert table.order("look", what="black") == ""
    table.until(lambda: table.told("look")).listen(1.0)

    black = int(table.told("look", what="black")[0].fields["counts"].split(":")[3])
    assert black < 800
    assert table.told("gate")[-1].fields["open"] == "0"
    table.order("look", what="white")
    table.until(lambda: table.told("look", what="white"))
    white = int(table.told("look", what="white")[0].fields["counts"].split(":")[3])
    assert white > 4 * black


def test_the_truth_names_the_event_that_told_each_thing(table):
    """The truth has kind, colour, boot and number of each event."""
    for each in SCRIPT:
        table.do(**each)
    table.order("arm", tok=3)
    table.ring.load({"red": 2, "blue": 1})
    table.until(lambda: len(table.truth) == 3)

    passes = {event.number: event.fields["k"] for event in table.told("pass")}
    assert [(each.kind, each.colours[0]) for each in table.truth][:2] == [("out", "blue"), ("out", "red")]
    assert [passes[each.seq] for each in table.truth] == [each.kind for each in table.truth]
    assert {each.boot for each in table.truth} == {table.events[0].boot}
    assert [each.n for each in table.truth] == [1, 2, 3]


def test_a_lifted_and_a_shaken_ring_are_in_the_truth_too(table):
    """The truth also has the numbers of events for lifting and shaking."""
    table.do(slide=1, fault="lift").do(slide=1, fault="shake_open")
    table.until(lambda: len(table.truth) == 2)

    numbers = {event.number: event for event in table.events}
    assert [each.kind for each in table.truth] == ["lift", "shake_open"]
    assert numbers[table.truth[0].seq].word == "lift"
    assert numbers[table.truth[1].seq].fields["what"] == "gate-open-while-shaking"


def test_a_start_in_the_midst_of_a_passage_is_told_by_the_one_that_sees_its_end(table):
    """If the board restarts during a passage, the truth has the event that the new boot reports for it."""
    table.ring.load({"red": 1})
    table.do(slide=1, speed_mm_s=20.0).do(wait_ms=600).do(trouble="restarted")
    table.until(lambda: bool(table.truth))

    (passage,) = table.told("pass")
    assert passage.boot == table.told("boot")[1].boot
    assert [(each.kind, each.boot, each.seq) for each in table.truth] == [("out", passage.boot, passage.number)]


def test_what_no_start_has_told_has_no_number(table):
    """A passage while the board has no power has no event, and no number in the truth."""
    table.ring.load({"red": 1})
    table.do(slide=1).listen(0.2)
    table.ring.rig.until(table.ring.board.us(table.now + 3.0))

    assert [(each.kind, each.seq) for each in table.ring.unwritten()] == [("out", None)]


@pytest.mark.parametrize("word", ["older", "newer"])
def test_a_firmware_of_another_version_is_refused(table, word):
    """A firmware with another protocol version is refused; after the next restart the version is ours again."""
    table.do(trouble=word).listen(2.0)
    assert table.host.standpoint is Standpoint.REFUSED

    table.do(trouble="restarted").listen(8.0)
    assert table.host.standpoint is Standpoint.LIVE
    assert table.host.hello.version == VERSION


def test_a_sensor_that_is_gone_is_told_and_found_again(table):
    """Without its sensor the board counts cubes and reports the loss; with the sensor, frames come back too."""
    table.ring.load({"red": 3})
    table.do(trouble="sensor-gone").listen(1.0)
    table.do(slide=1)
    table.until(lambda: table.told("pass")).listen(1.0)
    assert table.told("fault", what="sensor-missing")
    assert not table.told("frame")

    table.do(trouble="sensor-back").listen(3.0)
    table.do(slide=1)
    table.until(lambda: len(table.told("pass")) == 2)
    assert table.told("frame")


def test_more_than_there_is_room_for_is_counted(table):
    """If a host doesn't read for a while, a fault reports the number of lost events."""
    table.do(trouble="store-full").listen(6.0)

    assert table.told("fault", what="store-full")
    numbers = [event.number for event in table.events]
    assert numbers == list(range(1, len(numbers) + 1))


def test_an_emulated_address_is_a_ring_that_ends_with_its_port(listener):
    """`emulated:` draws what it is armed for, in real time; closing the ring ends the board."""
    ring = open_ring("emulated:?seed=4", listener)
    try:
        ring.arm(Order(1, {"red": 1}))
        listener.until(lambda: ring.view.armed == 1 and ring.view.state is RingState.LIVE)
        ring.slide()
        listener.until(lambda: len(listener.passages()) == 1)
        pid = ring.afterwards.__self__.pid
    finally:
        ring.close()

    assert listener.passages()[0].judgement.colour == "red"
    assert ended(pid, 5.0)


def test_the_command_is_a_ring_behind_a_pseudo_terminal(ring_command: Callable, listener, tmp_path):
    """`ring emulate` accepts the scripts of `ring mock` and writes the same truth."""
    (tmp_path / "script").write_text("\n".join(map(json.dumps, SCRIPT[:3])))
    files = ("--pty", tmp_path / "ring", "--script", tmp_path / "script", "--truth", tmp_path / "truth")
    process = ring_command("emulate", *files, "--seed", 1)
    assert process.stdout.readline().startswith("An emulated board is at")
    ring = open_ring(str(tmp_path / "ring"), listener)
    try:
        ring.arm(Order(1, {"red": 2, "blue": 1}))
        listener.until(lambda: len(listener.passages()) == 2)
    finally:
        ring.close()
    process.terminate()
    process.wait(60)

    truth = [json.loads(line) for line in (tmp_path / "truth").read_text().splitlines()]
    heard = [(each.boot, each.seq, each.judgement.colour) for each in listener.passages()]
    assert [(each["boot"], each["seq"], each["colour"]) for each in truth] == heard
    assert all(each["written_ns"] for each in truth)


@pytest.mark.parametrize("folder", ["/dev/null", "/proc/nothing"])
def test_a_flash_that_is_no_folder_is_one_line(ring_command, tmp_path, folder):
    """A `--flash` that can't be a folder is refused with one line."""
    board = ring_command("emulate", "--pty", tmp_path / "ring", "--flash", folder)
    told = board.communicate(timeout=60)[1]

    assert (board.returncode, told.count("\n")) == (2, 1), told
    assert f"{folder} can't hold a board's files" in told
