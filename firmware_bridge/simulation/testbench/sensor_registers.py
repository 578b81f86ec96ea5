"""A simulated colour sensor at the level of its registers and its interrupt pin.

Simulates any chip of the TCS3472's family.

The differences between the chips are in their own files (`firmware_bridge/device`). The rest follows
the datasheet "TCS3472 Color Light-to-Digital Converter with IR Filter" (ams); comments name the
section of each fact. The model does not include the timing of the bus, the supply current and the
drift with temperature. Nothing here was measured on a chip.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from errno import EIO

from companion.kernel.shown import shows
from firmware_bridge.colour.channels import Counts
from firmware_bridge.device.sensor_chips import USUAL
from firmware_bridge.device.sensor_driver import Chip

SPACE = 0x20  # registers of the family: five bits
LONG_WAIT = 12  # Configuration Register, WLONG: waits last twelve times as long
PON, AEN, WEN, AIEN = 0x01, 0x02, 0x08, 0x10  # Enable Register
WLONG = 0x02  # Configuration Register
AVALID, AINT = 0x01, 0x10  # Status Register
APERS = 0x0F  # Persistence Register
END = Chip.DATA + 8  # after the channel data

OnFrame = Callable[[int, int, int], Counts]
"""Called to compute a frame when it is read. The arguments are the start in microseconds, the steps and the gain."""


@dataclass(frozen=True)
class Cycle:
    """The sequence of frames since the sensor was started.

    Principles of Operation, System State Machine: the chip initialises, integrates, waits if configured, and repeats
    this.
    """

    since_us: int
    ready_us: int
    exposure_us: int
    wait_us: int

    @property
    def period_us(self) -> int:
        """The time from the end of one frame to the end of the next."""
        return self.ready_us + self.exposure_us + self.wait_us

    def end_us(self, n: int) -> int:
        """Return when frame *n* (from 0) is complete."""
        return self.since_us + self.ready_us + self.exposure_us + n * self.period_us

    def ended(self, now_us: int) -> int:
        """Return how many frames are complete."""
        return max(0, (now_us - self.end_us(0)) // self.period_us + 1)


@shows("_answers", "_low", "_turns")
class SensorRegisters:
    """One sensor (a *chip*) on its bus, as a driver sees it. Times are arguments and must not go back.

    Raise ValueError if the constants of *chip* contradict each other or this family's registers.
    """

    def __init__(self, on_frame: OnFrame, chip: type[Chip] = USUAL) -> None:
        self.address = chip.ADDRESS
        self._chip = chip
        self._writable = dict(chip.WRITABLE)
        self._gain_bits = gain_bits(chip)
        self._on_frame = on_frame
        self._answers = True
        self._low = False
        self._turns: list[tuple[int, bool]] = []
        self._power_up()

    def read(self, command: int, count: int, now_us: int) -> bytes:
        """Return *count* bytes from the register that *command* selects. Raise OSError if the sensor has no power."""
        self._address(command, now_us)
        return bytes(self._byte(at) for at in self._places(count))

    def write(self, command: int, data: bytes, now_us: int) -> None:
        """Write *data* to the register that *command* selects, or carry out a special function. Raises like `read`."""
        self._address(command, now_us)
        for at, byte in zip(self._places(len(data)), data, strict=True):
            self._set(at, byte & self._writable.get(at, 0), now_us)

    def until(self, now_us: int) -> list[tuple[int, bool]]:
        """Return the changes of the interrupt pin (time, level) since the last call. LOW means a new frame."""
        self._settle(now_us)
        turns, self._turns = self._turns, []
        return turns

    def due_us(self) -> int | None:
        """Return the next time at which the pin may change although nothing is accessed, or None if it will not change.

        If thresholds are set, that is the end of the next frame, whatever its counts will be.
        """
        asked = self._held[Chip.ENABLE] & AIEN and not self._interrupt
        return self._cycle.end_us(self._done) if self._cycle and asked else None

    def gone(self, now_us: int) -> None:
        """Cut the power or the wires of the sensor."""
        self._settle(now_us)
        self._answers = False
        self._power_up()
        self._turn(now_us)

    def back(self, now_us: int) -> None:
        """Restore the sensor's power. All its settings are reset."""
        self._settle(now_us)
        self._answers = True

    def _power_up(self) -> None:
        self._held = bytearray(SPACE)
        self._held[Chip.ATIME] = self._held[Chip.WTIME] = 0xFF
        self._held[Chip.ID] = self._chip.IDS[0]
        self._at, self._running, self._shadow = 0, False, 0
        self._interrupt, self._valid, self._outside = False, False, 0
        self._warm_us = 0
        self._cycle: Cycle | None = None
        self._done = 0
        self._whole: tuple[int, int, int] | None = None

    def _address(self, command: int, now_us: int) -> None:
        self._settle(now_us)
        if not self._answers:
            raise OSError(EIO, "no sensor answers")
        if (selected := self._chip.addressed(command)) is not None:
            self._at, self._running = selected
        elif command == self._chip.CLEAR:
            self._interrupt, self._outside = False, 0
            self._turn(now_us)

    def _places(self, count: int) -> list[int]:
        return [(self._at + n) % SPACE if self._running else self._at for n in range(count)]

    def _byte(self, at: int) -> int:
        """Return the register at *at*.

        Reading a channel's lower byte latches the upper byte (RGBC Channel Data Registers).
        """
        if at == Chip.STATUS:
            return AINT * self._interrupt | AVALID * self._valid
        if not Chip.DATA <= at < END:
            return self._held[at]
        if at % 2:
            return self._shadow
        self._latch()
        self._shadow = self._held[at + 1]
        return self._held[at]

    def _set(self, at: int, value: int, now_us: int) -> None:
        before, self._held[at] = self._held[at], value if at in self._writable else self._held[at]
        changed = before ^ self._held[at]
        if at == Chip.ENABLE and changed & PON:
            self._warm_us = now_us + self._chip.WARM_UP_US
        if changed & (~AIEN if at == Chip.ENABLE else 0xFF) and at in (
            Chip.ENABLE,
            Chip.ATIME,
            Chip.WTIME,
            Chip.CONFIG,
            Chip.CONTROL,
        ):
            self._begin(max(now_us, self._warm_us), at)
        self._turn(now_us)

    def _begin(self, at_us: int, register: int) -> None:
        """Start a new sequence of frames, if the sensor is enabled.

        The datasheet does not say what happens to a frame whose settings change meanwhile. Here it
        is discarded.
        """
        self._latch()
        enable = self._held[Chip.ENABLE]
        if register == Chip.ENABLE:
            self._valid = False
        step, steps = self._chip.STEP_US, 256 - self._held[Chip.ATIME]
        wait = (256 - self._held[Chip.WTIME]) * step * (LONG_WAIT if self._held[Chip.CONFIG] & WLONG else 1)
        cycle = Cycle(at_us, self._chip.READY_US, steps * step, wait if enable & WEN else 0)
        self._cycle = cycle if enable & PON and enable & AEN else None
        self._done = 0

    def _settle(self, now_us: int) -> None:
        """Complete all frames that have ended by now. Their counts are computed when they are read."""
        if self._cycle is None:
            return
        ended = self._cycle.ended(now_us)
        if ended == self._done:
            return
        if self._held[Chip.PERS] & APERS:
            for n in range(self._done, ended):
                self._judge(self._cycle, n)
        else:
            self._end(self._cycle, ended - 1)
            self._fire(self._cycle.end_us(self._done))
        self._done = ended

    def _end(self, cycle: Cycle, n: int) -> None:
        begun_us = cycle.end_us(n) - cycle.exposure_us
        gain = self._chip.GAINS[self._held[Chip.CONTROL] & self._gain_bits]
        self._whole = (begun_us, cycle.exposure_us // self._chip.STEP_US, gain)
        self._valid = True

    def _judge(self, cycle: Cycle, n: int) -> None:
        """Count frames in a row whose clear channel is outside the thresholds (Persistence Register)."""
        self._end(cycle, n)
        self._latch()
        outside = not self._word(Chip.AILT) <= self._word(Chip.DATA) <= self._word(Chip.AIHT)
        self._outside = self._outside + 1 if outside else 0
        if self._outside >= in_a_row(self._held[Chip.PERS] & APERS):
            self._fire(cycle.end_us(n))

    def _fire(self, at_us: int) -> None:
        """Set the interrupt status (Interrupts). The pin follows only if AIEN is set."""
        self._interrupt = True
        self._turn(at_us)

    def _turn(self, at_us: int) -> None:
        low = self._interrupt and bool(self._held[Chip.ENABLE] & AIEN)
        if low != self._low:
            self._low = low
            self._turns.append((at_us, not low))

    def _latch(self) -> None:
        if self._whole:
            r, g, b, c = self._on_frame(*self._whole)
            self._held[Chip.DATA : END] = b"".join(count.to_bytes(2, "little") for count in (c, r, g, b))
            self._whole = None

    def _word(self, at: int) -> int:
        return self._held[at] | self._held[at + 1] << 8


def gain_bits(chip: type[Chip]) -> int:
    """Return the mask of AGAIN (Control Register), which has as many bits as the gains of *chip* need.

    Raise ValueError if the chip's own table of writable bits does not have all of them.

    >>> gain_bits(USUAL)
    3
    """
    mask = (1 << (len(chip.GAINS) - 1).bit_length()) - 1
    if mask & ~dict(chip.WRITABLE).get(Chip.CONTROL, 0):
        raise ValueError(f"{chip.NAME}: {len(chip.GAINS)} gains need the bits {mask:#04x} of CONTROL in WRITABLE")
    return mask


def in_a_row(persistence: int) -> int:
    """Return how many frames in a row APERS requires (Persistence Register): 1, 2, 3, then 5 to 60 in steps of 5.

    >>> in_a_row(3), in_a_row(4)
    (3, 5)
    """
    return persistence if persistence <= 3 else 5 * (persistence - 3)
