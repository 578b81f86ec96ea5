"""`companion calibration`: calibrations taken along, or taken in."""
