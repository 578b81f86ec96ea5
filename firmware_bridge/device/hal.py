"""The seam between a ring's superloop and what it is made of: pins, bus, counter and bytes. To be filled in."""


class Hal:
    """One board's own rim; times are readings of its counter of microseconds, which has the bits of `mask`.

    What is marked so allocates nothing on a board, as it is asked while a
    passage is captured.
    """

    mask = (1 << 30) - 1  # and no more: a board's numbers beyond have to be allocated

    def ticks(self) -> int:
        """Return the counter; allocates nothing."""
        raise NotImplementedError

    def blocked(self) -> bool:
        """Tell whether a beam is blocked now; allocates nothing."""
        raise NotImplementedError

    def fresh(self) -> int:
        """Return when the sensor said that a frame is whole, -1 if it did not since `stale`; allocates nothing."""
        raise NotImplementedError

    def stale(self) -> None:
        """Forget what the sensor said; allocates nothing."""
        raise NotImplementedError

    def pause(self) -> None:
        """Wait for a millisecond at most, less when something happens; allocates nothing."""
        raise NotImplementedError

    def lock(self) -> None:
        """Begin to hold that nothing is allocated."""

    def unlock(self) -> None:
        """End it."""

    def edges(self) -> list[tuple[str, bool, int]]:
        """Return all edges of the beams since the last call, in order: beam, blocked, counter."""
        raise NotImplementedError

    def level(self, beam: str) -> bool:
        """Tell whether *beam* is blocked now."""
        raise NotImplementedError

    def gate_open(self) -> int:
        """Return 1 when the gate is open, 0 when it is closed, -1 without a switch."""
        raise NotImplementedError

    def lifted(self) -> int:
        """Return 1 when the ring is lifted, 0 when it stands, -1 without a switch."""
        raise NotImplementedError

    def jolts(self) -> list[int]:
        """Return when the ring was jolted since the last call."""
        raise NotImplementedError

    def lamp(self, on: bool) -> None:
        """Switch the white LED beside the sensor."""
        raise NotImplementedError

    def light(self, red: int, green: int, blue: int) -> None:
        """Show a colour to the table, 0 to 255 each."""
        raise NotImplementedError

    def tone(self, hz: int) -> None:
        """Sound a tone, 0 for silence."""
        raise NotImplementedError

    def read(self) -> bytes:
        """Return what has come from the host, without waiting."""
        raise NotImplementedError

    def write(self, data: bytes) -> int:
        """Hand *data* to the host; return how many of the bytes were taken, without waiting."""
        raise NotImplementedError

    def rest(self, us: int) -> None:
        """Wait until something happens outside, so many microseconds at most."""
        raise NotImplementedError

    def alive(self) -> None:
        """Tell the watchdog, if there is one, that all is well."""

    def tidy(self) -> None:
        """Clear the memory up, as there is time now."""

    def keep(self, what: str, numbers: tuple[int, ...]) -> None:
        """Keep a reference or the sensor's gain over the next start; a ring that cannot forgets it."""

    def leave(self) -> None:
        """End the program, for the prompt."""
        raise NotImplementedError
