"""The file of a calibration: one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.app.exit_codes import BadUse, Failed
from companion.kernel.atomic_file import write_whole
from companion.kernel.errors import Malformed
from companion.kernel.text_file import read_text
from companion.kernel.validation import finite, no_number

Line = Mapping[str, Any]


def read_line(file: str) -> Any:
    """Return the JSON in *file*, or raise `BadUse`."""
    try:
        return json.loads(read_text(Path(file)), parse_constant=no_number, parse_float=finite)
    except OSError as fault:
        raise BadUse(f"{file} can't be read: {fault.strerror}") from None
    except Malformed as fault:
        raise BadUse(f"{file}: {fault.reason}") from None
    except (ValueError, RecursionError):
        raise BadUse(f"{file}: not JSON") from None


def write_line(file: str, line: Line) -> None:
    """Write *line* to *file* and say so, or raise `Failed`."""
    path, text = Path(file), json.dumps(line, ensure_ascii=False) + "\n"
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")  # a terminal, a pipe: not to be replaced by a file
        else:
            write_whole(path.resolve(), text)
    except OSError as fault:
        raise Failed(f"{file} can't be written: {fault.strerror}") from None
    print(f"Written to {file}.")
