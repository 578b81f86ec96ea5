"""Looking at a ring takes no events from it."""

from __future__ import annotations

from firmware_bridge import look_at, open_ring


def test_a_look_takes_nothing_from_a_ring(ring_command, tmp_path, listener):
    """After a look, the events are still there for a game."""
    (tmp_path / "script").write_text('{"load": {"red": 1}}\n{"slide": 1}')
    ring_command("mock", "--pty", tmp_path / "ring", "--script", tmp_path / "script").stdout.readline()
    well, sentence = look_at(str(tmp_path / "ring"))

    ring = open_ring(str(tmp_path / "ring"), listener)
    listener.until(lambda: len(listener.passages()) == 1)
    ring.close()
    assert well
    assert sentence.startswith("A simulated ring answers at")
