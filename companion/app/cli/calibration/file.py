"""The file of a calibration: one line of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from companion.app.exit_codes import BadUse, unreadable
from companion.app.named_file import opened, remarks, write_output
from companion.kernel.errors import Malformed
from companion.kernel.text_file import LARGEST, text_from
from companion.kernel.validation import finite, no_number

Line = Mapping[str, Any]


def read_line(file: str) -> Any:
    """Return the JSON in *file* (`-`: standard input), or raise `BadUse` or `Failed`."""
    try:
        with opened(file) as stream:
            text = text_from(stream.read(LARGEST + 1))
        return json.loads(text, parse_constant=no_number, parse_float=finite)
    except OSError as fault:
        raise unreadable(file, fault) from None
    except Malformed as fault:
        raise BadUse(f"{file}: {fault.reason}") from None
    except (ValueError, RecursionError):
        raise BadUse(f"{file}: not JSON") from None


def write_line(file: str, line: Line) -> None:
    """Write *line* to *file* (`-`: standard output) and say so; raises as `write_output` does."""
    write_output(file, json.dumps(line, ensure_ascii=False) + "\n")
    print(f"Written to {file}.", file=remarks(file))
