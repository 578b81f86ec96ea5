"""Frames caught while a beam is blocked, into places made beforehand: nothing is allocated while a cube passes."""

from .frame_filter import HALF_US
from .hal import Hal
from .tcs34725 import SHORTEST_FRAME_US, SIZE, Sensor

STRETCH_US = 60_000  # then the host is heard for a moment
PLACES = 16  # more than frames in a stretch


class FrameCapture:
    """Catches frames for one stretch of a passage; `count` of them are in `frames`, with the counter in `ends`."""

    def __init__(self, hal: Hal, sensor: Sensor) -> None:
        self.count = 0
        self.frames = [bytearray(SIZE) for _ in range(PLACES + 1)]  # the last one for what has no place
        self.ends = [0] * PLACES
        self.failed = False
        self._hal = hal
        self._sensor = sensor

    def stretch(self, sensing: bool) -> None:
        """Catch frames until both beams are free, or for `STRETCH_US`; `failed`: the sensor did not answer.

        The last frame of a fast cube ends just after it has left.
        """
        self.count = 0
        self.failed = not sensing
        hal = self._hal
        begun = last = now = hal.ticks()
        hal.lock()
        try:
            self._clear()
            while (now - last) & hal.mask <= HALF_US and (now - begun) & hal.mask < STRETCH_US:
                at = hal.fresh()
                if at < 0 or self.failed:
                    hal.pause()
                else:
                    self._catch(at)
                now = hal.ticks()
                if hal.blocked():
                    last = now
        finally:
            hal.unlock()

    def middle(self, n: int) -> int:
        """Return the counter in the middle of frame *n*."""
        return (self.ends[n] - HALF_US) & self._hal.mask

    def _catch(self, at: int) -> None:
        """Take the frame that ended at *at*, unless we come so late that it is another one already."""
        try:
            self._sensor.read_into(self.frames[self.count])
        except OSError:
            self.failed = True
            return
        if (self._hal.ticks() - at) & self._hal.mask < SHORTEST_FRAME_US and self.count < PLACES:
            self.ends[self.count] = at
            self.count += 1
        self._clear()

    def _clear(self) -> None:
        if self.failed:
            return
        self._hal.stale()
        try:
            self._sensor.clear()
        except OSError:
            self.failed = True
