"""Takes the sensor's references while the shutter is closed: one frame per turn of the main loop, without blocking."""

from .controller import Controller
from .hal import Hal
from .passage_report import SUM
from .sensor import Sensor
from .sensor_driver import FRAME_BYTES

SETTLING = 2  # frames to skip after the lamp was switched
ROUTINE_US = 5_000_000  # the greatest age of white and dark while the gate is closed
PATIENCE_US = 100_000  # some twenty frames; a sensor without a frame for this long is considered missing
RETRY_US = 1_000_000
NOTHING = (0, 0, 0, 0)


class ReferenceCapture:
    """Takes references, ordered ones first, and detects a missing sensor."""

    def __init__(self, hal: Hal, sensor: Sensor, controller: Controller) -> None:
        self._hal = hal
        self._sensor = sensor
        self._controller = controller
        self._frame = bytearray(FRAME_BYTES)
        self._ordered: list[str] = []
        self._what = ""
        self._by_order = False
        self._white = NOTHING
        self._sum = NOTHING
        self._most = 0  # the highest count in one frame of the white
        self._left = 0
        self._again = False  # the references were implausible and are being taken again
        self._since_us = 0
        self._next_us = 0
        self._find()

    @property
    def busy(self) -> bool:
        """True while a reference is being taken."""
        return bool(self._what)

    def order(self, what: str) -> None:
        """Queue one reference. If it is already queued, it is taken only once."""
        if what not in self._ordered:
            self._ordered.append(what)

    def fresh_wanted(self) -> None:
        """Measure white and dark again as soon as possible. Called after the gate was moved."""
        self._next_us = 0

    def missed(self) -> None:
        """Check whether the sensor still answers. Called after a passage without any frame."""
        if self._controller.sensing and not self._sensor.chip.works():
            self._lose()

    def abandon(self) -> None:
        """Stop the present measurement, because a cube comes or the gate opens.

        If it was ordered, it is queued again.
        """
        if self._what:
            if self._by_order and self._what not in self._ordered:
                self._ordered.insert(0, self._what)
            self._what = ""
            self._again = False
            self._hal.lamp(True)

    def turn(self, now_us: int, closed: bool) -> None:
        """Continue the present measurement or begin the next. White and dark need a closed shutter (*closed*)."""
        if self._what:
            self._look(now_us, closed)
        elif not self._controller.sensing:
            self._retry(now_us)
        elif self._ordered and not self._hal.blocked():
            self._begin(self._ordered.pop(0), True, now_us)
        elif closed and now_us >= self._next_us:
            self._begin("white", False, now_us)

    def due_us(self, closed: bool) -> int:
        """Return the time at which `turn` will have something to begin, or -1 for never."""
        if self._ordered and self._controller.sensing:
            return 0
        return self._next_us if closed or not self._controller.sensing else -1

    def _begin(self, what: str, by_order: bool, now_us: int) -> None:
        self._what = what
        self._by_order = by_order
        if what == "white":
            self._most = 0
        self._hal.lamp(what != "dark")
        self._sum = NOTHING
        self._left = SETTLING + SUM
        self._wait(now_us)

    def _wait(self, now_us: int) -> None:
        """Wait for the next frame."""
        self._since_us = now_us
        self._hal.stale()
        try:
            self._sensor.chip.clear()
        except OSError:
            self._lose()

    def _look(self, now_us: int, closed: bool) -> None:
        if not closed and not self._by_order:
            self.abandon()
        elif self._hal.fresh() >= 0:
            self._take(now_us)
        elif now_us - self._since_us > PATIENCE_US:
            self._lose()

    def _take(self, now_us: int) -> None:
        try:
            self._sensor.chip.read_into(self._frame)
        except OSError:
            self._lose()
            return
        self._left -= 1
        if self._left < SUM:
            r, g, b, c = self._sensor.chip.counts(self._frame)
            self._sum = (self._sum[0] + r, self._sum[1] + g, self._sum[2] + b, self._sum[3] + c)
            if self._what == "white":
                self._most = max(self._most, r, g, b, c)
        if self._left:
            self._wait(now_us)
        else:
            self._finish(now_us)

    def _finish(self, now_us: int) -> None:
        what, self._what = self._what, ""
        self._hal.lamp(True)
        if self._by_order:
            self._controller.looked(what, self._sum, now_us)
            if what == "black":
                self._keep_black()
        elif what == "white":
            self._white = self._sum
            self._begin("dark", False, now_us)
        elif self._follows():
            self._amplify(now_us)
        elif not self._again and self._controller.doubts(self._white, self._sum):
            self._again = True
            self._begin("white", False, now_us)
        else:
            self._again = False
            self._next_us = now_us + ROUTINE_US
            self._controller.refreshed(self._white, self._sum, now_us)

    def _follows(self) -> bool:
        """Adjust the gain to the white just taken. Return whether the gain has changed."""
        gain = self._sensor.gain
        if self._controller.outshone(self._white, self._sum):
            return False
        was, settled = gain.now, gain.settled
        if not gain.follow(self._most):
            if not settled:
                self._hal.keep("gain", self._sensor.marked((gain.now,)))
            return False
        self._controller.amplified(was, gain.now)
        self._keep_black()
        return True

    def _amplify(self, now_us: int) -> None:
        """Apply the new gain, and take white and dark with it."""
        try:
            self._sensor.amplify()
        except OSError:
            self._lose()
        else:
            self._begin("white", False, now_us)

    def _keep_black(self) -> None:
        """Store the black reference so that it survives restarts, and the black card need not be shown again."""
        black = self._controller.references.get("black")
        if black:
            r, g, b, c = black
            self._hal.keep("black", self._sensor.marked((r, g, b, c, self._sensor.gain.now)))

    def _lose(self) -> None:
        """Mark the sensor as missing. Passages are reported without colours until it answers again."""
        self.abandon()
        self._controller.sensing = False
        self._next_us = 0

    def _retry(self, now_us: int) -> None:
        if now_us >= self._next_us:
            self._find()
            self._next_us = 0 if self._controller.sensing else now_us + RETRY_US

    def _find(self) -> None:
        self._controller.sensing = self._sensor.begin()
        self._controller.chip = self._sensor.kind
