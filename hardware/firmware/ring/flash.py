"""Files in the board's flash: the count of starts, the request for the REPL, the last crash, and stored numbers."""

import os
import sys

COUNT = "boot.count"
CRASH = "crash.txt"
MOST_STARTS = 1 << 24


def boot_name() -> tuple[str, bool]:
    """Return a name for this start, different from every other start, and whether the count could be written to flash.

    The name is twelve hexadecimal digits: six for the number of the start and six random ones, which tell starts
    apart after the flash was erased.
    """
    count, counted = _next()
    lots = os.urandom(3)
    return f"{count:06x}{lots[0]:02x}{lots[1]:02x}{lots[2]:02x}", counted


def asked(name: str) -> bool:
    """Return whether the file *name* exists, and delete it, so that it counts only once."""
    try:
        os.remove(name)
    except OSError:
        return False
    return True


def keep_crash(crash: BaseException, name: str = CRASH) -> None:
    """Write the traceback of *crash* to the file *name*, or print it if the flash is full."""
    try:
        with open(name, "w") as file:
            sys.print_exception(crash, file)
    except OSError:
        sys.print_exception(crash)  # visible only to somebody connected to the REPL


def crashed() -> bool:
    """Return whether the last run ended with an exception; its traceback is moved to crash.old."""
    try:
        os.rename(CRASH, "crash.old")
    except OSError:
        return False
    return True


def keep(what: str, numbers: tuple[int, ...]) -> None:
    """Store *numbers* (a reference or the sensor's gain) for later starts. If the flash is full, nothing is stored."""
    try:
        with open(what + ".new", "w") as file:
            file.write(",".join([str(number) for number in numbers]))
        os.rename(what + ".new", what)
    except OSError:
        return


def stored(what: str) -> tuple[int, ...]:
    """Return the numbers that `keep` stored under *what*, or an empty tuple."""
    try:
        with open(what) as file:
            return tuple([int(number) for number in file.read().split(",")])
    except (OSError, ValueError):
        return ()


def _next() -> tuple[int, bool]:
    """Increment the count of starts. If power fails during the write, the file still has the old count."""
    try:
        with open(COUNT) as file:
            count = int(file.read())
    except (OSError, ValueError):
        count = 0
    count = (count + 1) % MOST_STARTS
    try:
        with open(COUNT + ".new", "w") as file:
            file.write(str(count))
        os.rename(COUNT + ".new", COUNT)
    except OSError:
        return int.from_bytes(os.urandom(3), "big"), False
    return count, True
