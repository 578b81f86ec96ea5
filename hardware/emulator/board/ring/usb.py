"""Replaces the Pico's USB: bytes to and from the host, and waiting for the next event."""

import outside

PORTION = 256  # bytes read in one turn, as on a board; also limits a request, which is built in the board's memory


class Usb:
    """The serial line to the host."""

    def read(self):
        """Return the bytes that have arrived."""
        outside.look()
        if not outside.waiting:
            return b""
        data = outside.fetch("u", PORTION)
        outside.spend(outside.HEARD_US * data.count(b"\n"))
        return data

    def write(self, data):
        """Send *data*; return how many bytes were accepted without waiting."""
        taken = 0
        outside.spend(outside.TOLD_US * data.count(b"\n"))
        while taken < len(data):
            portion = data[taken : taken + PORTION]
            count = outside.ask("w", 0, 0, portion)
            taken += count
            if count < len(portion):
                break
        return taken

    def rest(self, us, woken):
        """Wait until bytes arrive, *woken* returns True, or *us* microseconds are over."""
        outside.rested()
        while us > 0 and not outside.waiting and not woken():
            us -= outside.rest(us, 1)
