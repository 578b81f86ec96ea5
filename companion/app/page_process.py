"""The process that makes pages which take long: how it is started, and what it does first.

It is a Python of its own, so that no page shares the interpreter with the
table, and it has a lower priority than all else of the companion.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

NICE = 5
_TOLD, _SAID = 0, 1


def command_for(data: Path) -> tuple[str, ...]:
    """Return the command of the process that makes pages of the ledger in *data*."""
    # Nothing is imported from the folder that it happens to start in.
    return (sys.executable, "-P", "-m", __name__, str(data))


def environment() -> Mapping[str, str]:
    """Return its environment: it finds the same modules, wherever this program was told of them."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def main() -> None:
    """Make what is asked for until the service that asks has gone."""
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is the service's, which ends us
    told, said = os.dup(_TOLD), os.dup(_SAID)
    os.dup2(sys.stderr.fileno(), _SAID)  # whatever prints must not print into a frame
    from companion.app.page_maker import PageMaker

    PageMaker(Path(sys.argv[1]), told, said).serve()


if __name__ == "__main__":
    main()
