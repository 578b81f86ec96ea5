"""Trouble on a line hits what it says, and the same bytes whenever it is drawn from the same seed."""

from __future__ import annotations

from random import Random

import pytest

from rungs.trouble import BYTES, WAYS, WORDS, Damage, Line, TroubleWire
from rungs.wire import WireLost

DATA = bytes(range(256)) * 40


class Echo:
    """A wire that sends back what it gets, at a clock that is handed in."""

    name = "echo"

    def __init__(self) -> None:
        self.now = 0.0
        self.sent = b""
        self.closed = False

    def read(self, timeout_s: float) -> bytes:
        """Return what was sent, or let time pass."""
        data, self.sent = self.sent, b""
        self.now += 0 if data else timeout_s
        return data

    def write(self, data: bytes) -> None:
        """Take *data*."""
        self.sent += data

    def close(self) -> None:
        """Note that it was closed."""
        self.closed = True


def troubled(word: str, seed: int = 7, **more: object) -> tuple[Echo, TroubleWire]:
    """Return an echo behind a line with the trouble *word*."""
    echo, line = Echo(), Line.seeded(seed)
    line.begin(word, 0.0, **more)
    return echo, TroubleWire(echo, line, lambda: echo.now)


@pytest.mark.parametrize("word", BYTES)
def test_one_seed_hits_the_same_bytes_however_they_are_cut(word: str) -> None:
    """Damage: portions of 1, 7 or 1,000 bytes are hit as the whole is."""
    whole = Damage(0.02, Random(3), [word]).passed(DATA)

    for size in (1, 7, 1000):
        line = Damage(0.02, Random(3), [word])
        assert b"".join(line.passed(DATA[at : at + size]) for at in range(0, len(DATA), size)) == whole
    assert whole != DATA


def test_a_rate_is_a_share_of_the_bytes() -> None:
    """Damage: 2 % of ten thousand bytes are about two hundred."""
    line = Damage(0.02, Random(3))
    line.passed(DATA)

    assert 150 < line.damaged < 260


def test_each_kind_of_damage_does_what_it_says() -> None:
    """Damage: a lost byte is missing, a doubled one is there twice, and a spoilt one has one other bit."""
    assert Damage(1.0, Random(1), ["lose"]).passed(b"abc") == b""
    assert Damage(1.0, Random(1), ["double"]).passed(b"abc") == b"aabbcc"
    spoilt = Damage(1.0, Random(1), ["spoil"]).passed(b"abc")
    assert [bin(a ^ b).count("1") for a, b in zip(spoilt, b"abc")] == [1, 1, 1]  # noqa: B905 - Python 3.10


def test_one_way_leaves_the_other_alone() -> None:
    """Line: trouble on the way to the host leaves what the host sends."""
    echo, wire = troubled("lose", rate=1.0, ways="to-host")
    wire.write(b"hello")
    before = echo.sent

    assert before == b"hello"
    assert wire.read(0.1) == b""


def test_what_is_late_arrives_in_order() -> None:
    """Delay: nothing is lost, and nothing overtakes."""
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
    """Stall: nothing arrives for its time, then everything."""
    echo, wire = troubled("stall", seconds=0.5)
    wire.write(b"a")
    early = echo.sent
    echo.now = 0.6

    assert early == b""
    assert wire.read(0.0) == b"a"


def test_a_broken_line_is_lost_until_it_is_opened_again() -> None:
    """Break: the wire is closed and says so; when it is calm, another one can be used."""
    echo, wire = troubled("break")
    with pytest.raises(WireLost, match="broken on request"):
        wire.read(0.1)
    wire.line.calm()

    assert echo.closed
    assert TroubleWire(Echo(), wire.line, lambda: 0.0).read(0.0) == b""


def test_calm_ends_every_trouble() -> None:
    """Line: after `calm` bytes pass as they are, and the hits are still counted."""
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
        ("spoil", {"ways": "sideways"}, "'sideways' is no way of a line"),
    ],
)
def test_what_is_no_trouble_is_refused(word: str, more: dict[str, object], sentence: str) -> None:
    """Line: a sentence says which words there are."""
    with pytest.raises(ValueError, match=sentence):
        Line.seeded(1).begin(word, 0.0, **more)


def test_every_word_can_begin() -> None:
    """Line: each of the words, each way."""
    for word in WORDS:
        for way in WAYS:
            Line.seeded(1).begin(word, 0.0, ways=way)
