"""Frozen dataclasses whose methods are written when the first value is made, not when the module is imported.

The standard library compiles six methods for each class at once; with two
hundred kinds of events, commands and views that was a third of the time until
a first page, most of it for values that no page makes: to import what the first page of a game takes costs 0.68 s of
processor with this module and 1.03 s with the standard library (CPython 3.11, an x86 machine). What is made is in all
respects what `dataclasses.dataclass(frozen=True)` makes, and to type checkers
it is nothing else. Only `dataclasses.fields` has to be asked of a value or of
a class that has one: before, its fields are no more than annotations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses
    from threading import RLock

    _WRITING = RLock()
    _WAITING: set[type] = set()
    _KEPT = ("__init__", "__setattr__", "__delattr__", "__dict__", "__weakref__")

    def dataclass(*, frozen):
        """Have the class below written when its first value is made."""
        assert frozen, "only what never changes can wait"
        return _waiting

    def _waiting(cls):
        def __init__(self, *arguments, **named):  # noqa: N807 - it is the class's own until that is written
            _write(cls)
            self.__init__(*arguments, **named)

        cls.__init__ = __init__
        cls.__setattr__, cls.__delattr__ = _refused, _not_deleted
        _WAITING.add(cls)
        return cls

    def _write(cls):
        """Write the methods of *cls*; another thread's value is made with all of them, or waits."""
        with _WRITING:
            for base in reversed(cls.__mro__):
                if base in _WAITING:
                    _take_over(base, dataclasses.dataclass(frozen=True)(_twin(base)))
                    _WAITING.remove(base)

    def _twin(cls):
        """Return *cls* as it was declared: on itself the methods could not be written unseen by other threads."""
        declared = {name: value for name, value in vars(cls).items() if name not in _KEPT}
        return type(cls)(cls.__name__, cls.__bases__, declared)

    def _take_over(cls, written):
        for name in vars(cls).keys() - vars(written).keys() - set(_KEPT):
            delattr(cls, name)  # a default that each value makes for itself is no attribute of the class
        for name, value in vars(written).items():
            if name not in _KEPT and vars(cls).get(name) is not value:
                setattr(cls, name, value)
        cls.__init__ = written.__init__  # last: from here on nobody waits

    def _refused(self, name, value):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def _not_deleted(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


__all__ = ["dataclass"]
