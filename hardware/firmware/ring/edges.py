"""Edges of the beams, timed by the PIO and stored by DMA, so that none is lost while the interpreter is busy.

Each beam has a state machine that decrements a counter once a microsecond (two cycles) and pushes it at each
edge. Every path through the program takes two cycles per count, so the counter stays exact. The DMA writes
the values into a ring buffer of 64 edges per beam.
"""

# Python does not know the names of the PIO's instructions.
# mypy: disable-error-code="name-defined"

from machine import Pin, mem32
from rp2 import DMA, StateMachine, asm_pio
from uctypes import addressof

from ring.ticks import ticks_us

PLACES = 64
RING_BITS = 8  # low bits of the DMA's write address that wrap: 64 words
PIO0 = 0x5020_0000
START_BOTH = 0b0011 | 0b0011 << 8  # enable both and restart their clock dividers together
FIFO = 0x20  # of the first state machine; the next one is four bytes further
RECEIVED = 4  # DMA request number of PIO 0's first receive FIFO
ENDLESS = 0x0FFF_FFFF
MASK = (1 << 30) - 1


@asm_pio(autopush=True, push_thresh=32)
def edges() -> None:
    """Count x down; push it when the pin rises, and when it falls."""
    wrap_target()
    label("free")
    jmp(pin, "rise")
    jmp(x_dec, "free")
    jmp("free")
    label("rise")
    in_(x, 32)
    jmp(x_dec, "risen")
    label("risen")
    jmp(x_dec, "blocked")
    label("blocked")
    jmp(x_dec, "still")
    label("still")
    jmp(pin, "blocked")
    in_(x, 32)
    jmp(x_dec, "free")
    wrap()


class Beam:
    """One beam: its state machine and the ring buffer with its edges."""

    def __init__(self, number: int, pin: Pin) -> None:
        self.on = False
        self._read = 0
        # Twice the size, because the DMA's ring buffer must be aligned to its own size.
        self._room = bytearray(2 * 4 * PLACES)
        start = addressof(self._room)
        self._begin = (start + 4 * PLACES - 1) & ~(4 * PLACES - 1)
        self._machine = StateMachine(number, edges, freq=2_000_000, jmp_pin=pin)
        # It counts down from all ones, so the complement is the time.
        self._machine.exec("mov(x, invert(null))")
        self._dma = DMA()
        how = self._dma.pack_ctrl(
            inc_read=False, ring_sel=True, ring_size=RING_BITS, treq_sel=RECEIVED + number, irq_quiet=True
        )
        self._dma.config(read=PIO0 + FIFO + 4 * number, write=self._begin, count=ENDLESS, ctrl=how, trigger=True)

    @property
    def _end(self) -> int:
        """Index of the entry that the DMA writes next."""
        return (self._dma.write - self._begin) // 4 % PLACES  # type: ignore[attr-defined]  # not in the stubs

    def waits(self) -> bool:
        """Return whether there are edges that `taken` has not returned yet; does not allocate."""
        return self._read != self._end

    def taken(self, start: int, until: int) -> list[tuple[int, bool]]:
        """Return (ticks, on) of each edge since the last call, up to the time *until*.

        *start* is the value of `ticks_us` when the state machine began to count.
        """
        found = []
        end = self._end
        while self._read != end:
            at = (start + (~mem32[self._begin + 4 * self._read] & MASK)) & MASK
            if (until - at) & MASK > MASK // 2:
                break
            # The program waits for a rise, then for a fall, so edges always alternate.
            self.on = not self.on
            found.append((at, self.on))
            self._read = (self._read + 1) % PLACES
        return found


class Edges:
    """The edges of both beams."""

    def __init__(self, pin_a: Pin, pin_b: Pin) -> None:
        self._pins = (pin_a, pin_b)
        self._beams = (Beam(0, pin_a), Beam(1, pin_b))
        mem32[PIO0] = START_BOTH
        # This is read immediately after both machines start, so it is the zero point of their counters.
        self._start = ticks_us()

    def blocked(self) -> bool:
        """Return whether a beam is blocked now; does not allocate."""
        return bool(self._pins[0].value() or self._pins[1].value())

    def wait(self) -> bool:
        """Return whether there are edges that `taken` has not returned yet, even if no beam is blocked any more."""
        return self._beams[0].waits() or self._beams[1].waits()

    def level(self, beam: str) -> bool:
        """Return whether *beam* is blocked now."""
        return bool(self._pins["AB".index(beam)].value())

    def taken(self) -> list[tuple[str, bool, int]]:
        """Return all edges since the last call, in order: beam, blocked, ticks.

        Edges after the beginning of this call are left for the next one. Otherwise an edge of the second beam could
        be returned before an earlier edge of the first beam.
        """
        now = ticks_us()
        found = []
        for name, beam in zip("AB", self._beams):
            for at, on in beam.taken(self._start, now):
                found.append((name, on, at))
        return sorted(found, key=lambda edge: -((now - edge[2]) & MASK))
