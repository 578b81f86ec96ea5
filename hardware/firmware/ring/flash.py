"""What outlives a start: the count of starts, a wish for the prompt, and what went wrong last."""

import os
import sys

COUNT = "boot.count"
CRASH = "crash.txt"
MOST_STARTS = 1 << 24


def boot_name() -> tuple[str, bool]:
    """Return a name for this start, unlike any other, and whether the flash could count it.

    Twelve hexadecimal digits: the number of the start, and lots for boards
    whose flash was wiped.
    """
    count, counted = _next()
    lots = os.urandom(3)
    return f"{count:06x}{lots[0]:02x}{lots[1]:02x}{lots[2]:02x}", counted


def asked(name: str) -> bool:
    """Tell whether the file *name* is there, and take it away: it counts once."""
    try:
        os.remove(name)
    except OSError:
        return False
    return True


def keep_crash(crash: BaseException, name: str = CRASH) -> None:
    """Write down what went wrong, for whoever looks."""
    try:
        with open(name, "w") as file:
            sys.print_exception(crash, file)
    except OSError:
        sys.print_exception(crash)  # a full flash: the prompt's screen is all there is


def crashed() -> bool:
    """Tell whether the last run ended badly; what is known of it lies in crash.old from now on."""
    try:
        os.rename(CRASH, "crash.old")
    except OSError:
        return False
    return True


def keep(what: str, numbers: tuple[int, ...]) -> None:
    """Keep a reference or the sensor's gain for the starts to come; a full flash keeps none: it is found anew."""
    try:
        with open(what + ".new", "w") as file:
            file.write(",".join([str(number) for number in numbers]))
        os.rename(what + ".new", what)
    except OSError:
        return


def stored(what: str) -> tuple[int, ...]:
    """Return what an earlier start has kept, nothing when there is none."""
    try:
        with open(what) as file:
            return tuple([int(number) for number in file.read().split(",")])
    except (OSError, ValueError):
        return ()


def _next() -> tuple[int, bool]:
    """Count this start; a plug pulled while it is written leaves the old count."""
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
