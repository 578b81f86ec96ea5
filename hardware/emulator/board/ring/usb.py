"""In the place of the Pico's USB: bytes to and from the host, and the wait for whatever comes first."""

import outside

PORTION = 256  # read in one turn, as on a board; and a question is put together in the board's own memory


class Usb:
    """The serial line to the host."""

    def read(self):
        """Return what has come."""
        outside.look()
        if not outside.waiting:
            return b""
        data = outside.fetch("u", PORTION)
        outside.spend(outside.HEARD_US * data.count(b"\n"))
        return data

    def write(self, data):
        """Hand over *data*; return how many bytes were taken without waiting."""
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
        """Wait until bytes come, *woken* says so, or *us* microseconds are over."""
        outside.rested()
        while us > 0 and not outside.waiting and not woken():
            us -= outside.rest(us, 1)
