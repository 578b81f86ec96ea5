"""The data folder: what lies in it under which name, and how it comes to be."""

from __future__ import annotations

from pathlib import Path

from companion.app.exit_codes import BadUse

LEDGER, SERVICE, TOKEN, CAPTURES = "ledger.sqlite", "service.json", "token", "captures"
CONSOLE = "console.toml"


def make_folder(data: Path) -> Path:
    """Return *data*, made where it was missing, or raise `BadUse`."""
    try:
        data.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise BadUse(f"--data: {data} cannot be made: {fault.strerror}") from None
    return data
