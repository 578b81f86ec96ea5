"""`companion ring`: the output of its commands, and their errors."""

from __future__ import annotations

import json
import signal

import pytest


def test_info_prints_what_a_ring_says_of_itself(ring_command, tmp_path):
    """Through a pseudo-terminal, `ring info` prints the ring's device and protocol, and that it is simulated."""
    ring_command("mock", "--pty", tmp_path / "ring").stdout.readline()

    info = ring_command("info", "--ring", tmp_path / "ring")
    out, _ = info.communicate(timeout=60)

    assert info.returncode == 0
    facts = dict(line.split(":", 1) for line in out.splitlines())
    assert facts["device"].strip() == "virtual"
    assert facts["simulated"].strip() == "yes"
    assert facts["protocol"].strip() == "1"


def test_watch_prints_events_and_ends_when_asked(ring_command, tmp_path):
    """`ring watch` prints one line per event, with the colour; SIGINT ends it with status 0."""
    (tmp_path / "script").write_text('{"load": {"red": 1}}\n{"slide": 1}')
    ring_command("mock", "--pty", tmp_path / "ring", "--script", tmp_path / "script").stdout.readline()
    watch = ring_command("watch", "--ring", tmp_path / "ring")
    lines = iter(watch.stdout.readline, "")

    assert any("out red" in line for line in lines)
    watch.send_signal(signal.SIGINT)
    assert watch.wait(60) == 0


def test_watch_ends_when_nobody_reads_what_it_prints(ring_command, tmp_path):
    """`ring watch | head -1` exits when its output is closed."""
    (tmp_path / "script").write_text('{"load": {"red": 9}}\n{"slide": 1}\n{"wait_ms": 300}\n{"slide": 8}')
    ring_command("mock", "--pty", tmp_path / "ring", "--script", tmp_path / "script").stdout.readline()
    watch = ring_command("watch", "--ring", tmp_path / "ring")
    assert watch.stdout.readline()

    watch.stdout.close()

    assert watch.wait(60) == 0


def test_list_prints_something_in_any_case(ring_command):
    """`ring list` prints a line even if there is no serial port."""
    listing = ring_command("list")
    out, _ = listing.communicate(timeout=60)

    assert listing.returncode == 0
    assert out.strip()


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("info", "--ring", "gpio:?a=99"), 2, "a is a number from 0 to 27"),
        (("info", "--ring", "/no/such/port"), 1, "is it plugged in?"),
        (("watch", "--ring", "mock:?seed=x"), 2, "seed"),
        (("watch", "--ring", "none"), 2, "nothing to watch"),
        (("mock", "--pty", "ring", "--world", "/no/such"), 2, "/no/such"),
        (("mock", "--pty", "ring", "--script", "/no/such"), 2, "/no/such"),
        (("mock", "--pty", "ring", "--truth", "/no/such/truth"), 2, "/no/such/truth"),
        (("mock", "--pty", "ring", "--damage", "2"), 2, "--damage"),
        (("mock", "--pty", "/no/such/folder/ring"), 2, "/no/such/folder/ring"),
        (("judge", "/no/such"), 2, "/no/such"),
        (("judge", "/dev/zero"), 2, "line 1: not the start of a capture"),
        (("check", "--ring", "none"), 2, "no ring, so there is nothing to check"),
        (("check", "--ring", "capture:/no/such"), 2, "/no/such"),
        (("check", "--ring", "/no/such/port"), 1, "is it plugged in?"),
        (("check", "--ring", "mock:", "--calibration", "/no/such"), 2, "/no/such"),
    ],
)
def test_what_cannot_be_meant_gives_one_line_and_a_status(ring_command, arguments, status, says):
    """Errors print one line on standard error; the status is 2 for bad input and 1 for a failure."""
    process = ring_command(*arguments)
    _, error = process.communicate(timeout=60)

    assert process.returncode == status
    assert says in error
    assert error.count("\n") == 1


def test_check_measures_a_ring_and_writes_a_page(ring_command, tmp_path):
    """Through a pseudo-terminal, `ring check` passes all checks, prints JSON and writes a page.

    Checks of durations are left out: they fail on a busy machine.
    """
    ring_command("mock", "--pty", tmp_path / "ring", "--seed", 1).stdout.readline()

    check = ring_command("check", "--ring", tmp_path / "ring", "--json", "--html", tmp_path / "page.html")
    out, _ = check.communicate(timeout=60)

    broken = [each for each in json.loads(out)["results"] if not each["passed"]]
    assert [each for each in broken if each["unit"] != "ms"] == []
    assert check.returncode == (1 if broken else 0)
    assert "<svg" in (tmp_path / "page.html").read_text()


def test_check_fails_where_nobody_answers(ring_command):
    """On `loop://`, which only echoes, `ring check` fails its first check and exits with status 1."""
    check = ring_command("check", "--ring", "loop://")
    out, _ = check.communicate(timeout=60)

    assert check.returncode == 1
    assert "FAIL  answers a greeting" in out


def test_a_file_is_never_replaced_by_a_terminal(ring_command, tmp_path):
    """`ring mock --pty` replaces an earlier link at its path, but never a file."""
    (tmp_path / "ring").write_text("mine")
    process = ring_command("mock", "--pty", tmp_path / "ring")
    _, error = process.communicate(timeout=60)

    assert process.returncode == 2
    assert "a link" in error
    assert (tmp_path / "ring").read_text() == "mine"


def test_a_virtual_ring_takes_its_link_away_when_it_ends(ring_command, tmp_path):
    """After SIGTERM, `ring mock` removes its link and exits with status 0."""
    process = ring_command("mock", "--pty", tmp_path / "ring")
    process.stdout.readline()
    assert (tmp_path / "ring").is_symlink()

    process.terminate()

    assert process.wait(60) == 0
    assert not (tmp_path / "ring").is_symlink()
