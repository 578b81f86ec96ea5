"""Log bugs of the program with their whole traceback. A failure of the log itself never raises an exception."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec

Arguments = ParamSpec("Arguments")


def log_fault(sentence: str, fault: BaseException) -> str:
    """Log *sentence* with the traceback of *fault*. Return "", or the type of the error if logging failed."""
    from logging import getLogger  # imported late: a start without a bug needs no log

    try:
        getLogger("companion").error(sentence, exc_info=fault)
    except Exception as second:  # for example a full disk, a closed stream, or a character that it cannot write
        with suppress(Exception):
            print(f"companion: {sentence} (not logged: {second!r})", file=sys.stderr, flush=True)  # noqa: T201
        return type(second).__name__
    return ""


def logged(callback: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """Wrap *callback* so that its exceptions are logged, for callbacks that threads of other libraries call."""

    def guarded(*arguments: Arguments.args, **named: Arguments.kwargs) -> None:
        try:
            callback(*arguments, **named)
        except Exception as fault:
            log_fault(f"a callback failed: {fault!r}", fault)

    return guarded
