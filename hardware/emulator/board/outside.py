"""The emulated board's connection to the simulation: requests, their answers, and simulated time.

The board counts the microseconds that it spends. It must ask the simulation before it goes past the time of the next
possible change. An answer lists the pins that changed, each with its time; the interrupt handlers then run, and while
they run the clock shows the time of the change.
"""

import gc
import sys
from binascii import hexlify, unhexlify

import host
import micropython

MASK = (1 << 30) - 1  # of the counter; the largest int that is not allocated on the heap
NOTHING = b""

# How long a Pico takes for its work. The three values were not measured separately. Together they give the same delays
# as the real firmware on an emulated RP2040: a ping is answered after 17 ms, a slow passage 47 ms after its last edge.
TURN_US = 1_500  # one turn of the main loop
HEARD_US = 1_500  # to parse a line from the host
TOLD_US = 1_500  # to write a line

waiting = 0  # bytes that have arrived from the host
wanted = False  # the simulation wants a report about the memory in use
levels = {}
ears = {}  # by pin: the callback for its new level and the time of the change
_ticks = 0
_spent = 0  # microseconds since the last request
_allowed = 0  # microseconds that may be spent before the next request, until a pin may change
_undisturbed = 0  # the same, until a pin may change or a byte may arrive
_moment = -1  # in an interrupt handler: the time of its cause; otherwise -1
_least_free = MASK
_fed = -1  # value of `_spent` when the watchdog was last fed, or -1


def now():
    """Return the counter of microseconds, which wraps at 30 bits; each call takes one microsecond."""
    if _moment >= 0:
        return _moment
    look()
    return after(_ticks, _spent)


def spend(us):
    """Let *us* microseconds of work pass. A request or `look` must follow."""
    global _spent
    _spent += us


def after(ticks, us):
    """Return the counter *us* microseconds after *ticks*, without any intermediate value that needs allocation."""
    room = MASK - us
    return ticks + us if ticks <= room else ticks - room - 1


def look():
    """Spend a microsecond, and ask for changes if one may be due; in an interrupt handler, time does not pass."""
    if _moment < 0:
        spend(1)
        if _spent > _allowed:
            ask("t")


def rest(us, for_bytes):
    """Wait for *us* microseconds, or until a pin changes or (if *for_bytes*) bytes arrive; return how many passed."""
    global _spent
    if us <= (_undisturbed if for_bytes else _allowed) - _spent:
        _spent += us
        return us
    return ask("r", us, for_bytes)


def fed():
    """Record that the watchdog was fed, and spend the time of a turn of the main loop."""
    global _fed
    _fed = _spent
    spend(TURN_US)


def ask(verb, one=0, two=0, data=NOTHING, into=None):
    """Send a request, apply the changes in its answer, write the answer's bytes to the buffer *into*, and return its
    number.

    Raise OSError if the number is negative. May be called while the heap is locked, because these allocations are
    the emulator's, not the firmware's.
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
    """Request at most *count* bytes and return them."""
    parts = host.ask(verb, _spent, _fed, count, 0, "").split(" ")
    _take(parts, 0)
    return unhexlify(parts[4])


def _take(parts, passed):
    """Apply an answer: the time that may be spent, the number of waiting bytes, and the pins that changed."""
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
    """Record the free memory while the board is idle; collect garbage and report, if the simulation asked for it."""
    global wanted, _least_free
    if _least_free == MASK:
        gc.collect()  # a start leaves much garbage, which would count as memory in use
    _least_free = min(_least_free, gc.mem_free())
    if wanted:
        wanted = False
        gc.collect()
        ask("m", gc.mem_alloc(), _least_free)


def begin():
    """Announce the start to the simulation; its answer has the cause, the board's id, its chip and its registers."""
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
    """A replacement for `sys.implementation` that names the emulated chip."""

    def __init__(self):
        self.name = "micropython"
        self.version = sys.implementation.version
        self._machine = "an emulated board with " + CHIP


class Named:
    """A replacement for `sys` with another `implementation`."""

    def __init__(self):
        self.implementation = Implementation()

    def __getattr__(self, name):
        return getattr(sys, name)


def _unlock():
    """Unlock the heap completely; return how many locks it had."""
    micropython.heap_lock()
    depth = 0
    while micropython.heap_unlock():
        depth += 1
    return depth


def _lock(depth):
    for _ in range(depth):
        micropython.heap_lock()


begin()
