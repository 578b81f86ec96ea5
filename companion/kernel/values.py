"""Frozen dataclasses whose methods are generated when the first value is created, not when the module is imported.

The standard library compiles six methods for each class during the import. For two hundred kinds of events, commands
and views this took a third of the time from the start to the first page, and most of these classes were not used for
that page. Importing the modules of the first page takes 0.68 s of processor time with this module and 1.03 s with the
standard library (CPython 3.11, an x86 machine).

The result behaves like `dataclasses.dataclass(frozen=True)`, and type checkers see that decorator. There is one
difference: `dataclasses.fields` works only on a value, or on a class of which a value has been created.
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
    _UNCOPIED = ("__init__", "__setattr__", "__delattr__", "__dict__", "__weakref__")

    def dataclass(*, frozen):
        """Generate the methods of the decorated class when its first value is created."""
        assert frozen, "only what never changes can wait"
        return _waiting

    def _waiting(cls):
        def __init__(self, *arguments, **named):  # noqa: N807 - a stand-in until the real one is generated
            _write(cls)
            self.__init__(*arguments, **named)

        cls.__init__ = __init__
        cls.__setattr__, cls.__delattr__ = _refused, _not_deleted
        _WAITING.add(cls)
        return cls

    def _write(cls):
        """Generate the methods of *cls* under a lock, so that other threads wait until all of them exist."""
        with _WRITING:
            for base in reversed(cls.__mro__):
                if base in _WAITING:
                    _take_over(base, dataclasses.dataclass(frozen=True)(_twin(base)))
                    _WAITING.remove(base)

    def _twin(cls):
        """Return a copy of *cls* as it was before this decorator changed it.

        Generating the methods on *cls* itself would be visible to other threads.
        """
        declared = {name: value for name, value in vars(cls).items() if name not in _UNCOPIED}
        return type(cls)(cls.__name__, cls.__bases__, declared)

    def _take_over(cls, written):
        for name in vars(cls).keys() - vars(written).keys() - set(_UNCOPIED):
            delattr(cls, name)  # a field with a default_factory is not an attribute of the class
        for name, value in vars(written).items():
            if name not in _UNCOPIED and vars(cls).get(name) is not value:
                setattr(cls, name, value)
        cls.__init__ = written.__init__  # This comes last, because other threads no longer wait after it.

    def _refused(self, name, value):
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")

    def _not_deleted(self, name):
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


__all__ = ["dataclass"]
