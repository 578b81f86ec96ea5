"""Who may change the program itself."""

from __future__ import annotations

import os

from companion.app.exit_codes import BadUse


def only_root(command: str) -> None:
    """Raise `BadUse` unless root runs *command*."""
    if os.geteuid() != 0:
        raise BadUse(f"only root can change the program: sudo companion {command}")
