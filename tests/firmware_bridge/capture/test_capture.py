"""Captures: all data on the wire is recorded as text, byte for byte, with a limited size, without delaying the game."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ports.ring import Order, RingState
from firmware_bridge import InputError, open_ring
from firmware_bridge.capture.files import captures
from firmware_bridge.capture.reader import events_of, judged_then, read_tape
from firmware_bridge.capture.writer import MOST_BYTES, MOST_WAITING, RETRY_S, CaptureWriter
from firmware_bridge.device.framing import seal
from rungs.capture import RECEIVED, CaptureEntry, Pieces, entry_of, written

GATE = seal("gate b=00000001 n=1 t=5 open=1")


@pytest.fixture
def make(tmp_path, clock):
    """Return a function that creates captures."""

    def capture(folder: Path = tmp_path / "captures", **bounds: int) -> CaptureWriter:
        return CaptureWriter(folder, "companion 9", clock, lambda: 0.0, **bounds)

    return capture


def newest(folder: Path) -> str:
    """Return the text of the newest capture."""
    return captures(folder)[-1].read_text()


def test_a_capture_says_first_what_it_is(make, tmp_path):
    """The first line has the format's version, the program, the start and the port."""
    capture = make()
    capture.opened("/dev/ring")
    capture.close()

    first = newest(tmp_path / "captures").splitlines()[0]
    assert first == "# ring capture 1, companion 9, started 1970-01-01T00:00:00Z, port /dev/ring"


def test_each_line_has_its_moment_and_its_direction(make, tmp_path, clock):
    """Each line has the milliseconds since the start, and `<` for the ring or `>` for the host."""
    capture = make()
    capture.sent(b"$hi*1\n")
    clock.now += 0.0125
    capture.received(b"$hel")
    clock.now += 0.001
    capture.received(b"lo*2\n")
    capture.close()

    assert newest(tmp_path / "captures").splitlines()[1:] == ["       0.000 > $hi*1", "      13.500 < $hello*2"]


@given(st.lists(st.binary(max_size=600), max_size=8))
def test_damaged_bytes_come_back_as_they_were(portions):
    """Any bytes in any portions are recorded as plain text, and are read back unchanged."""
    pieces = Pieces(RECEIVED)
    entries = [entry for data in portions for entry in pieces.feed(1.0, data)]
    entries += pieces.end(2.0)
    lines = [written(entry) for entry in entries]

    assert all(line.isascii() and line.isprintable() for line in lines)
    assert [entry_of(line) for line in lines] == entries
    assert b"".join(entry.sent for entry in entries) == b"".join(portions)


def test_files_are_bounded_and_the_oldest_is_dropped(make, tmp_path):
    """There are at most three files of 2,000 bytes, which contain the newest lines."""
    capture = make(size=2_000, files=3)
    for number in range(400):
        capture.sent(f"number {number}\n".encode())
        capture.flush()
    capture.close()

    files = captures(tmp_path / "captures")
    assert len(files) == 3
    assert all(file.stat().st_size <= 2_000 for file in files)
    assert "number 399" in files[-1].read_text()
    assert all(file.read_text().startswith("# ring capture 1") for file in files)


def test_a_passage_is_not_cut_in_two(make, tmp_path):
    """A passage is never split across two files, so a file may slightly exceed its limit."""
    capture = make(size=600)
    for number in range(4):
        parts = (f"${word} n={number} {'.' * 60}\n".encode() for word in ("ref", "frame", "frame", "edge", "pass"))
        capture.received(b"".join(parts))
    capture.close()

    for file in captures(tmp_path / "captures"):
        text = file.read_text()
        assert text.count("$ref") == text.count("$edge") == text.count("$pass")


def test_a_new_start_goes_on_in_the_newest_file(make, tmp_path):
    """A new start continues in the newest file, so that short starts don't delete a whole evening."""
    for number in range(3):
        capture = make(files=2)
        capture.received(f"start {number}\n".encode())
        capture.close()
        with captures(tmp_path / "captures")[-1].open("a") as file:
            file.write("      99.000 < to")
    make().close()
    capture = make(files=2)
    capture.note("the last one")
    capture.close()

    (file,) = captures(tmp_path / "captures")
    assert file.read_text().count("# ring capture 1") == 4
    heard = [entry.data for entry in read_tape(file).entries]
    assert heard == [b"start 0", b"start 1", b"start 2", b"the last one"]


def test_a_folder_that_cannot_be_written_is_counted_and_told_once(make, tmp_path, clock):
    """If the folder can't be written, lines are counted, one sentence names the folder, and writing is retried."""
    (tmp_path / "file").write_text("")
    capture = make(tmp_path / "file" / "captures")
    capture.received(GATE * 3)
    capture.flush()

    assert capture.lost == 3
    assert "Can't record" in capture.trouble()
    assert str(tmp_path / "file") not in capture.trouble()

    capture.received(GATE)
    capture.flush()
    assert capture.lost == 4
    (tmp_path / "file").unlink()
    clock.now += RETRY_S
    capture.received(GATE)
    capture.close()
    assert capture.lost == 4
    assert "gate" in newest(tmp_path / "file" / "captures")
    assert capture.trouble() == ""


def test_a_disk_that_hangs_costs_lines_not_memory(make):
    """If the disk hangs, lines beyond a limit are counted instead of stored."""
    capture = make()
    for _ in range(MOST_WAITING + 5):
        capture.received(b"x")

    assert capture.lost == 5


def test_a_ring_that_floods_costs_lines_not_memory(make):
    """A flood of large portions is limited in bytes; after they are written, recording continues."""
    capture, portion = make(), b"x" * 4000
    for _ in range(MOST_BYTES // len(portion) + 5):
        capture.received(portion)
    assert capture.lost == 5

    capture.flush()
    capture.received(portion)
    capture.close()
    assert capture.lost == 5


def test_a_ring_is_captured_while_it_is_read(listener, tmp_path):
    """A ring's greeting, passage, acknowledgement and classification are all recorded when the ring is closed."""
    ring = open_ring("mock:?seed=1", listener, captures=tmp_path)
    ring.arm(Order(5, {"red": 1}))
    listener.until(lambda: ring.view.armed == 5)
    ring.slide()
    listener.until(lambda: len(listener.passages()) == 1)
    ring.close()

    tape = read_tape(captures(tmp_path)[0])
    event = listener.passages()[0]
    assert tape.port == "mock:"
    assert (event.boot, event.seq) in judged_then(tape)
    assert [each.event.raw for each in events_of(tape) if each.event.word == "pass"] == [event.raw[-1]]
    assert tape.entries[-1].data == b"closed"


def test_a_ring_whose_capture_fails_is_played_with(listener, tmp_path):
    """If a capture fails, the table is informed, and the game goes on."""
    (tmp_path / "captures").write_text("a file, no folder")
    ring = open_ring("mock:?seed=1", listener, captures=tmp_path / "captures")
    listener.until(lambda: "The game goes on" in ring.view.trouble)

    ring.arm(Order(5, {"red": 1}))
    listener.until(lambda: ring.view.armed == 5)
    ring.slide()
    listener.until(lambda: len(listener.passages()) == 1)
    assert ring.view.state is RingState.LIVE
    ring.close()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "line 1: not the start of a capture"),
        (b"\x89PNG\r\n\x1a\n" * 50, "not a capture"),
        (b"$hi v=1\n", "line 1: not the start of a capture"),
        (b"# ring capture 2, x, started y, port z\n", "version 2"),
        (b"# ring capture 1, x, started y, port z\nnonsense\n       1.000 < $a\n", "line 2: not a line"),
        (
            b"# ring capture 1, x, started y, port z\n       1.000 < bad\\escape\n       1.000 < $a\n",
            "line 2: not a line",
        ),
    ],
)
def test_a_file_that_is_no_capture_is_refused(tmp_path, text, says):
    """A file that isn't a capture is refused with its name, the line and the reason."""
    (tmp_path / "file").write_bytes(text)

    with pytest.raises(InputError, match=says):
        read_tape(tmp_path / "file")


def test_events_come_once_and_in_order_out_of_a_bad_line(tmp_path, make):
    """Repeated, damaged and late events are corrected in the same way as by a host."""
    gate = [seal(f"gate b=00000001 n={number} t={number} open=1") for number in range(1, 5)]
    capture = make()
    capture.received(gate[0] + gate[2][:20] + gate[2] + gate[0])
    capture.received(gate[1] + b"\xff\x00noise\n" + gate[3][:7])
    capture.received(gate[3][7:])
    capture.close()

    events = events_of(read_tape(captures(tmp_path / "captures")[0]))
    assert [each.event.number for each in events] == [1, 2, 3, 4]


def test_an_entry_knows_what_went_over_the_wire():
    """An entry returns its original bytes: a line with its newline, a piece without."""
    assert CaptureEntry(0.0, "<", b"a").sent == b"a\n"
    assert CaptureEntry(0.0, "<+", b"a").sent == b"a"
