"""Captures hold every byte with its time and its direction, and can be replayed."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path

import pytest

from rungs.__main__ import play
from rungs.capture import BadCapture, CapturedWire, Differs, ReplayWire, Transcript, read_capture, write_pcap
from rungs.wire import Terminal, WireLost, open_wire

HEAD = "# rungs capture 1, test, started 2026-01-31T19:30:00Z, port loop\n"
TALK = HEAD + "0.000 = opened loop\n1.000 > ID\n2.500 < I am\\x0d\n3.000 > READ\n100.000 < T 21.5\n"


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A capture of two questions with their answers."""
    path = tmp_path / "talk.log"
    path.write_text(TALK)
    return path


class Other:
    """A wire that reads the given data, and is lost after that."""

    name = "other"

    def __init__(self, *said: bytes) -> None:
        self._said = list(said)

    def read(self, timeout_s: float) -> bytes:
        """Return the next bytes."""
        if not self._said:
            raise WireLost("other is gone.")
        return self._said.pop(0)

    def write(self, data: bytes) -> None:
        """Take *data*."""

    def close(self) -> None:
        """Do nothing."""


def test_what_goes_over_a_wire_can_be_read_again(tmp_path: Path) -> None:
    """A transcript's capture contains both directions, odd bytes, half a line, and the event that the wire was lost."""
    transcript = Transcript(iter(range(100)).__next__, "loop")
    wire = CapturedWire(Other(b"a\\\x00\nb", b"c\n", b"half"), transcript)
    wire.write(b"READ\n")
    for _ in range(3):
        wire.read(1.0)
    with pytest.raises(WireLost):
        wire.read(1.0)
    path = tmp_path / "a.log"
    path.write_text(transcript.text(), encoding="ascii")

    entries = [(entry.mark, entry.data) for entry in read_capture(path).entries]
    assert entries == [
        ("=", b"opened other"),
        (">", b"READ"),
        ("<", b"a\\\x00"),
        ("<", b"bc"),
        ("<+", b"half"),
        ("=", b"lost: other is gone."),
    ]


def test_a_carriage_return_before_a_newline_is_in_the_capture_and_not_shown() -> None:
    """A transcript hides a carriage return before a newline, and shows it at the end of an incomplete line."""
    transcript = Transcript(lambda: 0.0)
    transcript.passed("<", b"a\r\nb\r")

    assert transcript.last(2) == ["       0.000 < a", "       0.000 <+ b\\x0d"]
    assert "< a\\x0d\n" in transcript.text()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1: not the start of a capture"),
        (HEAD.replace("capture 1", "capture 9"), "a capture of version 9"),
        (HEAD + "nonsense\n1.000 < a\n", "line 2: not a line of a capture"),
        ("\x80", "wrong bytes"),
    ],
)
def test_what_is_no_capture_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    """A file that isn't a capture is refused with one sentence that names the line or the error."""
    path = tmp_path / "a.log"
    path.write_text(text, encoding="latin-1")

    with pytest.raises(BadCapture, match=sentence):
        read_capture(path)


def test_a_torn_last_line_is_left_out(talk: Path) -> None:
    """The last line of a capture is ignored if it is incomplete, as after a power cut."""
    talk.write_text(TALK + "101.000 < T 2")

    assert len(read_capture(talk).entries) == 5


def test_a_strict_replay_answers_as_the_device_did(talk: Path) -> None:
    """The same questions get the same answers, each as long after the end of its question as when it was recorded."""
    wire = ReplayWire(read_capture(talk))
    wire.write(b"ID\n")
    first = wire.read(1.0)
    wire.write(b"RE")
    early = wire.read(0.001)
    wire.write(b"AD\n")

    assert (first, early) == (b"I am\r\n", b"")
    assert wire.read(0.01) == b""
    assert wire.read(1.0) == b"T 21.5\n"
    assert wire.now() == pytest.approx(0.0025 + 0.097)


@pytest.mark.parametrize(("line", "left"), [(b"READ\n", 2), (b"\nREAD\n", 5)])
def test_a_replay_goes_on_at_a_line_of_the_host(talk: Path, line: bytes, left: int) -> None:
    """`skip_to` leaves everything before the host's line out, or nothing if the capture lacks that line."""
    wire = ReplayWire(read_capture(talk))

    assert wire.skip_to(line) == (left == 2)
    assert wire.left + (left == 5) == left


def test_a_replay_for_another_program_keeps_time(talk: Path) -> None:
    """`rungs replay` sends each answer after the recorded delay."""
    terminal, wire = Terminal(), ReplayWire(read_capture(talk))
    program = open_wire(terminal.path)
    program.write(b"ID\n")
    heard: list[tuple[float, bytes]] = []

    def now() -> float:
        """Return the time, which advances by 10 ms per call; after the first answer the program asks again."""
        if data := program.read(0.0):
            heard.append((clock[0], data))
            program.write(b"READ\n" if len(heard) == 1 else b"")
        clock[0] += 0.01
        return clock[0]

    clock = [0.0]
    play(wire, terminal, now)
    program.close()
    terminal.close()

    assert [data for _, data in heard] == [b"I am\r\n", b"T 21.5\n"]
    assert 0.097 <= heard[1][0] - heard[0][0] <= 0.13


@pytest.mark.parametrize(("said", "sentence"), [(b"READ\n", "sends ID"), (b"ID\nREAD\n", "before the host sends")])
def test_a_strict_replay_refuses_another_question(talk: Path, said: bytes, sentence: str) -> None:
    """A strict replay raises an error with the capture's next line for a wrong line or an early line."""
    with pytest.raises(Differs, match=sentence):
        ReplayWire(read_capture(talk)).write(said)


def test_a_loose_replay_lets_a_question_out(talk: Path) -> None:
    """A loose replay answers the second question without the first, and then refuses the first question."""
    wire = ReplayWire(read_capture(talk), strict=False)
    wire.write(b"READ\n")
    answer = wire.read(1.0)

    assert answer == b"T 21.5\n"
    with pytest.raises(Differs, match="no line ID"):
        wire.write(b"ID\n")


PIPELINED = [(">", b"LIMIT\nID\n"), ("<", b"30.00\nthermometer\n"), (">", b"RELAY\n"), ("<", b"OFF\n"), ("<", b"> ")]
ECHOED = [(">", b"ON"), ("<", b"ON"), (">", b"\n"), ("<", b"\nOK\n")]


@pytest.mark.parametrize(
    ("talk", "strict"), [([*PIPELINED, *ECHOED], True), ([*PIPELINED, (">", b"ON\n"), ("<", b"OK\n")], False)]
)
def test_a_replay_reads_what_was_read_together(tmp_path: Path, talk: list[tuple[str, bytes]], strict: bool) -> None:
    """Each read of a replay returns the bytes of that read: several lines, a prompt, or an echo of half a line."""
    transcript = Transcript(lambda: 0.0)
    for mark, data in talk:
        transcript.passed(mark, data)
    path = tmp_path / "talk.log"
    path.write_text(transcript.text())
    wire = ReplayWire(read_capture(path), strict)

    for mark, data in talk:
        if mark == ">":
            wire.write(data)
        else:
            assert wire.read(1.0) == data
    assert wire.left == 0


def test_wireshark_gets_packets_with_times_and_directions(talk: Path) -> None:
    """The pcap file has the usual header and one packet per line, whose first byte is the direction."""
    file = BytesIO()
    write_pcap(read_capture(talk), file)
    data = file.getvalue()

    assert struct.unpack("<IHHiIII", data[:24]) == (0xA1B2C3D4, 2, 4, 0, 0, 65535, 147)
    assert struct.unpack("<IIII", data[24:40]) == (0, 1000, 4, 4)
    assert data[40:44] == b"\x01ID\n"
