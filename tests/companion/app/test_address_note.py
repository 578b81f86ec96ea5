"""The file with the service's address, for other commands: if the card was full, it is written when there is room."""

from __future__ import annotations

import json
import os
from pathlib import Path

from companion.app.address_note import AddressNote
from companion.kernel.supervisor import Supervisor


def test_the_note_waits_for_room(tmp_path: Path) -> None:
    """If the address note can't be written, one message says so, and a later attempt writes it."""
    texts: list[str] = []
    path = tmp_path / "later" / "service.json"
    note = AddressNote(path, texts.append, Supervisor())
    note.put("http://127.0.0.1:8000")
    note.again()
    path.parent.mkdir()

    note.again()

    assert texts == [f"{path} can't be written yet: No such file or directory"]
    assert json.loads(path.read_text()) == {"url": "http://127.0.0.1:8000", "pid": os.getpid()}
    note.take_away()
    assert not path.exists()


def test_a_note_that_is_written_is_written_once(tmp_path: Path) -> None:
    """If the address note is deleted while the service runs, it is not written again."""
    texts: list[str] = []
    note = AddressNote(tmp_path / "service.json", texts.append, Supervisor())
    note.put("http://127.0.0.1:8000")
    (tmp_path / "service.json").unlink()

    note.again()
    note.take_away()

    assert not list(tmp_path.iterdir())
    assert texts == []
