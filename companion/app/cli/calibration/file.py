"""The file of a calibration: one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.app.exit_codes import BadUse, unreadable
from companion.app.output_file import remarks, write_output

Line = Mapping[str, Any]


def read_line(file: str) -> Any:
    """Return the JSON in *file*, or raise `BadUse`."""
    try:
        return json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as fault:
        raise unreadable(file, fault) from None
    except (ValueError, RecursionError):
        raise BadUse(f"{file}: not JSON") from None


def write_line(file: str, line: Line) -> None:
    """Write *line* to *file* (`-`: standard output) and say so; raises as `write_output` does."""
    write_output(file, json.dumps(line, ensure_ascii=False) + "\n")
    print(f"Written to {file}.", file=remarks(file))
