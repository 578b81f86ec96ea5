"""Whole games written by hand, with the final states that the text of the record gives them."""

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
    """Records: every line is legal, and the last one leaves what was written down by hand."""
    with record.open("rb") as stream:
        played = replay({GAME.name: GAME}, read_lines(stream))

    final = json.loads(record.with_suffix(".json").read_text(encoding="utf-8"))
    assert GAME.view(played.state, Viewer(owner=True)) == final


def test_there_are_a_dozen():
    """Records: a dozen, none lost."""
    assert len(RECORDS) >= 12
