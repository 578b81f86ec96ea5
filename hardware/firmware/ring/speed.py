"""How fast the chip runs: an RP2040 at 200 MHz, which its makers allow if its core has 1.15 V.

Pico SDK 2.1.1, release notes (19 February 2025): certified for a system clock of 200 MHz at a regulator voltage of
1.15 V or more; the RP2040's datasheet says the same since then, and names the voltages (2.10, VSEL). MicroPython
starts it at 125 MHz, and leaves the voltage as it is.
"""

from time import sleep_ms

from machine import freq, mem32

from ring.chip import IS_RP2040

MHZ = 1_000_000
FAST = 200
SPEEDS = (125, FAST)  # of an owner
VREG = 0x4006_4000
VSEL = 0xF0  # the bits of that register that say the voltage
V_1_15 = 0xC0
SETTLES_MS = 1  # as the SDK waits


def speed_up(mhz: int) -> None:
    """Let an RP2040 run at *mhz*, with the voltage that this takes; before whatever is reckoned from its clock."""
    if not IS_RP2040 or mhz * MHZ <= freq():
        return
    mem32[VREG] = mem32[VREG] & ~VSEL | V_1_15
    sleep_ms(SETTLES_MS)
    freq(mhz * MHZ)
