"""Runs the firmware turn by turn, for the WebAssembly port, which collects garbage only between two calls.

`main.py` runs unchanged until its loop would begin. From then on each call of `turn` does one turn of that
loop. If a turn raises, the firmware's own `failed` handles the exception.
"""

import gc
import os
import sys

import outside


class LoopBegun(BaseException):
    """Raised when the firmware's loop would begin; its argument is the loop."""


class Memory:
    """A replacement for `gc` that reports memory as if a delayed collection had been done at once."""

    def __init__(self):
        self.clean = gc.mem_alloc()
        self.most = 0
        self._asked = False
        self._measuring = False

    def collect(self):
        """Request a collection, which happens before the next turn."""
        gc.collect()
        self._asked = True

    def mem_alloc(self):
        """Return how many bytes are in use, as of the last collection if another one is pending."""
        return self.clean if self._asked else gc.mem_alloc()

    def mem_free(self):
        """Return how many bytes of a board's heap are free."""
        return HEAP - self.mem_alloc()

    def turned(self):
        """Record the memory in use after a turn; a requested collection has been done by now."""
        alloc = gc.mem_alloc()
        self.most = max(self.most, alloc)
        if self._asked:
            self._asked = False
            self.clean = alloc
        if self._measuring:
            self._measuring = outside.wanted = False
            outside.ask("m", alloc, max(HEAP - self.most, 0))

    def rested(self):
        """Measure the memory after the next collection, if the simulation asked for it."""
        if outside.wanted and not self._measuring:
            self.collect()
            self._measuring = True


HEAP = 160 * 1024
memory = Memory()
outside.rested = memory.rested
sys.modules["gc"] = memory
os.urandom = lambda count: outside.fetch("e", count)  # this port has no urandom

from ring import starting  # noqa: E402  # must import the `gc` above

_loop = None


def begin():
    """Run `main.py` up to its loop. If the firmware returns to the REPL instead, tell the simulation to stop."""
    global _loop
    starting.begin = _halted(starting.begin)
    try:
        import main  # noqa: F401
    except LoopBegun as begun:
        _loop = begun.args[0]
    else:
        outside.ask("q")


def turn():
    """Do one turn of the firmware's loop."""
    memory.turned()
    try:
        _loop.turn()
    except Exception as fault:
        starting.failed(fault)


def _halted(begin):
    def halted(watchdog):
        raise LoopBegun(begin(watchdog))

    return halted
