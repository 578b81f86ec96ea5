"""The file of a calibration: one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.app.exit_codes import BadUse, Failed
from companion.kernel.atomic_file import write_whole

Line = Mapping[str, Any]


def read_line(file: str) -> Any:
    """Return the JSON in *file*, or raise `BadUse`."""
    try:
        return json.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as fault:
        raise BadUse(f"{file} can't be read: {fault.strerror}") from None
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
