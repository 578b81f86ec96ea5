"""Copy frozen values with some fields changed, faster than `dataclasses.replace`.

One copy of a game's state takes 4.0 us instead of 6.2 us for a class with slots, and 2.2 us instead of 10 us for a
class without slots (CPython 3.11, an x86 machine). This matters because every event of a game replaces a field, and a
start of the program folds all events.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    # Type checkers check the fields of the value only if the function is known as `dataclasses.replace`.
    from dataclasses import replace
else:

    def replace(value: Any, /, **changes: Any) -> Any:
        """Return a copy of *value* with *changes*. It must be a dataclass without keyword-only fields.

        This skips the lookups and checks that `dataclasses` did when the class was created. A value without slots is
        copied through its `__dict__`, so it must not cache anything there.
        """
        kind = type(value)
        copy = object.__new__(kind)
        if hasattr(value, "__dict__"):
            copy.__dict__.update(value.__dict__, **changes)
            if len(copy.__dict__) > len(value.__dict__):
                raise TypeError(f"{kind.__name__} has no {', '.join(changes.keys() - value.__dict__.keys())}")
            return copy
        for name in kind.__match_args__:
            object.__setattr__(copy, name, changes.pop(name) if name in changes else getattr(value, name))
        if changes:
            raise TypeError(f"{kind.__name__} has no {', '.join(changes)}")
        return copy


__all__ = ["replace"]
