"""In the place of the Pico's USB: bytes to and from the host, and the wait for whatever comes first."""

import outside


class Usb:
    """The serial line to the host."""

    def read(self):
        """Return what has come."""
        outside.look()
        return outside.fetch("u") if outside.waiting else b""

    def write(self, data):
        """Hand over *data*; return how many bytes were taken without waiting."""
        return outside.ask("w", 0, 0, data) if data else 0

    def rest(self, us, woken):
        """Wait until bytes come, *woken* says so, or *us* microseconds are over."""
        if outside.wanted:
            outside.measured()
        while us > 0 and not outside.waiting and not woken():
            us -= outside.rest(us, 1)
