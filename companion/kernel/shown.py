"""What a debugger or a log shows of an object that changes: its name and the few attributes that say how it stands.

Frozen values show all of themselves; for an object that changes, the class names what matters. What is secret (a PIN, a
token, a seed) is never named.
"""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import Any, TypeVar

Kind = TypeVar("Kind", bound=type)
LONGEST = 60
"""Characters of one attribute."""


def shows(*names: str) -> Callable[[Kind], Kind]:
    """Return a decorator that gives a class a `__repr__` which shows these attributes.

    Of a list, a set or a dictionary its length is shown; an underscore before
    a name is left out; what isn't there yet is a question mark.

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

        kind.__repr__ = __repr__  # type: ignore[method-assign, assignment]  # every class has one to be replaced
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
