"""Trouble on a line affects the chosen bytes, and the same bytes each time for the same seed."""

from __future__ import annotations

from random import Random

import pytest

from rungs.trouble import BYTES, WAYS, Block, Damage, Line, TroubleWire
from rungs.wire import WireLost

DATA = bytes(range(256)) * 40


class Echo:
    """A wire that echoes its input, with a simulated clock."""

    name = "echo"

    def __init__(self) -> None:
        self.now = 0.0
        self.sent = b""
        self.closed = False

    def read(self, timeout_s: float) -> bytes:
        """Return the bytes that were sent, or advance the clock."""
        data, self.sent = self.sent, b""
        self.now += 0 if data else timeout_s
        return data

    def write(self, data: bytes) -> None:
        """Take *data*."""
        self.sent += data

    def close(self) -> None:
        """Record that it was closed."""
        self.closed = True


def troubled(word: str, seed: int = 7, **more: object) -> tuple[Echo, TroubleWire]:
    """Return an echo, and a wire to it with the trouble *word*."""
    echo, line = Echo(), Line.seeded(seed)
    line.begin(word, 0.0, **more)
    return echo, TroubleWire(echo, line, lambda: echo.now)


@pytest.mark.parametrize("word", BYTES)
def test_one_seed_hits_the_same_bytes_however_they_are_cut(word: str) -> None:
    """The same bytes are affected whether the data arrive in portions of 1, 7 or 1,000 bytes or all together."""
    whole = Damage(0.02, Random(3), [word]).passed(DATA)

    for size in (1, 7, 1000):
        line = Damage(0.02, Random(3), [word])
        assert b"".join(line.passed(DATA[at : at + size]) for at in range(0, len(DATA), size)) == whole
    assert whole != DATA


def test_a_rate_is_a_share_of_the_bytes() -> None:
    """A rate of 2 % hits about two hundred of ten thousand bytes."""
    line = Damage(0.02, Random(3))
    line.passed(DATA)

    assert 150 < line.damaged < 260


def test_each_kind_of_damage_does_what_it_says() -> None:
    """A lost byte is missing, a duplicated byte occurs twice, and a corrupted byte has one flipped bit."""
    assert Damage(1.0, Random(1), ["lose"]).passed(b"abc") == b""
    assert Damage(1.0, Random(1), ["double"]).passed(b"abc") == b"aabbcc"
    spoilt = Damage(1.0, Random(1), ["spoil"]).passed(b"abc")
    assert [bin(a ^ b).count("1") for a, b in zip(spoilt, b"abc")] == [1, 1, 1]  # noqa: B905 - Python 3.10


def test_one_way_leaves_the_other_alone() -> None:
    """Trouble on the way to the host does not affect the bytes from the host."""
    echo, wire = troubled("lose", rate=1.0, ways="to-host")
    wire.write(b"hello")
    before = echo.sent

    assert before == b"hello"
    assert wire.read(0.1) == b""


def test_what_is_late_arrives_in_order() -> None:
    """Delayed bytes all arrive, and in order."""
    _echo, wire = troubled("delay", rate=0.5, seconds=0.2, ways="to-host")
    heard = b""
    for at in range(50):
        wire.write(bytes([at]))
        heard += wire.read(0.0)
    while len(heard) < 50:
        heard += wire.read(0.1)

    assert heard == bytes(range(50))
    assert wire.hits > 10


def test_a_stall_ends() -> None:
    """No bytes arrive during a stall, and all bytes arrive after it."""
    echo, wire = troubled("stall", seconds=0.5)
    wire.write(b"a")
    early = echo.sent
    echo.now = 0.6

    assert early == b""
    assert wire.read(0.0) == b"a"


def test_a_broken_line_is_lost_until_it_is_opened_again() -> None:
    """A break closes the wire with an error, and after `calm` another wire works."""
    echo, wire = troubled("break")
    with pytest.raises(WireLost, match="broken on request"):
        wire.read(0.1)
    wire.line.calm()

    assert echo.closed
    assert TroubleWire(Echo(), wire.line, lambda: 0.0).read(0.0) == b""


def test_calm_ends_every_trouble() -> None:
    """After `calm` bytes pass unchanged, and the earlier hits are still counted."""
    echo, wire = troubled("spoil", rate=1.0)
    wire.write(b"abc")
    wire.calm()
    echo.sent = b""
    wire.write(b"abc")

    assert wire.read(0.1) == b"abc"
    assert wire.hits == 3


@pytest.mark.parametrize(
    ("word", "more", "sentence"),
    [
        ("explode", {}, "'explode' is no trouble: choose from spoil, lose"),
        ("spoil+stall", {}, "is no trouble"),
        ("spoil", {"rate": 2.0}, "A rate is a share from 0 to 1"),
        ("spoil", {"rate": "5 percent"}, "'5 percent' is no share"),
        ("spoil", {"rate": 0.1, "ways": "sideways"}, "'sideways' is no way of a line"),
        ("spoil+lose", {}, r"'spoil\+lose' needs a rate, the share of the bytes that it hits: 0.05 or \"5%\""),
        ("spoil", {"rate": 0.1, "seconds": 0.1}, "The trouble 'spoil' has no time"),
        ("stall", {"rate": 0.1}, "The trouble 'stall' has no rate"),
        ("stall", {"seconds": -0.1}, "A time is more than 0 ms, not -100 ms"),
        ("break", {"ways": "to-host"}, "A break has no ways"),
    ],
)
def test_what_is_no_trouble_is_refused(word: str, more: dict[str, object], sentence: str) -> None:
    """A trouble, rate, direction or time that is not valid is refused with a sentence."""
    with pytest.raises(ValueError, match=sentence):
        Line.seeded(1).begin(word, 0.0, **more)


@pytest.mark.parametrize(
    ("word", "more"),
    [("spoil", {"rate": "100%"}), ("lose", {"rate": 1.0}), ("delay", {}), ("delay", {"seconds": 0.2}), ("stall", {})],
)
@pytest.mark.parametrize("ways", WAYS)
def test_trouble_that_has_begun_hits_what_comes(word: str, more: dict[str, object], ways: str) -> None:
    """A damaged byte, a delayed portion and a stalled portion count as one hit in each direction."""
    echo, wire = troubled(word, ways=ways, **more)
    wire.write(b"a")
    echo.sent = b"a"
    wire.read(0.0)

    assert wire.hits == (2 if ways == "both" else 1)


def test_a_hit_is_noted_with_what_arrives() -> None:
    """Each portion that is damaged, late or held is reported on a line with its direction, trouble and bytes."""
    line, notes = Line.seeded(1), []
    line.report(notes.append)
    for word, more in (("double", {"rate": 1.0}), ("delay", {"seconds": 0.2}), ("stall", {"seconds": 0.5})):
        line.begin(word, 0.0, ways="to-device", **more)
        line.down.put(b"a", 0.0)
        line.up.put(b"b", 0.0)
        line.calm()

    assert [" ".join(note.split()[:4]) for note in notes] == [
        "to-device double: a arrives",
        "to-device delay: a is",
        "to-device stall: a waits",
    ]


def test_a_block_counts_its_own_hits_and_ends_its_own_trouble() -> None:
    """A block counts only hits between its start and its end; an outer block counts all of its own."""
    line = Line.seeded(1)
    line.begin("lose", 0.0, 1.0)
    before = Block(line, "lose")
    line.down.put(b"abc", 0.0)
    line.begin("delay", 0.0)
    with Block(line, "delay") as block:
        line.calm("lose")
        line.down.put(b"d", 0.0)
    line.begin("lose", 0.0, 1.0)
    line.down.put(b"ef", 0.0)

    assert (before.hits, block.hits) == (6, 1)
    with pytest.raises(ValueError, match="This trouble is over"):
        block.__enter__()


def test_a_break_closes_a_wire_that_nobody_used_meanwhile() -> None:
    """A wire that was idle during a break is closed and stays lost, with one hit; one opened later works."""
    echo, wire = troubled("delay")
    wire.line.begin("break", 0.0)
    wire.line.calm()

    assert (wire.cut(), echo.closed) == (True, True)
    for _ in range(2):
        with pytest.raises(WireLost, match="broken on request"):
            wire.write(b"a")
    TroubleWire(Echo(), wire.line, lambda: 0.0).write(b"a")
    assert (echo.closed, wire.hits) == (True, 1)


@pytest.mark.parametrize("ends", ["close", "break"])
def test_a_wire_that_is_over_says_why_and_leaves_nothing_for_the_next(ends: str) -> None:
    """A closed or broken wire raises an error with the reason, also over a wire that still answers."""
    echo, wire = troubled("delay", rate=0.0)
    wire.close() if ends == "close" else wire.line.begin("break", 0.0)
    sentence = "The wire to echo is closed." if ends == "close" else "echo is gone (the line was broken on request)."
    for use in (lambda: wire.write(b"a"), lambda: wire.read(1.0)):
        with pytest.raises(WireLost) as lost:
            use()
        assert str(lost.value) == sentence
    wire.line.calm()

    assert TroubleWire(echo, wire.line, lambda: echo.now).read(1.0) == b""
