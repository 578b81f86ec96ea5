"""Calibrations as files: list the stored ones of each copy, download one, upload one."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, abort, redirect, request
from werkzeug.wrappers import Response as BaseResponse

from companion.kernel.errors import Malformed, Refused
from companion.kernel.fields import Line
from companion.kernel.said import said
from companion.kernel.text_file import without_mark
from companion.kernel.values import dataclass
from companion.ports.calibration import BadCalibration
from web.commands.calibration import measure
from web.http.i18n import _, translated
from web.http.request_parsing import strict
from web.http.to_json import plain
from web.request.context import instrument_view, services, snapshot, who
from web.request.refusal import refused
from web.server.gateway import CALIBRATION_MOST

calibration_files = Blueprint("calibration_files", __name__)
PAGE = "/ring?show=calibrations"


@dataclass(frozen=True)
class CalibrationFile:
    """A stored calibration, as /api/v1/calibrations lists it. *in_force* says that the ring uses it now."""

    copy: str
    made: str
    device: str
    colours: tuple[str, ...]
    passes: int
    in_force: bool


def stored_calibrations() -> dict[str, Any]:
    """Return what a page shows of all stored calibrations, grouped by copy of the game."""
    rows = [(name, _newest_first(lines)) for name, lines in calibrations_by_copy().items()]
    newest = next((lines[0] for name, lines in rows if name == request.args.get("brought")), None)
    any_in_use = any(each.in_force for _name, lines in rows for each in lines)
    return {"shelf": rows, "current": snapshot().copy, "brought": newest, "in_force": any_in_use}


@calibration_files.get("/ring/calibration.json")
def take_away() -> Response:
    """Return one calibration as a file. The query fields *copy* and *made* (its time) select it."""
    copy, made = request.args.get("copy", ""), request.args.get("made", "")
    line = next(
        (each for each in reversed(services().table.archive.calibrations(copy)) if each.get("made") == made), None
    )
    if line is None:
        abort(404)
    response = Response(json.dumps(line, ensure_ascii=False) + "\n", mimetype="application/json")
    # A name that every file system accepts; the file contains the copy's real name.
    name = re.sub(r"[^A-Za-z0-9]+", "-", f"calibration {copy} {made[:10]}").strip("-")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


@calibration_files.post("/ring/calibrations")
def bring() -> BaseResponse:
    """Import an uploaded calibration. If it is wrong, show why; the present calibration then stays in use."""
    brought = request.files.get("file")
    try:
        if brought is None or not brought.filename:
            raise Malformed(said("choose a file first."))
        read = brought.read()
        measure(services(), "bring", {"calibration": read}, who())
    except (BadCalibration, Malformed, Refused) as fault:
        return refused(_("Nothing changed: %(why)s", why=translated(fault.reason)), PAGE)
    brought_for = strict(without_mark(read), CALIBRATION_MOST)["copy"]
    return redirect(f"{PAGE}&{urlencode({'brought': brought_for})}", 303)


def calibrations_by_copy() -> dict[str, tuple[Line, ...]]:
    """Return the stored calibrations by copy: first the copy in use, then the copies that were used last."""
    table = services().table
    names = dict.fromkeys([snapshot().copy, *(copy.name for copy in table.archive.copies())])
    found = {name: table.archive.calibrations(name) for name in names if name}
    return {name: lines for name, lines in found.items() if lines}


def calibration_file(line: Line) -> CalibrationFile:
    """Return the values of a stored calibration that pages show."""
    now = instrument_view().calibration
    passes = line.get("passes", ())
    colours = (str(each.get("colour", "")) for each in passes if isinstance(each, dict))
    copy, made, device = (str(line.get(name, "")) for name in ("copy", "made", "device"))
    in_force = now is not None and (now.copy, now.made, now.device) == (copy, made, device)
    return CalibrationFile(copy, made, device, tuple(dict.fromkeys(colours)), len(passes), in_force)


def listed_for_programs() -> list[dict[str, Any]]:
    """Return the stored calibrations as JSON, without the readings."""
    return [plain(each) for lines in calibrations_by_copy().values() for each in _newest_first(lines)]


def _newest_first(lines: Sequence[Line]) -> tuple[CalibrationFile, ...]:
    """Return a copy's calibrations, newest first.

    If the calibration in use was stored twice, only the newer copy is marked as in use.
    """
    shown = [calibration_file(line) for line in reversed(lines)]
    first = next((at for at, each in enumerate(shown) if each.in_force), None)
    return tuple(replace(each, in_force=at == first) for at, each in enumerate(shown))
