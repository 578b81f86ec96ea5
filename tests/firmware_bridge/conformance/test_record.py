"""The record of the suite: a page for each ring whose promises were tried, whatever else lies in the folder."""

from __future__ import annotations

import json
from pathlib import Path

from tests.hil.record import RungRecord, write


def test_figures_beside_a_record_are_no_ring(tmp_path: Path) -> None:
    """Figures of a chip and the image that it ran lie beside the record of its promises, and have no page."""
    (tmp_path / "figures.json").write_text(json.dumps({"passages": 500}), encoding="utf-8")

    write(tmp_path, [RungRecord("chip")], "today")

    assert {path.name for path in tmp_path.glob("*.html")} == {"chip.html", "index.html"}
