"""The diagnostics: recorded lines, facts and versions; limited in size, and nothing secret."""

from __future__ import annotations

import json
from pathlib import Path

from firmware_bridge import open_ring
from firmware_bridge.capture.files import captures
from firmware_bridge.client.ring import bundle
from firmware_bridge.simulation.physics.world import IDEAL


def capture(folder: Path, number: int, lines: int) -> None:
    """Write a capture with *lines* lines."""
    folder.mkdir(exist_ok=True)
    rows = [f"{n:12.3f} < line {n} of {number}\n" for n in range(lines)]
    (folder / f"ring-{number:06}.log").write_text("# ring capture 1, first line\n" + "".join(rows))


def test_facts_are_json_whatever_they_are(tmp_path):
    """Facts of any type become JSON: dataclasses, uncopyable mappings and paths."""
    files = bundle(None, {"world": IDEAL, "path": tmp_path, "none": None})

    facts = json.loads(files["facts.json"])
    assert facts["world"]["edge_mm"] == 8.0
    assert facts["none"] is None
    assert json.loads(files["versions.json"])["python"]


def test_the_newest_captures_come_first_and_fit(tmp_path):
    """The newest captures are included up to the limit; the last one is cut at its beginning, after its first line."""
    for number in (1, 2, 3):
        capture(tmp_path, number, 100)
    size = (tmp_path / "ring-000003.log").stat().st_size

    files = bundle(tmp_path, {}, most=size + 200)

    assert set(files) == {"facts.json", "versions.json", "captures/ring-000003.log", "captures/ring-000002.log"}
    cut = files["captures/ring-000002.log"].decode().splitlines()
    assert cut[0] == "# ring capture 1, first line"
    assert cut[-1].endswith("line 99 of 2")
    assert len("\n".join(cut)) <= 200
    assert all(len(line.split()) == 6 for line in cut[1:])


def test_a_capture_that_cannot_be_read_is_named(tmp_path):
    """An unreadable capture is listed with the reason, and the others are included."""
    capture(tmp_path, 1, 3)
    (tmp_path / "ring-000002.log").mkdir()

    files = bundle(tmp_path, {})

    assert files["captures/ring-000002.log.unreadable"]
    assert "captures/ring-000001.log" in files


def test_a_ring_packs_its_newest_lines(listener, tmp_path):
    """A ring's diagnostics have hello, view, world and the newest lines."""
    ring = open_ring("mock:?seed=1", listener, captures=tmp_path)
    listener.until(lambda: ring.view.round_trip_ms is not None)
    files = ring.instrument.bundle()
    ring.close()

    name = captures(tmp_path)[0].name
    assert b"$hello" in files[f"captures/{name}"]
    facts = json.loads(files["facts.json"])
    assert facts["world"]["white_counts"]
    assert facts["view"]["device"] == "virtual"
    assert facts["hello"]["simulated"] is True
    assert facts["capture"] == {"lost": 0}


def test_a_ring_without_captures_packs_what_it_knows(listener):
    """A ring without captures has only facts and versions."""
    ring = open_ring("mock:?seed=1", listener)
    files = ring.instrument.bundle()
    ring.close()

    assert set(files) == {"facts.json", "versions.json"}
