"""Captures sensor frames while a beam is blocked, into preallocated buffers: nothing is allocated during a passage."""

from .hal import Hal
from .sensor import Sensor
from .sensor_driver import FRAME_BYTES, half_us

STRETCH_US = 60_000  # how long to capture before handling bytes from the host
PLACES = 16  # more than there are frames in a stretch


class FrameCapture:
    """Captures the frames of one stretch of a passage: `count` frames in `frames`, with their end times in `ends`."""

    def __init__(self, hal: Hal, sensor: Sensor) -> None:
        self.count = 0
        self.frames = [bytearray(FRAME_BYTES) for _ in range(PLACES + 1)]  # one more, for a frame that does not fit
        self.ends = [0] * PLACES
        self.failed = False
        self._hal = hal
        self._sensor = sensor

    def stretch(self, sensing: bool) -> None:
        """Capture frames until both beams are free, for `STRETCH_US` at most.

        Set `failed` if the sensor does not answer.

        It continues for a moment after the beams are free, because the last frame of a fast cube ends only then.
        """
        self.count = 0
        self.failed = not sensing
        hal = self._hal
        half = half_us(self._sensor.kind)
        begun = last = now = hal.ticks()
        hal.lock()
        try:
            self._clear()
            while (now - last) & hal.mask <= half and (now - begun) & hal.mask < STRETCH_US:
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
        """Return the counter value in the middle of frame *n*."""
        return (self.ends[n] - half_us(self._sensor.kind)) & self._hal.mask

    def _catch(self, at: int) -> None:
        """Read the frame that ended at *at*.

        If we are so late that the sensor already returns the next frame, discard it.
        """
        try:
            self._sensor.chip.read_into(self.frames[self.count])
        except OSError:
            self.failed = True
            return
        if (self._hal.ticks() - at) & self._hal.mask < self._sensor.chip.SHORTEST_FRAME_US and self.count < PLACES:
            self.ends[self.count] = at
            self.count += 1
        self._clear()

    def _clear(self) -> None:
        if self.failed:
            return
        self._hal.stale()
        try:
            self._sensor.chip.clear()
        except OSError:
            self.failed = True
