"""The package of the smallest ring."""

FIRMWARE = "0.2.0"
