"""A `__repr__` for mutable objects: the class name and the few attributes that describe the state.

Frozen values show all their fields; for a mutable object the class lists the important ones. Secrets (a PIN, a token, a
seed) are never listed.
"""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import Any, TypeVar

Kind = TypeVar("Kind", bound=type)
LONGEST = 60
"""The maximum length of one attribute, in characters."""


def shows(*names: str) -> Callable[[Kind], Kind]:
    """Return a class decorator that adds a `__repr__` with these attributes.

    A list, a set or a dictionary is shown by its length. A leading underscore is omitted. A missing attribute is shown
    as a question mark.

    >>> @shows("_queue", "closed")
    ... class Printer:
    ...     def __init__(self) -> None:
    ...         self._queue, self.closed = ["a page"], False
    >>> Printer()
    <Printer queue=1 closed=False>
    """

    def decorate(kind: Kind) -> Kind:
        def __repr__(self: Any) -> str:  # noqa: N807 - it is the class's own
            shown = (f"{name.lstrip('_')}={_short(self, name)}" for name in names)
            return f"<{' '.join((type(self).__name__, *shown))}>"

        kind.__repr__ = __repr__  # type: ignore[method-assign, assignment]  # replaces the inherited one
        return kind

    return decorate


def _short(owner: object, name: str) -> str:
    value = getattr(owner, name, ...)
    if value is ...:
        return "?"
    if isinstance(value, Sized) and not isinstance(value, str | bytes):
        return str(len(value))
    text = repr(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
