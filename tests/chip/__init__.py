"""Tests that need a chip, on an emulated RP2040 (`make chip`): PIO and DMA, the flash, the watchdog, USB."""
