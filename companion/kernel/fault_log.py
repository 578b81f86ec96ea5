"""Log our own bugs with their whole traceback. A failure of the log itself never raises."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec

Arguments = ParamSpec("Arguments")


def log_fault(sentence: str, fault: BaseException) -> str:
    """Log *sentence* with the traceback of *fault*. Return "" on success, else the type of the logging error."""
    from logging import getLogger  # imported late: a start without a bug needs no log

    try:
        getLogger("companion").error(sentence, exc_info=fault)
    except Exception as second:  # a full disk, a closed stream, a character that it cannot write
        with suppress(Exception):
            print(f"companion: {sentence} (not logged: {second!r})", file=sys.stderr, flush=True)  # noqa: T201
        return type(second).__name__
    return ""


def logged(callback: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """Return *callback* in a form that logs its exceptions, for threads of other libraries."""

    def guarded(*arguments: Arguments.args, **named: Arguments.kwargs) -> None:
        try:
            callback(*arguments, **named)
        except Exception as fault:
            log_fault(f"a callback failed: {fault!r}", fault)

    return guarded
