"""The rim of the least ring that there is."""

FIRMWARE = "0.2.0"
