"""What PROTOCOL.md promises, one test for each promise."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

TRIES = 20


@pytest.mark.promise("PROTOCOL.md#1")
def test_identity(host):
    """It says that it is a thermometer, and its version."""
    assert re.fullmatch(r"ID thermometer \d+\.\d+", host.ask("ID"))


@pytest.mark.promise("PROTOCOL.md#2")
def test_a_reading_has_two_decimals(host):
    """A reading is a number with two decimals, from -40.00 to 125.00."""
    answers = [host.ask("READ") for _ in range(TRIES)]

    assert [answer for answer in answers if not re.fullmatch(r"T -?\d{1,3}\.\d\d", answer)] == []
    assert all(-40 <= float(answer[2:]) <= 125 for answer in answers)


@pytest.mark.promise("PROTOCOL.md#2")
def test_a_reading_is_answered_in_time(host, rung, worst):
    """The answer to READ comes within 100 ms."""
    times = []
    for _ in range(TRIES):
        began = rung.now()
        host.ask("READ")
        times.append((rung.now() - began) * 1000)

    worst("answer", times, at_most=100, unit="ms")


@pytest.mark.promise("PROTOCOL.md#2")
def test_readings_follow_each_other_closely(host, worst):
    """Two readings one after the other differ by 0.50 at most."""
    readings = [host.temperature() for _ in range(TRIES)]

    worst("step", [abs(a - b) for a, b in pairwise(readings)], at_most=0.5, unit="C")


@pytest.mark.promise("PROTOCOL.md#3")
def test_the_limit_is_set(host):
    """A limit that was set is the limit, also when it is set again."""
    assert [host.ask("LIMIT 25.5") for _ in range(2)] == ["OK", "OK"]
    assert host.ask("LIMIT") == "LIMIT 25.50"


@pytest.mark.promise("PROTOCOL.md#3")
def test_the_limit_after_a_start(host):
    """After a start the limit is 30.00."""
    assert host.ask("LIMIT") == "LIMIT 30.00"


@pytest.mark.promise("PROTOCOL.md#4")
def test_the_relay_closes_at_the_limit(host):
    """The relay is closed from the limit on, and open below it."""
    reading = host.temperature()
    host.ask(f"LIMIT {reading:.2f}")
    at = host.ask("RELAY")
    host.ask(f"LIMIT {reading + 0.01:.2f}")
    below = host.ask("RELAY")

    assert (at, below) == ("RELAY 1", "RELAY 0")


@pytest.mark.promise("PROTOCOL.md#5")
def test_errors(host):
    """An unknown line, a limit out of range and a long line are refused, and the next line is answered."""
    assert [host.ask(line) for line in ("NONSENSE", "id", "Read", "LIMIT warm", "X" * 32)] == ["ERR unknown"] * 5
    assert [host.ask(line) for line in ("LIMIT 125.01", "LIMIT -40.01")] == ["ERR range"] * 2
    assert host.ask("X" * 33) == "ERR long"
    assert host.ask("LIMIT") == "LIMIT 30.00"


@pytest.mark.promise("PROTOCOL.md#6")
def test_odd_bytes(host, wire, rung):
    """A byte that is not printable ASCII spoils its line; an empty line is not answered; a line may come in parts."""
    for line in (b"READ\x80", b"I\xc4", b"\x00ID"):
        host.send(line)
        assert host.line() == "ERR unknown"
    host.send(b"")
    wire.write(b"I")
    rung.wait(0.05)
    wire.write(b"D\n")

    assert host.line().startswith("ID ")


@pytest.mark.promise("PROTOCOL.md#6", text="On a line that spoils one byte in twenty, no answer is taken for another.")
def test_a_bad_line(host, trouble, share):
    """A corrupted question is an error or is not answered, never another question's answer."""
    good = 0
    with trouble("spoil", rate=0.05, ways="to-device", seed=7) as line:
        for _ in range(TRIES):
            host.send(b"READ")
            answer = host.line(within_s=0.2)
            good += answer.startswith("T ")
            assert answer.startswith(("T ", "ERR ")) or answer == ""

    assert line.hits > 0
    share("answered", good, TRIES, at_least=0.5)


@pytest.mark.promise("PROTOCOL.md#7")
def test_a_reset(host):
    """RESET restores the limit that the thermometer had after its start."""
    host.ask("LIMIT 25")

    assert host.ask("RESET") == "OK"
    assert host.ask("LIMIT") == "LIMIT 30.00"


@pytest.mark.promise("PROTOCOL.md#8")
def test_another_host(host, wire, plug, rung):
    """A host that opens the port later finds the limit that the previous host has set."""
    host.ask("LIMIT 25")
    wire.close()
    rung.wait(1.5)

    assert type(host)(plug(), rung).ask("LIMIT") == "LIMIT 25.00"
