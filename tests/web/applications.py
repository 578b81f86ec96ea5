"""A pool of Flask applications that test servers reuse, so that a process parses its routes and templates only once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from flask import Flask

from companion.ports.ring import RingPort
from companion.session.table import Table
from web import HostPin, make_app
from web.request.game_pages import GameCover

Kind = tuple[Path, ...]
_LENT: list[tuple[Kind, Flask, dict[str, Any]]] = []
_FREE: defaultdict[Kind, list[Flask]] = defaultdict(list)


def lent_app(
    table: Table,
    ring: RingPort | None,
    covers: Mapping[str, GameCover],
    access: HostPin,
    now: Callable[[], float] = monotonic,
    testing: bool = False,
    **more: Any,
) -> Flask:
    """Like `make_app`, but with a free application from the pool; *testing* is Flask's flag."""
    kind = tuple(each.folder for each in covers.values())
    application = _FREE[kind].pop() if _FREE[kind] else None
    app = make_app(table, ring, covers, access, now, application=application, **more)
    app.testing = testing
    _LENT.append((kind, app, dict(app.config)))
    return app


@contextmanager
def given_back() -> Iterator[None]:
    """Return all applications borrowed inside this context to the pool, except those whose settings were changed."""
    before = len(_LENT)
    yield
    for kind, app, settings in _LENT[before:]:
        if app.config == settings:
            _FREE[kind].append(app)
    del _LENT[before:]
