"""Write a game as one self-contained replay page. No service is needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from flask import g

from companion.app.data_folder import LEDGER
from companion.app.exit_codes import BadUse
from companion.app.ledger_access import table_of
from companion.app.named_file import write_output
from companion.app.progress import measuring
from companion.kernel.errors import Refused
from companion.ledger import Ledger
from companion.session.hidden import SeenTimeline
from companion.session.timeline import Begin
from web import HostPin, make_app
from web.components.replay_steps import begun
from web.games.registry import COVERS
from web.pages.replay_file import replay_file


def write_page(path: str | Path, timeline: Callable[[Begin], SeenTimeline], language: str) -> int:
    """Write the page of a game to *path* and return its size in bytes.

    *timeline* is called with a function that begins a timeline, and returns the game's timeline. Raises `BadUse` or
    `Failed` if the file cannot be written, and `BadUse` if the game is too long for one page.
    """
    # The application needs keys and a ledger, but it never uses these.
    with TemporaryDirectory(prefix="ring-companion-") as aside:
        ledger = Ledger.open(Path(aside) / LEDGER)
        try:
            app = make_app(table_of(ledger), None, COVERS, HostPin(Path(aside)))
            asked = app.test_request_context("/", headers={"Accept-Language": language})
            with asked, measuring("Making the page", "steps") as g.progress:
                page = replay_file(timeline(begun))
        except Refused as fault:
            raise BadUse(fault.reason) from None
        finally:
            ledger.close()
    write_output(path, page)
    return len(page.encode())
