"""Bytes to and from the host over the board's USB, as they are: no byte of a damaged line is a key of the prompt.

MicroPython tells whether any byte would be taken, not how many, and waits when
it is fewer than were handed over: half a second, and that up to three times
(1.25, on an emulated chip). A host that has stopped reading costs that much
once, until it reads again; edges are caught meanwhile all the same, frames
are not. Some versions go on saying that there is room when nothing is taken
any more.

While the port is closed MicroPython takes all, and forgets the oldest. A host
that falls asleep with its port open is worse: the bytes have nowhere to go, and
some versions try for ever. So nothing is written once its frames have ended,
of which it sends one each millisecond.
"""

import sys
from select import POLLIN, POLLOUT, poll
from time import ticks_diff, ticks_us

from machine import idle, mem32
from micropython import kbd_intr

from ring.chip import FRAMES

PORTION = 64  # what USB carries in one go
MOST = 256  # read in one turn
NO_KEY = -1
FRAME_NUMBER = 0x7FF
FRAME_US = 2_500  # in so long there is one
FRESH_US = 20_000  # a host that sent one so lately is awake


def frame_number():
    """Return the number of the host's last frame."""
    return mem32[FRAMES] & FRAME_NUMBER


class Usb:
    """The host's end of the cable. From now on Ctrl-C is a byte like any other."""

    def __init__(self, frame=frame_number):
        kbd_intr(NO_KEY)
        self._frame = frame
        self._last = frame()
        self._counts = False  # until their number has changed nothing is known by it
        self._asleep = False
        self._moved = ticks_us()
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
        while done < len(data) and self._awake() and _ready(self._out):
            taken = sys.stdout.buffer.write(data[done : done + PORTION])
            if not taken:
                break
            done += taken
        return done

    def _awake(self) -> bool:
        """Tell whether the host has sent a frame just now; while it never has, nothing is known of it."""
        if not self._counts:
            self._counts = self._frame() != self._last
            return True
        begun = ticks_us()
        if not self._asleep and ticks_diff(begun, self._moved) < FRESH_US:
            return True
        number = self._frame()
        self._asleep = True
        while self._asleep and ticks_diff(ticks_us(), begun) < FRAME_US:
            self._asleep = self._frame() == number
        self._moved = ticks_us()
        return not self._asleep

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
