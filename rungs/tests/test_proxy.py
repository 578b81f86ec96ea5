"""The proxy passes bytes on, causes trouble as requested, and records the traffic that the program sees."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random

import pytest

from rungs.__main__ import main, parser
from rungs.capture import read_capture
from rungs.proxy import BadOrder, Orders, begun, milliseconds
from rungs.trouble import Damage, Line, share
from rungs.wire import Terminal, Wire, WireLost, open_wire

ROOT = Path(__file__).resolve().parents[2]
DATA = bytes(range(32, 127)) * 10
WITHIN_S = 20.0


@contextmanager
def proxy(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `rungs proxy`; yield the process and the address that it prints."""
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "rungs", "proxy", *words]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=surroundings, **pipes) as process:
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.terminate()


@pytest.fixture
def device() -> Iterator[Terminal]:
    """A terminal that acts as the device at a port."""
    terminal = Terminal()
    yield terminal
    terminal.close()


def heard(wire: Wire, number: int) -> bytes:
    """Return at least *number* bytes from *wire*."""
    data = b""
    while len(data) < number and (more := wire.read(WITHIN_S)):
        data += more
    return data


def test_both_addresses_have_the_same_bytes_hit(device: Terminal, tmp_path: Path) -> None:
    """The same seed damages the same bytes on a pseudo-terminal and over TCP, as `Damage` does."""
    expected = Damage(0.01, Random("7 to-device"), ["spoil"]).passed(DATA)

    for end, url in ((("--pty", str(tmp_path / "port")), "{}"), (("--tcp", "127.0.0.1:0"), "socket://{}")):
        with proxy(device.path, *end, "--damage", "1%", "--seed", "7") as (_, address):
            wire = open_wire(url.format(address))
            wire.write(DATA)
            assert heard(device.wire, len(DATA)) == expected
            wire.close()
    assert expected != DATA


def test_an_order_changes_the_line_and_a_word_that_is_none_is_answered(device: Terminal, tmp_path: Path) -> None:
    """After the line `lose 100%` the proxy loses all bytes, after `calm` none, and an unknown word gets an error."""
    with proxy(device.path, "--pty", str(tmp_path / "port")) as (process, address):
        wire = open_wire(address)
        process.stdin.write("lose 100%\nexplode\n")
        process.stdin.flush()
        answer = process.stderr.readline()
        wire.write(b"lost")
        device.wire.read(0.0)
        process.stdin.write("calm\nnonsense\n")
        process.stdin.flush()
        process.stderr.readline()
        wire.write(b"heard")
        found = heard(device.wire, 5)
        wire.close()

    assert "'explode' is no order: choose from spoil" in answer
    assert found.endswith(b"heard")


def test_a_program_loses_its_connection_and_gets_another(device: Terminal) -> None:
    """After `break` the proxy's connection is closed, and the next connection works."""
    with proxy(device.path, "--tcp", "127.0.0.1:0", "--break") as (_, address):
        first = open_wire(f"socket://{address}")
        first.write(b"a")
        heard(device.wire, 1)
        first.close()
        second = open_wire(f"socket://{address}")
        second.write(b"b")
        device.wire.write(b"c")

        assert heard(device.wire, 1) == b"b"
        assert heard(second, 1) == b"c"
        second.close()


DEVICE = """
import os, sys, tty
port = os.open(sys.argv[1], os.O_RDWR)
tty.setraw(port)
while data := os.read(port, 9):
    os.write(port, data)
"""


def test_a_device_is_a_process_and_a_signal_ends_the_proxy(tmp_path: Path) -> None:
    """DEVICE may be `process:COMMAND`; SIGTERM ends the proxy with status 0, and its link is removed."""
    (tmp_path / "device.py").write_text(DEVICE)
    command = f"process:{sys.executable} {tmp_path / 'device.py'} {{pty}}"
    with proxy(command, "--pty", str(tmp_path / "port")) as (process, address):
        wire = open_wire(address)
        wire.write(b"a")
        answer = heard(wire, 1)
        wire.close()
        process.terminate()
        status = process.wait(WITHIN_S)

    assert (answer, status, (tmp_path / "port").is_symlink()) == (b"a", 0, False)


def test_what_the_program_sees_is_recorded(device: Terminal, tmp_path: Path) -> None:
    """The proxy with --capture records both directions, and `quit` ends it with status 0."""
    file = tmp_path / "talk.log"
    with proxy(device.path, "--pty", str(tmp_path / "port"), "--capture", str(file)) as (process, address):
        wire = open_wire(address)
        wire.write(b"ID\n")
        heard(device.wire, 3)
        device.wire.write(b"thermometer\n")
        heard(wire, 12)
        wire.close()
        process.stdin.write("quit\n")
        process.stdin.flush()
        status = process.wait(WITHIN_S)

    assert status == 0
    said = [(entry.mark, entry.data) for entry in read_capture(file).entries if entry.mark != "="]
    assert said == [(">", b"ID"), ("<", b"thermometer")]


@pytest.mark.parametrize(
    ("switches", "to_device", "to_host", "due"),
    [
        ((), b"ab", b"ab", 0.0),
        (("--damage", "100%", "--lose"), b"", b"", 0.0),
        (("--damage", "1.0", "--double"), b"aabb", b"aabb", 0.0),
        (("--damage", "100%", "--double", "--ways", "to-device"), b"aabb", b"ab", 0.0),
        (("--damage", "100%", "--lose", "--ways", "to-host"), b"ab", b"", 0.0),
        (("--stall",), b"ab", b"ab", 0.3),
        (("--stall", "500"), b"ab", b"ab", 0.5),
    ],
)
def test_each_switch_begins_its_trouble(
    switches: tuple[str, ...], to_device: bytes, to_host: bytes, due: float
) -> None:
    """Each switch of the proxy has its effect on the bytes to the device and on those to the host."""
    line = Line.seeded(1)
    begun(line, parser().parse_args(["proxy", "port", "--pty", "link", *switches]), 0.0)
    for way in (line.down, line.up):
        way.put(b"ab", 0.0)
    first = min(line.due, 1.0) if to_device or to_host else 0.0

    assert (line.down.take(due), line.up.take(due)) == (to_device, to_host)
    assert first == due


def test_a_delay_is_no_longer_than_it_says() -> None:
    """The proxy with --delay 300 delays each portion by up to 300 ms, chosen with the seed."""
    line = Line.seeded(1)
    begun(line, parser().parse_args(["proxy", "port", "--pty", "link", "--delay", "300"]), 0.0)
    line.up.put(b"ab", 0.0)

    assert 0.0 < line.due <= 0.3
    assert line.up.take(0.3) == b"ab"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("proxy", "/dev/none"), "No device at /dev/none: is it plugged in?"),
        (("proxy", "moon:x"), "'moon:x' is no device: choose a port's path, a URL such as *"),
        (("proxy", "process:true"), '`process:` needs a command with {pty} in it, as in "process:./device {pty}".'),
        (("proxy", "port", "--lose"), "--lose needs --damage."),
        (("proxy", "port", "--double"), "--double needs --damage."),
        (("replay", "talk.log"), "talk.log has no line from the device or to it, so there is nothing to replay."),
    ],
)
def test_what_can_do_nothing_is_one_sentence(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    words: tuple[str, ...],
    sentence: str,
) -> None:
    """A missing or unknown device, a switch without its share, and an empty capture are one sentence and status 1."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "talk.log").write_text("# rungs capture 1, test, started now, port loop\n1.000 = opened loop\n")

    status = main([*words, "--pty", str(tmp_path / "port")])

    assert status == 1
    assert fnmatchcase(capsys.readouterr().err, f"rungs {words[0]}: {sentence}\n")


@pytest.mark.parametrize(
    ("switch", "sentence"),
    [
        (("--tcp", "nowhere"), "argument --tcp: an address HOST:PORT, not 'nowhere'"),
        (("--pty", "none/port"), "argument --pty: a file in a folder that exists, not 'none/port'"),
    ],
)
def test_a_switch_that_is_wrong_is_one_sentence(
    capsys: pytest.CaptureFixture[str], switch: tuple[str, str], sentence: str
) -> None:
    """A wrong value of a switch is refused with the switch's name and the expected kind of value."""
    with pytest.raises(SystemExit):
        main(["proxy", "port", *switch])

    assert capsys.readouterr().err.endswith(f"{sentence}\n")


def test_a_capture_is_shown_and_written_for_wireshark(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`rungs show` prints a capture, writes it as a pcap file, and gives one sentence for a missing file."""
    file = tmp_path / "talk.log"
    file.write_text("# rungs capture 1, test, started now, port loop\n1.000 > ID\n")

    assert main(["show", str(file)]) == 0
    assert capsys.readouterr().out == "loop, started now\n       1.000 > ID\n"
    assert main(["show", str(file), "--pcap", str(tmp_path / "talk.pcap")]) == 0
    assert (tmp_path / "talk.pcap").stat().st_size == 44
    assert main(["show", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err.startswith("rungs show: ")


def test_shares_and_times_are_read_as_written() -> None:
    """In an order 0.2% is 0.002 and 300 is 0.3 s; a wrong order is refused with a sentence."""
    assert (share("0.2%"), share("0.002"), milliseconds("300")) == (0.002, 0.002, 0.3)
    for order in ("spoil much", "delay long", "spoil 1% 2%", "spoil 300%", "stall 500 1%", "break 1%"):
        with pytest.raises(BadOrder):
            Orders(Line.seeded(1)).obey(order, 0.0)


def test_a_terminal_without_a_program_can_be_told_from_one_with(tmp_path: Path) -> None:
    """A released terminal is lost while no program has it open, and closing it removes its link."""
    terminal = Terminal(tmp_path / "port")
    terminal.release()
    before = terminal.opened
    wire = open_wire(str(tmp_path / "port"))
    meanwhile = terminal.opened
    wire.close()

    with pytest.raises(WireLost, match="gone"):
        terminal.wire.read(0.0)
    terminal.close()
    assert (before, meanwhile, (tmp_path / "port").is_symlink()) == (False, True, False)
