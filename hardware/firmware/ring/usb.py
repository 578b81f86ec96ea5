"""Raw bytes to and from the host over the board's USB.

MicroPython tells whether the port would take any byte, but not how many. If fewer bytes than given can be sent,
`write` waits for half a second, up to three times (1.25 seconds on an emulated chip). A host that stops
reading costs this time once, until it reads again. Edges are still recorded meanwhile, but frames of the
sensor are not. Some versions of MicroPython keep saying that there is room although nothing is accepted any
more.

While the port is closed, MicroPython accepts everything and discards the oldest bytes. A host that goes to sleep with
its port open is worse: the bytes cannot be sent, and some versions of MicroPython try for ever. The host sends a start
of frame each millisecond, so `write` sends nothing once the frames have stopped.
"""

import sys
from select import POLLIN, POLLOUT, poll
from time import ticks_diff, ticks_us

from machine import idle, mem32
from micropython import kbd_intr

from ring.chip import FRAMES

PORTION = 64  # the bytes that USB carries in one packet
MOST = 256  # bytes read in one turn
NO_KEY = -1
FRAME_NUMBER = 0x7FF
FRAME_US = 2_500  # within this time an awake host sends a frame
FRESH_US = 20_000  # a host whose last frame is younger is awake


def frame_number():
    """Return the number of the host's last start of frame."""
    return mem32[FRAMES] & FRAME_NUMBER


class Usb:
    """The serial line to the host. Ctrl-C becomes an ordinary byte, so a damaged line cannot interrupt the firmware."""

    def __init__(self, frame=frame_number):
        kbd_intr(NO_KEY)
        self._frame = frame
        self._last = frame()
        self._counts = False  # False until the frame number has changed once; until then the number proves nothing
        self._asleep = False
        self._moved = ticks_us()
        self._one = bytearray(1)
        self._room = bytearray(MOST)
        self._into = poll()
        self._into.register(sys.stdin, POLLIN)
        self._out = poll()
        self._out.register(sys.stdout, POLLOUT)

    def read(self) -> bytes:
        """Return the bytes that have arrived, without waiting."""
        # Local names and no allocation, because this loop runs once per byte and a ping has forty bytes.
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
        """Send as much of *data* as the port accepts without waiting; return the number of bytes."""
        done = 0
        while done < len(data) and self._awake() and _ready(self._out):
            taken = sys.stdout.buffer.write(data[done : done + PORTION])
            if not taken:
                break
            done += taken
        return done

    def _awake(self) -> bool:
        """Return True if the host has sent a frame just now, or has never sent one, because that proves nothing."""
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
        """Wait until bytes arrive, *woken* returns True, or *us* microseconds are over."""
        begun = ticks_us()
        while not woken() and not _ready(self._into) and ticks_diff(ticks_us(), begun) < us:
            idle()


def _ready(waiting: poll) -> bool:
    """Return whether the polled stream is ready now."""
    for _ in waiting.ipoll(0):  # any() would allocate a generator each time
        return True
    return False
