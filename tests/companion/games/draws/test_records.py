"""Complete games written by hand, with the final states worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.games.draws import GAME
from companion.model.game import Viewer
from companion.records import read_lines, replay

RECORDS = sorted((Path(__file__).parent / "records").glob("*.jsonl"))


@pytest.mark.parametrize("record", RECORDS, ids=lambda path: path.stem)
def test_a_record_leads_to_its_final_state(record):
    """Records: every line is legal, and the final state equals the one worked out by hand."""
    with record.open("rb") as stream:
        played = replay({GAME.name: GAME}, read_lines(stream))

    final = json.loads(record.with_suffix(".json").read_text(encoding="utf-8"))
    assert GAME.view(played.state, Viewer(owner=True)) == final


def test_there_are_a_dozen():
    """There are at least twelve records."""
    assert len(RECORDS) >= 12
