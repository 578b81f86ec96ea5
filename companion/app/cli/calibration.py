"""Calibrations at the command line: kept with their copy, written to files and read from them."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from companion.app.cli.running_service import neighbour
from companion.app.data_folder import LEDGER
from companion.app.exit_codes import FINE, BadUse, Failed
from companion.games.registry import GAMES
from companion.kernel.validation import Line
from companion.ledger import Kind, Ledger, LedgerFault
from companion.model.game import with_ring
from companion.model.snapshot import Who
from companion.session.boxes import Copy
from companion.session.table import Table

OUR_COPY = "Our copy"
AT_THE_KEYBOARD = Who("script", "calibrate")
MOST = 1000
"""So many calibrations are looked through for the one that is wanted."""


def run_calibration_export(args: Namespace) -> int:
    """Write the newest calibration that fits to *args.file*."""
    found = [line for line in _kept(args.data) if _fits(line, args)]
    if not found:
        raise Failed("no such calibration is kept" if args.copy or args.device else "no calibration is kept yet")
    write_line(args.file, found[-1])
    return FINE


def alone(data: Path, page: str) -> None:
    """Refuse to open beside a running service what only one may hold: it has a *page* for the same."""
    service = neighbour(data)
    if service is not None:
        raise Failed(f"the service is running and has the ring: go to {service.url}{page}, or stop the service first")


def colours_of(table: Table, copy: str) -> tuple[str, ...]:
    """Return the colours of the *copy* of that name, or else those of most boxes."""
    known = next((each.colours for each in table.copies() if each.name == copy), None)
    return tuple(known) if known else with_ring(GAMES)[1].colours


def keep_line(table: Table, line: Line, colours: Sequence[str]) -> None:
    """Keep a calibration, and the copy that it names where the table has none of that name."""
    copy = str(line["copy"])
    table.keep_calibration(line, AT_THE_KEYBOARD)
    if copy not in {each.name for each in table.copies()}:
        table.keep_copy(Copy(copy, with_ring(GAMES)[0], None, {each: each for each in colours}), AT_THE_KEYBOARD)
    print(f"Kept: the calibration of “{copy}”, made {line['made']} by the ring {line['device']}.")


def bring(line: Line) -> bytes:
    """Return what a running service is asked to take a calibration in."""
    return json.dumps({"deed": "bring", "calibration": line}).encode()


def read_line(file: str) -> Any:
    """Return the JSON in *file*, or raise `BadUse`."""
    try:
        return json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as fault:
        raise BadUse(f"{file} cannot be read: {fault.strerror}") from None
    except (ValueError, RecursionError):
        raise BadUse(f"{file}: this is no JSON") from None


def write_line(file: str, line: Line) -> None:
    """Write *line* to *file*, or raise `Failed`."""
    try:
        Path(file).write_text(json.dumps(line, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as fault:
        raise Failed(f"{file} cannot be written: {fault.strerror}") from None
    print(f"Written to {file}.")


def today() -> str:
    """Return the date and time, ISO 8601 in UTC."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def say(sentence: str) -> None:
    """Print what there is to say."""
    if sentence:
        print(sentence, flush=True)


def _fits(line: Line, args: Namespace) -> bool:
    wanted = {"copy": args.copy, "device": args.device}
    return all(line.get(name) == value for name, value in wanted.items() if value)


def _kept(data: Path) -> list[Line]:
    path = data / LEDGER
    if not path.is_file():
        raise BadUse(f"there is no ledger in {data} yet")
    try:
        ledger = Ledger.read_only(path)
        try:
            return [row.body for row in ledger.outside(Kind.CALIBRATION, MOST, [])]
        finally:
            ledger.close()
    except LedgerFault as fault:
        raise Failed(str(fault)) from None
