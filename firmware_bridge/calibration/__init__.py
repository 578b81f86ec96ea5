"""Calibration of a ring: judges passages by the active calibration, stores readings, and makes new calibrations."""
