"""Edges of the beams, caught by the PIO and carried off by DMA: a deaf interpreter loses none.

Each beam has a state machine that counts a microsecond every two cycles and
hands over its counter at each edge; every way through the program takes two
cycles a count, so that the counter stays true. The DMA writes what comes into
a ring of its own, 64 edges a beam.
"""

# The words of the PIO's assembler are no names of Python's.
# mypy: disable-error-code="name-defined"

from machine import Pin, mem32
from rp2 import DMA, StateMachine, asm_pio
from uctypes import addressof

from ring.ticks import ticks_us

PLACES = 64
RING_BITS = 8  # of the DMA's address that turn round: 64 words
PIO0 = 0x5020_0000
START_BOTH = 0b0011 | 0b0011 << 8  # enable, and begin their clocks together
FIFO = 0x20  # of the first state machine, the next lies four bytes on
RECEIVED = 4  # the request of PIO 0's first receiving FIFO
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
    """One beam: its state machine, and the ring that its edges are written to."""

    def __init__(self, number: int, pin: Pin) -> None:
        self.on = False
        self._read = 0
        # Twice as much: the DMA's ring turns at a multiple of its size, and one lies in it.
        self._room = bytearray(2 * 4 * PLACES)
        start = addressof(self._room)
        self._begin = (start + 4 * PLACES - 1) & ~(4 * PLACES - 1)
        self._machine = StateMachine(number, edges, freq=2_000_000, jmp_pin=pin)
        # It counts down from all ones: the complement is the time.
        self._machine.exec("mov(x, invert(null))")
        self._dma = DMA()
        how = self._dma.pack_ctrl(
            inc_read=False, ring_sel=True, ring_size=RING_BITS, treq_sel=RECEIVED + number, irq_quiet=True
        )
        self._dma.config(read=PIO0 + FIFO + 4 * number, write=self._begin, count=ENDLESS, ctrl=how, trigger=True)

    @property
    def _end(self) -> int:
        """The place that the DMA writes next."""
        return (self._dma.write - self._begin) // 4 % PLACES  # type: ignore[attr-defined]  # not in the stubs

    def waits(self) -> bool:
        """Tell whether an edge lies there that nobody has taken; allocates nothing."""
        return self._read != self._end

    def taken(self, start: int, until: int) -> list[tuple[int, bool]]:
        """Return (ticks, on) of all edges since the last call, but of none after *until*.

        *start* is what the counter read at its beginning.
        """
        found = []
        end = self._end
        while self._read != end:
            at = (start + (~mem32[self._begin + 4 * self._read] & MASK)) & MASK
            if (until - at) & MASK > MASK // 2:
                break
            # The program waits for a rise, then a fall: nothing else can follow.
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
        # Right behind the start of both machines: their counters begin here.
        self._start = ticks_us()

    def blocked(self) -> bool:
        """Tell whether a beam is blocked now; allocates nothing."""
        return bool(self._pins[0].value() or self._pins[1].value())

    def wait(self) -> bool:
        """Tell whether edges wait to be taken: those of a cube that came and went while nobody looked."""
        return self._beams[0].waits() or self._beams[1].waits()

    def level(self, beam: str) -> bool:
        """Tell whether *beam* is blocked now."""
        return bool(self._pins["AB".index(beam)].value())

    def taken(self) -> list[tuple[str, bool, int]]:
        """Return all edges since the last call, in order: beam, blocked, ticks.

        What comes while the first beam is looked up waits for the next call: the second beam's may be later.
        """
        now = ticks_us()
        found = []
        for name, beam in zip("AB", self._beams):
            for at, on in beam.taken(self._start, now):
                found.append((name, on, at))
        return sorted(found, key=lambda edge: -((now - edge[2]) & MASK))
