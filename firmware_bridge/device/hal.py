"""The hardware abstraction of the main loop: pins, bus, counter and bytes. Each kind of board implements it."""


class Hal:
    """One board's hardware. Times are values of its microsecond counter, which has the bits of `mask`.

    Methods that are called during a passage must not allocate memory on a board; their docstrings say so.
    """

    mask = (1 << 30) - 1  # not more bits, because a board allocates memory for larger integers

    def ticks(self) -> int:
        """Return the counter; must not allocate."""
        raise NotImplementedError

    def blocked(self) -> bool:
        """Return whether a beam is blocked now; must not allocate."""
        raise NotImplementedError

    def fresh(self) -> int:
        """Return when the sensor signalled a complete frame, or -1 if it has not done so since `stale`; must not
        allocate.
        """
        raise NotImplementedError

    def stale(self) -> None:
        """Discard the sensor's signal; must not allocate."""
        raise NotImplementedError

    def pause(self) -> None:
        """Wait for a millisecond, or until something happens; must not allocate."""
        raise NotImplementedError

    def lock(self) -> None:
        """Forbid allocation until `unlock`."""

    def unlock(self) -> None:
        """Allow allocation again."""

    def edges(self) -> list[tuple[str, bool, int]]:
        """Return all edges of the beams since the last call, oldest first, as tuples (beam, blocked, counter value)."""
        raise NotImplementedError

    def level(self, beam: str) -> bool:
        """Return whether *beam* is blocked now."""
        raise NotImplementedError

    def gate_open(self) -> int:
        """Return 1 if the gate is open, or 0 if it is closed, or -1 if there is no switch."""
        raise NotImplementedError

    def lifted(self) -> int:
        """Return 1 if the ring is lifted, or 0 if it is on the table, or -1 if there is no switch."""
        raise NotImplementedError

    def jolts(self) -> list[int]:
        """Return the times of the jolts since the last call."""
        raise NotImplementedError

    def lamp(self, on: bool) -> None:
        """Switch the white LED next to the sensor."""
        raise NotImplementedError

    def light(self, red: int, green: int, blue: int) -> None:
        """Set the colour of the ring's light; each value is 0 to 255."""
        raise NotImplementedError

    def tone(self, hz: int) -> None:
        """Sound a tone; 0 is silence."""
        raise NotImplementedError

    def read(self) -> bytes:
        """Return the bytes that have arrived from the host, without waiting."""
        raise NotImplementedError

    def write(self, data: bytes) -> int:
        """Send *data* to the host, without waiting; return how many bytes were accepted."""
        raise NotImplementedError

    def rest(self, us: int) -> None:
        """Wait for *us* microseconds, or until something happens."""
        raise NotImplementedError

    def alive(self) -> None:
        """Feed the watchdog, if there is one."""

    def tidy(self) -> None:
        """Collect garbage; the main loop calls this when there is time for it."""

    def keep(self, what: str, numbers: tuple[int, ...]) -> None:
        """Store *numbers* (a reference or the sensor's gain) so that they survive restarts.

        Does nothing without storage.
        """

    def leave(self) -> None:
        """End the program and return to the REPL."""
        raise NotImplementedError
