"""For a port that collects garbage only between two calls from outside (WebAssembly): each turn is such a call.

`main.py` is run as it is, up to where its loop begins to turn; from then on
`turn` does what that loop does. A turn that fails goes back into the
firmware's own `run`, for what that does about it.
"""

import gc
import os
import sys

import outside


class LoopBegun(BaseException):
    """The firmware's loop would begin to turn now."""


class Memory:
    """Stands for `gc`, so that what is collected a moment later seems to be collected at once."""

    def __init__(self):
        self.clean = gc.mem_alloc()
        self.most = 0
        self._asked = False
        self._measuring = False

    def collect(self):
        """Have garbage collected before the next turn."""
        gc.collect()
        self._asked = True

    def mem_alloc(self):
        """Return how many bytes are in use."""
        return self.clean if self._asked else gc.mem_alloc()

    def mem_free(self):
        """Return how many bytes of a board's heap are not in use."""
        return HEAP - self.mem_alloc()

    def turned(self):
        """Note what the memory is like, a turn being over; whatever was to be collected has been."""
        alloc = gc.mem_alloc()
        self.most = max(self.most, alloc)
        if self._asked:
            self._asked = False
            self.clean = alloc
        if self._measuring:
            self._measuring = outside.wanted = False
            outside.ask("m", alloc, max(HEAP - self.most, 0))

    def rested(self):
        """Have the memory measured after the next collection, if that is wanted."""
        if outside.wanted and not self._measuring:
            self.collect()
            self._measuring = True


HEAP = 160 * 1024
memory = Memory()
outside.rested = memory.rested
sys.modules["gc"] = memory
os.urandom = lambda count: outside.fetch("e", count)  # this port has none

from ring import starting  # noqa: E402  # it is to find our `gc`

_loop = None


def begin():
    """Start as a board does, as far as its first turn; a firmware that left for the prompt has nothing to turn."""
    global _loop
    starting.begin = _halted(starting.begin)
    try:
        import main  # noqa: F401
    except LoopBegun as begun:
        _loop = begun.args[0]
    else:
        outside.ask("q")


def turn():
    """Do one turn."""
    memory.turned()
    try:
        _loop.turn()
    except Exception as fault:
        starting.failed(fault)


def _halted(begin):
    def halted(watchdog):
        raise LoopBegun(begin(watchdog))

    return halted
