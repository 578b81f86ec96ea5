"""The emulated board's only way out: questions to the end that holds the world, and the time that it lets pass.

Our clock counts what the board spends, and asks before it goes on to where
something may have changed. Answers bring the changes of pins, each with its
moment; an interrupt's code runs then, and sees that moment on the clock.
"""

import gc
import sys
from binascii import hexlify, unhexlify

import host
import micropython

MASK = (1 << 30) - 1  # of the counter; the greatest number that needs no place in memory
NOTHING = b""

# What a Pico's work takes, set so that a ping and passages are answered as late as by the real firmware on an emulated
# RP2040 (a ping after 17 ms, a slow passage 47 ms after its last edge): no single one of them was measured.
TURN_US = 1_500  # to go round once
HEARD_US = 1_500  # to understand a line of the host
TOLD_US = 1_500  # to write one

waiting = 0  # bytes that have come from the host
wanted = False  # the other end would like to know how full the memory is
levels = {}
ears = {}  # by pin: what is called with its new level and the moment of the change
_ticks = 0
_spent = 0  # microseconds since the last question
_allowed = 0  # microseconds that may be spent before the next: then a pin may change
_undisturbed = 0  # and before which no byte comes either
_moment = -1  # in an interrupt: when its cause was
_least_free = MASK
_fed = -1  # of the microseconds spent, when the watchdog was last fed


def now():
    """Return the counter of microseconds, which wraps; each look takes one of them."""
    if _moment >= 0:
        return _moment
    look()
    return after(_ticks, _spent)


def spend(us):
    """Let *us* pass while the board is at work; to be followed by a question, or by `look`."""
    global _spent
    _spent += us


def after(ticks, us):
    """Return what the counter reads *us* after it read *ticks*; no step on the way is a number that needs memory."""
    room = MASK - us
    return ticks + us if ticks <= room else ticks - room - 1


def look():
    """Look at something outside, which takes a microsecond; in an interrupt time stands still."""
    if _moment < 0:
        spend(1)
        if _spent > _allowed:
            ask("t")


def rest(us, for_bytes):
    """Wait for *us*, or until a pin changes or, if so wanted, bytes come; return how many have passed."""
    global _spent
    if us <= (_undisturbed if for_bytes else _allowed) - _spent:
        _spent += us
        return us
    return ask("r", us, for_bytes)


def fed():
    """Note that the watchdog was fed, and that a turn begins, which takes its time."""
    global _fed
    _fed = _spent
    spend(TURN_US)


def ask(verb, one=0, two=0, data=NOTHING, into=None):
    """Put one question, take in what has changed, and return the answer, a whole number; its bytes go *into* a buffer.

    May be asked while the heap is locked: what is allocated here is not the firmware's doing.
    """
    depth = _unlock()
    try:
        parts = host.ask(verb, _spent, _fed, one, two, hexlify(data).decode() if data else "").split(" ")
        result = int(parts[3])
        if into is not None and result >= 0:
            into[:] = unhexlify(parts[4])
        _take(parts, result if verb == "r" else 0)
    finally:
        _lock(depth)
    if result < 0:
        raise OSError(-result)
    return result


def fetch(verb, count):
    """Ask for so many bytes at most and return them."""
    parts = host.ask(verb, _spent, _fed, count, 0, "").split(" ")
    _take(parts, 0)
    return unhexlify(parts[4])


def _take(parts, passed):
    """Go on by the answer's word: so much may be spent, so many bytes wait, and these pins have changed."""
    global waiting, wanted, _allowed, _undisturbed, _ticks, _spent, _fed, _moment
    _ticks = after(after(_ticks, _spent), passed)
    _spent = 0
    _fed = -1
    _allowed = int(parts[0])
    _undisturbed = int(parts[1])
    waiting = int(parts[2])
    for part in parts[5:]:
        if part == "m":
            wanted = True
            continue
        pin = part[0]
        levels[pin] = int(part[1])
        ear = ears.get(pin)
        if ear is not None:
            _moment = int(part[2:])
            ear(levels[pin], _moment)
            _moment = -1


def rested():
    """Note what the memory is like, as the board has time; clear it up and tell, if that is wanted."""
    global wanted, _least_free
    if _least_free == MASK:
        gc.collect()  # a start leaves much behind, which a full heap would clear up by itself
    _least_free = min(_least_free, gc.mem_free())
    if wanted:
        wanted = False
        gc.collect()
        ask("m", gc.mem_alloc(), _least_free)


def begin():
    """Say that the board has started; learn why, what it is called, its chip, and what its watchdog has kept."""
    global _ticks, cause, reason, name, CHIP, scratch
    parts = host.ask("b", 0, -1, 0, 0, "").split(" ")
    _ticks = int(parts[3])
    for part in parts[6:]:
        levels[part[0]] = int(part[1])
    told = parts[5].split(",")
    cause, reason, CHIP, name = int(told[0]), int(told[1]), told[2], unhexlify(parts[4])
    scratch = [int(word) for word in told[3:]]
    sys.modules["sys"] = Named()


class Implementation:
    """What MicroPython says of itself."""

    def __init__(self):
        self.name = "micropython"
        self.version = sys.implementation.version
        self._machine = "an emulated board with " + CHIP


class Named:
    """Stands for `sys`, and says which chip the board has."""

    def __init__(self):
        self.implementation = Implementation()

    def __getattr__(self, name):
        return getattr(sys, name)


def _unlock():
    """Unlock the heap however often it was locked; return how often."""
    micropython.heap_lock()
    depth = 0
    while micropython.heap_unlock():
        depth += 1
    return depth


def _lock(depth):
    for _ in range(depth):
        micropython.heap_lock()


begin()
