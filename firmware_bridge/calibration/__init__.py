"""The measuring side of a ring: judges passages by the active calibration, stores readings, makes calibrations."""
