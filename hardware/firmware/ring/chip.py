"""The board's chip, and the registers with different addresses on the RP2040 and the RP2350 (from their datasheets)."""

import sys

_MACHINE = getattr(sys.implementation, "_machine", "")
IS_RP2040 = "RP2040" in _MACHINE
IS_RP2350 = "RP2350" in _MACHINE

WATCHDOG = 0x400D_8000 if IS_RP2350 else 0x4005_8000
REASON = WATCHDOG + 0x08  # why the watchdog reset the chip; also set by program resets (RP2040: 4.7.6, RP2350: 12.9.7)
SCRATCH = WATCHDOG + 0x0C  # words that only a power cut clears; the first four are free for programs
FRAMES = 0x5011_0048  # SOF_RD: the number of the host's last start of frame, a new one each millisecond
"""
RP2040 datasheet 4.1.4, RP2350 datasheet 12.7.8. A host that sleeps or is disconnected sends no frames.
"""
