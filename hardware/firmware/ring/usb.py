"""Bytes to and from the host over the board's USB, as they are: no byte of a damaged line is a key of the prompt.

MicroPython tells whether any byte would be taken, not how many, and waits when
it is fewer than were handed over: half a second, and that up to three times
(1.25, on an emulated chip). A host that has stopped reading costs that much
once, until it reads again; edges are caught meanwhile all the same, frames
are not. Some versions go on saying that there is room when nothing is taken
any more.
"""

import sys
from select import POLLIN, POLLOUT, poll
from time import ticks_diff, ticks_us

from machine import idle
from micropython import kbd_intr

PORTION = 64  # what USB carries in one go
MOST = 256  # read in one turn
NO_KEY = -1


class Usb:
    """The host's end of the cable. From now on Ctrl-C is a byte like any other."""

    def __init__(self) -> None:
        kbd_intr(NO_KEY)
        self._one = bytearray(1)
        self._room = bytearray(MOST)
        self._into = poll()
        self._into.register(sys.stdin, POLLIN)
        self._out = poll()
        self._out.register(sys.stdout, POLLOUT)

    def read(self) -> bytes:
        """Return what has come, without waiting."""
        # Names of its own and nothing allocated: a ping is forty bytes, and each takes its time.
        one, room, waiting, take = self._one, self._room, self._into.ipoll, sys.stdin.buffer.readinto
        found = 0
        while found < MOST:
            for _ in waiting(0):
                break
            else:
                break
            take(one)
            room[found] = one[0]
            found += 1
        return bytes(room[:found])

    def write(self, data: bytes) -> int:
        """Hand over as much of *data* as can be without waiting; return how many bytes."""
        done = 0
        while done < len(data) and _ready(self._out):
            taken = sys.stdout.buffer.write(data[done : done + PORTION])
            if not taken:
                break
            done += taken
        return done

    def rest(self, us, woken):
        """Wait until bytes come, *woken* says so, or *us* microseconds are over."""
        begun = ticks_us()
        while not woken() and not _ready(self._into) and ticks_diff(ticks_us(), begun) < us:
            idle()


def _ready(waiting: poll) -> bool:
    """Tell whether what is polled is ready now."""
    for _ in waiting.ipoll(0):  # a generator would have to be allocated each time
        return True
    return False
