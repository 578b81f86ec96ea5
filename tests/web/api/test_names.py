"""Field names in the API: other people's programs read them, so renaming a field in the code must not change them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

from companion.ports.calibration import InstrumentView
from companion.ports.ring import RingView
from companion.session.time_report import Spell
from web.pages.calibration_files import CalibrationFile

SENT = (RingView, InstrumentView, Spell, CalibrationFile)
"""The classes whose values `web/http/to_json.py` writes out for an address."""
NAMES = {
    "RingView": "state port device firmware protocol simulated obeys armed gate_open lifted last_passage_at "
    "round_trip_ms lines_in damaged repeated lost reconnects trouble news",
    "InstrumentView": "calibration wizard uncalibrated draws last passages faults settings swallowed",
    "CalibrationView": "id device copy made colours dots closest right passes white_now advice",
    "Dot": "colour x y light",
    "Near": "one other distance refused advice",
    "Wizard": "stage copy colours colour references counts wanted least dots read last confusion near trouble",
    "Reference": "name counts",
    "LastPassage": "kind colour why frames white black dark edges length",
    "Spell": "step seats mark ms by_seat",
    "CalibrationFile": "copy made device colours passes in_force",
}


def test_no_rename_changes_what_programs_read() -> None:
    """API: the fields of every value that an address sends, nested ones included, have their published names."""
    assert {each.__name__: " ".join(get_type_hints(each)) for sent in SENT for each in _inside(sent)} == NAMES


def _inside(hint: Any) -> Iterator[type]:
    ours = isinstance(hint, type) and hint.__module__.startswith(("companion.", "web.")) and not issubclass(hint, str)
    if ours:
        yield hint
    for more in (*(get_type_hints(hint).values() if ours else ()), *get_args(hint)):
        yield from _inside(more)
