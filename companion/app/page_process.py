"""The process that renders slow pages: its command, its environment, and its main function.

It is a separate Python process, so that rendering does not block the interpreter of the table. It runs with a lower
priority than the service.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

NICE = 5
_STDIN, _STDOUT = 0, 1


def command_for(data: Path) -> tuple[str, ...]:
    """Return the command of the process that renders pages of the ledger in *data*."""
    # -P: import nothing from the working directory.
    return (sys.executable, "-P", "-m", __name__, str(data))


def environment() -> Mapping[str, str]:
    """Return the environment of the process. It includes the module path of this process."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def main() -> None:
    """Render pages until the service closes the pipe."""
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the service, which then ends this process
    work_fd, result_fd = os.dup(_STDIN), os.dup(_STDOUT)
    os.dup2(sys.stderr.fileno(), _STDOUT)  # printed output must not get into the pipe with the results
    from companion.app.page_maker import PageMaker

    PageMaker(Path(sys.argv[1]), work_fd, result_fd).serve()


if __name__ == "__main__":
    main()
