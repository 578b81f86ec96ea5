"""The clock of the chip: an RP2040 runs at 200 MHz, which Raspberry Pi allows if its core has 1.15 V.

Sources: the release notes of Pico SDK 2.1.1 (19 February 2025) certify a system clock of 200 MHz at a
regulator voltage of 1.15 V or more; since then the RP2040's datasheet says so too, and lists the voltages
(2.10, VSEL). MicroPython starts the chip at 125 MHz and does not change the voltage.
"""

from time import sleep_ms

from machine import freq, mem32

from ring.chip import IS_RP2040

MHZ = 1_000_000
FAST = 200
SPEEDS = (125, FAST)  # the clock rates that an owner may choose
VREG = 0x4006_4000
VSEL = 0xF0  # the bits of that register that select the voltage
V_1_15 = 0xC0
SETTLES_MS = 1  # the SDK waits as long


def speed_up(mhz: int) -> None:
    """Run an RP2040 at *mhz*, with the voltage for it. Call this before anything derives a period from the clock."""
    if not IS_RP2040 or mhz * MHZ <= freq():
        return
    mem32[VREG] = mem32[VREG] & ~VSEL | V_1_15
    sleep_ms(SETTLES_MS)
    freq(mhz * MHZ)
