"""Troubles on request: their words, the wire that they disturb, and the hand that causes them."""

from __future__ import annotations

import io
import os
import threading
import time
from random import Random

import pytest

from firmware_bridge.device.framing import opened, seal
from firmware_bridge.kernel.errors import InputError
from firmware_bridge.simulation.fault_injection.troubles import DEVICE, LINE, TROUBLES, troubled
from firmware_bridge.simulation.physics.world import IDEAL
from firmware_bridge.simulation.script.hand import Hand
from firmware_bridge.simulation.script.steps import Do, Slide, Trouble, step
from firmware_bridge.simulation.serving.loop import ServingLoop
from firmware_bridge.simulation.serving.process import Ending, start_script
from firmware_bridge.simulation.virtual import VirtualRing
from rungs.trouble import LATE_S, Damage

SAID = bytes(range(33, 127)) * 20


class Echo:
    """A wire that returns everything written to it."""

    name = "echo"

    def __init__(self) -> None:
        self.waiting = b""
        self.heard = b""

    def read(self, timeout_s: float) -> bytes:
        """Return the data written."""
        data, self.waiting = self.waiting, b""
        return data

    def write(self, data: bytes) -> None:
        """Store the data."""
        self.heard += data
        self.waiting += data

    def close(self) -> None:
        """Do nothing."""


class Spoilt:
    """An echo behind a disturbed wire; time passes while the wire waits."""

    def __init__(self, word: str, **more: float) -> None:
        self.now = 0.0
        self.echo = Echo()
        self.wire = troubled(self.echo, word, lambda: self.now, self.pass_time, Random(1), **more)

    def pass_time(self, seconds: float) -> None:
        """Advance the clock."""
        self.now += seconds


@pytest.fixture
def ring() -> VirtualRing:
    """A virtual ring without a host."""
    boots = iter(f"{number:08x}" for number in range(1, 9))
    return VirtualRing(IDEAL, Random(1), boots.__next__, 0.0)


def body(ring: VirtualRing, now: float) -> str:
    """Return the body of the first line that *ring* sends."""
    return opened(ring.outgoing(now).splitlines()[0].removeprefix(b"$"))


@pytest.mark.parametrize("word", ["damaged", "lost", "doubled"])
def test_a_share_of_the_bytes_is_hit_each_way(word):
    """The given share of bytes is hit in each direction, in the way that the word names."""
    there = Spoilt(word, rate=0.1)
    there.wire.write(SAID)

    lengths = {"damaged": len(SAID), "lost": len(SAID) - there.wire.hits, "doubled": len(SAID) + there.wire.hits}
    assert len(there.echo.heard) == lengths[word]
    assert there.wire.hits == pytest.approx(0.1 * len(SAID), rel=0.3)
    assert there.wire.read(0.0) != there.echo.heard


def test_what_is_delayed_comes_whole_and_in_order():
    """Delayed data arrives complete and in order."""
    there = Spoilt("delayed", rate=0.5)
    for n in range(20):
        there.wire.write(b"%02d" % n)
    assert there.echo.heard != b"".join(b"%02d" % n for n in range(20))

    there.pass_time(LATE_S)
    there.wire.write(b"")

    assert there.echo.heard == b"".join(b"%02d" % n for n in range(20))


def test_a_host_that_does_not_read_gets_it_later():
    """With `unread` the wire isn't read for as long as requested, and everything arrives later."""
    there = Spoilt("unread", unread_s=2.0)
    there.wire.write(b"hello")

    assert there.wire.read(1.0) == b""
    assert there.now == 1.0
    assert there.wire.read(1.5) == b""
    assert there.now == 2.0
    assert there.wire.read(1.0) == b"hello"


@pytest.mark.parametrize("word", LINE)
def test_a_trouble_of_the_line_ends(word):
    """A trouble of the line ends when the wire is calmed."""
    there = Spoilt(word, rate=1.0, unread_s=9.0)
    there.wire.calm()
    there.wire.write(SAID)

    assert there.wire.read(0.0) == SAID


@pytest.mark.parametrize("word", TROUBLES)
def test_every_word_is_a_step_of_a_script(word):
    """Every word can be a step of a script."""
    assert step({"trouble": word}) == Trouble(word)


@pytest.mark.parametrize(
    "told",
    [
        {"trouble": "gremlins"},
        {"trouble": 1},
        {"trouble": "damaged", "rate": 2},
        {"trouble": "restarted", "rate": 0.1},
        {"trouble": "restarted", "ms": 5},
        {"trouble": "unplugged", "ms": -1},
        {"do": "jump"},
        {"do": "open", "ms": 5},
    ],
)
def test_a_trouble_that_cannot_be_meant_is_refused(told):
    """An invalid trouble is refused with one sentence."""
    with pytest.raises(InputError):
        step(told)


@pytest.mark.parametrize(("word", "version"), [("older", 0), ("newer", 2), ("restarted", 1), ("wrapped", 1)])
def test_a_ring_starts_anew_by_a_word(ring, word, version):
    """A restart gives another boot, with the protocol version of the word."""
    before = body(ring, 0.0)
    Hand([Trouble(word)]).act(ring, 1.0)

    after = body(ring, 1.0)
    assert after.startswith(f"hello v={version} to=0 ")
    assert before.split(" ")[-2] != after.split(" ")[-2]


def test_a_store_that_is_full_has_refused_something(ring):
    """For `store-full` the hand lifts the ring and sets it down until the ring's store is full."""
    Hand([Trouble("store-full")]).act(ring, 0.0)

    assert not ring.has_room


def test_what_only_the_line_can_suffer_is_left_to_it(ring):
    """The simulated hand leaves a fault of the line to the line; then the hand has nothing more to do."""
    hand = Hand([Trouble("damaged", rate=0.5)])
    hand.act(ring, 0.0)

    assert hand.line_trouble == Trouble("damaged", rate=0.5)
    assert hand.done


def test_a_trouble_waits_for_no_step_before_it(ring):
    """A trouble doesn't wait for earlier steps: a ring without room for a slide can be restarted."""
    hand = Hand([Trouble("store-full"), Slide(1, ("red",))])
    hand.act(ring, 0.0)
    assert not hand.done

    hand.add(Trouble("restarted"))
    hand.act(ring, 1.0)

    assert hand.done


def test_steps_are_read_as_they_come():
    """Steps are read from standard input as they come; an invalid line is reported, and the next one is read."""
    hand, ending, complaints, heard = Hand(), Ending(), [], threading.Event()
    words = io.StringIO(
        '{"do": "lift"}\nnonsense\n{"slide": 1, "colours": ["pink"]}\n{"do": "fly"}\n{"do": "set-down"}\n'
    )

    def complain(sentence: str) -> None:
        complaints.append(sentence)
        if len(complaints) == 3:
            heard.set()

    start_script(words, hand, ending, IDEAL.reflectance, complain)

    assert heard.wait(60)
    assert [complaint.split(":")[0] for complaint in complaints] == ["script"] * 3
    assert not hand.done


def test_a_line_that_is_held_up_says_it_later():
    """A blocked line passes nothing for a while, and everything afterwards."""
    ours, theirs = os.pipe()
    os.set_blocking(ours, False)
    line = ServingLoop(theirs, Damage.none())
    line.suffer(Trouble("unread", seconds=3600.0), time.monotonic())
    line.write(b"hello")
    with pytest.raises(BlockingIOError):
        os.read(ours, 9)

    line.suffer(Trouble("unread"), time.monotonic())
    line.write(b"!")

    assert os.read(ours, 9) == b"hello!"
    os.close(ours)
    os.close(theirs)


def test_the_words_of_line_and_device_are_all_there_are():
    """The table of troubles contains all troubles of the line and of the device, and has one sentence for each."""
    assert TROUBLES == {**LINE, **DEVICE}
    assert all(sentence and sentence[0].islower() and not sentence.endswith(".") for sentence in TROUBLES.values())


def test_single_deeds_are_told_as_events(ring):
    """Opening, closing, lifting, setting down and jolting cause events without a slide."""
    hand = Hand([Do("open"), *[Do("jolt")] * 3, Do("close"), Do("lift"), Do("set-down")])
    hand.act(ring, 0.0)

    ring.receive(seal("hi v=1 h=abc"), 0.0)
    words = [line.split(b" ")[0] for line in ring.outgoing(0.0).splitlines() if b" n=" in line]
    assert words == [b"$boot", b"$gate", b"$fault", b"$gate", b"$lift", b"$lift"]
